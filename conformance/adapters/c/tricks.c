/* An example adapter in C: a little engine that knows who wins a trick at Bézique and which cards may be played. It is
 * plain C11, with no library; it is only asked questions, and so sets up no position. Try it with:
 *
 *     cc -std=c11 -o tricks conformance/adapters/c/tricks.c
 *     hoyle check ./tricks
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Where a value ends. */
static Value end_of(Value at)
{
    int depth = 0;
    do {
        if (*at == '"') {
            at = past_text(at);
        } else if (*at == '[' || *at == '{') {
            depth++, at++;
        } else if (*at == ']' || *at == '}') {
            depth--, at++;
        } else {
            at += depth ? 1 : strcspn(at, ",:]} \t\r\n");
        }
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

/* ---- the engine: a card is the text "TH", perhaps "TH#2" ----------------------------------------------------------- */

static int rank(Value card) { return (int)(strchr("789JQKTA", card[1]) - "789JQKTA"); }
static char suit(Value card) { return card[2]; }

/* Whether a card takes a trick in which another is winning so far. The first of two identical cards wins. */
static bool beats(Value card, Value other, char trumps)
{
    return suit(card) == suit(other) ? rank(card) > rank(other) : suit(card) == trumps;
}

/* Who wins a trick: how many places after the player who leads. */
static int winner(Value cards, char trumps)
{
    int place = 0, best = 0;
    Value winning = first(cards);
    for (Value card = winning; card; card = next(card), place++)
        if (beats(card, winning, trumps))
            winning = card, best = place;
    return best;
}

/* The duties in the last eight tricks, the first that some card can meet: to follow suit and win, to follow suit, to
 * win; else any card will do. Not every source asks to win. */
enum { FOLLOWS_AND_WINS, FOLLOWS, WINS, ANY };

static bool meets(int duty, Value card, Value led, char trumps)
{
    bool follows = duty == ANY || suit(card) == suit(led);
    switch (duty) {
    case FOLLOWS_AND_WINS: return follows && beats(card, led, trumps);
    case WINS: return beats(card, led, trumps);
    default: return follows;
    }
}

static int duty(Value hand, Value led, char trumps, bool must_win)
{
    for (int duty = FOLLOWS_AND_WINS; duty < ANY; duty++)
        for (Value card = first(hand); card && (must_win || duty == FOLLOWS); card = next(card))
            if (meets(duty, card, led, trumps))
                return duty;
    return ANY;
}

/* ---- the protocol -------------------------------------------------------------------------------------------------- */

/* Return a value of the question, or else of the position. */
static Value value_in(Value step, const char *here, Value position, const char *there)
{
    Value said = get(step, here);
    return said ? said : get(position, there);
}

static void answer_winner(Value step, char trumps)
{
    int seat = get(step, "by")[1] - 'A';
    printf("{\"answer\":\"%c\"}", 'A' + (seat + winner(get(step, "cards"), trumps)) % 2);
}

static void answer_playable(Value step, Value position, char trumps, bool must_win)
{
    char by[] = {get(step, "by")[1], '\0'};
    bool alone = get(step, "hand"), now = is(get(position, "phase"), "play") && is(get(position, "turn"), by);
    Value hand = alone ? get(step, "hand") : get(get(position, "hands"), by);
    Value led = first(value_in(step, "led", position, "trick")), drawing = get(step, "drawing");
    Value turn_up = get(position, "turn_up");
    bool draws = drawing ? *drawing == 't' : first(get(position, "stock")) || (turn_up && *turn_up == '"');
    int must = draws || !led ? ANY : duty(hand, led, trumps, must_win);
    const char *comma = "";
    printf("{\"answer\":[");
    for (Value card = alone || now ? first(hand) : NULL; card; card = next(card))
        if (meets(must, card, led, trumps)) {
            printf("%s%.*s", comma, (int)(end_of(card) - card), card);
            comma = ",";
        }
    printf("]}");
}

static void run(Value message)
{
    Value position = get(message, "position");
    bool must_win = !is(get(message, "ruleset"), "bezique-hoyle");
    const char *comma = "";
    printf("{\"type\":\"observed\",\"seq\":%ld,\"steps\":[", strtol(get(message, "seq"), NULL, 10));
    for (Value step = first(get(message, "steps")); step; step = next(step), comma = ",") {
        Value named = value_in(step, "trumps", position, "trumps");
        char trumps = named && *named == '"' ? named[1] : '\0'; /* null as long as no suit is */
        printf("%s", comma);
        if (is(get(step, "ask"), "winner"))
            answer_winner(step, trumps);
        else if (is(get(step, "ask"), "playable"))
            answer_playable(step, position, trumps, must_win);
        else
            printf("{\"unsupported\":\"this engine answers two questions\"}");
    }
    printf("]}\n");
}

static const char READY[] =
    "{\"type\":\"ready\",\"protocol\":1,\"name\":\"example: tricks in C\",\"version\":\"1.0\",\"language\":\"C\","
    "\"rulesets\":[\"bezique-hoyle\",\"bezique-britannica\",\"bezique-bicycle\",\"bezique-h2g2\"],"
    "\"claims\":[\"winner\",\"playable\"]}\n";

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
            run(message);
    }
    return 0;
}
