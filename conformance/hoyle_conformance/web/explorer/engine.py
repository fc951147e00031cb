"""The engine of the table: it answers requests as plain data, in a browser as on a server. It never raises: it
describes any mistake in a request in words, with the remedy."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.positions import PositionFinder
from hoyle_conformance.web.explorer.actions import acts
from hoyle_conformance.web.explorer.answers import answers, spoken
from hoyle_conformance.web.explorer.game_state import read_seed
from hoyle_conformance.web.explorer.layout import (
    HOUSE,
    Answered,
    Layout,
    Request,
    Wrong,
    left_open,
    link_of,
    read_layout,
    with_trumps,
    written_layout,
)
from hoyle_conformance.web.explorer.play import PlayRequests
from hoyle_conformance.web.explorer.position_text import as_text, opened, parse
from hoyle_conformance.web.explorer.problems import Problem, Shapes, misshapen, together
from hoyle_conformance.web.explorer.rulesets import AskedRuleset, asked, changeable
from hoyle_conformance.web.explorer.scenario_file import filed, one_by_one, several_refused
from hoyle_conformance.web.explorer.table_view import drawn
from hoyle_conformance.web.explorer.walk import TableWalk, Walks
from hoyle_reference import Game, Malformed, Rules
from hoyle_reference.cards import names

#: The message if Hoyle itself fails.
_FAILED: Final = "Hoyle could not work this out."
#: The maximum number of positions in one search.
MOST: Final = 20
_LONGEST: Final = 200  # characters


@dataclass(frozen=True, slots=True)
class CheckedLayout:
    """A layout as far as its position and steps have the form of the schema, with the first fault of form. It has no
    position if the fault is in the position."""

    layout: Layout
    wrong: Problem | None = None
    has_position: bool = True


def layout_of(suite: Suite, scenario: str) -> dict[str, Any]:
    """Return a scenario as a layout, with all rulesets of its outcomes."""
    if scenario not in suite.scenarios:
        raise Wrong("There is no such position.", "Search with other words.")
    found = suite.scenarios[scenario]
    layout = {"rulesets": list(found.rulesets), "given": found.given, "steps": list(found.steps), "title": found.title}
    return written_layout(layout)


class Engine:
    """The answers to requests about a suite; only results are cached."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self._walks = Walks()
        self._shapes = Shapes(suite.schemas.documents)
        self._asked: dict[str, AskedRuleset] = {}
        self._play = PlayRequests(suite)
        self.answers: dict[str, Callable[[Request], Answered]] = {
            "answer": self._answer,
            "position": self._position,
            "positions": self._positions,
            "deal": self._deal,
            "open": lambda request: opened(self._play.states, request.get("link")),
            "parse": lambda request: parse(self.suite, self._play.states, request),
            "text": self._text,
            "rules": self._rules,
            "file": self._file,
            **self._play.answers,
        }

    @cached_property
    def _known(self) -> PositionFinder:
        return PositionFinder(self.suite)

    def ask(self, request: Any) -> Answered:
        """Return the answer to a request, or the mistake in it."""
        try:
            return self._of(request)
        except Wrong as wrong:
            return no_answer(wrong.says, wrong.remedy)
        except RecursionError:
            return no_answer("This is nested too deeply.", "Open a new position.")
        except Malformed as malformed:
            return no_answer(f"This makes no sense: {malformed.message}.", "Undo the last change.")
        except Exception as error:  # noqa: BLE001 -- nothing is raised to the page; a test finds faults that end here
            return {**no_answer(_FAILED, "Undo the last change."), "failed": f"{type(error).__name__}: {error}"}

    def _of(self, request: Any) -> Answered:
        if not isinstance(request, dict):
            raise Wrong("This is not a request.", "Reload the page.")
        kind = request.get("ask")
        answer = self.answers.get(kind) if isinstance(kind, str) else None
        if answer is None:
            raise Wrong("The table does not know this request.", "Reload the page.")
        return answer(request)

    def _answer(self, request: Request) -> Answered:
        sent, at = self._layout_at(request)
        checked = self._checked(sent)
        whole = self._whole(checked)
        layout, walks = whole.layout, self._walks_of(whole)
        drawn_by = next(each for each in walks if each.asked.id == layout.drawn_by)
        found_ = answers(self.suite, layout, walks)
        table = drawn(drawn_by, layout)
        problems = [(each.asked.id, each.problem) for each in (drawn_by, *walks) if each.problem]
        facts = {"facts": {each.asked.id: _facts(each) for each in walks}} if request.get("facts") is True else {}
        return {
            **facts,
            "at": at,
            "link": _link(request["layout"], at),
            "problems": together(dict.fromkeys(problems)),
            "left_open": left_open(checked.layout.given, layout.given),
            "table": table,
            "acts": self._acts(layout, drawn_by, [each.asked for each in walks]),
            "answers": found_,
            "spoken": spoken(found_, table, drawn_by),
        }

    def asked(self, layout: Layout) -> list[AskedRuleset]:
        """Return the rulesets that a layout names."""
        return [asked(self.suite, layout, ruleset) for ruleset in layout.rulesets]

    def _checked(self, layout: Layout) -> CheckedLayout:
        """Return a layout as far as its position and steps have the right form. All code that reads a layout gets this
        value, not the request."""
        fault = self._shapes.first("scenario#/$defs/given", json.dumps(layout.given))
        if fault:
            return CheckedLayout(replace(layout, given={}, steps=()), misshapen(fault), has_position=False)
        for number, step in enumerate(layout.steps):
            fault = self._shapes.first("scenario#/$defs/step", json.dumps(step))
            if fault:
                return CheckedLayout(layout.until(number), misshapen(fault, ("steps", number)))
        return CheckedLayout(layout)

    def _whole(self, checked: CheckedLayout) -> CheckedLayout:
        """Return a layout with the trumps that its position needs, if they are left open."""
        if not checked.has_position:
            return checked
        layout = checked.layout
        rules = asked(self.suite, layout, layout.drawn_by).rules
        return replace(checked, layout=replace(layout, given=with_trumps(rules, layout.given)))

    def _walks_of(self, checked: CheckedLayout) -> list[TableWalk]:
        return [self._walk(each, checked) for each in self.asked(checked.layout)]

    def _walk(self, each: AskedRuleset, checked: CheckedLayout) -> TableWalk:
        """Return the walk of a layout under one ruleset; a malformed layout goes nowhere."""
        wrong = checked.wrong
        if not checked.has_position:
            return TableWalk(each, None, (), wrong)
        walk = self._walks.walk(each, checked.layout)
        return TableWalk(each, walk.begins, walk.stages, walk.problem or wrong)

    def _layout_at(self, request: Request) -> tuple[Layout, int]:
        layout = read_layout(request.get("layout"))
        at = request.get("at", len(layout.steps))
        if at is None:
            at = len(layout.steps)
        if isinstance(at, bool) or not isinstance(at, int) or at < 0:
            raise Wrong("There is no such step.", "Go to one of the steps.")
        at = min(at, len(layout.steps))
        return layout.until(at), at

    def _acts(self, layout: Layout, walk: TableWalk, others: list[AskedRuleset]) -> Answered | None:
        """Return the actions at the present table that use only given cards: nobody can play a card left open. None if
        there is no table."""
        if walk.table is None:
            return None
        rules = [each.rules for each in others if each.id != walk.asked.id]
        return acts(Game(walk.table), walk.asked.melds, self.suite.schemas.documents, rules, layout.known)

    def _position(self, request: Request) -> Answered:
        return {"layout": layout_of(self.suite, _word(request, "id"))}

    def _positions(self, request: Request) -> Answered:
        asked = _word(request, "words")[:_LONGEST].strip()
        some = self._known.found(asked) if asked else list(self._known.every.values())
        found = [{"id": each.scenario, "title": each.title, "rulesets": list(each.rulesets)} for each in some[:MOST]]
        return {"positions": found}

    def _deal(self, request: Request) -> Answered:
        layout = self._checked(read_layout(request.get("layout"))).layout
        drawn_first = sorted(self.asked(layout), key=lambda each: each.id != layout.drawn_by)
        rules, dealer = [each.rules for each in drawn_first], request.get("dealer") or ""
        deck = _deck(rules[0], request)
        cutting = request.get("cut") is True
        given, step = cut(rules, deck) if cutting else dealt(rules, deck, str(dealer), layout.given)
        return {"layout": written_layout({**request["layout"], "given": given, "steps": [step]})}

    def _text(self, request: Request) -> Answered:
        """Return the position of a layout as a line of text."""
        checked = self._whole(self._checked(read_layout(request.get("layout"))))
        own = asked(self.suite, checked.layout, checked.layout.drawn_by)
        return as_text(self._play.states, self._walk(own, checked), checked.layout)

    def _rules(self, request: Request) -> Answered:
        ruleset = _word(request, "ruleset")
        if ruleset == HOUSE or not self.suite.rules.knows(ruleset):
            raise Wrong("The table does not have these rules.", "Choose others.")
        return {"rules": changeable(self.suite, ruleset)}

    def _file(self, request: Request) -> Answered:
        checked = self._whole(self._checked(read_layout(request.get("layout"))))
        walks = self._walks_of(checked)
        if apart := several_refused(walks):
            checked = replace(checked, layout=one_by_one(checked.layout, walks, apart))
            walks = self._walks_of(checked)
        name, title = (str(request.get(key) or "") for key in ("id", "title"))
        return filed(self.suite, checked.layout, walks, name, title)


