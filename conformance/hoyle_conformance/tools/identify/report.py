"""The report of what an implementation plays, and a file of house rules that describes it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.candidates import LEFT_OUT, RuleChange, RuleOwner
from hoyle_conformance.tools.identify.explain import Departure
from hoyle_conformance.tools.identify.identify import Identification, Standing, UnexplainedAnswers
from hoyle_conformance.tools.identify.positions import Form
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import join_and, plural, sanitize, with_label, wrap
from hoyle_reference import Cells

#: The greatest numbers of rulesets, positions and alternatives that are shown.
_MOST_STANDINGS: Final = 4
_MOST_EXAMPLES: Final = 3
_MOST_ALTERNATIVES: Final = 3
#: Fewer positions may be chance.
_THIN_EVIDENCE: Final = 3
#: The greatest number of groups of unexplained answers that are shown.
_MOST_GROUPS: Final = 10
#: Longer steps, such as the deal of a whole pack, are cut short; in characters.
_LONGEST_STEP: Final = 120
_WRONG: Final = {"accepted": "accepted where it must be refused", "refused": "refused where it is allowed"}
_NUMBERS: Final = ("nobody", "one", "two", "three", "four")
_NO_SUCH_RULE: Final = "There is no such rule."
_CUT_SHORT: Final = "No short list of differences explains the answers: the search for one was cut short."


def identification_lines(suite: Suite, found: Identification) -> Iterator[str]:
    """Yield the whole report, line by line."""
    yield from _response_lines(found)
    yield from _standing_lines(found)
    yield from _departures_lines(suite, found)
    if found.explanation.cut_short:
        yield ""
        yield _CUT_SHORT
    yield from _unexplained_lines(suite, found)
    yield from _undetermined_lines(found)


def describe_form(form: Form, sent_as: str) -> str:
    """Return a form in words, with the ruleset name that was sent."""
    return f"{form.game} for {_NUMBERS[form.players]}, with {plural(form.packs, 'pack')}, sent as {sent_as}"


def _response_lines(found: Identification) -> Iterator[str]:
    responses = found.responses
    yield f"{describe_form(found.form, found.sent_as)}:"
    yield (
        f"{plural(len(responses.answered), 'position')} answered, each sent once; {found.decisive:,} of "
        "them distinguish the rulesets."
    )
    if responses.not_claimed:
        yield f"{plural(responses.not_claimed, 'position')} not sent: they need claims that the engine does not make."
    if responses.unanswered:
        count = plural(len(responses.unanswered), "position")
        name, reason = next(iter(responses.unanswered.items()))
        yield f"{count} not answered, such as {name}: " + sanitize(reason).replace("\n", " ")
    if responses.gave_up:
        yield f"Hoyle {responses.gave_up}."


def _standing_lines(found: Identification) -> Iterator[str]:
    if len(found.standings) == 1:
        return
    yield ""
    best = _best_of_each(found.standings)
    width = max(len(each.ruleset) for each in best)
    for each in best:
        mark = "→" if each.ruleset == found.explanation.base.ruleset else " "
        yield f"  {mark} {each.ruleset:<{width}}  agrees in {each.agrees:>3} of {each.of}"


def _best_of_each(standings: Sequence[Standing]) -> list[Standing]:
    """Return the best form of each ruleset: plain, or with options."""
    best: dict[str, Standing] = {}
    for each in standings:
        best.setdefault(each.ruleset.partition("+")[0], each)
    return list(best.values())[:_MOST_STANDINGS]


def _departures_lines(suite: Suite, found: Identification) -> Iterator[str]:
    explanation, base = found.explanation, found.explanation.base.ruleset
    own = [each for each in explanation.departures if each.change.owners]
    others = [each for each in explanation.departures if not each.change.owners]
    yield ""
    if not explanation.departures and not explanation.unexplained:
        yield f"The engine plays {base} ({suite.rules.title(base)}): none of its answers differs."
        yield from _equally_near_lines(found)
        return
    if not explanation.departures:
        yield f"Nearest: {base} ({suite.rules.title(base)})."
        yield from _equally_near_lines(found)
        return
    yield (
        f"The engine plays {base} ({suite.rules.title(base)}), except for "
        f"{plural(len(explanation.departures), 'rule')}."
    )
    yield from _equally_near_lines(found)
    for number, each in enumerate(own, start=1):
        yield from _departure_lines(suite, found, number, each)
    if others:
        yield ""
        yield "In no source: house rules, or bugs."
    for number, each in enumerate(others, start=len(own) + 1):
        yield from _departure_lines(suite, found, number, each)


def _equally_near_lines(found: Identification) -> Iterator[str]:
    if found.equally_near:
        names = join_and(found.equally_near)
        verb = "is" if len(found.equally_near) == 1 else "are"
        yield f"{names} {verb} equally near: the answers do not distinguish them."


def _departure_lines(suite: Suite, found: Identification, number: int, departure: Departure) -> Iterator[str]:
    base, change = found.explanation.base, departure.change
    changed = change.apply_to(base.rules.cells)
    yield ""
    yield f"{number}. {rule_title(suite, change, base.rules.cells, changed)}"
    for path in _main_paths(change):
        yield from with_label("it plays", rule_sentence(suite, changed, path))
        yield from with_label("not", f"{rule_sentence(suite, base.rules.cells, path)} ({base.ruleset})")
    yield from with_label("as", _owners_text(change.owners))
    for other in departure.alternatives[:_MOST_ALTERNATIVES]:
        yield from with_label("or", _alternative_text(suite, found, other))
    if more := departure.alternatives[_MOST_ALTERNATIVES:]:
        yield from with_label("", f"{len(more)} other changes would fit as well")
    yield from with_label("shown by", _evidence_text(found, departure))


def _main_paths(change: RuleChange) -> Iterator[str]:
    """Yield the cells of a change that are worth showing: of a whole chapter the first few."""
    return iter(list(dict.fromkeys(value.path for value in change.cell_values))[:_MOST_EXAMPLES])


def rule_title(suite: Suite, change: RuleChange, *tables: Cells) -> str:
    """Return the title of a rule, with its cell."""
    for cells in tables:
        for chapter in rulebook.chapters(suite, cells):
            for entry in chapter.entries:
                if entry.cell.path == change.path:
                    group = f"{entry.group}: " if entry.group else ""
                    return f"{chapter.title}: {group}{entry.heading} ({change.cell_values[0].full_path})"
    return change.cell_values[0].full_path


def rule_sentence(suite: Suite, cells: Cells, path: str) -> str:
    """Return what a table says at a path, as a sentence."""
    if path not in cells:
        return _NO_SUCH_RULE
    return rulebook.sentence(rulebook.parameter_schema(suite, path), cells[path].value)


def _alternative_text(suite: Suite, found: Identification, change: RuleChange) -> str:
    cells = found.explanation.base.rules.cells
    changed = change.apply_to(cells)
    sentences = " ".join(rule_sentence(suite, changed, path) for path in _main_paths(change))
    origins = f", as {_owners_text(change.owners)}" if change.owners else ""
    return f"{rule_title(suite, change, cells, changed)}: {sentences.rstrip('.')}{origins}"


def _owners_text(origins: Iterable[RuleOwner]) -> str:
    """Return the owners of a rule: rulesets first, then readings; a ruleset with options only if it does not have
    the rule without them."""
    origins = list(origins)
    plain = [each.ruleset for each in origins if not each.reading and "+" not in each.ruleset]
    options = [
        each.ruleset
        for each in origins
        if not each.reading and "+" in each.ruleset and each.ruleset.partition("+")[0] not in plain
    ]
    read = [
        f"{each.ruleset} may be read ('{each.reading}')" for each in origins if each.reading and "+" not in each.ruleset
    ]
    return "; ".join([*([join_and([*plain, *options])] if plain or options else []), *read])


def _evidence_text(found: Identification, departure: Departure) -> str:
    base = found.explanation.base.ruleset.partition("+")[0]
    names = sorted((_check_name(found, at) for at in departure.shows), key=lambda name: not name.endswith(f"@{base}"))
    thin = " (little evidence: this may be chance)" if len(names) < _THIN_EVIDENCE else ""
    against = f"; {plural(len(departure.against), 'position')} against it" if departure.against else ""
    examples = join_and(names) if len(names) <= _MOST_EXAMPLES else f"such as {', '.join(names[:2])}"
    return f"{plural(len(names), 'position')}{thin}, {examples}{against}"


def _check_name(found: Identification, at: int) -> str:
    """Return the id of a position's check under the nearest ruleset, or else of the check that was sent."""
    distinct, base = found.evidence.answers[at].distinct, found.explanation.base.ruleset
    own = (each for name in (base, base.partition("+")[0]) for each in distinct.checks if each.endswith(f"@{name}"))
    return next(own, distinct.check.id)


