"""An example adapter in Python: an engine for Rubicon Piquet by the laws that Cavendish prints.

It is the engine of `piquet_hoyle.py` with other rules: a function here takes the place of the one there that has its
name. Numbers in brackets are those of the laws. Try it with::

    hoyle check -r piquet-rubicon-cavendish python workbench/adapters/python/piquet_cavendish.py
"""

from itertools import combinations

import piquet_hoyle as hoyle
from piquet_hoyle import CLASSES, ORDER, OTHER, SEQUENCES, SETS, elder, has_ended_trick, require, strength

DEALS_FOR_A_TIE = 2
SETS_FIRST = ["point", "set", "sequence"]
CLASS_OF = {"point": "point"} | dict.fromkeys(SEQUENCES.values(), "sequence") | dict.fromkeys(SETS.values(), "set")
#: The functions of the other engine that are used in those that take their place.
DEAL, DISCARD, ANNOUNCE, ANSWER, LEGAL_ACTS = hoyle.deal, hoyle.discard, hoyle.announce, hoyle.answer, hoyle.legal_acts


# ---- The deal and the stock ------------------------------------------------------------------------------------------


def deal(game, by, deck, packets=None):
    """Deal; each dealer keeps to twos or to threes throughout the partie (9)."""
    chosen = game.setdefault("packets", {})
    require(not chosen.get(by) or chosen[by] == packets, "this dealer has dealt in other packets")
    DEAL(game, by, deck, packets)
    chosen[by] = packets
    game["sets_first"] = False


def discard(game, by, cards):
    """Exchange; whether younger looks at the cards over is seen after the lead (36)."""
    DISCARD(game, by, cards)
    if game["phase"] == "choose":
        game.update(phase="announce", turn=elder(game))


def may_look(game, seat):
    """Return the cards over that a player may look at now: younger before playing, then elder (36)."""
    known = game["phase"] == "play" and (hoyle.has_led(game) or game["named_suit"])
    unseen = {who: [card for card in game["stock"] if card not in game["seen"][who]] for who in OTHER}
    if seat == elder(game):
        return unseen[seat] if known and not unseen[OTHER[seat]] else []
    return unseen[seat] if known and not has_ended_trick(game) else []


def may_name(game):
    """Return the suits that elder may name as the first lead."""
    if game["phase"] != "play" or hoyle.has_led(game) or game["named_suit"] or not game["stock"]:
        return []
    return [cards[0][1] for cards in hoyle.suits(game["hands"][elder(game)])]


def left_by_younger(_):
    """Return nothing: `legal_acts` counts the looks at the cards over."""
    return []


def peep(game, by, suit=None):
    """Look at cards that are left, or name the suit that will be led."""
    if suit:
        require(by == elder(game) and suit in may_name(game), "there is no suit to be named")
        game["named_suit"] = suit
        return
    left = hoyle.left_by_elder(game) if by == elder(game) else []
    cards = [card for card in left if card not in game["seen"][by]] or may_look(game, by)
    require(cards, "there is nothing to look at")
    hoyle.see(game, by, cards)


# ---- Calling ---------------------------------------------------------------------------------------------------------


def order_of_calls(game):
    return SETS_FIRST if game.get("sets_first") else CLASSES


def class_called(game):
    return order_of_calls(game)[len(game["called"]["decided"])]


def decisions(game):
    """Return for whom each class is good that has been called."""
    return dict(zip(order_of_calls(game), game["called"]["decided"], strict=False))


def call_of(game, name):
    """Return the number and the height that elder has called in a class, as they are compared."""
    call = game["called"]["announced"][order_of_calls(game).index(name)]
    return hoyle.called_strength(name, call["count"], call["height"])


def called_from(game, seat):
    """Return the cards that a player's calls are of: a card that elder leads first is still one of them."""
    led = game["trick"][:1] if seat == game["leader"] and not has_ended_trick(game) else []
    return game["hands"][seat] + led


def callable_parts(name, hand):
    """Return what may be called: the whole of a combination, or less of a sequence or set (description, "Calling")."""
    found = hoyle.held(name, hand)
    if name == "point":
        return found
    if name == "set":
        return [list(some) for cards in found for count in SETS for some in combinations(cards, count)]
    return [run[first : first + count] for run in found for count in SEQUENCES for first in range(len(run) - count + 1)]


def announcements(game):
    """Return what elder may announce now: the point first, or never; then the others in either order (46 and 47)."""
    called, found = game["called"], set()
    names = [class_called(game)] if called["asked"] else [name for name in CLASSES if name not in decisions(game)]
    for name in names:
        own = {(len(cards), hoyle.spoken(name, cards)) for cards in callable_parts(name, game["hands"][elder(game)])}
        if called["asked"]:
            found |= {(name, None, said) for count, said in own if count == called["count"]}
        else:
            found |= {(name, 0, "")} | {(name, count, said if name == "set" else "") for count, said in own}
    return found


def announce(game, by, **call):
    name = call["class"]
    if name == "blank":
        ANNOUNCE(game, by, **call)
        return
    require(hoyle.may_call(game, by), "it is not the time to call")
    called = game["called"]
    said = next((str(call[word]) for word in hoyle.HEIGHT.values() if word in call), "")
    require((name, call.get("count"), said) in announcements(game), "that is not held, or not what is asked")
    if name != "point" and not called["decided"]:
        called["decided"].append(game["dealer"])
        called["announced"].append({"count": 0, "height": ""})
    if name == "set" and "sequence" not in decisions(game):
        game["sets_first"] = True
    called.update(count=call.get("count", called["count"]), height=said, asked=False)
    game["turn"] = game["dealer"]


