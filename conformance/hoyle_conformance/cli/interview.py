"""The interview: what a scenario needs, asked for on a terminal; what is not understood is asked again, and says why.

The questions stand on standard error, so that the file can be printed. At each, ``?`` explains it.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

import click

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import (
    Draft,
    inspect_draft,
    require_ruleset,
    require_topic,
    require_unused_id,
    topics,
)
from hoyle_conformance.tools.authoring.parse import ParseError, ScenarioParser, is_card
from hoyle_conformance.tools.search.entries import EntryKind, SearchEntry, search_entries
from hoyle_conformance.tools.search.search import build_index, find
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import sanitize, sentence, wrap
from hoyle_reference.frozen import frozen

Understood = TypeVar("Understood")

_OFFERED: Final = 5
_NEAR: Final = 3
_STANDS: Final = ("before", "exchanges", "announces", "leads", "has_won")
_OF_PIQUET: Final = ("exchanges", "announces")
#: So many mistakes of a draft are shown at once.
_SHOWN: Final = 3


def somebody_is_there() -> bool:
    """Whether questions can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


@frozen
class InterviewQuestion:
    """A question: what is asked, its help, and whether nothing is an answer."""

    asks: str
    help: tuple[str, ...]
    may_be_empty: bool = False


def ask(question: InterviewQuestion, understand: Callable[[str], Understood]) -> Understood:
    """What is answered, asked for until it is understood; raises click.Abort at the end of the input."""
    while True:
        text = str(click.prompt(question.asks, default="", show_default=False, err=True)).strip()
        if text == "?":
            _tell(question.help)
        elif not text and not question.may_be_empty:
            _tell(["An answer is needed here; ? explains the question, Ctrl-C leaves without a file."])
        else:
            try:
                return understand(text)
            except ParseError as unclear:
                _tell([sentence(sanitize(str(unclear)))])


def interview(suite: Suite, says: ScenarioParser, draft: Draft, *, new_topic: bool) -> Draft:
    """A draft with all that it lacks, asked for in the order of the file."""
    _tell(["A new scenario. Enter leaves open what may be left open, ? explains a question, Ctrl-C leaves."])
    draft = draft if draft.id else replace(draft, id=_id(suite, new_topic=new_topic))
    draft = draft if draft.title else replace(draft, title=_title(suite))
    if not draft.rulesets:
        draft = replace(draft, rulesets=_rulesets(suite))
        melds = {id_: name for each in draft.rulesets for id_, name in suite.rules.meld_names(each).items()}
        says = ScenarioParser(suite.schemas, melds)
    if not set(draft.given) & set(_STANDS):
        draft = replace(draft, given={**draft.given, **_stands(suite, says, draft)})
    if not draft.steps:
        draft = _steps(suite, says, _position(suite, says, draft))
    draft = draft if draft.expect else replace(draft, expect=_expect(suite, says, draft))
    draft = draft if draft.cites or not draft.expect else replace(draft, cites=_cites(suite, draft))
    return draft if draft.why else replace(draft, why=_why())


def _id(suite: Suite, *, new_topic: bool) -> str:
    def understood(text: str) -> str:
        name = require_unused_id(suite, text)
        try:
            require_topic(suite, name)
        except ParseError as unclear:
            if not new_topic and not click.confirm(f"  {sentence(str(unclear))} Begin a new topic?", err=True):
                raise ParseError("choose another id") from unclear
        return name

    about = ("Its topic, a dot, and a name in small letters: tricks.identical-cards. It stays for ever.", "The topics:")
    return ask(InterviewQuestion("Id", (*about, *wrap(", ".join(topics(suite)), 2))), understood)


def _title(suite: Suite) -> str:
    about = ("One sentence: what is asked, or the outcome: 'The ace beats the ten'.",)
    title = ask(InterviewQuestion("Title", about), lambda text: " ".join(text.split()))
    if near := _found(suite, title, EntryKind.POSITION)[:_NEAR]:
        _tell(["Near it, if it is there already ('hoyle explain' shows it):"])
        _tell([f"  {each.id}: {each.title}" for each in near])
    return title


def _found(suite: Suite, text: str, kind: EntryKind) -> list[SearchEntry]:
    return find(build_index([each for each in search_entries(suite) if each.kind is kind]), text)


def _rulesets(suite: Suite) -> tuple[str, ...]:
    def understood(text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(require_ruleset(suite, name) for name in text.replace(",", " ").split()))

    about = ["The rulesets that answer it, with spaces between them:", *wrap(", ".join(suite.rulesets), 2)]
    more = "An option stands behind a plus, as in bezique-hoyle+brisques-at-end."
    return ask(InterviewQuestion("Rulesets", (*about, more)), understood)


