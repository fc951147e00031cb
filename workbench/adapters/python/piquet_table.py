"""An example adapter in Python: the engine of `piquet.py`, with a table at which whole games are played.

It plays the whole game for two, from the cut to the settlement, as David Parlett tells it. It is independent of the
reference interpreter. Its table is the position of the protocol, which every act that is allowed changes. Try it with::

    hoyle check -s census -r piquet-rubicon-parlett python workbench/adapters/python/piquet_table.py
"""

import sys
from copy import deepcopy
from math import comb
from pathlib import Path

sys.path.append(str(Path(__file__).parents[3] / "conformance/adapters/python"))
import piquet
from piquet import CAPOT, CARDS, CLASSES, PIPS, RANKS, REPIQUE, REPIQUE_AT, SAUNT, TEN_FOR_THE_LAST, other, place

HAND, PACKETS = 12, (2, 3)
COURTS = set("KQJ")
#: What elder must exchange, and may; that leaves three cards at the least.
LEAST, MOST = 1, 5
PIQUE_AT, PIQUE = 30, 30
TARGET, DEALS, DEALS_FOR_A_TIE = 100, 6, 2
#: What younger asks for, holding as many cards.
QUESTIONS = {"point": "making", "sequence": "how-high"}
#: What may be done with the cards that younger has not drawn.
EXPOSES, LEAVES = "exposes-the-rest", "leaves-the-rest"
NAMES = list(CLASSES)
#: The class that a combination of a name belongs to.
CLASS_OF = {"point": "point"} | dict.fromkeys((name for name, _ in piquet.SEQUENCES.values()), "sequence")
CLASS_OF |= dict.fromkeys((name for name, _ in piquet.SETS.values()), "set")
#: What a void suit scores as, where it scores.
VOIDS = {each.name: (name, each.score) for name, found in piquet.NOUGHTS.items() for each in found}
CLASS_OF |= {void: name for void, (name, _) in VOIDS.items()}
#: By what points may be made in a deal.
NOTHING_MADE = dict.fromkeys(("blank", *NAMES, "tricks", "bonus", "beside"), 0)
#: How its height is told.
NOUGHT_AS_TOP = "nought"


class Refused(Exception):
    """An act breaks a rule."""


