"""An example adapter in Python: an engine for two-handed Bézique after the *Encyclopædia Britannica*, ninth edition.

It plays whole games, from the cut to a thousand points, and rules on irregularities by the article's penalties. It was
written from the article alone and is independent of the reference interpreter. Try it with::

    hoyle check -r bezique-britannica python workbench/adapters/python/bezique_britannica.py
"""

import json
import sys
from collections import Counter
from copy import deepcopy
from itertools import combinations, product

RULESET = "bezique-britannica"
FIRST_MARRIAGE_TRUMPS, BEZIQUE_NEVER_CHANGES = "first-marriage-trumps", "bezique-never-changes"
BRISQUES_AT_END, UNITS = "brisques-at-end", "units"
OPTIONS = (FIRST_MARRIAGE_TRUMPS, BEZIQUE_NEVER_CHANGES, BRISQUES_AT_END, UNITS)
#: From the lowest to the highest.
RANKS = "789JQKTA"
SUITS = "CDHS"
#: Three cards to each player, then two, then three.
PACKETS = (3, 2, 3)
TARGET = 1000
#: By how much scores are divided that are reckoned by units.
UNIT = 10
SEVEN, BRISQUE, LAST_TRICK = 10, 10, 10
BRISQUES = "AT"
#: The sets of four: what each scores, and of which rank it is.
FOURS = {"four-aces": (100, "A"), "four-kings": (80, "K"), "four-queens": (60, "Q"), "four-knaves": (40, "J")}
WORTH = {"common-marriage": 20, "royal-marriage": 40, "bezique": 40, "double-bezique": 500, "sequence": 250}
WORTH |= {meld: points for meld, (points, _) in FOURS.items()}
MARRIAGES = {"common-marriage", "royal-marriage"}
#: The bézique cards, and those that take their place when spades or diamonds are trumps.
BEZIQUE, OTHER_BEZIQUE = ("QS", "JD"), ("QC", "JH")

# The irregularities.
TOO_FEW, TOO_MANY, DEALER_TOO_MANY = "too-few-dealt", "too-many-dealt-to-another", "too-many-dealt-to-the-dealer"
EXPOSED_IN_DEALING, EXPOSED, REVOKE = "exposed-in-dealing", "card-exposed", "revoke"
OUT_OF_TURN, LED_OUT_OF_TURN, NINE_CARDS = "drew-out-of-turn", "led-out-of-turn", "too-many-cards"
WINNER_TWO, LOSER_TWO, SEVEN_CARDS = "winner-drew-two", "loser-drew-two", "no-card-drawn"
#: The same at three or four hands, of which the article speaks too.
EXPOSED_BY_MORE, LED_BY_MORE = "card-exposed-at-three-or-four", "led-out-of-turn-at-three-or-four"
#: What the player in fault loses, or the other one gains.
FORFEITS = {OUT_OF_TURN: 20, SEVEN_CARDS: 20, NINE_CARDS: 200, DEALER_TOO_MANY: 200}
#: Between what the player not in fault may choose.
CHOICES = {irregularity: ["adds", "deducts"] for irregularity in FORFEITS}
CHOICES |= {EXPOSED_IN_DEALING: ["deal-stands", "deals-again"], WINNER_TWO: ["first-lifted", "second-lifted"]}
#: The remedies that are carried out where nobody chooses.
REMEDIES = dict.fromkeys((EXPOSED_BY_MORE, LED_BY_MORE), "remains-on-the-table")
REMEDIES |= {TOO_FEW: "hand-is-completed", TOO_MANY: "draws-no-more-yet", LOSER_TWO: "cards-are-chosen"}
REMEDIES |= {REVOKE: "tricks-are-forfeited", EXPOSED: "no-penalty", LED_OUT_OF_TURN: "is-taken-up"}
#: Until when each is ruled on. The article mostly does not say so.
UNTIL = dict.fromkeys((TOO_FEW, TOO_MANY, DEALER_TOO_MANY), "dealer-plays")
UNTIL |= dict.fromkeys((WINNER_TWO, LOSER_TWO, EXPOSED, EXPOSED_BY_MORE, LED_BY_MORE), "at-once")
UNTIL |= dict.fromkeys((SEVEN_CARDS, NINE_CARDS, REVOKE), "end-of-the-deal")
UNTIL |= {EXPOSED_IN_DEALING: "play-begins", OUT_OF_TURN: "other-player-draws", LED_OUT_OF_TURN: "card-is-played-to"}
#: How many cards are lifted when a player lifts two.
TWO = 2


