"""Characters that are invisible or change how text is shown, and text made safe to print."""

import re
from typing import Final
from unicodedata import name as called

#: Controls but for the tab and the line feed; the separators of lines and paragraphs; all that Unicode calls ignorable,
#: among it what turns the direction of the text; private characters, halves of pairs, and what is no character.
_UNSEEN: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
)
UNSEEN: Final = f"[{_UNSEEN}]"
#: The same in a file, where a line may end with CR LF.
UNSEEN_IN_A_FILE: Final = rf"{UNSEEN}(?!(?<=\r)\n)"


def named(char: str) -> str:
    """Return the code point of a character with, if Unicode has one, its name."""
    name = called(char, "")
    return f"U+{ord(char):04X}{f' ({name.lower()})' if name else ''}"


def printable(text: str) -> str:
    r"""Return text on one line, in which nothing moves the cursor, changes colours or turns the direction: such
    characters are escaped as in Python, such as ``\x1b``."""
    return re.sub(f"[{_UNSEEN}\n]", lambda found: ascii(found[0])[1:-1], text)
