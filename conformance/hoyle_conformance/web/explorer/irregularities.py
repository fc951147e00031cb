"""The irregularities of these rules, each as a step by which it is stated and ruled on."""

from collections.abc import Iterator, Mapping
from typing import Any

from hoyle_conformance.web.explorer.forms import Vocabulary, fields, irregularities
from hoyle_conformance.wording.rulings import plain
from hoyle_conformance.wording.text import sentence
from hoyle_reference import Irregularity, Rules

Stated = dict[str, Any]


def irregular(vocabulary: Vocabulary) -> list[Stated]:
    """Every irregularity that any of these rules speaks of; an act that is one is done, and may then be claimed. Those
    that lie beyond the cards on the table, and of which the ruling can only be asked, come last."""
    every = [stated for word in irregularities(vocabulary) for stated in _stated(vocabulary, word)]
    return sorted(every, key=lambda stated: "ask" in stated)


def _stated(vocabulary: Vocabulary, word: str) -> Iterator[Stated]:
    row, title = spoken_of(vocabulary, word)
    if row.breaks:
        yield _entry(vocabulary, word, title, {"do": broken_by(row), "irregular": word, **_count(row)})
        if row.until != "at-once":
            claimed = _entry(vocabulary, word, title, {"do": "claim", "irregularity": word})
            yield {**claimed, "short": f"Claim: {plain(word)}"}
    elif row.finds:
        yield _entry(vocabulary, word, title, {"do": "claim", "irregularity": word})
    elif row.beyond_play:
        yield _entry(vocabulary, word, title, {"ask": "ruling", "irregularity": word})
    else:
        yield _entry(vocabulary, word, title, {"do": "mishap", "irregularity": word})


def spoken_of(vocabulary: Vocabulary, word: str) -> tuple[Irregularity, str]:
    """Return the row and the title of an irregularity in the first of these rules that has it."""
    rules = next(each for each in vocabulary.rules if _speaks(each, word))
    row = rules.referee.rows[word]
    return row, str(rules.cells[row.grounds[0]].value["title"])


def _speaks(rules: Rules, word: str) -> bool:
    return "referee" in rules.chapters and word in rules.referee.rows


def broken_by(row: Irregularity) -> str:
    """Return the kind of act by which an irregularity arises: drawing, playing or declaring; "" if it is no act."""
    if not row.breaks:
        return ""
    if row.by_drawing:
        return "draw"
    return row.by_act or ("declare" if "not-a-combination" in row.breaks else "play")


def _count(row: Irregularity) -> dict[str, int]:
    """Of how many cards it is, where it is one by drawing so many and no other number."""
    if "too-few-drawn" in row.breaks:
        return {"count": 0}
    return {"count": row.at_least} if row.at_least == row.at_most else {}


def _entry(vocabulary: Vocabulary, word: str, title: str, step: Mapping[str, str | int]) -> Stated:
    tag = "do" if "do" in step else "ask"
    made = fields(vocabulary, vocabulary.shape(tag, str(step[tag])), step)
    short = sentence(plain(word)).removesuffix(".")
    return {
        "irregular": word,
        tag: step[tag],
        "short": short,
        "says": sentence(title),
        "step": dict(step),
        "fields": made,
    }
