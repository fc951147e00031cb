"""An example adapter in Python: an engine for Rubicon Piquet by the laws that Cavendish prints.

It is the engine of `piquet_hoyle.py` with other rules: a function here takes the place of the one there that has its
name. Numbers in brackets are those of the laws. Try it with::

    hoyle check -r piquet-rubicon-cavendish python workbench/adapters/python/piquet_cavendish.py
"""

from copy import deepcopy
from itertools import combinations

import piquet_hoyle as hoyle
from piquet_hoyle import CLASSES, ORDER, OTHER, SEQUENCES, SETS, elder, has_ended_trick, require, strength

DEALS_FOR_A_TIE = 2
MOST_FOR_YOUNGER = 3
SETS_FIRST = ["point", "set", "sequence"]
CLASS_OF = {"point": "point"} | dict.fromkeys(SEQUENCES.values(), "sequence") | dict.fromkeys(SETS.values(), "set")
PENALTY = ("other", ["reckons-nothing", "is-forgiven"])  # the adversary need not enforce it (44)
#: Who chooses, between what, and until when something is ruled on.
LAWS = {
    "too-many-dealt-to-another": ("elder", ["deal-stands", "deals-again"], "stock-is-taken-from"),  # 11
    "too-few-dealt": ("elder", ["deal-stands", "deals-again"], "stock-is-taken-from"),  # 11
    "stock-of-seven": ("elder", ["discard-is-altered", "deals-again"], "stock-is-taken-from"),  # 11
    "several-dealt-wrongly": (None, ["deals-again"], "at-once"),  # 12
    "took-back-a-discard": (*PENALTY, "end-of-the-deal"),  # 25
    "mixed-with-the-discard": (None, ["plays-with-fewer"], "end-of-the-deal"),  # 26
    "took-fewer-than-discarded": (None, ["plays-with-fewer"], "end-of-the-deal"),  # 30
    "took-more-than-discarded": (*PENALTY, "end-of-the-deal"),  # 31
    "exposed-in-dealing": ("elder", ["deal-stands", "deals-again"], "stock-is-taken-from"),  # 13
    "dealer-exposed-own-card": (None, ["deal-stands"], "stock-is-taken-from"),  # 13
    "faced-card-in-the-pack": (None, ["deals-again"], "exchange-is-over"),  # 14
    "carte-blanche-not-shown-in-time": (*PENALTY, "end-of-the-deal"),  # case XXI
    "elder-takes-up-a-card-of-youngers": (*PENALTY, "end-of-the-deal"),  # 27
    "younger-takes-up-a-card-of-elders": (*PENALTY, "end-of-the-deal"),  # 27
    "took-up-the-cards-left": (*PENALTY, "end-of-the-deal"),  # 33 and 35
    "miscall-corrected": (None, ["no-penalty"], "dealer-plays"),  # 52
    "miscall": (*PENALTY, "end-of-the-deal"),  # 54
    "too-many-cards": (*PENALTY, "end-of-the-deal"),  # 58
    "led-out-of-turn": (None, ["is-taken-up"], "card-is-played-to"),  # 59
    "revoke": (None, ["is-replayed"], "end-of-the-deal"),  # 59
}
TOO_FEW = {"mixed-with-the-discard", "took-fewer-than-discarded"}
TOO_MANY = {"took-back-a-discard", "took-more-than-discarded"}
#: The row for a wrong deal, by the cards too many of elder and of younger; any other wrong deal is made again (12).
WRONG_DEALS = {(0, 0): None, (1, 0): "too-many-dealt-to-another", (1, -1): "too-many-dealt-to-another"}
WRONG_DEALS |= {(-1, 1): "too-few-dealt", (0, 1): "stock-of-seven"}
BY_ELDER, BY_YOUNGER = {"elder-takes-up-a-card-of-youngers"}, {"younger-takes-up-a-card-of-elders"}
#: The functions of the other engine that are used in those that take their place.
DEAL, ANNOUNCE, ANSWER, LEGAL_ACTS = hoyle.deal, hoyle.announce, hoyle.answer, hoyle.legal_acts
CLEAR_TABLE, PLAY, TRICKS_OF = hoyle.clear_table, hoyle.play, hoyle.tricks_of
CHOICES, CHOOSE = hoyle.choices, hoyle.choose


