"""Engines that are wrong in one rule of declaring: which check notices each of them."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from hoyle_conformance.checks.plan import plan
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Refusal, Rules, Table, compile_cells
from hoyle_reference.acts import Declare
from hoyle_reference.chapters.declare import declarations
from hoyle_reference.table.states import Combination

pytestmark = pytest.mark.interpreter

Looked = Callable[[list[Combination]], list[Combination]]

#: Which of the combinations declared after one trick an engine looks at for a shared card, and the check it fails.
WRONG = {
    "declare.a-third-combination-shares-a-card-with-the-first": lambda declared: declared[-1:],
    "declare.bezique-with-one-of-the-four-knaves": lambda declared: [
        each for each in declared if not each.meld.startswith("four-")
    ],
}


def refusals(suite: Suite, name: str, rules: Rules) -> list[str | None]:
    """The codes by which the steps of a check are refused, by these rules."""
    message = plan(
        suite.index.checks[name], suite.rules.of(suite.index.checks[name].ruleset), suite.capabilities
    ).message
    return [step.refusal.code if step.refusal else None for step in trace(rules, message)]


def looking_at(looked: Looked) -> Callable[[Table, Declare], Refusal | None]:
    """A refusal of a shared card by an engine that looks only at some of the combinations declared after the trick."""

    def refuse(table: Table, act: Declare) -> Refusal | None:
        history = table.scored[table.rules.side_of[act.by]]
        declared = looked(history[len(history) - table.combinations_since_trick :])
        shared = any(not set(act.cards).isdisjoint(each.cards) for each in declared)
        return Refusal("shares-a-card", ()) if shared else None

    return refuse


@pytest.mark.parametrize("name", WRONG)
def test_a_shared_card_is_looked_for_in_every_combination_of_the_trick(
    suite: Suite, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks, rules = [f"{each}@bezique-britannica" for each in WRONG], suite.rules.of("bezique-britannica")
    right = {each: refusals(suite, each, rules) for each in checks}
    monkeypatch.setattr(declarations, "_refuse_beside_the_others", looking_at(WRONG[name]))
    wrong = [each for each in checks if refusals(suite, each, rules) != right[each]]
    assert wrong == [f"{name}@bezique-britannica"]


def test_a_card_in_the_partners_hand_has_not_been_played(suite: Suite) -> None:
    """Where four kings score again only in place of one that was played, the partner's hand is looked at too. No
    reading of a table for partners has that rule, so that no check can tell."""
    table = suite.rules.of("four-handed-h2g2").cells
    rules = compile_cells(
        "changed", table.with_cells([replace(table["declare.same_kind"], value="in-place-of-one-played")])
    )
    codes = refusals(suite, "partners.four-kings-of-both-once-more@four-handed-h2g2", rules)
    assert codes == ["same-cards-again", "same-cards-again", "used-in-this-kind"]
