"""Problems of positions and steps under a ruleset, in words for a person who touches cards."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.web.explorer.validate import LayoutFault
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.text import sentence
from hoyle_reference import Malformed

if TYPE_CHECKING:
    from hoyle_conformance.web.explorer.rulesets import AskedRuleset

#: What is said of a position of which nothing, or several things at once, say where the game stands.
_STANDS: Final = (
    "The position must give the state of the game exactly once.",
    "Choose who leads, who has won the trick, or who is to exchange or announce; or begin before the deal.",
)
#: An act or a question that a game does not have.
_NO_SUCH: Final = re.compile(r"no (act|question) '[\w-]+' in this game")
_CARD: Final = re.compile(r"\b[789TJQKA][CDHS](#[2-8])?(?![\w#])")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is in the way, the remedy, and the place in the layout, under `given` or in the steps."""

    says: str
    remedy: str
    path: tuple[str | int, ...] = ()

    @property
    def cannot(self) -> dict[str, str]:
        """What a page says of it."""
        return {"says": self.says, "remedy": self.remedy}


def incomplete(error: CannotSetUp, asked: "AskedRuleset") -> Problem:
    """Return the problem of a position that cannot be completed, or of a step that names what the game does not
    have."""
    says, remedy = error.at_the_table
    return Problem(_said(says, asked), _said(remedy, asked), error.path)


def malformed(error: Malformed, asked: "AskedRuleset", path: tuple[str | int, ...] = ()) -> Problem:
    """Return the problem of what the interpreter finds malformed: it says why, whatever the rules."""
    what = "this position" if not path else "this step"
    remedy = "Change the position." if not path else "Change or remove this step."
    return Problem(
        _said(f"under these rules {what} makes no sense: {_NO_SUCH.sub(_none, error.message)}", asked), remedy, path
    )


def _none(found: re.Match[str]) -> str:
    return f"the game has no such {found[1]}"


def broken(_error: Exception, path: tuple[str | int, ...] = ()) -> Problem:
    """Return the problem that the interpreter cannot play on."""
    says = "The game cannot go on from here: these rules contradict each other in this position."
    return Problem(says, "Undo the last change to the rules or the position.", path)


def misshapen(fault: LayoutFault, path: tuple[str | int, ...] = ()) -> Problem:
    """Return the problem of what has not the form of a position or of a step."""
    whole = (*path, *fault.path)
    if not whole:
        return Problem(*_STANDS)
    remedy = "Remove this step, or state it again." if path else "Correct or remove it."
    return Problem(_pretty(fault.says), remedy, whole)


def together(found: Iterable[tuple[str, Problem]]) -> list[dict[str, Any]]:
    """Problems of rulesets, those alike together, each with its rulesets."""
    alike: dict[Problem, list[str]] = {}
    for ruleset, problem in found:
        alike.setdefault(problem, []).append(ruleset)
    return [{**problem.cannot, "path": list(problem.path), "rulesets": rulesets} for problem, rulesets in alike.items()]


def _said(words: str, asked: "AskedRuleset") -> str:
    """Words in which the ruleset is called as people call it, and cards are printed."""
    return _pretty(words.replace(f"under {asked.rules.id}", "under these rules"))


def _pretty(words: str) -> str:
    return sentence(_CARD.sub(lambda found: printed.card(found[0]), words)) if words else ""
