"""The table: every source answers a position that is laid out, and whatever is asked, nothing is raised."""

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT, the_suite
from hoyle_conformance.checks.plan import complete
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.web.explorer.engine import Engine, layout_of
from hoyle_conformance.web.explorer.shapes import Shapes
from table_law import against

EXAMPLE = "to-score.the-example"
TWO_HANDED = ("bezique-hoyle", "bezique-britannica", "bezique-h2g2", "bezique-bicycle", "rubicon-hoyle", "piquet-hoyle")
LEADS = {"leads": "A", "trumps": "H"}
BEZIQUE = {"meld": "bezique", "cards": ["QS", "JD"]}
#: Every so many scenarios one is put to the table.
EVERY = 12


def laid(position: Mapping[str, Any], steps: Sequence[Any] = (), rulesets: Sequence[str] = TWO_HANDED[:1]) -> Any:
    return {"v": 1, "rulesets": list(rulesets), "given": dict(position), "steps": list(steps)}


def answered(engine: Engine, layout: Any, **more: Any) -> Any:
    return engine.ask({"ask": "answer", "layout": layout, **more})


# ---- the law: what the table shows is what the suite expects


@pytest.mark.slow
def test_the_table_shows_of_a_position_what_the_suite_expects(engine: Engine) -> None:
    """Of some in all topics. A browser's Python shows the same of others: tests/web/site/test_browser_bundle.py."""
    assert [each for name in sorted(engine.suite.scenarios)[::EVERY] for each in against(engine, name)] == []


# ---- it is made of the standard library alone


# ---- laws of all layouts

_SUITE = the_suite()
_ENGINE = Engine(_SUITE)
SCENARIOS = st.sampled_from(sorted(_SUITE.scenarios))
SCENARIO_KEYS = st.sampled_from(
    [*("hands", "stock", "trick", "leads", "A", "score", "do", "by", "cards", "ask", "v"), *("steps", "scored", "meld")]
)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["A", "QS", "...", "KS#2"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6) | SCENARIO_KEYS, inner, max_size=4),
    max_leaves=12,
)


def _damaged(value: Any, draw: st.DrawFn) -> Any:
    """The same with one thing in it, however deep, put in another's place."""
    if isinstance(value, (dict, list)) and value and draw(st.integers(0, 3)):
        at = draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        copy = dict(value) if isinstance(value, dict) else list(value)
        copy[at] = _damaged(value[at], draw)
        return copy
    return draw(PLAIN)


@st.composite
def damaged_layouts(draw: st.DrawFn) -> Any:
    layout = _ENGINE.ask({"ask": "position", "id": draw(SCENARIOS)})["layout"]
    first = layout["rulesets"][0]
    more = {"house": {"extends": first, "rules": {"settle.target": 500}}, "readings": {first: {}}, "title": "A title"}
    kept = draw(st.sets(st.sampled_from(sorted(more))))
    without_title = {key: each for key, each in layout.items() if key != "title"}
    return _damaged({**without_title, **{key: more[key] for key in kept}}, draw)


@st.composite
def mixed_layouts(draw: st.DrawFn) -> Any:
    """Layouts of the right form whose parts are of several scenarios, so that they need not go together."""
    one, other = (_ENGINE.ask({"ask": "position", "id": draw(SCENARIOS)})["layout"] for _ in range(2))
    taken = draw(st.sets(st.sampled_from(sorted(other["given"])))) if other["given"] else ()
    given = {**one["given"], **{key: other["given"][key] for key in taken}}
    steps = [*one["steps"][: draw(st.integers(0, 2))], *other["steps"]]
    rulesets = draw(st.lists(st.sampled_from(sorted(_SUITE.rules.names)), min_size=1, max_size=2))
    return {"v": 1, "rulesets": rulesets, "given": given, "steps": steps}


#: What a request has besides its layout; files are named after their steps if they have no title.
REQUESTS = st.fixed_dictionaries(
    {"ask": st.sampled_from(["answer", "deal", "file"])},
    optional={
        "at": PLAIN,
        "seed": PLAIN,
        "dealer": PLAIN,
        "id": st.just("mine.one") | PLAIN,
        "title": st.just("Is it?") | PLAIN,
    },
)


