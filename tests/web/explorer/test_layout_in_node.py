"""Laying out: what the page does with the cards, before anybody draws it or answers. Run by Node, on every form."""

import json
import subprocess
from pathlib import Path
from shutil import which

import pytest

from conftest import ROOT, need
from hoyle_conformance.checks.plan import complete
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.games import inline
from hoyle_conformance.web.explorer.layout import with_trumps

pytestmark = pytest.mark.slow

SCRIPTS = [str(ROOT / f"docs/assets/{name}.js") for name in ("cards", "table-store", "table-given")]
#: Lays cards at random, each time one and back again, and says what did not come out as it went in.
NODE = """
const fs = require("fs");
const [data, ...scripts] = process.argv.slice(1);
globalThis.localStorage = { getItem: () => null, setItem() {} };
globalThis.location = { href: "http://localhost/", hash: "" };
for (const script of scripts) (0, eval)(fs.readFileSync(script, "utf-8"));
const table = globalThis.hoyleTable;
const { forms, sets } = JSON.parse(fs.readFileSync(data, "utf-8"));
let seed = 18;
const below = (most) => (seed = (seed * 48271) % 2147483647) % most;
const one = (some) => some[below(some.length)];
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const wrong = [];
const held = (is, what) => is || wrong.push(what);
const laid = {};
for (const form of forms) {
  let given = form.start;
  for (let time = 0; time < 300; time += 1) {
    const pile = one(table.piles(form));
    const face = one([...form.ranks]) + one([..."CDHS"]);
    const card = table.next(form, given, pile, face);
    if (!card) {
      held(pile.refers || !table.left(form, given, face), `${form.key}: no ${face} is left`);
      continue;
    }
    const before = table.lying(given, pile);
    const after = table.put(form, given, pile, card);
    held(!before.includes(card) && table.lying(after, pile).includes(card), `${form.key}: ${card} into ${pile.id}`);
    const back = table.take(after, pile, card);
    held(pile.one || same(table.lying(back, pile), before), `${form.key}: ${card} back from ${pile.id}`);
    const twice = table.lying(table.rest(table.rest(after, pile), pile), pile);
    held(same(twice.toSorted(), table.lying(after, pile).toSorted()), `${form.key}: the rest of ${pile.id}`);
    const lies = table.everywhere(form, after);
    held(new Set(lies.map((each) => each.card)).size === lies.length, `${form.key}: ${card} lies twice`);
    const used = table.used(form, after, face).length;
    const all = used + table.left(form, after, face);
    held(all === form.packs, `${form.key}: ${face} are not all there`);
    const to = one(table.piles(form).filter((each) => !each.refers && !each.one));
    const there = table.lying(table.move(form, after, pile, to, card), to);
    held(pile.refers || to.id === pile.id || there.includes(card), `${form.key}: ${card} to ${to.id}`);
    if (below(3)) given = after;
  }
  const store = new table.Store({ forms, sets }, null);
  const layouts = [];
  for (let time = 0; time < 40; time += 1) {
    const pile = one(table.piles(form));
    const card = table.next(form, store.layout.given, pile, one([...form.ranks]) + one([..."CDHS"]));
    if (!card) continue;
    layouts.push(structuredClone(store.layout));
    store.note = () => {};
    store.change(({ given, ...rest }) => ({ ...rest, given: table.put(form, given, pile, card) }), "laid");
  }
  const last = structuredClone(store.layout);
  for (const layout of layouts.toReversed()) { store.undo(); held(same(store.layout, layout), `${form.key}: undo`); }
  while (store.canRedo) store.redo();
  held(same(store.layout, last), `${form.key}: redo`);
  const hand = table.piles(form)[0];
  laid[form.key] = table.put(form, table.put(form, form.start, hand, "QS"), hand, "AH");
}
process.stdout.write(JSON.stringify({ wrong, laid }));
"""


@pytest.fixture(scope="module")
def said(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    need(which("node"), "node")
    data: Path = tmp_path_factory.mktemp("table") / "forms.json"
    data.write_text(json.dumps(inline(suite)), "utf-8")
    command = ["node", "-e", NODE, str(data), *SCRIPTS]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.stderr == ""
    return json.loads(done.stdout)  # type: ignore[no-any-return] -- what the script prints


def test_a_card_goes_where_it_is_laid_and_comes_back(said: dict[str, dict[str, object]]) -> None:
    assert said["wrong"] == []


def test_what_is_laid_on_an_empty_table_is_a_position(suite: Suite, said: dict[str, dict[str, object]]) -> None:
    for form in inline(suite)["forms"]:
        for ruleset in form["rulesets"]:
            given = said["laid"][form["key"]]
            rules = suite.rules.of(ruleset["id"])
            position = complete(rules, with_trumps(rules, given), [])  # type: ignore[arg-type] -- read as JSON
            assert {"QS", "AH"} <= set(position["hands"]["A"]), ruleset["id"]