class Over(Exception):
    """The game has been won in the middle of an act: nothing more is scored."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def both(what):
    return {"A": deepcopy(what), "B": deepcopy(what)}


def elder(game):
    return other(game["dealer"])


# ---- The score -------------------------------------------------------------------------------------------------------


def add(game, seat, points, cause):
    """Score points under a heading; up to a target, play ceases the moment it is reached."""
    game["score"][seat] += points
    game["made_of"][seat][cause] += points
    if game["ruleset"] == SAUNT and game["score"][seat] >= TARGET:
        game.update(phase="over", game_won_by=seat, settled={"winner": seat, "points": None})
        raise Over


def counted(game, seat):
    """Return what a player has scored by the blank and by each class, in the order in which they count."""
    return [game["made_of"][seat][cause] for cause in ("blank", *NAMES)]


def made(game, seat):
    """Return all that counts for a pique of what a player has scored in this deal."""
    return sum(points for cause, points in game["made_of"][seat].items() if cause != "beside")


def worth(meld, cards):
    return VOIDS[meld][1] if meld in VOIDS and not cards else piquet.worth(meld, cards)


def bars(game, seat, before):
    """Whether a player has anything that counts before a class; or may still score it, as younger may what is good."""
    to_come = seat == game["dealer"] and seat in game["called"]["decided"][: before - 1]
    return bool(sum(counted(game, seat)[:before])) or to_come


def add_repique(game, seat, had):
    """Add the bonus, when thirty are reached by combinations alone; `had` is what they came to before."""
    points = counted(game, seat)
    at = next((n for n in range(len(points)) if sum(points[: n + 1]) >= REPIQUE_AT), None)
    if had < REPIQUE_AT and at is not None and not bars(game, other(seat), at):
        add(game, seat, REPIQUE, "bonus")


def add_carte_rouge(game, seat):
    """Score, under an option, a hand every card of which has scored; it counts neither for a pique nor for a
    repique."""
    if len(game["hands"][seat]) == HAND and not game["rouge"][seat]:
        game["rouge"][seat] = True
        points = sum(piquet.CARTE_ROUGE.get(option, 0) for option in game["options"])
        add(game, seat, points, "beside")


def add_for_trick(game, seat, points):
    """Score points for tricks; with them elder may make a pique."""
    had = made(game, seat)
    add(game, seat, points, "tricks")
    if seat == elder(game) and had < PIQUE_AT <= made(game, seat) and not made(game, other(seat)):
        add(game, seat, PIQUE, "bonus")


# ---- Before the play -------------------------------------------------------------------------------------------------


def cut(game, cards):
    """Cut for the deal: the lower card deals; with equal ones the players cut again."""
    require(game["phase"] == "cut", "this is not the time to cut")
    first, second = map(place, cards)
    if first != second:
        seat = "A" if first < second else "B"
        game.update(phase="deal", turn=seat, dealer=seat)


def deal(game, by, deck, packets=None):
    """Deal twelve cards each, by two or by three throughout the partie; the other eight are the talon."""
    require(game["phase"] == "deal" and game["dealer"] == by, "it is not this player's deal")
    chosen = [size for size in game["packets"].values() if size]
    require(packets in (chosen or PACKETS), "the cards are dealt by two or by three, and as they were before")
    hands = both([])
    for index, card in enumerate(deck[: 2 * HAND]):
        hands[by if index // packets % 2 else other(by)].append(card)
    game["packets"][by] = packets
    game.update(hands=hands, stock=deck[2 * HAND :], trick=[], won=both([]), scored=both([]), discards=both([]))
    game.update(seen=both([]), blanks=both("unspoken"), made_of=both(NOTHING_MADE), deals=game["deals"] + 1)
    game["rouge"] = both(False)
    game.update(called={"decided": [], "announced": [], "count": 0, "height": "", "asked": False})
    game.update(phase="exchange", turn=other(by), leader=other(by))


def is_blank(game, seat):
    return game["blanks"][seat] == "unspoken" and not any(card[0] in COURTS for card in game["hands"][seat])


def announce_blank(game, by):
    """Announce a blank, before anything is exchanged. Elder shows it at once, younger later."""
    require(game["phase"] == "exchange" and game["turn"] == elder(game), "a blank is announced before the exchange")
    require(is_blank(game, by), "it is no blank, or was announced")
    game["blanks"][by] = "announced"
    if by == elder(game):
        show_blank(game, by)


def show_blank(game, by):
    game["blanks"][by] = "scored"
    see(game, other(by), game["hands"][by])
    add(game, by, piquet.BLANK, "blank")


def see(game, seat, cards):
    game["seen"][seat] += [card for card in cards if card not in game["seen"][seat]]


def may_prove(game, seat):
    """Whether younger may show the blank: between elder's exchange and younger's own."""
    waits = game["phase"] == "exchange" and game["turn"] == seat == game["dealer"]
    return waits and game["blanks"][seat] == "announced"


def prove(game, by):
    require(may_prove(game, by), "there is no blank to be shown now")
    show_blank(game, by)


def bounds(game, seat):
    """Return how many cards a player must and may exchange."""
    return (LEAST, MOST) if seat == elder(game) else (0, len(game["stock"]))


def discard(game, by, cards):
    require(game["phase"] == "exchange" and game["turn"] == by, "it is not this player's turn to exchange")
    require(set(cards) <= set(game["hands"][by]), "a card is not held")
    least, most = bounds(game, by)
    require(least <= len(cards) <= most, "too few cards, or too many")
    drawn, game["stock"] = game["stock"][: len(cards)], game["stock"][len(cards) :]
    game["hands"][by] = [card for card in game["hands"][by] if card not in cards] + drawn
    game["discards"][by] = list(cards)
    if by == elder(game):
        game["turn"] = game["dealer"]
    elif game["stock"]:
        game["phase"] = "choose"
    else:
        game.update(phase="announce", turn=elder(game))


def peep(game, by):
    """Let elder look at the cards of the five that were not drawn, until younger draws."""
    require(game["phase"] == "exchange" and game["turn"] == game["dealer"] and by == elder(game), "not now")
    left = game["stock"][: MOST - len(game["discards"][by])]
    require(not set(left) <= set(game["seen"][by]), "there is nothing to look at")
    see(game, by, left)


def choose(game, by, choice):
    """Let younger expose the cards that are left, or leave them for neither to see."""
    require(game["phase"] == "choose" and game["turn"] == by and choice in (EXPOSES, LEAVES), "that is not offered")
    for seat in "AB" if choice == EXPOSES else "":
        see(game, seat, game["stock"])
    game.update(phase="announce", turn=elder(game))


# ---- The calling -----------------------------------------------------------------------------------------------------


def being_called(game):
    return NAMES[len(game["called"]["decided"])]


def holdings(game, seat, name):
    return piquet.holdings(name, game["hands"][seat], game["options"])


def height(name, combination):
    """Return what tells combinations of as many cards apart, as it is announced."""
    if name == "point":
        return str(combination.strength[1])
    return RANKS[combination.strength[1]] if combination.cards else NOUGHT_AS_TOP


def strength(name, count, said):
    """Return what was announced, as combinations are compared; as long as the height is unknown none of as many beats
    it."""
    if not said:
        return count, max(len(RANKS), sum(PIPS.values())) + 1
    if said == NOUGHT_AS_TOP:
        return piquet.NOUGHTS[name][0].strength
    return count, int(said) if name == "point" else RANKS.index(said)


def sayings(game):
    """Return what elder may say now: how many cards (and of which rank, of a set), none at all, or the height asked
    for."""
    name, called = being_called(game), game["called"]
    held = [(each.strength[0], height(name, each)) for each in holdings(game, elder(game), name)]
    if called["asked"]:
        return {(None, said) for count, said in held if count == called["count"]}
    return {(0, "")} | {(count, said if name == "set" else "") for count, said in held}


def announce(game, by, **said):
    """Call the next class for elder; what is withheld is sunk."""
    if said["class"] == "blank":
        announce_blank(game, by)
        return
    require(game["phase"] == "announce" and game["turn"] == by == elder(game), "it is not this player's turn to call")
    require(said["class"] == being_called(game), "another class is called now")
    told = next((str(said[key]) for key in ("value", "top", "rank") if key in said), "")
    require((said.get("count"), told) in sayings(game), "that is not held, or not what is asked")
    called = game["called"]
    called.update(count=said.get("count", called["count"]), height=told)
    game["turn"] = game["dealer"]


def replies(game):
    """Return what younger may answer: good always, anything else if it is true."""
    name, called = being_called(game), game["called"]
    held = [each.strength for each in holdings(game, game["dealer"], name)]
    announced = strength(name, called["count"], called["height"])
    known = {"good"}
    known |= {"not-good"} if any(each > announced for each in held) else set()
    known |= {"equal"} if called["height"] and announced in held else set()
    as_many = called["count"] and any(each[0] == called["count"] for each in held)
    return known | ({QUESTIONS[name]} if as_many and name in QUESTIONS and not called["asked"] else set())


def answer_call(game, by, says):
    require(game["phase"] == "announce" and game["turn"] == by == game["dealer"], "nothing is to be answered")
    require(says in replies(game), "that is not so")
    called = game["called"]
    game["turn"] = elder(game)
    if says in QUESTIONS.values():
        called["asked"] = True
        return
    good = elder(game) if called["count"] else None
    called["decided"].append({"good": good, "not-good": by, "equal": None}[says])
    called["announced"].append({"count": called["count"], "height": called["height"]})
    called.update(count=0, height="", asked=False)
    if len(called["decided"]) == len(NAMES):
        game["phase"] = "play"


def open_classes(game, seat):
    """Return the classes of which a player may score now: elder of the last one settled, younger of all after the
    lead."""
    if "called" not in game:  # before the deal
        return []
    called = game["called"]
    own = [name for name, won_by in zip(NAMES, called["decided"], strict=False) if won_by == seat]
    if game["phase"] not in ("announce", "play") or game["turn"] != seat or game["won"]["A"] + game["won"]["B"]:
        return []
    if seat == game["dealer"]:
        return own if game["phase"] == "play" and len(game["trick"]) == 1 else []
    last = NAMES[len(called["decided"]) - 1] if called["decided"] and not called["asked"] else ""
    return [last] if last in own and not game["trick"] else []


def declarable(game, seat):
    """Return the combinations that may be scored now; the first of a class is the one that was announced, or a better
    one."""
    found = []
    for name in open_classes(game, seat):
        announced = game["called"]["announced"][NAMES.index(name)]
        call = strength(name, announced["count"], announced["height"])
        done = [each for each in game["scored"][seat] if CLASS_OF[each["meld"]] == name]
        spent = {card for each in done for card in each["cards"]}
        held = holdings(game, seat, name)
        voids = sum(not each.cards for each in held) > sum(not each["cards"] for each in done)
        for each in (each for number, each in enumerate(held) if each not in held[:number]):
            if (name == "point" and done) or spent.intersection(each.cards) or not (each.cards or voids):
                continue
            called = each.strength <= call if seat == elder(game) else done or each.strength > call
            as_said = each.strength[0] == call[0] and (not announced["height"] or each.strength == call)
            if called and (done or seat == game["dealer"] or as_said):
                found.append({"meld": each.name, "cards": each.cards})
    return found


def declare(game, by, meld, cards):
    named = [(each["meld"], set(each["cards"])) for each in declarable(game, by)]
    require((meld, set(cards)) in named, "that is not to be scored now")
    had = sum(counted(game, by))
    game["scored"][by].append({"meld": meld, "cards": list(cards)})
    add(game, by, worth(meld, cards), CLASS_OF[meld])
    add_repique(game, by, had)
    if {card for each in game["scored"][by] for card in each["cards"]}.issuperset(game["hands"][by]):
        add_carte_rouge(game, by)


# ---- The play --------------------------------------------------------------------------------------------------------


def playable(game, seat):
    """Return the cards that may be played: any card is led; the other follows suit if that can be."""
    if game["phase"] != "play" or game["turn"] != seat:
        return []
    hand = game["hands"][seat]
    return [card for card in hand if game["trick"] and card[1] == game["trick"][0][1]] or hand


def told(game, step):
    """Return the game as a question describes it: the hand, and what was led."""
    if "hand" not in step:
        return game
    return game | {"phase": "play", "turn": step["by"], "hands": {step["by"]: step["hand"]}, "trick": step["led"]}


def play(game, by, card):
    require(card in playable(game, by), "that card may not be played now")
    game["hands"][by].remove(card)
    game["trick"].append(card)
    if len(game["trick"]) == 1:
        game["turn"] = other(by)
        if TEN_FOR_THE_LAST not in game["options"]:
            add_for_trick(game, by, 1)
    else:
        end_trick(game)


def end_trick(game):
    flat = TEN_FOR_THE_LAST in game["options"]
    leader, trick = game["leader"], game["trick"]
    winner = piquet.trick_winner(leader, *trick)
    game["won"][winner] += trick
    game.update(trick=[], leader=winner, turn=winner, trick_won_by=winner)
    if flat or winner != leader:
        add_for_trick(game, winner, 1)
    if not game["hands"]["A"]:
        add_for_trick(game, winner, 10 if flat else 1)
        end_deal(game)


def end_deal(game):
    tricks = {seat: len(cards) // 2 for seat, cards in game["won"].items()}
    most = max(tricks, key=tricks.get)
    if not tricks[other(most)]:
        add(game, most, CAPOT, "bonus")
    elif tricks[most] > tricks[other(most)] and TEN_FOR_THE_LAST not in game["options"]:
        add(game, most, CARDS, "bonus")
    dealer = other(game["dealer"])
    game.update(phase="deal", turn=dealer, dealer=dealer)
    if game["ruleset"] != SAUNT:
        end_partie(game)


def end_partie(game):
    """End the partie after six deals; if the scores are equal two more are played."""
    game["deals_left"] -= 1
    if not game["deals_left"]:
        ended = piquet.settlement(game["score"], game["ruleset"])
        if ended["winner"]:
            game.update(phase="over", game_won_by=ended["winner"], settled=ended)
        else:
            game["deals_left"] = DEALS_FOR_A_TIE


# ---- What is open, and what is seen ----------------------------------------------------------------------------------


def legal_acts(game):
    """Return how many acts are open to the player whose turn it is; None if chance decides, or the game is over."""
    seat = game.get("turn")
    match game["phase"]:
        case "exchange":
            least, most = bounds(game, seat)
            ways = sum(comb(len(game["hands"][seat]), cards) for cards in range(least, most + 1))
            return ways + may_prove(game, seat) + (seat == elder(game) and is_blank(game, seat))
        case "choose":
            return 2
        case "announce":
            said = sayings(game) if seat == elder(game) else replies(game)
            return len(said) + len(declarable(game, seat))
        case "play":
            return len(playable(game, seat)) + len(declarable(game, seat))


def visible(game, seat):
    """Return the own hand, the trick, the own discards, and what has been seen."""
    cards = game["hands"][seat] + game["trick"] + game["discards"][seat] + game["seen"][seat]
    return list(dict.fromkeys(cards))


#: What is to be seen at the table and does not stand there in so many words.
SIGHTS = {"stock_left": lambda game: len(game["stock"]), "legal_acts": legal_acts, "trumps": lambda _: None}
SIGHTS["deals_left"] = lambda game: 0 if game["phase"] == "over" else game["deals_left"]
ACTS = {act.__name__: act for act in (cut, deal, prove, discard, peep, choose, announce, declare, play)}
ACTS |= {"answer": answer_call}
ASKED = {
    "playable": lambda game, step: playable(told(game, step), step["by"]),
    "declarable": lambda game, step: declarable(game, step["by"]),
    "visible": lambda game, step: visible(game, step["by"]),
}
EMPTY = {field: both([]) for field in ("hands", "won", "scored", "discards", "seen", "shown")}
EMPTY |= {
    "stock": [],
    "trick": [],
    "made_of": both(NOTHING_MADE),
    "packets": both(None),
    "rouge": both(False),
    "deals": 0,
}


def attempt(game, step, observe):
    """Take an act, or refuse it, and return what is seen after it."""
    game["trick_won_by"] = None
    observed = {"accepted": True}
    try:
        ACTS[step["do"]](game, **{field: value for field, value in step.items() if field != "do"})
    except Refused as refused:
        observed = {"accepted": False, "reason": str(refused)}
    except Over:
        pass
    return observed | {name: SIGHTS[name](game) if name in SIGHTS else game.get(name) for name in observe}


def observe(run):
    """Yield one observation for each step of a run."""
    game = deepcopy(EMPTY) | {"deals_left": 1 if run["ruleset"] == SAUNT else DEALS} | run["position"]
    game |= {"ruleset": run["ruleset"], "options": run["options"]}
    for step in run["steps"]:
        if step.get("do") in ACTS:
            yield deepcopy(attempt(game, step, run["observe"]))
        elif step.get("ask") in ASKED:
            yield {"answer": ASKED[step["ask"]](game, step)}
        else:
            yield from piquet_observe({**run, "steps": [step]})


piquet_observe, piquet_answer = piquet.observe, piquet.answer


def answer(message):
    """Return the response to one message of the protocol."""
    answered = piquet_answer(message)
    if message["type"] == "hello":
        answered["name"] = "example: piquet with a table"
        answered["claims"] += ["dealing", "legal-plays", "declarations", "talon", "calling"]
        answered["claims"] += ["score", "game", "table", "census"]
        answered["position"] = "any"
        answered["rulesets"] = piquet.PARLETTS
    return answered


piquet.observe, piquet.answer = observe, answer

if __name__ == "__main__":
    piquet.main()