@pytest.mark.slow
@given(damaged_layouts() | mixed_layouts(), REQUESTS)
@settings(deadline=None, max_examples=60)
def test_every_layout_gets_an_answer_and_raises_nothing(layout: Any, request: Any) -> None:
    answer = _ENGINE.ask({**request, "layout": layout})
    assert "failed" not in answer, answer
    text = json.dumps(answer)
    assert "contradict each other" not in text or "house" in layout  # the rules of a book go together
    if "error" in answer:
        assert answer["error"]["says"]
    else:
        assert all(each["says"] and each["remedy"] for each in answer.get("problems", ()))


@pytest.mark.slow
@given(PLAIN)
@settings(deadline=None)
def test_no_request_raises(request: Any) -> None:
    for each in (request, {"ask": request}, *({"ask": kind, "id": request} for kind in _ENGINE.answers)):
        assert "failed" not in _ENGINE.ask(each)


@pytest.mark.slow
@given(SCENARIOS, st.lists(st.sampled_from(sorted(_SUITE.rules.names)), min_size=1, max_size=12, unique=True))
@settings(deadline=None, max_examples=25)
def test_the_groups_are_a_partition_of_those_who_are_asked(scenario: str, rulesets: list[str]) -> None:
    layout = {**_ENGINE.ask({"ask": "position", "id": scenario})["layout"], "rulesets": rulesets}
    answer = answered(_ENGINE, layout, facts=True)
    groups = [[one["id"] for one in each["rulesets"]] for each in answer["answers"]]
    assert sorted(name for group in groups for name in group) == sorted(rulesets)
    can = [each for each in answer["answers"] if not each["cannot"]]
    assert all(len(each["rulesets"]) <= len(can[-1]["rulesets"]) for each in can)
    stories = []
    for each in can:
        courses = [answer["facts"][one["id"]] for one in each["rulesets"]]
        assert len({json.dumps([_outcome(facts) for facts in chain.from_iterable(course)]) for course in courses}) == 1
        stories.append(json.dumps([[step["follows"] for step in each["steps"]], courses[0]]))
    assert len(set(stories)) == len(stories)


def _outcome(facts: Mapping[str, Any]) -> list[Any]:
    """What two rulesets that agree must have alike at the least."""
    made = {seat: points for seat, points in facts.get("score", {}).items() if points}
    return [made, *(facts.get(key) for key in ("accepted", "reason", "trick_won_by", "settled", "game_won_by"))]


@pytest.mark.slow
@given(SCENARIOS, st.data())
@settings(deadline=None, max_examples=25)
def test_answer_at_a_step_is_that_of_a_layout_that_ends_there(scenario: str, data: st.DataObject) -> None:
    layout = _ENGINE.ask({"ask": "position", "id": scenario})["layout"]
    at = data.draw(st.integers(0, len(layout["steps"])))
    before, cut = json.dumps(layout), {**layout, "steps": layout["steps"][:at]}
    there = {**answered(_ENGINE, layout, at=at), "link": answered(_ENGINE, cut)["link"]}
    assert there == answered(_ENGINE, cut) == answered(Engine(_SUITE), cut)
    assert json.dumps(layout) == before


@pytest.mark.slow
@given(SCENARIOS, st.data())
@settings(deadline=None, max_examples=60)
def test_whatever_is_offered_is_accepted(scenario: str, data: st.DataObject) -> None:
    """Also where cards are left open: none of those is offered, since to name one is to take it from where it lies."""
    layout = _ENGINE.ask({"ask": "position", "id": scenario})["layout"]
    layout["steps"] = layout["steps"][: data.draw(st.integers(0, len(layout["steps"])))]
    acts = answered(_ENGINE, layout)["acts"]
    if acts and acts["legal"]:
        step = data.draw(st.sampled_from(acts["legal"]))["step"]
        further = answered(_ENGINE, {**layout, "steps": [*layout["steps"], step]}, facts=True)
        own = further["facts"][layout.get("drawn_by", layout["rulesets"][0])]
        assert own[len(layout["steps"])][-1]["accepted"], (scenario, step)


@pytest.mark.slow
@given(SCENARIOS, st.data())
@settings(deadline=None, max_examples=60)
def test_a_shape_is_found_wrong_where_the_schema_finds_it_so(scenario: str, data: st.DataObject) -> None:
    of, shapes = _SUITE.scenarios[scenario], Shapes(_SUITE.schemas.documents)
    for kind, sound in (("given", of.given), ("step", of.steps[0])):
        value = _damaged(sound, data.draw) if data.draw(st.booleans()) else sound
        found = next(shapes.faults(f"scenario#/$defs/{kind}", value), None)
        assert (found is None) == (not _SUITE.schemas.complaint(f"scenario#/$defs/{kind}", value)), (value, found)