def _unexplained_lines(suite: Suite, found: Identification) -> Iterator[str]:
    own = [group for group in found.groups if not group.is_foreign]
    foreign = [group for group in found.groups if group.is_foreign]
    if own:
        yield ""
        answers = plural(sum(len(group.examples) for group in own), "answer")
        yield f"No rule explains {answers}: bugs, or rules that no rule table can have."
    for group in own[:_MOST_GROUPS]:
        yield ""
        yield from _group_lines(suite, found, group)
    if own[_MOST_GROUPS:]:
        yield ""
        rest = plural(sum(len(group.examples) for group in own[_MOST_GROUPS:]), "answer")
        yield f"And {rest} more, in {plural(len(own[_MOST_GROUPS:]), 'other way')}."
    if foreign:
        yield ""
        count, base = sum(len(group.examples) for group in foreign), found.explanation.base.ruleset
        names = [_check_name(found, group.examples[0][0]) for group in foreign]
        few = f"{join_and(names[:_MOST_EXAMPLES])}{', and others' if len(names) > _MOST_EXAMPLES else ''}"
        text = f"{plural(count, 'more answer')} differ in positions that may never arise in {base}"
        yield from wrap(f"{text}, because only other rulesets have them: {few}.")


def _group_lines(suite: Suite, found: Identification, group: UnexplainedAnswers) -> Iterator[str]:
    at, difference = group.examples[0]
    answer = found.evidence.answers[at]
    check = answer.distinct.check
    melds = suite.rules.meld_names(check.ruleset)
    base = found.explanation.rules
    rule = rule_sentence(suite, base.rules.cells, group.cell) if group.cell else ""
    act = words.step(answer.sent_steps[difference.at], melds)
    yield f"- {group.step}: {_WRONG.get(group.what, group.what)}, in {plural(len(group.examples), 'position')}"
    yield from with_label("such as", act if len(act) < _LONGEST_STEP else f"{act[:_LONGEST_STEP]}…")
    if difference.what == "accepted":
        expected, observed = ("accepted" if each else "refused" for each in difference[2:])
        yield from with_label("expected", expected)
        yield from with_label("observed", observed)
    else:
        what = words.value_key(answer.sent_steps[difference.at], difference.what)
        yield from with_label("expected", words.value(what, difference.expected, melds))
        yield from with_label("observed", words.value(what, difference.observed, melds))
    if group.what.endswith(" act"):
        rule = "A refused act must leave everything as it was."
    yield from with_label("at work", rule)
    yield from with_label("look at", f"hoyle explain {_check_name(found, at)} --as-written", whole=True)