def clear_table():
    return CLEAR_TABLE() | {"sets_first": False, "ruled": hoyle.each([]), "claim": None, "surplus": hoyle.each(0)}


# ---- The deal and the stock ------------------------------------------------------------------------------------------


def deal(game, by, deck, packets=None):
    """Deal; each dealer keeps to twos or to threes throughout the partie (9)."""
    chosen = game.setdefault("packets", {})
    require(not chosen.get(by) or chosen[by] == packets, "this dealer has dealt in other packets")
    DEAL(game, by, deck, packets)
    chosen[by] = packets


def discards_for_blank(game, seat):
    """Tell whether younger discards now, as elder has announced carte blanche and not exchanged (20)."""
    is_announced = game["blanks"][elder(game)] != "unspoken" and not game["discards"][elder(game)]
    return game["phase"] == "exchange" and seat == game["turn"] == game["dealer"] and is_announced


def is_before_elders(game):
    """Tell whether elder has not taken a card of the stock yet."""
    return game["phase"] == "exchange" and (game["turn"] == elder(game) or discards_for_blank(game, game["turn"]))


def wrong_deal(game):
    """Return what is wrong with the deal, as long as that can be seen: after elder's exchange only with fourteen."""
    dealt = (game["surplus"][elder(game)], game["surplus"][game["dealer"]])
    if is_before_elders(game):
        return WRONG_DEALS.get(dealt, "several-dealt-wrongly")
    return "several-dealt-wrongly" if game["phase"] == "exchange" and abs(dealt[1]) > 1 else None


def most_to_take(game, seat):
    """Return how many cards a player may take: elder five, and with a wrong hand not announced three fewer than all
    (39)."""
    left = len(game["stock"])
    if seat != elder(game):
        return left - hoyle.MOST_FOR_ELDER if discards_for_blank(game, seat) else left
    is_silent = game["surplus"][seat] and not {"too-many-dealt-to-another", "too-few-dealt"} & set(game["ruled"][seat])
    return min(hoyle.MOST_FOR_ELDER, left - MOST_FOR_YOUNGER if is_silent else left)


def most_to_discard(game, seat):
    return most_to_take(game, seat) + game["surplus"][seat]


def return_discard(game):
    """Let younger take back a discard that nothing has been drawn for: elder has left cards (case V)."""
    younger = game["dealer"]
    if game["phase"] == "exchange" and game["turn"] == younger:
        game["hands"][younger] += game["discards"][younger]
        game["discards"][younger] = []
    return game


def discard(game, by, cards, takes=None, irregular=None):
    """Exchange; younger may have discarded before, and decides about the cards over only after the lead (36). A wrong
    hand is put right by it (40 to 43), and must take a card."""
    require(game["phase"] == "exchange" and by == game["turn"], "it is not this player's turn to exchange")
    waiting = game["discards"][game["dealer"]]
    return_discard(game)
    surplus, hand = game["surplus"][by], game["hands"][by]
    taken = len(cards) - surplus if takes is None else takes
    require(set(cards) <= set(hand) and (irregular or len(cards) >= 1 + surplus), "those cards are not held, or few")
    require(taken <= most_to_take(game, by), "so many cards cannot be taken")
    is_wrong = (taken > len(cards) - surplus) - (taken < len(cards) - surplus)
    words = {0: {None}, 1: TOO_MANY, -1: TOO_FEW}[is_wrong]
    require(irregular in words, "another number is to be taken")
    if irregular:
        require(not discards_for_blank(game, by), "nothing is taken yet")
        remember(game, by, irregular)
    game["hands"][by] = [card for card in hand if card not in cards]
    game["discards"][by] = list(cards)
    if discards_for_blank(game, by):
        game["turn"] = elder(game)
        return
    game["hands"][by] += game["stock"][:taken]
    game["stock"] = game["stock"][taken:]
    game["surplus"][by] += taken - len(cards)
    if by == game["dealer"]:
        game.update(phase="announce", turn=elder(game))
        return
    game["turn"] = game["dealer"]
    if waiting and taken == hoyle.MOST_FOR_ELDER:
        discard(return_discard(game), game["dealer"], waiting)


