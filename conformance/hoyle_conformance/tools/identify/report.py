"""What an implementation plays, in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.candidates import RuleChange, RuleOwner
from hoyle_conformance.tools.identify.explain import Departure
from hoyle_conformance.tools.identify.games import Form
from hoyle_conformance.tools.identify.identify import Identified, Standing, UnexplainedAnswers
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import join_and, plural, sanitize, with_label, wrap
from hoyle_reference import Cells

#: How many rulesets, positions and alternatives are named.
_STANDINGS: Final = 4
_EXAMPLES: Final = 3
_ALTERNATIVES: Final = 3
#: What rests on fewer positions may be chance.
_THIN: Final = 3
#: How many causes of what no rule accounts for are shown.
_CAUSES: Final = 10
#: A step longer than so many characters, such as the deal of a whole pack, is cut short.
_LONG: Final = 120
_WRONG: Final = {"accepted": "accepted where it must be refused", "refused": "refused where it is allowed"}
_NO_SUCH_RULE: Final = "There is no such rule."
_CUT_SHORT: Final = "No short list of differences explains what it does: the search for one was cut short."


def identified(suite: Suite, found: Identified) -> Iterator[str]:
    """Everything that was found out, a line each."""
    yield from _asked(found)
    yield from _standings(found)
    yield from _departures(suite, found)
    if found.explained.cut_short:
        yield ""
        yield _CUT_SHORT
    yield from _left(suite, found)
    yield from _never_put(found)


def about(form: Form, asked_as: str) -> str:
    """A form, and the name that was asked under."""
    return f"{form.game} for {_count(form.players)}, with {plural(form.packs, 'pack')}, asked as {asked_as}"


def _asked(found: Identified) -> Iterator[str]:
    asked = found.asked
    yield f"{about(found.form, found.asked_as)}:"
    yield (
        f"{plural(len(asked.answered), 'position')} answered, each asked once; "
        f"{found.telling:,} of them tell the rulesets apart."
    )
    if asked.not_claimed:
        yield f"{plural(asked.not_claimed, 'position')} not asked: they need what it does not claim."
    if asked.unanswered:
        name, reason = next(iter(asked.unanswered.items()))
        yield f"{plural(len(asked.unanswered), 'position')} not answered, such as {name}: {_safe(reason)}"
    if asked.gave_up:
        yield f"It {asked.gave_up}."


def _count(players: int) -> str:
    return ("nobody", "one", "two", "three", "four")[players]


def _standings(found: Identified) -> Iterator[str]:
    if len(found.standings) == 1:
        return
    yield ""
    shown = _best_of_each(found.standings)
    width = max(len(each.ruleset) for each in shown)
    for each in shown:
        mark = "→" if each.ruleset == found.explained.base.ruleset else " "
        yield f"  {mark} {each.ruleset:<{width}}  agrees in {each.agrees:>3} of {each.of}"


def _best_of_each(standings: Sequence[Standing]) -> list[Standing]:
    """The best form of each ruleset: plain, or with options."""
    best: dict[str, Standing] = {}
    for each in standings:
        best.setdefault(each.ruleset.partition("+")[0], each)
    return list(best.values())[:_STANDINGS]


def _departures(suite: Suite, found: Identified) -> Iterator[str]:
    explained, base = found.explained, found.explained.base.ruleset
    own = [each for each in explained.departures if each.change.origins]
    others = [each for each in explained.departures if not each.change.origins]
    yield ""
    if not explained.departures and not explained.left:
        yield f"It plays {base} ({suite.title(base)}): nothing that it was asked departs from it."
        yield from _as_near(found)
        return
    if not explained.departures:
        yield f"Nearest: {base} ({suite.title(base)})."
        yield from _as_near(found)
        return
    yield f"It plays {base} ({suite.title(base)}), with {plural(len(explained.departures), 'rule')} otherwise."
    yield from _as_near(found)
    for number, each in enumerate(own, start=1):
        yield from _departure(suite, found, number, each)
    if others:
        yield ""
        yield "In no source: house rules, or bugs."
    for number, each in enumerate(others, start=len(own) + 1):
        yield from _departure(suite, found, number, each)


def _as_near(found: Identified) -> Iterator[str]:
    if found.as_near:
        names = join_and(found.as_near)
        verb = "is" if len(found.as_near) == 1 else "are"
        yield f"{names} {verb} as near: what it has answered does not tell more."


def _departure(suite: Suite, found: Identified, number: int, departure: Departure) -> Iterator[str]:
    base, change = found.explained.base, departure.change
    changed = change.applied(base.rules.cells)
    yield ""
    yield f"{number}. {title(suite, change, base.rules.cells, changed)}"
    for put in _telling(change):
        yield from with_label("it plays", says(suite, changed, put))
        yield from with_label("not", f"{says(suite, base.rules.cells, put)} ({base.ruleset})")
    yield from with_label("as", _origins(change.origins))
    for other in departure.either[:_ALTERNATIVES]:
        yield from with_label("or", _alternative(suite, found, other))
    if more := departure.either[_ALTERNATIVES:]:
        yield from with_label("", f"{len(more)} other changes would fit as well")
    yield from with_label("shown by", _shown_by(found, departure))


def _telling(change: RuleChange) -> Iterator[str]:
    """The cells of a change that are worth telling: of a whole chapter the first few."""
    return iter(list(dict.fromkeys(put.path for put in change.puts))[:_EXAMPLES])


def title(suite: Suite, change: RuleChange, *tables: Cells) -> str:
    """What a rule is called, with its cell."""
    for cells in tables:
        for chapter in rulebook.chapters(suite, cells):
            for entry in chapter.entries:
                if entry.cell.path == change.path:
                    group = f"{entry.group}: " if entry.group else ""
                    return f"{chapter.title}: {group}{entry.heading} ({change.puts[0].written})"
    return change.puts[0].written


def says(suite: Suite, cells: Cells, path: str) -> str:
    """What a table says at a path, as a sentence."""
    if path not in cells:
        return _NO_SUCH_RULE
    return rulebook.sentence(rulebook.parameter_schema(suite, path), cells[path].value)


def _alternative(suite: Suite, found: Identified, change: RuleChange) -> str:
    cells = found.explained.base.rules.cells
    changed = change.applied(cells)
    said = " ".join(says(suite, changed, path) for path in _telling(change))
    origins = f", as {_origins(change.origins)}" if change.origins else ""
    return f"{title(suite, change, cells, changed)}: {said.rstrip('.')}{origins}"


def _origins(origins: Iterable[RuleOwner]) -> str:
    """Who has a rule so: rulesets first, then readings; of a ruleset with options only where it has it not without."""
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


def _shown_by(found: Identified, departure: Departure) -> str:
    base = found.explained.base.ruleset.partition("+")[0]
    names = sorted((_known_as(found, at) for at in departure.shows), key=lambda name: not name.endswith(f"@{base}"))
    thin = " (thin: it may be chance)" if len(names) < _THIN else ""
    against = f"; {plural(len(departure.against), 'position')} against it" if departure.against else ""
    some = f", {join_and(names[:_EXAMPLES]) if len(names) <= _EXAMPLES else 'such as ' + ', '.join(names[:2])}"
    return f"{plural(len(names), 'position')}{thin}{some}{against}"


def _known_as(found: Identified, at: int) -> str:
    """The check that a position is under the ruleset that is nearest, or else the one that it was put as."""
    distinct, base = found.evidence.answers[at].distinct, found.explained.base.ruleset
    own = (each for name in (base, base.partition("+")[0]) for each in distinct.checks if each.endswith(f"@{name}"))
    return next(own, distinct.check.id)


def _left(suite: Suite, found: Identified) -> Iterator[str]:
    own = [cause for cause in found.causes if not cause.foreign]
    foreign = [cause for cause in found.causes if cause.foreign]
    if own:
        yield ""
        answers = plural(sum(len(cause.shown) for cause in own), "answer")
        yield f"No rule accounts for {answers}: bugs, or rules that no table here can have."
    for cause in own[:_CAUSES]:
        yield ""
        yield from _cause(suite, found, cause)
    if own[_CAUSES:]:
        yield ""
        rest = plural(sum(len(cause.shown) for cause in own[_CAUSES:]), "answer")
        yield f"And {rest} more, in {plural(len(own[_CAUSES:]), 'other way')}."
    if foreign:
        yield ""
        count, base = sum(len(cause.shown) for cause in foreign), found.explained.base.ruleset
        names = [_known_as(found, cause.shown[0][0]) for cause in foreign]
        few = f"{join_and(names[:_EXAMPLES])}{', and others' if len(names) > _EXAMPLES else ''}"
        said = f"{plural(count, 'answer')} more in positions that may never arise in {base}"
        yield from wrap(f"{said}, since only others speak of them: {few}.")


def _cause(suite: Suite, found: Identified, cause: UnexplainedAnswers) -> Iterator[str]:
    at, difference = cause.shown[0]
    answer = found.evidence.answers[at]
    check = answer.distinct.check
    melds = suite.meld_names(check.ruleset)
    base = found.explained.rules
    rule = says(suite, base.rules.cells, cause.cell) if cause.cell else ""
    act = words.step(answer.sent[difference.at], melds)
    yield f"- {cause.step}: {_WRONG.get(cause.what, cause.what)}, in {plural(len(cause.shown), 'position')}"
    yield from with_label("such as", act if len(act) < _LONG else f"{act[:_LONG]}…")
    if difference.what == "accepted":
        expected, observed = ("accepted" if each else "refused" for each in difference[2:])
        yield from with_label("expected", expected)
        yield from with_label("observed", observed)
    else:
        what = words.value_key(answer.sent[difference.at], difference.what)
        yield from with_label("expected", _value(what, difference.expected, melds))
        yield from with_label("observed", _value(what, difference.observed, melds))
    if cause.what.endswith(" act"):
        rule = "A refused act must leave everything as it was."
    yield from with_label("at work", rule)
    yield from with_label("look at", f"hoyle explain {_known_as(found, at)} --as-written", whole=True)


def _value(what: str, value: Any, melds: Mapping[str, str]) -> str:
    return words.value(what, value, melds)


def _never_put(found: Identified) -> Iterator[str]:
    if not found.never_put:
        return
    yield ""
    count = plural(len(found.never_put), "rule")
    yield f"Nothing that it answered tells {count} on which sources part; taken as in {found.explained.base.ruleset}:"
    yield from wrap(", ".join(found.never_put), 2, 0)


def _safe(text: str) -> str:
    return sanitize(text).replace("\n", " ")
