"""The notation of `hoyle explain` for acts and observations: each has a sentence, and a sentence is read back.

The sentences are those of `wording.words`, but that all cards stand in the order given, and a deck is whole.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.files.card_notation import card_meant
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.json_lines import LineFault
from hoyle_conformance.wording import calls, rulings, words
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.text import join_and, sentence
from hoyle_reference.frozen import frozen
from hoyle_reference.table.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS

_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SEAT: Final = "([ABCD])"
_IRREGULAR: Final = re.compile(r"(.*), which is irregular \(([^()]+)\)")
_CHOICES: Final = MappingProxyType({text: word for word, text in {**rulings.REMEDIES, **calls.CHOICES}.items()})
_ANSWERS: Final = MappingProxyType({text: word for word, text in calls.ANSWERS.items()})
_SETS: Final = MappingProxyType({"trio": 3, "quatorze": 4})
_SEE: Final = "docs/transcripts.md shows the sentences. A line may also be a JSON object."

Act = Mapping[str, Any]


@frozen
class MeldNames:
    """The names of combinations: by the ruleset that calls them so, and of all rulesets together."""

    of_rulesets: Mapping[str, Mapping[str, str]]
    ruleset: str = ""

    @classmethod
    def of(cls, suite: Suite, ruleset: str = "") -> "MeldNames":
        """Return the names that the rulesets of a suite have; those of `ruleset` are meant where several fit."""
        return cls({name: suite.rules.meld_names(name) for name in suite.rulesets}, ruleset)

    def under(self, ruleset: str) -> "MeldNames":
        """Return the same names, where those of another ruleset are meant."""
        return MeldNames(self.of_rulesets, ruleset or self.ruleset)

    def read(self, text: str) -> str:
        """Return the id of a combination that is named; raises LineFault if there is none, or there are several."""
        own = {name.lower(): id_ for id_, name in self._own.items()}
        if text.lower() in own:
            return own[text.lower()]
        every = [(id_, name) for names in self.of_rulesets.values() for id_, name in names.items()]
        found = {id_ for id_, name in every if text.lower() == name.lower()} or {id_ for id_, _ in every if text == id_}
        if len(found) == 1:
            return found.pop()
        if not found and _ID.fullmatch(text):
            return text
        several = f"'{text}' may be {join_and(sorted(found), 'or')}" if found else f"no combination is called '{text}'"
        raise LineFault("notation", several, "Write its id, such as four-aces.")

    def write(self, id_: str) -> str:
        """Return the name of a combination if it is read as the same, or else its id."""
        name = self._own.get(id_, id_)
        return name if ":" not in name and self.read(name) == id_ else id_

    @property
    def _own(self) -> Mapping[str, str]:
        return self.of_rulesets.get(self.ruleset.partition("+")[0], {})


# ---- acts


def write_act(act: Act, melds: MeldNames) -> str:
    """Return an act as a phrase; empty if the notation has none for it."""
    names = {act["meld"]: melds.write(act["meld"])} if "meld" in act else {}
    said = _WRITE[act["do"]](act.get("by", ""), act, names) + rulings.irregular_note(act)
    try:
        return said if read_act(said, melds) == act else ""
    except LineFault:
        return ""


def read_act(said: str, melds: MeldNames) -> dict[str, Any]:
    """Return the act that a phrase says; raises LineFault if it says none."""
    irregular = _IRREGULAR.fullmatch(said)
    text = irregular[1] if irregular else said
    for pattern, read in _READ:
        if found := re.fullmatch(pattern, text):
            act = read(found, melds)
            return {**act, "irregular": _hyphens(irregular[2])} if irregular else act
    raise LineFault("notation", f"no act is written like this: '{said[:80]}'", _SEE)


def _hyphens(text: str) -> str:
    return text.replace(" ", "-")


def _cards(text: str) -> list[str]:
    """Return the cards in a row; raises LineFault if something is no card."""
    return [] if text == "nothing" else [_card(each) for each in text.split()]


def _card(text: str) -> str:
    card = card_meant(text)
    if not card:
        raise LineFault("card", f"'{text[:20]}' is no card", "Write K♠ or KS, and the second of its kind K♠² or KS#2.")
    return card


def _suit(text: str) -> str:
    return SUITS[SUIT_NAMES.index(text.lower())]


def _write_announcement(said: Mapping[str, Any]) -> str:
    number = {"class": said["class"], "count": said["count"]} if "count" in said else None
    about = {key: value for key, value in said.items() if key in {"class", "value", "top"}}
    if number and len(about) > 1:
        return f"{calls.announcement(number)}, {calls.announcement(about)}"
    return calls.announcement(said)


def _read_announcement(text: str) -> dict[str, Any]:
    """Return what an announcement says; raises LineFault if it says nothing that is known."""
    said: dict[str, Any] = {}
    for part in text.split(", "):
        for pattern, read in _ANNOUNCED:
            if found := re.fullmatch(pattern, part):
                said = {**read(found), **said} if "class" not in said else {**said, **read(found), **said}
                break
        else:
            raise LineFault("notation", f"no announcement is written like this: '{text[:80]}'", _SEE)
    return {key: said[key] for key in ("class", "count", "value", "top", "rank") if key in said}


_RANK: Final = "|".join(RANK_NAMES)
_ANNOUNCED: Final[Sequence[tuple[str, Callable[[re.Match[str]], dict[str, Any]]]]] = (
    ("a (?:carte blanche|blank)", lambda _f: {"class": "blank"}),
    ("no (point|sequence|set)", lambda f: {"class": f[1], "count": 0}),
    (r"a (point|sequence|set) of (\d{1,2})", lambda f: {"class": f[1], "count": int(f[2])}),
    (r"a value of (\d{1,4})", lambda f: {"class": "point", "value": int(f[1])}),
    (rf"the ({_RANK}) on top", lambda f: {"class": "sequence", "top": RANKS[RANK_NAMES.index(f[1])]}),
    ("a void suit", lambda _f: {"class": "sequence", "top": "nought"}),
    (
        rf"a (trio|quatorze) of ({_RANK})s",
        lambda f: {"class": "set", "count": _SETS[f[1]], "rank": RANKS[RANK_NAMES.index(f[2])]},
    ),
)


def _deck(act: Act) -> str:
    return f", the pack from the top: {printed.cards(act['deck'])}" if "deck" in act else ""


def _read_deal(found: re.Match[str]) -> dict[str, Any]:
    act: dict[str, Any] = {"by": found[1], "do": "deal"}
    if found[3]:
        act["deck"] = _cards(found[3])
    return {**act, "packets": int(found[2])} if found[2] else act


def _read_cut(found: re.Match[str]) -> dict[str, Any]:
    cards = re.findall(r"[ABCD] cuts (\S+?)(?=,|\s|$)", found[0])
    return {"do": "cut", "cards": [_card(each) for each in cards]}


def _read_choice(found: re.Match[str]) -> dict[str, Any]:
    act = {"by": found[1], "do": "choose", "choice": _CHOICES.get(found[2], found[2])}
    return {**act, "cards": _cards(found[3])} if found[3] else act


def _read_draw(found: re.Match[str]) -> dict[str, Any]:
    count = {"count": 0 if found[2] == " no card" else int(found[3])} if found[2] else {}
    return {"by": found[1], "do": "draw", **count}


def _read_mishap(found: re.Match[str]) -> dict[str, Any]:
    act = {"by": found[1], "do": "mishap", "irregularity": _hyphens(found[2])}
    return {**act, "cards": _cards(found[3])} if found[3] else act


#: The phrases that `words` has for acts; but a deck is whole, cards stand in their order, and all of a call is said.
_WRITE: Final[Mapping[str, words.Phrase]] = MappingProxyType(
    {
        **words.ACT_PHRASES,
        "deal": lambda by, act, _n: f"{by} deals{calls.packets(act)}{_deck(act)}",
        "discard": lambda by, act, _n: f"{by} exchanges {printed.cards(act['cards'])}",
        "announce": lambda by, act, _n: f"{by} announces {_write_announcement(act)}",
    }
)

#: The phrases of acts, the more special ones first.
_READ: Final[Sequence[tuple[str, Callable[[re.Match[str], MeldNames], dict[str, Any]]]]] = (
    (r"[ABCD] cuts .+", lambda f, _m: _read_cut(f)),
    (rf"{_SEAT} chooses ([^:]+)(?:: (.+))?", lambda f, _m: _read_choice(f)),
    (rf"{_SEAT} deals(?: in packets of (\d))?(?:, the pack from the top: (.+))?", lambda f, _m: _read_deal(f)),
    (rf"{_SEAT} plays (.+)", lambda f, _m: {"by": f[1], "do": "play", "card": _card(f[2])}),
    (rf"{_SEAT} leads to a trick: (.+)", lambda f, _m: {"by": f[1], "do": "trick", "cards": _cards(f[2])}),
    (
        rf"{_SEAT} declares ([^:]+), a void suit",
        lambda f, m: {"by": f[1], "do": "declare", "meld": m.read(f[2]), "cards": []},
    ),
    (
        rf"{_SEAT} declares ([^:]+): (.+)",
        lambda f, m: {"by": f[1], "do": "declare", "meld": m.read(f[2]), "cards": _cards(f[3])},
    ),
    (
        rf"{_SEAT} keeps ([^:]+) to score: (.+)",
        lambda f, m: {"by": f[1], "do": "hold", "meld": m.read(f[2]), "cards": _cards(f[3])},
    ),
    (
        rf"{_SEAT} exchanges (\S+) for the turn-up",
        lambda f, _m: {"by": f[1], "do": "exchange", "card": _card(f[2])},
    ),
    (rf"{_SEAT} exchanges (.+)", lambda f, _m: {"by": f[1], "do": "discard", "cards": _cards(f[2])}),
    (rf"{_SEAT} shows the (?:carte blanche|blank)", lambda f, _m: {"by": f[1], "do": "prove"}),
    (rf"{_SEAT} shows carte blanche", lambda f, _m: {"by": f[1], "do": "carte-blanche"}),
    (rf"{_SEAT} shows (.+)", lambda f, _m: {"by": f[1], "do": "show", "card": _card(f[2])}),
    (rf"{_SEAT} draws( no card| (\d) cards)?", lambda f, _m: _read_draw(f)),
    (rf"[Ee]veryone draws, {_SEAT} first", lambda f, _m: {"by": f[1], "do": "draw-all"}),
    (
        rf"{_SEAT} names ({'|'.join(SUIT_NAMES)}) and looks at the cards left",
        lambda f, _m: {"by": f[1], "do": "peep", "suit": _suit(f[2])},
    ),
    (rf"{_SEAT} looks at the cards left", lambda f, _m: {"by": f[1], "do": "peep"}),
    (rf"{_SEAT} announces (.+)", lambda f, _m: {"by": f[1], "do": "announce", **_read_announcement(f[2])}),
    (rf"{_SEAT} says: (.+)", lambda f, _m: {"by": f[1], "do": "answer", "says": _ANSWERS.get(f[2], f[2])}),
    (rf"{_SEAT} claims: (.+)", lambda f, _m: {"by": f[1], "do": "claim", "irregularity": _hyphens(f[2])}),
    (rf"[Aa]n irregularity by {_SEAT}: ([^:]+)(?:: (.+))?", lambda f, _m: _read_mishap(f)),
)


# ---- observations


def write_facts(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the sentences for what was observed after an act."""
    for key, value in facts.items():
        yield sentence(_NOTHING[key] if value is None else _SAY[key](value))


