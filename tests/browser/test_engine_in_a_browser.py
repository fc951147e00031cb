"""The interpreter in a real browser: it starts, and is begun anew once ended."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from conftest import SITE, _Server

LONG = 60_000  # milliseconds that a start may take on a busy machine
TABLE = "table.html#p=to-score.the-example"
ANSWERED = "() => hoyleTable.store?.answer?.answers.length"

pytestmark = pytest.mark.skipif(
    not (SITE / "assets/pyodide/manifest.json").is_file(), reason="the site was built without the interpreter"
)


@contextmanager
def serve(folder: Path, port: int = 0) -> Iterator[str]:
    handler = partial(_Server, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_an_interpreter_that_has_ended_says_so_and_is_begun_anew(page: Page) -> None:
    with serve(SITE) as address:
        page.goto(f"{address}/table.html")
        page.wait_for_function("() => hoyleTable.store?.engine.progress?.ready", timeout=LONG)
        told = page.evaluate("""async () => {
          const { engine } = hoyleTable.store;
          const waiting = engine.ask({ ask: "position", id: "to-score.the-example" });
          engine.worker.onmessage({ data: { failed: { says: "It has ended.", remedy: "Begin anew." } } });
          const failed = [await waiting, await engine.ask({ ask: "position", id: "to-score.the-example" })];
          engine.restart();
          return [failed, await engine.ask({ ask: "position", id: "to-score.the-example" })];
        }""")
        failed, answered = told
        assert failed == [{"error": {"says": "It has ended.", "remedy": "Begin anew."}}] * 2
        assert answered["layout"]


def test_of_answers_that_wait_the_newest_is_worked_out(page: Page) -> None:
    with serve(SITE) as address:
        page.goto(f"{address}/{TABLE}")
        page.wait_for_function(ANSWERED, timeout=LONG)
        sent, answers = page.evaluate("""async () => {
          const { engine, layout } = hoyleTable.store, sent = [], send = engine.send.bind(engine);
          engine.send = (request) => { sent.push(request.at); send(request); };
          const ask = (at) => engine.ask({ ask: "answer", layout, at });
          const all = await Promise.all([ask(0), ask(1), ask(2), ask(0), ask(1)]);
          return [sent, all.map(({ at }) => at)];
        }""")
        assert sent == [0, 1]
        assert answers == [0, 1, 1, 1, 1]
