"""The inputs that a corpus begins with: files of the suite and the tests, games, and requests about both."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import yaml

from hoyle import Game
from hoyle import rules as rules_named
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.engine import Engine
from hoyle_conformance.web.explorer.layout import link_of

from . import messages, transcripts
from .target import Input

_ROOT: Final = Path(__file__).resolve().parents[2]
#: Of so many scenario files, one is taken; and after so many acts, a game.
_EVERY: Final = 40
_ACTS: Final = (1, 5, 30)
_COOKIE: Final = "Host: 127.0.0.1:8000\r\nCookie: hoyle-8000=token\r\n"
_SETTINGS: Final = {
    "baseline.txt": "melds.bezique@bezique-hoyle crash  # zero\nmelds.*@rubicon-*\n",
    "hoyle.toml": 'command = ["./my-adapter"]\nruleset = ["bezique-hoyle"]\ntimuout = 5\n',
    "pyproject.toml": '[tool.hoyle]\ncommand = "./my-adapter --fast"\nruleset = "bezique"\n',
}


def seeds(target: str, suite: Suite) -> Iterator[bytes]:
    """Yield the seeds of a target, in an order that stays."""
    for variant, content in _SEEDS[target](suite):
        yield bytes(Input(variant, content.encode()))


def _files(_suite: Suite) -> Iterator[tuple[str, str]]:
    yield "house", "id: a\ntitle: Ours\nextends: bezique-hoyle\nrules: {settle.target: 1500}\n"
    for kind in ("scenario", "ruleset", "source"):
        yield from ((kind, path.read_text("utf-8")) for path in _some(kind))
    for path in sorted((_ROOT / "tests/faulty").glob("*.yaml")):
        texts = (each["text"] for each in yaml.load(path.read_bytes(), yaml.CSafeLoader).values())
        yield from ((path.stem, text) for text in texts if isinstance(text, str))


def _messages(suite: Suite) -> Iterator[tuple[str, str]]:
    respond = Reference(suite)
    for name in messages.VARIANTS:
        request = planner_of(suite).request(suite.index.checks[name])
        yield name, "\n" + json.dumps(respond({"type": "run", "seq": 1, **request.message}))


def _table(suite: Suite) -> Iterator[tuple[str, str]]:
    for line in ("GET /assets/table-playing.js", "POST /ask"):
        yield "http", f"{line} HTTP/1.1\r\n{_COOKIE}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
    for layout in _layouts():
        ruleset = layout["rulesets"][0]
        of = {"layout": layout, "ruleset": ruleset, "game": {"v": 1, "ruleset": ruleset, "people": ["A"], "seed": 1}}
        for ask in Engine(suite).answers:
            yield "ask", json.dumps({"ask": ask, **of, "text": "KS QS", "seat": "A", "seed": 1})


def _records(_suite: Suite) -> Iterator[tuple[str, str]]:
    yield from (("run", path.read_text("utf-8")) for path in sorted((_ROOT / "tests/records").glob("*.jsonl")))


def _transcripts(_suite: Suite) -> Iterator[tuple[str, str]]:
    for game in _games():
        lines = [{"game": 1, "ruleset": game.rules.ruleset}, *(action.to_json() for action in game.actions)]
        yield from ((variant, "\n".join(map(json.dumps, lines))) for variant in (game.rules.ruleset, "any"))


def _texts(_suite: Suite) -> Iterator[tuple[str, str]]:
    yield "cards", "AS TH#2 9d"
    for game in _games():
        yield from (("game", game.to_text()), ("json", json.dumps(game.to_json())))
        yield "position", str(game.position())
    yield from (("link", link_of(layout)) for layout in _layouts())


def _some(kind: str) -> list[Path]:
    found = sorted((_ROOT / "spec").rglob(f"*.{kind}.yaml"))
    return found[::_EVERY] if kind == "scenario" else found


def _layouts() -> Iterator[dict[str, Any]]:
    """Yield the positions and steps of scenarios as layouts of the table."""
    for path in _some("scenario"):
        data = yaml.load(path.read_bytes(), yaml.CSafeLoader)
        if data.keys() >= {"given", "steps", "outcomes"}:
            rulesets = data["outcomes"][0]["rulesets"]
            yield {"v": 1, "rulesets": rulesets, "given": data["given"], "steps": data["steps"]}


def _games() -> Iterator[Game]:
    """Yield beginnings of random games, always the same ones."""
    for name in transcripts.VARIANTS[:-1]:
        game, rng = Game(rules_named(name)), Random(1)
        for count in range(1, max(_ACTS) + 1):
            game.apply_action(game.sample_chance(rng) if game.is_chance_node() else rng.choice(game.legal_actions()))
            if count in _ACTS:
                yield game.clone()


_SEEDS: Final[Mapping[str, Callable[[Suite], Iterator[tuple[str, str]]]]] = {
    "files": _files,
    "messages": _messages,
    "table": _table,
    "records": _records,
    "transcripts": _transcripts,
    "settings": lambda _suite: iter(_SETTINGS.items()),
    "texts": _texts,
    "failing": lambda _suite: iter([("any", "short")]),
}
