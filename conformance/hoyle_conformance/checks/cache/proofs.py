"""Proofs that need not be repeated: digests of the inputs of proofs that found no fault.

The inputs of a proof are the data of a file, the cells of rulesets, the schemas and the code. As long as they are the
same, so is its result, and the proof is not repeated. Only proofs without faults are stored; a fault is found again
each time, with its place in the file.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.store import digest_of_code
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.files.document import Document
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell

#: The kind of the file in the cache.
_PROOFS: Final = "proofs"
#: The maximum number of digests in the file, several times that of a suite.
_MOST: Final = 200_000
#: The length of a digest, in hexadecimal digits.
_DIGITS: Final = 40
#: Returns the inputs of a proof, as JSON values.
Inputs = Callable[[], Sequence[Any]]


class Proofs:
    """The proofs that found no fault, in earlier runs of the same code and in this run. `code` is the digest of the
    code and the schemas; without it, no proof is remembered."""

    def __init__(self, code: str = "", before: Iterable[str] = ()) -> None:
        self.code, self._before = code, dict.fromkeys(before)
        self._now: dict[str, None] = {}

    def faults(self, inputs: Inputs, prove: Callable[[], Iterable[Diagnostic]]) -> list[Diagnostic]:
        """Return the faults that a proof finds; none if it found none before with the same inputs."""
        if self.holds(inputs):
            return []
        found = list(prove())
        if not found:
            self.note(inputs)
        return found

    def holds(self, inputs: Inputs) -> bool:
        """Return whether a proof with these inputs found no fault before."""
        digest = self._digest(inputs) if self._before else ""
        if digest not in self._before:
            return False
        self._now[digest] = None
        return True

    def are_stored(self, prove: Callable[["Proofs"], Iterable[Diagnostic]]) -> bool:
        """Return whether all proofs that a function makes found no fault before."""
        try:
            return bool(self._before) and not list(prove(_StoredOnly(self)))
        except _NotStored:
            return False

    def note(self, inputs: Inputs) -> None:
        """Record that a proof with these inputs found no fault."""
        if self.code:
            self._now[self._digest(inputs)] = None

    def add(self, digests: Iterable[str]) -> None:
        """Record that the proofs with these digests found no fault in another process."""
        self._now |= dict.fromkeys(digests)

    def stored(self) -> list[str]:
        """Return the digests to store, starting with those of this run."""
        return list(self._now | self._before)[:_MOST]

    def _digest(self, inputs: Inputs) -> str:
        return digest_of([self.code, *inputs()])


class _NotStored(Exception):
    """A proof must be made because no result is stored."""


class _StoredOnly(Proofs):
    """Proofs that raise _NotStored if a proof must be made."""

    def __init__(self, stored: Proofs) -> None:
        super().__init__(stored.code)
        self._stored = stored

    def faults(self, inputs: Inputs, prove: Callable[[], Iterable[Diagnostic]]) -> list[Diagnostic]:  # noqa: ARG002
        """Return no faults; raises _NotStored unless a proof with these inputs found none before."""
        if not self._stored.holds(inputs):
            raise _NotStored
        return []


#: Proofs without earlier results, which record none.
ALL_ANEW: Final = Proofs()


@contextmanager
def stored_proofs(root: Path) -> Iterator[Proofs]:
    """Yield the stored proofs of this code and of the schemas in a spec folder. At the end, or after an interruption,
    also store those of this run."""
    code = digest_of_code(root)
    stored = store.read_one(_PROOFS, code) if code else None
    proofs = Proofs(code, json.loads(stored) if stored else ())
    try:
        yield proofs
    finally:
        if code and digest_of_code(root) == code:  # the code and the schemas have not changed meanwhile
            store.write(_PROOFS, {code: json.dumps(proofs.stored()).encode()})


def inputs_of_check(suite: Suite, check: Check, kind: str) -> Sequence[Any]:
    """Return the inputs of a proof of a kind about one check."""
    inputs = inputs_of(suite)
    return kind, inputs.scenario(check.scenario), inputs.rules([check.ruleset])


def inputs_of(suite: Suite) -> "ProofInputs":
    """Return the digests of the inputs for proofs about a suite, each computed once."""
    return suite.derived(ProofInputs)


class ProofInputs:
    """Digests of the inputs for proofs about a suite. Each includes the order of keys, because a proof may depend on
    it."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._rules: dict[str, str] = {}
        self._scenarios: dict[str, tuple[Document, str]] = {}

    def rules(self, names: Iterable[str]) -> Mapping[str, str]:
        """Return the digest of the cells of each of these rulesets, regardless of the tables that they are from."""
        return {name: self._of_rules(name) for name in names}

    def scenario(self, scenario: Scenario) -> str:
        """Return the digest of a scenario: its data, the rulesets that inherit its outcomes, and the sources of all its
        rulesets."""
        document, digest = self._scenarios.get(scenario.id, (None, ""))
        if document is not scenario.document:
            sources = {name: self._suite.rulesets[name.partition("+")[0]].sources for name in scenario.rulesets}
            digest = digest_of([scenario.document.data, scenario.inherited, sources])
            self._scenarios[scenario.id] = scenario.document, digest
        return digest

    def _of_rules(self, name: str) -> str:
        if name not in self._rules:
            self._rules[name] = digest_of([_but_its_reason(cell) for cell in self._suite.rules.cells(name)])
        return self._rules[name]


def _but_its_reason(cell: Cell) -> Sequence[Any]:
    """Return a cell without the reason given in its table, because no proof depends on it."""
    readings = [[each.name, each.value, each.argument] for each in cell.readings]
    return cell.path, cell.value, cell.cites, cell.status, readings, cell.follows


def digest_of(value: Any) -> str:
    """Return the digest of a JSON value."""
    return hashlib.sha256(json.dumps(value, separators=(",", ":")).encode()).hexdigest()[:_DIGITS]