def is_blank(hand):
    """Tell whether a hand is a carte blanche: of twelve cards at least (18)."""
    return len(hand) >= hoyle.HAND_SIZE and not any(card[0] in "KQJ" for card in hand)


def may_prove(game, seat):
    """Tell whether a player may show carte blanche: before drawing, and elder when younger has discarded (20)."""
    if game["phase"] != "exchange" or seat != game["turn"] or game["blanks"][seat] != "announced":
        return False
    return seat == game["dealer"] or bool(game["discards"][game["dealer"]])


def may_look(game, seat):
    """Return the cards over that a player may look at now: younger before playing, then elder (36)."""
    known = game["phase"] == "play" and (hoyle.has_led(game) or game["named_suit"])
    unseen = {who: [card for card in game["stock"] if card not in game["seen"][who]] for who in OTHER}
    if seat == elder(game):
        return unseen[seat] if known and not unseen[OTHER[seat]] else []
    return unseen[seat] if known and not has_ended_trick(game) else []


def may_name(game):
    """Return the suits that elder may name as the first lead, as long as there are cards over to be seen."""
    unseen = set(game["stock"]) - set(game["seen"][elder(game)])
    if game["phase"] != "play" or hoyle.has_led(game) or game["named_suit"] or not unseen:
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


def announcements(game, parts=None):
    """Return what elder may announce now: the point first, or never; then the others in either order (46 and 47)."""
    called, found, parts = game["called"], set(), parts or callable_parts
    names = [class_called(game)] if called["asked"] else [name for name in CLASSES if name not in decisions(game)]
    for name in names:
        own = {(len(cards), hoyle.spoken(name, cards)) for cards in parts(name, game["hands"][elder(game)])}
        if called["asked"]:
            found |= {(name, None, said) for count, said in own if count == called["count"]}
        else:
            found |= {(name, 0, "")} | {(name, count, said if name == "set" else "") for count, said in own}
    return found


def announce(game, by, irregular=None, **call):
    name = call["class"]
    if name == "blank":
        ANNOUNCE(game, by, **call)
        game["turn"] = game["dealer"] if by == elder(game) else game["turn"]
        return
    require(hoyle.may_call(game, by), "it is not the time to call")
    called = game["called"]
    said = next((str(call[word]) for word in hoyle.HEIGHT.values() if word in call), "")
    told = (name, call.get("count"), said)
    if irregular:
        with_discard, own = (announcements(hand, all_parts) for hand in (holding_discard(game, by), game))
        require(irregular == "miscall" and told in with_discard - own, "that is no miscall")
        remember(game, by, irregular, meld=name)
    else:
        require(told in announcements(game), "that is not held, or not what is asked")
    if name != "point" and not called["decided"]:
        called["decided"].append(game["dealer"])
        called["announced"].append({"count": 0, "height": ""})
    if name == "set" and "sequence" not in decisions(game):
        game["sets_first"] = True
    called.update(count=call.get("count", called["count"]), height=said, asked=False)
    game["turn"] = game["dealer"]


def is_better(name, own, count, said):
    """Tell whether a combination of younger's is better than a call. Who has asked what the point makes counts no more
    cards (46)."""
    if said is None:
        return own[0] > count
    return own > (count, said) and (name != "point" or own[0] == count)


def answers(game, parts=None):
    """Return what younger may answer, and ask: what the point makes with as many cards or more (46)."""
    called, name = game["called"], class_called(game)
    count, said = hoyle.called_strength(name, called["count"], called["height"])
    found = [strength(name, cards) for cards in (parts or callable_parts)(name, game["hands"][game["dealer"]])]
    words = ["good"]
    if any(is_better(name, own, count, said) for own in found):
        words.append("not-good")
    if said is not None and (count, said) in found:
        words.append("equal")
    if said is None and count and any(own[0] == count or (name == "point" and own[0] > count) for own in found):
        words.append(hoyle.QUESTION[name])
    return words