# ---- what cannot be is said


def problem(engine: Engine, position: Mapping[str, Any], ruleset: str, *steps: Mapping[str, Any]) -> str:
    (found,) = answered(engine, laid(position, steps, [ruleset]))["problems"]
    return f"{found['says']} {found['remedy']}"


def test_ruleset_without_the_position_says_so_and_the_others_answer(engine: Engine) -> None:
    layout = laid({**LEADS, "turn_up": "9H"}, [], ["bezique-hoyle", "rubicon-hoyle", "three-handed-h2g2"])
    answer = answered(engine, layout)
    assert [each["cannot"] and each["cannot"]["says"] for each in answer["answers"]] == [
        None,
        "No card is turned up under these rules.",
    ]
    assert answer["table"] is not None


#: One position for each way in which one cannot be, by the ruleset that is asked; with a step where that is wrong.
CANNOT: tuple[tuple[str, Mapping[str, Any], tuple[Mapping[str, Any], ...]], ...] = (
    (
        "bezique-hoyle",
        {
            "leads": "A",
            "trumps": "H",
            "stock": [],
            "hands": {"A": ["QS", "KS", "AS", "TS", "9S", "8S", "7S", "JS", "QS#2"]},
        },
        (),
    ),
    ("bezique-hoyle", {}, ()),
    ("bezique-hoyle", {"leads": "A", "trumps": "none"}, ()),
    ("bezique-hoyle", {**LEADS, "turn_up": "9D"}, ()),
    ("rubicon-hoyle", {**LEADS, "turn_up": "9H"}, ()),
    ("rubicon-hoyle", {"leads": "A", "turn_up": "9H"}, ()),
    ("bezique-hoyle", {**LEADS, "hands": {"C": ["..."]}}, ()),
    ("bezique-hoyle", {**LEADS, "hands": {"A": ["QS", "..."], "B": ["QS", "..."]}}, ()),
    ("piquet-hoyle", {"leads": "A", "hands": {"A": ["QS", "..."], "B": ["QS", "..."]}}, ()),
    ("piquet-hoyle", {"leads": "A", "hands": {"A": ["9S#2", "..."]}}, ()),
    ("bezique-hoyle", {**LEADS, "hands": {"A": ["QS"]}}, ()),
    ("bezique-hoyle", {**LEADS, "hands": {"A": ["QS", "KS", "AS", "TS", "9S", "8S", "7S"]}}, ()),
    ("bezique-hoyle", {**LEADS, "trick": ["9D"], "hands": {"A": ["QS"]}}, ()),
    ("rubicon-hoyle", {**LEADS, "surplus": {"A": 1}, "hands": {"A": ["QS"]}}, ()),
    ("bezique-hoyle", {**LEADS, "has_won": "A"}, ()),
    ("bezique-hoyle", {**LEADS, "scored": {"A": [{"meld": "four-aces-of-trumps", "cards": ["AH", "AH#2"]}]}}, ()),
    (
        "bezique-hoyle",
        {"has_won": "A", "trumps": "H", "hands": {"A": ["QS", "KS", "AS", "TS", "9S", "8S", "7S", "JS"]}},
        (),
    ),
    ("bezique-hoyle", {"has_won": "A", "trumps": "H", "stock": []}, ()),
    ("bezique-hoyle", {**LEADS, "trick": ["9D", "8D"]}, ()),
    ("bezique-hoyle", {**LEADS, "scored": {"A": [{**BEZIQUE, "cards": ["QS", "KD"]}]}}, ()),
    ("bezique-hoyle", {**LEADS, "scored": {"A": [{"meld": "four-queens", "cards": ["QS", "QS", "QD", "QC"]}]}}, ()),
    ("bezique-hoyle", {**LEADS, "scored": {"A": [BEZIQUE]}, "hands": {"B": ["QS", "..."]}}, ()),
    ("bezique-hoyle", {**LEADS, "scored": {"A": [BEZIQUE]}, "won": {"A": [], "B": []}}, ()),
    ("bezique-hoyle", {**LEADS, "won": {"A": [f"{rank}H{copy}" for rank in "789TJQKA" for copy in ("", "#2")]}}, ()),
    ("bezique-hoyle", {**LEADS, "won": {"A": [], "B": []}, "stock": ["9D"]}, ()),
    ("bezique-hoyle", {**LEADS, "kept": {"A": [BEZIQUE]}}, ()),
    ("bezique-britannica", {**LEADS, "kept": {"A": [BEZIQUE]}}, ()),
    ("bezique-hoyle", {**LEADS, "claimed": ["8H"]}, ()),
    ("bezique-hoyle", {**LEADS, "claimed": ["7H"]}, ()),
    ("bezique-hoyle", {**LEADS, "last_trick_won_by": "A"}, ()),
    ("bezique-hoyle", {**LEADS, "called": {"point": "A"}}, ()),
    ("bezique-hoyle", {**LEADS, "won": {"A": ["9S"]}}, ()),
    ("bezique-hoyle", {**LEADS, "won": {"A": ["9S", "9C", "8C"]}}, ()),
    ("bezique-hoyle", {**LEADS, "won": {"A": [], "B": []}, "stock": ["9D", "8D"]}, ()),
    ("bezique-hoyle", {**LEADS, "stock": ["9D", "8D"]}, ()),
    ("four-handed-h2g2", {**LEADS, "score": {"C": 40}}, ()),
    ("piquet-hoyle", LEADS, ()),
    ("piquet-hoyle", {"announces": "B"}, ()),
    ("piquet-hoyle", {"announces": "A", "scored": {"A": []}}, ()),
    ("piquet-hoyle", {"announces": "A", "called": {"set": "A"}}, ()),
    ("piquet-hoyle", {"announces": "A", "discarded": {"A": ["9S", "8S", "7S", "AS", "KS", "QS"]}}, ()),
    (
        "piquet-hoyle",
        {"announces": "A", "discarded": {"A": ["9S", "8S", "7S", "AS", "KS"], "B": ["QS", "QD", "QC", "QH"]}},
        (),
    ),
    ("piquet-hoyle", {"leads": "A", "stock": ["9S", "8S", "7S", "AS", "KS", "QS", "QD", "QC", "QH"]}, ()),
    ("piquet-hoyle", {"leads": "A", "won": {"A": ["9S"], "B": []}}, ()),
    ("bezique-hoyle", LEADS, ({"by": "C", "do": "draw"},)),
    ("bezique-hoyle", LEADS, ({"by": "A", "do": "discard", "cards": ["9S"]},)),
    ("bezique-hoyle", LEADS, ({"by": "A", "do": "trick", "cards": ["9S", "8S", "7S"]},)),
    ("bezique-hoyle", LEADS, ({"by": "A", "do": "dance"},)),
    ("bezique-hoyle", LEADS, ({"by": "A", "do": "play", "card": "QS#3"},)),
    ("bezique-hoyle", {"before": "deal"}, ({"by": "B", "do": "deal", "deck": ["QS", "QS", "..."]},)),
    ("bezique-hoyle", {"before": "deal"}, ({"by": "B", "do": "deal", "deck": ["QS"]},)),
)


