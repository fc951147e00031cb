"""The chapters of a page: its headings of the second level, for the list beside the text."""

import re
from dataclasses import dataclass
from html import unescape
from typing import Final

#: A heading with its anchor, or with that of the section that it begins; those for the ear alone are left out.
_HEADING: Final = re.compile(
    r'<section[^>]* id="(?P<section>[^"]+)"[^>]*>\s*<h2>(?P<first>.*?)</h2>'
    r'|<h2(?![^>]*class="unseen")[^>]* id="(?P<own>[^"]+)"[^>]*>(?P<title>.*?)</h2>',
    re.DOTALL,
)
#: The parts of a heading that are left out of its title: the link to itself, and tags.
_NOT_TITLE: Final = re.compile(r'<a class="headerlink".*?</a>|<[^>]*>', re.DOTALL)
#: A page with fewer chapters needs no list of them.
_FEWEST: Final = 3


@dataclass(frozen=True, slots=True)
class PageChapter:
    """A chapter of a page: its anchor, and its title without tags."""

    anchor: str
    title: str


def chapters_of(html: str) -> tuple[PageChapter, ...]:
    """Return the chapters of a page, in their order; none if there are too few for a list, or if they are letters, for
    which the page has a line."""
    found = tuple(
        PageChapter(
            unescape(each["section"] or each["own"]),
            unescape(_NOT_TITLE.sub("", each["first"] or each["title"])).strip(),
        )
        for each in _HEADING.finditer(html)
    )
    return found if len(found) >= _FEWEST and any(len(each.title) > 1 for each in found) else ()
