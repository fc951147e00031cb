"""An example adapter in Python: an engine for Bézique for two, written from Bicycle's page on the game alone.

It plays from any position or from the cut. The position of the protocol is the engine's only state. Each act is a
function that changes it or raises `Refused`. Try it with::

    hoyle check -r bezique-bicycle python workbench/adapters/python/bezique_bicycle.py
"""

import json
import sys
from copy import deepcopy
from itertools import combinations, product

OTHER = {"A": "B", "B": "A"}
RANKS = "789JQKTA"
SUITS = "CDHS"
PACK = sorted(rank + suit + copy for suit in SUITS for rank in RANKS for copy in ("", "#2"))
PACKETS = (3, 2, 3)
HAND_SIZE = 8

#: What each combination scores.
POINTS = {
    "common-marriage": 20,
    "royal-marriage": 40,
    "sequence": 250,
    "bezique": 40,
    "double-bezique": 500,
    "four-queens": 60,
    "four-aces": 100,
    "four-knaves": 40,
    "four-kings": 80,
}
FOURS = {"four-aces": "A", "four-kings": "K", "four-queens": "Q", "four-knaves": "J"}
BEZIQUE = ["QS", "JD"]
MARRIAGE_RANKS, SEQUENCE_RANKS = "KQ", "ATKQJ"
#: The combinations that count nothing once the greater one has been declared at once.
LESSER = {"royal-marriage": "sequence", "bezique": "double-bezique"}

SEVEN, BRISQUE, LAST_TRICK = 10, 10, 10
#: With so many cards face down in the stock the winner of a trick may declare no more.
TOO_FEW_TO_DECLARE = 1

#: The page names no penalty for a revoke.
RULINGS = {"revoke": {"chooses": None, "choices": ["stays-as-it-is"], "until": "end-of-the-deal"}}


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
    fields = {"hands": each([]), "stock": [], "turn_up": None, "trumps": None, "trick": [], "won": each([])}
    fields |= {"shown": each([]), "scored": each([]), "kept": each([]), "claimed": [], "errors": []}
    return fields | {"combinations_since_trick": 0, "sevens_since_trick": 0}


# ---- The cards -------------------------------------------------------------------------------------------------------


def face(card):
    return card[:2]


def faces(cards):
    return sorted(map(face, cards))


def height(card):
    return RANKS.index(card[0])


def beats(card, led, trumps):
    """Tell whether the second card wins the trick; of two identical cards the first does."""
    return height(card) > height(led) if card[1] == led[1] else card[1] == trumps


def trick_winner(leader, cards, trumps):
    first, second = cards
    return OTHER[leader] if beats(second, first, trumps) else leader


def answering(hand, led, trumps, drawing):
    """Return the cards that may be played to these: any while cards are drawn; then suit, and to win, if possible."""
    if drawing or not led:
        return list(hand)
    following = [card for card in hand if card[1] == led[0][1]]
    winning = [card for card in following or hand if beats(card, led[0], trumps)]
    return winning or following or list(hand)


def counted(cards):
    return BRISQUE * sum(card[0] in "AT" for card in cards)


# ---- Combinations ----------------------------------------------------------------------------------------------------


def patterns(trumps):
    """Yield each combination of certain faces."""
    for suit in SUITS:
        yield "royal-marriage" if suit == trumps else "common-marriage", [rank + suit for rank in MARRIAGE_RANKS]
    if trumps:
        yield "sequence", [rank + trumps for rank in SEQUENCE_RANKS]
    yield "bezique", BEZIQUE


def formed(hand, trumps):
    """Yield every combination that a hand holds, with its name."""
    for name, wanted in patterns(trumps):
        for cards in product(*([card for card in hand if face(card) == one] for one in wanted)):
            yield name, list(cards)
    double = [card for card in hand if face(card) in BEZIQUE]
    if faces(double) == sorted(2 * BEZIQUE):
        yield "double-bezique", double
    for name, rank in FOURS.items():
        for cards in combinations([card for card in hand if card[0] == rank], 4):
            yield name, list(cards)


def worth(meld, cards, trumps):
    """Return what these cards score as this combination: 0 if they do not make it."""
    made = any(name == meld and len(cards) == len(found) for name, found in formed(cards, trumps))
    return POINTS[meld] if made else 0


