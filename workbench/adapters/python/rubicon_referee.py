"""An example adapter in Python: the engine of `rubicon.py`, with a referee for what goes wrong.

It carries out what is irregular, too, and rules on it by the laws of 1887, as Hoyle's Games Modernized prints them. By
most of them something is taken back, so the referee keeps the table as it was before. The acts, questions and sights of
the engine stand in registers, and those of the referee are entered there. Try it with::

    hoyle check -r rubicon-hoyle python workbench/adapters/python/rubicon_referee.py
"""

from copy import deepcopy
from typing import NamedTuple

import rubicon
from rubicon import HUNDRED, LAST_TRICK, MELDS, OTHER, RUBICON_GAME, STOCK_TO_LOOK, hundreds, require

#: Of the points of a player with too many cards no more is added to the other's (law 17).
MOST_ADDED = 900
FALSE = "scored-no-combination"
UPPER, LOWER = "upper-card", "lower-card"
#: The phases after which nothing is ruled on.
CLOSED = ("over", "void")


class Law(NamedTuple):
    """What follows, until when it can be pointed out, whose choice it is, and how many cards it concerns."""

    number: int
    choices: list[str]
    until: str
    chooses: str | None = None
    at_least: int = 0
    at_most: int = 999


#: What just happens.
HAPPENS = {
    "shuffled-below-the-table": Law(3, ["is-not-allowed"], "at-once"),
    "small-cut": Law(4, ["cut-again"], "at-once", at_most=4),
    "showed-two-in-cutting": Law(7, ["cut-again"], "at-once", at_least=2),
    "cut-from-an-incorrect-pack": Law(8, ["cut-stands"], "end-of-the-game"),
    "exposed-in-cutting": Law(9, ["cut-again"], "at-once"),
    "misdeal": Law(11, ["is-put-right", "stays-as-it-is"], "cards-are-taken-up", "non-dealer"),
    "exposed-in-dealing": Law(13, ["deal-stands", "deals-again"], "play-begins", "non-dealer"),
    "dealer-exposed-own-card": Law(13, ["deal-stands"], "play-begins"),
    "faced-card-in-the-pack": Law(14, ["deals-again"], "play-begins"),
    "faced-card-in-the-stock": Law(22, ["turned-face-down"], "end-of-the-deal"),
    "card-led-is-taken-up": Law(23, ["is-taken-up"], "card-is-played-to"),
    "card-played-is-taken-up": Law(23, ["is-taken-up"], "trick-is-turned-or-a-card-drawn"),
    "played-several-cards": Law(23, ["all-but-one-are-taken-up"], "at-once", at_least=2),
    "dropped-a-card": Law(23, ["is-taken-up"], "end-of-the-deal"),
    "tricks-left-open": Law(25, ["tricks-are-taken-up"], "end-of-the-deal"),
    "counted-brisques": Law(27, ["is-not-allowed"], "at-once", at_least=STOCK_TO_LOOK + 1),
    "score-mismarked": Law(51, ["is-corrected"], "end-of-the-game"),
    "incorrect-pack": Law(62, ["deal-is-void"], "end-of-the-deal"),
    "cards-on-the-floor": Law(63, ["deal-stands"], "end-of-the-deal"),
    "fresh-cards": Law(64, ["fresh-packs"], "pack-is-cut"),
    "torn-cards": Law(65, ["cards-are-replaced", "fresh-packs"], "end-of-the-game"),
    "bystander-speaks": Law(66, ["pays-the-stakes", "no-penalty"], "end-of-the-game", "other"),
}
#: What is found by counting the cards in the hands.
COUNTED = {
    "too-many-dealt": Law(12, ["deals-again"], "dealer-plays"),
    "too-few-dealt": Law(12, ["hand-is-completed", "deals-again"], "dealer-plays", "both"),
    "too-many-cards": Law(17, ["is-rubiconed"], "end-of-the-game"),
    "both-too-many-cards": Law(18, ["game-is-void"], "end-of-the-game"),
    "too-few-cards": Law(19, ["last-trick-is-the-others"], "end-of-the-game"),
    "both-too-few-cards": Law(20, ["deal-stands"], "end-of-the-game"),
    "too-many-against-too-few": Law(21, ["is-rubiconed"], "end-of-the-game"),
}
#: What is done against a rule, and carried out.
DONE = {
    "no-card-drawn": Law(19, ["stays-as-it-is"], "end-of-the-deal"),
    "led-out-of-turn": Law(24, ["is-taken-up"], "card-is-played-to"),
    "winner-drew-two": Law(28, ["cards-are-shown"], "at-once"),
    "drew-out-of-turn": Law(29, ["cards-are-shown"], "other-player-draws"),
    "loser-drew-two": Law(30, ["cards-are-chosen"], "at-once"),
    "saw-several": Law(31, ["cards-are-chosen"], "at-once"),
    FALSE: Law(50, ["score-is-taken-off"], "card-of-the-next-trick"),
    "revoke": Law(55, ["is-replayed"], "end-of-the-deal"),
}
LAWS = HAPPENS | COUNTED | DONE
#: Those of law 28, 30 and 31: which of them it is depends on who draws, and how many cards are seen.
SEEN_IN_DRAWING = ("winner-drew-two", "loser-drew-two", "saw-several")

