"""A failure on one screen, as on a terminal: the position, the steps, expected beside observed, the rules behind it."""

from collections.abc import Iterable, Iterator

from hoyle_conformance.reports.record import Checked
from hoyle_conformance.wording.failure_view import FailureStep, FailureView, RuleLine
from hoyle_conformance.wording.html import Markup, drawn, joined, tag

_NONE = Markup()
_AFTERWARDS = "Sent after the last step, so that all that is good is declared."


def whole(result: Checked, told: FailureView | None = None) -> Markup:
    """All that is told of one check that failed; as the example of a cause it may be told otherwise."""
    told = told or result.failure
    place = f"{result.file}:{result.line}" if result.line else result.file
    return tag(
        "article",
        tag("p", pill(result.status), tag("code", result.check)),
        tag("p", drawn(result.title), class_="title"),
        tag("p", tag("code", place), class_="place soft"),
        tag("p", "The baseline expects: ", result.expected_status) if result.expected_status else _NONE,
        joined(_told(result, told) if told else _broke(result)),
        class_="failure",
    )


def pill(status: str) -> Markup:
    """What became of a check, in a word."""
    kind = "good" if status == "pass" else "odd" if status in {"expected-failure", "skipped", "unsupported"} else "bad"
    return tag("span", status.replace("-", " "), class_=f"status {kind}")


def paragraphs(words: str, class_: str = "") -> Markup:
    """Words in paragraphs, as they are parted by line breaks, with the cards in them drawn."""
    given = {"class_": class_} if class_ else {}
    return joined(tag("p", drawn(line), **given) for line in words.split("\n") if line)


def _told(result: Checked, told: FailureView) -> Iterator[Markup]:
    yield from _position(told)
    if told.steps:
        yield tag("ol", joined(_steps(result, told.steps)), class_="steps")
    if told.expected or told.observed:
        yield compared(told)
    else:
        yield from _broke(result)
    yield paragraphs(told.also, "soft")
    yield tag("p", tag("b", "Hint: "), drawn(told.hint)) if told.hint else _NONE
    if told.house:
        yield tag("p", f"{told.house.says}:")
        yield rules(told.house.rules)
    yield rules(told.rules)
    yield paragraphs(told.readings)
    if told.again:
        yield tag("p", "To put this check again:", class_="soft small")
        yield tag("pre", told.again)
    yield tag("p", "On the site: ", tag("code", told.page), class_="soft small") if told.page else _NONE


def _broke(result: Checked) -> Iterator[Markup]:
    """Why there was nothing to compare, and what to do about it."""
    code = tag("code", f" [{result.code}]", class_="soft") if result.code else _NONE
    yield tag("p", tag("b", "Reason: "), drawn(result.reason or "none given"), code)
    yield tag("p", tag("b", "Remedy: "), drawn(result.remedy)) if result.remedy else _NONE


def _position(told: FailureView) -> Iterator[Markup]:
    given = (tag("p", drawn(each)) for each in told.given)
    turned = (tag("p", "Turned, ", drawn(each), class_="soft small") for each in told.turned)
    lines = joined([*turned, *given, paragraphs(told.reached, "soft small")])
    if lines:
        yield tag("div", lines, class_="position", role="group", aria_label="The position")


def _steps(result: Checked, steps: Iterable[FailureStep]) -> Iterator[Markup]:
    """The steps up to the one that went wrong, which is marked."""
    shown = tuple(steps)
    if shown[0].step > 1:
        left_out = f"{shown[0].step - 1} steps before; 'hoyle explain {result.scenario}' shows them all."
        yield tag("li", tag("span", "", class_="number"), tag("span", left_out, class_="soft"))
    for each in shown:
        name = f"step {each.step}" if each.step else "then"
        mark = tag("span", "This went wrong: ", class_="hidden") if each.wrong else _NONE
        more = (each.asked, f"of this: {each.act}" if each.act else "", "" if each.step else _AFTERWARDS)
        said = tag("span", mark, drawn(each.said), joined(tag("small", drawn(line)) for line in more if line))
        wrong = {"class_": "wrong"} if each.wrong else {}
        yield tag("li", tag("span", f"{'✗ ' if each.wrong else ''}{name}", class_="number"), said, **wrong)


def compared(told: FailureView) -> Markup:
    """What was expected beside what was observed."""
    sides = (("Expected", told.expected), ("Observed", told.observed))
    return tag(
        "div",
        *(tag("div", tag("p", name, class_="label"), tag("p", drawn(said))) for name, said in sides),
        class_="compared",
    )


def rules(some: Iterable[RuleLine]) -> Markup:
    """The rules behind a failure, each with where it stands."""
    return joined(
        tag(
            "div",
            tag("p", drawn(each.says)),
            tag("p", tag("code", each.clause or each.cell), " ", each.where or each.because, class_="soft small"),
            class_="rule",
        )
        for each in some
    )


def table(results: Iterable[Checked]) -> Markup:
    """Checks that failed, with what was expected and observed, a row each."""
    heads = (tag("th", head, scope="col") for head in ("Check", "Expected", "Observed"))
    rows = joined(map(_row, results), "\n")
    return tag("div", tag("table", tag("thead", tag("tr", *heads)), tag("tbody", rows)), class_="others")


def _row(result: Checked) -> Markup:
    named = tag("th", drawn(result.title), tag("br"), tag("code", result.check, class_="soft"), scope="row")
    told = result.failure
    if told and (told.expected or told.observed):
        sides = (("Expected", told.expected), ("Observed", told.observed))
        return tag("tr", named, *(tag("td", drawn(words), data_of=of) for of, words in sides))
    why = result.reason or "no reason given"
    return tag("tr", named, tag("td", pill(result.status), drawn(why), colspan="2"))
