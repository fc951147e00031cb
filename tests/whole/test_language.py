"""The English of everything that a user reads: words and openings that are out, and the length of a sentence."""

import re
from dataclasses import replace

import pytest

from whole.user_text import Sentence, every_sentence

pytestmark = pytest.mark.whole

#: The most words in a sentence, code not counted. In the semantics and the ledgers a sentence may list conditions or
#: scores: there the parts between semicolons and colons count.
LONGEST = 35
LISTS = ("spec/SEMANTICS", "spec/sources/")
#: Words that are out, as patterns, and what to write for them.
OUT = {
    r"\b(held|holds?|holding) (\w+ )?against\b": "run against, check",
    r"\b(put|puts|putting) to (an?|the|your|it|each|that)( \w+)? (engine|adapter)": "sent to",
    r"\b(asks?|asked) of (an?|the|your|each|that) (engine|adapter)": "sent to",
    r"\b(is|are|was|were|be|been) told\b": "is reported, is shown, says",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\b(lay|lays|laid|laying) out\b": "set up",
    r"\b(fall|falls|fell|falling) away\b": "is removed",
    r"\b(come|comes|came|coming) upon\b": "find",
    r"\bas the protocol has it\b": "valid",
    r"\b(says?|said) (it )?of (itself|themselves)\b": "claims, reports",
    r"\bbeside\b": "with, also",
    r"\bdeparts? from\b": "differs from",
    r"\b(held|holds?) to be\b": "taken to be",
    r"\b(whereof|thereof|wherein|whereby|thereby|hereof|therein)\b": "of it, by it",
    r"\bno more than that\b|\bnothing else but\b": "only",
    r"\bis (one|none) any more\b": "no longer",
    r"\bturned as\b|\bas against the file\b": "relabelled",
    r"\bis it that\b|\bthat is so\b": "a sentence with a subject of its own",
}
#: Openings of sentences that are out, unless the sentence is a question.
OPENINGS = (
    r"(What|Whoever|Whose|Whatever|That is so|So it is|Nobody who)\b",
    r"Of (which|these|those|what)\b.*\bnone\b",
    r"Where \w+ (is|has|are) nothing\b",
)


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    return list(every_sentence())


def test_no_sentence_is_too_long(sentences: list[Sentence]) -> None:
    assert [f"{longest_part(each)} words: {each}" for each in sentences if longest_part(each) > LONGEST] == []


def longest_part(sentence: Sentence) -> int:
    """Return the number of words of a sentence, or of the longest part of a list."""
    parts = re.split("[;:] ", sentence.text) if sentence.file.startswith(LISTS) else [sentence.text]
    return max(len(replace(sentence, text=part).words) for part in parts)


@pytest.mark.parametrize("pattern", OUT)
def test_no_word_is_used_for_a_term(sentences: list[Sentence], pattern: str) -> None:
    found = re.compile(pattern, re.IGNORECASE)
    matching = [str(each) for each in sentences if found.search(re.sub(r"`[^`]*`", "", each.text))]
    assert matching == [], f"write: {OUT[pattern]}"


def test_a_sentence_opens_with_its_subject(sentences: list[Sentence]) -> None:
    statements = [each for each in sentences if each.text.endswith((".", ":", ".)"))]
    assert [str(each) for each in statements if any(re.match(out, each.text) for out in OPENINGS)] == []


def test_every_kind_of_text_is_read(sentences: list[Sentence]) -> None:
    kinds = {each.file.rpartition(".")[2] for each in sentences}
    assert kinds >= {"md", "json", "yaml", "py", "jinja", "js", "html"}
    assert {each.file.split("/")[0] for each in sentences} >= {"docs", "spec", "conformance", "README.md"}
