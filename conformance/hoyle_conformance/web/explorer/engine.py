"""The engine of the table: it answers requests as plain data, in a browser as on a server. It never raises: it
describes any mistake in a request in words, with the remedy."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.actions import acts
from hoyle_conformance.web.explorer.answers import answers, spoken
from hoyle_conformance.web.explorer.game_state import PREFIX, read_seed
from hoyle_conformance.web.explorer.layout import (
    HOUSE,
    Answered,
    Layout,
    Request,
    Wrong,
    left_open,
    link_of,
    open_link,
    read_layout,
    with_trumps,
    written_layout,
)
from hoyle_conformance.web.explorer.play import PlayRequests
from hoyle_conformance.web.explorer.rulesets import AskedRuleset, asked, changeable
from hoyle_conformance.web.explorer.scenario_file import filed, one_by_one
from hoyle_conformance.web.explorer.shapes import Shapes
from hoyle_conformance.web.explorer.table_view import drawn
from hoyle_conformance.web.explorer.walk import TableWalk, Walks, misshapen, together
from hoyle_reference import Game, Malformed, Rules
from hoyle_reference.cards import names

#: The message if Hoyle itself fails.
_FAILED: Final = "Hoyle could not work this out."


def layout_of(scenario: Scenario) -> dict[str, Any]:
    """Return a scenario as a layout, with all rulesets of its outcomes."""
    rulesets, given, steps = list(scenario.rulesets), scenario.given, list(scenario.steps)
    return written_layout({"rulesets": rulesets, "given": given, "steps": steps, "title": scenario.title})


def no_answer(says: str, remedy: str) -> Answered:
    """Return the reason why there is no answer, and the remedy, as the page shows them."""
    return {"error": {"says": says, "remedy": remedy}}


class Engine:
    """The answers to requests about a suite; only results are cached."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self._walks = Walks()
        self._shapes = Shapes(suite.schemas.documents)
        self._play = PlayRequests(suite)
        self.answers: dict[str, Callable[[Request], Answered]] = {
            "answer": self._answer,
            "position": self._position,
            "deal": self._deal,
            "open": self._open,
            "rules": self._rules,
            "file": self._file,
            **self._play.answers,
        }

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

    # ---- a layout

    def _answer(self, request: Request) -> Answered:
        sent = read_layout(request.get("layout"))
        at = request.get("at", len(sent.steps))
        if type(at) is not int or at < 0:
            raise Wrong("There is no such step.", "Go to one of the steps.")
        sent, at = sent.until(at), min(at, len(sent.steps))
        layout, walks = self._walked(sent)
        drawn_by = next(each for each in walks if each.asked.id == layout.drawn_by)
        found, table = answers(self.suite, layout, walks), drawn(drawn_by, layout)
        problems = [(each.asked.id, each.problem) for each in (drawn_by, *walks) if each.problem]
        facts = {each.asked.id: [[one.observation for one in stage.taken] for stage in each.stages] for each in walks}
        return {
            **({"facts": facts} if request.get("facts") is True else {}),
            "at": at,
            "link": _link(request["layout"], at),
            "problems": together(dict.fromkeys(problems)),
            "left_open": left_open(sent.given, layout.given),
            "table": table,
            "acts": self._acts(layout, drawn_by, walks),
            "answers": found,
            "spoken": spoken(found, table, drawn_by),
        }

    def _walked(self, layout: Layout) -> tuple[Layout, list[TableWalk]]:
        """Return a layout as far as its position and steps have the right form, with the trumps that its position
        needs, and its walk under each of its rulesets."""
        every = self._asked(layout)
        if fault := self._shapes.first("scenario#/$defs/given", json.dumps(layout.given)):
            layout = replace(layout, given={}, steps=())
            return layout, [TableWalk(each, None, (), misshapen(fault)) for each in every]
        drawn_by = next(each for each in every if each.id == layout.drawn_by)
        layout, wrong = replace(layout, given=with_trumps(drawn_by.rules, layout.given)), None
        for number, step in enumerate(layout.steps):
            if fault := self._shapes.first("scenario#/$defs/step", json.dumps(step)):
                layout, wrong = layout.until(number), misshapen(fault, ("steps", number))
                break
        walks = [self._walks.walk(each, layout) for each in every]
        return layout, [replace(walk, problem=walk.problem or wrong) for walk in walks]

    def _asked(self, layout: Layout) -> list[AskedRuleset]:
        return [asked(self.suite, layout, ruleset) for ruleset in layout.rulesets]

    def _acts(self, layout: Layout, walk: TableWalk, walks: Sequence[TableWalk]) -> Answered | None:
        """Return the actions at the present table that use only given cards: nobody can play a card left open. None if
        there is no table."""
        if walk.table is None:
            return None
        others = [each.asked.rules for each in walks if each is not walk]
        return acts(Game(walk.table), walk.asked.melds, self.suite.schemas.documents, others, layout.known)

    def _file(self, request: Request) -> Answered:
        layout, walks = self._walked(read_layout(request.get("layout")))
        problems = [walk.problem for walk in walks]
        layout, walks = self._walked(one_by_one(layout, walks))
        walks = [replace(walk, problem=walk.problem or was) for walk, was in zip(walks, problems, strict=True)]
        name, title = (str(request.get(key) or "") for key in ("id", "title"))
        return filed(self.suite, layout, walks, name, title)

    # ---- the beginning of a position

    def _position(self, request: Request) -> Answered:
        name = request.get("id")
        if not isinstance(name, str) or name not in self.suite.scenarios:
            raise Wrong("There is no such position.", "Search for another one.")
        return {"layout": layout_of(self.suite.scenarios[name])}

    def _open(self, request: Request) -> Answered:
        """Return the `game` or the `layout` of a link, and the step shown (`at`) if it is not the last."""
        link = request.get("link")
        if not isinstance(link, str):
            raise Wrong("There is no link.", "Copy the whole link again.")
        end = link.strip().rpartition("#")[2]
        if end.startswith(PREFIX):
            return {"game": self._play.states.opened(end).written}
        layout = open_link(end)
        shown = {"at": layout.pop("at")} if "at" in layout else {}
        return {"layout": layout, **shown}

    def _deal(self, request: Request) -> Answered:
        """Return a layout that begins with the deal of a pack shuffled by a seed."""
        layout = read_layout(request.get("layout"))
        drawn_first = sorted(self._asked(layout), key=lambda each: each.id != layout.drawn_by)
        rules = [each.rules for each in drawn_first]
        pack = names(rules[0].pack)
        deck = Random(read_seed(request.get("seed"))).sample(pack, len(pack))  # noqa: S311 -- a game, no secret
        given, step = dealt(rules, deck, str(request.get("dealer") or ""), layout.given)
        return {"layout": written_layout({**request["layout"], "given": given, "steps": [step]})}

    def _rules(self, request: Request) -> Answered:
        ruleset = request.get("ruleset")
        if not isinstance(ruleset, str) or ruleset == HOUSE or not self.suite.rules.knows(ruleset):
            raise Wrong("The table does not have these rules.", "Choose others.")
        return {"rules": changeable(self.suite, ruleset)}


