"""Read the files of a spec folder, validate each against its schema, and build a suite from them."""

from collections.abc import Container, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.suite.build import census_from, ruleset_from, scenario_from, source_from
from hoyle_conformance.suite.paths import files, read_lock, read_version, shown, strays, tree
from hoyle_conformance.suite.suite import AtWork, Inherited, Suite, known_names, read_at_work


def read_suite(
    root: Path, *, scenarios: bool = True, known: Mapping[str, Any] = MappingProxyType({})
) -> tuple[Suite, list[Diagnostic]]:
    """Return the suite in a spec folder from its readable files, and the faults of the others.

    Without `scenarios`, only the rules are read; an engine needs no more, since everything else is sent to it. `known`
    has the data of files that need not be read again, by their names in the folder.
    """
    schemas = Schemas(root / "schemas")
    schemas.read_all()
    sources, faulty_sources = _read_all(root, schemas, "source", known)
    rulesets, faulty_rulesets = _read_all(root, schemas, "ruleset", known)
    asked, faulty_scenarios = _read_all(root, schemas, "scenario", known) if scenarios else ({}, [])
    counted, faulty_censuses = _read_all(root, schemas, "census", known) if scenarios else ({}, [])
    tables = {name: ruleset_from(document) for name, document in rulesets.items()}
    at_work, faulty_at_work = _at_work(root, schemas) if scenarios else (AtWork(), [])
    inheriting = known_names(tables)
    suite = Suite(
        root=root,
        version=read_version(root),
        schemas=schemas,
        sources={name: source_from(document) for name, document in sources.items()},
        rulesets=tables,
        scenarios={
            name: scenario_from(document, existing(at_work.of(name).checks, inheriting))
            for name, document in asked.items()
        },
        lock=read_lock(root),
        strays=tuple(strays(root)),
        censuses={name: census_from(document) for name, document in counted.items()},
        at_work_in=at_work.clauses,
    )
    return suite, [*faulty_sources, *faulty_rulesets, *faulty_scenarios, *faulty_censuses, *faulty_at_work]


def _at_work(root: Path, schemas: Schemas) -> tuple[AtWork, list[Diagnostic]]:
    """Return the content of the file `at-work.jsonl`, and its faults."""
    try:
        return read_at_work(root, schemas), []
    except Invalid as invalid:
        return AtWork(), list(invalid.diagnostics)


def existing(inherited: Inherited, known: Container[str]) -> Inherited:
    """Return the inheriting rulesets that exist; 'hoyle suite validate' reports the others."""
    return {named: tuple(filter(known.__contains__, each)) for named, each in inherited.items()}


def read_document(schemas: Schemas, kind: str, path: Path, name: str, *, within: Path | None = None) -> Document:
    """Return the validated document in a file that is printed as `name`. Raises Invalid, including for a link that
    leads out of the folder `within`."""
    document = read_file(path, name, within=within)
    faults = schemas.check(kind, document)
    if faults:
        raise Invalid(faults)
    return document


def _read_all(
    root: Path, schemas: Schemas, kind: str, known: Mapping[str, Any]
) -> tuple[dict[str, Document], list[Diagnostic]]:
    """Return all documents of a kind by id, and the faults of those that cannot be used."""
    found: dict[str, Document] = {}
    faults: list[Diagnostic] = []
    for path in files(root, kind):
        within, name = path.relative_to(root).as_posix(), shown(root, path)
        try:
            document = (
                Document(name, known[within], path)
                if within in known
                else read_document(schemas, kind, path, name, within=tree(root))
            )
        except Invalid as invalid:
            faults += invalid.diagnostics
            continue
        first = found.setdefault(document.data["id"], document)
        if first is not document:
            faults.append(id_in_use(document, first.file))
    return found, faults


def id_in_use(document: Document, first: str) -> Diagnostic:
    """Return the fault of a file whose id belongs to another file."""
    message = f"the id '{document.data['id']}' is already in use"
    return document.diagnose(["id"], "id-in-use", message, f"It belongs to {first}: choose another.")
