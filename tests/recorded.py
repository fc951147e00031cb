"""Records made up for tests: of any engine and any results, with hostile words wherever a record may have words."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from hoyle_conformance.reports.record import Checked, NamedRuleset, Record, RecordedAdapter
from hoyle_conformance.runner.results import Status
from hoyle_conformance.wording.failure_view import (
    CauseView,
    FailureStep,
    FailureView,
    HouseRulesView,
    RuleAtWork,
    RuleLine,
)

#: What is not shown as it is written where it is taken for HTML, and some that is drawn.
HOSTILE = (
    "<script>owned()</script>",
    "\"><img src=x onerror='owned()'>",
    "' onmouseover='owned()",
    "</style></script></details></main><owned>",
    "<!-- --><![CDATA[ &lt;owned&gt; &#60;owned&#62;",
    "javascript:owned()",
    "\x1b[2J\x00\u202e K♦² 10♥ \ud7ff",
    "| a | `b` [c](d) @everyone\n## e",
)
words = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=12), st.just("A plays K♦"))
said = words.filter(bool)
some_words = st.lists(words, max_size=2).map(tuple)
RULESETS = ("bezique-hoyle", "bezique-hoyle+brisques-at-end", "piquet-hoyle")
CHECKS = tuple(f"{topic}.{name}@{ruleset}" for topic in ("cut", "play") for name in "ab" for ruleset in RULESETS)

rule_lines = st.builds(RuleLine, words, words, words)
failures = st.builds(
    FailureView,
    status=st.just("fail"),
    check=st.sampled_from(CHECKS),
    title=said,
    file=said,
    line=st.integers(0, 9),
    reason=words,
    remedy=words,
    turned=some_words,
    given=some_words,
    reached=words,
    steps=st.lists(st.builds(FailureStep, said, st.integers(0, 9), st.booleans(), words, words), max_size=2).map(tuple),
    expected=words,
    observed=words,
    also=words,
    hint=words,
    house=st.none() | st.builds(HouseRulesView, said, st.lists(rule_lines, max_size=1).map(tuple)),
    rules=st.lists(rule_lines, max_size=2).map(tuple),
    readings=words,
    again=words,
    page=words,
)
mismatches = st.builds(
    lambda step, seen: {"step": step, "what": "answer", "expected": "A", "observed": seen}, st.integers(1, 3), words
)


def _checked(check: str) -> st.SearchStrategy[Checked]:
    return st.builds(
        Checked,
        check=st.just(check),
        title=said,
        file=said,
        cites=st.just(()),
        status=st.sampled_from(Status),
        milliseconds=st.just(1),
        line=st.integers(0, 9),
        code=st.sampled_from(["", "crashed", "<owned>"]),
        reason=words,
        remedy=words,
        readings=some_words,
        lacks=some_words,
        partly=some_words,
        known=st.booleans(),
        mismatches=st.lists(mismatches, max_size=2).map(tuple),
        failure=st.none() | failures,
    )


@st.composite
def records(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Record:
    """Records that fit together, as those do that have been read."""
    some = draw(st.lists(st.sampled_from(CHECKS), max_size=5, unique=True))
    results = tuple(draw(_checked(check)) for check in some)
    wrong = [each.check for each in results if each.failed]
    engine = st.builds(
        RecordedAdapter,
        said,
        said,
        said,
        st.frozensets(st.sampled_from(RULESETS)),
        some_words,
        st.frozensets(st.sampled_from(["winner", "turn"])),
    )
    rule = st.none() | st.builds(RuleAtWork, said, said, said)
    causes = draw(st.lists(st.builds(CauseView, said, said, st.just(tuple(wrong)), some_words, rule), max_size=2))
    ended = draw(st.booleans())
    return Record(
        file=draw(said),
        hoyle=draw(said),
        suite=draw(said),
        digest="0f" * 32,
        implementation=draw(engine),
        started="2026-11-22T20:01:02Z",
        selected=len(results) + draw(st.integers(0, 2)),
        seed=draw(st.none() | words),
        again=("hoyle", "check"),
        rulesets={name: NamedRuleset(draw(said), draw(said), 9) for name in RULESETS},
        results=results,
        causes=tuple(causes) if ended and wrong else (),
        readings={RULESETS[0]: {draw(said): (draw(said),)}} if ended else None,
        ended="2026-11-22T20:01:04Z" if ended else "",
        exit=1 if ended else None,
        stopped=draw(words) if ended else "",
        ending=draw(words) if ended else "",
        explained=draw(words) if ended else "",
        house=draw(st.none() | st.builds(lambda *of: dict(zip(("id", "extends"), of, strict=True)), said, said)),
    )