class Refused(Exception):
    """An act breaks a rule."""


class GameOver(Exception):
    """A player has reached the target in the middle of an act."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def other(seat):
    return "B" if seat == "A" else "A"


def face(card):
    """Return a card without the number of its copy."""
    return card[:2]


def faces(cards):
    return tuple(sorted(map(face, cards)))


# ---- Rules that need no table ----------------------------------------------------------------------------------------


def beats(card, led, trumps):
    """Whether the second card wins the trick: a higher one of the suit led, or a trump."""
    higher = card[1] == led[1] and RANKS.index(card[0]) > RANKS.index(led[0])
    return higher or card[1] == trumps != led[1]


def trick_winner(leader, led, played, trumps):
    return other(leader) if beats(played, led, trumps) else leader


def bound(hand, led, trumps):
    """Return the cards for one of the last eight tricks: the player follows suit and wins, either if able."""
    able = [card for card in hand if card[1] == led[1]] or list(hand)
    return [card for card in able if beats(card, led, trumps)] or able


def brisques(cards):
    return BRISQUE * sum(card[0] in BRISQUES for card in cards)


def patterns(trumps, options):
    """Return the faces that make up each combination, except the sets of four.

    As long as there are no trumps, a marriage makes them, and so it is royal.
    """
    changed = trumps in ("S", "D") and BEZIQUE_NEVER_CHANGES not in options
    queen, knave = OTHER_BEZIQUE if changed else BEZIQUE
    marriages = [(f"K{suit}", f"Q{suit}") for suit in SUITS]
    return {
        "common-marriage": [pair for pair in marriages if trumps and pair[0][1] != trumps],
        "royal-marriage": [pair for pair in marriages if pair[0][1] == (trumps or pair[0][1])],
        "bezique": [(queen, knave)],
        "double-bezique": [(queen, queen, knave, knave)],
        "sequence": [tuple(f"{rank}{trumps}" for rank in "ATKQJ")] if trumps else [],
    }


def is_combination(meld, cards, trumps, options):
    if meld in FOURS:
        return len(cards) == len(SUITS) and {card[0] for card in cards} == {FOURS[meld][1]}
    return faces(cards) in {faces(pattern) for pattern in patterns(trumps, options).get(meld, [])}


def cards_of_pattern(hand, pattern):
    """Yield every choice of cards from a hand that has the faces of a pattern."""
    needed = Counter(pattern)
    choices = [combinations([card for card in hand if face(card) == each], needed[each]) for each in needed]
    for chosen in product(*choices):
        yield [card for part in chosen for card in part]


def combinations_in(hand, trumps, options=()):
    """Yield every combination in a hand, with the number of each card's copy."""
    for meld, (_, rank) in FOURS.items():
        for cards in combinations([card for card in hand if card[0] == rank], len(SUITS)):
            yield meld, list(cards)
    for meld, made in patterns(trumps, options).items():
        for pattern in made:
            for cards in cards_of_pattern(hand, pattern):
                yield meld, cards


# ---- The table -------------------------------------------------------------------------------------------------------


