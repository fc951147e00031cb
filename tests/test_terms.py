"""Terms: what they rest on, and how prose leads to them."""

from hoyle_conformance.site.terms import first_uses
from hoyle_conformance.suite.value import Suite
from hoyle_conformance.terms import terms


def test_the_rules_of_a_term_are_in_some_table_of_each_game_that_it_belongs_to(suite: Suite) -> None:
    paths = {game: {cell.path for each in of for cell in suite.cells(each.id)} for game, of in suite.games.items()}
    for term in terms():
        assert set(term.rules) <= set().union(*paths.values()), term.id
        for game in term.says:
            assert set(term.rules) & paths[game], (term.id, game)


def test_only_the_first_use_of_a_term_on_a_page_is_a_link() -> None:
    seen: set[str] = set()
    shown = first_uses("A brisque, and two Brisques.", "Bézique", "bezique/index.md", seen)
    assert shown == 'A <a href="../terms/brisque.html" class="term">brisque</a>, and two Brisques.'
    assert seen == {"brisque"}
