"""An example adapter in Python: all the forms of Bézique that the h2g2 guide describes, from the cut to the end.

It plays Bézique for two and for three, Rubicon Bézique, and the forms for four players, six packs and eight packs. It
was written from the printed source and is independent of the reference interpreter. Its table is the position of the
protocol, which every accepted act changes. Try it with::

    hoyle check -r bezique-h2g2 python workbench/adapters/python/bezique_h2g2.py
"""

import json
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import combinations, product

#: Highest first; the ten ranks above the king.
RANKS = "ATKQJ987"
SUITS = "CDHS"
COURTS = set("KQJ")
BRISQUES = set("AT")
BRISQUE = 10
#: The number of players who play two against two.
FOUR = 4
SEQUENCE = "ATKQJ"
SEVEN = 10
#: What a rubicon brings the winner beside the scores.
FOR_THE_RUBICON = 320
#: Where cards lie.
PLACES = ("hands", "stock", "turn_up", "trick", "won")
#: What the opponent gets.
TOO_MANY_CARDS, NO_CARD_DRAWN = 100, 10

# ---- The combinations ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Meld:
    """Describes a combination: its kind, its points, how many pairs or cards it has, and the suits it is made in."""

    kind: str
    points: int
    count: int = 1
    rank: str = ""
    #: In trumps, in a plain suit, one of each suit, or any suits.
    suits: str = "each"

    @property
    def family(self):
        """Name the combinations that are similar to this one."""
        return self.kind + self.rank


MELDS = {
    "common-marriage": Meld("marriage", 20, suits="plain"),
    "double-common-marriage": Meld("marriage", 20, 2, suits="plain"),
    "royal-marriage": Meld("marriage", 40, suits="trumps"),
    "double-royal-marriage": Meld("marriage", 40, 2, suits="trumps"),
    "bezique": Meld("bezique", 40),
    "four-knaves": Meld("prial", 40, 4, "J"),
    "four-queens": Meld("prial", 60, 4, "Q"),
    "four-kings": Meld("prial", 80, 4, "K"),
    "four-aces": Meld("prial", 100, 4, "A"),
    "plain-sequence": Meld("sequence", 100, suits="plain"),
    "sequence": Meld("sequence", 250, suits="trumps"),
    "double-bezique": Meld("bezique", 500, 2),
}
TRIPLES = {
    "triple-common-marriage": Meld("marriage", 60, 3, suits="plain"),
    "triple-royal-marriage": Meld("marriage", 120, 3, suits="trumps"),
    "treble-bezique": Meld("bezique", 1500, 3),
}
RUBICON_MELDS = MELDS | {
    "plain-sequence": Meld("sequence", 150, suits="plain"),
    "treble-bezique": Meld("bezique", 1500, 3),
    "quadruple-bezique": Meld("bezique", 4500, 4),
}
NAMES = {"J": "knaves", "Q": "queens", "K": "kings", "T": "tens", "A": "aces"}


def prials(name, count, suits, points):
    """Return the combinations of cards of one rank, with the points for knaves, queens, kings, tens and aces."""
    scores = zip(NAMES.items(), points, strict=True)
    return {name.format(ranks): Meld("prial", score, count, rank, suits) for (rank, ranks), score in scores}


FOUR_HANDED_MELDS = {
    **RUBICON_MELDS,
    **prials("four-{}", 4, "any", (400, 600, 800, 900, 1000)),
    "quintuple-bezique": Meld("bezique", 13_500, 5),
    "sextuple-bezique": Meld("bezique", 40_500, 6),
}
SIX_DECK_MELDS = RUBICON_MELDS | prials("four-{}-of-trumps", 4, "trumps", (400, 600, 800, 900, 1000))
EIGHT_DECK_MELDS = {
    **SIX_DECK_MELDS,
    **prials("five-{}-of-trumps", 5, "trumps", (800, 1200, 1600, 1800, 2000)),
    "bezique": Meld("bezique", 50),
    "quintuple-bezique": Meld("bezique", 9000, 5),
}
#: The queen and the knave of a bezique; where they vary, by the suit of trumps, if there is one.
BEZIQUE = ("QS", "JD")
BEZIQUES = {"H": ("QH", "JC"), "D": ("QD", "JS"), "C": ("QC", "JH"), "S": BEZIQUE}

