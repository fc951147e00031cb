"""Playing at the table: begin and continue games, choose opponents' acts, and explain acts. The page keeps the state of
the game, so every request contains it; recent games are cached."""

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

from hoyle._actions import Action
from hoyle._errors import HoyleError
from hoyle._game import Game
from hoyle._inside import act_of, machine_of, table_of
from hoyle._opponents import Greedy, Opponent, Searcher
from hoyle._recall import Recall, chosen
from hoyle_conformance.checks.setup.trace import TracedAct
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.actions import acts_of
from hoyle_conformance.web.explorer.answers import rules as rules_in_words
from hoyle_conformance.web.explorer.books import layout_for_books
from hoyle_conformance.web.explorer.game_state import CUT, DEAL, Games, GameState, States, apply, read_seed
from hoyle_conformance.web.explorer.layout import HOUSE, Answered, Request, Wrong
from hoyle_conformance.web.explorer.table_view import (
    DoneAct,
    done_act,
    is_quick,
    over,
    own_acts,
    shown_table,
    shows_no_hand,
    told,
    trick_won_by,
    waits_for,
)
from hoyle_conformance.web.explorer.walk import Stage
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import sentence
from hoyle_reference import CHANCE, Phase, Refusal
from hoyle_reference.acts import Announce, Discard, Draw, Play

#: The cards in a position for the books.
KNOWN: Final = "known"
ALL: Final = "all"
GREEDY: Final = "greedy"
SEARCH: Final = "search"
#: The number of deals of one pack in which a searching opponent tries its acts: usually, and at most.
_WORK: Final = 12
_MOST_WORK: Final = 128
_ANOTHER: Final = "Choose one of the acts offered."


