"""What may be done, tried, asked and stated at a table: every act offered is one, and nothing the suite does is out of
reach."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT, golden
from games import after, shuffled, tables
from hoyle_conformance.checks.plan import complete
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.actions import MOST, acts
from hoyle_conformance.web.explorer.engine import dealt
from hoyle_conformance.web.explorer.table_view import awaits
from hoyle_reference import Game, Phase, Refusal, Rules, read_act, read_position
from hoyle_reference.cards import RANKS, names
from hoyle_reference.cells import offered_by
from hoyle_reference.machine import CHANCE
from hoyle_reference.seats import SEATS

pytestmark = pytest.mark.slow

Entry = Mapping[str, Any]
Step = Mapping[str, Any]

#: The rulesets, plain and with each of their options.
NAMES = st.sampled_from(
    [name for table in tables() for name in (table["id"], *(f"{table['id']}+{option}" for option in offered_by(table)))]
)
SEEDS = st.integers(0, 9999)
TAPES = st.binary(min_size=1, max_size=24)
STOPS = st.integers(0, 60)


def offered(suite: Suite, game: Game, others: Sequence[Rules] = ()) -> dict[str, Any]:
    return acts(game, suite.rules.meld_names(game.rules.id), suite.schemas.documents, others)


def singles(rules: Rules, step: Step) -> Iterator[Step]:
    """A step as single acts."""
    if step["do"] == "draw-all":
        first = SEATS.index(step["by"])
        for at in range(rules.players):
            yield {"by": SEATS[(first + at) % rules.players], "do": "draw"}
    else:
        yield step


# Legal acts


@settings(max_examples=60, deadline=None)
@given(name=NAMES, seed=SEEDS, tape=TAPES, stop=STOPS)
def test_legal_acts_are_accepted_and_told_apart_and_left_out_only_by_number(
    suite: Suite, name: str, seed: int, tape: bytes, stop: int
) -> None:
    rules = suite.rules.of(name)
    game = after(rules, seed, tape, stop)
    answer = offered(suite, game)
    legal = answer["legal"]
    for entry in legal:
        trial = game.clone()
        for step in singles(rules, entry["step"]):
            assert not isinstance(trial.attempt(read_act(rules, step)), Refusal), entry
        assert 1 <= len(entry["short"].split()) <= 8
        assert entry["says"].endswith((".", "?"))
        assert entry["says"].startswith((*"ABCD", "Everyone"))
    assert len({entry["says"] for entry in legal}) == len(legal)
    assert len({(entry["step"]["by"], entry["short"], tuple(entry["cards"])) for entry in legal}) == len(legal)
    assert len({json.dumps(entry["step"]) for entry in legal}) == len(legal) <= MOST
    if game.table.phase in CHANCE or game.is_over:
        assert legal == []
    else:
        own = [each for each in legal if each["step"]["do"] not in {"draw-all", "claim"}]
        assert len(own) + answer["more"] >= len(game.legal_actions)


@settings(max_examples=30, deadline=None)
@given(name=NAMES, seed=SEEDS, tape=TAPES, stop=STOPS)
def test_player_to_act_is_named(suite: Suite, name: str, seed: int, tape: bytes, stop: int) -> None:
    game = after(suite.rules.of(name), seed, tape, stop)
    seat, says = awaits(game.table)
    assert (seat is None) == (game.table.phase in {Phase.CUT, Phase.OVER})
    assert says.endswith(".")
    assert seat is None or says.startswith((f"{seat} ", f"{seat}, "))
    assert offered(suite, game)["by"] == seat


# What may be composed


def are_cards(field: Entry, value: Sequence[str]) -> bool:
    """Whether so many cards are asked for; dots stand for any number, where they are allowed."""
    if "..." in value:
        return bool(field.get("rest"))
    return bool(field["least"] <= len(value) <= field["most"])


#: Whether a person can give a value in a field, by its type.
FITS: Mapping[str, Callable[[Entry, Any], bool]] = {
    "choice": lambda field, value: value in [each["value"] for each in field["choices"]],
    "number": lambda field, value: isinstance(value, int) and field["least"] <= value <= field["most"],
    "cards": are_cards,
    "points": lambda field, value: set(value) <= set(field["seats"]),
    "hands": lambda field, value: set(value) <= set(field["seats"]),
    "calls": lambda field, value: all(composes(field, call) for call in value.values()),
    "seats": lambda _field, value: set(value) <= set(SEATS),
    "seat": lambda _field, value: value in SEATS,
    "suit": lambda _field, value: value in "CDHS",
    "card": lambda _field, value: value[0] in RANKS and value[1] in "CDHS",
}


def composes(entry: Entry, step: Step) -> bool:
    """Whether an entry, with its fields filled in, is this step."""
    tag = {key: entry[key] for key in ("do", "ask") if key in entry}
    begun = {**tag, **entry.get("step", {})}
    fields = {field["key"]: field for field in entry["fields"]}
    needed = {key for key, field in fields.items() if not field.get("optional")}
    rest = {key: value for key, value in step.items() if key not in begun}
    return (
        all(step.get(key) == value for key, value in begun.items())
        and needed <= set(rest) <= set(fields)
        and all(FITS[fields[key]["type"]](fields[key], value) for key, value in rest.items())
    )


def test_nothing_that_the_suite_does_or_asks_is_out_of_reach(suite: Suite) -> None:
    forms: dict[tuple[str, ...], dict[str, Any]] = {}
    missed = []
    for scenario in suite.scenarios.values():
        asked = tuple(scenario.rulesets)
        if asked not in forms:
            game, *others = (suite.rules.of(each) for each in asked)
            forms[asked] = offered(suite, after(game, 1, b"\x03\x07", 12), others)
        entries = forms[asked]
        every = [*entries["kinds"], *entries["questions"], *entries["irregular"]]
        missed += [(scenario.id, step) for step in scenario.steps if not any(composes(each, step) for each in every)]
    assert missed == []


# The deal


def test_a_shuffled_pack_is_dealt_by_every_ruleset(suite: Suite) -> None:
    for name in suite.rules.names:
        rules = suite.rules.of(name)
        deck = names(shuffled(rules, 7))
        for dealer in rules.letters:
            position, step = dealt([rules], deck, dealer, {"score": {"A": 40}, "leads": "A", "hands": {}})
            game = Game(read_position(rules, complete(rules, position, [step])))
            assert not isinstance(game.attempt(read_act(rules, step)), Refusal)
            assert [len(hand) for hand in game.table.hands] == [rules.deal.hand_size] * rules.players
            assert game.table.score[0] in {40, 50}


def test_rulesets_that_are_asked_together_deal_alike(suite: Suite) -> None:
    by_form: dict[tuple[int, int, int], list[Rules]] = {}
    for name in suite.rules.names:
        rules = suite.rules.of(name)
        by_form.setdefault((rules.players, rules.packs, rules.deal.hand_size), []).append(rules)
    for together in by_form.values():
        position, step = dealt(together, names(together[0].pack), "A", {})
        for rules in together:
            game = Game(read_position(rules, complete(rules, position, [step])))
            assert not isinstance(game.attempt(read_act(rules, step)), Refusal), rules


# Typical positions, read

OUTPUT = ROOT / "tests/output"


def played(suite: Suite, name: str, scenario: str, at: int) -> Game:
    """The game of a scenario under a ruleset, after so many single acts."""
    check = suite.index.checks[f"{scenario}@{name}"]
    message, rules = planner_of(suite).request(check).message, suite.rules.of(name)
    game = Game(read_position(rules, message["position"]))
    for step in message["steps"][:at]:
        if "do" in step:
            game.attempt(read_act(rules, step))
    return game


def told(suite: Suite, game: Game) -> Iterator[str]:
    """What a person reads of what may be done now, one line each."""
    answer = offered(suite, game)
    yield awaits(game.table)[1]
    for entry in answer["legal"]:
        yield f"  [{' '.join((entry['short'], *entry['cards']))}] {entry['says']}"
    if answer["more"]:
        yield f"  and {answer['more']:,} more"


def forms_told(suite: Suite, game: Game) -> Iterator[str]:
    """All that may be tried, asked and stated, with the names of what is filled in."""
    answer = offered(suite, game)
    for part in ("kinds", "questions", "irregular"):
        yield f"{part}:"
        for entry in answer[part]:
            fields = ", ".join(f"{each['says']}{'?' if each.get('optional') else ''}" for each in entry["fields"])
            yield f"  {'* ' if entry.get('open') else ''}{entry['short']}{f' ({fields})' if fields else ''}"


#: Positions of the suite in which acts are of every kind: a ruleset, a scenario, and after how many acts.
TYPICAL = (
    ("bezique-hoyle", "to-score.the-example", (0, 1, 2, 5)),
    ("rubicon-hoyle", "reuse.a-fresh-marriage-when-one-of-four-is-played", (0,)),
    ("bezique-hoyle", "seven.exchanged-after-being-shown", (0,)),
    ("piquet-hoyle", "calling.each-class-has-its-question", (0, 1, 2, 3, 4, 5, 6, 7)),
    ("piquet-rubicon-parlett", "blank.elder-shows-when-younger-has-exchanged", (0, 1, 2, 3, 4)),
    ("piquet-hoyle", "irregular.piquet-revoke", (0, 1, 2, 3)),
    ("four-handed-h2g2", "carte-blanche.both-partners", (0, 1, 2)),
)


def test_acts_read_as_players_say_them(suite: Suite) -> None:
    lines = []
    for name, scenario, ats in TYPICAL:
        for at in ats:
            lines += [f"{scenario}, {name}, after {at}:", *told(suite, played(suite, name, scenario, at)), ""]
    golden(OUTPUT / "table-acts.txt", "\n".join(lines))


def test_forms_have_the_names_that_players_know(suite: Suite) -> None:
    lines = []
    for name, scenario in (("rubicon-hoyle", "to-score.the-example"), ("piquet-hoyle", "irregular.piquet-revoke")):
        lines += [f"{name}:", *forms_told(suite, played(suite, name, scenario, 0)), ""]
    golden(OUTPUT / "table-forms.txt", "\n".join(lines))
