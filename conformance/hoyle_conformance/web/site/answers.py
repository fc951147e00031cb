"""The different answers to the question of a position, and who gives them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hoyle_conformance.suite.model import Check, Expected
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.book_links import linked
from hoyle_conformance.web.site.links import a
from hoyle_conformance.web.site.links import linked as in_prose
from hoyle_conformance.wording import explain, words
from hoyle_conformance.wording.html import Markup, drawn, joined, tag, text
from hoyle_conformance.wording.walkthrough import Track
from hoyle_reference.frozen import frozen


@frozen
class AnswerGroup:
    """What is answered, in words by step, and by whom: each check by the reading named, "" where its book decides."""

    says: Mapping[int, str]
    given_by: tuple[tuple[Check, str], ...]


def answers(suite: Suite, checks: Sequence[Check]) -> list[AnswerGroup]:
    """The different answers to a question, of each only the steps, and there only what, on which not all agree; one
    answer without any, where all agree."""
    voices = [(check, name, expected) for check in checks for name, expected in check.branches.items()]
    steps = checks[0].scenario.steps
    differ = {number: _differing([each for _, _, each in voices], number) for number in range(1, len(steps) + 1)}
    found: dict[tuple[tuple[int, str], ...], list[tuple[Check, str]]] = {}
    for check, name, expected in voices:
        melds = suite.rules.meld_names(check.ruleset)
        says = tuple(
            (number, _said(steps[number - 1], expected.get(number, {}), keys, melds))
            for number, keys in differ.items()
            if keys
        )
        found.setdefault(says, []).append((check, name))
    return [AnswerGroup(dict(says), tuple(given_by)) for says, given_by in found.items()]


def _differing(expected: Sequence[Expected], number: int) -> list[str]:
    """What of a step is not expected alike by all."""
    keys = dict.fromkeys(key for each in expected for key in each.get(number, {}))
    return [key for key in keys if any(_of(each, number, key) != _of(expected[0], number, key) for each in expected)]


def _of(expected: Expected, number: int, key: str) -> tuple[bool, Any]:
    step = expected.get(number, {})
    return key in step, step.get(key)


def _said(step: Mapping[str, Any], expected: Mapping[str, Any], keys: Sequence[str], melds: words.Names) -> str:
    in_order = sorted(keys, key=lambda key: key != "refused")  # whether it may be done, before what follows
    said = words.expectation(step, {key: expected[key] for key in in_order if key in expected}, melds)
    if said:
        return "; ".join(said)
    return "accepted" if "do" in step and "refused" in keys else "nothing more"


def different(suite: Suite, checks: Sequence[Check], tracks: Sequence[Track], here: str, *, differ: bool) -> Markup:
    """The different answers as one table, each leading to the track on which it is replayed; a line where there is one.
    They `differ` where not only the grounds of a refusal do, or how it is put."""
    found = answers(suite, checks)
    if len(found) == 1:
        return _one(suite, checks, found[0], here)
    note = () if differ else (tag("p", "All come to the same; they put it differently."),)
    numbers = list(found[0].says)
    head = tag("tr", tag("th", _when(suite, checks[0], numbers), scope="col"), tag("th", "Who", scope="col"))
    heads = {check.ruleset: track.name for track in tracks for check in track.checks}
    rows = (_row(suite, checks, answer, heads, here) for answer in found)
    caption = tag("caption", "The different answers", class_="unseen")
    return joined([*note, tag("table", caption, tag("thead", head), tag("tbody", *rows), class_="answers")])


def _one(suite: Suite, checks: Sequence[Check], answer: AnswerGroup, here: str) -> Markup:
    who = linked(suite, [check.ruleset for check, _ in answer.given_by], [check.ruleset for check in checks], here)
    if len(checks) == 1:
        return tag("p", text("Asked of one book only. "), who, text("."), class_="one-answer")
    return tag("p", tag("b", "One answer for all."), text(" "), who, text("."), class_="one-answer")


def _when(suite: Suite, check: Check, numbers: Sequence[int]) -> Markup:
    """The steps of which the answers are given, in words."""
    melds = suite.rules.meld_names(check.ruleset)
    steps = [(number, check.scenario.steps[number - 1]) for number in numbers]
    said = [
        joined([text(f"At step {number}, " + ("when " if "do" in step else "asked: ")), drawn(words.step(step, melds))])
        for number, step in steps
    ]
    return joined((tag("span", each, class_="when") for each in said), "")


def _row(suite: Suite, checks: Sequence[Check], answer: AnswerGroup, heads: Mapping[str, str], here: str) -> Markup:
    track = next((heads[check.ruleset] for check, name in answer.given_by if name in {"", check.follows}), "")
    said = [
        tag("p", *([_to(track, number, here), text(" ")] if len(answer.says) > 1 else []), drawn(what))
        for number, what in answer.says.items()
    ]
    if track:  # what nobody takes their book to say is not replayed
        first = min(answer.says)
        said.append(tag("p", a(f"Watch step {first}", f"#{track}-{first}", here), class_="watch"))
    return tag("tr", tag("td", *said), tag("td", *_who(suite, checks, answer, here)))


def _to(track: str, number: int, here: str) -> Markup:
    return a(f"Step {number}:", f"#{track}-{number}", here) if track else text(f"Step {number}:")


def _who(suite: Suite, checks: Sequence[Check], answer: AnswerGroup, here: str) -> Iterator[Markup]:
    """Who gives an answer: those whose books decide; those who follow a reading by which it comes out so; and those who
    could read their book so, and do not."""
    spoken = [check.ruleset for check in checks]
    kinds = {
        "": [check.ruleset for check, name in answer.given_by if not name],
        "where the book does not decide, by the reading it is taken in here": [
            check.ruleset for check, name in answer.given_by if name and name == check.follows
        ],
        "could be read so": [check.ruleset for check, name in answer.given_by if name and name != check.follows],
    }
    for kind, rulesets in kinds.items():
        if rulesets:
            some = linked(suite, dict.fromkeys(rulesets), spoken, here)
            note = tag("span", kind, class_="note") if kind else text("")
            yield tag("p", some, *([text(" "), note] if kind else []))


def undecided(suite: Suite, checks: Sequence[Check], here: str) -> Iterator[Markup]:
    """Where books do not decide: the ways to read them, with what speaks for each, and which book is taken how."""
    open_ = [check for check in checks if check.follows]
    if not open_:
        return
    scenario = open_[0].scenario
    yield tag("h2", "Where the book does not decide")
    entries = []
    for reading in scenario.readings:
        first = next(check for check in open_ if reading in check.readings)
        followed = [each for each in scenario.followed_by if each.reading == reading.name]
        said = in_prose(suite, explain.argument(suite, first, reading), here)
        inside = [tag("b", reading.name.replace("-", " ")), text(". "), said]
        for each in followed:
            who = linked(suite, each.rulesets, [check.ruleset for check in checks], here)
            inside.append(
                tag("p", who, text(" is taken so here. "), in_prose(suite, each.because, here), class_="because")
            )
        entries.append(tag("li", *inside))
    yield tag("div", tag("ul", *entries), class_="open")