#: What the referee knows beside the table: how many cards a player has too many; whose hand lies as it was dealt; who
#: has seen which cards; what can be claimed, and the last card played; who was found with too many cards, or too few;
#: how many cards of the stock were seen, and by whom; whether the loser has drawn first, and who must show the next
#: card; who is asked what; and the odd card.
WATCHED = {"surplus": {"A": 0, "B": 0}, "untouched": {"A": False, "B": False}, "seen": {"A": [], "B": []}}
WATCHED |= {"errors": [], "last_play": None, "counted": (None, [], []), "ahead": 0, "seen_by": None, "early": False}
WATCHED |= {"shows_next": None, "asked": None, "undrawn": []}


# ---- What the referee sees -------------------------------------------------------------------------------------------


def has_begun(game, seats=OTHER):
    """Whether a card has been played, by one of these players."""
    return any(game["won"].values()) or bool(game["trick"] and game["leader"] in seats)


def many_and_few(game):
    """Return the players who have too many cards, and those who have too few."""
    surplus = game["surplus"]
    return [seat for seat in OTHER if surplus[seat] > 0], [seat for seat in OTHER if surplus[seat] < 0]


def miscounted(game):
    """Return the irregularity that the numbers of cards are; until the dealer has played it is one of the deal (law
    12)."""
    many, few = many_and_few(game)
    if not has_begun(game, game["dealer"]):
        return "too-many-dealt" if many else "too-few-dealt" if few else None
    if many and few:
        return "too-many-against-too-few"
    word = "too-many-cards" if many else "too-few-cards" if few else None
    return f"both-{word}" if len(many + few) > 1 else word


def may_happen(game, by, irregularity, cards):
    """Whether it is the time, and the law, for what is said to have happened."""
    if irregularity == "fresh-cards":
        return game["phase"] in ("cut", "choose", "deal")  # before the pack is cut to the dealer
    if irregularity in ("exposed-in-dealing", "dealer-exposed-own-card"):
        others = [card for card in cards if card not in game["hands"][by]]
        is_it = not cards or bool(others) == (irregularity == "exposed-in-dealing")
        return by == game["dealer"] and not has_begun(game) and is_it
    if irregularity == "faced-card-in-the-stock":
        return has_begun(game)  # else it is one in the pack (law 14)
    last_by = game["last_play"] and game["last_play"]["by"] == by
    times = {
        "play-begins": not has_begun(game),
        "cards-are-taken-up": all(game["untouched"].values()) and not has_begun(game),
        "card-is-played-to": last_by and game["trick"] and not game["last_play"]["irregularity"],  # else by law 24
        "trick-is-turned-or-a-card-drawn": last_by and not game["trick"] and game["heap"],
    }
    return times.get(LAWS[irregularity].until, True)


def see(game, seat, cards):
    game["seen"][seat] += [card for card in cards if card not in game["seen"][seat]]


def visible(game, seat):
    """Return what is visible; what was seen once is known as long as it is where it was, or in the other player's
    hand."""
    open_cards = rubicon.visible(game, seat)
    hidden = game["hands"][OTHER[seat]] + game["stock"] + game["undrawn"]
    return open_cards + [card for card in game["seen"][seat] if card in hidden and card not in open_cards]


# ---- Rulings ---------------------------------------------------------------------------------------------------------


def choosers(game, law, by):
    """Return who is asked, in turn; of two who must agree first the one who has pointed it out."""
    asked = {"both": [by, OTHER[by]], "other": [OTHER[by]], "non-dealer": [OTHER.get(game["dealer"])]}
    return asked.get(law.chooses, [])


