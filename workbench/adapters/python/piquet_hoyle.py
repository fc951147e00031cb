"""An example adapter in Python: an engine for Piquet, written from Hoyle's Games Modernized alone.

It plays the game to a hundred and the Rubicon game, from any position or from the cut. The position of the protocol is
the engine's only state. Each act is a function that changes it or raises `Refused`. Try it with::

    hoyle check -r piquet-hoyle -r piquet-rubicon-hoyle python workbench/adapters/python/piquet_hoyle.py
"""

import json
import sys
from copy import deepcopy
from itertools import groupby
from math import comb

OTHER = {"A": "B", "B": "A"}
RANKS = "789TJQKA"
SUITS = "CDHS"
PACK = sorted(rank + suit for suit in SUITS for rank in RANKS)
PIPS = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10, "9": 9, "8": 8, "7": 7}

HAND_SIZE = 12
PACKETS = (2, 3)
MOST_FOR_ELDER = 5
DEALS_CHOICES = ["deals", "leaves-the-deal"]
REST_CHOICES = ["looks-at-the-rest", "leaves-the-rest"]

CLASSES = ["point", "sequence", "set"]
SEQUENCES = {3: "tierce", 4: "quart", 5: "quint", 6: "sixieme", 7: "septieme", 8: "huitieme"}
#: A sequence of more than four cards scores ten more than their number.
SHORT_SEQUENCE, LONG_SEQUENCE = 4, 10
SETS = {3: "trio", 4: "quatorze"}
SET_RANKS = "TJQKA"
SET_POINTS = {3: 3, 4: 14}
#: Younger's question for what decides between combinations of as many cards.
QUESTION = {"point": "making", "sequence": "how-high"}
#: Elder's words for it.
HEIGHT = {"point": "value", "sequence": "top", "set": "rank"}

#: The order in which scores are reckoned; most of the tricks, or all, come last.
ORDER = ["blank", *CLASSES, "tricks"]
BLANK, REPIQUE, PIQUE, THE_CARDS, CAPOT = 10, 60, 30, 10, 40
THIRTY = 30
TRICKS = 12
DEALS_OF_A_PARTIE = 6
RUBICON = GAME_POINTS = 100

#: Nothing follows from a revoke: the chapter leaves penalties to laws that it does not print.
RULINGS = {"revoke": {"chooses": None, "choices": ["stays-as-it-is"], "until": "end-of-the-deal"}}

NOTHING_MADE = {"blank": 0, "point": 0, "sequence": 0, "set": 0, "tricks": 0, "bonus": 0, "beside": 0}
NOTHING_CALLED = {"decided": [], "announced": [], "count": 0, "height": "", "asked": False}