def answer(game, by, says, irregular=None):
    """Answer; a repique that waited for this class is marked now."""
    if irregular:
        require(game["phase"] == "announce" and by == game["turn"] == game["dealer"], "there is nothing to answer")
        is_false = says not in answers(game) and says in answers(holding_discard(game, by), all_parts)
        require((irregular, says) == ("miscall", "not-good") and is_false, "that is no miscall")
        remember(game, by, irregular, meld=class_called(game))
        hoyle.take_answer(game, by, says)
    else:
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
        return name != "point" or is_better(name, own, count, said)
    if not done:
        return own[0] == count and said in (None, own[1])
    is_no_better = own[0] <= count if said is None else own <= (count, said)
    return is_no_better or is_good_against_the_cards(game, name, strength(name, done[0]))


def declarable(game, seat):
    return [
        {"meld": hoyle.meld_name(name, cards), "cards": cards}
        for name in open_classes(game, seat)
        for cards in callable_parts(name, called_from(game, seat))
        if fits_call(game, seat, name, cards)
    ]


# ---- Irregularities --------------------------------------------------------------------------------------------------


def holding_discard(game, seat):
    """Return the game as if a player still held the discard: what could be called then is a miscall (53 and 54)."""
    return game | {"hands": game["hands"] | {seat: game["hands"][seat] + game["discards"][seat]}}


def all_parts(name, hand):
    """Return what a player may have held whose discard is unknown."""
    if name != "point":
        return callable_parts(name, hand)
    return [
        list(some) for suit in hoyle.suits(hand) for count in range(len(suit)) for some in combinations(suit, count + 1)
    ]


def remember(game, by, irregularity, card=None, meld=""):
    """Keep an error, with the game before it."""
    error = {"by": by, "irregularity": irregularity, "cards": [card], "meld": meld}
    game["errors"].append(error | {"before": deepcopy(game)})


def play(game, by, card, irregular=None):
    """Play a card: as is right, or as a revoke, or leading out of turn."""
    if irregular == "led-out-of-turn":
        require(game["phase"] == "play" and by != game["turn"] and not game["trick"], "that is no lead out of turn")
        remember(game, by, irregular, card)
        game.update(leader=by, turn=by, named_suit=None)
        irregular = None
    PLAY(game, by, card, irregular)


def younger_has_played(game):
    return has_ended_trick(game) or (bool(game["trick"]) and game["leader"] == game["dealer"])


def is_believed(game, error):
    """Tell whether a call of what is not held has not been denied."""
    return decisions(game).get(error["meld"], error["by"]) == error["by"]


def may_be_claimed(game, error):
    """Tell whether an error is ruled on: a lead until it is played to (59), a call when younger has played (54)."""
    if error["irregularity"] == "led-out-of-turn":
        return error["cards"] == game["trick"]
    return not error["meld"] or (younger_has_played(game) and is_believed(game, error))


def ruling(game, by, irregularity):
    """Return the ruling on an irregularity by a player."""
    if irregularity not in LAWS:
        return None
    chooses, choices, until = LAWS[irregularity]
    seat = {"other": OTHER[by], "elder": elder(game)}.get(chooses)
    return {"chooses": seat, "choices": choices, "until": until}


def claim(game, by, irregularity):
    """Rule on the last error of the other player, or else the last of one's own."""
    require(by in OTHER and game["phase"] not in ("choose", "over"), "it is not the time to claim")
    found = [done for done in game["errors"] if done["irregularity"] == irregularity and may_be_claimed(game, done)]
    if irregularity == "too-many-cards" and younger_has_played(game):
        many = [seat for seat in OTHER if game["surplus"][seat] > 0 and irregularity not in game["ruled"][seat]]
        found = [{"by": seat, "irregularity": irregularity, "meld": ""} for seat in many]
    if irregularity == wrong_deal(game) and irregularity not in game["ruled"][elder(game)]:
        found = [{"by": elder(game), "irregularity": irregularity, "meld": ""}]
    error = max(reversed(found), key=lambda done: done["by"] != by, default=None)
    require(error, "there is nothing to claim")
    is_penalty = LAWS[irregularity][0] == "other"
    require(not is_penalty or by != error["by"], "only the other player may have it ruled on")
    game["errors"] = [done for done in game["errors"] if done is not error]
    game["ruled"][error["by"]].append(irregularity)
    ask(game, error)


