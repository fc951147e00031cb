"""The examples in docs/examples are run, and do what they say."""

import contextlib
import io
import json
import runpy
import threading
import urllib.request
from http.server import ThreadingHTTPServer
from typing import Any

from conftest import ROOT

EXAMPLES = ROOT / "docs/examples"


def test_the_notebook_shows_what_it_prints() -> None:
    notebook = json.loads((EXAMPLES / "a_deal_of_piquet.ipynb").read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    names: dict[str, Any] = {}
    for cell in cells:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec("".join(cell["source"]), names)  # noqa: S102 -- the notebook is a file of the project
        assert output.getvalue() == "".join(cell["outputs"][0]["text"])
    assert len(cells) > 4


def test_the_server_judges_a_game() -> None:
    example = runpy.run_path(str(EXAMPLES / "judge_server.py"))
    with ThreadingHTTPServer(("127.0.0.1", 0), example["Judge"]) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        answers = [
            json.load(urllib.request.urlopen(address, data=text.encode(), timeout=30))
            for text in ("bezique-hoyle; cut KS 7H", "bezique-hoyle; cut KS KS", "poker")
        ]
        server.shutdown()
    assert answers[0] == {"scores": {"A": 0, "B": 0}, "over": False, "to_act": None}
    assert [answer["error"] for answer in answers[1:]] == ["bad-action", "unknown-ruleset"]
