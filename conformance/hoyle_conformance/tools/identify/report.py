"""The report of the ruleset that an implementation plays, as text or data, and as a file of house rules."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.files.diagnostics import printable
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.answers import IMPOSSIBLE, value_at
from hoyle_conformance.runner.explain import HANDFUL, Departure
from hoyle_conformance.runner.rule_changes import LEFT_OUT, CellValue, Form, RuleChange
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import flow
from hoyle_conformance.tools.identify.identify import Identification, UnexplainedAnswers
from hoyle_conformance.tools.identify.positions import AnsweredPosition, PositionResponses
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording import words
from hoyle_conformance.wording.rulebook_entries import departure_sentence, owners_text, rule_sentence
from hoyle_conformance.wording.text import join_and, plural, sanitize, with_label, wrap
from hoyle_reference import Cells

#: The maximum numbers of rulesets, positions and alternatives in the report.
_MOST_STANDINGS: Final = 4
_MOST_EXAMPLES: Final = 3
_MOST_ALTERNATIVES: Final = 3
#: The maximum number of groups of unexplained answers in the report.
_MOST_GROUPS: Final = 10
#: The length at which a step is truncated, such as the deal of a whole pack; in characters.
_LONGEST_STEP: Final = 120
_WRONG: Final = {"accepted": "accepted where it must be refused", "refused": "refused where it is allowed"}
_NUMBERS: Final = ("nobody", "one", "two", "three", "four")
_CUT_SHORT: Final = "No short list of differences explains the answers: the search for one was cut short."


def identification_lines(suite: Suite, found: Identification) -> Iterator[str]:
    """Yield the whole report, line by line."""
    if not found.is_known:
        yield f"{found.form.game}: the engine answered nothing, so nothing is known about the rules it plays."
        yield from _unanswered_lines(found.responses)
        return
    yield from _response_lines(found)
    yield from _standing_lines(found)
    yield from _departures_lines(suite, found)
    if found.unfinished:
        yield ""
        yield f"Not finished: {found.unfinished}."
        return
    if found.explanation.cut_short:
        yield ""
        yield _CUT_SHORT
    yield from _unexplained_lines(suite, found)
    yield from _undetermined_lines(found)


def identified_data(ready: AdapterInfo, games: Iterable[Identification], stopped: str) -> dict[str, Any]:
    """Return the result of an identification as `identify.schema.json` describes it."""
    return {
        "engine": {"name": ready.name, "version": ready.version, "language": ready.language},
        "stopped": stopped,
        "games": [*map(_game_data, games)],
    }


def _game_data(found: Identification) -> dict[str, Any]:
    explained = found.explanation if found.is_known else None
    return {
        "game": found.form.game,
        "sent_as": found.sent_as if explained else "",
        "nearest": explained.base.ruleset if explained else None,
        "house_rules": found.house_rules.ruleset.id if found.house_rules else None,
        "as_near": found.equally_near if explained else [],
        "unfinished": found.unfinished if explained else "",
        "differences": [_departure_data(each) for each in explained.departures] if explained else [],
        "unexplained": len(explained.unexplained) if explained else 0,
        "undetermined": found.undetermined if explained else [],
    }


def _departure_data(departure: Departure) -> dict[str, Any]:
    return {"cells": sorted(departure.change.paths), "shows": len(departure.shows), "against": len(departure.against)}


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
    yield from _unanswered_lines(responses)
    yield from _error_lines(responses.answered)
    if responses.gave_up:
        yield f"Hoyle {responses.gave_up}."


def _unanswered_lines(responses: PositionResponses) -> Iterator[str]:
    if responses.not_claimed:
        yield f"{plural(responses.not_claimed, 'position')} not sent: they need claims that the engine does not make."
    if responses.unanswered:
        count = plural(len(responses.unanswered), "position")
        name, reason = next(iter(responses.unanswered.items()))
        yield f"{count} not answered, such as {name}: " + sanitize(reason).replace("\n", " ")


def _error_lines(answered: Iterable[AnsweredPosition]) -> Iterator[str]:
    """Yield the number of positions in which the engine reports an error instead of an observation, and the first of
    them."""
    errors = [(answer, seen["error"]) for answer in answered for seen in answer.observations if "error" in seen]
    if errors:
        first, reason = errors[0]
        count = plural(len({answer.distinct.check.id for answer, _ in errors}), "position")
        said = sanitize(str(reason)).partition("\n")[0]
        yield f"In {count} the engine reports an error, such as in {first.distinct.check.id}: {said}"


def _standing_lines(found: Identification) -> Iterator[str]:
    if len(found.standings) == 1:
        return
    yield ""
    best = found.standings[:_MOST_STANDINGS]
    width = max(len(each.ruleset) for each in best)
    for each in best:
        mark = "→" if each.ruleset == found.explanation.base.ruleset else " "
        yield f"  {mark} {each.ruleset:<{width}}  agrees in {each.agrees:>3} of {found.decisive}"


def _departures_lines(suite: Suite, found: Identification) -> Iterator[str]:
    explanation, base = found.explanation, found.explanation.base.ruleset
    own = [each for each in explanation.departures if each.change.owners]
    others = [each for each in explanation.departures if not each.change.owners]
    title = f"{base} ({suite.rules.title(base)})"
    yield ""
    if found.unfinished and not explanation.departures:
        yield f"Nearest so far: {title}."
        return
    if explanation.departures:
        house = f": these are the house rules {found.house_rules.ruleset.id}" if found.house_rules else ""
        yield f"The engine plays {title}, except for {plural(len(explanation.departures), 'rule')}{house}."
    elif explanation.unexplained:
        yield f"Nearest: {title}."
    else:
        yield f"The engine plays {title}: none of its answers differs."
    for option, shows in found.options.items():
        yield f"{option} is shown by {plural(shows, 'position')}{'' if shows >= HANDFUL else ' (not enough to tell)'}."
    if found.equally_near:
        verb = "is" if len(found.equally_near) == 1 else "are"
        yield f"{join_and(found.equally_near)} {verb} equally near: the answers do not distinguish them."
    for number, each in enumerate((*own, *others), start=1):
        if others and each is others[0]:
            yield ""
            yield "In no source: house rules, or bugs."
        yield from _departure_lines(suite, found, number, each)


def _departure_lines(suite: Suite, found: Identification, number: int, departure: Departure) -> Iterator[str]:
    base, change = found.explanation.base, departure.change
    cells, changed = base.rules.cells, change.apply_to(base.rules.cells)
    yield ""
    yield from wrap(f"{number}. {departure_sentence(suite, cells, changed, change.path, base.ruleset)}", 0, 3)
    yield from with_label("rule", rule_title(suite, change, cells, changed))
    if others := list(dict.fromkeys(value.path for value in change.cell_values if value.path != change.path)):
        yield from with_label("with it", _first_names(others))
    yield from with_label("as", owners_text(change.owners))
    for other in departure.alternatives[:_MOST_ALTERNATIVES]:
        yield from with_label("or", _alternative_text(suite, found, other))
    if more := departure.alternatives[_MOST_ALTERNATIVES:]:
        yield from with_label("", f"{len(more)} other changes would fit as well")
    yield from with_label("shown by", _evidence_text(found, departure))


def rule_title(suite: Suite, change: RuleChange, *tables: Cells) -> str:
    """Return the title of a rule, with its cell."""
    for cells in tables:
        for chapter in rulebook.chapters(suite, cells):
            for entry in chapter.entries:
                if entry.cell.path == change.path:
                    group = f"{entry.group}: " if entry.group else ""
                    return f"{chapter.title}: {group}{entry.heading} ({change.cell_values[0].full_path})"
    return change.cell_values[0].full_path


def _alternative_text(suite: Suite, found: Identification, change: RuleChange) -> str:
    cells = found.explanation.base.rules.cells
    changed = change.apply_to(cells)
    origins = f", as {owners_text(change.owners)}" if change.owners else ""
    said = rule_sentence(suite, changed, change.path).rstrip(".")
    return f"{rule_title(suite, change, cells, changed)}: {said}{origins}"


def _first_names(names: Sequence[str]) -> str:
    """Return the first few of these names in words."""
    return f"{join_and(names[:_MOST_EXAMPLES])}{', and others' if len(names) > _MOST_EXAMPLES else ''}"


def _evidence_text(found: Identification, departure: Departure) -> str:
    base = found.explanation.base.ruleset.partition("+")[0]
    names = sorted(
        (_check_name(found, at) for at in departure.shows), key=lambda name: (not name.endswith(f"@{base}"), name)
    )
    thin = " (not enough to tell)" if len(names) < HANDFUL else ""
    against = f"; {plural(len(departure.against), 'position')} against it" if departure.against else ""
    examples = join_and(names) if len(names) <= _MOST_EXAMPLES else f"such as {', '.join(names[:2])}"
    return f"{plural(len(names), 'position')}{thin}, {examples}{against}"


def _check_name(found: Identification, at: int) -> str:
    """Return the id of a position's check under the nearest ruleset, or of the check that was sent if there is none."""
    distinct, base = found.responses.answered[at].distinct, found.explanation.base.ruleset
    own = (each for name in (base, base.partition("+")[0]) for each in distinct.checks if each.endswith(f"@{name}"))
    return next(own, distinct.check.id)


