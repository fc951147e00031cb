"""How soon the table of the site answers in a browser: `make site browser`, then run this; or name another folder.

It prints, in milliseconds: from opening the page until cards can be laid out, until Python has started and until the
first answer, at the first visit and at the second; then how long an answer takes for the position
named below, each time with another score, of as many rulesets as can be asked, up to twelve. What goes in both cases
beyond its goal, or asks anything of another server, is said.
"""

import functools
import http.server
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

from playwright.sync_api import BrowserContext, sync_playwright

SITE = Path(__file__).resolve().parents[2] / "site"
POSITION = "to-score.the-example"
MOST = 12
#: Goals, in milliseconds: until the first answer at a later visit, and for each answer.
SOON, EACH = 5_000, 100
READY = "() => globalThis.hoyleTable?.store?.answer"
ANSWERS = """async ([position, most]) => {
  const { store } = hoyleTable, times = [];
  const { layout } = await store.ask({ ask: "position", id: position });
  const form = store.forms.find((each) => each.rulesets.some(({ id }) => id === layout.rulesets[0].split("+")[0]));
  const all = form.rulesets.flatMap(({ id, options }) => [id, ...options.map((option) => `${id}+${option.id}`)]);
  layout.rulesets = [...new Set([...layout.rulesets, ...all])].slice(0, most);
  let longest = 0, last = performance.now();
  const ticking = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 10);
  for (let time = 0; time < 20; time += 1) {
    layout.given.score = { ...layout.given.score, A: 100 + 10 * time };
    const asked = performance.now();
    await store.ask({ ask: "answer", layout });
    times.push(performance.now() - asked);
  }
  clearInterval(ticking);
  return [layout.rulesets.length, times, longest];
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that logs nothing."""

    def log_message(self, *_args: object) -> None:
        """Log nothing."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a site, and yield its address."""
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def visit(context: BrowserContext, address: str) -> tuple[Any, list[float]]:
    """Return the page, and after how many milliseconds cards could be laid out, Python had started and an answer was
    there."""
    page = context.new_page()
    begun = time.perf_counter()
    times = []
    page.goto(f"{address}/table.html", wait_until="commit")
    for reached in (
        "() => globalThis.hoyleTable?.store",
        "() => globalThis.hoyleTable?.store?.engine?.progress?.ready",
        READY,
    ):
        page.wait_for_function(reached, timeout=60_000)
        times.append((time.perf_counter() - begun) * 1000)
    return page, times


def main() -> None:
    """Measure, and print."""
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else SITE
    with sync_playwright() as playwright, served(site) as address:
        browser = playwright.chromium.launch(
            executable_path=which("chromium") or which("google-chrome"), args=["--no-sandbox"]
        )
        context = browser.new_context()
        elsewhere: list[str] = []
        context.on(
            "request",
            lambda request: (
                None if request.url.startswith((address, "blob:", "data:")) else elsewhere.append(request.url)
            ),
        )
        for name in ("first visit", "second visit"):
            page, (laid, started, answered) = visit(context, address)
            late = " (the goal is 5000)" if answered > SOON and name != "first visit" else ""
            print(f"{name}: laid out {laid:.0f}, Python {started:.0f}, first answer {answered:.0f}{late}")
            if name == "first visit":
                page.close()
        rulesets, times, longest = page.evaluate(ANSWERS, [POSITION, MOST])
        times.sort()
        late = f" (the goal is {EACH})" if statistics.median(times) > EACH else ""
        print(f"an answer of {rulesets} rulesets: middle {statistics.median(times):.0f}, longest {times[-1]:.0f}{late}")
        print(f"the page itself was never busy for longer than {longest:.0f}")
        print("asked of other servers:", ", ".join(elsewhere) or "nothing")
        browser.close()


if __name__ == "__main__":
    main()