def answers(game):
    """Return what younger may answer. A player who has asked what the point makes counts no longer one (46)."""
    called, name = game["called"], class_called(game)
    count, said = hoyle.called_strength(name, called["count"], called["height"])
    found = [strength(name, cards) for cards in callable_parts(name, game["hands"][game["dealer"]])]
    words = ["good"]
    if said is None and any(own[0] > count for own in found):
        words.append("not-good")
    if said is not None and any(own > (count, said) and (name != "point" or own[0] == count) for own in found):
        words.append("not-good")
    if said is not None and (count, said) in found:
        words.append("equal")
    if said is None and count and any(own[0] == count or (name == "point" and own[0] > count) for own in found):
        words.append(hoyle.QUESTION[name])
    return words


def answer(game, by, says):
    """Answer; a repique that waited for this class is marked now."""
    ANSWER(game, by, says)
    mark_repique(game, elder(game))


# ---- Scoring the classes ---------------------------------------------------------------------------------------------


def open_classes(game, seat):
    """Return the classes of which a player may score now, until younger has played (56): younger's from the lead on."""
    if has_ended_trick(game) or (seat != elder(game) and len(game["trick"]) != 1):
        return []
    return [name for name, winner in decisions(game).items() if winner == seat]


def is_good_against_the_cards(game, name, call):
    """Tell whether the cards that elder has neither held nor put away make nothing as good (49)."""
    own = called_from(game, elder(game)) + game["discards"][elder(game)]
    others = callable_parts(name, [card for card in hoyle.PACK if card not in own])
    return all(strength(name, cards) < call for cards in others)


def fits_call(game, seat, name, cards):
    """Tell whether a combination may be scored: by elder first the one called, and then what is better only if the call
    was good against the cards (49); by younger in any order, but the point must be better than elder's."""
    done = [each["cards"] for each in game["scored"][seat] if CLASS_OF[each["meld"]] == name]
    (count, said), own = call_of(game, name), strength(name, cards)
    if any(name == "point" or set(cards) & set(each) for each in done):
        return False
    if seat != elder(game):
        return name != "point" or (own > (count, said) and own[0] == count if said else own[0] > count)
    if not done:
        return own[0] == count and said in (None, own[1])
    call = (count, strength(name, done[0])[1] if said is None else said)
    is_better = own[0] > count if said is None else own > call
    return not is_better or is_good_against_the_cards(game, name, call)


def declarable(game, seat):
    return [
        {"meld": hoyle.meld_name(name, cards), "cards": cards}
        for name in open_classes(game, seat)
        for cards in callable_parts(name, called_from(game, seat))
        if fits_call(game, seat, name, cards)
    ]


# ---- The score -------------------------------------------------------------------------------------------------------


def target(_):
    """Return no target: a partie is a number of deals."""


def deals_to_follow(game):
    """Return how many deals follow the one that ends: two more for a tie, once (71)."""
    left = hoyle.deals_left(game) - 1
    is_level = game["score"]["A"] == game["score"]["B"]
    return DEALS_FOR_A_TIE if not left and is_level and game["deals"] <= hoyle.DEALS_OF_A_PARTIE else left


def may_count(game, seat, name):
    """Tell whether a player has counted in a class, or may do so yet, as nobody knows before it is called."""
    if game["made_of"][seat][name]:
        return True
    return name in CLASSES and not has_ended_trick(game) and decisions(game).get(name, seat) == seat


def score(game, seat, what, number):
    game["score"][seat] += number
    game["made_of"][seat][what] += number
    if what != "tricks":
        mark_repique(game, seat)
        mark_pique(game)


def mark_repique(game, seat):
    """Mark a repique for thirty in hand before anything that the other can count (68); it takes a pique's place."""
    made = game["made_of"][seat]
    place = hoyle.place_of_thirty(made)
    if place is not None and not any(may_count(game, OTHER[seat], name) for name in ORDER[:place]):
        hoyle.add_bonus(game, seat, max(0, hoyle.REPIQUE - made["bonus"]))


def mark_pique(game):
    """Mark a pique for thirty in hand and play before younger has reckoned, or may reckon, anything (69)."""
    seat = elder(game)
    made = game["made_of"][seat]
    barred = any(may_count(game, OTHER[seat], name) for name in ORDER)
    if made["tricks"] and hoyle.in_hand(made) + made["tricks"] >= hoyle.THIRTY and not made["bonus"] and not barred:
        hoyle.add_bonus(game, seat, hoyle.PIQUE)


def legal_acts(game):
    number, seat = LEGAL_ACTS(game), game["turn"]
    if game["phase"] == "play":
        number += bool(may_look(game, seat))
    return number


# ---- The protocol ----------------------------------------------------------------------------------------------------

RULES = (deal, discard, may_name, left_by_younger, peep, class_called, announcements, announce, answers, answer)
RULES += (open_classes, declarable, target, deals_to_follow, score, mark_pique, legal_acts)
for rule in RULES:
    setattr(hoyle, rule.__name__, rule)
hoyle.ACTS.update(deal=deal, discard=discard, peep=peep, announce=announce, answer=answer)
hoyle.SIGHTS.update(legal_acts=legal_acts)
hoyle.READY.update(name="example: piquet after Cavendish", rulesets=["piquet-rubicon-cavendish"])

if __name__ == "__main__":
    hoyle.main()