class PlayRequests:
    """The answers to requests about games in play; each request contains its game."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self.states, self._games = States(suite), Games()
        self.answers: dict[str, Callable[[Request], Answered]] = {
            "play": self._play,
            "sees": self._sees,
            "opponent": self._opponent,
            "explain": self._explain,
            "books": self._books,
            "save": self._save,
        }

    # ---- continuing a game

    def _play(self, request: Request) -> Answered:
        state = self.states.read(request.get("game"))
        game = self._games.game(state)
        act = request.get("act")
        if act is None:
            return self._begun(state, request) if not state.acts else self._as_it_stands(state, game, request)
        if state.is_over(game):
            raise Wrong("The game is over.", "Begin a new game.")
        spelt = _chance_of(act)
        if spelt:
            return self._gone_on(state, spelt, request)
        action = _action(game, act)
        refusal = machine_of(game).check(act_of(action))
        if refusal is not None:
            return self._refused(state, game, action, refusal)
        return self._gone_on(state, str(action), request)

    def _begun(self, state: GameState, request: Request) -> Answered:
        """Return a new game after the cut, and after the first deal if nobody has a choice before it."""
        done: list[DoneAct] = []
        while (game := self._games.game(state)).is_chance_node() and not state.dealt:
            token = CUT if table_of(game).phase is Phase.CUT else DEAL
            state = self._done(state, token, done)
        return self._answer(state, game, request, done, [])

    def _as_it_stands(self, state: GameState, game: Game, request: Request) -> Answered:
        done: list[DoneAct] = []
        self._done(state.until(len(state.acts) - 1), state.acts[-1], done)
        return self._answer(state, game, request, done, [])

    def _gone_on(self, state: GameState, act: str, request: Request) -> Answered:
        """Return a game after an act, and after the draws in which nobody has a choice."""
        done: list[DoneAct] = []
        before = self._games.game(state)
        after = self._done(state, act, done)
        passed = let_pass(state, before, self._games.game(after), done[0].action)
        while request.get("quick") is not False and is_quick(after, self._games.game(after)):
            draw = self._games.game(after).legal_actions()
            after = self._done(after, next(str(each) for each in draw if each.kind == "draw"), done)
        return self._answer(after, self._games.game(after), request, done, passed)

    def _done(self, state: GameState, act: str, done: list[DoneAct]) -> GameState:
        """Return the state after an act, which is appended to those done; raise Wrong if it cannot be done."""
        before, after = self._games.game(state), state.with_act(act)
        game = before.clone()
        try:
            apply(game, act, state.seed, state.acts)
        except HoyleError as error:
            raise Wrong(f"This cannot be done now: {error.message}.", _ANOTHER) from error
        self._games.store(after, game)
        done.append(done_act(len(after.acts), before, game.actions[-1]))
        return after

    def _answer(
        self, state: GameState, game: Game, request: Request, done: list[DoneAct], passed: list[Any]
    ) -> Answered:
        seat = _seat(state, game, request)
        acts = own_acts(state, game, seat)
        return {
            "game": state.written,
            "see": seat,
            "number": len(state.acts),
            "table": shown_table(state, game, seat, done),
            "score": dict(zip(state.asked.rules.side_letters, table_of(game).score, strict=True)),
            "acts": acts,
            "done": [told(state, each, seat) for each in done],
            "let_pass": passed if done and done[0].action.player == seat else [],
            "waits_for": waits_for(state, game, acts, seat),
            "over": over(state, game),
        }

    def _refused(self, state: GameState, game: Game, action: Action, refusal: Refusal) -> Answered:
        """Return why the rules refuse an act; the game remains unchanged."""
        says = sentence(f"Refused: {refusal.message}")
        stage = Stage(action.to_json(), (), (TracedAct({}, (), refusal),), table_of(game))
        why = {"says": says, "rules": rules_in_words(self._suite, [state.asked], [stage])}
        return {"error": {"says": says, "remedy": _ANOTHER}, "refused": why}

    # ---- explaining and saving

    def _explain(self, request: Request) -> Answered:
        state = self.states.read(request.get("game"))
        number = _number(state, request, least=1)
        done: list[DoneAct] = []
        self._done(state.until(number - 1), state.acts[number - 1], done)
        seat = _seat(state, self._games.game(state), request)
        step = done[0].action.to_json()
        stage = Stage(step, (step,), (done[0].traced,), done[0].after)
        found = rules_in_words(self._suite, [state.asked], [stage])
        seen = [each for each in found if shows_no_hand(done[0], each["cell"], seat)]
        return {**told(state, done[0], seat), "rules": seen}

    def _books(self, request: Request) -> Answered:
        """Return a moment of the game as a layout, with all cards only once that deal is over."""
        state = self.states.read(request.get("game"))
        number, cards = _number(state, request, least=0), request.get("cards", KNOWN)
        seat = _seat(state, self._games.game(state), request)
        if cards not in {KNOWN, ALL}:
            raise Wrong("The cards of this position must be those known, or all.", "Ask again.")
        if cards == ALL and not self._is_dealt_out(state, number):
            raise Wrong("All cards can be shown only when this deal is over.", "Ask with the cards that you know.")
        game = self._games.game(state.until(number))
        return {"layout": layout_for_books(self._suite, state, game, seat if cards == KNOWN else None)}

    def _is_dealt_out(self, state: GameState, number: int) -> bool:
        """Whether the deal in which this many acts were done is over."""
        return DEAL in state.acts[number:] or over(state, self._games.game(state)) is not None

    def _save(self, request: Request) -> Answered:
        """Return the link of a game, and its text and transcript once nothing is hidden any more."""
        state = self.states.read(request.get("game"))
        game = self._games.game(state)
        is_shown = over(state, game) is not None
        return {
            "link": state.link,
            "text": str(game) if is_shown else None,
            "transcript": transcript(state, game) if is_shown else None,
            "file": f"{state.asked.id}-{state.seed}.jsonl",
        }

    # ---- opponents

    def _sees(self, request: Request) -> Answered:
        """Return the request for an opponent, with only that player's knowledge."""
        state = self.states.read(request.get("game"))
        game, seat = self._games.game(state), request.get("seat")
        if seat not in state.rules.players:
            raise Wrong("Nobody sits in that seat.", f"The players are {', '.join(state.rules.players)}.")
        if state.is_over(game) or game.is_chance_node():
            raise Wrong("No player is to act now.", "Deal, or begin a new game.")
        rules = {key: state.written[key] for key in ("v", "ruleset", "readings", "house") if key in state.written}
        knows = Recall.of(game, seat).to_json()
        return {"request": {"ask": "opponent", "rules": rules, "seat": seat, "knows": knows, "seed": len(state.acts)}}

    def _opponent(self, request: Request) -> Answered:
        rules = request.get("rules")
        state = self.states.read({**rules, "seed": 0} if isinstance(rules, dict) else None)
        rng = Random(read_seed(request.get("seed", 0)))  # noqa: S311 -- a game, no secret
        try:
            recall = Recall.from_json(state.rules, str(request.get("seat")), request.get("knows"))
            action = chosen(recall, _player(request, state.rules.packs), rng)
        except HoyleError as error:
            raise Wrong(f"The opponent cannot choose: {error.message}.", "Go on with another act.") from error
        return {"act": action.to_json(), "says": sentence(words.step(action.to_json(), state.asked.melds))}


