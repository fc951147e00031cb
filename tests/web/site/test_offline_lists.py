"""What a browser stores for when there is no network: the table whole, and the pages that one reads at a card table."""

import json
from pathlib import Path
from typing import Any

from hoyle_conformance.web.site.offline_lists import write_offline_lists

READ = (
    '<link href="../assets/a.css"><body data-base="../" data-offline class="rules"><script src="../assets/b.js" defer>'
)


def put(site: Path, path: str, text: str = "") -> None:
    (site / path).parent.mkdir(parents=True, exist_ok=True)
    (site / path).write_text(text or path, "utf-8")


def listed(site: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((site / name).read_text("utf-8").partition(" = ")[2].removesuffix(";\n"))
    return found


def paths(site: Path, name: str) -> list[str]:
    return [each["path"] for each in listed(site, name)["files"]]


def test_the_table_is_kept_whole_and_nothing_else(tmp_path: Path) -> None:
    for path in ("assets/pyodide/manifest.json", "assets/pyodide/a-12.packed", "assets/table-worker.js", "assets/b.js"):
        put(tmp_path, path)
    put(tmp_path, "index.html", "another page")
    put(tmp_path, "table.html", '<link href="index.html"><script src="./assets/b.js" defer></script>')
    write_offline_lists(tmp_path)
    assert paths(tmp_path, "table-files.js") == [
        *("table.html", "assets/b.js", "assets/table-worker.js"),
        *("assets/pyodide/a-12.packed", "assets/pyodide/manifest.json"),
    ]
    files = listed(tmp_path, "table-files.js")["files"]
    assert [each["path"] for each in files if each["lasts"]] == ["assets/pyodide/a-12.packed"]


def test_pages_are_kept_by_their_kind_with_what_they_need(tmp_path: Path) -> None:
    put(tmp_path, "rulesets/one.html", READ)
    put(tmp_path, "check.html", READ.replace("rules", "documents"))
    put(tmp_path, "plain.html", "no kind")
    put(tmp_path, "assets/a.css", '@font-face { src: url("c.woff2") }')
    for path in ("assets/b.js", "assets/c.woff2", "assets/d.js", "search.html", "assets/asking.js"):
        put(tmp_path, path)
    write_offline_lists(tmp_path)
    kept = ["rulesets/one.html", "assets/a.css", "assets/b.js", "assets/c.woff2", "search.html", "assets/asking.js"]
    assert paths(tmp_path, "reading-files.js") == kept
    assert not (tmp_path / "table-files.js").exists()  # there is no interpreter


def test_a_list_has_another_version_when_a_file_has_changed(tmp_path: Path) -> None:
    put(tmp_path, "rulesets/one.html", READ)
    for path in ("assets/a.css", "assets/b.js"):
        put(tmp_path, path)
    write_offline_lists(tmp_path)
    first = listed(tmp_path, "reading-files.js")["version"]
    write_offline_lists(tmp_path)
    assert listed(tmp_path, "reading-files.js")["version"] == first
    put(tmp_path, "assets/b.js", "changed")
    write_offline_lists(tmp_path)
    assert listed(tmp_path, "reading-files.js")["version"] != first