def _stands(suite: Suite, says: ScenarioParser, draft: Draft) -> dict[str, Any]:
    def understood(text: str) -> dict[str, Any]:
        key, _, value = text.partition(" ")
        if key.rstrip(":") not in _STANDS:
            raise ParseError(f"'{text[:40]}' does not say where the game stands", f"Say: {choices}")
        return {key.rstrip(":"): says.value("given", key.rstrip(":"), value)}

    keys = [key for key in _STANDS if key not in _OF_PIQUET or _is_piquet(suite, draft)]
    choices = ", ".join(f"{key} {'deal' if key == 'before' else 'A'}" for key in keys)
    described = says.keys("given")
    about = tuple(f"{key}: {sentence(described[key])}" for key in keys)
    return ask(InterviewQuestion(f"Where does the game stand? ({choices})", about), understood)


def _has(suite: Suite, draft: Draft, field: str) -> bool:
    """Whether the positions of one of its games hold something."""
    return any(field == each.name for name in draft.rulesets for each in suite.rules.of(name).fields)


def _is_piquet(suite: Suite, draft: Draft) -> bool:
    """Whether the cards are exchanged with a talon in one of its games."""
    return any("talon" in suite.rules.of(name).chapters for name in draft.rulesets)


def _position(suite: Suite, says: ScenarioParser, draft: Draft) -> Draft:
    """The rest of the position, as far as it matters."""
    if "before" in draft.given:
        return draft
    if not {"trumps", "turn_up"} & set(draft.given) and _has(suite, draft, "trumps"):
        draft = replace(draft, given={**draft.given, **_trumps(says)})
    for seat in "ABCD"[: max(suite.rules.of(name).players for name in draft.rulesets)]:
        if seat not in draft.given.get("hands", {}):
            draft = _with(says, draft, InterviewQuestion(f"{seat} holds", _OF_HANDS, may_be_empty=True), "hands", seat)
    return _more(suite, says, draft)


def _trumps(says: ScenarioParser) -> dict[str, Any]:
    def understood(text: str) -> dict[str, Any]:
        key = "turn_up" if is_card(text) else "trumps"
        return {key: says.value("given", key, text)}

    about = ("C, D, H or S; 'none' as long as no suit is trumps; or the turn-up, where it matters: 9C.",)
    return ask(InterviewQuestion("Trumps", about), understood)


_OF_HANDS: Final = (
    "Cards with spaces between them: KS 9S TH 7C ... (rank, then suit; T is ten).",
    "... stands for cards that matter to nobody; QS#2 is the second queen of spades. Give every card that matters.",
)


def _with(says: ScenarioParser, draft: Draft, question: InterviewQuestion, key: str, seat: str = "") -> Draft:
    """A draft with one key of the position, or a player's part of it; unchanged where nothing is answered."""

    def understood(text: str) -> Draft:
        return _placed(draft, key, says.value("given", key, f"{seat} {text}".strip())) if text else draft

    return ask(question, understood)


def _placed(draft: Draft, key: str, value: Any) -> Draft:
    """A draft with this said of its position; of a player who was not named, what was said stays."""
    before = draft.given.get(key)
    joined = {**before, **value} if isinstance(before, Mapping) and isinstance(value, Mapping) else value
    return replace(draft, given={**draft.given, key: joined})


def _more(suite: Suite, says: ScenarioParser, draft: Draft) -> Draft:
    """What else there is to say of the position, line by line, until nothing is said."""
    keys = says.keys("given")
    about = (
        "Such as: score A 980 B 400. What can be said:",
        *(f"  {key}: {sentence(text)}" for key, text in keys.items()),
    )
    while True:

        def understood(text: str, draft: Draft = draft) -> Draft | None:
            return _changed(suite, says, draft, text) if text else None

        said = ask(InterviewQuestion("More of the position", about, may_be_empty=True), understood)
        if said is None:
            return draft
        draft = said


def _changed(suite: Suite, says: ScenarioParser, draft: Draft, text: str) -> Draft:
    """A draft with a line said of its position; raises Unclear, also where the position cannot be."""
    key, _, value = text.partition(" ")
    changed = _placed(draft, key.rstrip(":="), says.value("given", key.rstrip(":="), value))
    return _sound(suite, changed) if changed.steps else changed