def _undetermined_lines(found: Identification) -> Iterator[str]:
    if not found.undetermined:
        return
    yield ""
    count = plural(len(found.undetermined), "rule")
    yield f"The answers do not determine {count} on which sources differ; taken from {found.explanation.base.ruleset}:"
    yield from wrap(", ".join(found.undetermined), 2, 0)


def house_rules_text(suite: Suite, found: Identification, name: str) -> str:
    """Return the YAML text of house rules: the nearest ruleset with its options, and the rules that differ."""
    base, *options = found.explanation.base.ruleset.split("+")
    changes = [each.change for each in found.explanation.departures]
    answered, unexplained = len(found.responses.answered), len(found.explanation.unexplained)
    lines = [
        f"# {name}: {answered} positions answered, {unexplained} not explained.",
        "id: my-rules",
        f"title: {json.dumps(f'Rules of {name}', ensure_ascii=False)}",
        f"extends: {base}",
        *([f"options: [{', '.join(options)}]"] if options else []),
        *_rule_lines(suite, found, changes),
    ]
    left_out = [
        value.path for each in changes for value in each.cell_values if value.value is LEFT_OUT and not value.field
    ]
    if left_out:
        lines += ["without:", *(f"  - {path}" for path in left_out)]
    return "\n".join([*lines, ""])


def _rule_lines(suite: Suite, found: Identification, changes: list[RuleChange]) -> Iterator[str]:
    cells = found.explanation.base.rules.cells
    lines = []
    for change in changes:
        written = [
            f"  {value.full_path}: {_yaml_value(value.value)}"
            for value in change.cell_values
            if value.value is not LEFT_OUT
        ]
        if written:
            lines += [f"  # {rule_title(suite, change, cells, change.apply_to(cells)).rpartition(' (')[0]}", *written]
    if lines:
        yield "rules:"
        yield from lines


def _yaml_value(value: Any) -> str:
    """Return a value on one line, as JSON; plain words without quotation marks."""
    plain = isinstance(value, str) and value.replace("-", "").replace(" ", "").isalpha()
    return (
        str(value) if plain and value not in {"yes", "no", "true", "false"} else json.dumps(value, ensure_ascii=False)
    )
