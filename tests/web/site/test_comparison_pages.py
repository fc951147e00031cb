"""Books set side by side, open questions, when something goes wrong, and the ledgers: nothing is left out on their
pages, and nothing is said twice."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import comparison_pages as comparison
from hoyle_conformance.web.site import dispute_pages as disputes
from hoyle_conformance.web.site import irregularity_pages as irregularities
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.comparison_pages import short
from hoyle_conformance.web.site.dispute_pages import questions
from hoyle_conformance.web.site.links import clause_path, source_parts
from hoyle_conformance.web.site.page import Page, anchor, href, scenario_path
from hoyle_conformance.wording.citations import place
from hoyle_conformance.wording.comparison import compare_rules
from hoyle_conformance.wording.html import drawn, text
from hoyle_conformance.wording.rulebook_entries import Entry, chapters
from protocol_pages import vocabulary as vocabulary_of

pytestmark = pytest.mark.slow

ROW = re.compile(r'<tr id="([^"]+)" class="(same|differs)" role="row">(.*?)</tr>')
CASE = re.compile(r'<article class="irregularity" id="([^"]+)">(.*?)</article>')
CLAUSE = re.compile(r'<article class="clause" id="([^"]+)" title="[^"]+">(.*?)</article>')


def body(made: dict[str, Page], path: str) -> str:
    return made[path.replace(".html", ".md")].body


def below(made: dict[str, Page], path: str) -> str:
    """The chapters of a page that is parted, one after another."""
    folder = path.removesuffix(".html").removesuffix(".md") + "/"
    return "".join(page.body for path, page in made.items() if path.startswith(folder))


def moved(made: dict[str, Page], path: str) -> dict[str, str]:
    """The old addresses on a page that is parted, each with the path and anchor that it leads to."""
    links = re.findall(r'<a id="([^"]+)" data-moved href="([^"]+)"', body(made, path))
    return {id_: f"{path.rpartition('/')[0]}/{to}" for id_, to in links}


def seen(html: str) -> str:
    """What is read of some HTML."""
    return re.sub(r"<[^>]*>", " ", html)


def games_of(suite: Suite) -> Iterator[tuple[str, list[str]]]:
    for game in suite.rules.games:
        yield game, links.in_order(suite, game)


def rules_of(suite: Suite, ruleset: str) -> Iterator[Entry]:
    for chapter in chapters(suite, suite.rules.cells(ruleset)):
        yield from chapter.entries


def test_every_rule_of_every_book_stands_beside_the_others_at_its_address(suite: Suite, made: dict[str, Page]) -> None:
    for game, names in games_of(suite):
        rows = {path: inside for path, _, inside in ROW.findall(below(made, comparison.path_of(game)))}
        rules = {name: {entry.cell.path: entry for entry in rules_of(suite, name)} for name in names}
        assert set(rows) == {path for entries in rules.values() for path in entries}
        for path, inside in rows.items():
            cells = re.findall(r"<td .*?</td>", inside)
            assert len(cells) == len(names)
            for name, cell in zip(names, cells, strict=True):
                entry = rules[name].get(path)
                said = (
                    [drawn(entry.sentence), short(entry), f'href="../../rulesets/{name}.html#{path}"']
                    if entry
                    else ["—"]
                )
                assert all(each in cell for each in said), (name, path)
                assert (f'href="../open.html#{path}"' in cell) == bool(entry and entry.readings)


def test_the_old_address_of_a_rule_leads_to_its_chapter(suite: Suite, made: dict[str, Page]) -> None:
    for game, names in games_of(suite):
        leads = moved(made, comparison.path_of(game))
        assert set(leads) == {entry.cell.path for name in names for entry in rules_of(suite, name)}
        for path, to in leads.items():
            assert to == comparison.rule_address(suite, game, path)
            assert f'<tr id="{path}"' in body(made, to.partition("#")[0])


def test_two_books_have_a_page_of_their_differences(suite: Suite, made: dict[str, Page]) -> None:
    books = ("bezique-hoyle", "bezique-bicycle")
    page = body(made, comparison.pair_path("Bézique", ("Hoyle", "Bicycle")))
    differing = {row.path for row in compare_rules(suite, books) if row.differs and ".irreg" not in row.path}
    assert set(re.findall(r"\?books=bezique-hoyle,bezique-bicycle#([\w.-]+)", page)) >= differing


def test_every_open_question_stands_on_the_page_of_its_game_and_on_its_own(suite: Suite, made: dict[str, Page]) -> None:
    for game, names in games_of(suite):
        page = body(made, disputes.open_path(game))
        for name in names:
            for entry in rules_of(suite, name):
                own = body(made, disputes.path_of(entry.cell.path)) if entry.readings else ""
                for reading in entry.readings:
                    argument = seen(reading.argument).split("(")[0].strip()
                    assert text(argument) in seen(page), (name, entry.cell.path)
                    assert text(argument) in seen(own)
                    assert drawn(reading.sentence) in own
                if entry.readings:
                    assert f'id="{entry.cell.path}"' in page
                    assert href(disputes.path_of(entry.cell.path), disputes.open_path(game)) in page
                    assert f"rulesets/{name}.html#{entry.cell.path}" in own


def test_open_questions_are_questions_each_put_by_hand_and_once(suite: Suite) -> None:
    for game in suite.rules.games:
        asked = [each for some in questions(suite, game).values() for each in some]
        assert all(each.asks.endswith("?") for each in asked)
        assert not any(each.asks.startswith(("What is the rule:", "What is the ruling:")) for each in asked)
        assert max(Counter(each.asks for each in asked).values()) == 1
    open_ = {entry.cell.path for name in suite.rules.names for entry in rules_of(suite, name) if entry.readings}
    words = vocabulary_of(suite.root, suite.schemas)
    cells = {path for path, says in words.items() if "question" in says}
    rows = {f"{path}.{row}" for path, says in words.items() for row in says.get("questions", ())}
    assert cells | rows == open_


def test_a_question_leads_to_the_positions_that_turn_on_it(suite: Suite, made: dict[str, Page]) -> None:
    for scenario in suite.scenarios.values():
        for path in {path for reading in scenario.readings for path in reading.cells}:
            own = disputes.path_of(path)
            assert f'href="{href(scenario_path(scenario), own)}"' in body(made, own)


def test_every_ruling_stands_under_its_irregularity(suite: Suite, made: dict[str, Page]) -> None:
    for game, names in games_of(suite):
        page = body(made, irregularities.path_of(game))
        cases = dict(CASE.findall(page))
        cells = [(name, cell) for name in names for cell in suite.rules.cells(name).rows("referee.irregularities")]
        assert set(cases) == {cell.path for _, cell in cells}
        for name, cell in cells:
            case = cases[cell.path]
            assert f'<span id="{cell.value["id"]}">' in case  # the short address it had
            assert text(cell.value["title"]) in seen(case) or text(cell.value["title"].rstrip(".")) in seen(case)
            assert drawn(cell.value["ruling"]) in case
            assert f"rulesets/{name}.html#{cell.path}" in case
            assert all(text(place(suite, suite.clauses[clause])) in seen(case) for clause in cell.cites)
            assert not cell.readings or href(disputes.path_of(cell.path), irregularities.path_of(game)) in case


def test_every_clause_shows_the_rules_that_rest_on_it_and_the_positions_that_test_it(
    suite: Suite, made: dict[str, Page]
) -> None:
    tests: dict[str, set[str]] = {}
    for check in suite.index.checks.values():
        for clause in check.cites:
            tests.setdefault(clause, set()).add(scenario_path(check.scenario))
    for source in suite.sources.values():
        here = f"sources/{source.id}/chapter.html"
        shown = dict(CLAUSE.findall(below(made, f"sources/{source.id}")))
        assert list(shown) == [anchor(clause.id) for clause in source.clauses]
        for clause in source.clauses:
            inside, of = shown[anchor(clause.id)], tests.get(clause.id, set())
            assert all(f'href="{href(path, here)}"' in inside for path in of)
            assert (f"<summary>{len(of)} position" in inside) == bool(of)
            way = f"{clause.where}." in inside and ("Read it in" in inside or "To read it: " in inside)
            assert way == (source.provenance["rights"] == "in the public domain"), clause.id
            for note in (clause.decided, clause.not_testable, clause.damage.restored if clause.damage else ""):
                assert text(note.split("/")[0].rpartition(" ")[0]) in inside
        for ruleset in suite.rulesets:
            for cell in suite.rules.cells(ruleset):
                for clause in (each for each in cell.cites if each.startswith(f"{source.id}/")):
                    assert f'href="../../rulesets/{ruleset}.html#{cell.path}"' in shown[anchor(clause)]


def test_the_old_address_of_a_clause_leads_to_its_chapter(suite: Suite, made: dict[str, Page]) -> None:
    for source in suite.sources.values():
        leads = moved(made, f"sources/{source.id}.html")
        own = [anchor(clause.id) for clause in source.clauses]
        assert set(leads) == {*own, *(part.anchor for part in source_parts(source))}
        for id_, to in leads.items():
            assert f'id="{id_}"' in body(made, to.partition("#")[0])
        for clause in source.clauses:
            assert leads[anchor(clause.id)] == clause_path(suite, clause.id)
