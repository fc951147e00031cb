"""Primers: no sentence says what its rules do not, no number is typed, and nothing a beginner needs is left out."""

import re
from collections.abc import Iterator

import pytest

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.learn_pages import Primer, PrimerSentence, primers
from hoyle_conformance.wording.rulebook.templates import rule_of
from hoyle_reference.acts import Settlement

#: A number that would be a rule's value, typed: in figures, or in words before what is counted at cards.
TYPED = re.compile(
    r"\b\d+(?![♠♥♦♣\d])\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand)\b"
    r"(?= (?:\w+ )?(?:cards|points|packs|tricks|players|deals)\b)"
)
#: A worked sum: two final scores, and what the winner gets.
SUM = re.compile(r"^With ([\d,]+ to [\d,]+).* = ([\d,]+)\.$")
#: So large a share of the sentences may state no rule at most, and so large a share of the rules be left out.
NO_RULE, LEFT_OUT = 0.1, 0.25


@pytest.fixture(params=["bezique", "rubicon", "six-deck", "eight-deck", "four-handed", "piquet"])
def of(request: pytest.FixtureRequest) -> Primer:
    return primers()[request.param]


def said(of: Primer) -> Iterator[PrimerSentence]:
    yield from of.sentences
    yield from (sentence for paragraph in of.differs for sentence in paragraph)


def test_every_rule_of_a_sentence_is_in_its_table(suite: Suite, of: Primer) -> None:
    wrong = [
        (each.written, rule) for each in said(of) for rule in each.rules if rule not in suite.rules.cells(each.ruleset)
    ]
    assert wrong == []
    assert all(each.ruleset == of.ruleset for each in of.sentences)


def test_few_sentences_state_no_rule(of: Primer) -> None:
    without = [each.written for each in of.sentences if not each.rules]
    assert len(without) <= NO_RULE * len(of.sentences), without


def test_whatever_is_filled_in_is_of_a_rule_that_the_sentence_says(suite: Suite, of: Primer) -> None:
    for each in said(of):
        cells = suite.rules.cells(each.ruleset)
        assert {rule_of(place, cells) for place in each.places} <= set(each.rules), each.written
        assert "{" not in each.words(cells)


def test_no_number_is_typed_but_in_sums(of: Primer) -> None:
    written = [each.written for each in said(of) if not SUM.search(each.written)]
    assert [each for each in written if TYPED.search(re.sub(r"{.*?}", "", each))] == []


def test_a_sum_is_right_and_every_settlement_has_one(suite: Suite, of: Primer) -> None:
    """It begins with two scores, goes on with sums, and ends with what the winner gets."""
    game, cells = suite.rules.fresh_game(of.ruleset), suite.rules.cells(of.ruleset)
    sums = [each for each in of.sentences if SUM.search(each.written)]
    assert len(sums) >= (2 if "settle.rubicon" in cells else 0)  # above the rubicon, and under it
    for each in sums:
        words = each.words(cells).replace(",", "").replace("\N{MINUS SIGN}", "-")
        scores, *results = SUM.search(words).groups()  # type: ignore[union-attr]
        assert game.ask(Settlement(tuple(map(int, scores.split(" to "))))).value[1] == int(results[-1])
        for left, right in re.findall(r"((?:\d+ [+-] )+\d+) = (\d+)", words):
            assert sum(map(int, re.sub(r"([+-]) ", r"\1", left).split())) == int(right), each.written


def test_every_rule_is_said_or_left_out_for_a_reason(suite: Suite, of: Primer) -> None:
    cells = suite.rules.cells(of.ruleset)
    rules = {cell.path for cell in cells if not cell.path.startswith("referee.")}
    spoken = {rule for each in of.sentences for rule in each.rules} | set(shown(suite, of))
    assert spoken & set(of.left_out) == set()
    assert spoken | set(of.left_out) == rules
    assert len(of.left_out) <= LEFT_OUT * len(rules)
    assert all(of.left_out.values())


def shown(suite: Suite, of: Primer) -> Iterator[str]:
    """The rules in its tables of what scores."""
    cells = suite.rules.cells(of.ruleset)
    for section in of.sections:
        for piece in section.pieces:
            for path, _ in piece.rows:
                yield from [path] if path in cells else (row.path for row in cells.rows(path))


def test_what_is_told_of_another_book_is_otherwise_there(suite: Suite, of: Primer) -> None:
    own = suite.rules.cells(of.ruleset)
    for each in (sentence for paragraph in of.differs for sentence in paragraph):
        other = suite.rules.cells(each.ruleset)
        assert each.ruleset != of.ruleset
        assert all(rule not in own or own[rule].value != other[rule].value for rule in each.rules), each.written
