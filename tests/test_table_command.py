"""`hoyle table`: the server of the page, who is let in, and what it writes."""

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import HANGS
from hoyle_conformance.cli import main
from hoyle_conformance.served.assets import asset
from hoyle_conformance.served.door import LONGEST, TOKEN, TurnedAway, door
from hoyle_conformance.served.folder import NotWritten, drafts, usual_folder, with_drafts, write
from hoyle_conformance.served.server import Room, Server
from hoyle_conformance.suite.value import Suite

THE_EXAMPLE = "to-score.the-example"
DRAFT = """id: mine.a-draft
title: Does the higher card win?
given: {leads: A, trumps: H, hands: {A: [KS, ...], B: [9S, ...]}}
steps:
  - {by: A, do: trick, cards: [KS, 9S]}
outcomes:
  - rulesets: [bezique-hoyle]
    cites: [hoyle/bezique/higher-card-wins]
    expect: {1: {trick_won_by: A}}
"""


@pytest.fixture
def served(suite: Suite, tmp_path: Path) -> Iterator[Server]:
    said: list[str] = []
    with Server(0, Room(suite, tmp_path / "drafts", said.append)) as server:
        server.room.said = said  # type: ignore[attr-defined] -- for the tests to look at
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def asked(server: Server, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str, str]:
    """The status, the type and the content of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=HANGS)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, given)
    answer = connection.getresponse()
    return answer.status, answer.headers["Content-Type"], answer.read().decode()


def put(server: Server, request: Any, **headers: str) -> tuple[int, Any]:
    """The answer to what the page asks, with its word."""
    given = {"Content_Type": "application/json", TOKEN.replace("-", "_"): server.door.token, **headers}
    status, _, content = asked(server, "POST", "/ask", json.dumps(request).encode(), **given)
    return status, json.loads(content)


def test_the_page_comes_with_its_word_and_what_it_needs(served: Server) -> None:
    status, kind, page = asked(served, "GET", "/")
    assert (status, kind) == (200, "text/html; charset=utf-8")
    assert f'data-token="{served.door.token}"' in page
    assert 'data-server="./ask"' in page
    for name in page.split('src="./')[1:]:
        status, kind, content = asked(served, "GET", f"/{name.partition(chr(34))[0]}")
        assert status == 200, name
        assert kind == "text/javascript; charset=utf-8"
        assert content


def test_the_page_asks_and_is_answered(served: Server) -> None:
    status, answer = put(served, {"ask": "position", "id": THE_EXAMPLE})
    assert status == 200
    assert answer["layout"]["steps"]
    _, answer = put(served, {"ask": "answer", "layout": answer["layout"]})
    assert answer["answers"]


@pytest.mark.parametrize(
    ("path", "shows"),
    [
        ("/rulesets/bezique-hoyle.html", "The seven of trumps"),
        ("/sources/hoyle.html", "Hoyle"),
        ("/scenarios/to-score/the-example.html", "to score"),
    ],
)
def test_rules_clauses_and_positions_are_there_too(served: Server, path: str, shows: str) -> None:
    status, _, page = asked(served, "GET", path)
    assert status == 200
    assert shows in page
    assert '<link rel="stylesheet" href="../' in page


@pytest.mark.parametrize("path", ["/start.html", "/assets/", "/assets/../server.py", "/assets/%2e%2e/door.py", "/%00"])
def test_what_is_not_there_is_said_in_words(served: Server, path: str) -> None:
    status, _, page = asked(served, "GET", path)
    assert status == 404
    assert "There is no such page here" in page
    assert "import" not in page


@pytest.mark.parametrize(
    ("headers", "status", "why"),
    [
        ({"Host": "evil.example"}, 403, "asked for as"),
        ({"Origin": "http://evil.example"}, 403, "Another page"),
        ({"Origin": "null"}, 403, "Another page"),
        ({"X_Hoyle_Token": "guessed"}, 403, "has ended"),
        ({"X_Hoyle_Token": "gu\xe9ssed"}, 403, "has ended"),
        ({"Content_Type": "text/plain"}, 415, "JSON"),
        ({"Content_Length": "many"}, 411, "how much"),
        ({"Content_Length": str(LONGEST + 1)}, 413, "are not read"),
    ],
)
def test_nobody_else_may_ask(served: Server, headers: dict[str, str], status: int, why: str) -> None:
    found, answer = put(served, {"ask": "position", "id": THE_EXAMPLE}, **headers)
    assert found == status
    assert why.lower() in answer["error"]["says"].lower()


def test_a_browser_that_was_sent_here_under_another_name_sees_nothing(served: Server) -> None:
    status, _, page = asked(served, "GET", "/", Host="evil.example")
    assert status == 403
    assert served.door.token not in page


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"[" * 100_000, b"\xff"])
def test_what_is_no_request_is_refused_and_the_server_goes_on(served: Server, body: bytes) -> None:
    given = {"Content_Type": "application/json", "X_Hoyle_Token": served.door.token}
    status, _, content = asked(served, "POST", "/ask", body, **given)
    assert status == 400
    assert json.loads(content)["error"]["says"]
    assert put(served, {"ask": "position", "id": THE_EXAMPLE})[0] == 200


def test_each_server_has_a_word_of_its_own() -> None:
    assert door(1).token != door(1).token
    with pytest.raises(TurnedAway):
        door(1).length_of({"Host": "127.0.0.1:1", TOKEN: door(1).token})


def test_a_draft_is_written_once_and_is_then_among_the_positions(served: Server) -> None:
    _, told = put(served, {"ask": "position", "id": THE_EXAMPLE})
    request = {
        "ask": "write",
        "layout": told["layout"],
        "id": "to-score.a-question-of-mine",
        "title": "A question of mine",
    }
    _, answer = put(served, request)
    path = Path(answer["written"])
    assert path == served.room.folder / "to-score/a-question-of-mine.scenario.yaml"
    assert "A question of mine" in path.read_text("utf-8")
    _, again = put(served, request)
    assert "is there already" in again["error"]["says"]
    _, found = put(served, {"ask": "positions", "words": "question of mine"})
    assert "to-score.a-question-of-mine" in [each["id"] for each in found["positions"]]
    result = CliRunner().invoke(main, ["validate", str(path)])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    "name", ["../out/of.scenario.yaml", "a/b/c.scenario.yaml", "a/B.scenario.yaml", "a/b.yaml", "/a/b"]
)
def test_a_draft_goes_into_the_folder_or_nowhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotWritten):
        write(tmp_path / "drafts", name, "x")
    assert list(tmp_path.rglob("*")) == []


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "drafts").mkdir()
    (tmp_path / "drafts/mine").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotWritten, match="leads out"):
        write(tmp_path / "drafts", "mine/a.scenario.yaml", "x")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "drafts").write_text("a file", "utf-8")
    with pytest.raises(NotWritten, match="cannot be written"):
        write(tmp_path / "drafts", "mine/a.scenario.yaml", "x")


def test_drafts_stand_beside_the_scenarios_and_broken_ones_are_told(suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/a-draft.scenario.yaml").write_text(DRAFT, "utf-8")
    (tmp_path / "mine/broken.scenario.yaml").write_text("id: [", "utf-8")
    taken = DRAFT.replace("mine.a-draft", THE_EXAMPLE)
    (tmp_path / "mine/taken.scenario.yaml").write_text(taken, "utf-8")
    impossible = DRAFT.replace("mine.a-draft", "mine.impossible").replace("KS, ...", "KS, KS#3, ...")
    (tmp_path / "mine/impossible.scenario.yaml").write_text(impossible, "utf-8")
    found = drafts(suite, tmp_path)
    assert [each.id for each in found.scenarios] == ["mine.a-draft"]
    assert {fault.code for fault in found.faults} >= {"id-in-use", "position"}
    assert "mine.a-draft" in with_drafts(suite, found).scenarios
    assert with_drafts(suite, drafts(suite, tmp_path / "none")) is suite


def test_drafts_go_into_a_clone_where_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert usual_folder() == Path("scenarios")
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec/VERSION").write_text("1.0.0", "utf-8")
    assert usual_folder() == Path("spec/scenarios")


def test_only_styles_scripts_and_drawings_are_assets() -> None:
    assert asset("base.css")
    assert asset("no-such.css") is None
    assert asset("../assets/base.css") is None
    assert asset("index.html") is None


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["tricks.no-such"], "no-such"),
        (["https://example.org/table.html#1.%%%"], "This link cannot be read"),
        (["--port", "99999"], "99999"),
    ],
)
def test_a_wrong_call_is_told_before_anything_is_served(words: list[str], why: str) -> None:
    result = CliRunner().invoke(main, ["table", *words])
    assert result.exit_code == 2
    assert why in result.output


def test_a_port_in_use_is_told_with_the_remedy(served: Server) -> None:
    result = CliRunner().invoke(main, ["table", "--port", str(served.server_port)])
    assert result.exit_code == 2
    assert "--port 0" in result.output