def ruling(game, by, irregularity, count=None):
    law = LAWS.get(irregularity)
    if not law or (count is not None and not law.at_least <= count <= law.at_most):
        return None
    if irregularity in SEEN_IN_DRAWING and count is not None and seen_in_drawing(game, by, count) != irregularity:
        return None
    chooses = "both" if law.chooses == "both" else next(iter(choosers(game, law, by)), None)
    return {"chooses": chooses, "choices": law.choices, "until": law.until}


def rule(game, irregularity, error):
    """Put the choice before whoever has it, or else do what follows."""
    law = LAWS[irregularity]
    seats = choosers(game, law, error["by"])
    if seats:
        ask(game, seats, law.choices)
    else:
        follow(game, law.choices[0], error)


def ask(game, seats, choices):
    game["asked"] = {"seats": seats, "choices": choices, "phase": game["phase"], "turn": game["turn"]}
    game.update(phase="choose", turn=seats[0])


def choose(game, by, choice):
    asked = game["asked"]
    if not asked:
        rubicon.choose(game, by, choice)
        return
    require(by == asked["seats"][0] and choice in asked["choices"], "that is not this player's to choose")
    game.update(asked=None, phase=asked["phase"], turn=asked["turn"])
    if choice == "hand-is-completed" and asked["seats"][1:]:
        ask(game, asked["seats"][1:], asked["choices"])  # by mutual agreement (law 12)
    else:
        follow(game, choice, {"by": by})


def choices(game):
    if game["asked"]:
        return game["asked"]["choices"]
    return [rubicon.DEALS, rubicon.LEAVES] if game["phase"] == "choose" else []


def follow(game, choice, error):
    """Do what follows; of most words nothing does that changes the table."""
    if choice in EFFECTS:
        EFFECTS[choice](game, error)


def gather(game, phase):
    """Take the cards together, to deal again or not. What was scored in a deal that is none goes with them: all, in a
    game of one deal."""
    game.pop("leader", None)
    game.update(deepcopy(rubicon.EMPTY), phase=phase, turn=game["dealer"], score=dict.fromkeys(OTHER, 0))


def complete_hands(game):
    for seat in many_and_few(game)[1]:
        for _ in range(-game["surplus"][seat]):
            rubicon.take(game, seat)
        game["surplus"][seat] = 0


def take_back(game, error):
    """Put the table back as it was before a card was played, if it was not just dropped. What was seen is known, and
    what was ruled on stays so. Where nobody has played to a lead, it is taken back alone (law 24)."""
    if error["irregularity"] == "led-out-of-turn":
        take_back_lead(game, error)
        return
    before = deepcopy(error.get("before", game))
    before["errors"] = [each for each in before["errors"] if each in game["errors"] or each["irregularity"] == FALSE]
    for seat, hand in before["hands"].items():
        see(game, OTHER[seat], [card for card in hand if card not in game["hands"][seat]])
    game.update(before | {field: game[field] for field in ("seen", "counted")})


def take_back_lead(game, error):
    """Take back a card led out of turn; what was scored since, and whatever was ruled on, stays so."""
    before = error["before"]
    see(game, OTHER[error["by"]], game["trick"])
    take_up(game, error["by"])
    game.update({field: before[field] for field in ("leader", "turn", "last_play", "combinations_since_trick")})


def take_up(game, by):
    """Take up the card that was led (laws 23 and 24), as if it had not been: it lies where it lay, what waits to be
    scored waits again, and a false score can still be taken off."""
    before = game["last_play"]["before"]
    game["errors"] += [error for error in before["errors"] if error["irregularity"] == FALSE]
    for field in ("shown", "kept", "blanks"):
        game[field][by] = before[field][by]
    game["hands"][by] += game["trick"]
    game.update(trick=[], turn=by, last_play=None)


def restore_card(game, error):
    """Put the card back that was drawn out of turn; the next one that is drawn will be shown (law 29)."""
    by, card = error["by"], error["card"]
    game["hands"][by].remove(card)
    game["stock"].insert(0, card)
    see(game, by, [card])
    game.update({field: error["before"][field] for field in ("blanks", "ahead")} | {"early": False, "shows_next": by})


def take_off_score(game, error):
    game["score"][error["by"]] -= error["points"]
    game["combinations_since_trick"] = 0


EFFECTS = {
    "deals-again": lambda game, _: gather(game, "deal"),
    "deal-is-void": lambda game, _: gather(game, "void"),
    "game-is-void": lambda game, _: game.update(phase="over", game_won_by=None, settled=None),
    "hand-is-completed": lambda game, _: complete_hands(game),
    "is-taken-up": take_back,
    "is-replayed": take_back,
    "score-is-taken-off": take_off_score,
    "cards-are-shown": restore_card,
    UPPER: lambda game, choice: draw_chosen(game, choice["by"], 0),
    LOWER: lambda game, choice: draw_chosen(game, choice["by"], 1),
}