def test_every_way_in_which_a_position_cannot_be_is_said_to_one_who_has_no_file(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each place that says why a position cannot be is come to by some of those above."""
    come_to: set[tuple[str, int]] = set()
    begin = CannotSetUp.__init__

    def noted(self: CannotSetUp, *words: Any, **more: Any) -> None:
        frame = sys._getframe(1)
        come_to.add((Path(frame.f_code.co_filename).name, _statement(frame.f_code.co_filename, frame.f_lineno)))
        begin(self, *words, **more)

    monkeypatch.setattr(CannotSetUp, "__init__", noted)
    fresh = Engine(engine.suite)
    for ruleset, position, steps in CANNOT:
        said = problem(fresh, position, ruleset, *steps)
        for of_files in ("'", "...", "Write", ruleset, "#"):
            assert of_files not in said or "is none of" in said, said
    with suppress(CannotSetUp):  # at the table trumps are taken to be some suit where nobody says which
        complete(engine.suite.rules.of("bezique-hoyle"), {"leads": "A"}, [])
    folder = ROOT / "conformance/hoyle_conformance/checks/setup"
    assert sorted({(path.name, line) for path in folder.glob("*.py") for line in _raised(path)} - come_to) == []


def _raised(path: Path) -> list[int]:
    import ast

    return [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and ast.unparse(node.exc.func) == "CannotSetUp"
    ]


def _statement(path: str, line: int) -> int:
    return max(each for each in _raised(Path(path)) if each <= line)


# ---- readings and house rules


@pytest.mark.slow
def test_a_disputed_rule_is_read_otherwise(engine: Engine) -> None:
    """Of a position whose outcome hangs on a reading, each reading that is chosen answers as the suite says of it."""
    seen = 0
    for scenario in list(engine.suite.scenarios.values())[::5]:
        for followed in scenario.followed_by[:1]:
            ruleset = followed.rulesets[0]
            named = followed.between or [each.name for each in scenario.readings]
            for reading in (each for each in scenario.readings if each.name in named):
                layout = {**laid(scenario.given, scenario.steps, [ruleset]), "readings": {ruleset: dict(reading.cells)}}
                steps = answered(engine, layout, facts=True)["facts"][ruleset]
                for number, expected in reading.expect.items():
                    facts = steps[number - 1][-1]
                    assert facts.get("reason") == expected.get("refused"), (scenario.id, reading.name)
                    if "answer" not in expected:
                        assert facts["accepted"] == ("refused" not in expected)
                seen += 1
    assert seen > 10


def test_house_rules_answer_beside_the_others(engine: Engine) -> None:
    layout = engine.ask({"ask": "position", "id": EXAMPLE})["layout"]
    points = "declare.melds.bezique.points"
    house = {"extends": "bezique-hoyle", "rules": {points: 50}}
    declares = {"by": "A", "do": "declare", "meld": "bezique", "cards": ["QS", "JD"]}
    position = {"has_won": "A", "trumps": "H", "hands": {"A": ["QS", "JD", "..."]}}
    answer = answered(
        engine, {**layout, "rulesets": ["bezique-hoyle"], "given": position, "steps": [declares], "house": house}
    )
    scores = {each["rulesets"][0]["id"]: each["score"]["A"] for each in answer["answers"]}
    assert scores == {"bezique-hoyle": 40, "house": 50}


@pytest.mark.slow
def test_every_rule_that_may_be_changed_is_taken_as_it_is(engine: Engine) -> None:
    """What is offered to be changed can be put back as it was, and each choice is taken or refused in words."""
    for ruleset in ("bezique-hoyle", "piquet-hoyle"):
        for rule in engine.ask({"ask": "rules", "ruleset": ruleset})["rules"]:
            house = {"extends": ruleset, "rules": {rule["cell"]: rule["value"]}}
            layout = {**laid({"before": "cut"}, [], [ruleset]), "house": house}
            answer = answered(engine, layout)
            assert len(answer["answers"]) == 1, (rule, answer)
            for choice in rule["choices"]:
                house = {"extends": ruleset, "rules": {rule["cell"]: choice["value"]}}
                assert "failed" not in answered(engine, {**layout, "house": house})


@pytest.mark.parametrize(
    "house",
    [
        {"extends": "nothing", "rules": {}},
        {"extends": "bezique-hoyle", "rules": {"no.such.rule": 5}},
        {"extends": "bezique-hoyle", "rules": {"settle.target": "many"}},
        {"extends": "bezique-hoyle", "rules": {"declare.melds.bezique.points": -1}},
        {"extends": "bezique-hoyle", "rules": {"declare.melds.bezique": {}}},
    ],
)
def test_house_rules_that_cannot_be_are_refused(engine: Engine, house: Any) -> None:
    answer = answered(engine, {**laid(LEADS), "house": house})
    assert answer["error"]["says"]
    assert answer["error"]["remedy"]


def test_the_trick_that_a_step_finishes_stays_until_the_next(engine: Engine) -> None:
    layout = layout_of(engine.suite.scenarios[EXAMPLE])
    finished = [
        [
            place
            for place in engine.ask({"ask": "answer", "layout": layout, "at": at})["table"]["places"]
            if place["key"] == "last_trick"
        ]
        for at in range(len(layout["steps"]) + 1)
    ]
    trick = {"key": "last_trick", "title": "A takes the trick", "cards": ["AC", "8C"], "new": []}
    assert finished == [[], [], [], [], [trick], []]
