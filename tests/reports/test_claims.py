"""What may be claimed, and what that brings: counted over the checks, for engines of several kinds."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.store import cache_key_of
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.preludes.store import outlined
from hoyle_conformance.checks.request import Adapted, Claims
from hoyle_conformance.checks.rewrites import adapt
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.reports import claims
from hoyle_conformance.reports.claims import KINDS, EngineKind, checks_needing, count_checks
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.engine_pages import CLAIMS
from hoyle_conformance.web.site.page import Page


@pytest.mark.slow
def test_more_positions_bring_more_checks(suite: Suite) -> None:
    none, deal, any_ = (count_checks(suite, EngineKind("", position=position)) for position in ("none", "deal", "any"))
    assert 0 < none.total() < deal.total()
    assert all(0 < deal[ruleset] <= any_[ruleset] for ruleset in suite.rulesets)


def test_what_was_counted_is_kept_until_something_differs(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(store.FOLDER, str(tmp_path))
    made: list[EngineKind] = []

    def counting(_suite: Suite, kind: EngineKind) -> Counter[str]:
        made.append(kind)
        return Counter({"bezique-hoyle": len(made), "piquet-hoyle": 0})

    monkeypatch.setattr(claims, "count_checks", counting)
    there = replace(suite)
    for address in ("of files that somebody has changed meanwhile", cache_key_of(suite.root), ""):
        made.clear()
        planner_of(there).cache_key = address
        first = claims.checks_by_kind(there)
        assert [each.total() for each in first] == list(range(1, len(KINDS) + 1))
        assert made == list(KINDS)
    planner_of(there).cache_key = cache_key_of(suite.root)
    assert (claims.checks_by_kind(there), made) == (first, list(KINDS))


@pytest.mark.slow
def test_engine_that_claims_everything_gets_every_check(suite: Suite) -> None:
    everything = EngineKind("", tuple(sorted(suite.capabilities.everything)), "any")
    count = count_checks(suite, everything)
    assert count.total() == len(suite.index.checks)
    assert set(count) == set(suite.rulesets)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.has)
def test_every_kind_of_engine_is_asked_something_by_words_that_exist(
    suite: Suite, made: dict[str, Page], kind: EngineKind
) -> None:
    assert suite.capabilities.words(kind.claims) <= suite.capabilities.everything
    (row,) = re.findall(rf'<td>{re.escape(kind.has)}</td>.*?<td class="number">([0-9,]+)</td></tr>', made[CLAIMS].body)
    assert int(row.replace(",", "")) > 100


@pytest.mark.slow
def test_a_shorthand_is_needed_where_any_of_its_words_is(suite: Suite) -> None:
    needed = checks_needing(suite)
    for name, words in suite.capabilities.sets.items():
        assert max(needed[word] for word in words) <= needed[name] <= sum(needed[word] for word in words)


@pytest.mark.slow
def test_what_is_counted_without_playing_preludes_is_what_is_asked(suite: Suite) -> None:
    """The same checks are put to an engine that is led from a deal as where every prelude is played and proved."""
    checks = [check for check in suite.index.checks.values() if check.ruleset == "piquet-saunt-parlett"][::4]
    claims = suite.capabilities.words(("score", *suite.capabilities.sets))
    for position in ("deal", "from-deal"):
        ready = AdapterInfo("", "", "", frozenset(suite.rules.names), claims, position)
        whole = [isinstance(adapt(Claims(suite, ready), check), Adapted) for check in checks]
        assert [isinstance(adapt(Claims(suite, ready, preludes=outlined), check), Adapted) for check in checks] == whole
        assert {True, False} == set(whole)
