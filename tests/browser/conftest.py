"""One browser for all tests that need one, and the site as it is served."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest
from playwright.sync_api import Browser, sync_playwright

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