class Refused(Exception):
    """Says why an act is against the rules."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def each(value):
    """Give each player a value of their own."""
    return {seat: deepcopy(value) for seat in OTHER}


def clear_table():
    """Return what a deal begins with."""
    fields = {"hands": each([]), "stock": [], "trick": [], "won": each([]), "scored": each([]), "discards": each([])}
    fields |= {"seen": each([]), "blanks": each("unspoken"), "to_show": {}, "made_of": each(NOTHING_MADE)}
    return fields | {"called": deepcopy(NOTHING_CALLED), "named_suit": None, "errors": []}


# ---- The cards -------------------------------------------------------------------------------------------------------


def height(card):
    return RANKS.index(card[0])


def suits(hand):
    """Return the cards of each suit, highest first."""
    by_suit = [sorted((card for card in hand if card[1] == suit), key=height, reverse=True) for suit in SUITS]
    return [cards for cards in by_suit if cards]


def runs(hand):
    """Return the sequences of a hand, each as long as it goes."""
    found = []
    for cards in suits(hand):
        # Cards in sequence keep the sum of their height and their place.
        for _, group in groupby(enumerate(cards), key=lambda place: place[0] + height(place[1])):
            found.append([card for _, card in group])
    return [run for run in found if len(run) in SEQUENCES]


def alike(hand):
    """Return the trios and quatorzes of a hand."""
    by_rank = [[card for card in hand if card[0] == rank] for rank in SET_RANKS]
    return [cards for cards in by_rank if len(cards) in SETS]


def held(name, hand):
    """Return the combinations of a class that a hand holds."""
    return {"point": suits, "sequence": runs, "set": alike}[name](hand)


def meld_name(name, cards):
    return {"point": "point", "sequence": SEQUENCES.get(len(cards)), "set": SETS.get(len(cards))}[name]


def strength(name, cards):
    """Return what decides between two combinations of a class."""
    return len(cards), sum(PIPS[card[0]] for card in cards) if name == "point" else max(map(height, cards))


def spoken(name, cards):
    """Return the height of a combination as a player says it: pips, top card or rank."""
    return str(strength(name, cards)[1]) if name == "point" else RANKS[strength(name, cards)[1]]


def called_strength(name, count, said):
    """Return the strength of what is announced; its height is unknown until somebody says it."""
    if not count or not said:
        return count, None
    return count, int(said) if name == "point" else RANKS.index(said)


def points(name, cards):
    """Return what a combination scores."""
    if name == "set":
        return SET_POINTS[len(cards)]
    return len(cards) + (LONG_SEQUENCE if name == "sequence" and len(cards) > SHORT_SEQUENCE else 0)


def total(name, hand):
    """Return what a hand scores in a class that is good: the best point, or every sequence or set."""
    scores = [points(name, cards) for cards in held(name, hand)]
    return max(scores) if name == "point" else sum(scores)


def worth(meld, cards):
    """Return what these cards score as this combination: 0 if they do not make it."""
    for name in CLASSES:
        if meld == meld_name(name, cards) and any(len(found) == len(cards) for found in held(name, cards)):
            return points(name, cards)
    return 0


def is_blank(hand):
    return len(hand) == HAND_SIZE and not any(card[0] in "KQJ" for card in hand)


def trick_winner(leader, cards):
    """Return who wins a trick: the second player only with a higher card of the suit led."""
    first, second = cards
    return OTHER[leader] if first[1] == second[1] and height(second) > height(first) else leader


def followers(hand, led):
    """Return the cards that may be played to these: one of the suit led, if there is one."""
    return [card for card in hand if led and card[1] == led[0][1]] or list(hand)


# ---- The deal --------------------------------------------------------------------------------------------------------


def elder(game):
    return OTHER.get(game["dealer"])


def cut(game, cards):
    """Let the players cut; with equal cards they cut again."""
    require(game["phase"] == "cut", "it is not the time to cut")
    if height(cards[0]) != height(cards[1]):
        game.update(phase="choose", turn="A" if height(cards[0]) > height(cards[1]) else "B")


def choices(game):
    if game["phase"] != "choose":
        return []
    return REST_CHOICES if game["dealer"] else DEALS_CHOICES


def choose(game, by, choice):
    """Settle who deals first, or whether younger looks at the cards left over."""
    require(by == game["turn"] and choice in choices(game), "that is not this player's to choose")
    if game["dealer"] is None:
        dealer = by if choice == "deals" else OTHER[by]
        game.update(phase="deal", dealer=dealer, turn=dealer)
        return
    if choice == "looks-at-the-rest":
        see(game, by, game["stock"])
    game.update(phase="announce", turn=elder(game))


def deal(game, by, deck, packets=None):
    require(game["phase"] == "deal" and by == game["dealer"], "it is not this player's time to deal")
    require(sorted(deck) == PACK, "that is not the pack")
    require(packets in PACKETS, "the cards are dealt by twos or by threes")
    game.update(clear_table(), phase="exchange", turn=elder(game), leader=elder(game), deals=game.get("deals", 0) + 1)
    for first in range(0, 2 * HAND_SIZE, packets):
        seat = elder(game) if first // packets % 2 == 0 else by
        game["hands"][seat] += deck[first : first + packets]
    game["stock"] = deck[2 * HAND_SIZE :]


# ---- The exchange ----------------------------------------------------------------------------------------------------


def most_to_discard(game, seat):
    return min(MOST_FOR_ELDER, len(game["stock"])) if seat == elder(game) else len(game["stock"])


def discard(game, by, cards):
    """Put cards away and draw as many."""
    require(game["phase"] == "exchange" and by == game["turn"], "it is not this player's turn to exchange")
    require(all(card in game["hands"][by] for card in cards), "those cards are not held")
    require(1 <= len(cards) <= most_to_discard(game, by), "so many cards cannot be exchanged")
    kept = [card for card in game["hands"][by] if card not in cards]
    game["hands"][by] = kept + game["stock"][: len(cards)]
    game["stock"] = game["stock"][len(cards) :]
    game["discards"][by] = list(cards)
    if by == elder(game):
        game["turn"] = game["dealer"]
    elif game["stock"]:
        game.update(phase="choose", turn=by)
    else:
        game.update(phase="announce", turn=elder(game))


def see(game, seat, cards):
    game["seen"][seat] += [card for card in cards if card not in game["seen"][seat]]


def left_by_elder(game):
    """Return the cards that elder may look at while younger has not exchanged."""
    taken = len(game["discards"][elder(game)])
    if game["phase"] != "exchange" or not taken:
        return []
    return game["stock"][: MOST_FOR_ELDER - taken]


def left_by_younger(game):
    """Return the cards over that younger has looked at, and elder has not."""
    rest, seen = game["stock"], game["seen"]
    if game["phase"] != "play" or any(card not in seen[game["dealer"]] for card in rest):
        return []
    return rest if any(card not in seen[elder(game)] for card in rest) else []


def may_name(game):
    """Return the suits that elder may name before leading, to see the cards that younger has looked at."""
    if has_led(game) or not left_by_younger(game) or game["named_suit"]:
        return []
    return [cards[0][1] for cards in suits(game["hands"][elder(game)])]


def peep(game, by, suit=None):
    """Let elder look at cards that are left."""
    require(by == elder(game), "only elder looks at cards that are left")
    cards = [] if suit else left_by_elder(game)
    if not cards and game["phase"] == "play":
        require(suit in may_name(game) if suit else has_led(game), "a card is led first, or its suit named")
        cards = left_by_younger(game)
        game["named_suit"] = suit
    require(any(card not in game["seen"][by] for card in cards), "there is nothing to look at")
    see(game, by, cards)


# ---- Carte blanche ---------------------------------------------------------------------------------------------------


def may_announce_blank(game, seat):
    """Tell whether a player may announce carte blanche: with the cards as they were dealt."""
    as_dealt = game["phase"] == "exchange" and not game["discards"][seat]
    return as_dealt and game["blanks"][seat] == "unspoken" and is_blank(game["hands"][seat])


def may_prove(game, seat):
    """Tell whether a player may show carte blanche: from the adversary's discard to the first call."""
    if game["blanks"].get(seat) != "announced" or not game["discards"][OTHER[seat]]:
        return False
    return game["phase"] in ("exchange", "choose") or (game["phase"] == "announce" and not has_called(game))