def _unexplained_lines(suite: Suite, found: Identification) -> Iterator[str]:
    own = [group for group in found.groups if not group.is_foreign]
    foreign = [group for group in found.groups if group.is_foreign]
    if own:
        answers = plural(sum(len(group.examples) for group in own), "answer")
        yield from ("", f"No rule explains {answers}: bugs, or rules that no rule table can have.")
    for group in own[:_MOST_GROUPS]:
        yield from ("", *_group_lines(suite, found, group))
    if others := own[_MOST_GROUPS:]:
        rest = plural(sum(len(group.examples) for group in others), "answer")
        yield from ("", f"And {rest} more, in {plural(len(others), 'other way')}.")
    if foreign:
        yield ""
        count, base = sum(len(group.examples) for group in foreign), found.explanation.base.ruleset
        names = [_check_name(found, group.examples[0][0]) for group in foreign]
        verb = "differs" if count == 1 else "differ"
        text = f"{plural(count, 'more answer')} {verb} in positions that may never arise in {base}"
        yield from wrap(f"{text}, because only other rulesets have them: {_first_names(names)}.")


def _group_lines(suite: Suite, found: Identification, group: UnexplainedAnswers) -> Iterator[str]:
    at, difference = group.examples[0]
    answer = found.responses.answered[at]
    melds = suite.rules.meld_names(answer.distinct.check.ruleset)
    rule = rule_sentence(suite, found.explanation.rules.rules.cells, group.cell) if group.cell else ""
    act = words.step(answer.sent_steps[difference.at], melds)
    yield f"- {group.step}: {_WRONG.get(group.what, group.what)}, in {plural(len(group.examples), 'position')}"
    yield from with_label("such as", act if len(act) < _LONGEST_STEP else f"{act[:_LONGEST_STEP]}…")
    if difference is IMPOSSIBLE.first:
        yield from with_label("expected", f"{found.explanation.base.ruleset} has no such position, or no such steps")
    elif difference.what == "accepted":
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
    yield from with_label("look at", f"hoyle explain {_check_name(found, at)}", whole=True)


