"""The paragraphs of a rule page: what is said, each rule at its own address, and a box where a rule is open."""

from collections.abc import Iterator, Mapping

from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.page_context import PageContext, beside
from hoyle_conformance.web.site.rule_lists import listing
from hoyle_conformance.wording.html import NOTHING, Markup, joined, tag
from hoyle_conformance.wording.rulebook.compose import Paragraph, Sentence
from hoyle_conformance.wording.rulebook_entries import Entry


def paragraph(around: PageContext, each: Paragraph, number: str) -> Iterator[Markup]:
    """A paragraph with its `number`, and a box for each rule in it that its book leaves open."""
    if each.rows:
        yield listing(around, each)
    else:
        mark = tag("a", number, class_="n", href=f"#{each.id}", title="The address of this paragraph")
        said = joined((_sentence(around, sentence) for sentence in each.sentences), " ")
        inside = (mark if number else NOTHING, tag("p", said), beside(around, each.entries))
        yield tag("div", *inside, class_="r", id=around.own(each.id))
    yield from (_open(around, entry) for entry in each.entries if entry.readings)


def _sentence(around: PageContext, sentence: Sentence) -> Markup:
    """What is said of some rules, at the address of the first; those of the others stand before it."""
    first, *others = (entry.cell.path for entry in sentence.entries)
    anchors = joined(tag("span", id=address) for address in map(around.own, others) if address)
    codes = joined((links.code_a(around.suite, entry.cell.path, around.here) for entry in sentence.entries), " ")
    said = joined((anchors, around.prose(sentence.words), " ", codes))
    return tag("span", said, class_="rule", id=around.own(first))


def _open(around: PageContext, entry: Entry) -> Markup:
    """What the book does not say, what is followed and why, and where both readings are played out."""
    followed = next(each for each in entry.readings if each.name == entry.cell.follows)
    to = f"disputes/{entry.cell.path.replace('.', '-')}.html"
    both = links.a("The readings, played out", to, around.here)
    of_a_list = f"{entry.heading}: " if isinstance(entry.cell.value, Mapping) else ""
    said = joined([tag("b", "Open. "), of_a_list, around.prose(entry.cell.because), " "])
    ours = joined([tag("b", "Followed here: "), around.prose(f"{followed.sentence} {followed.argument}"), " ", both])
    return tag("div", tag("p", said), tag("p", ours), class_="open", id=around.own(f"open.{entry.cell.path}"))