def has_called(game):
    """Tell whether elder has begun to call."""
    return bool(game["called"]["decided"]) or game["called"]["asked"] or game["turn"] != elder(game)


def prove(game, by):
    require(may_prove(game, by), "there is no carte blanche to show now")
    game["blanks"][by] = "scored"
    see(game, OTHER[by], game["to_show"].get(by) or game["hands"][by])
    game["to_show"].pop(by, None)
    score(game, by, "blank", BLANK)


# ---- Calling ---------------------------------------------------------------------------------------------------------


def class_called(game):
    """Return the class that elder calls next, or that is being called."""
    return CLASSES[len(game["called"]["decided"])]


def announcements(game):
    """Return what elder may announce now. Whatever is held may be sunk, but not a part of it."""
    called, name = game["called"], class_called(game)
    combinations = held(name, game["hands"][elder(game)])
    if called["asked"]:
        heights = {spoken(name, cards) for cards in combinations if len(cards) == called["count"]}
        return [{HEIGHT[name]: int(said) if name == "point" else said} for said in heights]
    if name == "set":
        return [{"count": 0}] + [{"count": len(cards), "rank": cards[0][0]} for cards in combinations]
    return [{"count": count} for count in {0, *map(len, combinations)}]


def may_call(game, seat):
    """Tell whether it is elder's time to announce; elder is bound to show carte blanche first."""
    return game["phase"] == "announce" and seat == game["turn"] == elder(game) and not may_prove(game, seat)


