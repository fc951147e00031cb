"""Identified: everything that is found out about which ruleset an implementation plays."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.ask import Answered, PositionResponses
from hoyle_conformance.tools.identify.candidates import RuleChange, candidate, sourced
from hoyle_conformance.tools.identify.explain import Explained, Explaining, grounds_of
from hoyle_conformance.tools.identify.games import Form
from hoyle_conformance.tools.identify.match import Candidate, Difference, EngineAnswers, Senseless, reference
from hoyle_reference.frozen import frozen

#: Rulesets with at most so many times as many answers that differ as the best are tried too: with fewer departures one
#: of them is the nearest.
_NEARLY = 2


@frozen
class Standing:
    """How near an implementation is to a ruleset: in how many of the positions that tell rulesets apart it agrees."""

    ruleset: str
    agrees: int
    of: int


@frozen
class UnexplainedAnswers:
    """Answers that no source accounts for, and that differ in the same: the act or question, what was compared, the
    cell at work, if one is, and the positions with their differences, that with the fewest acts and questions first.

    It is `foreign` where only other rulesets speak of these positions, which may never arise by the nearest.
    """

    step: str
    what: str
    cell: str
    shown: tuple[tuple[int, Difference], ...]
    foreign: bool


@frozen
class Identified:
    """What an implementation plays: how near it is to each ruleset, the nearest with what it has otherwise, others that
    are as near, what no source accounts for, the rules that nothing it was asked could tell (by their cells), and how
    many answers tell rulesets apart."""

    form: Form
    asked_as: str
    asked: PositionResponses
    evidence: EngineAnswers
    standings: tuple[Standing, ...]
    explained: Explained
    as_near: tuple[str, ...]
    causes: tuple[UnexplainedAnswers, ...]
    never_put: tuple[str, ...]
    telling: int


def identify(suite: Suite, form: Form, asked_as: str, asked: PositionResponses) -> Identified:
    """What an implementation plays that has answered something."""
    evidence = EngineAnswers(asked.answered, asked.deals)
    tables = [each for name in form.rulesets if (each := candidate(suite, name))]
    telling = _telling(evidence, tables)
    tables += _combined(suite, form, evidence, tables)
    standings = sorted(
        (Standing(each.ruleset, len(evidence.agreeing(each) & telling), len(telling)) for each in tables),
        key=lambda each: (-each.agrees, *_order(form, asked_as, each.ruleset)),
    )
    explained, *others = _nearest(suite, form, evidence, {each.ruleset: each for each in tables}, standings)
    as_near = tuple(each.base.ruleset for each in others)
    causes = tuple(_causes(evidence, explained))
    never_put = tuple(_never_put(suite, form, evidence, explained))
    return Identified(
        form, asked_as, asked, evidence, tuple(standings), explained, as_near, causes, never_put, len(telling)
    )


def _order(form: Form, asked_as: str, ruleset: str) -> tuple[bool, int, int]:
    """Of rulesets that fit as well, first that which is claimed, and plain ones."""
    base = ruleset.partition("+")[0]
    return base != asked_as.partition("+")[0], ruleset.count("+"), form.plain.index(base)


def _telling(evidence: EngineAnswers, tables: Sequence[Candidate]) -> frozenset[int]:
    """The places of the answers that fit some of these tables and not others."""
    agreeing = [evidence.agreeing(each) for each in tables]
    return frozenset.union(*agreeing) - frozenset.intersection(*agreeing)


def _combined(suite: Suite, form: Form, evidence: EngineAnswers, tables: Sequence[Candidate]) -> Iterator[Candidate]:
    """Rulesets with several options, of those that each make more answers fit."""
    fits = {each.ruleset: len(evidence.agreeing(each)) for each in tables}
    for base in form.plain:
        options = [option for option in suite.options(base) if fits.get(f"{base}+{option}", 0) > fits[base]]
        for count in range(2, len(options) + 1):
            for chosen in combinations(options, count):
                if made := candidate(suite, "+".join((base, *chosen))):
                    yield made


def _nearest(
    suite: Suite, form: Form, evidence: EngineAnswers, tables: dict[str, Candidate], standings: Sequence[Standing]
) -> list[Explained]:
    """Of the best tables of several rulesets, those from which there is the least to tell."""
    best: dict[str, Standing] = {}
    for each in standings:
        best.setdefault(each.ruleset.partition("+")[0], each)
    first, *others = best.values()
    nearest = [Explaining(suite, evidence, tables[first.ruleset], sourced(suite, form, first.ruleset)).explain()]
    if nearest[0].cut_short:  # nor would there be little to tell from any other
        return nearest
    for each in others:
        if each.of - each.agrees <= _NEARLY * (first.of - first.agrees):
            changes = sourced(suite, form, each.ruleset)
            rival = Explaining(suite, evidence, tables[each.ruleset], changes, nearest[0].cost[0]).explain()
            if rival.cost < nearest[0].cost:
                nearest = [rival]
            elif rival.cost == nearest[0].cost:
                nearest.append(rival)
    return nearest


def _causes(evidence: EngineAnswers, explained: Explained) -> Iterator[UnexplainedAnswers]:
    """What is left, put together by what differs."""
    groups: dict[tuple[str, str, str], list[tuple[int, Difference]]] = {}
    for at in explained.left:
        first = evidence.fit(explained.rules, at).first
        assert first is not None, "only what differs is left"
        groups.setdefault(_kind(evidence, explained.rules, at, first), []).append((at, first))
    for (step, what, cell), shown in sorted(groups.items(), key=lambda each: -len(each[1])):
        own = {at for at, _ in shown if evidence.answers[at].distinct.is_of(explained.base.ruleset)}
        shown.sort(key=lambda each: (each[0] not in own, len(evidence.answers[each[0]].sent)))
        yield UnexplainedAnswers(step, what, cell, tuple(shown), foreign=not own)


def _kind(evidence: EngineAnswers, rules: Candidate, at: int, first: Difference) -> tuple[str, str, str]:
    """What tells one cause from another: the act or question, what was compared, and the cell at work; a refused act
    that changes something does so for whatever reason it was refused."""
    answer = evidence.answers[at]
    step = answer.sent[first.at]
    word = str(step.get("do", step.get("ask")))
    if first.what == "accepted":
        what = "accepted" if first.observed else "refused"
    elif _refused(rules, answer, first.at):
        return word, f"{first.what} of a refused act", ""
    else:
        what = first.what
    return word, what, next(iter(grounds_of(evidence, rules, at)), "")


def _refused(rules: Candidate, answer: Answered, at: int) -> bool:
    """Whether an act that was sent is refused by these rules."""
    try:
        return next(islice(reference(rules, answer), at, None)).get("accepted") is False
    except Senseless:
        return False


def _never_put(suite: Suite, form: Form, evidence: EngineAnswers, explained: Explained) -> Iterator[str]:
    """The cells of which sources have something else, and which nothing that was answered could tell."""
    base, told = explained.base, {put.path for each in explained.departures for put in each.change.puts}
    likely = _likely(evidence, base)
    changes: dict[str, list[RuleChange]] = {}
    for change in sourced(suite, form, base.ruleset):
        if len(change.puts) == 1 and change.path in base.rules.cells:
            changes.setdefault(change.path, []).append(change)
    for cell in base.rules.cells:
        if cell.path in changes and cell.path not in told:
            others = [other for each in changes[cell.path] if (other := candidate(suite, base.ruleset, [each]))]
            if not any(evidence.told_apart(base, other, at) for other in others for at in likely.get(cell.path, ())):
                yield cell.path


def _likely(evidence: EngineAnswers, rules: Candidate) -> dict[str, list[int]]:
    """For each cell, the answers in which it is at work."""
    found: dict[str, list[int]] = {}
    for at in range(len(evidence.answers)):
        for path in grounds_of(evidence, rules, at):
            found.setdefault(path, []).append(at)
    return found
