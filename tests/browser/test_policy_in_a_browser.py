"""The Content-Security-Policy in a real browser: no page of the site asks for anything that its policy forbids."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page
from the_table import COMES, SITE

Opens = Callable[[str], Page]

#: Everything that the policy forbids, as a browser reports it to the page.
LISTENS = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""


def a_page_of_each_kind() -> list[str]:
    """The first page of each kind and folder, by their paths; the page of what is not there is one of them."""
    first: dict[tuple[str, str], str] = {}
    for page in sorted(SITE.rglob("*.html")):
        path = page.relative_to(SITE)
        kind = re.search(r'<body[^>]*class="([^"]*)"', page.read_text("utf-8"))
        first.setdefault((kind[1] if kind else "", path.parts[0] if len(path.parts) > 1 else ""), path.as_posix())
    return [*first.values(), "check.html"]  # with figures at the right of a table


@pytest.fixture
def opens(browser: Browser) -> Iterator[Opens]:
    """Opens an address, listening."""
    context = browser.new_context()
    context.add_init_script(LISTENS)

    def opened(address: str) -> Page:
        page = context.new_page()
        page.on("console", lambda message: console.append(message.text))
        page.goto(address)
        return page

    console: list[str] = []
    yield opened
    assert [each for each in console if "Content Security Policy" in each] == []
    context.close()


@pytest.mark.parametrize("of", ["site", "disk"])
def test_no_page_reports_a_violation(opens: Opens, served: str, of: str) -> None:
    pages = a_page_of_each_kind()
    assert len(pages) > 15
    found = {}
    for path in pages:
        page = opens(f"{served}/{path}" if of == "site" else (SITE / path).as_uri())
        found[path] = page.evaluate("violations")
        page.close()
    assert {path: each for path, each in found.items() if each} == {}


def test_table_runs_python_within_its_policy(opens: Opens, served: str) -> None:
    page = opens(f"{served}/table.html#p=to-score.the-example")
    page.wait_for_function("() => globalThis.hoyleTable?.store?.answer && !hoyleTable.store.waiting", timeout=COMES)
    assert page.evaluate("violations") == []


@pytest.mark.parametrize(
    ("does", "violates"),
    [
        ("document.body.setAttribute('style', 'color: red')", "style-src-attr inline"),
        (
            "document.body.append(Object.assign(document.createElement('style'), {textContent: 'a {}'}))",
            "style-src-elem",
        ),
        (
            "document.body.append(Object.assign(document.createElement('script'), {text: 'owned = 1'}))",
            "script-src-elem",
        ),
        ("new Image().src = 'http://127.0.0.1:1/'", "img-src"),
        ("fetch('http://127.0.0.1:1/').catch(() => {})", "connect-src"),
        ("document.body.setAttribute('onclick', 'owned = 1')", "script-src-attr"),
    ],
)
def test_whatever_is_not_the_site_s_own_is_refused(browser: Browser, served: str, does: str, violates: str) -> None:
    """On the page of the table, which may do more than any other."""
    page = browser.new_page()
    page.add_init_script(LISTENS)
    page.goto(f"{served}/table.html")
    page.evaluate(does)
    page.wait_for_function("() => violations.length", timeout=COMES)
    assert page.evaluate("violations")[0].startswith(violates)
    assert page.evaluate("typeof owned") == "undefined"
    page.close()