class Table:
    """Keeps one game, and changes it by the acts of the players."""

    def __init__(self, position, options):
        self.options = options
        for field in ("phase", "turn", "dealer", "leader", "game_won_by", "trumps", "turn_up", "last_trick_won_by"):
            setattr(self, field, position.get(field))
        for field in ("choices", "stock", "trick", "claimed"):
            setattr(self, field, list(position.get(field, [])))
        for field in ("hands", "shown", "won", "scored", "seen"):
            setattr(self, field, self.of_each(position, field, default=[]))
        self.score = dict(position["score"])
        self.declared_since_trick = position.get("combinations_since_trick", 0)
        #: How many of the last eight tricks each player has won.
        self.last_tricks = self.of_each(position, "last_tricks", default=0)
        self.trick_won_by = None
        # What only a referee needs.
        self.surplus = self.of_each(position, "surplus", default=0)
        self.untouched = self.of_each(position, "untouched", default=False)
        self.drawn_early = self.of_each(position, "drawn_early", default=False)
        #: Who has missed the draw of this trick, and has not played with seven cards yet.
        missed = {error["by"] for error in position.get("errors", []) if self.is_missed_now(error)}
        errors = [(error["by"], error["irregularity"]) for error in position.get("errors", [])]
        self.errors = [error for error in errors if error[1] != SEVEN_CARDS or error[0] not in missed]
        self.ruled = {(seat, word) for seat, words in position.get("ruled", {}).items() for word in words}
        self.chooser = position.get("chooser")
        self.pending = position.get("claim")
        #: Whether it is noted that a player's hand is short.
        self.is_noted = {seat: (seat, SEVEN_CARDS) in [*self.errors, *self.ruled] for seat in "AB"}
        self.is_dealt = "hands" in position
        if self.has_begun():
            self.note_short_hands(seat for seat in "AB" if seat not in missed)

    def is_missed_now(self, error):
        """Whether an error is the draw that a player has missed, and has not played a card since."""
        has_played = self.trick and error["by"] == self.leader
        now = error["tricks"] == (len(self.won["A"]) + len(self.won["B"])) // TWO
        return error["irregularity"] == SEVEN_CARDS and now and not has_played

    @staticmethod
    def of_each(position, field, default):
        """Return a field of the position that has a value for each player."""
        return deepcopy({seat: position.get(field, {}).get(seat, default) for seat in "AB"})

    def points(self, points):
        """Return points as they are reckoned: by tens, or by units under the option."""
        return points // UNIT if UNITS in self.options else points

    def add(self, seat, points):
        """Score points; the player who reaches the target has won."""
        self.score[seat] += self.points(points)
        if points > 0 and self.score[seat] >= self.points(TARGET):
            self.game_won_by, self.phase = seat, "over"
            raise GameOver

    def require_turn(self, by, *phases):
        """Refuse the act unless the table waits for this player to do such a thing."""
        require(self.phase in phases, "this is not the time for it")
        require(self.turn == by, "it is not this player's turn")

    # -- The deal

    def cut(self, cards):
        """Cut for the deal: the higher card deals; the players cut again if both are as high."""
        require(self.phase == "cut", "this is not the time to cut")
        first, second = (RANKS.index(card[0]) for card in cards)
        if first != second:
            self.turn = self.dealer = "A" if first > second else "B"
            self.phase = "deal"

    def clear(self):
        """Gather the cards for a deal."""
        self.is_dealt = False
        for field in ("hands", "shown", "won", "scored", "seen"):
            setattr(self, field, {"A": [], "B": []})
        self.trick, self.stock, self.turn_up, self.trumps, self.claimed = [], [], None, None, []
        self.errors, self.ruled, self.chooser, self.pending = [], set(), None, None
        self.last_tricks, self.surplus = {"A": 0, "B": 0}, {"A": 0, "B": 0}
        for field in ("untouched", "drawn_early", "is_noted"):
            setattr(self, field, {"A": False, "B": False})
        self.declared_since_trick, self.last_trick_won_by = 0, None

    def deal(self, by, deck):
        """Deal eight cards to each player, by three, two and three, and turn up the next one for trumps."""
        self.require_turn(by, "deal")
        self.clear()
        self.is_dealt = True
        self.stock = list(deck)
        for packet in PACKETS:
            for seat in (other(by), by):
                self.hands[seat] += self.stock[:packet]
                del self.stock[:packet]
        self.phase, self.turn, self.leader = "play", other(by), other(by)
        if FIRST_MARRIAGE_TRUMPS in self.options:
            return
        self.turn_up = self.stock.pop(0)
        self.trumps = self.turn_up[1]
        if self.turn_up[0] == "7":
            self.claimed.append(self.turn_up)
            self.add(by, SEVEN)

    # -- The tricks

    def left(self):
        """Return how many cards are left to draw."""
        return len(self.stock) + bool(self.turn_up)

    def playable(self, seat):
        """Return the cards that may be played now."""
        if self.phase != "play" or self.turn != seat:
            return []
        if self.trick and not self.left():
            return bound(self.hands[seat], self.trick[0], self.trumps)
        return list(self.hands[seat])

    def play(self, by, card, irregular=None):
        """Lead a card, or play one to the trick."""
        if irregular == LED_OUT_OF_TURN:
            require(self.phase == "play" and not self.trick and self.turn != by, "it is no lead out of turn")
        else:
            self.require_turn(by, "play")
        require(card in self.hands[by], "the card is not held")
        revokes = irregular != LED_OUT_OF_TURN and card not in self.playable(by)
        require(revokes == (irregular == REVOKE), "the player must follow suit, and win the trick, either if able")
        if irregular:
            self.errors.append((by, irregular))
        self.was_shown = card in self.shown[by]
        self.untouched[by] = False
        self.hands[by].remove(card)
        self.trick.append(card)
        if self.was_shown:
            self.shown[by].remove(card)
        self.note_short_hands(by)
        if len(self.trick) == 1:
            self.leader, self.turn = by, other(by)
        else:
            self.end_trick()

    def has_begun(self):
        """Whether a trick of this deal has been won."""
        return bool(self.won["A"] or self.won["B"])

    def note_short_hands(self, seats="AB"):
        """Note who has played with a card short, once for each draw that was missed."""
        for seat in seats:
            if self.surplus[seat] < 0 and not self.is_noted[seat]:
                self.errors.append((seat, SEVEN_CARDS))
                self.is_noted[seat] = True

    def end_trick(self):
        """Give the trick to its winner, who scores aces and tens, and the so-called last trick."""
        winner = trick_winner(self.leader, *self.trick, self.trumps)
        cards, self.trick = self.trick, []
        self.errors = [error for error in self.errors if error[1] != LED_OUT_OF_TURN]
        self.leader = self.turn = self.trick_won_by = winner
        self.declared_since_trick = 0
        drawing = self.left() > 0
        self.phase = "declare" if drawing else "play"
        self.won[winner] += cards
        self.last_tricks[winner] += not drawing
        if BRISQUES_AT_END not in self.options:
            self.add(winner, brisques(cards))
        if drawing and not self.last_trick_won_by and self.left() <= self.due("A") + self.due("B"):
            self.last_trick_won_by = winner
            self.add(winner, LAST_TRICK)
        if not drawing and not (self.hands["A"] and self.hands["B"]):
            self.end_deal()

    def end_deal(self):
        """Pass the deal; under the option both first count aces and tens, the winner of the last trick before."""
        if BRISQUES_AT_END in self.options:
            first = self.last_trick_won_by or self.leader
            for seat in (first, other(first)):
                self.add(seat, brisques(self.won[seat]))
        self.dealer = self.turn = other(self.dealer)
        self.phase = "deal"

    # -- The stock

    def take(self):
        """Take the next card of the stock; the trump card is the last."""
        if self.stock:
            return self.stock.pop(0)
        card, self.turn_up = self.turn_up, None
        return card

    def due(self, seat):
        """Return how many cards a player must draw: none with a card too many, two with a card short.

        A player who draws first leaves the other one a card.
        """
        cards = 1 if not self.surplus[seat] else 0 if self.surplus[seat] > 0 else TWO
        waits = self.phase != "draw" and self.surplus[other(seat)] <= 0 and not self.drawn_early[other(seat)]
        return min(cards, max(self.left() - waits, min(1, self.left())))

    def draw(self, by, count=1, irregular=None):
        """Draw after a trick, its winner first."""
        if irregular:
            self.draw_irregularly(by, count, irregular)
            return
        self.require_turn(by, "declare", "draw")
        require(count == self.due(by), "the player must draw another number of cards")
        both_draw = self.phase == "declare" and not self.drawn_early[other(by)]
        if self.chooser and both_draw and count == 1 and self.due(other(by)):
            self.turn_two_face_up()
            return
        self.take_cards(by, count)
        self.end_draw(by)

    def take_cards(self, by, count):
        """Let a player take cards, and note whether the hand has too many or too few then."""
        self.hands[by] += [self.take() for _ in range(count)]
        self.surplus[by] += count - 1
        if not self.surplus[by]:
            self.ruled.discard((by, NINE_CARDS))
            self.is_noted[by] = False

    def end_draw(self, by):
        """Let the other player draw, or go on to the next trick."""
        if self.phase == "declare" and self.left() and not self.drawn_early[other(by)]:
            self.phase, self.turn = "draw", other(by)
        else:
            self.begin_trick()

    def begin_trick(self):
        """Go on to the next trick; once the stock is exhausted the declared cards are taken up."""
        self.phase, self.turn = "play", self.leader
        self.drawn_early, self.chooser = {"A": False, "B": False}, None
        self.errors = [error for error in self.errors if error[1] != OUT_OF_TURN]
        if not self.left():
            self.shown = {"A": [], "B": []}

    # -- Declarations

    def is_open(self, seat, meld, cards):
        """Whether cards may be declared: one at least is not on the table yet, and none has been in the class, nor in
        a combination declared after the same trick."""
        done = self.scored[seat]
        with_this_trick = done[len(done) - self.declared_since_trick :]
        classes = MARRIAGES if meld in MARRIAGES else {meld}
        spent = [each for each in done if each["meld"] in classes or each in with_this_trick]
        return not set(cards) <= set(self.shown[seat]) and not any(set(cards) & set(each["cards"]) for each in spent)

    def declarable(self, seat):
        """Return what may be declared now."""
        if self.phase != "declare" or self.turn != seat:
            return []
        found = combinations_in(self.hands[seat], self.trumps, self.options)
        return [{"meld": meld, "cards": cards} for meld, cards in found if self.is_open(seat, meld, cards)]

    def declare(self, by, meld, cards):
        """Score a combination and leave its cards on the table."""
        self.require_turn(by, "declare")
        require(set(cards) <= set(self.hands[by]), "a card is not held")
        require(is_combination(meld, cards, self.trumps, self.options), "that is no such combination")
        require(self.is_open(by, meld, cards), "the cards have been declared before")
        self.declared_since_trick += 1
        self.scored[by].append({"meld": meld, "cards": list(cards)})
        self.shown[by] += [card for card in cards if card not in self.shown[by]]
        if meld in MARRIAGES and not self.trumps:
            self.trumps = cards[0][1]
        self.add(by, WORTH[meld])

    # -- The seven of trumps

    def sevens(self, seat):
        """Return the sevens of trumps that may be exchanged or declared now."""
        if self.phase != "declare" or self.turn != seat or not self.trumps:
            return []
        return [card for card in self.hands[seat] if face(card) == f"7{self.trumps}" and card not in self.claimed]

    def may_exchange(self):
        """Whether a seven may be exchanged: "the second seven is, of course, declared"."""
        return self.turn_up is not None and not self.claimed

    def exchange(self, by, card):
        """Exchange the seven of trumps for the turn-up, and score for it."""
        require(card in self.sevens(by), "that seven is not to be exchanged now")
        require(self.may_exchange(), "that seven is only declared")
        self.claimed.append(card)
        self.hands[by].remove(card)
        self.hands[by].append(self.turn_up)
        self.turn_up = card
        self.add(by, SEVEN)

    def show(self, by, card):
        """Declare a seven of trumps, which is not left on the table."""
        require(card in self.sevens(by), "that seven is not to be declared now")
        self.claimed.append(card)
        self.add(by, SEVEN)

    # -- Irregular draws

    def draw_irregularly(self, by, count, irregular):
        """Carry out a draw against the rules."""
        if irregular == OUT_OF_TURN:
            can_be = self.phase == "declare" and self.turn != by and not self.drawn_early[by]
            require(can_be and count == 1 and self.left(), "it is no draw out of turn")
            self.take_cards(by, 1)
            self.drawn_early[by] = True
            self.errors.append((by, OUT_OF_TURN))
            return
        phases = {WINNER_TWO: ("declare",), LOSER_TWO: ("draw",), SEVEN_CARDS: ("declare", "draw")}
        require(irregular in phases, "no such draw is known")
        self.require_turn(by, *phases[irregular])
        if irregular == SEVEN_CARDS:
            require(count < self.due(by), "it is no missed draw")
            self.take_cards(by, count)
            self.is_noted[by] = False
            self.end_draw(by)
            return
        require(count == TWO <= self.left() and self.due(by) == 1, "the player has not lifted two cards")
        if irregular == WINNER_TWO:
            self.lift_two(by)
        else:
            self.put_back(by)

    def lift_two(self, by):
        """Let the adversary of the winner, who has lifted two cards, take either."""
        lifted = [self.take(), self.take()]
        self.hands[by] += lifted
        self.expose(lifted)
        self.ask_for_choice(WINNER_TWO, by, other(by), ["first-lifted", "second-lifted"])

    def put_back(self, by):
        """Put the second card back that the loser has lifted; the adversary may look at it, and choose next time."""
        self.take_cards(by, 1)
        self.expose([self.stock[0] if self.stock else self.turn_up])
        self.end_draw(by)
        self.chooser = other(by)

    def turn_two_face_up(self):
        """Turn up the two cards of this draw; the player not in fault has the choice of them."""
        self.expose([*self.stock, self.turn_up][:TWO])
        self.ask_for_choice(LOSER_TWO, other(self.chooser), self.chooser, ["upper-card", "lower-card"])

    def expose(self, cards):
        """Note which cards the players have seen that they do not hold."""
        for seat in "AB":
            self.seen[seat] += [card for card in cards if card not in self.hands[seat] + self.seen[seat]]

    # -- Rulings

    def ruling(self, irregularity, by, count=None):
        """Return the penalty for what a player has done; None if the article does not speak of it."""
        chooses = other(by)
        choices = CHOICES.get(irregularity)
        if irregularity == TOO_FEW and self.untouched[other(self.dealer)]:
            chooses, choices = other(self.dealer), ["hand-is-completed", "deals-again"]
        if irregularity == DEALER_TOO_MANY and self.untouched[by]:
            choices = ["surplus-is-drawn", "surplus-stays"]
        if irregularity not in UNTIL or (irregularity in (WINNER_TWO, LOSER_TWO) and count not in (None, TWO)):
            return None
        if not choices:
            chooses, choices = None, [REMEDIES[irregularity]]
        return {"chooses": chooses, "choices": choices, "until": UNTIL[irregularity]}

    def in_fault(self, by, irregularity):
        """Return the player whose irregularity another one may claim now, or None."""
        dealer, against = self.dealer, other(by)
        if irregularity in (TOO_FEW, TOO_MANY, DEALER_TOO_MANY):
            if self.has_begun() or (self.trick and self.leader == dealer):
                return None  # the dealer has played
            short = next((seat for seat in "AB" if self.surplus[seat] < 0), None)
            has_more = {TOO_MANY: other(dealer), DEALER_TOO_MANY: dealer}.get(irregularity)
            if irregularity == TOO_FEW:
                return short
            allowed = irregularity == TOO_MANY or by != dealer
            return has_more if allowed and self.surplus[has_more] > 0 else None
        if irregularity == NINE_CARDS and (self.has_begun() or self.trick):
            return against if self.surplus[against] > 0 and not self.surplus[by] else None
        # Where nobody has a choice, the player in fault may point it out too.
        seats = (against, by) if irregularity in (REVOKE, LED_OUT_OF_TURN) else (against,)
        return next((seat for seat in seats if (seat, irregularity) in self.errors), None)

    def claim(self, by, irregularity):
        """Point out an irregularity, so that it is ruled on."""
        ended = self.phase == "deal" and irregularity in (REVOKE, SEVEN_CARDS)  # the last card of all may show it
        require(self.phase in ("play", "declare", "draw") or ended, "this is not the time for it")
        seat = self.in_fault(by, irregularity)
        require(seat, "there is no such irregularity")
        if (seat, irregularity) in self.errors:
            self.errors.remove((seat, irregularity))
        else:
            require((seat, irregularity) not in self.ruled, "it has been ruled on")
            self.ruled.add((seat, irregularity))
        ruling = self.ruling(irregularity, seat)
        if ruling["chooses"]:
            self.ask_for_choice(irregularity, seat, ruling["chooses"], ruling["choices"])
        elif irregularity == TOO_FEW:
            self.complete_hand(seat)
        elif irregularity == LED_OUT_OF_TURN:
            self.take_up_lead(seat)
        elif irregularity == REVOKE:
            self.forfeit_tricks(seat)

    def mishap(self, by, irregularity, cards=()):
        """Let a card be exposed: in dealing, which may cost the deal, or from the hand, which costs nothing."""
        require(self.phase in ("play", "declare", "draw"), "no cards are dealt")
        if irregularity == EXPOSED_IN_DEALING:
            begun = self.trick or self.has_begun()
            require(by == self.dealer and not begun, "no card is exposed in dealing now")
            self.expose(cards)
            ruling = self.ruling(irregularity, by)
            self.ask_for_choice(irregularity, by, ruling["chooses"], ruling["choices"])
        else:
            require(irregularity == EXPOSED and set(cards) <= set(self.hands[by]), "that cannot happen")
            self.expose(cards)

    def ask_for_choice(self, irregularity, seat, chooses, choices):
        """Wait for a player to choose between remedies."""
        error = {"by": seat, "irregularity": irregularity}
        self.pending = {"error": error, "phase": self.phase, "turn": self.turn}
        self.phase, self.turn, self.choices = "choose", chooses, list(choices)

    def choose(self, by, choice, cards=()):
        """Take one of the remedies that a ruling offers."""
        self.require_turn(by, "choose")
        require(choice in self.choices, "that is not one of the choices")
        seat, irregularity = self.pending["error"]["by"], self.pending["error"]["irregularity"]
        if choice == "surplus-is-drawn":
            held = len(set(cards)) == self.surplus[seat] and set(cards) <= set(self.hands[seat])
            require(held, "other cards must be drawn")
        self.phase, self.turn, self.choices = self.pending["phase"], self.pending["turn"], []
        self.pending = None
        self.carry_out(choice, seat, irregularity, cards)

    def carry_out(self, choice, seat, irregularity, cards):
        """Carry out the remedy that was chosen against a player."""
        match choice:
            case "adds":
                self.add(other(seat), FORFEITS[irregularity])
            case "deducts":
                self.add(seat, -FORFEITS[irregularity])
            case "deals-again":
                self.clear()
                self.phase, self.turn = "deal", self.dealer
            case "hand-is-completed":
                self.complete_hand(seat)
            case "surplus-is-drawn":
                self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
                self.stock += cards
                self.surplus[seat] = 0
            case "first-lifted" | "second-lifted":
                card = self.hands[seat][-TWO if choice == "first-lifted" else -1]
                self.hands[seat].remove(card)
                self.hands[other(seat)].append(card)
                self.expose([card])
                self.surplus[other(seat)] += self.drawn_early[other(seat)]
                self.begin_trick()
            case "upper-card" | "lower-card":
                upper, lower = self.take(), self.take()
                chosen, rest = (upper, lower) if choice == "upper-card" else (lower, upper)
                self.hands[other(seat)].append(chosen)
                self.hands[seat].append(rest)
                self.begin_trick()
        if irregularity == DEALER_TOO_MANY and choice in ("adds", "deducts"):
            self.ruled.add((seat, NINE_CARDS))

    def complete_hand(self, seat):
        """Make up a hand with too few cards from the top of the stock."""
        self.hands[seat] += [self.take() for _ in range(-self.surplus[seat])]
        self.surplus[seat], self.is_noted[seat] = 0, False

    def take_up_lead(self, seat):
        """Take back a card that was led out of turn; the other player leads."""
        card = self.trick.pop()
        self.hands[seat].append(card)
        if self.was_shown:
            self.shown[seat].append(card)
        self.leader = self.turn = other(seat)

    def forfeit_tricks(self, seat):
        """Give the last eight tricks to the adversary: those won, with what they have scored, and those to come.

        Nothing is left to play for, and the deal is over, if it was not before.
        """
        kept = len(self.won[seat]) - 2 * self.last_tricks[seat]
        cards, self.won[seat] = self.won[seat][kept:], self.won[seat][:kept]
        if self.phase == "deal":
            self.won[other(seat)] += cards
            self.transfer(seat, brisques(cards))
            return
        to_come = self.trick + self.hands["A"] + self.hands["B"]
        self.won[other(seat)] += cards + to_come
        self.trick, self.hands, self.shown = [], {"A": [], "B": []}, {"A": [], "B": []}
        if BRISQUES_AT_END not in self.options:
            self.transfer(seat, brisques(cards))
            self.add(other(seat), brisques(to_come))
        self.end_deal()

    def transfer(self, seat, points):
        """Take points off a player, and score them for the other one."""
        self.add(seat, -points)
        self.add(other(seat), points)

    # -- Observations

    def legal_acts(self):
        """Return how many acts are open to the player whose turn it is; acts that differ only in a copy count once."""
        match self.phase:
            case "choose":
                return len(self.choices)
            case "play":
                return len(set(map(face, self.playable(self.turn))))
            case "declare":
                declared = {(each["meld"], faces(each["cards"])) for each in self.declarable(self.turn)}
                return len(declared) + bool(self.sevens(self.turn)) * (1 + self.may_exchange()) + 1
            case "draw":
                return 1
        return None

    def visible(self, seat):
        """Return the cards that a player may look at: the own hand, those on the table, and those seen before.

        The tricks lie face up, but may not be searched.
        """
        cards = self.hands[seat] + self.shown[other(seat)] + self.trick + self.seen[seat]
        return list(dict.fromkeys(cards + ([self.turn_up] if self.turn_up else [])))

    def cards(self):
        """Return where every card lies; None before the first deal."""
        fields = ("hands", "stock", "turn_up", "trick", "won")
        return {field: getattr(self, field) for field in fields} if self.is_dealt else None


