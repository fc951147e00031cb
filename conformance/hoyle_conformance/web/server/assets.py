"""Assets: the styles and scripts of pages, beside the package in a checkout, within it where it is installed."""

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).resolve().parent
#: Where a wheel brings them, and where they lie in a checkout.
_PLACES: Final = (_HERE / "assets", _HERE.parents[3] / "docs" / "assets")
#: What is served beside pages, by its ending, with its type.
KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json; charset=utf-8",
}


def asset(name: str) -> tuple[bytes, str] | None:
    """A style, a script or a drawing by its name, with its type; nothing where there is none of that name."""
    kind = KINDS.get(Path(name).suffix)
    if kind is None or Path(name).name != name:
        return None
    path = next((folder / name for folder in _PLACES if (folder / name).is_file()), None)
    return (path.read_bytes(), kind) if path else None