# ---- The forms of the game -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """Describes one form of the game."""

    melds: dict[str, Meld]
    players: int = 2
    packs: int = 2
    packets: tuple[int, ...] = (3, 2, 3)
    last_trick: int = 10
    #: The score that wins; None if the game is a single deal.
    target: int | None = 1000
    #: Whether a card is turned up for trumps; if not, the first marriage or sequence makes trumps.
    turns_up: bool = True
    tricks_first: int = 0
    #: Whether cards may form the same combination again, if they are not the very same cards.
    reuse: bool = False
    varying_bezique: bool = False
    carte_blanche: int = 0
    double_carte_blanche: int = 0
    counts_brisques: bool = True
    game: int = 500
    rubicon_below: int = 1000
    rubicon: int = 1000

    @property
    def seats(self):
        """Return the players, in the order in which they play."""
        return "ABCD"[: self.players]

    def side(self, seat):
        """Return the player under whom the score of this player's side is kept."""
        return {"C": "A", "D": "B"}.get(seat, seat) if self.players == FOUR else seat

    @property
    def sides(self):
        """Return the players under whom scores are kept."""
        return "AB" if self.players == FOUR else self.seats

    def partner(self, seat):
        """Return the partner of a player, if there are partners."""
        return self.after(seat, 2) if self.players == FOUR else None

    def after(self, seat, steps=1):
        """Return the player who sits so many places after another."""
        return self.seats[(self.seats.index(seat) + steps) % self.players]


TWO_HANDED = Form(MELDS)
RUBICON = Form(
    RUBICON_MELDS,
    packs=4,
    packets=(3, 3, 3),
    last_trick=50,
    target=None,
    turns_up=False,
    reuse=True,
    carte_blanche=50,
)
SIX_DECK = replace(
    RUBICON,
    melds=SIX_DECK_MELDS,
    packs=6,
    packets=(3, 3, 3, 3),
    last_trick=250,
    varying_bezique=True,
    carte_blanche=250,
    counts_brisques=False,
    game=1000,
    rubicon=3000,
)
FORMS = {
    "bezique-h2g2": TWO_HANDED,
    "rubicon-h2g2": RUBICON,
    "three-handed-h2g2": replace(TWO_HANDED, melds=MELDS | TRIPLES, players=3, packs=3, target=3000),
    "four-handed-h2g2": replace(RUBICON, melds=FOUR_HANDED_MELDS, players=4, packs=6, double_carte_blanche=500),
    "six-deck-h2g2": SIX_DECK,
    "eight-deck-h2g2": replace(SIX_DECK, melds=EIGHT_DECK_MELDS, packs=8, packets=(3, 3, 3, 3, 3), rubicon_below=5000),
}
OPTIONS: dict[str, Callable[[Form], Form]] = {
    "two-thousand": lambda form: replace(form, target=2000),
    "three-tricks-first": lambda form: replace(form, tricks_first=3),
    "no-plain-sequences": lambda form: replace(
        form, melds={name: meld for name, meld in form.melds.items() if name != "plain-sequence"}
    ),
}
OPTIONS_OF = {
    "bezique-h2g2": ("two-thousand", "three-tricks-first", "no-plain-sequences"),
    "three-handed-h2g2": ("three-tricks-first", "no-plain-sequences"),
}


def form_of(ruleset, options):
    form = FORMS[ruleset]
    for option in options:
        form = OPTIONS[option](form)
    return form


class Refused(Exception):
    """An act breaks a rule."""


