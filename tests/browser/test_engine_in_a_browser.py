"""The interpreter in a real browser: it starts, is kept for when no network is there, and is begun anew once ended."""

import json
import shutil
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


def kept(page: Page) -> list[str]:
    names: list[str] = page.evaluate("async () => { await navigator.serviceWorker.ready; return caches.keys() }")
    return names


def until(page: Page, holds: str) -> None:
    """Wait until something holds that the page finds out by and by."""
    page.evaluate(f"""async () => {{
      for (let tried = 0; tried < {LONG // 50}; tried += 1) {{
        if (await ({holds})()) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }}
      throw new Error("this has not come about");
    }}""")


def test_the_table_answers_without_a_network_after_the_first_visit(page: Page) -> None:
    with serve(SITE) as address:
        asked: list[str] = []
        page.context.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}/{TABLE}")
        page.wait_for_function(ANSWERED, timeout=LONG)
        assert len(kept(page)) == 1
        assert [url for url in asked if not url.startswith((address, f"blob:{address}"))] == []
        before = page.evaluate("hoyleTable.store.answer.answers")
        page.goto(f"{address}/index.html")
        assert page.evaluate("navigator.serviceWorker.controller") is None, "the rest of the site is served as ever"
    page.goto("about:blank")
    page.goto(f"{address}/{TABLE}")
    page.wait_for_function(ANSWERED, timeout=LONG)
    assert page.evaluate("hoyleTable.store.answer.answers") == before


def test_a_newer_table_waits_until_the_older_is_closed_and_then_takes_its_place(page: Page, tmp_path: Path) -> None:
    listed = (SITE / "table-files.js").read_text("utf-8").removeprefix("self.tableFiles = ").removesuffix(";\n")
    for path in [
        "sw.js",
        "stored-files.js",
        "404.html",
        "table-files.js",
        *(each["path"] for each in json.loads(listed)["files"]),
    ]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SITE / path, tmp_path / path)
    with serve(tmp_path) as address:
        page.goto(f"{address}/table.html")
        page.wait_for_function("() => hoyleTable.store?.engine.progress?.ready", timeout=LONG)
        [older] = kept(page)
        page.reload()  # only from the second visit on it is the worker that brings the page
        page.wait_for_function("() => navigator.serviceWorker.controller && hoyleTable.store", timeout=LONG)
        text = (tmp_path / "table-files.js").read_text("utf-8")
        (tmp_path / "table-files.js").write_text(text.replace(older.removeprefix("hoyle-table-"), "newer"), "utf-8")
        page.evaluate("async () => { const it = await navigator.serviceWorker.ready; await it.update() }")
        until(page, "async () => (await navigator.serviceWorker.ready).waiting")
        assert sorted(kept(page)) == sorted([older, "hoyle-table-newer"])
        page.goto(f"{address}/404.html")  # the table is left
        until(page, "async () => (await caches.keys()).join() === 'hoyle-table-newer'")


def test_an_interpreter_that_has_ended_says_so_and_is_begun_anew(page: Page) -> None:
    with serve(SITE) as address:
        page.goto(f"{address}/table.html")
        page.wait_for_function("() => hoyleTable.store?.engine.progress?.ready", timeout=LONG)
        told = page.evaluate("""async () => {
          const { engine } = hoyleTable.store;
          const waiting = engine.ask({ ask: "positions", words: "queen" });
          engine.worker.onmessage({ data: { failed: { says: "It has ended.", remedy: "Begin anew." } } });
          const failed = [await waiting, await engine.ask({ ask: "positions", words: "queen" })];
          engine.restart();
          await engine.ready;
          return [failed, await engine.ask({ ask: "positions", words: "queen" })];
        }""")
        failed, answered = told
        assert failed == [{"error": {"says": "It has ended.", "remedy": "Begin anew."}}] * 2
        assert answered["positions"]


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


def test_from_a_file_the_table_says_what_it_needs(page: Page) -> None:
    page.goto((SITE / "table.html").as_uri())
    failed = page.evaluate("hoyleTable.store.engine.failed")
    assert "opened from a file" in failed["says"]
    assert "hoyle table" in failed["remedy"]