def _link(layout: Mapping[str, Any], at: int) -> str:
    """Return the link of a layout at a step; "" if it is too large for one."""
    try:
        return link_of(layout, at if at < len(layout["steps"]) else None)
    except Wrong:
        return ""


# ---- parts of answers


def _facts(walk: TableWalk) -> list[list[Mapping[str, Any]]]:
    """Return the observation after each act of each step."""
    return [[one.observation for one in stage.taken] for stage in walk.stages]


def _word(request: Request, key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str):
        raise Wrong(f"The request has no '{key}'.", "Reload the page.")
    return value


def no_answer(says: str, remedy: str) -> Answered:
    """Return the reason why there is no answer, and the remedy, as the page shows them."""
    return {"error": {"says": says, "remedy": remedy}}


# ---- deals


#: The parts of a position that remain when the cards are dealt anew.
_OF_THE_GAME: Final = ("score", "deal")
#: The dealer if none is named, so that the other player is elder or leads.
_DEALER: Final = "B"

Laid = tuple[dict[str, Any], dict[str, Any]]


def dealt(
    asked: Sequence[Rules], deck: Sequence[str], dealer: str = "", given: Mapping[str, Any] | None = None
) -> Laid:
    """Return a position before the deal, and the step that deals this pack; raise Malformed if the pack is not
    complete.

    If the dealer may choose, packets have a size that all these rules allow.
    """
    rules = asked[0]
    _check_pack(rules, deck)
    was = given or {}
    who = dealer or str(was.get("dealer", _DEALER))
    if who not in rules.letters:
        raise Malformed(f"{who} is not one of the players, {', '.join(rules.letters)}")
    step = {"by": who, "do": "deal", "deck": list(deck), **_packets(asked)}
    return {"before": "deal", "dealer": who, **{key: was[key] for key in _OF_THE_GAME if key in was}}, step


