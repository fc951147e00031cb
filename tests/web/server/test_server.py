"""`hoyle table`: the server of the page, who is let in, and what it writes."""

import http.client
import io
import json
import socket
import threading
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import HANGS, ROOT
from hoyle_conformance.cli import main
from hoyle_conformance.cli.table import _page_that_opens
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import join_all
from hoyle_conformance.web.server.access import LONGEST, RequestRefused, new_policy
from hoyle_conformance.web.server.server import Server, document, not_at_hand
from hoyle_conformance.web.server.state import NotWritten, ServerState, draft_files, drafts, with_drafts, write

pytestmark = pytest.mark.slow

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


HOUSE = """id: {name}
title: {name} of our club
extends: {extends}
rules:
  settle.target: {target}
"""


@pytest.fixture
def said() -> list[str]:
    """What the terminal is told."""
    return []


@pytest.fixture
def served(suite: Suite, tmp_path: Path, said: list[str]) -> Iterator[Server]:
    state = ServerState(suite, tmp_path / "drafts", said.append, rules=[tmp_path / "mine.yaml"], pause=0)
    with Server(0, state) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def asked(server: Server, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str, str]:
    """The status, the type and the content of an answer to a browser that has access, unless headers say otherwise."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=HANGS)
    known = {"Cookie": f"{server.policy.cookie}={server.policy.token}"}
    given = known | {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, given)
    answer = connection.getresponse()
    return answer.status, answer.headers["Content-Type"], answer.read().decode()


def put(server: Server, request: Any, **headers: str) -> tuple[int, Any]:
    """The answer to what the page asks."""
    given = {"Content_Type": "application/json", **headers}
    status, _, content = asked(server, "POST", "/ask", json.dumps(request).encode(), **given)
    return status, json.loads(content)


def test_the_page_comes_with_what_it_needs_and_without_the_token(served: Server) -> None:
    status, kind, page = asked(served, "GET", "/")
    assert (status, kind) == (200, "text/html; charset=utf-8")
    assert served.policy.token not in page
    assert 'data-server="./ask"' in page
    for name in page.split('src="./')[1:]:
        status, kind, content = asked(served, "GET", f"/{name.partition(chr(34))[0]}")
        assert status == 200, name
        assert kind == "text/javascript; charset=utf-8"
        assert content


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing.html", "/assets/", "/assets/../server.py", "/assets/%2e%2e/access.py", "/%00"),
        "/assets/source-serif-4.txt",  # neither a style, a script, a drawing nor a typeface
        "/decisions/..%2f..%2fREADME.html",
    ],
)
def test_what_is_not_there_is_said_in_words(served: Server, path: str) -> None:
    status, _, page = asked(served, "GET", path)
    assert status == 404
    assert "There is no such page here" in page
    assert "import" not in page


def test_a_document_of_the_project_is_shown_as_it_is_written(served: Server) -> None:
    status, kind, page = asked(served, "GET", "/contributing.html")
    assert (status, kind) == (200, "text/html; charset=utf-8")
    heading, _, text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").removeprefix("# ").partition("\n")
    assert f"<h1>{escape(heading)}</h1>" in page
    assert escape(text.strip()) in page


def test_missing_document_is_reported(tmp_path: Path) -> None:
    assert document(tmp_path, "contributing.html") is None
    for path, file in (("contributing.html", "CONTRIBUTING.md"), ("start.html", "docs/start.md")):
        told = str(not_at_hand(path).body)
        assert f"the file {file};" in told
        assert f"the page {path}." in told


@pytest.mark.parametrize(
    ("headers", "status", "why"),
    [
        ({"Host": "evil.example"}, 403, "answers only at"),
        ({"Origin": "http://evil.example"}, 403, "Another page"),
        ({"Origin": "null"}, 403, "Another page"),
        ({"Cookie": ""}, 403, "Open the address"),
        ({"Cookie": "hoyle-{port}=guessed"}, 403, "Open the address"),
        ({"Cookie": "hoyle-{port}=gu\xe9ssed"}, 403, "Open the address"),
        ({"Cookie": "hoyle-1={token}"}, 403, "Open the address"),
        ({"Content_Type": "text/plain"}, 415, "JSON"),
        ({"Transfer_Encoding": "chunked"}, 411, "in chunks"),
        ({"Content_Length": "many"}, 411, "content-length"),
        ({"Content_Length": "-1"}, 411, "content-length"),
        ({"Content_Length": str(LONGEST + 1)}, 413, "longer than"),
    ],
)
def test_request_from_elsewhere_is_refused(served: Server, headers: dict[str, str], status: int, why: str) -> None:
    own = {"port": served.server_port, "token": served.policy.token}
    given = {name: value.format(**own) for name, value in headers.items()}
    found, answer = put(served, {"ask": "position", "id": THE_EXAMPLE}, **given)
    assert found == status
    assert why.lower() in answer["error"]["says"].lower()


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"[" * 100_000, b"\xff"])
def test_what_is_no_request_is_refused_and_the_server_goes_on(served: Server, body: bytes) -> None:
    given = {"Content_Type": "application/json"}
    status, _, content = asked(served, "POST", "/ask", body, **given)
    assert status == 400
    assert json.loads(content)["error"]["says"]
    assert put(served, {"ask": "position", "id": THE_EXAMPLE})[0] == 200


def test_another_page_may_link_here_and_fetch_nothing(served: Server) -> None:
    other = {"Sec_Fetch_Site": "cross-site"}
    assert asked(served, "GET", "/", Sec_Fetch_Mode="navigate", **other)[0] == 200
    assert asked(served, "GET", "/", Sec_Fetch_Mode="no-cors", **other)[0] == 403
    assert asked(served, "GET", "/assets/base.css", Sec_Fetch_Site="same-origin", Sec_Fetch_Mode="no-cors")[0] == 200


def test_each_server_has_a_token_of_its_own() -> None:
    one, other = new_policy(1), new_policy(1)
    assert one.token != other.token
    with pytest.raises(RequestRefused):
        one.length_of({"Host": "127.0.0.1:1", "Cookie": f"{other.cookie}={other.token}"})


def test_address_with_the_token_gives_a_cookie_and_leads_to_one_without_it(served: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.server_port, timeout=HANGS)
    connection.request("GET", f"/rulesets/bezique-hoyle.html?{served.address.partition('?')[2]}")
    answer = connection.getresponse()
    given, page = answer.headers["Set-Cookie"], answer.read().decode()
    assert answer.status == 200
    assert given.split("; ")[1:] == ["Path=/", "HttpOnly", "SameSite=Strict"]
    assert 'href="/rulesets/bezique-hoyle.html"' in page
    assert served.policy.token not in page
    assert asked(served, "GET", "/", Cookie=f"other=1; {given.split(';')[0]}; {{more}}")[0] == 200


@pytest.mark.parametrize("path", ["/", "/table.html?token=guessed", "/%5c%5cevil"])
@pytest.mark.parametrize("cookie", ["", "hoyle-1={token}", "=;;="])
def test_browser_without_the_token_sees_what_to_do_and_nothing_else(served: Server, path: str, cookie: str) -> None:
    given = cookie.format(port=served.server_port, token=served.policy.token)
    status, kind, page = asked(served, "GET", path, Cookie=given)
    assert (status, kind) == (403, "text/html; charset=utf-8")
    assert "Open the address that <code>hoyle table</code> printed in the terminal." in page
    assert f'href="/{(path.partition("?")[0].lstrip("/") or "table.html").replace("%5c", "%5C")}"' in page
    assert served.policy.token not in page
    assert asked(served, "GET", "/assets/base.css", Cookie=given)[0] == 200


def test_browser_is_opened_without_the_token_in_the_words_of_a_command(tmp_path: Path) -> None:
    page = Path(_page_that_opens('http://127.0.0.1:1/table.html?token=secret#p="x"', tmp_path))
    assert "secret" not in str(page)
    assert 'content="0;url=http://127.0.0.1:1/table.html?token=secret#p=&quot;x&quot;"' in page.read_text("utf-8")


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
    assert path == served.state.folder / "to-score/a-question-of-mine.scenario.yaml"
    assert "A question of mine" in path.read_text("utf-8")
    _, again = put(served, {**request, "title": "Another"})
    assert "already exists" in again["error"]["says"]
    assert (again["there"], again["id"]) == (True, request["id"])
    assert "A question of mine" in path.read_text("utf-8")
    _, found = put(served, {"ask": "positions", "words": "question of mine"})
    assert "to-score.a-question-of-mine" in [each["id"] for each in found["positions"]]
    result = CliRunner().invoke(main, ["validate", str(path)])
    assert result.exit_code == 0, result.output
    _, told = put(served, {**request, "title": "Another", "over": True})
    assert told["written"] == str(path)
    assert "Another" in path.read_text("utf-8")


@pytest.mark.posix
def test_only_a_file_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("theirs", "utf-8")
    (tmp_path / "drafts/mine/a-folder.scenario.yaml").mkdir(parents=True)
    (tmp_path / "drafts/mine/a-link.scenario.yaml").symlink_to(tmp_path / "elsewhere")
    for name in ("a-folder", "a-link"):
        with pytest.raises(NotWritten, match="not a regular file"):
            write(tmp_path / "drafts", f"mine/{name}.scenario.yaml", "x", over=True)
    assert (tmp_path / "elsewhere").read_text("utf-8") == "theirs"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=repr)
def test_a_draft_that_is_not_written_whole_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    class Full(io.BytesIO):
        def write(self, _content: object) -> int:
            raise error

    def opened(path: Path, _mode: str) -> Full:
        path.touch(exist_ok=False)
        return Full()

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises((NotWritten, KeyboardInterrupt)):
        write(tmp_path, "mine/a.scenario.yaml", "id: mine.a")
    assert list(tmp_path.rglob("*.yaml")) == []


def test_what_no_file_can_hold_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotWritten, match="cannot be saved"):
        write(tmp_path, "mine/a.scenario.yaml", "\ud800")
    assert list(tmp_path.rglob("*.yaml")) == []


@pytest.mark.parametrize(
    "name",
    ["-a/b.scenario.yaml", "a/-b.scenario.yaml", "../out/of.scenario.yaml", "a/b/c.scenario.yaml", "a/b.yaml", "/a/b"],
)
def test_a_draft_goes_into_the_folder_or_nowhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotWritten):
        write(tmp_path / "drafts", name, "x")
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.posix
def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "drafts").mkdir()
    (tmp_path / "drafts/mine").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotWritten, match="leads out"):
        write(tmp_path / "drafts", "mine/a.scenario.yaml", "x")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_drafts_stand_beside_the_scenarios_and_broken_ones_are_told(suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/a-draft.scenario.yaml").write_text(DRAFT, "utf-8")
    (tmp_path / "mine/broken.scenario.yaml").write_text("id: [", "utf-8")
    unknown = DRAFT.replace("mine.a-draft", "mine.unknown").replace("bezique-hoyle", "no-such-rules")
    (tmp_path / "mine/unknown.scenario.yaml").write_text(unknown, "utf-8")
    taken = DRAFT.replace("mine.a-draft", THE_EXAMPLE)
    (tmp_path / "mine/taken.scenario.yaml").write_text(taken, "utf-8")
    impossible = DRAFT.replace("mine.a-draft", "mine.impossible").replace("KS, ...", "KS, KS#3, ...")
    (tmp_path / "mine/impossible.scenario.yaml").write_text(impossible, "utf-8")
    found = drafts(suite, draft_files(tmp_path), tmp_path)
    assert [each.id for each in found.scenarios] == ["mine.a-draft"]
    assert {fault.code for fault in found.faults} >= {"id-in-use", "position", "unknown-ruleset"}
    assert {Path(fault.file).name.partition(".")[0] for fault in found.faults} == {
        "broken",
        "impossible",
        "taken",
        "unknown",
    }
    assert "mine.a-draft" in with_drafts(suite, found).scenarios
    assert with_drafts(suite, drafts(suite, draft_files(tmp_path / "none"), tmp_path / "none")) is suite


def test_only_new_files_of_a_spec_folder_are_drafts(suite: Suite, tmp_path: Path) -> None:
    folder = tmp_path / "spec/scenarios"
    (folder / "mine").mkdir(parents=True)
    (folder / "to-score").mkdir()
    (tmp_path / "spec/VERSION").write_text("1.0.0", "utf-8")
    (folder / "to-score/the-example.scenario.yaml").write_text("id: [", "utf-8")
    (folder / "mine/a-draft.scenario.yaml").write_text(DRAFT, "utf-8")
    found = drafts(suite, draft_files(folder), folder)
    assert [each.id for each in found.scenarios] == ["mine.a-draft"]
    assert found.faults == ()


def test_house_rules_are_asked_beside_the_books(suite: Suite, tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine.yaml", tmp_path / "theirs.yaml"
    mine.write_text(HOUSE.format(name="mine", extends="bezique-hoyle", target=1500), "utf-8")
    theirs.write_text(HOUSE.format(name="theirs", extends="mine", target=700), "utf-8")
    with pytest.raises(Invalid):
        join_all(suite, [mine, mine])
    state = ServerState(join_all(suite, [mine, theirs]), tmp_path / "drafts", str)
    layout = state.ask({"ask": "position", "id": THE_EXAMPLE})["layout"] | {"rulesets": ["bezique-hoyle", "theirs"]}
    asked = state.ask({"ask": "answer", "layout": layout})["answers"]
    assert {each["id"] for group in asked for each in group["rulesets"]} == {"bezique-hoyle", "theirs"}
    page = state.current().page("rulesets/theirs.html")
    assert page is not None
    assert "700" in page.body


def test_rules_that_change_are_read_again_and_mistakes_in_them_are_said(
    suite: Suite, served: Server, tmp_path: Path, said: list[str]
) -> None:
    mine = tmp_path / "mine.yaml"
    served.state.load = lambda: join_all(suite, [mine])
    mine.write_text(HOUSE.format(name="mine", extends="bezique-hoyle", target=1500), "utf-8")
    put(served, {"ask": "positions", "words": "x"})
    served.state.current()
    mine.write_text(HOUSE.format(name="mine", extends="bezique-hoile", target=1500), "utf-8")
    _, answer = put(served, {"ask": "positions", "words": "x"})
    assert "mine.yaml:3:10" in answer["error"]["says"]
    assert "Did you mean 'bezique-hoyle'?" in answer["error"]["remedy"]
    status, _, page = asked(served, "GET", "/")
    assert status == 500
    assert "Did you mean" in page
    assert sum("bezique-hoile" in each for each in said) == 1
    mine.write_text(HOUSE.format(name="mine", extends="bezique-hoyle", target=9000), "utf-8")
    assert "error" not in put(served, {"ask": "positions", "words": "x"})[1]
    assert asked(served, "GET", "/")[0] == 200
    assert served.state.current().suite.rules.of("mine").cells["settle.target"].value == 9000


def test_a_draft_that_appears_is_among_the_positions_and_a_broken_one_is_told_once(
    served: Server, said: list[str]
) -> None:
    folder = served.state.folder / "mine"
    put(served, {"ask": "positions", "words": "higher card"})
    folder.mkdir(parents=True)
    (folder / "a-draft.scenario.yaml").write_text(DRAFT, "utf-8")
    (folder / "broken.scenario.yaml").write_text("id: [", "utf-8")
    for _ in range(2):
        found = put(served, {"ask": "positions", "words": "higher card"})[1]["positions"]
        assert found[0]["id"] == "mine.a-draft"
    assert len(said) == 1
    assert "broken.scenario.yaml:1:" in said[0]
    assert asked(served, "GET", "/scenarios/mine/a-draft.html")[0] == 404


def test_the_page_is_answered_while_an_opponent_thinks(suite: Suite, tmp_path: Path) -> None:
    state = ServerState(suite, tmp_path / "drafts", str)
    meanwhile: list[Any] = []

    def thinks(_request: Any) -> dict[str, Any]:
        page = threading.Thread(target=lambda: meanwhile.append(state.ask({"ask": "positions", "words": "revoke"})))
        page.start()
        page.join(HANGS)
        return {"act": {}}

    state.current().engine.answers["opponent"] = thinks
    assert state.ask({"ask": "opponent"}) == {"act": {}}
    assert meanwhile[0]["positions"]


@pytest.mark.parametrize(
    ("fault", "status", "says", "reported"),
    [
        (ZeroDivisionError("by nothing"), 500, "fault of Hoyle", "by nothing"),
        (OSError(24, "Too many open files", "x"), 503, "x: too many open files", "x: too many open files"),
        (MemoryError(), 503, "not enough memory", "not enough memory"),
    ],
    ids=repr,
)
def test_a_fault_ends_neither_the_server_nor_the_page(
    served: Server,
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
    fault: Exception,
    status: int,
    says: str,
    reported: str,
) -> None:
    def fails(*_words: object) -> None:
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(served.state, "ask", fails)
        patch.setattr(served.state, "current", fails)
        assert says in put(served, {"ask": "answer"})[1]["error"]["says"]
        found, _, page = asked(served, "GET", "/")
    assert (found, "by nothing" in page) == (status, False)
    assert sum(reported in each for each in said) == 2
    assert ("Traceback" in "".join(said)) == (status == 500)
    assert asked(served, "GET", "/")[0] == 200


def test_a_request_for_which_no_thread_can_be_started_is_reported(
    served: Server, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(11, "The system starts no more threads")

    with monkeypatch.context() as patch:
        patch.setattr("hoyle_conformance.web.server.server.start_thread", refuse)
        with pytest.raises(ConnectionError):
            asked(served, "GET", "/")
    assert said == ["Hoyle cannot answer a request: the system starts no more threads."]
    assert asked(served, "GET", "/")[0] == 200


def test_client_that_hangs_up_is_no_error(served: Server, said: list[str]) -> None:
    with socket.create_connection(("127.0.0.1", served.server_port), timeout=HANGS) as line:
        line.sendall(b"POST /ask HTTP/1.0\r\nContent-Le")
    with socket.create_connection(("127.0.0.1", served.server_port), timeout=HANGS) as line:
        line.sendall(b"nonsense\r\n\r\n")
        assert b"400" in line.recv(1000)
    assert asked(served, "GET", "/")[0] == 200
    assert said == []


def test_other_methods_are_refused(served: Server) -> None:
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE"):
        assert asked(served, method, "/ask")[0] == 501
    assert asked(served, "HEAD", "/")[::2] == (200, "")
    assert asked(served, "POST", "/table.html", b"{}")[0] == 415


def test_the_page_is_shown_in_no_other_and_runs_nothing_but_its_own(served: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.server_port, timeout=HANGS)
    connection.request("GET", "/", headers={"Cookie": f"{served.policy.cookie}={served.policy.token}"})
    headers = connection.getresponse().headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["to-score.example"], "Did you mean 'to-score.the-example'?"),
        (["https://example.org/table.html#1.%%%"], "This link cannot be opened"),
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
