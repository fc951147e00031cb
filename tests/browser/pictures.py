"""The pictures of the documentation, taken anew: ``make pictures``."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from conftest import CHROMIUM, FLAGS

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs/pictures"
HOYLE = [sys.executable, "-m", "hoyle_conformance"]
FAULTY = ["python", "tests/faulty_adapters/main.py", "second-identical-card-wins"]
#: The programs of this environment come first, so that no picture shows where it lies.
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
COMES = 60_000  # milliseconds until the table has answered


def take_report(browser: Browser, folder: Path) -> None:
    """Take the HTML report of a run with a faulty adapter, with its first failure."""
    record, report = folder / "run.jsonl", folder / "run.html"
    checks = ["-s", "tricks", "-s", "melds", "-r", "bezique-hoyle"]
    check = [*HOYLE, "check", *checks, "--record", str(record), *FAULTY]
    subprocess.run(check, cwd=ROOT, env=ENVIRONMENT, capture_output=True, check=False)  # it ends with 1, as it should
    subprocess.run([*HOYLE, "report", str(record), "--html", str(report)], cwd=ROOT, capture_output=True, check=True)
    page = browser.new_page(viewport={"width": 1000, "height": 860})
    page.goto(report.as_uri())
    page.get_by_role("heading", name="Failures by cause").evaluate("heading => heading.scrollIntoView()")
    page.screenshot(path=PICTURES / "report.png")


def take_table(browser: Browser) -> None:
    """Take the table with a position of the suite and the outcome under each ruleset."""
    with _server() as address:
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(f"{address}#p=to-score.the-example")
        page.wait_for_function("() => hoyleTable.store.answer && !hoyleTable.store.waiting", timeout=COMES)
        page.screenshot(path=PICTURES / "table.png")


@contextmanager
def _server() -> Iterator[str]:
    """Serve the table, and give its address."""
    command = [*HOYLE, "table", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        address = re.search(r"http://\S+", server.stdout.readline())
        assert address
        try:
            yield address[0]
        finally:
            server.terminate()


def main() -> None:
    """Take every picture."""
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        take_report(browser, Path(folder))
        take_table(browser)


if __name__ == "__main__":
    main()
