"""Asking what is known: each ruleset in its own words, every rule by its heading, and every position by its title."""

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum

import pytest

from conftest import the_suite
from hoyle_conformance.tools.ask.answer import (
    AnsweredSubject,
    SaidByGroup,
    Verdict,
    ask,
    certainty_of,
    rules_said,
    sentence_of,
)
from hoyle_conformance.tools.ask.subjects import IRREGULARITIES, rulesets_of
from hoyle_conformance.tools.ask.understand import known_subjects
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.rulebook_entries import entry_at

SUITE = the_suite()
GAMES = tuple(SUITE.rules.games)
RULES = [(name, cell.path) for name in SUITE.rulesets for cell in SUITE.rules.cells(name)]
TITLED = list(SUITE.scenarios.values())
#: The sample has every so many-th rule or title.
SAMPLED = 5
#: At most this share of the sure answers is about something else.
ELSEWHERE = 0.08


class Compared(StrEnum):
    """How an answer compares with what is known."""

    AGREES = "agrees"
    NOT_SURE = "not sure"
    ELSEWHERE = "about something else"
    CONTRADICTS = "contradicts"


def share_of(found: Mapping[str, Compared], what: Compared) -> float:
    """Print and return the share of the sure answers that compare in a way."""
    counts = Counter(found.values())
    print({each.value: counts[each] for each in Compared})
    print([text for text, compared in found.items() if compared is what])
    return counts[what] / (len(found) - counts[Compared.NOT_SURE])


# ---- each ruleset in its own words


def said_in(game: str) -> Iterator[tuple[AnsweredSubject, SaidByGroup, str, rulebook.Entry]]:
    """Yield every rule of a game for each ruleset, with the group that it is in and its own entry."""
    for path, said in rules_said(SUITE, game):
        for group in said.groups:
            for name in group.rulesets:
                entry = entry_at(SUITE, name, path)
                assert entry
                yield said, group, name, entry


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_ruleset_is_shown_its_own_words(game: str) -> None:
    for said, group, name, entry in said_in(game):
        readings = tuple((each.name, each.sentence) for each in entry.readings if each.name != entry.cell.follows)
        own = (sentence_of(entry), certainty_of(entry), entry.cell.because or "", readings)
        assert (group.sentence, group.certainty, group.because, group.readings) == own, (said.id, name)
        assert set(entry.cell.cites) <= set(group.clauses)
        assert said.id.startswith(IRREGULARITIES) or entry.heading in said.title


def group_of(subject: AnsweredSubject, ruleset: str) -> Iterator[SaidByGroup]:
    """Yield what is said for a ruleset."""
    return (group for group in subject.groups if ruleset in group.rulesets)


# ---- clauses and games


def test_a_clause_answers_only_for_rulesets_that_rest_on_it() -> None:
    for game in GAMES:
        for subject in known_subjects(SUITE, game).subjects:
            citing = {name for name in rulesets_of(SUITE, game) if subject.id in SUITE.rules.cited_by(name)}
            own = {name for name in citing if subject.id.partition("/")[0] in SUITE.rulesets[name].sources}
            assert subject.id not in SUITE.clauses or not own or subject.rulesets == own, subject.id
    clauses = {each.id: each.rulesets for each in known_subjects(SUITE, "Bézique").subjects}
    assert clauses["hoyle/bezique/score-last-trick"] == {"bezique-hoyle"}
    assert clauses["h2g2/six-deck/chinese-bezique"] == {"six-deck-h2g2"}


@pytest.mark.slow
@pytest.mark.parametrize("word", ["elder", "capot"])
@pytest.mark.parametrize(
    "rest", ["penalty for a revoke by", "draws too many cards from the stock,", "led out of turn,"]
)
def test_a_question_in_words_of_piquet_gets_no_fines_of_bezique(word: str, rest: str) -> None:
    answer = ask(SUITE, f"{rest} {word}")
    assert answer.question.scope.games == ("Piquet",)
    named = {name for each in (*answer.subjects, *answer.offered) for group in each.groups for name in group.rulesets}
    assert all(SUITE.rulesets[name.partition("+")[0]].game == "Piquet" for name in named)


# ---- rules by their headings


def as_a_question(entry: rulebook.Entry) -> str:
    """Return the heading of a rule, with that of its group."""
    return f"{entry.group if entry.group != entry.heading else ''} {entry.heading}".strip()


def compared_rule(ruleset: str, path: str, entry: rulebook.Entry) -> Compared:
    """Ask for a rule in one ruleset, and compare the answer with its cell."""
    answer = ask(SUITE, as_a_question(entry), ruleset)
    if answer.verdict is not Verdict.SURE:
        return Compared.NOT_SURE
    own = [group for each in answer.subjects if each.id == path for group in group_of(each, ruleset)]
    if not own:
        return Compared.ELSEWHERE
    return Compared.AGREES if all(each.sentence == sentence_of(entry) for each in own) else Compared.CONTRADICTS


@pytest.mark.slow
def test_a_rule_that_is_asked_for_by_its_heading_is_answered_by_its_cell() -> None:
    entries = ((name, path, entry_at(SUITE, name, path)) for name, path in RULES[::SAMPLED])
    found = {f"{path}@{name}": compared_rule(name, path, entry) for name, path, entry in entries if entry}
    assert Compared.CONTRADICTS not in found.values()
    assert share_of(found, Compared.ELSEWHERE) <= ELSEWHERE
