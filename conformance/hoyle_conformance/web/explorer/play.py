"""Playing at the table: begin and continue games, choose opponents' acts, and explain acts. The page keeps the state of
the game, so every request contains it; recent games are cached."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from hoyle._actions import Action
from hoyle._errors import HoyleError
from hoyle._game import Game
from hoyle._opponents import Greedy, Opponent, Searcher
from hoyle._recall import chosen, knowledge
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.actions import acts_of
from hoyle_conformance.web.explorer.answers import rules as rules_in_words
from hoyle_conformance.web.explorer.books import layout_for_books
from hoyle_conformance.web.explorer.game_state import CUT, DEAL, Games, GameState, States, apply, read_seed
from hoyle_conformance.web.explorer.layout import Answered, Request, Wrong
from hoyle_conformance.web.explorer.table_view import (
    DoneAct,
    done_act,
    is_quick,
    over,
    own_acts,
    shown_table,
    shows_no_hand,
    told,
    waits_for,
)
from hoyle_conformance.web.explorer.walk import Stage
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import sentence
from hoyle_reference import CHANCE, Phase
from hoyle_reference.acts import Announce, Discard, Draw, Play

GREEDY: Final = "greedy"
SEARCH: Final = "search"
#: The number of deals of one pack in which a searching opponent tries its acts.
_WORK: Final = 12
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
        }

    # ---- continuing a game

    def _play(self, request: Request) -> Answered:
        """Return a game after an act, or as it stands, on request with `all` its acts; a new game after the cut, and
        after the first deal if nobody has a choice before it."""
        state, act = self.states.read(request.get("game")), request.get("act")
        game, done = self._games.game(state), list[DoneAct]()
        if act is not None:
            if state.is_over(game):
                raise Wrong("The game is over.", "Begin a new game.")
            return self._gone_on(state, _chance_of(act) or str(_action(game, act)))
        is_new = not state.acts
        first = 0 if request.get("all") else len(state.acts) - 1
        for number in () if is_new else range(first, len(state.acts)):
            self._done(state.until(number), state.acts[number], done)
        while is_new and game.is_chance_node() and not state.dealt:
            state = self._done(state, CUT if game._machine.table.phase is Phase.CUT else DEAL, done)
            game = self._games.game(state)
        return self._answer(state, done, [], done if is_new else done[-1:])

    def _gone_on(self, state: GameState, act: str) -> Answered:
        """Return a game after an act, and after the draws in which nobody has a choice."""
        done: list[DoneAct] = []
        before = self._games.game(state)
        after = self._done(state, act, done)
        passed = let_pass(state, before, self._games.game(after), done[0].action)
        while is_quick(after, self._games.game(after)):
            draw = self._games.game(after).legal_actions()
            after = self._done(after, next(str(each) for each in draw if each.kind == "draw"), done)
        return self._answer(after, done, passed, done)

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

    def _answer(self, state: GameState, done: list[DoneAct], passed: list[Any], new: Sequence[DoneAct]) -> Answered:
        """Return a game with the acts done, of which the table shows the `new` ones."""
        game = self._games.game(state)
        seat = _seat(state, game)
        acts = own_acts(state, game, seat)
        return {
            "game": state.written,
            "link": state.link,
            "number": len(state.acts),
            "table": shown_table(state, game, seat, new),
            "acts": acts,
            "done": [told(state, each, seat) for each in done],
            "let_pass": passed if done and done[0].action.player == seat else [],
            "waits_for": waits_for(state, game, acts, seat),
            "over": over(state, game),
        }

    # ---- explaining, and the books

    def _explain(self, request: Request) -> Answered:
        """Return an act of the game in words, with the rules behind it."""
        state, number = self.states.read(request.get("game")), request.get("number")
        if type(number) is not int or not 1 <= number <= len(state.acts):
            raise Wrong("There is no such act.", "Choose one of the acts of the game.")
        done: list[DoneAct] = []
        self._done(state.until(number - 1), state.acts[number - 1], done)
        seat = _seat(state, self._games.game(state))
        step = done[0].action.to_json()
        stage = Stage(step, (step,), (done[0].traced,), done[0].after)
        found = rules_in_words(self._suite, [state.asked], [stage])
        seen = [each for each in found if shows_no_hand(done[0], each["cell"], seat)]
        return {**told(state, done[0], seat), "rules": seen}

    def _books(self, request: Request) -> Answered:
        """Return the game as a layout, with all cards only if the deal is over."""
        state = self.states.read(request.get("game"))
        game = self._games.game(state)
        seat = None if over(state, game) else _seat(state, game)
        return {"layout": layout_for_books(self._suite, state, game, seat)}

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
        knows = knowledge(game, seat)
        return {"request": {"ask": "opponent", "rules": rules, "seat": seat, "knows": knows, "seed": len(state.acts)}}

    def _opponent(self, request: Request) -> Answered:
        rules = request.get("rules")
        state = self.states.read({**rules, "seed": 0} if isinstance(rules, dict) else None)
        rng = Random(read_seed(request.get("seed", 0)))  # noqa: S311 -- a game, no secret
        try:
            player, seat = _player(request.get("level", SEARCH), state.rules.packs), str(request.get("seat"))
            action = chosen(state.rules, seat, request.get("knows"), player, rng)
        except HoyleError as error:
            raise Wrong(f"The opponent cannot choose: {error.message}.", "Go on with another act.") from error
        return {"act": action.to_json(), "says": sentence(words.step(action.to_json(), state.asked.melds))}


def _player(level: Any, packs: int) -> Opponent:
    """Return the opponent of a level, with fewer trial deals if there are more packs; raise Wrong if there is none."""
    if level not in (GREEDY, SEARCH):
        raise Wrong("There is no such opponent.", f"Choose '{GREEDY}' or '{SEARCH}'.")
    return Greedy() if level == GREEDY else Searcher(deals=max(1, _WORK // packs))


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


def _seat(state: GameState, game: Game) -> str:
    """Return the seat from which a game is shown: that of a person, preferably of one who is to act."""
    turn = game.current_player()
    return str(turn) if turn in state.people else (*state.people, *state.rules.players)[0]


# ---- missed scores


#: The acts by which a player lets an opportunity pass.
_PASSING: Final = (Play, Draw, Discard)


def let_pass(state: GameState, before: Game, after: Game, action: Action) -> list[dict[str, Any]]:
    """Return the acts that the player of an act could have scored or announced before it but not after it; none if the
    act itself scores. Of acts with one name, only the first is returned."""
    act = action._act
    if action.player not in state.people or not isinstance(act, (*_PASSING, Announce)):
        return []
    found = acts_of(before._machine, state.asked.melds, str(action.player))
    if isinstance(act, _PASSING):
        is_dealing = after._machine.table.phase in CHANCE
        missed = [
            each for each in found if each.get("points", 0) > 0 and (is_dealing or not after.is_legal(each["step"]))
        ]
        return list({each["short"]: each for each in reversed(missed)}.values())[::-1]
    of_class = [each for each in found if each["step"].get("class") == act.class_]
    return [each for each in of_class if act.count == 0 and each["step"].get("count")]