# ---- The protocol ----------------------------------------------------------------------------------------------------

#: The observables that are no fields of the table.
SIGHTS = {
    "stock_left": lambda table: len(table.stock),
    "legal_acts": Table.legal_acts,
    "position": Table.cards,
    "settled": lambda table: {"winner": table.game_won_by, "points": None} if table.game_won_by else None,
    "deals_left": lambda table: 0 if table.phase == "over" else 1,
}
ACTS = {"cut", "choose", "deal", "play", "draw", "declare", "exchange", "show", "claim", "mishap"}


def attempt(table, step):
    """Take an act, or refuse it; a refused act has changed nothing."""
    table.trick_won_by = None
    arguments = {name: value for name, value in step.items() if name != "do"}
    try:
        require(step["do"] in ACTS, "the article does not provide for that")
        getattr(table, step["do"])(**arguments)
    except Refused as refused:
        return {"accepted": False, "reason": str(refused)}
    except GameOver:
        pass
    return {"accepted": True}


def look(table, names):
    """Return what is observed at the table now."""
    return deepcopy({name: SIGHTS[name](table) if name in SIGHTS else getattr(table, name) for name in names})


def trumps_of(table, step):
    """Return the trumps that a question names, or those of the table."""
    return step.get("trumps", table.trumps)


