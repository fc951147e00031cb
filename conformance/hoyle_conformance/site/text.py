"""The boundary of words and pages: whatever a spec says in words is shown as it is written, and is never markup."""

import re
from typing import Final

#: What Markdown, its extensions or HTML could take for markup; and, at an end of a line, for a list or a heading.
_MARKUP: Final = re.compile(r"[&<>\"'\\`*_{}\[\]|]|^[#+\-=~:!]|^\d(?=\d*[.)](?:\s|$))|#$")
#: Characters that nobody sees, and that Markdown itself makes use of.
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_NOT_SHOWN: Final = "\N{REPLACEMENT CHARACTER}"
#: A name that needs no more than backticks around it to be set as code.
_PLAIN: Final = re.compile(r"[\w./+:@-]+")
_CODE: Final = re.compile(r"(`[^`]+`)")


def text(words: str) -> str:
    """Words as Markdown and HTML alike show them, in a sentence, a table, a heading, a link or an attribute."""
    line = " ".join(_CONTROLS.sub(_NOT_SHOWN, words).split())
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", line)


def code(name: str) -> str:
    """A name, set as code, as Markdown shows it."""
    return f"`{name}`" if _PLAIN.fullmatch(name) else f"<code>{text(name)}</code>"


def prose(words: str) -> str:
    """The words of a schema, in which names stand between backticks."""
    if "`" not in words:
        return text(words)
    parts = _CODE.split(" ".join(words.split()))
    shown = (code(part[1:-1]) if place % 2 else _spaced(part) for place, part in enumerate(parts))
    return "".join(shown)


def _spaced(part: str) -> str:
    """A part of a sentence, with the spaces around it."""
    before, after = " " * part.startswith(" "), " " * (part.endswith(" ") and bool(part.strip()))
    return f"{before}{text(part)}{after}"