def _link(layout: Mapping[str, Any], at: int) -> str:
    """Return the link of a layout at a step; "" if it is too large for one."""
    try:
        return link_of(layout, at if at < len(layout["steps"]) else None)
    except Wrong:
        return ""


# ---- deals


#: The parts of a position that remain when the cards are dealt anew.
_OF_THE_GAME: Final = ("score", "deal")
#: The dealer if none is named, so that the other player is elder or leads.
_DEALER: Final = "B"


def dealt(
    asked: Sequence[Rules], deck: Sequence[str], dealer: str, was: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a position before the deal, and the step that deals this pack. If the dealer may choose, packets have a
    size that all these rules allow."""
    who, players = dealer or str(was.get("dealer", _DEALER)), asked[0].letters
    if who not in players:
        raise Wrong(f"The players are {', '.join(players)}.", "Choose the dealer among them.")
    step = {"by": who, "do": "deal", "deck": list(deck), **_packets(asked)}
    return {"before": "deal", "dealer": who, **{key: was[key] for key in _OF_THE_GAME if key in was}}, step


def _packets(asked: Sequence[Rules]) -> dict[str, int]:
    """Return the packet size if a ruleset leaves it to the dealer: the first that all of them allow."""
    ways = [[way[0] for way in rules.deal.packets.value] for rules in asked]
    if all(len(each) == 1 for each in ways):
        return {}
    common = [size for size in ways[0] if all(size in each for each in ways)]
    return {"packets": (common or next(each for each in ways if len(each) > 1))[0]}