def _undetermined_lines(found: Identification) -> Iterator[str]:
    base = found.explanation.base.ruleset
    if found.undetermined:
        count = plural(len(found.undetermined), "rule")
        yield from ("", f"The answers do not determine {count} on which sources differ; taken from {base}:")
        yield from wrap(", ".join(found.undetermined), 2, 0)
    if found.unexamined:
        text = f"There was no time to examine {plural(found.unexamined, 'rule')} on which sources differ"
        yield from ("", *wrap(f"{text}; they are taken from {base}. Other rules may fit as well as those named above."))


def house_rules_text(suite: Suite, found: Identification, ready: AdapterInfo) -> str:
    """Return the YAML text of house rules: the nearest ruleset with its options, the name to send if the implementation
    does not claim it, and the rules that differ."""
    base, *options = found.explanation.base.ruleset.split("+")
    is_claimed, name = found.explanation.base.ruleset in ready.rulesets, printable(ready.name)
    answered, unexplained = len(found.responses.answered), len(found.explanation.unexplained)
    before, after = found.explanation.base.rules.cells, found.explanation.rules.rules.cells
    paths = _changed_paths(found)
    left_out = [each for path in paths for each in _left_out(before, after, path)]
    lines = [
        f"# {name}: {answered} positions answered, {unexplained} not explained.",
        "id: my-rules",
        f"title: {json.dumps(f'Rules of {name}', ensure_ascii=False)}",
        f"extends: {base}",
        *([f"options: [{', '.join(options)}]"] if options else []),
        *([] if is_claimed else [f"sent_as: {found.sent_as}"]),
        *_rule_lines(suite, before, after, paths),
        *(["without:", *(f"  - {path}" for path in left_out)] if left_out else []),
    ]
    return "\n".join([*lines, ""])


def _changed_paths(found: Identification) -> list[str]:
    """Return the cells that differ from the nearest ruleset, each once, in the order of the report."""
    before, after = found.explanation.base.rules.cells, found.explanation.rules.rules.cells
    named = [value.path for each in found.explanation.departures for value in each.change.cell_values]
    return [path for path in dict.fromkeys(named) if value_at(before, path) != value_at(after, path)]


def _left_out(before: Cells, after: Cells, path: str) -> Iterator[str]:
    """Yield the cell, or the fields of its row, that the nearest ruleset has but the changed rules do not."""
    was, now = value_at(before, path), value_at(after, path)
    if now is LEFT_OUT:
        yield path
    elif isinstance(was, Mapping):
        yield from (f"{path}.{field}" for field in was if field not in now)


def _rule_lines(suite: Suite, before: Cells, after: Cells, paths: Iterable[str]) -> Iterator[str]:
    lines = []
    for path in paths:
        written = list(_cell_lines(before, after, path))
        if written:
            title = rule_title(suite, RuleChange((CellValue(path, "", None),)), before, after)
            lines += [f"  # {title.rpartition(' (')[0]}", *written]
    if lines:
        yield "rules:"
        yield from lines


def _cell_lines(before: Cells, after: Cells, path: str) -> Iterator[str]:
    """Yield the lines that give a cell its new value; for an existing row, one line for each changed field."""
    was, now = value_at(before, path), value_at(after, path)
    if now is LEFT_OUT:
        return
    if not isinstance(was, Mapping):
        yield f"  {path}: {flow(now)}"
        return
    yield from (f"  {path}.{field}: {flow(value)}" for field, value in now.items() if was.get(field, LEFT_OUT) != value)
