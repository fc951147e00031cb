"""An example adapter in Python: a little engine that plays Rubicon Bézique by the laws of 1887.

It plays the whole game for two, from the cut to the settlement, as Hoyle's Games Modernized prints it: the text, the
66 laws, and the ordinary game where these are silent. It is independent of the reference interpreter. Its table is
the position of the protocol, which every act that is allowed changes. Try it with::

    hoyle check -r rubicon-hoyle python workbench/adapters/python/rubicon.py
"""

import json
import sys
from copy import deepcopy
from itertools import combinations
from typing import NamedTuple

OTHER = {"A": "B", "B": "A"}
#: Lowest first, in cutting and in play (law 5).
RANKS = "789JQKTA"
COURTS, BRISQUES = set("KQJ"), set("AT")
#: Four packs; the first card of a face has no number (law 1).
PACK = {rank + suit + copy for rank in RANKS for suit in "CDHS" for copy in ("", "#2", "#3", "#4")}
HAND, PACKETS = 9, (1, 3)
#: What the one who cuts higher chooses between (law 6).
DEALS, LEAVES = "deals", "leaves-the-deal"
CARTE_BLANCHE, LAST_TRICK, BRISQUE = 50, 50, 10
#: With so few cards in the stock players may go through their own tricks (law 27).
STOCK_TO_LOOK = 12
RUBICON, GAME, RUBICON_GAME, HUNDRED = 1000, 500, 1300, 100


class Refused(Exception):
    """An act breaks a rule."""


class Meld(NamedTuple):
    """Of two combinations of one family, that of the greater degree is superior; `trumps` is None where it is free."""

    family: str
    degree: int
    points: int
    ranks: str
    trumps: bool | None = None


#: The combinations (law 40). There is no more to a set than its ranks; béziques are told apart by their degree.
MELDS = {
    "common-marriage": Meld("marriage", 1, 20, "KQ", trumps=False),
    "royal-marriage": Meld("marriage", 1, 40, "KQ", trumps=True),
    "plain-sequence": Meld("marriage", 2, 150, "ATKQJ", trumps=False),
    "sequence": Meld("marriage", 2, 250, "ATKQJ", trumps=True),
    "bezique": Meld("bezique", 1, 40, "QJ"),
    "double-bezique": Meld("bezique", 2, 500, "QJQJ"),
    "treble-bezique": Meld("bezique", 3, 1500, "QJQJQJ"),
    "quadruple-bezique": Meld("bezique", 4, 4500, "QJQJQJQJ"),
    "four-knaves": Meld("knaves", 1, 40, "JJJJ"),
    "four-queens": Meld("queens", 1, 60, "QQQQ"),
    "four-kings": Meld("kings", 1, 80, "KKKK"),
    "four-aces": Meld("aces", 1, 100, "AAAA"),
}
BEZIQUE = {"QS", "JD"}


def require(condition, reason):
    if not condition:
        raise Refused(reason)


# ---- Tricks ----------------------------------------------------------------------------------------------------------


def beats(card, led, trumps):
    """Whether the second card takes the trick: higher in its suit, or a trump on a plain card. Of equals the first."""
    if card[1] == led[1]:
        return RANKS.index(card[0]) > RANKS.index(led[0])
    return card[1] == trumps


def winner(leader, cards, trumps):
    """Return the player who wins a trick of two cards."""
    return OTHER[leader] if beats(cards[1], cards[0], trumps) else leader


def playable(game, seat):
    """Return the cards that may be played: any while there is a stock; in the last nine tricks one of the suit led, and
    one that wins (law 55)."""
    if game["phase"] != "play" or game["turn"] != seat:
        return []
    hand = game["hands"][seat]
    if game["stock"] or not game["trick"]:
        return hand
    led = game["trick"][0]
    following = [card for card in hand if card[1] == led[1]]
    winning = [card for card in following or hand if beats(card, led, game["trumps"])]
    return winning or following or hand


