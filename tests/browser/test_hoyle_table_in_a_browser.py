"""The table as `hoyle table` serves it, in a real browser: what one can do only at a machine of one's own."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

#: Milliseconds until the server answers on a busy machine.
COMES = 60_000
Ends = Callable[[], None]


@pytest.fixture
def served() -> Iterator[tuple[str, Ends]]:
    """The address of a table, and what ends its server."""
    command = [sys.executable, "-m", "hoyle_conformance", "table", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout

        def ends() -> None:
            server.terminate()
            server.wait()

        address = re.search(r"http://\S+", server.stdout.readline())
        assert address
        yield address[0], ends
        ends()


@pytest.fixture
def page(browser: Browser, served: tuple[str, Ends]) -> Iterator[Page]:
    """The worked example, laid out and answered."""
    page = browser.new_page()
    page.goto(f"{served[0]}#p=to-score.the-example")
    answered(page)
    yield page
    page.close()


def answered(page: Page) -> None:
    page.wait_for_function("() => globalThis.hoyleTable?.store?.answer && !hoyleTable.store.waiting", timeout=COMES)


def test_the_token_is_in_the_printed_address_alone(browser: Browser, page: Page, served: tuple[str, Ends]) -> None:
    assert "?token=" in served[0]
    token = served[0].partition("=")[2]
    assert token not in page.evaluate("location.href")
    page.reload()
    answered(page)
    assert page.evaluate("document.cookie") == ""
    elsewhere = browser.new_page()
    refused = elsewhere.goto(page.url)
    assert refused
    assert refused.status == 403
    expect(elsewhere.get_by_text("Open the address that hoyle table printed")).to_be_visible()
    elsewhere.set_content(f'<a href="{served[0]}">the table</a>')
    elsewhere.get_by_role("link").click()  # from a page of another site, too
    answered(elsewhere)
    assert token not in elsewhere.evaluate("location.href")
    elsewhere.close()


def test_a_server_that_has_ended_is_told_of_once(page: Page, served: tuple[str, Ends]) -> None:
    served[1]()
    page.get_by_role("button", name="Take back the last step").click()
    told = page.locator("#table").get_by_text("The server does not answer.")
    expect(told).to_have_count(1)
    expect(told).to_contain_text("Start hoyle table again")
    expect(told).to_be_in_viewport()
    expect(page.locator("#table-spoken")).to_contain_text("The server does not answer.")
    expect(page.locator("#table")).not_to_contain_text("can be played")
    expect(page.locator("#table-felt .felt")).to_be_hidden()
