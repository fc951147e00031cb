"""`make serve`: the site while it is being written, for browsers of this machine, from the docs folder alone."""

import http.client
import importlib.util
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from conftest import HANGS, need
from hoyle_conformance.suite.suite import Suite

pytestmark = pytest.mark.posix


@pytest.fixture
def served(suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A server of a small docs folder, with links that lead out of it to a file next to it."""
    need(importlib.util.find_spec("mkdocs"), "mkdocs (make site)")
    import serving

    root = tmp_path.resolve()
    docs = root / "docs"
    (docs / "own").mkdir(parents=True)
    (docs / "own/page.md").write_text("# A page\n\nIt is written by hand.\n", "utf-8")
    (docs / "own/style.css").write_text("p {}\n", "utf-8")
    (root / "secret.md").write_text("# Nobody else is to read this\n", "utf-8")
    with suppress(OSError):  # not everyone may make links on Windows
        (docs / "link.md").symlink_to(root / "secret.md")
        (docs / "out").symlink_to(root, target_is_directory=True)
    config = serving._config()
    config.docs_dir = str(docs)
    monkeypatch.setattr(serving, "ROOT", root)
    monkeypatch.setattr(serving.Site, "current", lambda _site: suite)
    monkeypatch.setattr(serving.Handler, "log_message", lambda *_said: None)
    with serving.Server(0, serving.Site(config)) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def got(server: Any, path: str, *hosts: str) -> tuple[int, str]:
    """The status and the content of the answer to a request with these `Host` headers, or with the usual one."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=HANGS)
    connection.putrequest("GET", path, skip_host=True)
    for host in hosts or ("127.0.0.1:PORT",):
        connection.putheader("Host", host.replace("PORT", str(server.server_port)))
    connection.endheaders()
    answer = connection.getresponse()
    content = answer.read().decode()
    connection.close()
    return answer.status, content


@pytest.mark.parametrize(
    ("path", "shows"),
    [
        ("/own%2Fp%61ge.html?a=b", "<p>It is written by hand.</p>"),
        ("/own/../own/style.css", "p {}"),
        ("/scenarios/to-score/the-example.html", "to score"),
    ],
)
def test_pages_and_files_of_the_docs_folder_are_served(served: Any, path: str, shows: str) -> None:
    status, content = got(served, path)
    assert shows in content
    assert status == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/../secret.html", "/own/../../secret.md", "/..//secret.html", "/%2e%2e/secret.html", "/..%2fsecret.html"),
        *("/own\\..\\..\\secret.html", "/own%5C..%5C..%5Csecret.md", "/link.html", "/link.md", "/out/secret.html"),
        *("/ROOT/secret.html", "/%2fROOT/secret.html", "/%252e%252e/secret.html", "/..%00/secret.html"),
        *("/%00.html", f"/{'x' * 5_000}.html", "/%ff%fe.html", "/.."),
    ],
)
def test_no_file_outside_the_docs_folder_is_served(
    served: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr("serving.page_at", lambda *_: None)  # generated pages take long, and read no file by its path
    status, content = got(served, path.replace("/ROOT", str(tmp_path.resolve())))
    assert (status, content) == (404, "There is no such page.")


@pytest.mark.parametrize("host", ["127.0.0.1:PORT", "localhost:PORT", "[::1]:PORT"])
def test_this_machine_is_answered_under_each_of_its_names(served: Any, host: str) -> None:
    assert got(served, "/own/style.css", host) == (200, "p {}\n")


@pytest.mark.parametrize(
    "hosts",
    [
        *(["evil.example:PORT"], ["127.0.0.1.evil.example:PORT"], ["127.0.0.1"], ["127.0.0.1:1"], [""]),
        *(["localhost:PORT", "evil.example"], ["localhost:PORT@evil"]),
    ],
)
def test_a_browser_that_another_page_has_sent_here_is_refused(served: Any, hosts: list[str]) -> None:
    for path in ("/own/style.css", "/own/page.html", "/"):
        status, content = got(served, path, *hosts)
        assert status == 403
        assert content == f"This server answers only at http://127.0.0.1:{served.server_port}/."
