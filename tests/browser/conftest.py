"""One browser for all tests that need one, and the site as it is served."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from the_table import COMES, Table

SITE = Path(__file__).resolve().parents[2] / "site"
CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    assert CHROMIUM, "these tests need Chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class _Server(http.server.SimpleHTTPRequestHandler):
    """As the site is served: whatever is not there is answered with the page for it."""

    def log_message(self, *_args: object) -> None:
        pass

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        body = (SITE / "404.html").read_bytes()
        self.send_response(code, message)
        self.send_header("Content-Type", f"text/html; charset=utf-8{explain or ''}")
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="session")
def served() -> Iterator[str]:
    assert (SITE / "assets/search-index.js").is_file(), "build the site first: make site"
    handler = functools.partial(_Server, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def at(path: str) -> str:
    """The address of a page in the file system, where most need no server."""
    file, mark, rest = path.partition("?") if "?" in path else path.partition("#")
    return f"{(SITE / file).as_uri()}{mark}{rest}"


@pytest.fixture
def page(browser: Browser, served: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page, as wide as a desk or a parameter says, that notes every fault and every request that leaves the site."""
    width = getattr(request, "param", 1280)
    context = browser.new_context(base_url=served, viewport={"width": width, "height": 800})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    at_home = (served, SITE.as_uri(), "data:", "blob:")
    page.on("request", lambda asked: None if asked.url.startswith(at_home) else faults.append(asked.url))
    yield page
    context.close()
    assert faults == []


@pytest.fixture(scope="module")
def table_context(browser: Browser) -> Iterator[BrowserContext]:
    """One person's browser, in which whatever was fetched once is there."""
    context = browser.new_context(bypass_csp=True, accept_downloads=True)
    context.set_default_timeout(COMES)
    yield context
    context.close()


@pytest.fixture(scope="module")
def table_page(table_context: BrowserContext, served: str) -> Page:
    """The table, opened once: the interpreter takes seconds to come."""
    page = table_context.new_page()
    page.goto(f"{served}/table.html")
    return page


@pytest.fixture
def table(table_page: Page, served: str) -> Iterator[Table]:
    """The table with nothing on it; whoever asks for anything from elsewhere is told of."""
    wrong: list[str] = []

    def heard(error: object) -> None:
        wrong.append(str(error))

    def asked(request: Any) -> None:
        if not request.url.startswith((served, "data:", "blob:")):
            wrong.append(request.url)

    table_page.on("pageerror", heard)
    table_page.on("request", asked)
    table_page.set_viewport_size({"width": 1280, "height": 900})
    yield Table(table_page)
    table_page.remove_listener("pageerror", heard)
    table_page.remove_listener("request", asked)
    assert wrong == []