class Over(Exception):
    """The game is won in the middle of an act; nothing more is scored."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def face(card):
    return card[:2]


def faces(cards):
    return tuple(sorted(map(face, cards)))


def is_among(found, name, cards):
    """Whether a combination of these cards is among those found."""
    return any(each == name and sorted(way) == sorted(cards) for each, way in found)


# ---- Questions that need no table ------------------------------------------------------------------------------------


def beats(card, best, trumps):
    """Whether a card takes the trick from the best one so far; of two identical cards the first wins."""
    if card[1] == best[1]:
        return RANKS.index(card[0]) < RANKS.index(best[0])
    return card[1] == trumps


def winning(cards, trumps):
    """Return the place of the card that wins a trick, in the order of play."""
    best = 0
    for place, card in enumerate(cards):
        if beats(card, cards[best], trumps):
            best = place
    return best


def playable(hand, led, trumps, drawing):
    """Return the cards that may be played: any while cards are drawn; then follow suit, win if able, else trump."""
    if drawing or not led:
        return list(hand)
    best = led[winning(led, trumps)]
    following = [card for card in hand if card[1] == led[0][1]]
    allowed = following or [card for card in hand if card[1] == trumps] or hand
    return [card for card in allowed if beats(card, best, trumps)] or list(allowed)


def suits_of(meld, trumps):
    """Return the suits in which a combination may be made; while there are no trumps, any suit may become trumps."""
    if meld.suits == "trumps":
        return trumps or SUITS
    return [suit for suit in SUITS if trumps and suit != trumps]


def pairs(cards, first, second, count):
    firsts, seconds = ([card for card in cards if face(card) == wanted] for wanted in (first, second))
    for some, others in product(combinations(firsts, count), combinations(seconds, count)):
        yield some + others


def prial_ways(meld, cards, trumps):
    held = [card for card in cards if card[0] == meld.rank]
    if meld.suits == "each":
        yield from product(*([card for card in held if card[1] == suit] for suit in SUITS))
    elif meld.suits == "any":
        yield from combinations(held, meld.count)
    else:
        yield from combinations([card for card in held if card[1] == trumps], meld.count)


def ways(form, meld, cards, trumps):
    """Yield each set of these cards that makes a combination."""
    if meld.kind == "prial":
        yield from prial_ways(meld, cards, trumps)
    elif meld.kind == "marriage":
        for suit in suits_of(meld, trumps):
            yield from pairs(cards, "K" + suit, "Q" + suit, meld.count)
    elif meld.kind == "sequence":
        for suit in suits_of(meld, trumps):
            yield from product(*([card for card in cards if face(card) == rank + suit] for rank in SEQUENCE))
    else:
        pair = BEZIQUES.get(trumps, BEZIQUE) if form.varying_bezique else BEZIQUE
        yield from pairs(cards, *pair, meld.count)


def worth(form, name, cards, trumps):
    """Return the points that cards score as a combination; 0 if they do not make it."""
    meld = form.melds.get(name)
    if meld and any(len(way) == len(cards) for way in ways(form, meld, cards, trumps)):
        return meld.points
    return 0


def counted(form, cards):
    """Return what the tens and aces among these cards count for the player who has won them."""
    return BRISQUE * sum(card[0] in BRISQUES for card in cards) if form.counts_brisques else 0


def adds_brisques(form, score):
    """Whether both sides add their brisques to the scores of a single deal: in a tie, or to avoid a rubicon."""
    low, high = sorted(score.values())
    return form.counts_brisques and (low == high or low < form.rubicon_below)


def settlement(form, score, brisques=None):
    """Return the winner of a single deal with these scores, and the points the winner gains.

    Brisques break a tie and may save the loser from the rubicon; the higher score before them wins all the same.
    """
    final = score
    if brisques and adds_brisques(form, score):
        final = {side: points + brisques[side] for side, points in score.items()}
    deciding = score if len(set(score.values())) > 1 else final
    winner, loser = sorted(score, key=deciding.get, reverse=True)
    if deciding[winner] == deciding[loser]:
        return {"winner": None, "points": 0}
    won, lost = whole_hundreds(final[winner]), whole_hundreds(final[loser])
    if final[loser] < form.rubicon_below:
        return {"winner": winner, "points": form.rubicon + won + lost + FOR_THE_RUBICON}
    return {"winner": winner, "points": form.game + max(won - lost, 0)}


def whole_hundreds(points):
    return points // 100 * 100


# ---- The table -------------------------------------------------------------------------------------------------------


class Table:
    """Plays one game: its state is the position of the protocol."""

    def __init__(self, form, position):
        self.form = form
        self.game = {"leader": None, "settled": None, **self.cleared(), **deepcopy(position)}

    def cleared(self):
        """Return the table as it is before cards are dealt."""
        seats, sides = self.form.seats, self.form.sides
        return {
            **{field: {seat: [] for seat in seats} for field in ("hands", "won", "shown", "seen", "ruled")},
            **{field: {side: [] for side in sides} for field in ("scored", "kept")},
            **{field: [] for field in ("stock", "trick", "claimed", "choices", "errors")},
            **{field: dict.fromkeys(seats, 0) for field in ("last_tricks", "surplus")},
            **dict.fromkeys(("combinations_since_trick", "sevens_since_trick"), 0),
            **dict.fromkeys(("trumps", "turn_up")),
            "blanks": dict.fromkeys(seats, "unspoken"),
        }

    # -- The score

    def add(self, seat, points):
        """Score points for a player's side; up to a target, the first to reach it wins at once."""
        side = self.form.side(seat)
        self.game["score"][side] += points
        if self.form.target and self.game["score"][side] >= self.form.target:
            self.end_game({"winner": side, "points": None})
            raise Over

    def end_game(self, settled):
        """End the game with a winner, or with none."""
        self.game.update(phase="over", game_won_by=settled["winner"], settled=settled)

    # -- The deal

    def cut(self, cards):
        """Cut for the deal: the highest card deals; if two are equally high, the players cut again."""
        require(self.game["phase"] == "cut", "this is not the time to cut")
        places = [RANKS.index(card[0]) for card in cards]
        if places.count(min(places)) == 1:
            seat = self.form.seats[places.index(min(places))]
            self.game.update(phase="deal", turn=seat, dealer=seat)

    def choose(self, **_):
        """Refuse every choice: the highest card deals."""
        raise Refused("nothing is chosen")

    def deal(self, by, deck, packets=None):
        """Deal the hands in packets, the player after the dealer first, and turn up a card in the forms that do."""
        form, game = self.form, self.game
        require(game["phase"] == "deal" and game["dealer"] == by, "it is not this player's deal")
        require(packets is None or {packets} == set(form.packets), "the packets are laid down")
        game.update(self.cleared())
        deck = list(deck)
        for size in form.packets:
            for steps in range(form.players):
                game["hands"][form.after(by, steps + 1)] += deck[:size]
                del deck[:size]
        turn_up = deck.pop(0) if form.turns_up else None
        first = form.after(by)
        game.update(turn_up=turn_up, trumps=turn_up and turn_up[1], stock=deck, phase="play", turn=first, leader=first)
        if turn_up and turn_up[0] == "7":
            game["claimed"].append(turn_up)
            self.add(by, SEVEN)

    # -- The play

    def left(self):
        """Return how many cards are left to draw, the turn-up included."""
        return len(self.game["stock"]) + (self.game["turn_up"] is not None)

    def playable(self, seat):
        """Return the cards that a player may play now."""
        game = self.game
        if game["phase"] != "play" or game["turn"] != seat:
            return []
        return playable(game["hands"][seat], game["trick"], game["trumps"], self.left() > 0)

    def play(self, by, card):
        """Play a card to the trick; the second seven of trumps scores by being played."""
        require(card in self.playable(by), "that card may not be played now")
        self.put(by, card)

    def put(self, by, card):
        """Move a card from the hand into the trick."""
        game = self.game
        if self.scores_by_itself(by, card):
            self.claim_seven(by, card)
        game["hands"][by].remove(card)
        if card in game["shown"][by]:
            game["shown"][by].remove(card)
        if game["blanks"][by] == "drawn":
            game["blanks"][by] = "scored"
        game["trick"].append(card)
        if len(game["trick"]) < self.form.players:
            game["turn"] = self.form.after(by)
        else:
            self.end_trick()

    def end_trick(self):
        """Give the trick to its winner, who may declare and draws first, or leads."""
        form, game = self.form, self.game
        winner = form.after(game["leader"], winning(game["trick"], game["trumps"]))
        game["won"][winner] += game["trick"]
        game.update(trick=[], leader=winner, turn=winner, trick_won_by=winner)
        game.update(combinations_since_trick=0, sevens_since_trick=0)
        if self.left():
            game["phase"] = "declare"
            return
        game["last_tricks"][winner] += 1
        if not all(game["hands"].values()):
            self.end_deal()

    def end_deal(self):
        """Score the last trick and the brisques, the winner of the last trick first."""
        form, game = self.form, self.game
        last = game["leader"]
        self.add(last, form.last_trick)
        before = dict(game["score"])
        brisques = dict.fromkeys(form.sides, 0)
        for steps in range(form.players):
            seat = form.after(last, steps)
            points = counted(form, game["won"][seat])
            brisques[form.side(seat)] += points
            if form.target or adds_brisques(form, before):
                self.add(seat, points)
        if form.target:
            dealer = form.after(game["dealer"])
            game.update(phase="deal", turn=dealer, dealer=dealer)
        else:
            self.end_game(settlement(form, before, brisques))

    # -- Drawing

    def draw(self, by, count=1):
        """Draw a card: the winner of the trick first; the last card drawn is the turn-up."""
        require(self.is_drawing(by), "it is not this player's turn to draw")
        require(count == 1, "one card is drawn")
        self.take(by, 1)

    def is_drawing(self, seat):
        """Whether it is this player's turn to draw."""
        return self.game["phase"] in ("declare", "draw") and self.game["turn"] == seat

    def take(self, by, count):
        """Move cards from the stock into the hand, and let the next player draw or the winner of the trick lead."""
        game = self.game
        for _ in range(count):
            if game["stock"]:
                card = game["stock"].pop(0)
            else:
                card, game["turn_up"] = game["turn_up"], None
            game["hands"][by].append(card)
            if game["blanks"][by] != "unspoken":
                self.draw_to_carte_blanche(by, card)
        game["surplus"][by] += count - 1
        if game["surplus"][by] <= 0:
            game["ruled"][by].clear()
        game["turn"], game["phase"] = self.form.after(by), "draw"
        if game["turn"] == game["leader"] or not self.left():
            game.update(turn=game["leader"], phase="play")

    def draw_to_carte_blanche(self, seat, card):
        """Note whether a card drawn lets carte blanche score again."""
        if card[0] in COURTS or self.game["blanks"][seat] == "over":
            self.game["blanks"][seat] = "over"
        else:
            self.game["blanks"][seat] = "drawn"

    # -- Declarations

    def may_declare(self, seat):
        """Whether it is for this player to declare: the winner of the trick, or the partner, before drawing."""
        game, form = self.game, self.form
        if game["phase"] != "declare" or form.side(seat) != form.side(game["turn"]):
            return False
        return len(game["won"][seat]) >= form.tricks_first * form.players

    def has_declared(self):
        """Whether a declaration has been made after this trick; exchanging the first seven is one."""
        game = self.game
        exchanged = game["sevens_since_trick"] >= len(game["claimed"]) > 0
        return game["combinations_since_trick"] > 0 or exchanged

    def scored_before(self, seat, meld, cards):
        """Whether what these cards have formed before rules out this combination of them."""
        form, cards = self.form, set(cards)
        for each in self.game["scored"][form.side(seat)]:
            earlier, old = form.melds[each["meld"]], set(each["cards"])
            if form.reuse:
                if earlier == meld and old == cards:
                    return True
            elif earlier.family == meld.family and old & cards and not old < cards:
                return True
        return False

    def possible(self, seat, cards, own):
        """Yield the combinations of these cards that may score, each with a card of the player's own."""
        for name, meld in self.form.melds.items():
            for way in ways(self.form, meld, cards, self.game["trumps"]):
                if own.intersection(way) and not self.scored_before(seat, meld, way):
                    yield name, way

    def exposed(self, seat):
        """Return the cards on the table that a player may use."""
        partner = self.form.partner(seat)
        return self.game["shown"][seat] + (self.game["shown"][partner] if partner else [])

    def declarable(self, seat):
        """Return the combinations that a player may declare now."""
        if not self.may_declare(seat) or self.has_declared():
            return []
        own = self.game["hands"][seat]
        cards = own + [card for card in self.exposed(seat) if card not in own]
        return list(self.possible(seat, cards, set(own)))

    def declare(self, by, meld, cards):
        """Score a combination and lay it on the table; the first marriage or sequence may make trumps."""
        require(is_among(self.declarable(by), meld, cards), "that may not be declared now")
        game, form = self.game, self.form
        shown = game["shown"][by]
        shown += [card for card in cards if card in game["hands"][by] and card not in shown]
        game["scored"][form.side(by)].append({"meld": meld, "cards": list(cards)})
        kept = game["kept"][form.side(by)]
        kept[:] = [each for each in kept if (each["meld"], set(each["cards"])) != (meld, set(cards))]
        game["combinations_since_trick"] += 1
        if form.melds[meld].kind in ("marriage", "sequence"):
            game["trumps"] = game["trumps"] or cards[0][1]
        self.add(by, form.melds[meld].points)

    def holdable(self, seat):
        """Return what the winner of a trick may announce: another combination of the cards on the table."""
        if not self.may_declare(seat):
            return []
        exposed = self.exposed(seat)
        kept = [(each["meld"], set(each["cards"])) for each in self.game["kept"][self.form.side(seat)]]
        found = self.possible(seat, exposed, set(self.game["shown"][seat]))
        return [(name, way) for name, way in found if (name, set(way)) not in kept]

    def hold(self, by, meld, cards):
        """Announce a combination that the player will declare on winning the next trick."""
        require(is_among(self.holdable(by), meld, cards), "that may not be announced now")
        self.game["kept"][self.form.side(by)].append({"meld": meld, "cards": list(cards)})

    # -- The seven of trumps

    def is_seven(self, seat, card):
        """Whether this is a seven of trumps that the player holds and that has not scored."""
        game = self.game
        held = card in game["hands"].get(seat, []) and card not in game["claimed"]
        return self.form.turns_up and held and face(card) == f"7{game['trumps']}"

    def exchangeable(self, seat, card):
        """Whether a player may exchange this card for the turn-up, as the declaration after a trick."""
        first = self.is_seven(seat, card) and not self.game["claimed"] and self.game["turn_up"]
        return bool(first) and self.may_declare(seat) and not self.has_declared()

    def scores_by_itself(self, seat, card):
        """Whether this is the second seven of trumps, which scores when it is shown or played."""
        in_play = self.game["phase"] in ("play", "declare", "draw")
        return in_play and self.is_seven(seat, card) and bool(self.game["claimed"])

    def claim_seven(self, seat, card):
        """Score a seven of trumps."""
        self.game["claimed"].append(card)
        self.game["sevens_since_trick"] += 1
        self.add(seat, SEVEN)

    def exchange(self, by, card):
        """Exchange the seven of trumps for the turn-up."""
        require(self.exchangeable(by, card), "that card may not be exchanged now")
        hand = self.game["hands"][by]
        hand[hand.index(card)], self.game["turn_up"] = self.game["turn_up"], card
        self.claim_seven(by, card)

    def show(self, by, card):
        """Show the second seven of trumps, at any time."""
        require(self.scores_by_itself(by, card), "that card does not score by being shown")
        self.claim_seven(by, card)

    # -- Carte blanche

    def has_played(self, seat):
        """Whether a player has played a card in this deal."""
        played = (self.form.seats.index(seat) - self.form.seats.index(self.game["leader"])) % self.form.players
        return any(self.game["won"].values()) or len(self.game["trick"]) > played

    def may_show_blank(self, seat):
        """Whether a player may declare carte blanche: before the first card, or after a draw that keeps it up."""
        game = self.game
        if not self.form.carte_blanche or any(card[0] in COURTS for card in game["hands"][seat]):
            return False
        if game["blanks"][seat] == "unspoken":
            return game["phase"] == "play" and not self.has_played(seat)
        return game["blanks"][seat] == "drawn" and game["phase"] in ("draw", "play") and self.left() > 0

    def carte_blanche(self, by):
        """Declare carte blanche, or declare it again with the card drawn."""
        require(self.may_show_blank(by), "there is no carte blanche to declare now")
        form, game = self.form, self.game
        points = form.carte_blanche
        partners = game["blanks"].get(form.partner(by))
        if game["blanks"][by] == "unspoken" and partners in ("scored", "drawn"):
            points = form.double_carte_blanche - form.carte_blanche
        game["blanks"][by] = "scored"
        self.add(by, points)

    # -- Penalties

    def others(self, seat):
        """Return the other sides, the one that plays next first."""
        following = dict.fromkeys(self.form.side(self.form.after(seat, steps)) for steps in range(1, self.form.players))
        return [side for side in following if side != self.form.side(seat)]

    def play_irregularly(self, by, card, irregular):
        """Play a card that revokes; it stays in the trick, and may be claimed until the deal ends."""
        game = self.game
        is_turn = game["phase"] == "play" and game["turn"] == by
        require(is_turn and card in game["hands"][by], "it is not this player's turn, or the card is not held")
        require(irregular == "revoke" and card not in self.playable(by), "this is no revoke")
        game["errors"].append({"by": by})
        self.put(by, card)

    def draw_irregularly(self, by, count, irregular):
        """Draw no card, or too many; the penalty is imposed at once."""
        game = self.game
        require(self.is_drawing(by) and count <= self.left(), "that cannot be drawn now")
        too_many = count > 1 and game["surplus"][by] + count > 1
        word = "no-card-drawn" if not count else "too-many-cards" if too_many else ""
        require(irregular == word, "this is not irregular in this way")
        self.take(by, count)
        if too_many:
            self.fine(by)
        else:
            self.add(by, -NO_CARD_DRAWN)
            for side in self.others(by):
                self.add(side, NO_CARD_DRAWN)

    def fine(self, seat):
        """Let the opponents score for the cards that a player holds too many."""
        self.game["ruled"][seat].append("too-many-cards")
        for side in self.others(seat):
            self.add(side, TOO_MANY_CARDS)

    def claim(self, by, irregularity):
        """Point out that a player holds too many cards, or has revoked."""
        if irregularity == "revoke":
            self.claim_revoke(by)
            return
        game = self.game
        guilty = [seat for seat in self.form.seats if game["surplus"][seat] > 0 and not game["ruled"][seat]]
        in_play = game["phase"] in ("play", "declare", "draw")
        require(irregularity == "too-many-cards" and in_play and guilty, "there is nothing to claim")
        self.fine(guilty[0])

    def claim_revoke(self, by):
        """Claim a revoke: the guilty side loses all the tricks after the stock is exhausted, also those to come.

        It may be claimed until the next deal, since the last card played may be what shows it. Others' revokes come
        before those of the claimant's side, and the latest comes first. The player who claims it gets the tricks; if
        that is one of the guilty side, the player after the guilty one.
        """
        form, game = self.form, self.game
        require(game["phase"] in ("play", "deal") and game["errors"], "there is no revoke to claim")
        error = max(reversed(game["errors"]), key=lambda each: form.side(each["by"]) != form.side(by))
        game["errors"].remove(error)
        guilty = error["by"]
        side = [seat for seat in form.seats if form.side(seat) == form.side(guilty)]
        winner = form.after(guilty) if by in side else by
        lost = {seat: self.forfeit_tricks(seat, winner) for seat in side}
        if game["phase"] == "deal":
            self.score_again(lost, winner)
            return
        left = [card for cards in (game["trick"], *game["hands"].values()) for card in cards]
        game["won"][winner] += left
        game["last_tricks"][winner] += len(left) // form.players
        cleared = self.cleared()
        game.update(trick=[], hands=cleared["hands"], shown=cleared["shown"], leader=winner)
        self.end_deal()

    def forfeit_tricks(self, seat, to):
        """Move the cards of a player's last tricks to another player, and return them."""
        game = self.game
        kept = len(game["won"][seat]) - game["last_tricks"][seat] * self.form.players
        cards = game["won"][seat][kept:]
        del game["won"][seat][kept:]
        game["won"][to] += cards
        game["last_tricks"][to] += game["last_tricks"][seat]
        game["last_tricks"][seat] = 0
        return cards

    def score_again(self, lost, to):
        """Let a player score what others had scored for the tricks that they have lost by a revoke."""
        for seat, cards in lost.items():
            points = counted(self.form, cards) + self.form.last_trick * (seat == self.game["leader"])
            self.add(seat, -points)
            self.add(to, points)
        if self.game["leader"] in lost:
            self.game["leader"] = to

    # -- Legal acts, and observations

    def legal_acts(self):
        """Return how many acts are open to the player whose turn it is; None if chance decides or nothing is open."""
        game, seat = self.game, self.game["turn"]
        if game["phase"] not in ("play", "declare", "draw"):
            return None
        hand = game["hands"][seat]
        acts = {("play", face(card)) for card in self.playable(seat)}
        acts |= {("declare", name, faces(way)) for name, way in self.declarable(seat)}
        acts |= {("hold", name, faces(way)) for name, way in self.holdable(seat)}
        acts |= {("exchange", face(card)) for card in hand if self.exchangeable(seat, card)}
        acts |= {("show", face(card)) for card in hand if self.scores_by_itself(seat, card)}
        return len(acts) + self.may_show_blank(seat) + (game["phase"] != "play")

    def visible(self, seat):
        """Return the hand, the trick, the turn-up, what lies open, and what has been seen."""
        game = self.game
        cards = game["hands"][seat] + game["trick"] + ([game["turn_up"]] if game["turn_up"] else [])
        for shown in game["shown"].values():
            cards = cards + shown
        return list(dict.fromkeys(cards + game["seen"][seat]))

    def observe(self, name):
        """Return what an observable shows."""
        game = self.game
        match name:
            case "stock_left":
                return len(game["stock"])
            case "legal_acts":
                return self.legal_acts()
            case "position":
                return {field: game[field] for field in PLACES} if game["leader"] else None
        return game.get(name)

    def attempt(self, step, observe):
        """Take an act, or refuse it, and return what is observed after it."""
        self.game["trick_won_by"] = None
        fields = {field: value for field, value in step.items() if field != "do"}
        observed = {"accepted": True}
        try:
            acts = IRREGULAR_ACTS if "irregular" in step else ACTS
            acts[step["do"]](self, **fields)
        except Refused as refused:
            observed = {"accepted": False, "reason": str(refused)}
        except Over:
            pass
        return observed | {name: deepcopy(self.observe(name)) for name in observe}


