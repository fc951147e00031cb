"""Build sources, rulesets, scenarios and censuses from documents that fit their schemas."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

from hoyle_conformance.files.document import Document
from hoyle_conformance.suite import model


def source_from(document: Document) -> model.Source:
    """Return the source in a valid document."""
    data = document.data
    return model.Source(
        data["id"],
        data["title"],
        data.get("short", data["title"]),
        data["about"],
        dict(data["provenance"]),
        tuple(data["covers"]),
        data["complete"],
        tuple(_clause(each) for each in data["clauses"]),
        tuple(_printing(each) for each in data.get("printings", ())),
        {game: tuple(sections) for game, sections in data.get("games", {}).items()},
        document,
    )


def _printing(data: Mapping[str, Any]) -> model.Printing:
    return model.Printing(data["id"], data["title"], data["about"], tuple(data.get("alone", ())))


def _clause(data: Mapping[str, Any]) -> model.Clause:
    damage = data.get("damage")
    return model.Clause(
        data["id"],
        data["where"],
        data["kind"],
        data["says"],
        data.get("not_testable", ""),
        data.get("decided", ""),
        tuple(data.get("open", ())),
        damage and _damage(damage),
    )


def _damage(data: Mapping[str, Any]) -> model.Damage:
    confirmed = data.get("confirmed")
    return model.Damage(
        data["missing"],
        str(data["restored"]),
        data["because"],
        tuple(data["from"]),
        confirmed and model.Confirmed(confirmed["by"], confirmed["reads"]),
    )


def ruleset_from(document: Document) -> model.Ruleset:
    """Return the ruleset in a valid document."""
    data = document.data
    options = {name: option["title"] for name, option in data.get("options", {}).items()}
    return model.Ruleset(
        id=data["id"],
        title=data["title"],
        game=data["game"],
        form=data.get("form", data["title"]),
        summary=data["summary"],
        sources=tuple(data["sources"]),
        options=options,
        extends=data.get("extends", ""),
        document=document,
    )


def scenario_from(document: Document, inherited: Mapping[str, Sequence[str]] = MappingProxyType({})) -> model.Scenario:
    """Return the scenario in a valid document, with the rulesets that inherit its outcomes, by the ruleset that the
    file names."""
    data = document.data
    inherits = _inherits(data, inherited)

    def all_of(entry: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(chain(entry["rulesets"], *(inherits.get(named, ()) for named in entry["rulesets"])))

    return model.Scenario(
        id=data["id"],
        title=data["title"],
        why=data.get("why", ""),
        given=data["given"],
        steps=tuple(data["steps"]),
        outcomes=tuple(
            model.Outcome(all_of(each), tuple(each["cites"]), _expected(each["expect"]), each.get("why", ""))
            for each in data.get("outcomes", ())
        ),
        readings=tuple(
            model.Reading(name, each["cells"], each.get("argument", ""), _expected(each["expect"]))
            for name, each in data.get("readings", {}).items()
        ),
        followed_by=tuple(
            model.Followed(
                all_of(each), each["reading"], tuple(each["cites"]), each["because"], tuple(each.get("between", ()))
            )
            for each in data.get("followed_by", ())
        ),
        document=document,
        proposals=tuple(map(_proposal, data.get("proposals", ()))),
        inherited=inherits,
    )


def _inherits(data: Mapping[str, Any], inherited: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the rulesets that inherit an outcome, except those that the file itself names."""
    entries = [*data.get("outcomes", ()), *data.get("followed_by", ())] if inherited else []
    said = {name for each in entries for name in (*each["rulesets"], *each.get("but_not", ()))}
    named = [name for each in entries for name in each["rulesets"]]
    left = {name: tuple(each for each in inherited.get(name, ()) if each not in said) for name in named}
    return {name: each for name, each in left.items() if each}


def _proposal(data: Mapping[str, Any]) -> model.Proposal:
    return model.Proposal(
        tuple(data["rulesets"]),
        tuple(data["cites"]),
        _expected(data["expect"]),
        data.get("cells", {}),
        data.get("why", ""),
    )


def census_from(document: Document) -> model.Census:
    """Return the census in a valid document."""
    tables = (
        model.CensusTable(
            each["ruleset"], tuple(each["confirmed_by"]), tuple(each["beside"]), tuple(map(_census_game, each["games"]))
        )
        for each in document.data["tables"]
    )
    return model.Census(document.data["id"], tuple(tables), document)


def _census_game(data: Mapping[str, Any]) -> model.CensusGame:
    return model.CensusGame(
        **{key: data[key] for key in ("game", "begins", "deals", "acts", "ends", "score", "legal_acts", "digest")},
        passed_over={int(at): count for at, count in data.get("passed_over", {}).items()},
        uncounted=tuple(_numbers(data.get("uncounted", ""))),
        left_open=tuple(data.get("left_open", ())),
    )


def _numbers(text: str) -> Iterator[int]:
    """Yield the numbers of a list in text form, such as ``7 12-15 20``."""
    for part in text.split():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _expected(data: Mapping[str, Any]) -> model.Expected:
    return {int(step): expectation for step, expectation in sorted(data.items(), key=lambda item: int(item[0]))}