def key_of(error):
    return error["by"], error["irregularity"], error["cards"], error["meld"]


def take_back(game, before, card=None):
    """Restore the game, except what has been ruled on and what has been seen; and, with a card that is taken back, what
    has been reckoned since by a ruling on a miscall (54)."""
    left = [key_of(error) for error in game["errors"]]
    errors = [error for error in before["errors"] if key_of(error) in left]
    kept = {field: game[field] for field in ("seen", "ruled")}
    was, before = {field: game[field] for field in ("called", "scored", "made_of")}, deepcopy(before)
    is_since = any(reckons_nothing(game, seat) and not reckons_nothing(before, seat) for seat in OTHER)
    for seat in OTHER if is_since else ():
        before["score"][seat] -= reckoned(before, seat)
        if card:
            before["made_of"][seat] |= {name: was["made_of"][seat][name] for name in CLASSES}
            before |= {field: was[field] for field in ("called", "scored")}
        before["score"][seat] += reckoned(before | kept, seat)
    game.clear()
    game.update(before | kept, errors=errors)


def reckoned(game, seat):
    """Return the points of this deal that are in a player's score."""
    made = game["made_of"][seat]
    return made["blank"] if reckons_nothing(game, seat) else sum(made.values())


def take_up(game, error):
    """Take up a card that was led, with its point and the pique that it made; what was scored since stands."""
    by, before = error["by"], error["before"]
    game["hands"][by].append(game["trick"].pop())
    game.update({field: before[field] for field in ("leader", "turn", "named_suit")})
    for cause in ("tricks", "bonus"):
        lost = game["made_of"][by][cause] - before["made_of"][by][cause]
        if cause == "tricks" or lost == hoyle.PIQUE:
            score(game, by, cause, -lost)


def mishap(game, by, irregularity, cards=()):
    """Let a card be seen, or another thing happen that is ruled on at once."""
    require(irregularity in LAWS and game["phase"] in ("exchange", "announce", "play"), "it is too late, or too early")
    late = {"stock-is-taken-from": not is_before_elders(game), "exchange-is-over": game["phase"] != "exchange"}
    late["dealer-plays"] = younger_has_played(game)
    require(not late.get(LAWS[irregularity][2]), "it is too late")
    is_own = all(card in game["hands"][by] for card in cards)
    if irregularity in ("exposed-in-dealing", "dealer-exposed-own-card"):
        is_so = not cards or is_own == (irregularity == "dealer-exposed-own-card")
        require(by == game["dealer"] and is_so, "it is not this that has happened")
    if irregularity in BY_ELDER | BY_YOUNGER:
        require((by == elder(game)) == (irregularity in BY_ELDER), "it is another law's")
    calls = [done for done in game["errors"] if done["by"] == by and done["meld"] and is_believed(game, done)]
    require(irregularity != "miscall-corrected" or calls, "there is no call to correct")
    for seat in OTHER:
        hoyle.see(game, seat, [card for card in cards if card not in game["hands"][seat]])
    ask(game, calls[-1] if irregularity == "miscall-corrected" else {"by": by, "meld": ""}, irregularity)


def ask(game, error, irregularity=None):
    """Do what follows, or let the player choose who may."""
    found = ruling(game, error["by"], irregularity or error["irregularity"])
    if found["chooses"]:
        error = error | {"irregularity": irregularity or error["irregularity"]}
        game["claim"] = {"error": error, "phase": game["phase"], "turn": game["turn"]}
        game.update(phase="choose", turn=found["chooses"])
    else:
        follow(game, found["choices"][0], error)


def follow(game, choice, error):
    if choice == "deals-again":
        deal_again(game)
    elif choice == "reckons-nothing":
        reckon_nothing(game, error)
    elif choice in ("is-replayed", "no-penalty"):
        take_back(game, error["before"], error["cards"][0])
    elif choice == "is-taken-up":
        take_up(game, error)


