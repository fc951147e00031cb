/* A small engine in C, built as a shared library: what a combination of cards scores at Bézique. It has one function,
 * and does not know Hoyle; `worth.py` is the adapter, which calls it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A combination by its cards. A suit is a letter, or '+' for trumps, '-' for one suit that is not trumps, '*' for any. */
struct combination {
    const char *name, *cards;
    int points;
};

static const struct combination COMBINATIONS[] = {
    {"common-marriage", "K- Q-", 20},
    {"royal-marriage", "K+ Q+", 40},
    {"sequence", "A+ T+ K+ Q+ J+", 250},
    {"bezique", "QS JD", 40},
    {"double-bezique", "QS QS JD JD", 500},
    {"four-aces", "A* A* A* A*", 100},
    {"four-kings", "K* K* K* K*", 80},
    {"four-queens", "Q* Q* Q* Q*", 60},
    {"four-knaves", "J* J* J* J*", 40},
};

/* Whether a card has a place in a combination, in which the suit that is not trumps is `plain`. */
static bool fits(const char *place, const char *card, char plain, char trumps)
{
    if (place[0] != card[0])
        return false;
    switch (place[1]) {
    case '+': return card[1] == trumps;
    case '-': return card[1] == plain && card[1] != trumps;
    case '*': return true;
    default: return card[1] == place[1];
    }
}

/* Whether these are the cards of a combination, in any order. */
static bool is_made_of(const char *wanted, const char *const *cards, size_t count, char trumps)
{
    if (strlen(wanted) + 1 != 3 * count)
        return false;
    unsigned used = 0;
    for (const char *place = wanted; place < wanted + 3 * count; place += 3) {
        size_t at = 0;
        while (at < count && (used >> at & 1 || !fits(place, cards[at], cards[0][1], trumps)))
            at++;
        if (at == count)
            return false;
        used |= 1u << at;
    }
    return true;
}

/* How many points these cards score under this name, or 0 if they are no such combination. A card is "TH", the ten of
 * hearts; `trumps` is 'H', or '\0' as long as no suit is. */
int worth(const char *name, const char *const *cards, size_t count, char trumps)
{
    for (size_t at = 0; at < sizeof COMBINATIONS / sizeof *COMBINATIONS; at++)
        if (!strcmp(COMBINATIONS[at].name, name))
            return is_made_of(COMBINATIONS[at].cards, cards, count, trumps) ? COMBINATIONS[at].points : 0;
    return 0;
}