def is_kept(game, seat, name, cards):
    return any(one["meld"] == name and set(one["cards"]) == set(cards) for one in game["kept"][seat])


def is_barred(game, seat, name, cards):
    """Tell whether a card has scored in a combination of this kind, or in a greater one that was declared at once."""
    kinds = [name] if is_kept(game, seat, name, cards) else [name, LESSER.get(name)]
    return any(done["meld"] in kinds and set(done["cards"]) & set(cards) for done in game["scored"][seat])


def may_declare(game, seat):
    """Tell whether a player has won a trick, and enough cards are left."""
    return game["phase"] == "declare" and seat == game["turn"] and len(game["stock"]) > TOO_FEW_TO_DECLARE


def may_score(game, seat):
    """Tell whether a player may score: once after each trick, and a seven is a declaration like the others."""
    nothing_yet = not game["combinations_since_trick"] and not game["sevens_since_trick"]
    return may_declare(game, seat) and nothing_yet


def open_to(game, seat):
    """Return the combinations that a hand holds and that may still score, each once, whatever copies make it."""
    found = {}
    for name, cards in formed(game["hands"][seat], game["trumps"]):
        if not is_barred(game, seat, name, cards):
            found.setdefault((name, *faces(cards)), {"meld": name, "cards": cards})
    return list(found.values())


def declarable(game, seat):
    return open_to(game, seat) if may_score(game, seat) else []


def lay(game, seat, cards):
    game["shown"][seat] += [card for card in cards if card not in game["shown"][seat]]


def require_open(game, by, meld, cards):
    require(all(card in game["hands"][by] for card in cards), "those cards are not held")
    require(worth(meld, cards, game["trumps"]), "those cards do not make that")
    require(not is_barred(game, by, meld, cards), "a card of these has scored so before")


def declare(game, by, meld, cards):
    require(may_score(game, by), "it is not the time to score")
    require_open(game, by, meld, cards)
    lay(game, by, cards)
    game["kept"][by] = [one for one in game["kept"][by] if one["meld"] != meld or set(one["cards"]) != set(cards)]
    game["scored"][by].append({"meld": meld, "cards": list(cards)})
    game["combinations_since_trick"] += 1
    game["score"][by] += POINTS[meld]


def may_hold(game, seat):
    """Tell whether a player may show more: only beside what has scored, for one declaration scores at once."""
    return may_declare(game, seat) and not may_score(game, seat)


def hold(game, by, meld, cards):
    """Show a combination, to score it after another trick."""
    require(may_hold(game, by), "it is not the time to show more")
    require_open(game, by, meld, cards)
    require(not is_kept(game, by, meld, cards), "that is kept already")
    lay(game, by, cards)
    game["kept"][by].append({"meld": meld, "cards": list(cards)})


def sevens(game, seat):
    """Return the sevens of trumps that a player may declare now, each once."""
    if not may_score(game, seat):
        return []
    held = [card for card in game["hands"][seat] if face(card) == f"7{game['trumps']}"]
    return [card for card in held if card not in game["claimed"]]


def score_seven(game, by, card):
    game["claimed"].append(card)
    game["sevens_since_trick"] += 1
    game["score"][by] += SEVEN


def exchange(game, by, card):
    require(card in sevens(game, by), "that cannot be exchanged now")
    hand = game["hands"][by]
    hand[hand.index(card)], game["turn_up"] = game["turn_up"], card
    score_seven(game, by, card)


def show(game, by, card):
    require(card in sevens(game, by), "that cannot be shown now")
    lay(game, by, [card])
    score_seven(game, by, card)


# ---- The deal --------------------------------------------------------------------------------------------------------


def cut(game, cards):
    """Let the players cut: the lower card deals; with equal cards they cut again."""
    require(game["phase"] == "cut", "it is not the time to cut")
    if height(cards[0]) != height(cards[1]):
        dealer = "A" if height(cards[0]) < height(cards[1]) else "B"
        game.update(phase="deal", dealer=dealer, turn=dealer)