def announce(game, by, **call):
    name = call.pop("class")
    if name == "blank":
        require(may_announce_blank(game, by), "there is no carte blanche to announce")
        game["blanks"][by] = "announced"
        game["to_show"][by] = list(game["hands"][by])
        return
    require(may_call(game, by) and name == class_called(game), "it is not the time to announce that")
    if game["called"]["asked"] and call.get("count") == game["called"]["count"]:
        call.pop("count")
    require(call in announcements(game), "that is not held, or not what is asked")
    said = next((str(call[word]) for word in HEIGHT.values() if word in call), "")
    game["called"].update(count=call.get("count", game["called"]["count"]), height=said, asked=False)
    game["turn"] = game["dealer"]


def answers(game):
    """Return what younger may answer. Good may always be said, for younger may sink too."""
    called, name = game["called"], class_called(game)
    count, said = called_strength(name, called["count"], called["height"])
    found = [strength(name, cards) for cards in held(name, game["hands"][game["dealer"]])]
    words = ["good"]
    if any(own[0] > count or (said is not None and own > (count, said)) for own in found):
        words.append("not-good")
    if said is not None and (count, said) in found:
        words.append("equal")
    if said is None and any(own[0] == count for own in found):
        words.append(QUESTION[name])
    return words


def answer(game, by, says):
    require(game["phase"] == "announce" and by == game["turn"] == game["dealer"], "there is nothing to answer")
    require(says in answers(game), "that is not so")
    take_answer(game, by, says)


def take_answer(game, by, says):
    """Let elder tell the height, or decide the class."""
    called = game["called"]
    game["turn"] = elder(game)
    if says in QUESTION.values():
        called["asked"] = True
        return
    good = elder(game) if called["count"] else None
    called["decided"].append({"good": good, "not-good": by, "equal": None}[says])
    called["announced"].append({"count": called["count"], "height": called["height"]})
    called.update(count=0, height="", asked=False)
    if len(called["decided"]) == len(CLASSES):
        game["phase"] = "play"


def open_classes(game, seat):
    """Return the classes of which a player may score combinations now."""
    decided = game["called"]["decided"]
    good = [name for name, winner in zip(CLASSES, decided, strict=False) if winner == seat]
    last = CLASSES[len(decided) - 1 : len(decided)]
    if game["phase"] == "announce":
        calling = game["called"]["asked"] or seat != game["turn"] or seat != elder(game)
        return [] if calling else [name for name in good if name in last]
    if game["phase"] != "play" or has_ended_trick(game):
        return []
    if seat == elder(game):
        return [] if game["trick"] else [name for name in good if name in last]
    return good if game["trick"] else []


def is_called(game, seat, name, cards):
    """Tell whether this is the combination that elder has called, or one of younger's that is better."""
    call = game["called"]["announced"][CLASSES.index(name)]
    count, said = called_strength(name, call["count"], call["height"])
    own = strength(name, cards)
    if seat == elder(game):
        return own[0] == count and said in (None, own[1])
    return own[0] > count or (said is not None and own > (count, said))


