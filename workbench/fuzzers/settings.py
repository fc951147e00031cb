"""Files of a project: a baseline, and the configuration. Their mistakes are reported, each with its place."""

from pathlib import Path
from typing import Final

from hoyle_conformance.cli.check import command as check
from hoyle_conformance.cli.configuration import Configurable, read_configuration
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.baseline import baseline_text, read_baseline
from hoyle_conformance.suite.suite import Suite

from .properties import assert_explained
from .target import Input, Read

_BASELINE: Final = "baseline.txt"
#: The names of the files.
VARIANTS: Final = (_BASELINE, "hoyle.toml", "pyproject.toml")
_INFO: Final = AdapterInfo("any", "1", "any", frozenset(), frozenset())


def prepare(suite: Suite, folder: Path) -> Read:
    """Return the function that reads such a file, and writes a baseline again."""

    def read(given: Input) -> None:
        path = folder / (given.variant if given.variant in VARIANTS else _BASELINE)
        path.write_bytes(given.content)
        try:
            if path.name == _BASELINE:
                _check_baseline(suite, path)
            else:
                _check_configuration(path)
        except Invalid as invalid:
            assert_explained(invalid, given.content)

    return read


def _check_baseline(suite: Suite, path: Path) -> None:
    """Check that a baseline is the same when it is written and read again."""
    baseline = read_baseline(path, suite)
    text = baseline_text(baseline, _INFO, suite.version)
    path.write_text(text, "utf-8")
    try:
        again = read_baseline(path, suite)
    except Invalid as invalid:
        raise AssertionError(f"{invalid}\n{text}") from invalid
    assert again == baseline, text


def _check_configuration(path: Path) -> None:
    """Check that a configuration has its values where they are, and an adapter's command or a mistake in it."""
    used = read_configuration(path)
    if used is None:
        return
    assert isinstance(check, Configurable)
    used.defaults(check)
    for key in used.values:
        assert_explained(Invalid([used.diagnose(key, "value", "it is wrong")]), path.read_bytes())
    assert all(isinstance(each, str) for each in used.command)
