"""Load records: validate each line against its schema, and report every mistake with its place.

An incomplete record is read up to its last complete line.
"""

import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from hoyle_conformance import __version__
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.read import decode, read_bytes, read_json
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.reports.record import Checked, NamedRuleset, Record, RecordedAdapter, epoch_seconds
from hoyle_conformance.runner.results import Status
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.wording.failure_view import CauseView, RuleAtWork, from_record
from hoyle_conformance.wording.text import sanitize

#: The maximum size of a record, five times that of a run of the whole suite in which every check fails.
LARGEST: Final = 100_000_000  # bytes
#: The maximum length of a line. The footer is the longest line: it has every failed check, once for each of its causes.
_LONGEST: Final = 10_000_000  # bytes
#: The maximum depth of nested lists and mappings; the house rules in the header are the deepest.
_DEEPEST: Final = 50
_ANEW: Final = f"Record the run again with 'hoyle check --record'; this is Hoyle {__version__}."
_WHAT_IT_IS: Final = "Give the file that 'hoyle check --record FILE' has written."
_LISTS: Final = ("readings", "lacks", "partly", "mismatches")
_WORDS: Final = ("code", "reason", "remedy", "known", "computed", "expected_status")


def read_record(path: Path) -> Record:
    """Return the record in a file.

    Raises Invalid, with the place and the remedy, if the file is not a record, is larger than `LARGEST`, or contradicts
    itself.
    """
    file = shown_path(path)
    raw = read_bytes(path, file, what="record", largest=LARGEST)
    return record_of(_unpacked(raw, file) if path.suffix == ".gz" else raw, file)


def _unpacked(raw: bytes, file: str) -> bytes:
    """Return the content of a file compressed with gzip, which may be cut off; raises Invalid if it is damaged or too
    large."""
    unpacked = b""
    try:
        while raw and len(unpacked) <= LARGEST:
            member = zlib.decompressobj(zlib.MAX_WBITS + 16)  # 16: with the header of gzip
            unpacked += member.decompress(raw, LARGEST + 1)
            raw = member.unused_data
    except zlib.error as error:
        raise _wrong(file, 1, "no-record", f"it is no file of gzip: {error}", _WHAT_IT_IS) from error
    if len(unpacked) > LARGEST:
        raise _wrong(file, 1, "too-large", f"it unpacks to more than {LARGEST:,} bytes", _WHAT_IT_IS)
    return unpacked


def record_files(folder: Path) -> list[Path]:
    """Return the records in a folder by name, compressed or not, each name once; none if there is no such folder."""
    every = (*folder.glob("*.jsonl.gz"), *folder.glob("*.jsonl"))
    return sorted({each.name.removesuffix(".gz"): each for each in every}.values())


def record_of(raw: bytes, file: str) -> Record:
    """Return the record in the content of a file with this name. Raises Invalid as `read_record` does."""
    lines = list(_lines(file, raw))
    _check_order(file, [line["type"] for line in lines])
    header, rest = lines[0], lines[1:]
    footer = rest.pop() if rest and rest[-1]["type"] == "footer" else None
    _check_consistency(file, header, rest, footer)
    return _record(file, header, rest, footer)


# ---- lines


def _lines(file: str, raw: bytes) -> Iterator[dict[str, Any]]:
    """Yield every complete line, validated against its schema; an incomplete last line is left out."""
    schemas = _schemas(find_spec() / "schemas")
    *lines, last = raw.split(b"\n")
    for number, line in enumerate([*lines, last] if _is_complete(last) else lines, start=1):
        if len(line) > _LONGEST:
            raise _wrong(file, number, "too-long", f"the line is too long ({len(line):,} bytes)", _WHAT_IT_IS)
        try:
            data = sanitize_all(read_json(decode(line, file)))
        except (ValueError, Invalid) as error:
            why = str(error) if isinstance(error, ValueError) else "it is not UTF-8"
            raise _wrong(file, number, "no-record", f"this is not a line of a record: {why}", _WHAT_IT_IS) from error
        if number == 1 and not (isinstance(data, dict) and data.get("type") == "header"):
            message = "this is not the record of a run: it does not begin with a header"
            raise _wrong(file, 1, "no-record", message, _WHAT_IT_IS)
        if complaint := schemas.complaint("record", data, "the line") or _wrong_time(data):
            raise _wrong(file, number, "record", complaint, _ANEW)
        yield data


@cache
def _schemas(folder: Path) -> Schemas:
    """Return the schemas of a folder, read only once for all records."""
    return Schemas(folder)


def _is_complete(last: bytes) -> bool:
    """Return whether a last line without a line break is complete; it is incomplete if it was still being written."""
    if len(last) > _LONGEST:
        return True
    try:
        read_json(last.decode("utf-8"))
    except ValueError:
        return False
    return True


def _wrong_time(data: Mapping[str, Any]) -> str:
    """Return the mistake in the times of a line; empty if there is none."""
    for time in (data[key] for key in ("started", "ended") if key in data):
        try:
            epoch_seconds(time)
        except ValueError:
            return f"'{time}' is not a time"
    return ""