def deal(game, by, deck, packets=None):
    require(game["phase"] == "deal" and by == game["dealer"], "it is not this player's time to deal")
    require(sorted(deck) == PACK and packets is None, "that is not the pack, or not how it is dealt")
    other, deck = OTHER[by], list(deck)
    game.update(clear_table(), phase="play", leader=other, turn=other)
    for size in PACKETS:
        for seat in (other, by):
            game["hands"][seat] += deck[:size]
            del deck[:size]
    game.update(turn_up=deck[0], trumps=deck[0][1], stock=deck[1:])
    if deck[0][0] == "7":
        game["claimed"].append(deck[0])
        game["score"][by] += SEVEN


# ---- The play --------------------------------------------------------------------------------------------------------


def is_drawing(game):
    return bool(game["stock"] or game["turn_up"])


def playable(game, seat):
    if game["phase"] != "play" or seat != game["turn"]:
        return []
    return answering(game["hands"][seat], game["trick"], game["trumps"], is_drawing(game))


def play(game, by, card, irregular=None):
    """Play a card, or revoke with it."""
    require(game["phase"] == "play" and by == game["turn"] and card in game["hands"][by], "it is not to be played")
    is_legal = card in playable(game, by)
    require(is_legal == (irregular is None), "suit must be followed" if not irregular else "that is no revoke")
    if irregular:
        done = {"by": by, "irregularity": irregular, "tricks": 0, "left": 0, "cards": [card], "meld": ""}
        game["errors"].append(done)
    game["hands"][by].remove(card)
    game["shown"][by] = [other for other in game["shown"][by] if other != card]
    game["kept"][by] = [one for one in game["kept"][by] if card not in one["cards"]]
    game["trick"].append(card)
    if len(game["trick"]) == 1:
        game.update(leader=by, turn=OTHER[by])
    else:
        end_trick(game)


def end_trick(game):
    winner = trick_winner(game["leader"], game["trick"], game["trumps"])
    game["won"][winner] += game["trick"]
    game.update(trick=[], trick_won_by=winner, leader=winner, turn=winner)
    game.update(combinations_since_trick=0, sevens_since_trick=0)
    if is_drawing(game):
        game["phase"] = "declare"
    elif not any(game["hands"].values()):
        end_deal(game)


def draw(game, by, count=1):
    """Draw a card, the winner of the trick first. The turn-up goes last, and then all cards are taken up."""
    require(game["phase"] in ("declare", "draw") and by == game["turn"] and count == 1, "there is nothing to draw")
    if game["stock"]:
        game["hands"][by].append(game["stock"].pop(0))
    else:
        game["hands"][by].append(game["turn_up"])
        game["turn_up"] = None
    if by == game["leader"]:
        game.update(phase="draw", turn=OTHER[by])
    else:
        game.update(phase="play", turn=game["leader"])
        if not is_drawing(game):
            game.update(shown=each([]), kept=each([]))


def target(game):
    """Return the points that end the game with the deal: any, where each deal is a game."""
    if "each-deal-a-game" in game["options"]:
        return 0
    return 1000 if "a-thousand" in game["options"] else 1500


def end_deal(game):
    """Count the brisques and the last trick, and end the game or pass the deal. Equal players play another deal."""
    score = game["score"]
    score[game["leader"]] += LAST_TRICK
    for seat in OTHER:
        score[seat] += counted(game["won"][seat])
    winner = settlement(score)["winner"]
    if winner and score[winner] >= target(game):
        game.update(phase="over", game_won_by=winner)
        return
    dealer = OTHER[game["dealer"]]
    game.update(phase="deal", dealer=dealer, turn=dealer, errors=[])


def settlement(score):
    """Return who wins with these scores: the higher. The page does not settle by points."""
    high = max(score.values())
    winners = [seat for seat in OTHER if score[seat] == high]
    return {"winner": winners[0] if len(winners) == 1 else None, "points": None}


def choose(*_, **__):
    """Refuse: the page leaves no choice to anybody."""
    require(False, "there is nothing to choose")


def claim(game, by, irregularity):
    """Point out a revoke, whoever has made it: it stays as it is."""
    require(by in OTHER, "only a player may claim")
    found = [done for done in game["errors"] if done["irregularity"] == irregularity]
    require(found and game["phase"] == "play", "there is nothing to claim")
    game["errors"].remove(found[0])