def _number(state: GameState, request: Request, least: int) -> int:
    """Return the number of acts in a request, by default all; raise Wrong if the game has fewer."""
    number = request.get("number", len(state.acts))
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= len(state.acts):
        raise Wrong("There is no such act.", "Choose one of the acts of the game.")
    return number


def _player(request: Request, packs: int) -> Opponent:
    """Return the player that a request names, with fewer trial deals if there are more packs; raise Wrong if there is
    no such player."""
    level, work = request.get("level", SEARCH), request.get("work", _WORK)
    if level == GREEDY:
        return Greedy()
    if level != SEARCH or isinstance(work, bool) or not isinstance(work, int) or not 1 <= work <= _MOST_WORK:
        raise Wrong("There is no such opponent.", f"Choose '{GREEDY}' or '{SEARCH}', and work from 1 to {_MOST_WORK}.")
    return Searcher(deals=max(1, work // packs))


def _chance_of(act: Any) -> str:
    """Return the word for an act of chance; "" for an act of a player."""
    word = act.get("do") if isinstance(act, dict) and set(act) <= {"do"} else act
    return word if isinstance(word, str) and word in {CUT, DEAL} else ""


def _action(game: Game, act: Any) -> Action:
    """Return the player's act in a request; raise Wrong if it is invalid or an act of chance."""
    try:
        action = game.action(act)
    except HoyleError as error:
        raise Wrong(f"This is not an act of the game: {error.message}.", _ANOTHER) from error
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Wrong("This is not an act of the game.", _ANOTHER) from error
    if action.kind in {CUT, DEAL, "mishap", "claim"} or "irregular" in action.to_json():
        raise Wrong("At this table, the cards are cut and dealt by chance, and nothing irregular happens.", _ANOTHER)
    return action


def _seat(state: GameState, game: Game, request: Request) -> str:
    """Return the seat from which a game is shown: the one requested, or that of a person, preferably
    one who is to act."""
    wanted = request.get("see")
    if wanted is not None:
        if wanted not in state.rules.players:
            raise Wrong("Nobody sits in that seat.", f"The players are {', '.join(state.rules.players)}.")
        return str(wanted)
    turn = game.current_player()
    if turn in state.people:
        return str(turn)
    return (*state.people, *state.rules.players)[0]


# ---- missed scores


#: The acts by which a player lets an opportunity pass.
_PASSING: Final = (Play, Draw, Discard)


def let_pass(state: GameState, before: Game, after: Game, action: Action) -> list[dict[str, Any]]:
    """Return the acts that the player of an act could have scored or announced before it but not after it; none if the
    act itself scores."""
    if action.player is None or action.player not in state.people:
        return []
    machine, melds, act = machine_of(before), state.asked.melds, act_of(action)
    if isinstance(act, _PASSING):
        found = [each for each in acts_of(machine, melds, action.player) if each.get("points", 0) > 0]
        is_dealing = table_of(after).phase in CHANCE
        return [each for each in found if is_dealing or not after.is_legal(each["step"])]
    if isinstance(act, Announce) and act.count == 0:
        found = acts_of(machine, melds, action.player)
        return [each for each in found if each["step"]["do"] == action.kind and each["step"].get("count")]
    return []


# ---- saved games


def transcript(state: GameState, game: Game) -> str:
    """Return a game as the lines of a transcript: each act, with the points scored and the winner of the trick."""
    rules = {} if state.asked.id == HOUSE else {"ruleset": state.asked.id}
    lines = [{"game": 1, **rules, "engine": "Hoyle's table"}]
    again = Game(state.rules)
    for number, action in enumerate(game.actions, start=1):
        lines.append(_line(done_act(number, again, action)))
        again.apply_action(action)
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)


def _line(done: DoneAct) -> dict[str, Any]:
    points = zip(done.after.rules.side_letters, done.before.score, done.after.score, strict=True)
    scored = {letter: after - before for letter, before, after in points if after != before}
    won_by = trick_won_by(done)
    return {**done.action.to_json(), "scored": scored, **({"trick_won_by": won_by} if won_by else {})}