def counted(cards):
    """Return what the brisques among these cards come to (law 56)."""
    return BRISQUE * sum(card[0] in BRISQUES for card in cards)


# ---- Combinations ----------------------------------------------------------------------------------------------------


def worth(name, cards, trumps):
    """Return what these cards score by this name; while there are no trumps, any suit does for a combination in
    trumps."""
    meld = MELDS.get(name)
    if not meld or sorted(card[0] for card in cards) != sorted(meld.ranks):
        return 0
    faces, suits = {card[:2] for card in cards}, {card[1] for card in cards}
    in_trumps = trumps is None or trumps in suits
    formed = {"bezique": faces == BEZIQUE, "marriage": len(suits) == 1 and meld.trumps == in_trumps}
    return meld.points if formed.get(meld.family, True) else 0


def bars(done, name, cards):
    """Whether a combination that was scored stands in the way of another one of its family.

    A card scored in a superior combination cannot serve in an inferior one (laws 37 and 38). A combination of the
    same degree scores again with other cards, however few of them are others, but not with the very same.
    """
    before, now = MELDS[done["meld"]], MELDS[name]
    enough = 1 if before.degree > now.degree else len(cards)
    shared = len(set(done["cards"]) & set(cards))
    return before.family == now.family and before.degree >= now.degree and shared >= enough


def is_free(game, seat, name, cards):
    """Whether nothing that the player has scored stands in the way."""
    return not any(bars(done, name, cards) for done in game["scored"][seat])


def may_declare(game, seat):
    """Whether the player may declare: only the winner of a trick does, before drawing (law 42)."""
    return game["phase"] == "declare" and game["turn"] == seat


def declarable(game, seat):
    """Return the combinations that may be scored now; of those with like cards one is enough."""
    if not may_declare(game, seat) or game["combinations_since_trick"]:
        return []
    found = {(name, *faces(cards)): {"meld": name, "cards": cards} for name, cards in formed(game, seat)}
    return list(found.values())


def holdable(game, seat):
    """Return what could be laid down beside what has been scored, but for what is kept to score already."""
    if not may_declare(game, seat) or not game["combinations_since_trick"]:
        return set()
    return {(name, *faces(cards)) for name, cards in formed(game, seat) if (name, set(cards)) not in kept(game, seat)}


def formed(game, seat):
    """Yield all that the hand holds and nothing bars, with its very cards."""
    for name, meld in MELDS.items():
        for cards in combinations(game["hands"][seat], len(meld.ranks)):
            if worth(name, cards, game["trumps"]) and is_free(game, seat, name, cards):
                yield name, list(cards)


def kept(game, seat):
    return [(each["meld"], set(each["cards"])) for each in game["kept"][seat]]


def faces(cards):
    return sorted(card[:2] for card in cards)


def lay_down(game, seat, name, cards):
    """Lay a combination on the table, if it may be declared."""
    require(may_declare(game, seat), "only the winner of a trick declares, before drawing")
    require(set(cards) <= set(game["hands"][seat]), "a card of it is not held")
    require(worth(name, cards, game["trumps"]), "these cards are not that")
    require(is_free(game, seat, name, cards), "it has scored, or a card of it in something superior")
    game["shown"][seat] += [card for card in cards if card not in game["shown"][seat]]


def declare(game, by, meld, cards):
    """Score one combination (law 43); the first marriage or sequence makes trumps (law 41)."""
    require(not game["combinations_since_trick"], "one declaration is scored at a time")
    lay_down(game, by, meld, cards)
    game["score"][by] += worth(meld, cards, game["trumps"])
    game["combinations_since_trick"] += 1
    game["scored"][by].append({"meld": meld, "cards": cards})
    drop(game, by, lambda each: (each["meld"], set(each["cards"])) == (meld, set(cards)))
    if MELDS[meld].trumps and game["trumps"] is None:
        game["trumps"] = cards[0][1]