# ---- Acts that are irregular -----------------------------------------------------------------------------------------


def remember(game, by, **about):
    """Store an error, or a card played, with the table before it, and the card played last before that."""
    last = game["last_play"]
    last = last and last | {"before": last["before"] | {"last_play": None}}
    return {"by": by, "before": deepcopy(game | {"last_play": last})} | about


def forget(game, *late):
    """Drop the errors that can no longer be claimed: pairs of an irregularity and a player."""
    game["errors"] = [error for error in game["errors"] if (error["irregularity"], error["by"]) not in late]


def play(game, by, card, irregular=None):
    """Play a card: against law 55, out of turn (law 24), or as is right."""
    right = card in rubicon.playable(game, by)
    held = game["phase"] == "play" and card in game["hands"][by]
    if irregular == "revoke":
        require(held and game["turn"] == by and not right, "that is no revoke")
    elif irregular == "led-out-of-turn":
        require(held and game["turn"] != by and not game["trick"], "that is no lead out of turn")
    else:
        require(right and not irregular, "that card may not be played now")
    other = OTHER[by]
    game["last_play"] = remember(game, by, irregularity=irregular)
    forget(game, (FALSE, by), (FALSE, other), ("led-out-of-turn", other))
    if irregular:
        game["errors"].append(game["last_play"])
    if not game["trick"]:
        game.update(leader=by, turn=by)
    game["untouched"][by] = False
    rubicon.put_down(game, by, card)
    if rubicon.is_played_out(game):
        end_game(game)


def seen_in_drawing(game, by, count):
    """Return the irregularity of drawing no card, or of seeing so many."""
    two = "winner-drew-two" if by == game.get("leader") else "loser-drew-two"
    return {0: "no-card-drawn", 1: None, 2: two}.get(count, "saw-several")


def draw(game, by, count=1, irregular=None):
    """Draw a card, or none, or see those under it, too. Who has the choice (laws 30 and 31) is asked first.

    There is a choice as long as a card is left of those that were seen, beyond the draw in which they were.
    """
    if irregular == "drew-out-of-turn":
        draw_early(game, by)
        return
    require(game["phase"] in ("declare", "draw") and game["turn"] == by, "it is not this player's turn to draw")
    require(count <= len(game["stock"]), "there are not so many")
    require(irregular == seen_in_drawing(game, by, count), "that is not what it is")
    if count == 1 and game["ahead"] > 0 and game["phase"] == "declare" and not game["early"]:
        see(game, OTHER[game["seen_by"]], game["stock"][:2])
        ask(game, [OTHER[game["seen_by"]]], [UPPER, LOWER])
        return
    forget(game, ("drew-out-of-turn", OTHER[by]))
    if count == 0:
        game["errors"].append(remember(game, by, irregularity=irregular))
        game["surplus"][by] -= 1
    else:
        take(game, by)
    see(game, by, game["stock"][: max(count - 1, 0)])
    if irregular == "winner-drew-two":
        see(game, OTHER[by], game["hands"][by][-1:])  # law 28
    elif count > 1:
        seen_before = game["ahead"] if game["seen_by"] == by else 0  # law 31: as long as any card seen is undrawn
        game.update(ahead=max(count - 1, seen_before), seen_by=by)
    if game["phase"] == "declare" and not game["early"]:
        game.update(phase="draw", turn=OTHER[by])
    else:
        end_draw(game)


def draw_early(game, by):
    """Draw for the loser before the winner, who may keep the card only when the winner has drawn too (law 29)."""
    require(game["phase"] == "declare" and game["turn"] != by and not game["early"], "that is not out of turn")
    error = remember(game, by, irregularity="drew-out-of-turn", card=game["stock"][0])
    take(game, by)
    game["early"] = True
    game["errors"].append(error)


def draw_chosen(game, by, place):
    """Draw the card that a player has chosen, and let the other draw what is left."""
    take(game, by, place)
    take(game, OTHER[by])
    end_draw(game)


def take(game, by, place=0):
    card = rubicon.take(game, by, place)
    game.update(ahead=game["ahead"] - 1, last_play=None)
    if game["shows_next"] == by:
        see(game, OTHER[by], [card])
        game["shows_next"] = None


