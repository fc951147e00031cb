"""The pages that are made of records in a real browser: `make browser`. Nothing of the site is needed."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from screens import EVERYWHERE, in_the_way

from hoyle_conformance.reports.html.run import run_page, side_by_side_page
from hoyle_conformance.reports.load_record import read_record

HERE = Path(__file__).parent
RECORDS = HERE.parent / "records"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each record, and one of all."""
    folder = tmp_path_factory.mktemp("pages")
    records = {path.stem: read_record(path) for path in sorted(RECORDS.glob("*.jsonl"))}
    texts = {name: run_page(record) for name, record in records.items()}
    texts["all"] = side_by_side_page(list(records.values()))
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return {name: folder / f"{name}.html" for name in texts}


def opened(browser: Browser, file: Path, **how: Any) -> Page:
    """A page that has made no request and found no fault."""
    page = browser.new_context(**how).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text))
    page.on("request", lambda request: faults.append(request.url) if request.url != file.as_uri() else None)
    page.goto(file.as_uri())
    assert [each for each in faults if not each.startswith("data:")] == []
    return page


@pytest.mark.parametrize("name", ["wrong", "all"])
@pytest.mark.parametrize(("width", "scheme"), EVERYWHERE)
def test_nothing_stands_in_anybodys_way(
    browser: Browser, pages: dict[str, Path], width: int, scheme: str, name: str
) -> None:
    size = {"width": width, "height": 800}
    page = opened(browser, pages[name], viewport=size, color_scheme=scheme, bypass_csp=True)
    for _ in range(2):  # folded, and unfolded
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert in_the_way(page) == []
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    page.context.close()


def test_a_link_unfolds_what_it_leads_to(browser: Browser, pages: dict[str, Path]) -> None:
    page = opened(browser, pages["all"])
    topic = page.locator("summary", has_text="bezique-bicycle").first
    topic.click()
    link = page.locator("a[href$='-bezique-bicycle-tricks']").first
    folded = page.locator(f"details[id='{(link.get_attribute('href') or '')[1:]}']")
    assert folded.get_attribute("open") is None
    link.click()
    folded.locator("td", has_text="B").first.wait_for(state="visible")
    page.context.close()