TAKEN = (Table.cut, Table.choose, Table.deal, Table.play, Table.declare, Table.hold, Table.exchange, Table.show)
ACTS = {act.__name__.replace("_", "-"): act for act in (*TAKEN, Table.draw, Table.carte_blanche, Table.claim)}
IRREGULAR_ACTS = {"play": Table.play_irregularly, "draw": Table.draw_irregularly}


def told_playable(table, step):
    """Return the cards that may be played by the position, or by what the question describes."""
    if "hand" not in step:
        return table.playable(step["by"])
    trumps = step.get("trumps", table.game["trumps"])
    return playable(step["hand"], step["led"], trumps, step.get("drawing", table.left() > 0))


def told_winner(table, step):
    trumps = step.get("trumps", table.game["trumps"])
    return table.form.after(step["by"], winning(step["cards"], trumps))


def told_declarable(table, step):
    """Return the combinations that may be declared, without those that differ only in the copy of a card."""
    found = {(name, faces(way)): way for name, way in table.declarable(step["by"])}
    return [{"meld": name, "cards": list(way)} for (name, _), way in found.items()]


def told_sevens(table, step):
    seat = step["by"]
    hand = table.game["hands"][seat]
    return [card for card in hand if table.exchangeable(seat, card) or table.scores_by_itself(seat, card)]