def cut(asked: Sequence[Rules], deck: Sequence[str]) -> Laid:
    """Return a position before the cut, and the step in which each player cuts the next card of this pack."""
    rules = asked[0]
    _check_pack(rules, deck)
    return {"before": "cut"}, {"do": "cut", "cards": list(deck[: rules.players])}


def _check_pack(rules: Rules, deck: Sequence[str]) -> None:
    if sorted(deck) != sorted(names(rules.pack)):
        raise Malformed(f"a whole pack has {len(rules.pack)} cards, each exactly once")


def _packets(asked: Sequence[Rules]) -> dict[str, int]:
    """Return the packet size if a ruleset leaves it to the dealer: the first that all of them allow."""
    ways = [[way[0] for way in rules.deal.packets.value] for rules in asked]
    if all(len(each) == 1 for each in ways):
        return {}
    common = [size for size in ways[0] if all(size in each for each in ways)]
    return {"packets": (common or next(each for each in ways if len(each) > 1))[0]}


def _deck(rules: Rules, request: Request) -> list[str]:
    """Return the pack in a request, or a pack shuffled by its seed."""
    if "seed" in request:
        pack = names(rules.pack)
        return Random(read_seed(request["seed"])).sample(pack, len(pack))  # noqa: S311 -- a game, no secret
    deck = request.get("deck")
    if not isinstance(deck, list) or not all(isinstance(each, str) for each in deck):
        raise Wrong("There is no pack to deal from.", "Deal again.")
    return deck
