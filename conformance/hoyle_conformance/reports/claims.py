"""The words that an adapter can claim, and kinds of engine with their claims, each with the number of checks sent for
it."""

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

#: The description of claims for the kinds of engine that claim everything they can do.
ALL_IT_DOES: Final = "everything it can do"
#: The kind of the cached counts.
_KEPT: Final = "engines"
#: The capability that few engines have; it is left out of the counts for engines that claim everything they can do.
_SELDOM: Final = "irregularities"


@dataclass(frozen=True, slots=True)
class EngineKind:
    """A kind of engine: what it `has`, the words that it claims (if empty, everything it can do), and how it gets into
    a position."""

    has: str
    claims: tuple[str, ...] = ()
    position: str = "none"


#: The kinds of engine, from the simplest on. The protocol has a table of them, in which authors can find their own
#: engine.
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
    """Return the meaning of every word that can be claimed, in the order of the schema."""
    words = schemas.documents["common"]["$defs"]
    observed = schemas.documents["message-observed"]["$defs"]["observation"]["properties"]
    of_observables = {name: each["description"] for name, each in observables(words, observed).items()}
    of_acts_and_questions = {name: each["description"] for kind in ("do", "ask") for name, each in words[kind].items()}
    known = {**of_acts_and_questions, **of_observables, **words["claimed"]["sentences"]}
    refused = {
        word: f"The engine refuses the act `{word.removeprefix('refuse-')}` where it is illegal."
        for word in words["claimed"]["enum"]
        if word.startswith("refuse-")
    }
    return {word: {**known, **refused}[word] for word in words["claimed"]["enum"]}


def observables(words: Mapping[str, Any], observed: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Return the schema of every observable, from the `words` used everywhere or from an observation alone."""
    return {name: words["observables"].get(name) or observed[name] for name in words["observable"]["enum"]}


def checks_needing(suite: Suite) -> Counter[str]:
    """Return the number of checks that need each word, and the number that need each capability for at least one of its
    words."""
    counts: Counter[str] = Counter()
    for check in suite.index.checks.values():
        needs = (
            planner_of(suite).cached_request(check) or planner_of(suite).request(check)
        ).needs  # relabelling does not change them
        counts.update(needs)
        counts.update(name for name, words in suite.capabilities.sets.items() if not words.isdisjoint(needs))
    return counts


def count_checks(suite: Suite, kind: EngineKind) -> Counter[str]:
    """Return the number of checks sent to an engine of a kind, for each ruleset with its options, if it claims them
    all.

    No preludes are played, because the stored preludes have been verified.
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
    """Return, for each kind of engine, the number of checks sent to it for each ruleset.

    Counting takes seconds, so the numbers are cached with the compiled suite, if that is cached.
    """
    address = cache_key_of(suite.root, all_code=True) if planner_of(suite).cache_key else ""
    stored = store.read_one(_KEPT, address) if address else None
    if stored is not None:
        return list(map(Counter, json.loads(stored)))
    made = [count_checks(suite, kind) for kind in KINDS]
    if address and planner_of(suite).cache_key == cache_key_of(suite.root):  # the suite has not been changed meanwhile
        store.write(_KEPT, {address: json.dumps(made).encode()})
    return made


def claim_lines(suite: Suite) -> Iterator[str]:
    """Yield the capabilities and words that can be claimed, each with its meaning and the number of checks that need
    it."""
    known, needed = suite.capabilities, checks_needing(suite)
    said = {**known.meanings, **meanings(suite.schemas)}
    width = max(map(len, said))
    for name, says in said.items():
        of = f" ({', '.join(sorted(known.sets[name]))})" if name in known.sets else ""
        yield f"{name:<{width}}  {plural(needed[name], 'check'):>12}  {says}{of}"


def claims_data(suite: Suite) -> list[dict[str, Any]]:
    """Return the capabilities and words that can be claimed, as `list.schema.json` describes them."""
    known, needed = suite.capabilities, checks_needing(suite)
    return [
        {"word": name, "says": says, "checks": needed[name], "words": sorted(known.sets.get(name, ()))}
        for name, says in {**known.meanings, **meanings(suite.schemas)}.items()
    ]


def engines_data(suite: Suite) -> list[dict[str, Any]]:
    """Return the kinds of engine, as `list.schema.json` describes them."""
    return [
        {"has": kind.has, "claims": list(kind.claims), "position": kind.position, "checks": dict(asked_of_it)}
        for kind, asked_of_it in zip(KINDS, checks_by_kind(suite), strict=True)
    ]


def engine_lines(suite: Suite) -> Iterator[str]:
    """Yield the kinds of engine, each with its claims and the number of checks sent to it."""
    width = max(len(kind.has) for kind in KINDS)
    for kind, asked_of_it in zip(KINDS, checks_by_kind(suite), strict=True):
        claims = ", ".join(kind.claims) or ALL_IT_DOES
        yield f"{kind.has:<{width}}  {plural(asked_of_it.total(), 'check'):>12}  {claims}; position: {kind.position}"
    yield "The counts are for all rulesets together. Hoyle sends an engine only the checks of rulesets that it claims."