def _sound(suite: Suite, draft: Draft) -> Draft:
    """The draft, if nothing is wrong with it so far; raises Unclear."""
    faults = inspect_draft(suite, draft).faults
    if faults:
        raise ParseError(". ".join(each.message for each in faults[:_SHOWN]), str(faults[0].remedy))
    return draft


def _steps(suite: Suite, says: ScenarioParser, draft: Draft) -> Draft:
    """The steps, one after another, until nothing is said; each is tried in its place, and said again in words."""
    kinds = tuple(f"  {says.usage(word)}: {sentence(says.about(word))}" for word in says.kinds)
    change = "The position is still open: 'given hands B 9S ...' changes it."
    while True:

        def understood(text: str, draft: Draft = draft) -> Draft | None:
            if text.startswith("given "):
                return _changed(suite, says, draft, text.removeprefix("given ").strip())
            if text:
                return _sound(suite, replace(draft, steps=(*draft.steps, says.step(text))))
            return None

        number = len(draft.steps) + 1
        question = InterviewQuestion(
            f"Step {number}", ("An act or a question:", *kinds, change), may_be_empty=number > 1
        )
        said = ask(question, understood)
        if said is None:
            return draft
        if len(said.steps) == number:
            _tell([_in_words(suite, said, number)])
        draft = said


def _in_words(suite: Suite, draft: Draft, number: int) -> str:
    return f"{number}. {sentence(words.step(draft.steps[number - 1], suite.rules.meld_names(draft.rulesets[0])))}"


def _expect(suite: Suite, says: ScenarioParser, draft: Draft) -> dict[str, dict[int, dict[str, Any]]]:
    """What each step shows, as far as it is said."""
    _tell(
        ["What does the source say that they show? Derive it by reading; of what you leave open nothing is filled in."]
    )
    found: dict[str, dict[int, dict[str, Any]]] = {}
    keys = [f"  {key}: {sentence(text)}" for key, text in says.keys("expectation").items()]
    about = ("Such as: scores A 40; trick_won_by A. Enter where there is nothing to say. What can be said:", *keys)
    more = ("Where one ruleset differs, say its name before it: bezique-hoyle: refused card-not-held",)
    for number, step in enumerate(draft.steps, start=1):

        def understood(text: str, step: Mapping[str, Any] = step) -> tuple[str, dict[str, Any]] | None:
            before, colon, behind = text.partition(":")
            ruleset = before if colon and before in draft.rulesets else ""
            return (ruleset, says.expectation(behind if ruleset else text, step)) if text else None

        _tell([_in_words(suite, draft, number)])
        said = ask(InterviewQuestion("  Shows", (*about, *more), may_be_empty=True), understood)
        while said:
            found.setdefault(said[0], {}).setdefault(number, {}).update(said[1])
            said = (
                None
                if len(draft.rulesets) == 1
                else ask(InterviewQuestion("  And", more, may_be_empty=True), understood)
            )
    return found


def _cites(suite: Suite, draft: Draft) -> tuple[str, ...]:
    """The clauses that decide it: their ids, or the numbers of those that were found by words."""
    cited: list[str] = []
    offered: list[str] = []

    def understood(text: str) -> Sequence[str]:
        if text.isdecimal() and 1 <= int(text) <= len(offered):
            return [offered[int(text) - 1]]
        if not text or all(word in suite.clauses for word in text.split()):
            return text.split()
        found = [each for each in _found(suite, text, EntryKind.CLAUSE) if _is_of(suite, draft, each)][:_OFFERED]
        offered[:] = [each.id for each in found]
        for number, each in enumerate(found, start=1):
            _tell([f"{number} {each.id}", *wrap(each.title, 4)])
        raise ParseError("take one by its number, or look for other words" if found else "no clause has these words")

    about = ("The id of a clause, or words to look for: 'who wins the trick'. A number takes one that was found.",)
    while True:
        asks = f"Clauses that decide it{f' (and {cited[-1]})' if cited else ''}"
        said = ask(InterviewQuestion(asks, about, may_be_empty=True), understood)
        if not said:
            return tuple(dict.fromkeys(cited))
        cited += said


def _is_of(suite: Suite, draft: Draft, clause: SearchEntry) -> bool:
    own = {source for name in draft.rulesets for source in suite.rulesets[name.partition("+")[0]].sources}
    return clause.id.partition("/")[0] in own


def _why() -> str:
    about = ("How the outcome follows from the clauses, where that takes a thought. Mostly it needs none.",)
    return ask(InterviewQuestion("Why", about, may_be_empty=True), lambda text: " ".join(text.split()))


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(f"  {line}", err=True)
