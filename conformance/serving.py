"""`make serve`: the site while it is being written. Each page is made on request, from the files as they are.

A changed file of the spec or the docs shows when the page is loaded again; a change of the code needs a new start.
While the spec has mistakes, every page shows them. Only browsers of this machine are answered, and only with files of
the docs folder and generated pages.
"""

import http.server
import mimetypes
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote

from mkdocs.commands.build import get_context
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import get_navigation
from mkdocs.structure.pages import Page

import mkdocs_hook
from browser_bundle import FOLDER, bundle
from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.checks.cache.store import cache_key_of
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.server.access import RequestRefused, headers_of, new_policy
from hoyle_conformance.web.site.navigation import tabs
from hoyle_conformance.web.site.pages import page_at

ROOT = Path(__file__).resolve().parent.parent
PORT = 8000


def _config() -> MkDocsConfig:
    config = load_config(str(ROOT / "mkdocs.yml"))
    config.nav = None
    return config.plugins.on_config(config)


def _in_docs(path: str) -> Path | None:
    """Return the file at a path within the docs folder; None if there is none, or if the path leads out of it."""
    docs = ROOT / "docs"
    try:
        file = (docs / path).resolve()  # where links lead, too
        return file if file.is_relative_to(docs) and file.is_file() else None
    except (OSError, ValueError):  # no file can have this name
        return None


@dataclass
class Site:
    """The site as it is now: the suite is read again when a file of it has changed."""

    config: MkDocsConfig = field(default_factory=_config)
    address: str = ""
    suite: Suite | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def current(self) -> Suite:
        """Return the suite of the files as they are; raises Invalid."""
        with self.lock:
            address = cache_key_of(find_spec(), all_code=True)
            if self.suite is None or address != self.address:
                self.suite, self.address = open_suite(positions=False), address
            return self.suite

    def answer(self, path: str) -> tuple[bytes, str] | None:
        """Return what is at a path, with its type; None if nothing is."""
        if asset := _in_docs(path):
            return asset.read_bytes(), mimetypes.guess_type(path)[0] or "text/plain"
        if path.startswith(f"{FOLDER}/"):
            content = bundle(self.current()).get(path)
            return None if content is None else (content, mimetypes.guess_type(path)[0] or "application/octet-stream")
        suite, source = self.current(), path.removesuffix(".html") + ".md"
        by_hand = _in_docs(source)
        made = None if by_hand else page_at(suite, path)
        if made and not path.endswith(".html"):
            return made.text.encode(), mimetypes.guess_type(path)[0] or "text/plain"
        if not made and not by_hand:
            return None
        with self.lock:
            mkdocs_hook.set_pages(tabs(suite), [made] if made else [])
            return self._framed(source, made.text if made else None).encode(), "text/html; charset=utf-8"

    def _framed(self, source: str, text: str | None) -> str:
        """Return a page in its frame, with its text in Markdown or, if that is None, with that of its file."""
        config = self.config
        file = (
            File(source, config.docs_dir, config.site_dir, config.use_directory_urls)
            if text is None
            else File.generated(config, source, content=text)
        )
        files = _Anything([file])
        files.config = config
        page = Page(None, file, config)
        page.read_source(config)
        page.markdown = mkdocs_hook.on_page_markdown(page.markdown or "", page, config, files)
        page.render(config, files)
        page.content = mkdocs_hook.on_page_content(page.content or "", page, config, files)
        navigation = get_navigation(Files([]), config)
        context = dict(get_context(navigation, files, config, page))
        env = mkdocs_hook.on_env(config.theme.get_env(), config, files)
        return env.get_template("main.html").render(mkdocs_hook.on_page_context(context, page, config, navigation))


class _Anything(Files):
    """Files among which every page is: `make site` checks whether links lead anywhere."""

    config: MkDocsConfig

    def get_file_from_path(self, path: str) -> File | None:
        """Return the file at a path, which need not be there."""
        of = self.config
        return super().get_file_from_path(path) or File(path, of.docs_dir, of.site_dir, of.use_directory_urls)


class Server(http.server.ThreadingHTTPServer):
    """A server of a site at a port of this machine, for the browsers of this machine alone."""

    def __init__(self, port: int, site: Site) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.site, self.policy = site, new_policy(self.server_port)


class Handler(http.server.BaseHTTPRequestHandler):
    """The handler of one request, for which a page is made."""

    server: Server

    def do_GET(self) -> None:
        """Send a page, an asset, the mistakes in the spec, or why there is no such page."""
        path = unquote(self.path.partition("?")[0]).lstrip("/")
        path = f"{path}index.html" if not path or path.endswith("/") else path
        try:
            self.server.policy.check_origin(headers_of(self.headers))
            found = self.server.site.answer(path)
        except RequestRefused as refused:
            self._send(refused.status, refused.why.encode(), "text/plain")
            return
        except Invalid as invalid:
            mistakes = "\n".join(map(str, invalid.diagnostics))
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, f"<pre>{escape(mistakes)}</pre>".encode(), "text/html")
            return
        if found is None:
            self._send(HTTPStatus.NOT_FOUND, b"There is no such page.", "text/plain")
        else:
            self._send(HTTPStatus.OK, *found)

    def _send(self, status: HTTPStatus, content: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def main() -> None:
    """Serve until Ctrl-C."""
    with Server(PORT, Site()) as server:
        sys.stdout.write(
            f"The site is at http://127.0.0.1:{PORT}/ until Ctrl-C. What changes shows when a page is loaded.\n"
        )
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main()