def read_fact(said: str) -> tuple[str, Any] | None:
    """Return the key and the value that a phrase says was observed; None if it says nothing of the kind."""
    for key, nothing in _NOTHING.items():
        if said.lower() == nothing.lower():
            return key, None
    for key, pattern, read in _HEAR:
        if found := re.fullmatch(pattern, said):
            return key, read(found)
    return None


def _points(value: str) -> int:
    return int(value.replace(",", ""))


def _of_each(pattern: str, said: str) -> dict[str, int]:
    return {seat: _points(points) for seat, points in re.findall(pattern, said)}


def _piles(piles: Mapping[str, Sequence[str]], before: str, after: str = "") -> str:
    return "; ".join(f"{seat} {before} {printed.cards(pile)}{after}" for seat, pile in piles.items())


def _read_piles(said: str, before: str, after: str = "") -> dict[str, list[str]]:
    pile = re.compile(rf"{_SEAT} {before} (.+){after}")
    found = (pile.fullmatch(each) for each in said.split("; "))
    return {each[1]: _cards(each[2]) for each in found if each}


def _settled(value: Mapping[str, Any]) -> str:
    points = "no" if value["points"] is None else f"{value['points']:,}"
    return f"settled: {value['winner'] or 'nobody'}, {points} points"


def _read_settled(found: re.Match[str]) -> dict[str, Any]:
    winner = None if found[1] == "nobody" else found[1]
    return {"winner": winner, "points": None if found[2] == "no" else _points(found[2])}