def fits_call(game, seat, name, cards):
    """Tell whether a combination may be scored: first the one that is good, and beside it whatever is no better."""
    if not any(has_scored(game, seat, name, other) for other in held(name, game["hands"][seat])):
        return is_called(game, seat, name, cards)
    call = game["called"]["announced"][CLASSES.index(name)]
    count, said = called_strength(name, call["count"], call["height"])
    own = strength(name, cards)
    return seat != elder(game) or own[0] < count or (own[0] == count and (said is None or own[1] <= said))


def has_scored(game, seat, name, cards):
    """Tell whether a combination has been scored; there is only one point."""
    if name == "point" and game["made_of"][seat]["point"]:
        return True
    return any(
        set(done["cards"]) == set(cards) and done["meld"] == meld_name(name, cards) for done in game["scored"][seat]
    )


def declarable(game, seat):
    return [
        {"meld": meld_name(name, cards), "cards": cards}
        for name in open_classes(game, seat)
        for cards in held(name, game["hands"][seat])
        if fits_call(game, seat, name, cards) and not has_scored(game, seat, name, cards)
    ]


def declare(game, by, meld, cards):
    found = [one for one in declarable(game, by) if one["meld"] == meld and set(one["cards"]) == set(cards)]
    require(found, "that may not be scored now")
    game["scored"][by].append({"meld": meld, "cards": list(cards)})
    name = next(name for name in CLASSES if meld == meld_name(name, cards))
    score(game, by, name, points(name, cards))


# ---- The score -------------------------------------------------------------------------------------------------------


def in_hand(made):
    return sum(made[name] for name in ORDER[:4])


def place_of_thirty(made):
    """Return the place in the order at which a hand comes to thirty, or None."""
    return next((place for place in range(4) if sum(made[name] for name in ORDER[: place + 1]) >= THIRTY), None)


def has_repique(made, other_made, other_good=()):
    """Tell whether thirty is reached before the other player has anything that counts first."""
    place = place_of_thirty(made)
    return place is not None and not any(other_made[name] or name in other_good for name in ORDER[:place])


def has_pique(game):
    """Tell whether elder, with less than thirty in hand, has made it up in play before younger counts.

    Younger counts the hand after elder's first lead, so that what younger has still to count comes too late.
    """
    own, younger = game["made_of"][elder(game)], game["made_of"][game["dealer"]]
    made = in_hand(own) + own["tricks"]
    return in_hand(own) < THIRTY <= made and not in_hand(younger) + younger["tricks"]


def still_to_count(game):
    """Return the classes that are younger's, until younger has played to the first trick."""
    decided = game["called"]["decided"]
    if has_ended_trick(game):
        return []
    return [name for name, winner in zip(CLASSES, decided, strict=False) if winner == game["dealer"]]


def score(game, seat, what, number):
    """Add points, and the bonus that they make, and see whether that ends the game; after it nothing counts."""
    if game["phase"] == "over":
        return
    made, other_made = game["made_of"][seat], game["made_of"][OTHER[seat]]
    made[what] += number
    game["score"][seat] += number
    if what in ORDER[:4] and not made["bonus"]:
        other_good = still_to_count(game) if seat == elder(game) else ()
        add_bonus(game, seat, REPIQUE if has_repique(made, other_made, other_good) else 0)
    end_if_won(game)


def add_bonus(game, seat, number):
    game["made_of"][seat]["bonus"] += number
    game["score"][seat] += number


def mark_pique(game):
    if game["phase"] == "play" and not game["made_of"][elder(game)]["bonus"] and has_pique(game):
        add_bonus(game, elder(game), PIQUE)
        end_if_won(game)


def target(game):
    """Return the points that win the game: none in a partie of six deals."""
    if game["ruleset"] == "piquet-rubicon-hoyle":
        return None
    return 101 if "hundred-and-one" in game["options"] else 100


def reaches(game, seat, made):
    """Return the place in the order at which a player reaches the target, or None. A bonus goes with what makes it."""
    number = game["score"][seat] - sum(game["made_of"][seat].values())
    place_of_bonus = place_of_thirty(made) if made["bonus"] >= REPIQUE else len(ORDER) - 1
    for place, name in enumerate(ORDER):
        number += made[name] + (made["bonus"] if place == place_of_bonus else 0)
        if number >= target(game):
            return place
    return None