def deal_again(game):
    """Give up the deal, with what has been scored in it."""
    for seat in OTHER:
        game["score"][seat] -= reckoned(game, seat)
    game.pop("leader")
    game.update(clear_table(), phase="deal", turn=game["dealer"], deals=game["deals"] - 1)


def choices(game):
    claim = game.get("claim")
    return ruling(game, claim["error"]["by"], claim["error"]["irregularity"])["choices"] if claim else CHOICES(game)


def choose(game, by, choice):
    asked = game.get("claim")
    if not asked:
        CHOOSE(game, by, choice)
        return
    require(by == game["turn"] and choice in choices(game), "that is not this player's to choose")
    game.update(claim=None, phase=asked["phase"], turn=asked["turn"])
    follow(game, choice, asked["error"])


def reckons_nothing(game, seat):
    return "reckons-nothing" in game["ruled"][seat]


def reckon_nothing(game, error):
    """Take away all that a player makes in this deal but carte blanche (case XXI); it still bars the other's (58)."""
    by, made = error["by"], game["made_of"][error["by"]]
    if not reckons_nothing(game, by):
        game["score"][by] -= sum(made.values()) - made["blank"]
        game["ruled"][by].append("reckons-nothing")
    if error["meld"]:
        reckon_for_other(game, error)
    winner = hoyle.settlement(game, game["score"])["winner"]
    if game["phase"] == "deal" and game["deals"] == hoyle.DEALS_OF_A_PARTIE and winner:
        hoyle.end_game(game, winner)  # there is no tie any more


def reckon_for_other(game, error):
    """Let the other player reckon all that is good, and no correct call of the offender's bars (54)."""
    name, by, other = error["meld"], error["by"], OTHER[error["by"]]
    hand = called_from(error["before"], other)
    done = [each for each in game["scored"][by] if CLASS_OF[each["meld"]] == name]
    best = max((strength(name, each["cards"]) for each in done), default=(0,))
    is_better = any(strength(name, cards) > best for cards in hoyle.held(name, hand))
    winner = other if is_better else by if done else None
    game["called"]["decided"][order_of_calls(game).index(name)] = winner
    if winner != by:
        game["scored"][by] = [each for each in game["scored"][by] if each not in done]
        game["made_of"][by][name] = 0
    for name in order_of_calls(game):
        if decisions(game)[name] == other:
            score_all(game, other, name, hand)


def score_all(game, seat, name, hand):
    """Score the best point, or all sequences or sets, that have not been scored."""
    for cards in sorted(hoyle.held(name, hand), key=lambda cards: strength(name, cards), reverse=True):
        spent = [set(each["cards"]) for each in game["scored"][seat] if CLASS_OF[each["meld"]] == name]
        if not any(name == "point" or set(cards) & each for each in spent):
            game["scored"][seat].append({"meld": hoyle.meld_name(name, cards), "cards": cards})
            score(game, seat, name, hoyle.points(name, cards))


# ---- The score -------------------------------------------------------------------------------------------------------


def left_alone(game, seat):
    """Return the cards of a player that cannot be played to, as the other has too few: they are tricks (57)."""
    is_short = game["surplus"][OTHER[seat]] < 0 and not game["hands"][OTHER[seat]]
    return game["hands"][seat] if is_short else []


def tricks_of(game, seat):
    return TRICKS_OF(game, seat) + len(left_alone(game, seat))


def end_trick(game):
    """Score the trick, and the cards that cannot be played to as if they were led (57 and 65)."""
    cards, leader = game["trick"], game["leader"]
    winner = hoyle.trick_winner(leader, cards)
    game["won"][winner] += cards
    game.update(trick=[], trick_won_by=winner, leader=winner, turn=winner)
    mark_pique(game)
    if winner != leader:
        add_point(game, winner)
    if all(game["hands"].values()):
        return
    last = next((seat for seat in OTHER if left_alone(game, seat)), winner)
    for _ in [*left_alone(game, last), "the last trick"]:
        add_point(game, last)
    hoyle.end_deal(game)


def add_point(game, seat):
    score(game, seat, "tricks", 1)
    mark_pique(game)