def hold(game, by, meld, cards):
    """Lay down another combination, "to score" after a later trick (law 44); it is then scored like any other. What
    waits is announced again after every trick (law 45)."""
    require(may_declare(game, by), "only the winner of a trick announces, before drawing")
    if (meld, set(cards)) in kept(game, by):
        return
    require(game["combinations_since_trick"], "a combination is kept beside one that is scored")
    lay_down(game, by, meld, cards)
    if (meld, set(cards)) not in kept(game, by):
        game["kept"][by].append({"meld": meld, "cards": cards})


def drop(game, by, gone):
    """Score what a player keeps to score, or lose it (law 46)."""
    game["kept"][by] = [each for each in game["kept"][by] if not gone(each)]


def is_blank(game, by):
    """Whether the hand holds no court card, and has something new to show."""
    new = game.get("blanks", {}).get(by) in ("unspoken", "drawn")  # nothing is known before the deal
    return new and bool(game["stock"]) and not any(card[0] in COURTS for card in game["hands"][by])


def carte_blanche(game, by):
    """Score a hand without a court card before playing from it, and then each card drawn that leaves it so."""
    require(is_blank(game, by), "nothing new is to be shown, the hand holds a court card, or the stock is exhausted")
    game["blanks"][by] = "scored"
    game["score"][by] += CARTE_BLANCHE


# ---- The settlement --------------------------------------------------------------------------------------------------


def ending(score, brisques):
    """Return the winner, the points won, and the scores: with the brisques if these decide or save the rubicon."""
    total = {seat: score[seat] + brisques.get(seat, 0) for seat in OTHER}
    level = score["A"] == score["B"]
    if level and total["A"] == total["B"]:
        return None, None, total  # null and void (law 61)
    won_by = max(OTHER, key=(total if level else score).get)
    lost_by = OTHER[won_by]
    if total[lost_by] < RUBICON:  # laws 58 and 59
        points = hundreds(score[won_by]) + max(hundreds(score[lost_by]), HUNDRED)
        return won_by, points + RUBICON_GAME, score
    final = total if level or score[lost_by] < RUBICON else score  # laws 60 and 61, or 57 alone
    points = max(hundreds(final[won_by]) - hundreds(final[lost_by]), HUNDRED)
    return won_by, points + GAME, final


def hundreds(points):
    """Drop fractions of a hundred."""
    return points - points % HUNDRED


def settlement(score, brisques):
    won_by, points, _ = ending(score, brisques)
    return {"winner": won_by, "points": points}


def end_game(game):
    """Score the last trick (law 53), and settle."""
    game["score"][game["leader"]] += LAST_TRICK
    settle(game)


def settle(game):
    brisques = {seat: counted(cards) for seat, cards in game["won"].items()}
    won_by, points, score = ending(game["score"], brisques)
    game.update(phase="over", game_won_by=won_by, settled=points, score=score)


# ---- The course of the game ------------------------------------------------------------------------------------------


def cut(game, cards):
    """Cut for the deal: the higher card has the choice (law 6); with equal ones the players cut again."""
    require(game["phase"] == "cut", "this is not the time to cut")
    first, second = (RANKS.index(card[0]) for card in cards)
    if first != second:
        game.update(phase="choose", turn="A" if first > second else "B")


def choose(game, by, choice):
    offered = (DEALS, LEAVES) if game["phase"] == "choose" and game["turn"] == by else ()
    require(choice in offered, "that is not offered")
    dealer = by if choice == DEALS else OTHER[by]
    game.update(phase="deal", turn=dealer, dealer=dealer)


