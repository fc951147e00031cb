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
    from hoyle._rules import Rules
    from hoyle._suite import Clause, Ruleset, Scenario, Suite, explain, suite
    from hoyle._views import InformationState, Observation
    from hoyle_conformance import __version__

__all__ = [
    "Action",
    "ChanceOutcomes",
    "Clause",
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
    "Run",
    "Scenario",
    "Suite",
    "UnknownNameError",
    "__version__",
    "check",
    "explain",
    "rules",
    "rulesets",
    "suite",
]

#: The modules, with the names that each provides.
_WHERE = {
    "hoyle._actions": ("Action",),
    "hoyle._chance": ("ChanceOutcomes",),
    "hoyle._check": ("Run", "check"),
    "hoyle._errors": (
        "EngineError",
        "HoyleError",
        "IllegalActionError",
        "NotNowError",
        "NotationError",
        "RulesError",
        "UnknownNameError",
    ),
    "hoyle._game": ("Game",),
    "hoyle._load": ("rules", "rulesets"),
    "hoyle._positions": ("Position",),
    "hoyle._rules": ("Rules",),
    "hoyle._suite": ("Clause", "Ruleset", "Scenario", "Suite", "explain", "suite"),
    "hoyle._views": ("InformationState", "Observation"),
    "hoyle_conformance": ("__version__",),
}


def __getattr__(name: str) -> object:
    """Import the module of a name, and cache the named object."""
    from importlib import import_module

    for module, names in _WHERE.items():
        if name in names:
            value: object = getattr(import_module(module), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'hoyle' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
