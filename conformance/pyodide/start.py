"""Where Python begins in a browser: the suite is opened, and whatever is asked is answered, in JSON."""

import json
import sys
import traceback
import zipfile
from collections.abc import Callable
from pathlib import Path


def begin_with(archive: str) -> Callable[[str], str]:
    """How a request in JSON is answered, by the suite and the code that lie in an archive."""
    folder = Path(archive).with_suffix("")
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder, [name for name in packed.namelist() if not name.endswith(".pyc")])
    sys.path.insert(0, archive)
    return begin(folder)


def begin(folder: Path) -> Callable[[str], str]:
    """How a request in JSON is answered in JSON, by the suite that lies in a folder."""
    from hoyle_conformance.checks.cache.compiled import read, suite_from  # noqa: PLC0415 -- which lies in the archive
    from hoyle_conformance.web.explorer.engine import Engine  # noqa: PLC0415 -- likewise

    engine = Engine(suite_from(folder / "spec", read((folder / "suite.jsonl").read_bytes())))

    def answer(request: str) -> str:
        try:
            return json.dumps(engine.ask(json.loads(request)), ensure_ascii=False, separators=(",", ":"))
        except Exception as error:  # noqa: BLE001 -- whatever goes wrong, the page is told
            says = f"The interpreter could not answer this: {type(error).__name__}: {error}."
            remedy = "Take the last step back. The mistake is Hoyle's: please send us the link of this position."
            return json.dumps({"error": {"says": says, "remedy": remedy, "trace": traceback.format_exc()}})

    return answer
