"""A ledger to begin with: an entry for every sentence of a text, which points to it and does not hold it."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.read import LARGEST
from hoyle_conformance.suite.lint.ledger import STUB, UNWRITTEN
from hoyle_conformance.tools.authoring.texts.sections import TextSection, UniqueNames
from hoyle_conformance.tools.authoring.texts.sentences import TextSentence
from hoyle_reference.frozen import frozen

#: So much of a sentence is shown, so that it is found: never more than half of its words.
_MOST_WORDS: Final = 4
_LONGEST_OPENING: Final = 40  # characters
_LONGEST_SLUG: Final = 40  # characters
#: What YAML takes for text as it stands, between a key and the end of the line.
_PLAIN: Final = re.compile(r"[^\W\d_](?:[\w ,.()/'-]*[\w)])?")
_NOT_TEXT: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_HEAD: Final = """\
# yaml-language-server: $schema=../schemas/source.schema.json
#
# A ledger to be written: it points into the text, and holds none of its sentences. In each entry write
#   - in place of {todo}, what the sentence says, in your own words;
#   - its kind: rule, definition, example, option, advice or procedure;
#   - in place of todo-1, todo-2 and so on, an id that names the statement: it stays for ever.
# A sentence with several statements gets several entries; take out that of one which says nothing of the game.
# 'hoyle validate' with the name of this file says what is left."""


#: What a ledger says of the text it is made from.
PROVENANCE: Final = ("author", "title", "edition", "year", "publisher", "rights", "found_in")


@frozen
class NewSource:
    """What is known of a source before it is read: its id, its title (nothing where it is not given), and the ids of
    the printings, where several were read."""

    id: str
    title: str = ""
    printings: tuple[str, ...] = ()


def ledger(source: NewSource, sections: Sequence[TextSection]) -> str:
    """The ledger of a text to begin with, as YAML. It is sound but for what is not written yet."""
    return "\n".join([*_head(source, sections), *_clauses(source.id, sections)]) + "\n"


def ledger_within_limits(source: NewSource, sections: Sequence[TextSection], file: str) -> str:
    """The ledger likewise; raises Invalid, with the name of the text's `file`, where the text has no paragraph, or has
    more than a ledger can hold."""
    if not any(section.paragraphs for section in sections):
        message = "no paragraph was found in this text"
        raise Invalid([Diagnostic(file, 1, 1, "no-paragraphs", message, "Name the file that holds the text itself.")])
    written = ledger(source, sections)
    if (size := len(written.encode())) > LARGEST:
        message = f"a ledger of this text would be too large ({size:,} bytes)"
        remedy = f"Files may have up to {LARGEST:,} bytes: put the chapters about one game into a file of their own."
        raise Invalid([Diagnostic(file, 1, 1, "too-large", message, remedy)])
    return written


def _head(source: NewSource, sections: Sequence[TextSection]) -> Iterator[str]:
    yield _HEAD.format(todo=UNWRITTEN)
    yield f"id: {_written(source.id)}"
    yield f"title: {_written(source.title or UNWRITTEN)}"
    yield f"about: {UNWRITTEN}  # what kind of text it is, in which form it was read, how paragraphs are counted"
    yield "provenance:  # 'not stated' where neither the text nor a library catalogue tells"
    yield from (f"  {word}: {UNWRITTEN}" for word in PROVENANCE)
    if source.printings:
        yield "printings:  # the first is the one that this ledger is made from"
    for printing in source.printings:
        yield f"  - id: {_written(printing)}"
        yield f"    title: {UNWRITTEN}  # what a reader would call it"
        yield f"    about: {UNWRITTEN}  # how it differs from the others"
    yield "covers:"
    yield from (f"  - {_written(section.name)}" for section in sections if section.paragraphs)
    yield "complete: false  # true when every statement of these parts is here"
    yield ""
    yield "clauses:"


def _clauses(source: str, sections: Sequence[TextSection]) -> Iterator[str]:
    slugs = UniqueNames("{name}-{number}")
    for section in sections:
        line = f", line {section.line} of the text" if section.line else ""
        yield f"  # ---- {section.name}{line}"
        slug = slugs.one(_slug(section.name))
        sentences = [(each.where, sentence) for each in section.paragraphs for sentence in each.sentences]
        for number, (where, sentence) in enumerate(sentences, start=1):
            yield f"  - id: {source}/{slug}/{STUB}{number}"
            yield f"    where: {_written(where)}"
            yield "    kind: rule"
            yield f"    says: {UNWRITTEN}  # line {sentence.line}: {_opening(sentence)} …"
            yield ""


def _opening(sentence: TextSentence) -> str:
    """The first words of a sentence."""
    most = min(_MOST_WORDS, max(1, len(sentence.words) // 2))
    return " ".join(sentence.words[:most])[:_LONGEST_OPENING]


def _slug(name: str) -> str:
    """A section's name as part of an id."""
    letters = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    words = re.findall("[a-z0-9]+", letters.replace("'", ""))
    return "-".join(words)[:_LONGEST_SLUG].strip("-") or "section"


def _written(text: str) -> str:
    """Text as YAML has it behind a key."""
    if _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT:
        return text
    return json.dumps(text, ensure_ascii=False)
