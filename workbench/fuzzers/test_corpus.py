"""The seeds run through their targets without atheris, and each target notices a defect."""

from pathlib import Path

import pytest

from fuzzers.replay import corpus, replay
from fuzzers.target import TARGETS, Input, Target, target_named
from hoyle_conformance.suite.suite import Suite

#: A function for each target that reads, judges or reports for it.
CALLED = {
    "files": "fuzz_files.check_file",
    "messages": "hoyle_conformance.runner.checker.judge",
    "table": "hoyle_conformance.web.explorer.engine.answers",
    "records": "hoyle_conformance.reports.markdown.markdown",
    "transcripts": "hoyle_conformance.tools.transcript.judge._take_one",
    "settings": "hoyle_conformance.runner.baseline._text",
    "texts": "hoyle_conformance.web.explorer.layout._is_plain",
}

each_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


@pytest.mark.slow
@each_target
def test_seeds_are_of_most_variants_and_find_no_defect(suite: Suite, target: Target, tmp_path: Path) -> None:
    seeds = corpus(target, suite, tmp_path)
    variants = {Input.of(path.read_bytes()).variant for path in seeds}
    assert variants <= {*target.load().VARIANTS}
    assert len(variants) > len(target.load().VARIANTS) / 2
    replay(target, seeds, suite)


@pytest.mark.slow
@each_target
def test_a_defect_is_found_by_some_seed(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, target: Target, tmp_path: Path
) -> None:
    def broken(*_words: object, **_more: object) -> None:
        raise LookupError("the defect")

    seeds = corpus(target, suite, tmp_path)
    monkeypatch.setattr(CALLED[target.name], broken)
    with pytest.raises((AssertionError, LookupError)) as raised:
        replay(target, seeds, suite)
    (note,) = raised.value.__notes__
    assert f"python workbench/run_fuzzers.py repeat {target.name} " in note


def test_any_bytes_are_an_input_and_stay_the_same() -> None:
    for data in (b"run\nthe content\n", b"run\n", b"\n\n"):
        assert bytes(Input.of(data)) == data
    assert Input.of(b"") == Input("", b"")
    with pytest.raises(KeyError):
        target_named("unknown")