def target(_):
    """Return no target: a partie is a number of deals."""


def deals_to_follow(game):
    """Return how many deals follow the one that ends: two more for a tie, once (71)."""
    left = hoyle.deals_left(game) - 1
    is_level = game["score"]["A"] == game["score"]["B"]
    return DEALS_FOR_A_TIE if not left and is_level and game["deals"] <= hoyle.DEALS_OF_A_PARTIE else left


def may_count(game, seat, name):
    """Tell whether a player has counted by something, or may do so yet, as nobody knows before a class is called.

    A player who reckons nothing bars the other by all that would be good (description, "Carte blanche").
    """
    if game["made_of"][seat][name]:
        return True
    is_open = not has_ended_trick(game) or reckons_nothing(game, seat)
    return name in CLASSES and is_open and decisions(game).get(name, seat) == seat


def score(game, seat, what, number):
    """Add points; those of a player who reckons nothing only bar the other's."""
    game["score"][seat] += number if what == "blank" or not reckons_nothing(game, seat) else 0
    game["made_of"][seat][what] += number
    if what != "tricks":
        mark_repique(game, seat)
        mark_pique(game)


def add_bonus(game, seat, number):
    game["made_of"][seat]["bonus"] += number
    game["score"][seat] += 0 if reckons_nothing(game, seat) else number


def mark_repique(game, seat):
    """Mark a repique for thirty in hand before anything that the other can count (68); it takes a pique's place."""
    made = game["made_of"][seat]
    place = hoyle.place_of_thirty(made)
    if place is not None and not any(may_count(game, OTHER[seat], name) for name in ORDER[:place]):
        add_bonus(game, seat, max(0, hoyle.REPIQUE - made["bonus"]))


def mark_pique(game):
    """Mark a pique for thirty in hand and play before younger has reckoned, or may reckon, anything (69)."""
    seat = elder(game)
    made = game["made_of"][seat]
    barred = any(may_count(game, OTHER[seat], name) for name in ORDER)
    if made["tricks"] and hoyle.in_hand(made) + made["tricks"] >= hoyle.THIRTY and not made["bonus"] and not barred:
        add_bonus(game, seat, hoyle.PIQUE)


def visible(game, seat):
    """Return what a player may look at: all the tricks, too (60)."""
    return list(dict.fromkeys(hoyle.visible(game, seat) + game["won"]["A"] + game["won"]["B"]))


def legal_acts(game):
    number, seat = LEGAL_ACTS(return_discard(deepcopy(game))), game["turn"]
    if game["phase"] == "exchange":  # two cards at least are put away, or none need be
        number += {1: -len(game["hands"][seat]), -1: 1}.get(game["surplus"][seat], 0)
    if game["phase"] == "play":
        number += bool(may_look(game, seat))
    return number


# ---- The protocol ----------------------------------------------------------------------------------------------------

#: What takes the place of what the other engine has.
RULES = (clear_table, deal, discard, most_to_discard, may_prove, may_name, left_by_younger, peep, class_called)
RULES += (announcements, announce, answers, answer, open_classes, declarable, target, deals_to_follow, score, add_bonus)
RULES += (mark_pique, remember, play, claim, choices, choose, legal_acts, is_blank, tricks_of, end_trick)
for rule in RULES:
    setattr(hoyle, rule.__name__, rule)
hoyle.ACTS.update({act.__name__: act for act in (deal, discard, peep, announce, answer, play, claim, choose, mishap)})
hoyle.SIGHTS.update(legal_acts=legal_acts, choices=choices)
hoyle.QUESTIONS["visible"] = lambda game, step: visible(game, step["by"])
hoyle.QUESTIONS["ruling"] = lambda game, step: ruling(game, step["by"], step["irregularity"])
hoyle.RULINGS["revoke"] = LAWS["revoke"]
hoyle.READY.update(name="example: piquet after Cavendish", rulesets=["piquet-rubicon-cavendish"])
hoyle.READY["cannot"] = ["ruling"]  # it knows what happens in play, and not what happens beside it

if __name__ == "__main__":
    hoyle.main()
