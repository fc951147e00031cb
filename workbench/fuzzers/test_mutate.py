"""Mutations: the same for the same seed, seldom the same for another, never too long, and mostly data again."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
import yaml

from fuzzers import mutate
from fuzzers.mutate import Mutator, changed, changed_text, grafted, parse
from fuzzers.target import Input
from fuzzers.words import all_words

DATA = {"id": "a.b", "given": {"leads": "A", "hands": {"A": ["KS", "..."]}}, "steps": [{"do": "play", "card": "KS"}]}
SEEDS = range(200)
VARIANTS = ("scenario", "house")


def by_bytes(data: bytes, longest: int) -> bytes:
    """What libFuzzer does, in short: the first byte is another."""
    return (b"!" + data[1:])[:longest]


@pytest.fixture
def mutator() -> Mutator:
    return Mutator(VARIANTS, all_words(), by_bytes)


def contents(mutator: Mutator, content: str, longest: int = 4_000) -> list[bytes]:
    given = bytes(Input("scenario", content.encode()))
    return [Input.of(mutator.mutate(given, longest, seed)).content for seed in SEEDS]


def test_words_are_those_of_the_schemas_and_the_files() -> None:
    words = all_words()
    assert {"steps", "rulesets", "command", "claims"} <= set(words.keys)
    assert "declare" in words.by_key["do"]
    assert {100, 1000} <= set(words.by_key["settle.target"])
    assert '"bezique-hoyle"\n' in words.dictionary
    rng = Random(1)
    assert Counter(words.value("do", rng) in words.by_key["do"] for _ in range(100))[True] > 50


@pytest.mark.parametrize("content", [json.dumps(DATA), yaml.safe_dump(DATA), "A plays K♠.\nB wins the trick.\n", ""])
def test_a_mutation_is_always_the_same_and_hardly_ever_another(mutator: Mutator, content: str) -> None:
    assert contents(mutator, content) == contents(mutator, content)
    assert len(set(contents(mutator, content))) > len(SEEDS) // 3


@pytest.mark.parametrize("dump", [json.dumps, yaml.safe_dump])
def test_most_mutations_are_data_again(mutator: Mutator, dump: Any) -> None:
    read = [parse(each.decode("utf-8", "replace"), Random(1)) for each in contents(mutator, dump(DATA))]
    assert sum(each is not None and each.data != DATA for each in read) > len(SEEDS) // 2


def test_one_of_several_lines_is_changed(mutator: Mutator) -> None:
    lines = ['{"by": "A", "do": "draw"}', '{"by": "B", "do": "draw"}']
    changed_lines = [each.decode("utf-8", "replace").split("\n") for each in contents(mutator, "\n".join(lines))]
    kept = Counter(tuple(line in lines for line in some) for some in changed_lines if len(some) == 2)
    assert min(kept[True, False], kept[False, True]) > len(SEEDS) // 5


@pytest.mark.parametrize("longest", [1, 5, 20, 60])
def test_no_mutation_is_longer_than_it_may_be(mutator: Mutator, longest: int) -> None:
    given, other = (bytes(Input("scenario", json.dumps(data).encode())) for data in (DATA, [DATA] * 3))
    for seed in SEEDS:
        assert len(mutator.mutate(given, longest, seed)) <= longest
        assert len(mutator.cross(given, other, longest, seed)) <= longest


def test_the_variant_is_sometimes_another(mutator: Mutator) -> None:
    given = bytes(Input("scenario", b"id: a\n"))
    variants = Counter(Input.of(mutator.mutate(given, 100, seed)).variant for seed in range(1000))
    assert set(variants) == set(VARIANTS)
    assert variants["scenario"] > 900


def test_every_way_to_change_data_is_used_and_leaves_the_original() -> None:
    before = json.dumps(DATA)
    made = {json.dumps(changed(DATA, all_words(), Random(seed))) for seed in SEEDS}
    assert len(made) > len(SEEDS) // 2
    assert json.dumps(DATA) == before
    for edit in set(mutate._EDITS):
        assert _with_edit(edit) != DATA


def _with_edit(edit: Any) -> Any:
    """The data with one way to change it tried at each place in turn, until it is other data."""
    for at, _ in enumerate(mutate.places(DATA)):
        copy = json.loads(json.dumps(DATA))
        edit(list(mutate.places(copy))[at], all_words(), Random(1))
        if copy != DATA:
            return copy
    return DATA


def test_data_is_crossed_under_the_same_key() -> None:
    other = {"given": {"leads": "B"}, "steps": []}
    made = [grafted(DATA, other, Random(seed)) for seed in SEEDS]
    assert any(each["given"] == {"leads": "B"} for each in made if each != DATA)
    assert any(each["given"].get("leads") == "B" and "hands" in each["given"] for each in made)


def test_a_text_is_crossed_with_another_where_words_end(mutator: Mutator) -> None:
    one, other = (bytes(Input("scenario", text)) for text in (b"A plays KS", b"B draws 9H"))
    made = {Input.of(mutator.cross(one, other, 100, seed)).content for seed in SEEDS}
    assert b"A plays 9H" in made
    assert len(made) > 10


def test_data_with_aliases_is_not_written_again() -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
    assert parse(bomb, Random(1)) is None
    assert parse("a: 2 * 3\n", Random(1)) is not None


@pytest.mark.parametrize("text", ["", "KS", "A plays K♠. B plays 7♠. A wins.", "\ud800"])
def test_a_text_is_changed_in_its_words(text: str) -> None:
    assert len({changed_text(text, all_words(), Random(seed)) for seed in SEEDS}) > len(SEEDS) // 4
