"""The search of the site: the browser finds what the command finds, and what players ask is answered first."""

import gzip
import json
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from shutil import which

import pytest

from conftest import ROOT, need, the_suite
from hoyle_conformance.files.stems import stem, words
from hoyle_conformance.search.asked import ASKED
from hoyle_conformance.search.finding import find, index
from hoyle_conformance.search.things import Kind
from hoyle_conformance.site import searching
from hoyle_conformance.site.pages import documents

SUITE = the_suite()
LISTED = list(searching.everything(SUITE, documents(ROOT)))
AMONG = index([each.thing for each in LISTED])
PAGE, SCRIPT = searching.files(SUITE, documents(ROOT))
#: A tenth of what the search of the first site loaded, and what is sent of it.
MOST_BYTES, MOST_SENT = 1_080_000, 250_000
#: So many questions of a few words each are put to both.
SOME = 80

NODE = """
const [finding, index, questions] = process.argv.slice(1).map((path) => require("fs").readFileSync(path, "utf8"));
const window = {};
new Function("window", finding)(window);
new Function("window", index)(window);
const { stem, words, ready } = window.hoyleFinding;
const asked = JSON.parse(questions);
const among = ready(window.HOYLE_INDEX);
const said = {
  stems: window.HOYLE_INDEX.words.split(" ").map(stem),
  words: asked.map(words),
  found: asked.map((text) => among.find(text)),
  meant: ["marrige agan", "quatorse", "qqqqqqq", "", "rubikon"].map(among.meant),
};
process.stdout.write(JSON.stringify(said));
"""

#: What two players ask, and what answers it: read, and held.
ANSWERS = {
    "revoke": "rulesets/piquet-hoyle.html#referee.irregularities.revoke",
    "to score": "#declare.to_score",
    "Q♠ J♦": "#declare.melds.bezique",
    "qs jd": "#declare.melds.bezique",
    "queen of spades jack of diamonds": "#declare.melds.bezique",
    "law 55": "sources/hoyle.html#rubicon-law-55",
}


@pytest.fixture(scope="module")
def questions() -> list[str]:
    """Every question that is held, every phrase that players ask by, and words of the index taken at random."""
    chance = random.Random(17)
    some = [" ".join(chance.choices(AMONG.words, k=chance.randint(1, 5))) for _ in range(SOME)]
    titles = [each.thing.title for each in chance.sample(LISTED, SOME)]
    odd = [
        "",
        "…",
        "who is the",
        "the the",
        "1,000 points",
        "12,3456",
        "Straße",
        "<b>bold</b>",
        "__proto__ constructor",
        "qu",
        "quat",
    ]
    phrases = [phrase for line in ASKED.values() for phrase in line.split("|")]
    return [*ANSWERS, *phrases, *odd, *titles, *(text[:9] for text in titles), *some]


def test_the_browser_finds_what_the_command_finds(tmp_path: Path, questions: list[str]) -> None:
    """The same words, stems and things in the same order, of all words of the index and of many questions."""
    need(which("node"), "node")
    files = {"index.js": SCRIPT.text, "questions.json": json.dumps(questions)}
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    paths = [str(ROOT / "docs/assets/finding.js"), *(str(tmp_path / name) for name in files)]
    done = subprocess.run(["node", "-e", NODE, *paths], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.stderr == ""
    said = json.loads(done.stdout)
    assert said["stems"] == [stem(word) for word in AMONG.words]
    assert said["words"] == [words(text) for text in questions]
    numbers = {id(thing): number for number, thing in enumerate(AMONG.things)}
    for text, found in zip(questions, said["found"], strict=True):
        assert found == [numbers[id(thing)] for thing in find(AMONG, text)], text
    assert said["meant"] == ["marriage again", "quatorze", "", "", "rubicon"]
