"""`hoyle table`: the server of the page, and who is let in."""

import http.client
import json
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import HANGS
from hoyle_conformance.cli import main
from hoyle_conformance.cli.table import _fragment_or_exit, _page_that_opens
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import join_all
from hoyle_conformance.web.explorer.layout import open_link
from hoyle_conformance.web.server.access import LONGEST, RequestRefused, new_policy
from hoyle_conformance.web.server.server import Server

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
def served(suite: Suite, said: list[str]) -> Iterator[Server]:
    with Server(0, suite, said.append) as server:
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
    for name in re.findall(r'(?:src|rel="stylesheet" href)="\./([^"]+)', page):
        status, kind, content = asked(served, "GET", f"/{name}")
        assert status == 200, name
        assert kind == f"text/{'css' if name.endswith('.css') else 'javascript'}; charset=utf-8"
        assert content


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing.html", "/assets/", "/assets/../server.py", "/assets/%2e%2e/access.py", "/%00"),
        "/assets/source-serif-4.txt",  # neither a style, a script, a drawing nor a typeface
        "/contributing.html",  # only on the site
        "/decisions/..%2f..%2fREADME.html",
    ],
)
def test_what_is_not_there_is_said_in_words(served: Server, path: str) -> None:
    status, _, page = asked(served, "GET", path)
    assert status == 404
    assert "There is no such page here" in page
    assert "import" not in page


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


def test_the_scenario_of_a_file_is_in_the_address(suite: Suite, tmp_path: Path) -> None:
    file = tmp_path / "a-draft.scenario.yaml"
    file.write_text(DRAFT, "utf-8")
    layout = open_link(_fragment_or_exit(suite, str(file)))
    assert (layout["title"], layout["given"]["leads"]) == ("Does the higher card win?", "A")
    assert _fragment_or_exit(suite, "the-example") == f"#p={THE_EXAMPLE}"
    file.write_text(DRAFT.replace("KS, ...", "KS, KS#3, ..."), "utf-8")
    result = CliRunner().invoke(main, ["table", str(file)])
    assert (result.exit_code, "a-draft.scenario.yaml:3" in result.output) == (4, True)


def test_house_rules_are_asked_beside_the_books(suite: Suite, tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine.yaml", tmp_path / "theirs.yaml"
    mine.write_text(HOUSE.format(name="mine", extends="bezique-hoyle", target=1500), "utf-8")
    theirs.write_text(HOUSE.format(name="theirs", extends="mine", target=700), "utf-8")
    with pytest.raises(Invalid):
        join_all(suite, [mine, mine])
    with Server(0, join_all(suite, [mine, theirs]), str) as server:
        layout = server.ask({"ask": "position", "id": THE_EXAMPLE})["layout"] | {
            "rulesets": ["bezique-hoyle", "theirs"]
        }
        asked = server.ask({"ask": "answer", "layout": layout})["answers"]
        assert {each["id"] for group in asked for each in group["rulesets"]} == {"bezique-hoyle", "theirs"}
        page = server.page("rulesets/theirs.html")
        assert page is not None
        assert "700" in page.body


def test_the_page_is_answered_while_an_opponent_thinks(served: Server) -> None:
    meanwhile: list[Any] = []

    def thinks(_request: Any) -> dict[str, Any]:
        page = threading.Thread(target=lambda: meanwhile.append(served.ask({"ask": "position", "id": THE_EXAMPLE})))
        page.start()
        page.join(HANGS)
        return {"act": {}}

    served.engine.answers["opponent"] = thinks
    assert served.ask({"ask": "opponent"}) == {"act": {}}
    assert meanwhile[0]["layout"]


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
        patch.setattr(served, "ask", fails)
        patch.setattr(served, "page", fails)
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
