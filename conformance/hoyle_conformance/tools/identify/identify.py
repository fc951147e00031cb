"""The identification of an implementation: which ruleset it plays, and where it differs."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.ask import AnsweredPosition, PositionResponses
from hoyle_conformance.tools.identify.candidates import RuleChange, make_candidate, sourced_changes
from hoyle_conformance.tools.identify.explain import Explainer, Explanation, grounds_of
from hoyle_conformance.tools.identify.match import (
    Candidate,
    Difference,
    EngineAnswers,
    ImpossiblePosition,
    reference_observations,
)
from hoyle_conformance.tools.identify.positions import Form
from hoyle_reference.frozen import frozen

#: Rulesets with at most so many times as many differing answers as the best are tried too: a shorter explanation may
#: start from one of them.
_NEARLY_AS_GOOD = 2


@frozen
class Standing:
    """The nearness to a ruleset: in how many of the positions that tell rulesets apart an implementation agrees with
    it."""

    ruleset: str
    agrees: int
    of: int


@frozen
class UnexplainedAnswers:
    """Answers that no source explains and that differ in the same way: the act or question, the observation compared,
    the cell at work, if there is one, and the positions with their differences, the shortest first.

    It is `is_foreign` if only other rulesets have checks in these positions, which may never arise under the nearest.
    """

    step: str
    what: str
    cell: str
    examples: tuple[tuple[int, Difference], ...]
    is_foreign: bool


@frozen
class Identification:
    """The result for one form: the nearness to each ruleset, the explanation, rulesets that are equally near, groups
    of unexplained answers, the cells of rules that no answer could determine, and how many answers tell rulesets
    apart."""

    form: Form
    sent_as: str
    responses: PositionResponses
    evidence: EngineAnswers
    standings: tuple[Standing, ...]
    explanation: Explanation
    equally_near: tuple[str, ...]
    groups: tuple[UnexplainedAnswers, ...]
    undetermined: tuple[str, ...]
    decisive: int


def identify(suite: Suite, form: Form, sent_as: str, responses: PositionResponses) -> Identification:
    """Return the identification of an implementation that has answered something."""
    evidence = EngineAnswers(responses.answered, responses.deals)
    tables = [each for name in form.rulesets if (each := make_candidate(suite, name))]
    decisive = _decisive_answers(evidence, tables)
    tables += _combined_options(suite, form, evidence, tables)
    standings = sorted(
        (Standing(each.ruleset, len(evidence.agreeing(each) & decisive), len(decisive)) for each in tables),
        key=lambda each: (-each.agrees, *_tie_order(form, sent_as, each.ruleset)),
    )
    explanation, *others = _nearest_explanations(
        suite, form, evidence, {each.ruleset: each for each in tables}, standings
    )
    equally_near = tuple(each.base.ruleset for each in others)
    groups = tuple(_group_unexplained(evidence, explanation))
    undetermined = tuple(_undetermined_rules(suite, form, evidence, explanation))
    return Identification(
        form,
        sent_as,
        responses,
        evidence,
        tuple(standings),
        explanation,
        equally_near,
        groups,
        undetermined,
        len(decisive),
    )


def _tie_order(form: Form, sent_as: str, ruleset: str) -> tuple[bool, int, int]:
    """Return a sort key for rulesets that fit equally well: first the claimed one, and plain ones."""
    base = ruleset.partition("+")[0]
    return base != sent_as.partition("+")[0], ruleset.count("+"), form.plain.index(base)


def _decisive_answers(evidence: EngineAnswers, tables: Sequence[Candidate]) -> frozenset[int]:
    """Return the indices of the answers that fit some of these tables and not others."""
    agreeing = [evidence.agreeing(each) for each in tables]
    return frozenset.union(*agreeing) - frozenset.intersection(*agreeing)


def _combined_options(
    suite: Suite, form: Form, evidence: EngineAnswers, tables: Sequence[Candidate]
) -> Iterator[Candidate]:
    """Yield rulesets with several options, of those that each make more answers fit."""
    fits = {each.ruleset: len(evidence.agreeing(each)) for each in tables}
    for base in form.plain:
        options = [option for option in suite.rules.options(base) if fits.get(f"{base}+{option}", 0) > fits[base]]
        for count in range(2, len(options) + 1):
            for chosen in combinations(options, count):
                if combined := make_candidate(suite, "+".join((base, *chosen))):
                    yield combined


def _nearest_explanations(
    suite: Suite, form: Form, evidence: EngineAnswers, tables: dict[str, Candidate], standings: Sequence[Standing]
) -> list[Explanation]:
    """Return the shortest explanations, starting from the best tables of several rulesets."""
    best: dict[str, Standing] = {}
    for each in standings:
        best.setdefault(each.ruleset.partition("+")[0], each)
    first, *others = best.values()
    nearest = [Explainer(suite, evidence, tables[first.ruleset], sourced_changes(suite, form, first.ruleset)).explain()]
    if nearest[0].cut_short:  # no other explanation would be short either
        return nearest
    for each in others:
        if each.of - each.agrees <= _NEARLY_AS_GOOD * (first.of - first.agrees):
            changes = sourced_changes(suite, form, each.ruleset)
            rival = Explainer(suite, evidence, tables[each.ruleset], changes, nearest[0].cost[0]).explain()
            if rival.cost < nearest[0].cost:
                nearest = [rival]
            elif rival.cost == nearest[0].cost:
                nearest.append(rival)
    return nearest


def _group_unexplained(evidence: EngineAnswers, explanation: Explanation) -> Iterator[UnexplainedAnswers]:
    """Yield the unexplained answers, grouped by their difference."""
    groups: dict[tuple[str, str, str], list[tuple[int, Difference]]] = {}
    for at in explanation.unexplained:
        first = evidence.fit(explanation.rules, at).first
        assert first is not None, "only what differs is left"
        groups.setdefault(_group_key(evidence, explanation.rules, at, first), []).append((at, first))
    for (step, what, cell), examples in sorted(groups.items(), key=lambda each: -len(each[1])):
        own = {at for at, _ in examples if evidence.answers[at].distinct.is_of(explanation.base.ruleset)}
        examples.sort(key=lambda each: (each[0] not in own, len(evidence.answers[each[0]].sent_steps)))
        yield UnexplainedAnswers(step, what, cell, tuple(examples), is_foreign=not own)


def _group_key(evidence: EngineAnswers, rules: Candidate, at: int, first: Difference) -> tuple[str, str, str]:
    """Return the act or question, the observation compared, and the cell at work. For a refused act that changes
    something there is no cell: the reason of the refusal does not matter."""
    answer = evidence.answers[at]
    step = answer.sent_steps[first.at]
    word = str(step.get("do", step.get("ask")))
    if first.what == "accepted":
        what = "accepted" if first.observed else "refused"
    elif _is_refused(rules, answer, first.at):
        return word, f"{first.what} of a refused act", ""
    else:
        what = first.what
    return word, what, next(iter(grounds_of(evidence, rules, at)), "")


def _is_refused(rules: Candidate, answer: AnsweredPosition, at: int) -> bool:
    """Whether these rules refuse an act that was sent."""
    try:
        return next(islice(reference_observations(rules, answer), at, None)).get("accepted") is False
    except ImpossiblePosition:
        return False


def _undetermined_rules(suite: Suite, form: Form, evidence: EngineAnswers, explanation: Explanation) -> Iterator[str]:
    """Yield the cells that differ between sources and that no answer could determine."""
    base, changed = (
        explanation.base,
        {value.path for each in explanation.departures for value in each.change.cell_values},
    )
    answers_of = _answers_by_cell(evidence, base)
    changes: dict[str, list[RuleChange]] = {}
    for change in sourced_changes(suite, form, base.ruleset):
        if len(change.cell_values) == 1 and change.path in base.rules.cells:
            changes.setdefault(change.path, []).append(change)
    for cell in base.rules.cells:
        if cell.path in changes and cell.path not in changed:
            others = [other for each in changes[cell.path] if (other := make_candidate(suite, base.ruleset, [each]))]
            if not any(
                evidence.told_apart(base, other, at) for other in others for at in answers_of.get(cell.path, ())
            ):
                yield cell.path


def _answers_by_cell(evidence: EngineAnswers, rules: Candidate) -> dict[str, list[int]]:
    """Return, for each cell, the answers in which it is at work."""
    found: dict[str, list[int]] = {}
    for at in range(len(evidence.answers)):
        for path in grounds_of(evidence, rules, at):
            found.setdefault(path, []).append(at)
    return found