def _in_words(key: str, value: Any) -> str:
    return words.value(key, value, {})


def _joined(phrases: Iterable[str], otherwise: str) -> str:
    return join_and(list(phrases)) or otherwise


_NUMBER: Final = r"-?\d{1,3}(?:,?\d{3})*"
#: The observables whose sentences are those of `words`; the first group may have no value.
_MAY_BE_NONE: Final = ("trick_won_by", "dealer", "trumps", "turn_up", "game_won_by")
_IN_WORDS: Final = (*_MAY_BE_NONE, "turn", "stock_left")
_NOTHING: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{key: words.value(key, None, {}) for key in _MAY_BE_NONE},
        "settled": "the game is not settled",
    }
)
_SAY: Final[Mapping[str, Callable[[Any], str]]] = MappingProxyType(
    {
        **{key: partial(_in_words, key) for key in _IN_WORDS},
        "accepted": lambda value: f"the engine {'accepts' if value else 'refuses'} it",
        "scored": lambda value: _joined((f"{seat} scores {count:,}" for seat, count in value.items()), "nobody scores"),
        "drew": lambda value: f"drawn: {printed.cards(value)}",
        "stock": lambda value: f"stock, from the top: {printed.cards(value)}",
        "score": lambda value: _joined((f"{seat} stands at {count:,}" for seat, count in value.items()), "no score"),
        "hands": lambda value: _piles(value, "holds") or "no hands",
        "shown": lambda value: _piles(value, "has", " on the table") or "nothing on the table",
        "settled": _settled,
    }
)
_HEAR: Final[Sequence[tuple[str, str, Callable[[re.Match[str]], Any]]]] = (
    ("accepted", "[Tt]he engine (accepts|refuses) it", lambda f: f[1] == "accepts"),
    ("scored", "[Nn]obody scores", lambda _f: {}),
    (
        "scored",
        rf"(?:[ABCD] scores {_NUMBER}(?:, | and )?)+",
        lambda f: _of_each(rf"{_SEAT} scores ({_NUMBER})", f[0]),
    ),
    ("scored", rf"{_SEAT} scores ({_NUMBER}) for .+", lambda f: {f[1]: _points(f[2])}),
    ("drew", "[Dd]rawn: (.+)", lambda f: _cards(f[1])),
    ("stock", "[Ss]tock, from the top: (.+)", lambda f: _cards(f[1])),
    ("stock", "[Tt]he stock is gone", lambda _f: []),
    ("trick_won_by", f"{_SEAT} wins the trick(?: .+)?", lambda f: f[1]),
    ("score", "[Nn]o score", lambda _f: {}),
    (
        "score",
        rf"(?:[ABCD] stands at {_NUMBER}(?:, | and )?)+",
        lambda f: _of_each(rf"{_SEAT} stands at ({_NUMBER})", f[0]),
    ),
    (
        "score",
        rf"Score: (?:[ABCD] {_NUMBER}(?:, | and )?)+",
        lambda f: _of_each(rf"{_SEAT} ({_NUMBER})", f[0]),
    ),
    ("turn", f"[Ii]t is the turn of {_SEAT}", lambda f: f[1]),
    ("dealer", f"{_SEAT} is the dealer", lambda f: f[1]),
    ("dealer", f"Dealer: {_SEAT}", lambda f: f[1]),
    ("trumps", rf"({'|'.join(SUIT_NAMES)}) are trumps", lambda f: _suit(f[1])),
    ("trumps", rf"({'|'.join(name.capitalize() for name in SUIT_NAMES)}) are trumps", lambda f: _suit(f[1])),
    ("turn_up", r"[Tt]he turn-up is (\S+)", lambda f: _card(f[1])),
    ("hands", "[Nn]o hands", lambda _f: {}),
    ("hands", r"[ABCD] holds .+", lambda f: _read_piles(f[0], "holds")),
    ("shown", "[Nn]othing on the table", lambda _f: {}),
    ("shown", r"[ABCD] has .+ on the table", lambda f: _read_piles(f[0], "has", " on the table")),
    ("stock_left", r"(\d{1,7}) cards? (?:are|is) left in the stock", lambda f: int(f[1])),
    ("game_won_by", f"{_SEAT} has won the game", lambda f: f[1]),
    ("settled", rf"[Ss]ettled: ([ABCD]|nobody), ({_NUMBER}|no) points", _read_settled),
)
