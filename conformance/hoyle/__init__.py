"""The rules of Bézique and Piquet as a library: play, check an engine, explain a position.

    import hoyle

    game = hoyle.Game(hoyle.rules("bezique-hoyle"))

The names in `__all__` are the interface. docs/library.md introduces them. A module is imported when one of its names is
first needed, so that `import hoyle` takes no time.
"""

TYPE_CHECKING = False  # as in `typing`, whose import would take longer than this whole module
if TYPE_CHECKING:
    from hoyle._actions import Action
    from hoyle._chance import ChanceOutcomes
    from hoyle._check import Run, check
    from hoyle._errors import (
        EngineError,
        HoyleError,
        IllegalActionError,
        NotationError,
        NotNowError,
        RulesError,
        UnknownNameError,
    )
    from hoyle._game import Game
    from hoyle._load import rules, rulesets
    from hoyle._positions import Position
    from hoyle._questions import Answer, Combination, Ruling, Settlement, Worth
    from hoyle._rules import Rules
    from hoyle._suite import Clause, Ruleset, Scenario, Suite, explain, suite
    from hoyle._views import InformationState, Observation
    from hoyle_conformance import __version__

__all__ = [
    "Action",
    "Answer",
    "ChanceOutcomes",
    "Clause",
    "Combination",
    "EngineError",
    "Game",
    "HoyleError",
    "IllegalActionError",
    "InformationState",
    "NotNowError",
    "NotationError",
    "Observation",
    "Position",
    "Rules",
    "RulesError",
    "Ruleset",
    "Ruling",
    "Run",
    "Scenario",
    "Settlement",
    "Suite",
    "UnknownNameError",
    "Worth",
    "__version__",
    "check",
    "explain",
    "rules",
    "rulesets",
    "suite",
]

#: The modules that define them, those that load the harness last.
_MODULES = (
    *("_errors", "_actions", "_chance", "_views", "_questions", "_rules", "_positions", "_game"),
    *("_load", "_suite", "_check"),
)


def __getattr__(name: str) -> object:
    """Import the module that defines a name, and cache the named object."""
    from importlib import import_module

    if name == "__version__":
        return import_module("hoyle_conformance").__version__
    for module in (f"hoyle.{each}" for each in _MODULES if name in __all__):
        value: object = vars(import_module(module)).get(name)
        if getattr(value, "__module__", "") == module:
            globals()[name] = value
            return value
    raise AttributeError(f"module 'hoyle' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
