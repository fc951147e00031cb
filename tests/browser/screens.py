"""The screens on which a page is looked at for what stands in anybody's way."""

import os
from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
PHONE, DESK = 390, 1280
#: Of what axe finds, only this leaves the page: all that it has found to be right fills megabytes.
_VIOLATIONS = "({ violations }) => violations.map(({ id, nodes }) => ({ id, html: nodes[0].html }))"
#: How far a page has shifted so far, as browsers count it, and at most.
SHIFT = """() => new Promise((resolve) => {
  let all = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) all += each.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(all), 400);
})"""
MOST_SHIFT = 0.05
#: A phone and a desk, light and dark; on the gate each of these once.
EVERYWHERE = [(PHONE, "dark"), (DESK, "light")]
if not os.environ.get("HOYLE_GATE"):
    EVERYWHERE += [(PHONE, "light"), (DESK, "dark")]


def in_the_way(page: Page, options: str = "document") -> list[tuple[str, str]]:
    """What axe finds on a page, with `options` for it as it takes them: of each rule its name and the first place."""
    assert _AXE.is_file(), "make browser"
    page.evaluate(_AXE.read_text("utf-8"))
    found = page.evaluate(f"axe.run({options}).then({_VIOLATIONS})")
    return [(each["id"], each["html"]) for each in found]
