"""The badge of a record: how much of the suite passes, of the rulesets that the implementation claims.

What was not asked counts as not passed, and so does what was not selected: the second number is that of the suite.
"""

import json
from html import escape
from types import MappingProxyType
from typing import Final

from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.summary import count
from hoyle_conformance.runner.results import Status
from hoyle_reference.frozen import frozen

LABEL: Final = "hoyle"
#: So many rulesets stand on it by name; of more, their number.
_NAMED: Final = 2
_COLORS: Final = MappingProxyType(
    {"brightgreen": "#4c1", "yellowgreen": "#a4a61d", "yellow": "#dfb317", "red": "#e05d44", "lightgrey": "#9f9f9f"}
)
_NARROW: Final = frozenset("fijlrtI.,:;!'|()[] -")
_WIDE: Final = frozenset("mwMW%@")
_PADDING: Final = 10  # pixels


@frozen
class Badge:
    """The message of a badge, and its colour."""

    message: str
    color: str


def badge(record: Record) -> Badge:
    """Return the badge of a record.

    It is green only if every check of the suite of every claimed ruleset has passed; yellow-green if nothing went wrong
    and part was not asked; yellow if failures are known; red if something failed, or if nothing passed.
    """
    claimed = record.claimed
    passed = {name: count(results).passed for name, results in claimed.items()}
    checks = {name: record.rulesets[name].checks for name in claimed}
    if record.cut_off:
        return Badge("not finished", "lightgrey")
    if not sum(passed.values()) and not record.failures and not record.nothing_passed:
        return Badge("nothing ran", "lightgrey")
    if len(claimed) <= _NAMED:
        said = ", ".join(f"{name} {passed[name]:,} of {checks[name]:,}" for name in sorted(claimed))
    else:
        said = f"{len(claimed)} rulesets, {sum(passed.values()):,} of {sum(checks.values()):,}"
    return Badge(said, _color(record, whole=passed == checks))


def _color(record: Record, *, whole: bool) -> str:
    if record.failures or record.stopped or record.ending or record.nothing_passed:
        return "red"
    if record.count(Status.EXPECTED_FAILURE):
        return "yellow"
    return "brightgreen" if whole else "yellowgreen"


def endpoint(record: Record) -> str:
    """Return the badge as JSON for shields.io."""
    shown = badge(record)
    return json.dumps({"schemaVersion": 1, "label": LABEL, "message": shown.message, "color": shown.color}) + "\n"


def svg(record: Record) -> str:
    """Return the badge as an SVG image."""
    shown = badge(record)
    left, right = _width(LABEL) + _PADDING, _width(shown.message) + _PADDING
    message, color = escape(shown.message), _COLORS[shown.color]
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" \
aria-label="{LABEL}: {message}">
  <title>{LABEL}: {message}</title>
  <rect width="{left + right}" height="20" rx="3" fill="{color}"/>
  <path d="M3 0h{left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#555"/>
  <g text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
{_words(LABEL, left / 2, left - _PADDING)}
{_words(message, left + right / 2, right - _PADDING)}
  </g>
</svg>
"""


def _words(text: str, middle: float, width: int) -> str:
    """Return words with their shadow, which makes them legible on every colour."""
    placed = f'x="{middle:g}" textLength="{width}"'
    shadow = f'    <text {placed} y="15" fill="#010101" fill-opacity=".4" aria-hidden="true">{text}</text>'
    return f'{shadow}\n    <text {placed} y="14" fill="#fff">{text}</text>'


def _width(text: str) -> int:
    """Return the approximate width in pixels in Verdana at 11 points; the text is fitted into it."""
    return round(sum(4 if char in _NARROW else 10 if char in _WIDE else 6.6 for char in text))