def at_most(game):
    """Return what younger has made, with all that younger may still score before playing."""
    seat = game["dealer"]
    made = dict(game["made_of"][seat])
    for name in still_to_count(game):
        made[name] = total(name, game["hands"][seat])
    if not made["bonus"] and has_repique(made, game["made_of"][elder(game)]):
        made["bonus"] = REPIQUE
    return made


def end_if_won(game):
    """End the game once somebody has reached the target whom nothing can precede in the order of the scores."""
    if not target(game) or game["phase"] == "over":
        return
    first, second = elder(game), game["dealer"]
    place, other_place = (reaches(game, seat, game["made_of"][seat]) for seat in (first, second))
    if place is None:
        if other_place is not None:
            end_game(game, second)
    elif other_place is not None and other_place < place:
        end_game(game, second)
    else:
        best = reaches(game, second, at_most(game))
        if best is None or best >= place:
            end_game(game, first)


def end_game(game, winner):
    game.update(phase="over", game_won_by=winner)


# ---- The play --------------------------------------------------------------------------------------------------------


def has_ended_trick(game):
    return any(game["won"].values())


def has_led(game):
    return has_ended_trick(game) or bool(game["trick"])


def playable(game, seat):
    """Return the cards that a player may play now; elder leads the suit that was named."""
    if game["phase"] != "play" or seat != game["turn"]:
        return []
    hand = game["hands"][seat]
    if not game["trick"] and game["named_suit"]:
        return [card for card in hand if card[1] == game["named_suit"]]
    return followers(hand, game["trick"])


def remember(game, by, irregularity, card):
    game["errors"].append({"by": by, "irregularity": irregularity, "cards": [card]})


def play(game, by, card, irregular=None):
    """Play a card, or revoke with it."""
    require(game["phase"] == "play" and by == game["turn"] and card in game["hands"][by], "it is not to be played")
    is_legal = card in playable(game, by)
    require(is_legal == (irregular is None), "suit must be followed" if not irregular else "that is no revoke")
    require(irregular in (None, *RULINGS) and (is_legal or game["trick"]), "that is no revoke")
    if irregular:
        remember(game, by, irregular, card)
    game["hands"][by].remove(card)
    game["trick"].append(card)
    if len(game["trick"]) == 1:
        game.update(leader=by, turn=OTHER[by], named_suit=None)
        score(game, by, "tricks", 1)
        mark_pique(game)
    else:
        end_trick(game)


def end_trick(game):
    """Score the trick. What younger has not counted by now is lost, so that a pique may fall due first."""
    cards, leader = game["trick"], game["leader"]
    winner = trick_winner(leader, cards)
    game["won"][winner] += cards
    game.update(trick=[], trick_won_by=winner, leader=winner, turn=winner)
    mark_pique(game)
    end_if_won(game)
    last = not all(game["hands"].values())
    if winner != leader:
        score(game, winner, "tricks", 1)
        mark_pique(game)
    if last:
        score(game, winner, "tricks", 1)
        mark_pique(game)
        end_deal(game)


def tricks_of(game, seat):
    return len(game["won"][seat]) // 2


def the_cards(tricks):
    """Return what most of the tricks bring, or all of them."""
    return CAPOT if tricks == TRICKS else THE_CARDS if tricks > TRICKS / 2 else 0


def end_deal(game):
    """Score the cards or capot, and settle the game or pass the deal."""
    if game["phase"] == "over":
        return
    for seat in OTHER:
        add_bonus(game, seat, the_cards(tricks_of(game, seat)))
    if target(game):
        winner = next((seat for seat in OTHER if game["score"][seat] >= target(game)), None)
        if winner:
            end_game(game, winner)
            return
    else:
        left = deals_to_follow(game)
        if not left:
            end_game(game, settlement(game, game["score"])["winner"])
            return
        game["deals_left"] = left
    dealer = OTHER[game["dealer"]]
    game.update(phase="deal", dealer=dealer, turn=dealer)