def deal(game, by, deck, packets=None):
    """Deal nine cards each, by one or by three, the adversary first; the rest is the stock (law 10)."""
    require(game["phase"] == "deal" and game["turn"] == by, "it is not this player's deal")
    require(packets in PACKETS, "the cards are dealt by one or by three")
    require(len(deck) == len(PACK) and set(deck) == PACK, "the pack is not correct")
    eldest = OTHER[by]
    hands = {"A": [], "B": []}
    for index, card in enumerate(deck[: 2 * HAND]):
        hands[by if index // packets % 2 else eldest].append(card)
    game.update(
        hands=hands, stock=deck[2 * HAND :], turn_up=None, scored={"A": [], "B": []}, combinations_since_trick=0
    )
    game["kept"] = {"A": [], "B": []}
    game.update(phase="play", turn=eldest, leader=eldest, blanks=dict.fromkeys(OTHER, "unspoken"))


def play(game, by, card):
    """Play a card. A carte blanche that has not been shown before is lost."""
    require(card in playable(game, by), "that card may not be played now")
    put_down(game, by, card)
    if is_played_out(game):
        end_game(game)


def put_down(game, by, card):
    """Carry out what is played, whether it was allowed or not."""
    game["hands"][by].remove(card)
    game["shown"][by] = [each for each in game["shown"][by] if each != card]
    drop(game, by, lambda each: card in each["cards"])
    state = game["blanks"][by]
    game["blanks"][by] = {"unspoken": "over", "drawn": "scored"}.get(state, state)
    game["trick"].append(card)
    if len(game["trick"]) < len(OTHER):
        game["turn"] = OTHER[by]
    else:
        end_trick(game)


def end_trick(game):
    """Give the trick to its winner, who next declares or draws, or leads when there is no stock left."""
    won_by = winner(game["leader"], game["trick"], game["trumps"])
    game["won"][won_by] += game["trick"]
    game["heap"] += game["trick"]
    if counted(game["trick"]):
        take_up_heap(game, won_by)
    game.update(trick=[], leader=won_by, turn=won_by, trick_won_by=won_by, combinations_since_trick=0)
    if game["stock"]:
        game["phase"] = "declare"


def take_up_heap(game, by):
    """Take up all the cards that lie open (law 25); another player's brisques are among them only against that law."""
    left = [card for card in game["won"][OTHER[by]] if card in game["heap"]] if counted(game["heap"]) else []
    game["won"][OTHER[by]] = [card for card in game["won"][OTHER[by]] if card not in left or not counted(left)]
    game["won"][by] += left if counted(left) else []
    game["heap"] = []


def is_played_out(game):
    return not (game["stock"] or game["trick"] or all(game["hands"].values()))


def draw(game, by):
    """Draw, the winner of the trick first; with the last card the table is cleared (law 33)."""
    require(game["phase"] in ("declare", "draw") and game["turn"] == by, "it is not this player's turn to draw")
    take(game, by)
    if game["phase"] == "declare":
        game.update(phase="draw", turn=OTHER[by])
    else:
        end_draw(game)


def take(game, by, place=0):
    """Take a card of the stock into the hand, the top one as a rule."""
    card = game["stock"].pop(place)
    game["hands"][by].append(card)
    if game["blanks"][by] == "scored":
        game["blanks"][by] = "over" if card[0] in COURTS else "drawn"
    return card


def end_draw(game):
    game.update(phase="play", turn=game["leader"])
    if not game["stock"]:
        game["shown"] = {"A": [], "B": []}


def legal_acts(game):
    """Return how many acts are open to the player whose turn it is, copies of a card alike; None in the cut and the
    deal, and when the game is over."""
    seat = game.get("turn")
    match game["phase"]:
        case "choose":
            return 2
        case "play":
            return len({card[:2] for card in playable(game, seat)}) + is_blank(game, seat)
        case "declare" | "draw":
            return 1 + len(declarable(game, seat)) + len(holdable(game, seat)) + is_blank(game, seat)


def visible(game, seat):
    """Return the own hand, what the adversary has declared, the trick, the tricks not turned yet, and at last one's
    own."""
    own = game["won"][seat] if len(game["stock"]) <= STOCK_TO_LOOK else []
    heap = [card for card in game["heap"] if card not in own]
    return game["hands"][seat] + game["shown"][OTHER[seat]] + game["trick"] + heap + own


# ---- The protocol ----------------------------------------------------------------------------------------------------


CLAIMS = ["dealing", "tricks", "legal-plays", "drawing", "melds", "declarations"]
CLAIMS += ["counting", "score", "game", "settling", "table", "census", "report"]
READY = {"type": "ready", "protocol": 1, "name": "example: rubicon", "version": "1.0", "language": "Python"}
READY |= {"rulesets": ["rubicon-hoyle"], "claims": CLAIMS, "position": "any"}
#: A table at which no card has been dealt.
EMPTY = {field: {"A": [], "B": []} for field in ("hands", "shown", "won")}
EMPTY |= {"stock": [], "trick": [], "heap": [], "trumps": None, "combinations_since_trick": 0}
#: The fields of an act, beside its name, are what its function takes.
ACTS = {act.__name__.replace("_", "-"): act for act in (cut, choose, deal, play, draw, declare, hold, carte_blanche)}
QUESTIONS = {
    "winner": lambda game, step: winner(step["by"], step["cards"], game["trumps"]),
    "playable": lambda game, step: playable(game, step["by"]),
    "worth": lambda game, step: worth(step["meld"], step["cards"], game["trumps"]),
    "declarable": lambda game, step: declarable(game, step["by"]),
    "counted": lambda _, step: counted(step["cards"]),
    "visible": lambda game, step: visible(game, step["by"]),
    "settlement": lambda _, step: settlement(step["score"], step.get("brisques", {})),
}


def told(game, step):
    """Return the game as a question describes it; all else is as on the table."""
    game = game | {"trumps": step.get("trumps", game.get("trumps"))}
    if "drawing" in step:
        game["stock"] = ["a card"] if step["drawing"] else []
    if "hand" in step:
        game |= {"phase": "play", "turn": step["by"], "hands": {step["by"]: step["hand"]}, "trick": step["led"]}
    return game


def lying(game):
    """Return where every card is; None before the deal."""
    return {field: game[field] for field in ("hands", "stock", "turn_up", "trick", "won")} if "leader" in game else None


def settled(game):
    over = game["phase"] == "over"
    return {"winner": game.get("game_won_by"), "points": game.get("settled")} if over else None


#: What is to be seen at the table and does not stand there in so many words.
SIGHTS = {
    "position": lying,
    "stock_left": lambda game: len(game["stock"]),
    "legal_acts": legal_acts,
    "settled": settled,
    "deals_left": lambda game: 0 if game["phase"] == "over" else 1,
}


def attempt(game, step, observe):
    """Take an act, or refuse it, and return what is seen after it."""
    game["trick_won_by"] = None
    try:
        ACTS[step["do"]](game, **{field: value for field, value in step.items() if field != "do"})
        observed = {"accepted": True}
    except Refused as refused:
        observed = {"accepted": False, "reason": str(refused)}
    return observed | {name: SIGHTS[name](game) if name in SIGHTS else game.get(name) for name in observe}


def run(message):
    """Yield one observation for each step."""
    game = deepcopy(EMPTY) | message["position"]
    for step in message["steps"]:
        if step.get("do") in ACTS:
            yield deepcopy(attempt(game, step, message["observe"]))
        elif step.get("ask") in QUESTIONS:
            yield deepcopy({"answer": QUESTIONS[step["ask"]](told(game, step), step)})
        else:
            yield {"unsupported": "this engine knows nothing of that"}


def answer(message):
    """Return the response to one message of the protocol."""
    if message["type"] == "hello":
        return READY
    return {"type": "observed", "seq": message["seq"], "steps": list(run(message))}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        print(json.dumps(answer(message)), flush=True)


if __name__ == "__main__":
    main()