#: The ruling on each irregularity, and until when it can be claimed.
RULINGS = {
    "revoke": ("tricks-are-forfeited", "end-of-the-deal"),
    "no-card-drawn": ("points-to-the-other", "at-once"),
    "too-many-cards": ("points-to-the-other", "at-once"),
}


def told_ruling(_, step):
    choice, until = RULINGS[step["irregularity"]]
    return {"chooses": None, "choices": [choice], "until": until}


QUESTIONS = {
    "winner": told_winner,
    "playable": told_playable,
    "worth": lambda table, step: worth(
        table.form, step["meld"], step["cards"], step.get("trumps", table.game["trumps"])
    ),
    "declarable": told_declarable,
    "exchangeable": told_sevens,
    "counted": lambda table, step: counted(table.form, step["cards"]),
    "visible": lambda table, step: table.visible(step["by"]),
    "ruling": told_ruling,
    "settlement": lambda table, step: settlement(table.form, step["score"], step.get("brisques")),
}

# ---- The protocol ----------------------------------------------------------------------------------------------------

READY = {
    "type": "ready",
    "protocol": 1,
    "name": "example: the Bézique of h2g2",
    "version": "1.0",
    "language": "Python",
    "rulesets": [*FORMS, *(f"{ruleset}+{option}" for ruleset, options in OPTIONS_OF.items() for option in options)],
    "claims": [
        *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations", "seven", "counting"),
        *("score", "game_won_by", "settling", "table", "census", "report"),
        *("choices", "irregular", "claim", "refuse-claim", "refuse-choose", "ruling"),
    ],
    "position": "any",
}


def observations(run):
    """Yield one observation for each step of a run."""
    table = Table(form_of(run["ruleset"], run["options"]), run["position"])
    for step in run["steps"]:
        if step.get("do") in ACTS:
            yield table.attempt(step, run["observe"])
        elif step.get("ask") in QUESTIONS:
            yield {"answer": QUESTIONS[step["ask"]](table, step)}
        else:
            yield {"unsupported": "this engine does not know that step"}


def answer(message):
    """Return the response to one message of the protocol."""
    if message["type"] == "hello":
        return READY
    if message["ruleset"] not in FORMS:
        return {"type": "unsupported", "seq": message["seq"], "reason": "this engine does not play that game"}
    return {"type": "observed", "seq": message["seq"], "steps": list(observations(message))}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        print(json.dumps(answer(message), separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
