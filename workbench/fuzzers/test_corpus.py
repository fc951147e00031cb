"""The kept corpus runs through its targets without atheris, and each target notices a defect."""

import pytest

from fuzzers.replay import kept, replay
from fuzzers.target import CORPUS, TARGETS, Input, Target, target_named
from hoyle_conformance.suite.suite import Suite

#: All inputs together are no larger, in bytes.
LARGEST = 1_000_000
#: A function for each target that reads, judges or reports for it.
CALLED = {
    "files": "fuzz_files.check_file",
    "messages": "hoyle_conformance.runner.checker.judge",
    "table": "hoyle_conformance.web.explorer.engine.answers",
    "records": "hoyle_conformance.reports.markdown.markdown",
    "transcripts": "hoyle_conformance.tools.transcript.judge._take_one",
    "settings": "hoyle_conformance.runner.baseline._text",
    "texts": "hoyle_conformance.web.explorer.links._plain",
}

each_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


@pytest.mark.slow
@each_target
def test_no_input_of_the_corpus_finds_a_defect(suite: Suite, target: Target) -> None:
    replay(target, kept(target), suite)


@pytest.mark.slow
@each_target
def test_a_defect_is_found_by_some_input(suite: Suite, monkeypatch: pytest.MonkeyPatch, target: Target) -> None:
    def broken(*_words: object, **_more: object) -> None:
        raise LookupError("the defect")

    target.load()
    monkeypatch.setattr(CALLED[target.name], broken)
    with pytest.raises((AssertionError, LookupError)) as raised:
        replay(target, kept(target), suite)
    (note,) = raised.value.__notes__
    assert f"python workbench/run_fuzzers.py repeat {target.name} " in note


def test_corpus_is_small_and_has_inputs_for_each_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} == {target.name for target in TARGETS} == CALLED.keys()
    sizes = {target: [path.stat().st_size for path in kept(target)] for target in TARGETS}
    assert all(0 < max(each) <= target.longest for target, each in sizes.items())
    assert sum(map(sum, sizes.values())) < LARGEST


def test_any_bytes_are_an_input_and_stay_the_same() -> None:
    for data in (b"run\nthe content\n", b"run\n", b"\n\n"):
        assert bytes(Input.of(data)) == data
    assert Input.of(b"") == Input("", b"")
    with pytest.raises(KeyError):
        target_named("unknown")