# ---- Questions -------------------------------------------------------------------------------------------------------


def visible(game, seat):
    """Return what a player may look at: the hand, and what is open on the table."""
    turn_up = [game["turn_up"]] if game["turn_up"] else []
    return list(dict.fromkeys(game["hands"][seat] + game["shown"][OTHER[seat]] + game["trick"] + turn_up))


def holdable(game, seat):
    """Return the combinations that a player may show to score them later, each once."""
    found = {}
    for name, cards in formed(game["hands"][seat], game["trumps"]) if may_hold(game, seat) else ():
        if not is_barred(game, seat, name, cards) and not is_kept(game, seat, name, cards):
            found[name, *faces(cards)] = cards
    return found


def legal_acts(game):
    """Return how many acts are open to the player whose turn it is."""
    seat, phase = game["turn"], game["phase"]
    if phase == "play":
        return len(set(map(face, playable(game, seat))))
    if phase in ("declare", "draw"):
        ways_of_a_seven = 2 if sevens(game, seat) else 0  # to be exchanged, and to be shown
        return len(declarable(game, seat)) + len(holdable(game, seat)) + ways_of_a_seven + 1
    return None


def told(game, step, field):
    """Return what a question says, or else what the position has."""
    return step.get(field, is_drawing(game) if field == "drawing" else game["trumps"])


def which_are_playable(game, step):
    if "hand" not in step:
        return playable(game, step["by"])
    return answering(step["hand"], step["led"], told(game, step, "trumps"), told(game, step, "drawing"))


# ---- The protocol ----------------------------------------------------------------------------------------------------

READY = {
    "type": "ready",
    "protocol": 1,
    "name": "example: bézique after Bicycle",
    "version": "1",
    "language": "Python",
    "rulesets": ["bezique-bicycle", "bezique-bicycle+a-thousand", "bezique-bicycle+each-deal-a-game"],
    "claims": [
        *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations", "seven", "counting"),
        *("score", "game", "settling", "table", "irregularities", "census", "report"),
    ],
    "position": "any",
}

ACTS = {act.__name__: act for act in (cut, choose, deal, play, declare, hold, exchange, show, draw, claim)}

QUESTIONS = {
    "winner": lambda game, step: trick_winner(step["by"], step["cards"], told(game, step, "trumps")),
    "playable": which_are_playable,
    "worth": lambda game, step: worth(step["meld"], step["cards"], told(game, step, "trumps")),
    "declarable": lambda game, step: declarable(game, step["by"]),
    "exchangeable": lambda game, step: sevens(game, step["by"]),
    "counted": lambda _, step: counted(step["cards"]),
    "visible": lambda game, step: visible(game, step["by"]),
    "settlement": lambda _, step: settlement(step["score"]),
    "ruling": lambda _, step: RULINGS.get(step["irregularity"]),
}


def lying(game):
    """Return where every card is; None before the first deal."""
    return {field: game[field] for field in ("hands", "stock", "turn_up", "trick", "won")} if "leader" in game else None


def settled(game):
    return {"winner": game.get("game_won_by"), "points": None} if game["phase"] == "over" else None


#: The observables that are no fields of the position, or not always.
SIGHTS = {
    "seen": lambda _: each([]),
    "stock_left": lambda game: len(game["stock"]),
    "deals_left": lambda game: 0 if game["phase"] == "over" else 1,
    "settled": settled,
    "choices": lambda _: [],
    "legal_acts": legal_acts,
    "position": lying,
}


def take(game, step, observe):
    """Take an act, or refuse it, and return what is seen after it."""
    before = deepcopy(game)
    game["trick_won_by"] = None
    try:
        require("irregular" not in step or step["do"] == "play", "nothing but a revoke is ruled on")
        ACTS[step["do"]](game, **{field: value for field, value in step.items() if field != "do"})
        seen = {"accepted": True}
    except Refused as refused:
        game.clear()
        game.update(before, trick_won_by=None)
        seen = {"accepted": False, "reason": str(refused)}
    return deepcopy(seen | {name: SIGHTS[name](game) if name in SIGHTS else game.get(name) for name in observe})


def run(message):
    """Yield what each step shows."""
    game = clear_table() | message["position"] | {"options": message["options"]}
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