def end_draw(game):
    """End a round of draws. When only an odd card is left it is not drawn (law 32), and the last tricks begin."""
    game["early"] = False
    if len(game["stock"]) == 1:
        game["undrawn"] = [game["stock"].pop()]
    rubicon.end_draw(game)


def declare(game, by, meld, cards, irregular=None):
    """Score a combination, or what is none (law 50)."""
    if not irregular:
        rubicon.declare(game, by, meld, cards)
        return
    require(irregular == FALSE and meld in MELDS, "that is another irregularity")
    require(not rubicon.worth(meld, cards, game["trumps"]), "it is a combination")
    require(rubicon.may_declare(game, by) and not game["combinations_since_trick"], "nothing is scored now")
    require(set(cards) <= set(game["hands"][by]), "a card of it is not held")
    points = MELDS[meld].points
    game["errors"].append(remember(game, by, irregularity=irregular, points=points))
    game["shown"][by] += [card for card in cards if card not in game["shown"][by]]
    game["score"][by] += points
    game["combinations_since_trick"] += 1


def deal(game, by, deck, packets=None):
    rubicon.deal(game, by, deck, packets)
    game["untouched"] = dict.fromkeys(OTHER, True)


def mishap(game, by, irregularity, cards=()):
    """Carry out what happens without an act: the cards are seen by whoever does not hold them."""
    require(game["phase"] not in (*CLOSED, "cut", "deal") and not game["asked"], "it is too late, or too early")
    require(irregularity in HAPPENS, "that does not just happen")
    require(may_happen(game, by, irregularity, cards), "it is too late, or another law's")
    for seat in OTHER:
        see(game, seat, [card for card in cards if card not in game["hands"][seat]])
    if irregularity == "card-led-is-taken-up":
        take_up(game, by)
    else:
        rule(game, irregularity, game["last_play"] if irregularity == "card-played-is-taken-up" else {"by": by})


def claim(game, by, irregularity):
    """Point something out: the last error of the other player, or else the last of one's own."""
    require(game["phase"] not in CLOSED and not game["asked"], "it is too late, or too early")
    if irregularity == "tricks-left-open":
        require(rubicon.counted([card for card in game["won"][OTHER[by]] if card in game["heap"]]), "none is open")
        require(game["leader"] == by, "a trick must be won first")
        rubicon.take_up_heap(game, by)
        return
    if irregularity in COUNTED:
        require(miscounted(game) == irregularity != game["counted"][0], "the cards are not so")
        game["counted"] = (irregularity, *many_and_few(game))
        error = {"by": by}
    else:
        errors = [each for each in game["errors"] if each["irregularity"] == irregularity]
        error = max(reversed(errors), key=lambda each: each["by"] != by, default=None)
        require(error, "there is nothing of that, or it is too late")
        game["errors"].remove(error)
    rule(game, irregularity, error)


def end_game(game):
    """Score the last trick and settle, as far as it was pointed out by the law on the number of cards."""
    found, many, few = game["counted"]
    score = game["score"]
    if found != "too-many-against-too-few":  # law 21
        taker = OTHER[few[0]] if found == "too-few-cards" else game["leader"]  # law 19
        score[taker] += LAST_TRICK
        game["won"][taker] += game["hands"][taker]  # the cards left against a short hand
        game["hands"][taker] = []
    if found in ("too-many-cards", "too-many-against-too-few"):
        won_by, added = OTHER[many[0]], max(hundreds(score[many[0]]), HUNDRED)  # law 59
        points = hundreds(score[won_by]) + min(added, MOST_ADDED) + RUBICON_GAME
        game.update(phase="over", game_won_by=won_by, settled=points)
    else:
        rubicon.settle(game)


# ---- The protocol ----------------------------------------------------------------------------------------------------


def lying(game):
    cards = rubicon.lying(game)
    return cards and cards | {"undrawn": game["undrawn"]}


rubicon.READY["name"] = "example: rubicon with a referee"
rubicon.CLAIMS += ["irregularities", "choose-rest"]  # there is nothing to choose of that, and it says so
rubicon.EMPTY.update(WATCHED)
rubicon.ACTS.update({act.__name__: act for act in (choose, deal, play, draw, declare, mishap, claim)})
rubicon.SIGHTS.update(
    position=lying, choices=choices, stock_left=lambda game: len(game["stock"]) + len(game["undrawn"])
)
rubicon.QUESTIONS.update(
    visible=lambda game, step: visible(game, step["by"]),
    ruling=lambda game, step: ruling(game, step["by"], step["irregularity"], step.get("count")),
)

if __name__ == "__main__":
    rubicon.main()
