"""The adequacy report as data: `adequacy.schema.json` describes each of its four forms."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from hoyle_conformance.tools.adequacy.code_figures import CodeFigures, verdict_row
from hoyle_conformance.tools.adequacy.code_mutants import CodeVerdict
from hoyle_conformance.tools.adequacy.crossings import CrossingRow
from hoyle_conformance.tools.adequacy.evidence import Evidence
from hoyle_conformance.tools.adequacy.measure import Measurement
from hoyle_conformance.tools.adequacy.silence import Choice
from hoyle_conformance.tools.adequacy.waivers import WaiverScope


def measurements_data(found: Iterable[Measurement], unused: Iterable[WaiverScope], lost: str) -> dict[str, Any]:
    """Return the measures of rulesets; `lost` explains why some rulesets have none."""
    return {
        "measured": "mutants",
        "lost": lost,
        "measures": [_measure_data(each) for each in found],
        "unused_waivers": _waivers_data(unused),
    }


def _measure_data(found: Measurement) -> dict[str, Any]:
    return {
        "ruleset": found.ruleset,
        "measure": found.measure,
        "mutants": found.of,
        "by_checks": found.noticed,
        "by_games_only": len(found.noticed_by_games),
        "excused": len(found.excused),
        "surviving": len(found.surviving),
        "unnoticed": [{"mutant": each.what, "reason": each.reason, "game": each.game} for each in found.missing],
    }


def evidence_data(found: Iterable[Evidence]) -> dict[str, Any]:
    """Return the other values of rules, with the positions that tell each from the ruleset."""
    return {"measured": "evidence", "values": [_value_data(each) for each in found]}


def _value_data(found: Evidence) -> dict[str, Any]:
    return {
        "ruleset": found.ruleset,
        "cell": found.path,
        "has": found.own,
        "not": found.other,
        "as_in": found.whose,
        "positions": list(found.positions),
        "wanted": found.wanted,
        "reason": found.because,
        "enough": not found.is_thin,
    }


def silence_data(found: Iterable[Choice], unused: Sequence[str]) -> dict[str, Any]:
    """Return the other values of cells that are not stated, with the checks that fail for each."""
    values = [
        {**asdict(each), "checks": list(each.checks), "reason": each.because, "needs_a_reason": each.is_unreviewed}
        for each in found
    ]
    return {"measured": "silence", "values": values, "unused_reasons": list(unused)}


def code_data(
    found: Iterable[CodeVerdict], figures: CodeFigures, unused: Iterable[WaiverScope], lost: str
) -> dict[str, Any]:
    """Return the verdicts on code mutants; `lost` explains why some were not tried."""
    tried, by_checks, by_games, excused, surviving = figures.counts
    return {
        "measured": "code",
        "lost": lost,
        "in_all": figures.in_all,
        "mutants": tried,
        "by_checks": by_checks,
        "by_games_only": by_games,
        "excused": excused,
        "surviving": surviving,
        "verdicts": [verdict_row(each) for each in found],
        "unused_waivers": _waivers_data(unused),
    }


def crossings_data(rows: Sequence[CrossingRow], unused: Iterable[WaiverScope]) -> dict[str, Any]:
    """Return the crossings that were met, with the numbers of games and checks that meet each."""
    return {
        "measured": "crossings",
        "crossings": [
            {
                "effect": each.effect,
                "state": each.state,
                "games": each.games,
                "checks": each.checks,
                "reason": each.reason,
                "needs_a_check": each.is_missing,
            }
            for each in rows
        ],
        "unused_waivers": _waivers_data(unused),
    }


def _waivers_data(unused: Iterable[WaiverScope]) -> list[dict[str, str]]:
    """Return the scopes of waivers that match nothing."""
    return [{"measure": each.measure, "ruleset": each.ruleset, "what": each.what} for each in unused]
