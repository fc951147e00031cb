"""One browser for all tests that need one."""

from collections.abc import Iterator
from shutil import which

import pytest
from playwright.sync_api import Browser, sync_playwright

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