def deals_left(game):
    """Return how many deals must still be ended: those that the partie takes, or else the present one."""
    if game["phase"] == "over":
        return 0
    return 1 if target(game) else game.get("deals_left", DEALS_OF_A_PARTIE)


def deals_to_follow(game):
    """Return how many deals follow the one that ends; a tie brings no more."""
    return deals_left(game) - 1


def settlement(game, score_at_end):
    """Return who wins with these scores; the Rubicon game is settled by points, and equal scores win nothing."""
    winner = max(OTHER, key=lambda seat: score_at_end[seat])
    high, low = score_at_end[winner], score_at_end[OTHER[winner]]
    if target(game):
        return {"winner": winner if high >= target(game) else None, "points": None}
    if high == low:
        return {"winner": None, "points": 0}
    return {"winner": winner, "points": high + GAME_POINTS + (-low if low >= RUBICON else low)}


def settled(game):
    if game["phase"] != "over":
        return None
    if target(game):
        return {"winner": game.get("game_won_by"), "points": None}
    return settlement(game, game["score"])


def claim(game, by, irregularity):
    """Point out a revoke, whoever has made it: it stays as it is."""
    require(by in OTHER, "only a player may claim")
    found = [done for done in game["errors"] if done["irregularity"] == irregularity]
    require(found and game["phase"] == "play", "there is nothing to claim")
    game["errors"].remove(found[0])


# ---- Questions -------------------------------------------------------------------------------------------------------


def class_winner(name, hands=None, calls=None):
    """Return whose combinations of a class are good, or None."""
    if hands:
        best = {seat: max((strength(name, cards) for cards in held(name, hands[seat])), default=(0,)) for seat in OTHER}
    else:
        said = {seat: str(call.get(HEIGHT[name], "")) for seat, call in calls.items()}
        best = {seat: called_strength(name, call["count"], said[seat]) for seat, call in calls.items()}
        if best["A"][0] != best["B"][0]:
            best = {seat: own[:1] for seat, own in best.items()}
    if best["A"] == best["B"] or not max(best["A"][0], best["B"][0]):
        return None
    return max(OTHER, key=lambda seat: best[seat])


def reckoning(hands, blanks=()):
    """Return what two hands bring before the play."""
    made = each(NOTHING_MADE)
    for seat in blanks:
        made[seat]["blank"] = BLANK
    for name in CLASSES:
        winner = class_winner(name, hands=hands)
        if winner:
            made[winner][name] = total(name, hands[winner])
    repique = {seat: REPIQUE * has_repique(made[seat], made[OTHER[seat]]) for seat in OTHER}
    return {seat: in_hand(made[seat]) + repique[seat] for seat in OTHER}


def trick_points(leader, cards):
    """Return what tricks bring; a whole deal brings the last trick and the cards or capot, too."""
    number, tricks = each(0), each(0)
    for place in range(0, len(cards) - 1, 2):
        number[leader] += 1
        winner = trick_winner(leader, cards[place : place + 2])
        number[winner] += winner != leader
        tricks[winner] += 1
        leader = winner
    if sum(tricks.values()) == TRICKS:
        number[leader] += 1
        number = {seat: number[seat] + the_cards(tricks[seat]) for seat in OTHER}
    return number


def visible(game, seat):
    """Return what a player may look at: the hand, the trick, the own discards, and what was seen before."""
    cards = game["hands"][seat] + game["trick"] + game["discards"][seat] + game["seen"][seat]
    return list(dict.fromkeys(cards))


