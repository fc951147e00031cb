"""The words that may be claimed, and what kinds of engine claim, with the number of checks that each is asked."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.store import cache_key_of
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.preludes.store import outlined
from hoyle_conformance.checks.request import Adapted, Claims
from hoyle_conformance.checks.rewrites import adapt
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import plural

#: What the engines claim that need not name it.
ALL_IT_DOES: Final = "everything it can do"
#: The kind of what is kept.
_KEPT: Final = "engines"
#: What few engines have; all that the others do is counted without.
_SELDOM: Final = "irregularities"


@dataclass(frozen=True, slots=True)
class EngineKind:
    """A kind of engine: what it has, what it claims for that (none: all it does), and how it gets into a position."""

    has: str
    claims: tuple[str, ...] = ()
    position: str = "none"


#: Who has little first. A table in the protocol is made of them, so that an engine's author finds their own.
KINDS: Final = (
    EngineKind("a function: who wins a trick", ("winner",)),
    EngineKind("a function: which cards may be played", ("playable",)),
    EngineKind("a function: what a combination scores", ("worth",)),
    EngineKind("functions: combinations of a hand", ("worth", "worth-of-cards", "declarable-from-hand")),
    EngineKind("functions: what two hands score at Piquet", ("piquet-declarations",)),
    EngineKind("functions: who calls best at Piquet", ("piquet-declarations", "class-winner-by-calls")),
    EngineKind("a function: how many points a game is settled for", ("settlement",)),
    EngineKind("score keeping that never refuses an act", ("worth", "declare", "score"), "any"),
    EngineKind("a whole game, starting with a given pack", position="deal"),
    EngineKind("a whole game, starting with given hands", position="from-deal"),
    EngineKind("a whole game, starting in any position", position="any"),
)


def meanings(schemas: Schemas) -> Mapping[str, str]:
    """Return every word that may be claimed with its meaning, in the order of the schema."""
    words = schemas.documents["common"]["$defs"]
    observed = schemas.documents["message-observed"]["$defs"]["observation"]["properties"]
    told = {name: each["description"] for name, each in observables(words, observed).items()}
    said = {name: each["description"] for kind in ("do", "ask") for name, each in words[kind].items()}
    known = {**said, **told, **words["claimed"]["sentences"]}
    refused = {
        word: f"The engine refuses the act `{word.removeprefix('refuse-')}` where it is illegal."
        for word in words["claimed"]["enum"]
        if word.startswith("refuse-")
    }
    return {word: {**known, **refused}[word] for word in words["claimed"]["enum"]}


def observables(words: Mapping[str, Any], observed: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Return every observable with its schema: among the `words` used everywhere, or in an observation alone."""
    return {name: words["observables"].get(name) or observed[name] for name in words["observable"]["enum"]}


def checks_needing(suite: Suite) -> Counter[str]:
    """Return how many checks need each word, and each capability for some word of it."""
    counts: Counter[str] = Counter()
    for check in suite.index.checks.values():
        needs = (
            planner_of(suite).cached_request(check) or planner_of(suite).request(check)
        ).needs  # which are the same, turned or not
        counts.update(needs)
        counts.update(name for name, words in suite.capabilities.sets.items() if not words.isdisjoint(needs))
    return counts


def count_checks(suite: Suite, kind: EngineKind) -> Counter[str]:
    """Return how many checks an engine of a kind is asked of each ruleset and its options, if it plays them all.

    No prelude is played for it: those that are stored have been verified.
    """
    known = suite.capabilities
    claims = kind.claims or ("score", *(name for name in known.sets if name != _SELDOM))
    ready = AdapterInfo(kind.has, "", "", frozenset(suite.rules.names), known.words(claims), kind.position)
    claimed = Claims(suite, ready, preludes=outlined)
    counts = Counter(dict.fromkeys(suite.rulesets, 0))
    for check in suite.index.checks.values():
        counts[check.ruleset.partition("+")[0]] += isinstance(adapt(claimed, check), Adapted)
    return counts


def checks_by_kind(suite: Suite) -> Sequence[Counter[str]]:
    """Return for each kind of engine how many checks it is asked of each ruleset.

    Counting takes seconds: the numbers are cached beside the compiled suite, if that is.
    """
    address = cache_key_of(suite.root, all_code=True) if planner_of(suite).cache_key else ""
    stored = store.read_one(_KEPT, address) if address else None
    if stored is not None:
        return list(map(Counter, json.loads(stored)))
    made = [count_checks(suite, kind) for kind in KINDS]
    if address and planner_of(suite).cache_key == cache_key_of(suite.root):  # nobody has written in it meanwhile
        store.write(_KEPT, {address: json.dumps(made).encode()})
    return made


def claim_lines(suite: Suite) -> Iterator[str]:
    """Yield the shorthands and the words that may be claimed, each with how many checks need it and its meaning."""
    known, needed = suite.capabilities, checks_needing(suite)
    told = {**known.meanings, **meanings(suite.schemas)}
    width = max(map(len, told))
    for name, says in told.items():
        of = f" ({', '.join(sorted(known.sets[name]))})" if name in known.sets else ""
        yield f"{name:<{width}}  {plural(needed[name], 'check'):>12}  {says}{of}"


def claims_data(suite: Suite) -> list[dict[str, Any]]:
    """Return the shorthands and the words that may be claimed, as `list.schema.json` describes them."""
    known, needed = suite.capabilities, checks_needing(suite)
    return [
        {"word": name, "says": says, "checks": needed[name], "words": sorted(known.sets.get(name, ()))}
        for name, says in {**known.meanings, **meanings(suite.schemas)}.items()
    ]


def engines_data(suite: Suite) -> list[dict[str, Any]]:
    """Return kinds of engine, as `list.schema.json` describes them."""
    return [
        {"has": kind.has, "claims": list(kind.claims), "position": kind.position, "checks": dict(asked_of_it)}
        for kind, asked_of_it in zip(KINDS, checks_by_kind(suite), strict=True)
    ]


def engine_lines(suite: Suite) -> Iterator[str]:
    """Yield kinds of engine, each with how many checks it is asked and what it claims for that."""
    width = max(len(kind.has) for kind in KINDS)
    for kind, asked_of_it in zip(KINDS, checks_by_kind(suite), strict=True):
        claims = ", ".join(kind.claims) or ALL_IT_DOES
        yield f"{kind.has:<{width}}  {plural(asked_of_it.total(), 'check'):>12}  {claims}; position: {kind.position}"
    yield "The counts are for all rulesets together. Hoyle sends an engine only the checks of rulesets that it claims."
