"""Tables that fit a phone, since they scroll by themselves; and words of a schema, in which names are set as code."""

from collections.abc import Iterable, Sequence

from hoyle_conformance.wording.html import Markup, joined, tag, text


def table(label: str, head: Sequence[str], rows: Iterable[Sequence[str]], numbers: int = 0) -> Markup:
    """A table with a label, a row of headings and one to begin each row; the last columns, so many, are numbers."""
    first = len(head) - numbers
    heads = (tag("th", each, scope="col", class_=_kind(at, first)) for at, each in enumerate(head))
    body = (tag("tr", *(_cell(at, each, first) for at, each in enumerate(row))) for row in rows)
    inside = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *body))
    return tag("div", inside, class_="scrolls wide-table", role="region", aria_label=label, tabindex="0")


def _kind(at: int, first: int) -> str | bool:
    return "number" if at >= first else False


def _cell(at: int, words: str, first: int) -> Markup:
    return tag("td", words, class_=_kind(at, first)) if at else tag("th", words, scope="row")


def coded(words: str) -> Markup:
    """Words in which names stand between backticks, these set as code."""
    parts = " ".join(words.split()).split("`")
    if len(parts) % 2 == 0:  # one that has no fellow is no mark
        return text(words)
    return joined(tag("code", part) if place % 2 else part for place, part in enumerate(parts))