def sanitize_all(value: Any, levels: int = _DEEPEST) -> Any:
    """Return a value with all texts sanitized; raises ValueError if it is nested more than `levels` deep."""
    if not levels:
        raise ValueError("it is nested too deeply")
    match value:
        case str():
            return sanitize(value)
        case list():
            return [sanitize_all(each, levels - 1) for each in value]
        case dict():
            return {sanitize(key): sanitize_all(each, levels - 1) for key, each in value.items()}
        case _:
            return value


def _check_order(file: str, kinds: Sequence[str]) -> None:
    """Raise Invalid unless the lines are one header, results, and at most one footer."""
    if not kinds:
        raise _wrong(file, 1, "no-record", "this is not the record of a run: no line in it is complete", _WHAT_IT_IS)
    for number, kind in enumerate(kinds[1:], start=2):
        if kind == "header":
            again = "a second record begins here"
            raise _wrong(
                file, number, "two-records", again, "A file holds one record: split the file, and name both parts."
            )
        if kinds[number - 2] == "footer":
            raise _wrong(file, number, "after-the-end", f"a {kind} follows the footer", _ANEW)


def _check_consistency(
    file: str, header: Mapping[str, Any], results: Sequence[Mapping[str, Any]], footer: Mapping[str, Any] | None
) -> None:
    """Raise Invalid if the lines of a record contradict each other."""
    seen: set[str] = set()
    for number, each in enumerate(results, start=2):
        name = each["check"]
        if name in seen:
            raise _wrong(file, number, "twice", f"{name} appears a second time", _ANEW)
        if name.partition("@")[2] not in header["rulesets"]:
            raise _wrong(file, number, "ruleset", f"{name} is under a ruleset that the header does not name", _ANEW)
        seen.add(name)
    if footer is None:
        return
    last = len(results) + 2
    if Counter(footer["totals"]) != Counter(each["status"] for each in results):
        raise _wrong(file, last, "totals", "the counts in the footer differ from the results above it", _ANEW)
    for check in (check for cause in footer["causes"] for check in cause["checks"]):
        if check not in seen:
            raise _wrong(file, last, "cause", f"a cause names {check}, which has no result", _ANEW)


def _wrong(file: str, line: int, code: str, message: str, remedy: str) -> Invalid:
    return Invalid([Diagnostic(file, line, 1, code, message, remedy)])


# ---- values of a record


def _record(
    file: str, header: Mapping[str, Any], results: Sequence[Mapping[str, Any]], footer: Mapping[str, Any] | None
) -> Record:
    of, said, by_check = header["implementation"], footer or {}, {each["check"]: each for each in results}
    return Record(
        file=file,
        hoyle=header["hoyle"],
        suite=header["suite"]["version"],
        digest=header["suite"]["digest"],
        implementation=RecordedAdapter(
            name=of["name"],
            version=of["version"],
            language=of["language"],
            rulesets=frozenset(of["rulesets"]),
            command=tuple(of.get("command", ())),
            claims=frozenset(of["claims"]),
        ),
        started=header["started"],
        selected=int(header["selected"]),
        seed=header["seed"],
        again=tuple(header["again"]),
        rulesets={name: NamedRuleset(**each) for name, each in header["rulesets"].items()},
        results=tuple(map(_result, results)),
        causes=tuple(_cause(each, by_check) for each in said.get("causes", ())),
        readings=said.get("readings"),
        ended=said.get("ended", ""),
        exit=int(said["exit"]) if footer else None,
        stopped=said.get("stopped", ""),
        ending=said["ending"]["reason"] if "ending" in said else "",
        explained=said.get("explained", ""),
        house=header.get("rules"),
        shard=header.get("shard", ""),
        sandbox=header.get("sandbox"),
    )


def _result(line: Mapping[str, Any]) -> Checked:
    more: dict[str, Any] = {key: line[key] for key in _WORDS if key in line}
    more |= {key: tuple(line[key]) for key in _LISTS if key in line}
    return Checked(
        check=line["check"],
        title=line["title"],
        file=line["file"],
        cites=tuple(line["cites"]),
        status=Status(line["status"]),
        milliseconds=int(line["milliseconds"]),
        line=int(line.get("line", 0)),
        failure=from_record(line, line["told"]) if "told" in line else None,
        **more,
    )


def _cause(data: Mapping[str, Any], results: Mapping[str, Mapping[str, Any]]) -> CauseView:
    """Return a cause; its example is its first check, with the rule at work in all its checks if one is recorded."""
    first = results[data["checks"][0]]
    told = data.get("told") or first.get("told")
    return CauseView(
        data["cause"],
        data.get("says") or data["cause"],
        tuple(data["checks"]),
        tuple(data["comes_from"]),
        RuleAtWork(**data["rule"]) if "rule" in data else None,
        from_record(first, told) if told else None,
    )