def legal_acts(game):
    """Return how many acts are open to the player whose turn it is."""
    seat, phase = game["turn"], game["phase"]
    if phase == "choose":
        return len(choices(game)) + may_prove(game, seat)
    if phase == "exchange":
        sets = sum(comb(len(game["hands"][seat]), count) for count in range(1, most_to_discard(game, seat) + 1))
        return sets + may_announce_blank(game, seat) + may_prove(game, seat)
    if phase == "announce" and seat == game["dealer"]:
        return len(answers(game))
    if phase == "announce":
        calls = len(announcements(game)) if may_call(game, seat) else 0
        return calls + len(declarable(game, seat)) + may_prove(game, seat)
    if phase == "play":
        looks = 0
        if seat == elder(game):
            looks = bool(left_by_younger(game)) if has_led(game) else len(may_name(game))
        return len(playable(game, seat)) + len(declarable(game, seat)) + looks
    return None


# ---- The protocol ----------------------------------------------------------------------------------------------------

READY = {
    "type": "ready",
    "protocol": 1,
    "name": "example: piquet after Hoyle",
    "version": "1",
    "language": "Python",
    "rulesets": ["piquet-hoyle", "piquet-hoyle+hundred-and-one", "piquet-rubicon-hoyle"],
    "claims": [
        *("dealing", "tricks", "legal-plays", "melds", "declarations", "talon", "calling", "piquet-declarations"),
        *("counting", "score", "game", "settling", "table", "irregularities", "census", "report"),
    ],
    "position": "any",
}

ACTS = {act.__name__: act for act in (cut, choose, deal, discard, peep, announce, prove, answer, declare, play, claim)}

QUESTIONS = {
    "winner": lambda _, step: trick_winner(step["by"], step["cards"]),
    "playable": lambda game, step: (
        followers(step["hand"], step["led"]) if "hand" in step else playable(game, step["by"])
    ),
    "worth": lambda _, step: worth(step["meld"], step["cards"]),
    "declarable": lambda game, step: declarable(game, step["by"]),
    "counted": lambda _, __: 0,
    "visible": lambda game, step: visible(game, step["by"]),
    "class-winner": lambda _, step: class_winner(step["class"], step.get("hands"), step.get("calls")),
    "reckoning": lambda _, step: reckoning(step["hands"], step.get("blanks", ())),
    "trick-points": lambda _, step: trick_points(step["by"], step["cards"]),
    "settlement": lambda game, step: settlement(game, step["score"]),
    "ruling": lambda _, step: RULINGS.get(step["irregularity"]),
}


def lying(game):
    """Return where every card is; None before the first deal."""
    return (
        {field: game[field] for field in ("hands", "stock", "trick", "won", "discards")} if "leader" in game else None
    )


#: The observables that are no fields of the position, or not always.
SIGHTS = {
    "shown": lambda _: each([]),
    "trumps": lambda _: None,
    "turn_up": lambda _: None,
    "stock_left": lambda game: len(game["stock"]),
    "deals_left": deals_left,
    "settled": settled,
    "choices": choices,
    "legal_acts": legal_acts,
    "position": lying,
}


def take(game, step, observe):
    """Take an act, or refuse it, and return what is seen after it."""
    before = deepcopy(game)
    game["trick_won_by"] = None
    try:
        ACTS[step["do"]](game, **{field: value for field, value in step.items() if field != "do"})
        seen = {"accepted": True}
    except Refused as refused:
        game.clear()
        game.update(before, trick_won_by=None)
        seen = {"accepted": False, "reason": str(refused)}
    return deepcopy(seen | {name: SIGHTS[name](game) if name in SIGHTS else game.get(name) for name in observe})


def run(message):
    """Yield what each step shows."""
    game = clear_table() | message["position"] | {"ruleset": message["ruleset"], "options": message["options"]}
    for step in message["steps"]:
        if step.get("do") in ACTS:
            yield take(game, step, message["observe"])
        elif step.get("ask") in QUESTIONS:
            yield {"answer": deepcopy(QUESTIONS[step["ask"]](game, step))}
        else:
            yield {"unsupported": "this engine has nothing of that"}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        reply = READY
        if message["type"] == "run":
            reply = {"type": "observed", "seq": message["seq"], "steps": list(run(message))}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
