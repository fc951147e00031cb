"""Books set side by side, open questions, when something goes wrong, and the ledgers: nothing is left out on their
pages, and nothing is said twice."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from hoyle_conformance.checks.preludes.store import outlined, prelude_of
from hoyle_conformance.checks.request import NoPrelude
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import vocabulary as vocabulary_of
from hoyle_conformance.web.site import comparison_pages as comparison
from hoyle_conformance.web.site import dispute_pages as disputes
from hoyle_conformance.web.site import irregularity_pages as irregularities
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.comparison_pages import short
from hoyle_conformance.web.site.dispute_pages import alike, questions
from hoyle_conformance.web.site.links import clause_path, source_chapters, source_parts
from hoyle_conformance.web.site.page import Page, anchor, href, scenario_path
from hoyle_conformance.wording import citations, rulings
from hoyle_conformance.wording.citations import place
from hoyle_conformance.wording.comparison import compare_rules
from hoyle_conformance.wording.html import drawn, text
from hoyle_conformance.wording.rulebook_entries import Entry, chapters

pytestmark = pytest.mark.slow

ROW = re.compile(r'<tr id="([^"]+)" class="(same|differs)" role="row">(.*?)</tr>')
QUESTION = re.compile(r'<article class="question" id="([^"]+)">(.*?)</article>')
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


def test_what_differs_can_be_seen_in_a_few_words(suite: Suite, made: dict[str, Page]) -> None:
    """Few words are the same where the sentences are, and nowhere else; of what is irregular the ruling is compared."""
    for game, names in games_of(suite):
        marked = {path: mark == "differs" for path, mark, _ in ROW.findall(below(made, comparison.path_of(game)))}
        for line in compare_rules(suite, names):
            sentences = {entry and entry.sentence for entry in line.entries}
            few = {entry and short(entry) for entry in line.entries}
            assert len(few) == len(sentences), line.path
            assert marked[line.path] == (len(sentences) > 1)


def test_few_words_are_few(suite: Suite) -> None:
    for ruleset in suite.rulesets:
        for entry in rules_of(suite, ruleset):
            if not rulings.is_irregularity(entry.cell.value):
                assert 0 < len(seen(short(entry))) <= 80, entry.cell.path
                assert "-" not in seen(short(entry)).replace("non-dealer", "").replace("turn-up", ""), entry.cell.path


def test_the_two_books_to_begin_with_are_of_one_form_and_differ_most(suite: Suite, made: dict[str, Page]) -> None:
    for game, names in games_of(suite):
        first = comparison.first_two(suite, game)
        assert f'data-first="{" ".join(first)}"' in below(made, comparison.path_of(game))
        assert len({citations.form(suite, name) for name in first}) == 1
        differ = {
            (one, two): sum(line.differs for line in compare_rules(suite, [one, two]))
            for at, one in enumerate(names)
            for two in names[at + 1 :]
            if citations.form(suite, one) == citations.form(suite, two) == citations.form(suite, first[0])
        }
        assert differ[first] == max(differ.values())


def test_a_rule_leads_to_the_other_books_of_its_form(suite: Suite) -> None:
    for ruleset in suite.rulesets:
        path, _, chosen = comparison.rule_beside_others(suite, ruleset, "players.number").partition("?books=")
        names = chosen.removesuffix("#players.number").split(",")
        assert path == comparison.rule_address(suite, suite.rulesets[ruleset].game, "players.number").partition("#")[0]
        assert ruleset in names
        assert 1 < len(names) == len(set(names))
        assert {*names} <= {each.id for each in suite.rules.games[suite.rulesets[ruleset].game]}
        alike = {name for name in suite.rulesets if citations.form(suite, name) == citations.form(suite, ruleset)}
        assert alike <= {*names}
        assert alike in ({*names}, {ruleset})


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
        asked = [each for chapter in questions(suite, game) for each in chapter.questions]
        assert all(each.asks.endswith("?") for each in asked)
        assert not any(each.asks.startswith(("What is the rule:", "What is the ruling:")) for each in asked)
        assert max(Counter(each.asks for each in asked).values()) == 1
    open_ = {entry.cell.path for name in suite.rules.names for entry in rules_of(suite, name) if entry.readings}
    words = vocabulary_of(suite.root, suite.schemas)
    cells = {path for path, says in words.items() if "question" in says}
    rows = {f"{path}.{row}" for path, says in words.items() for row in says.get("questions", ())}
    assert cells | rows == open_


def test_a_doubt_that_books_share_stands_once(suite: Suite, made: dict[str, Page]) -> None:
    """Tables with the same doubt and the same readings of it are named together, and so are rules."""
    together = 0
    for game, names in games_of(suite):
        found = QUESTION.findall(body(made, disputes.open_path(game)))
        doubts = [inside.partition("<details>")[2].partition("Settled in")[0] for _, inside in found]
        assert max(Counter(re.sub(r'<span class="small">.*?</span>', "", doubt) for doubt in doubts).values()) == 1
        for path, inside in found:
            blocks = inside.partition("<details>")[2].partition("<h4>Settled in")[0].split("<h4>")[1:]
            says = [
                (seen(block).split("Followed here")[0].partition(".")[2], block.partition("<ul>")[2])
                for block in blocks
            ]
            assert max(Counter(says).values()) == 1, path
        asked = [each for chapter in questions(suite, game) for each in chapter.questions]
        together += len(asked) - len(found)
        assert {path for path, _ in found} <= {each.path for each in asked}
        for each in asked:
            concerned = [name for said in (*each.open, *each.settled) for name in said.entries]
            of_books = sorted(name for name in concerned if "+" not in name)  # an option alone may open it
            assert of_books == sorted(name for name in names if each.path in suite.rules.cells(name))
    assert together == sum(
        len(some) - 1 for game in suite.rules.games for chapter in questions(suite, game) for some in alike(chapter)
    )
    assert together > 2


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


def test_every_book_speaks_or_is_said_to_be_silent(suite: Suite, made: dict[str, Page]) -> None:
    for game, names in games_of(suite):
        sections = re.findall(r"<section>(.*?)</section>", body(made, irregularities.path_of(game)))
        assert len(sections) == len(irregularities.parts(suite, game))
        for section in sections:
            silent = section.partition("No rulings on this in")[2].partition("</p>")[0]
            for name in names:
                speaks = f"rulesets/{name}.html#" in section
                assert speaks != (f'rulesets/{name}.html"' in silent), (game, name)


def test_every_irregularity_has_its_part_of_the_game(suite: Suite) -> None:
    named = " ".join(irregularities.PARTS.values()).split()
    cells = [cell for name in suite.rulesets for cell in suite.rules.cells(name).rows("referee.irregularities")]
    assert sorted(named) == sorted({cell.value["id"] for cell in cells})


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
            for note in (clause.decided, clause.not_testable, clause.damage.restored if clause.damage else ""):
                assert text(note.split("/")[0].rpartition(" ")[0]) in inside
        for ruleset in suite.rulesets:
            for cell in suite.rules.cells(ruleset):
                for clause in (each for each in cell.cites if each.startswith(f"{source.id}/")):
                    assert f'href="../../rulesets/{ruleset}.html#{cell.path}"' in shown[anchor(clause)]


def test_a_source_is_parted_and_every_part_is_in_its_contents(suite: Suite, made: dict[str, Page]) -> None:
    for source in suite.sources.values():
        found = source_parts(source)
        assert [clause for part in found for clause in part.clauses] == list(source.clauses)
        assert [part for chapter in source_chapters(source) for part in chapter.parts] == found
        headings = re.findall(r'<h2 id="(part-[^"]+)"', below(made, f"sources/{source.id}"))
        assert sorted(headings) == sorted({part.anchor for part in found})
        assert len(headings) == len(found) > 4


def test_the_old_address_of_a_clause_leads_to_its_chapter(suite: Suite, made: dict[str, Page]) -> None:
    for source in suite.sources.values():
        leads = moved(made, f"sources/{source.id}.html")
        own = [anchor(clause.id) for clause in source.clauses]
        assert set(leads) == {*own, *(part.anchor for part in source_parts(source))}
        for id_, to in leads.items():
            assert f'id="{id_}"' in body(made, to.partition("#")[0])
        for clause in source.clauses:
            assert leads[anchor(clause.id)] == clause_path(suite, clause.id)


def test_no_chapter_of_a_source_is_long(suite: Suite, made: dict[str, Page]) -> None:
    """Each takes less than the fourth part of what its source took on one page."""
    for page in made.values():
        if page.path.startswith("sources/"):
            assert len(page.body) < 200_000, page.path
    for source in suite.sources.values():
        assert all(chapter.size > 3 for chapter in source_chapters(source)), source.id


def test_a_part_that_was_read_in_one_printing_alone_says_so_once(suite: Suite, made: dict[str, Page]) -> None:
    for source in suite.sources.values():
        alone = [(printing, each) for printing in source.printings for each in printing.alone]
        page = below(made, f"sources/{source.id}")
        assert page.count("From here on, only") == len(alone)
        for printing, section in alone:
            first = next(anchor(clause.id) for clause in source.clauses if clause.section == section)
            only = f"From here on, only {text(printing.title)} was used.</p>"
            assert f'{only}<article class="clause" id="{first}"' in page


def test_nobody_who_looks_something_up_is_shown_a_code(suite: Suite, made: dict[str, Page]) -> None:
    codes = {*suite.clauses, *(name for name in suite.rules.names if "-" in name), *suite.scenarios}
    codes |= {cell.path for name in suite.rulesets for cell in suite.rules.cells(name)}
    for game in suite.rules.games:
        for path in (comparison.path_of(game), disputes.open_path(game), irregularities.path_of(game)):
            assert codes.isdisjoint(re.split(r"[\s(),;:]+", seen(body(made, path) + below(made, path)))), path
    for source in suite.sources.values():
        page = body(made, f"sources/{source.id}.md") + below(made, f"sources/{source.id}")
        assert codes.isdisjoint(re.split(r"[\s(),;:]+", seen(page))), source.id


def test_the_addresses_that_were_lead_to_those_of_the_games(suite: Suite, made: dict[str, Page]) -> None:
    for old, path in (
        (comparison.HERE, comparison.path_of),
        (disputes.OVERVIEW, disputes.open_path),
        (irregularities.HERE, irregularities.path_of),
    ):
        for game in suite.rules.games:
            assert f'href="{href(path(game), old)}"' in made[old].body


@pytest.mark.parametrize("ruleset", ["bezique-hoyle"])
def test_a_prelude_that_is_kept_is_as_it_is_outlined(suite: Suite, ruleset: str) -> None:
    """What to claim is counted from preludes that are not played: they say the same of what the count asks for."""
    checks = [check for check in suite.index.checks.values() if check.ruleset == ruleset]
    for check in checks[::7]:
        quick, whole = outlined(suite, check), prelude_of(suite, check)
        if isinstance(whole, NoPrelude) or isinstance(quick, NoPrelude):
            assert quick == whole
            continue
        assert (quick.acts, quick.rests_on, quick.tricks) == (whole.acts, whole.rests_on, whole.tricks)
        assert quick.from_new_game == whole.from_new_game
