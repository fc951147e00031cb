/* An adapter between Hoyle and your engine. So far it answers one question: who wins a trick.
 *
 *     cc -std=c11 -o my_adapter my_adapter.c
 *     hoyle doctor ./my_adapter
 *     hoyle check ./my_adapter
 *
 * It needs only the compiler. In your own project, read the messages with a library.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `rulesets` lists what you play ('hoyle suite list rulesets'), `claims` what you can answer ('hoyle suite list claims').
 * Next: "playable", "worth". */
static const char READY[] =
    "{\"type\":\"ready\",\"protocol\":1,\"name\":\"my engine\",\"version\":\"1\",\"language\":\"C\","
    "\"rulesets\":[\"bezique-hoyle\"],\"claims\":[\"winner\"]}\n";

/* A card: its rank, and its suit. */
typedef struct {
    char rank, suit;
} Card;

/* The card that wins the trick, counted from 0 in the order of play; trumps are '\0' if there are none.
 * ENGINE: call your engine here. So far the first card always wins. */
static int winner(const Card *cards, int count, char trumps)
{
    (void)cards, (void)count, (void)trumps;
    return 0;
}

/* ---- JSON, read in place: a value is the start of its text, and NULL if it is missing -------------------------------- */

typedef const char *Value;

static Value past_blanks(Value at) { return at + strspn(at, " \t\r\n"); }

static Value past_text(Value at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

static Value end_of(Value at)
{
    int depth = 0;
    do {
        if (*at == '"')
            at = past_text(at);
        else if (*at == '[' || *at == '{')
            depth++, at++;
        else if (*at == ']' || *at == '}')
            depth--, at++;
        else
            at += depth ? 1 : strcspn(at, ",:]} \t\r\n");
    } while (depth && *at);
    return at;
}

/* The first item of a list or an object, and the next one; in an object, names and values alternate. */
static Value first(Value within)
{
    if (!within || (*within != '[' && *within != '{'))
        return NULL;
    Value at = past_blanks(within + 1);
    return *at == ']' || *at == '}' ? NULL : at;
}

static Value next(Value item)
{
    Value at = past_blanks(end_of(item));
    return *at == ',' || *at == ':' ? past_blanks(at + 1) : NULL;
}

static bool is(Value value, const char *text)
{
    size_t length = strlen(text);
    return value && *value == '"' && !strncmp(value + 1, text, length) && value[length + 1] == '"';
}

static Value get(Value object, const char *name)
{
    for (Value key = first(object), value; key && (value = next(key)); key = next(value))
        if (is(key, name))
            return value;
    return NULL;
}

/* ---- the protocol -------------------------------------------------------------------------------------------------- */

enum { MOST_CARDS = 8 };

/* The observation of one step. A question may have values that otherwise come from the position. */
static void observe(Value step, Value position)
{
    if (!is(get(step, "ask"), "winner")) {
        printf("{\"unsupported\":\"not written yet\"}");
        return;
    }
    Value trumps = get(step, "trumps") ? get(step, "trumps") : get(position, "trumps");
    Card cards[MOST_CARDS];
    int count = 0;
    for (Value card = first(get(step, "cards")); card && count < MOST_CARDS; card = next(card))
        cards[count++] = (Card){card[1], card[2]};
    int place = winner(cards, count, trumps && *trumps == '"' ? trumps[1] : '\0');
    printf("{\"answer\":\"%c\"}", 'A' + (get(step, "by")[1] - 'A' + place) % 2);
}

static void answer(Value message)
{
    const char *comma = "";
    printf("{\"type\":\"observed\",\"seq\":%ld,\"steps\":[", strtol(get(message, "seq"), NULL, 10));
    for (Value step = first(get(message, "steps")); step; step = next(step), comma = ",") {
        printf("%s", comma);
        observe(step, get(message, "position"));
    }
    printf("]}\n");
}

/* A line of any length; NULL at the end. The buffer is the same each time. */
static char *read_line(void)
{
    static char *line;
    static size_t room;
    size_t length = 0;
    for (int byte; (byte = getchar()) != EOF && byte != '\n';) {
        if (length + 2 > room && !(line = realloc(line, room = 2 * room + 256)))
            exit(1);
        line[length++] = (char)byte;
        line[length] = '\0';
    }
    return length ? line : NULL;
}

int main(void)
{
    for (Value message; (message = read_line()) && !is(get(message, "type"), "bye"); fflush(stdout)) {
        if (is(get(message, "type"), "hello"))
            printf("%s", READY);
        else
            answer(message);
    }
    return 0;
}
