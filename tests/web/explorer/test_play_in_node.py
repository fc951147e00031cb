"""The script that plays a game, run by Node with engines of its own: whom it asks, in which order, and what it does
with answers that come too late."""

import json
import subprocess
from shutil import which
from typing import Any

import pytest

from conftest import ROOT, need

SCRIPT = ROOT / "docs/assets/table-playing.js"
NODE = """
const fs = require("fs");
(0, eval)(fs.readFileSync(process.argv[1], "utf-8"));
const { Play } = globalThis.hoyleTable;

const OPPONENT = { kind: "opponent", seat: "B" };
// A game in which A and B play the numbers of the acts in turn, to six; B is the opponent.
const answer = (acts, done, more = {}) => ({
  game: { v: 1, people: ["A"], acts },
  number: acts.length,
  done: done.map((number) => ({ number, says: acts[number - 1] })),
  let_pass: [],
  waits_for: acts.length >= 6 ? { kind: "nobody" } : acts.length % 2 ? OPPONENT : { kind: "person", seat: "A" },
  ...more,
});
const asked = [];
let hold = null; // what an opponent waits for before it answers
let special = {}; // answers to the next request of a kind
const engine = (name) => ({
  async ask(request) {
    asked.push(`${name} ${request.ask}${request.level ? ` ${request.level}` : ""}`);
    if (special[request.ask]?.length) return special[request.ask].shift();
    const { acts } = request.game ?? {};
    if (request.ask === "sees") return { request: { ask: "opponent", seat: request.seat, of: acts.length } };
    if (request.ask === "opponent") {
      await hold;
      return { act: { by: "B", do: request.of + 1 } };
    }
    if (request.ask !== "play") return { asked: request };
    if (!request.act) return answer(acts, acts.length ? [acts.length] : []);
    return answer([...acts, `${request.act.by} ${request.act.do}`], [acts.length + 1]);
  },
});
const made = (more) => new Play({ engine: engine("engine"), opponent: engine("opponent"), ...more });
const told = {};
const tests = {
  async order() {
    const seen = [];
    const play = made({ onchange: ({ thinking, answer }) => seen.push([thinking, answer.number]) });
    await play.begin({ people: ["A"], seed: 1 });
    await play.act({ by: "A", do: 1 });
    return { asked, seen, log: play.log.map(({ number }) => number) };
  },
  async late() {
    const play = made();
    await play.begin({ people: ["A"] });
    let go;
    hold = new Promise((resolve) => (go = resolve));
    const first = play.act({ by: "A", do: 1 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const thinking = play.thinking;
    hold = null;
    await play.undo();
    const undone = play.game.acts;
    go();
    await first;
    return { thinking, undone, after: play.game.acts, still: play.thinking };
  },
  async refused() {
    const play = made();
    await play.begin({ people: ["A"] });
    const error = { says: "Refused: no.", remedy: "Another." };
    special = { play: [{ error }] };
    await play.act({ by: "A", do: "dance" });
    const told = [play.problem, play.game.acts];
    await play.act({ by: "A", do: 1 });
    return { told, then: [play.problem, play.game.acts] };
  },
  async greedy() {
    const play = made();
    await play.begin({ people: ["A"] });
    asked.length = 0;
    special = { opponent: [{ error: { says: "It has died.", remedy: "" } }] };
    await play.act({ by: "A", do: 1 });
    return { asked: [...asked], acts: play.game.acts };
  },
  async first() {
    const play = made();
    await play.begin({ people: ["A"] });
    const more = { waits_for: { ...OPPONENT, may_first: true }, let_pass: ["quint"] };
    special = { play: [answer(["A 1"], [1], more)] };
    await play.act({ by: "A", do: 1 });
    const stopped = [play.thinking, play.game.acts, play.letPass];
    await play.goOn();
    return { stopped, then: play.game.acts, letPass: play.letPass };
  },
};
(async () => {
  for (const [name, test] of Object.entries(tests)) {
    asked.length = 0;
    hold = null;
    special = {};
    told[name] = JSON.parse(JSON.stringify(await test()));
  }
  process.stdout.write(JSON.stringify(told));
})();
"""


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    need(which("node"), "node")
    done = subprocess.run(
        ["node", "-e", NODE, str(SCRIPT)], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.stderr == ""
    return json.loads(done.stdout)  # type: ignore[no-any-return] -- what the script prints


def test_opponents_are_asked_by_their_own_engine_with_what_they_know(told: dict[str, Any]) -> None:
    assert told["order"]["asked"] == [
        "engine play",
        *("engine play", "engine sees", "opponent opponent search", "engine play"),
    ]
    assert told["order"]["seen"] == [[False, 0], [True, 1], [False, 2]]
    assert told["order"]["log"] == [1, 2]


def test_an_act_that_comes_too_late_is_dropped(told: dict[str, Any]) -> None:
    assert told["late"] == {"thinking": True, "undone": [], "after": [], "still": False}


def test_a_refused_act_changes_nothing(told: dict[str, Any]) -> None:
    problem, acts = told["refused"]["told"]
    assert (problem["says"], acts) == ("Refused: no.", [])
    assert told["refused"]["then"] == [None, ["A 1", "B 2"]]


def test_an_opponent_that_fails_plays_greedily(told: dict[str, Any]) -> None:
    assert told["greedy"]["asked"][2:4] == ["opponent opponent search", "engine opponent greedy"]
    assert told["greedy"]["acts"] == ["A 1", "B 2"]


def test_a_person_who_may_act_first_is_waited_for(told: dict[str, Any]) -> None:
    assert told["first"]["stopped"] == [False, ["A 1"], ["quint"]]
    assert told["first"]["then"] == ["A 1", "B 2"]
    assert told["first"]["letPass"] == ["quint"]