def ask_playable(table, step):
    if "hand" not in step:
        return table.playable(step["by"])
    led, drawing = step.get("led"), step.get("drawing", table.left() > 0)
    return bound(step["hand"], led[0], trumps_of(table, step)) if led and not drawing else step["hand"]


def ask_worth(table, step):
    meld = step["meld"]
    made = meld in WORTH and is_combination(meld, step["cards"], trumps_of(table, step), table.options)
    return table.points(WORTH[meld]) if made else 0


def ask_settlement(table, step):
    """Tell who wins with these scores; a game to a target is not settled by points."""
    extra = step.get("brisques", {})
    score = {seat: points + extra.get(seat, 0) for seat, points in step["score"].items()}
    best = max(score, key=score.get)
    won = score[best] >= table.points(TARGET) and score[best] > score[other(best)]
    return {"winner": best if won else None, "points": None}


QUESTIONS = {
    "winner": lambda table, step: trick_winner(step["by"], *step["cards"], trumps_of(table, step)),
    "playable": ask_playable,
    "worth": ask_worth,
    "declarable": lambda table, step: table.declarable(step["by"]),
    "exchangeable": lambda table, step: table.sevens(step["by"]),
    "counted": lambda table, step: table.points(brisques(step["cards"])),
    "visible": lambda table, step: table.visible(step["by"]),
    "settlement": ask_settlement,
    "ruling": lambda table, step: table.ruling(step["irregularity"], step["by"], step.get("count")),
}


def observe(run):
    """Yield one observation for each step of a run."""
    table = Table(run["position"], run["options"])
    for step in run["steps"]:
        if "ask" in step:
            yield {"answer": QUESTIONS[step["ask"]](table, step)}
        else:
            yield attempt(table, step) | look(table, run["observe"])


def answer(message):
    """Return the response to one message of the protocol."""
    if message["type"] == "hello":
        return {
            "type": "ready",
            "protocol": 1,
            "name": "example: Bézique after Britannica",
            "version": "1.0",
            "language": "Python",
            "rulesets": [RULESET, *(f"{RULESET}+{option}" for option in OPTIONS)],
            "claims": [
                *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations", "seven", "counting"),
                *("score", "game", "settling", "table", "seen", "census", "report", "irregularities"),
            ],
            "position": "any",
        }
    if message["ruleset"] != RULESET:
        return {"type": "unsupported", "seq": message["seq"], "reason": "another game"}
    return {"type": "observed", "seq": message["seq"], "steps": list(observe(message))}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        print(json.dumps(answer(message)), flush=True)


if __name__ == "__main__":
    main()
