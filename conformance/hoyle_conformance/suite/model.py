"""The values of a suite: sources and their clauses, rulesets, scenarios, censuses, and checks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from hoyle_conformance.files.document import Document

#: The observables that a step must show, by key; steps are counted from 1.
Expectation = Mapping[str, Any]
Expected = Mapping[int, Expectation]


class Filed(Protocol):
    """A value that is read from a file."""

    @property
    def document(self) -> Document:
        """The content of the file."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The id of another printing that still has a lost text, and its words there."""

    by: str
    reads: str


@dataclass(frozen=True, slots=True)
class Damage:
    """A text that a printing has lost: its restored form, the reason for it, the clauses that support it, and the
    printing that confirms it."""

    missing: str
    restored: str
    because: str
    leans_on: tuple[str, ...]
    confirmed: Confirmed | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement of a source, in our own words.

    `decided` is the reason why rules can rest on a statement that leaves something open; `open` names the cells for
    what it leaves open.
    """

    id: str
    where: str
    kind: str
    says: str
    not_testable: str = ""
    decided: str = ""
    open: tuple[str, ...] = ()
    damage: Damage | None = None

    @property
    def section(self) -> str:
        """The section of the ledger that has the clause: the word after the source in its id."""
        return self.id.split("/")[1]


@dataclass(frozen=True, slots=True)
class Printing:
    """One printing or copy of a text, its differences from others, and the sections of the ledger that were read only
    in this printing."""

    id: str
    title: str
    about: str
    alone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """One printed text, its short name in citations (`short`), the printings that were read if there are several, and
    its ledger of clauses."""

    id: str
    title: str
    short: str
    about: str
    #: Author, title, edition, year, publisher, rights, and the place where it is found (`found_in`).
    provenance: Mapping[str, str]
    covers: tuple[str, ...]
    complete: bool
    clauses: tuple[Clause, ...]
    printings: tuple[Printing, ...]
    #: The sections of the ledger about each game, if the text is about several.
    games: Mapping[str, tuple[str, ...]]
    document: Document = field(compare=False, repr=False)

    def is_about(self, game: str, section: str) -> bool:
        """Return whether a section of the ledger is about a game, as far as the ledger says."""
        return not self.games or section in self.games.get(game, ())

    def game_of(self, section: str) -> str:
        """Return the first game that a section of the ledger is about; empty if the text is about one game."""
        return next((game for game, sections in self.games.items() if section in sections), "")

    def read_alone(self, section: str) -> Printing | None:
        """Return the only printing that was read for a section of the ledger; None if there is no single one."""
        return next((each for each in self.printings if section in each.alone), None)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One rule table, as data: a `form` of a `game` by one book.

    `options` maps the name of each of its own options to its title; `extends` is the ruleset that it changes, if any.
    """

    id: str
    title: str
    game: str
    form: str
    summary: str
    sources: tuple[str, ...]
    options: Mapping[str, str]
    extends: str
    document: Document = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """An outcome under some rulesets, including those that inherit it; the clauses of their sources that decide it; and
    the explanation of how it follows from these, if the file has one."""

    rulesets: tuple[str, ...]
    cites: tuple[str, ...]
    expect: Expected
    why: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a point that a text leaves open: the cells that express it, and the outcome."""

    name: str
    cells: Mapping[str, str]
    argument: str
    expect: Expected


@dataclass(frozen=True, slots=True)
class Followed:
    """The reading that some rulesets follow, and the reason; `between` are the readings that their sources leave open,
    if these are not all."""

    rulesets: tuple[str, ...]
    reading: str
    cites: tuple[str, ...]
    because: str
    between: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """An outcome from the reference interpreter under some rulesets that nobody has confirmed yet.

    It has the clauses at work, and may name disputed `cells` that are given another reading.
    """

    rulesets: tuple[str, ...]
    cites: tuple[str, ...]
    expect: Expected
    cells: Mapping[str, str] = field(default_factory=dict)
    why: str = ""


def topic_of(scenario: str) -> str:
    """Return the first part of a scenario's id: its topic."""
    return scenario.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One question about the rules: a partial position, some steps, and the outcome under each ruleset; or proposals,
    as long as nobody has confirmed an outcome."""

    id: str
    title: str
    why: str
    given: Mapping[str, Any]
    steps: tuple[Mapping[str, Any], ...]
    outcomes: tuple[Outcome, ...]
    readings: tuple[Reading, ...]
    followed_by: tuple[Followed, ...]
    document: Document = field(compare=False, repr=False)
    proposals: tuple[Proposal, ...] = ()
    #: The rulesets that inherit an outcome, by the ruleset that the file names.
    inherited: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: The place of the steps in the document.
    place: tuple[str | int, ...] = ("steps",)

    @property
    def topic(self) -> str:
        """The topic of the scenario."""
        return topic_of(self.id)

    @property
    def named(self) -> tuple[str, ...]:
        """The rulesets that the file names: those whose outcome is not inherited."""
        inherited = {name for names in self.inherited.values() for name in names}
        return tuple(name for name in self.rulesets if name not in inherited)

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The rulesets with an outcome, named or inherited."""
        decided = (ruleset for outcome in self.outcomes for ruleset in outcome.rulesets)
        return (*decided, *(ruleset for followed in self.followed_by for ruleset in followed.rulesets))

    def branches(self, ruleset: str) -> Mapping[str, Expected]:
        """Return the expectations of a ruleset that has an outcome, by branch: a single one named "", or one for each
        reading."""
        decided = next((outcome.expect for outcome in self.outcomes if ruleset in outcome.rulesets), None)
        if decided is not None:
            return {"": decided}
        followed = next((each for each in self.followed_by if ruleset in each.rulesets), None)
        between = followed.between if followed else ()
        return {each.name: each.expect for each in self.readings if not between or each.name in between}

    def why_under(self, ruleset: str) -> str:
        """Return the explanation of a ruleset's outcome, if the file has one for that outcome."""
        return next((outcome.why for outcome in self.outcomes if ruleset in outcome.rulesets), "")

    @property
    def file(self) -> str:
        """The path of the scenario's file, as printed."""
        return self.document.file


@dataclass(frozen=True, slots=True)
class CensusGame:
    """One game of a census: its end, its digest, and everything needed to play it again.

    `begins` is the phase in which it begins. `passed_over` has the number of choices of chance before an act, by the
    act (counted from 1). After the acts in `uncounted`, the number of legal acts is not compared; after the last act,
    the observables in `left_open` are not compared.
    """

    game: int
    begins: str
    deals: int
    acts: int
    ends: str
    score: Mapping[str, int]
    legal_acts: int
    digest: str
    passed_over: Mapping[int, int]
    uncounted: tuple[int, ...]
    left_open: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CensusTable:
    """The games of a ruleset with its options, the further readings under which they were played, and the example
    adapters that confirm them."""

    ruleset: str
    confirmed_by: tuple[str, ...]
    beside: tuple[str, ...]
    games: tuple[CensusGame, ...]


@dataclass(frozen=True, slots=True)
class Census:
    """The census of one rule table: whole games, with and without its options."""

    id: str
    tables: tuple[CensusTable, ...]
    document: Document = field(compare=False, repr=False)


class Heading(NamedTuple):
    """The facts by which a check is found and listed.

    These are its scenario with its title, its ruleset, and the clauses that decide it; the reading that is followed if
    no source decides; whether it is computed; and the clauses at work in it that decide no outcome.
    """

    scenario: str
    title: str
    ruleset: str
    cites: tuple[str, ...]
    follows: str
    computed: bool = False
    also: tuple[str, ...] = ()

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that the check tests: those that decide it, and those at work in it that decide no outcome."""
        return (*self.cites, *self.also)

    @property
    def id(self) -> str:
        """The scenario and the ruleset, as printed in reports."""
        return f"{self.scenario}@{self.ruleset}"

    @property
    def topic(self) -> str:
        """The topic of the scenario."""
        return topic_of(self.scenario)


@dataclass(frozen=True, slots=True)
class Relabelling:
    """An exchange of seats and suits: the letters that replace A, B, … and C, D, H, S; and its seed, which also orders
    the cards that do not matter."""

    seats: str
    suits: str
    seed: str = ""


#: The relabelling of a check that is sent as in its file.
AS_WRITTEN: Final = Relabelling("", "")


class Origin(NamedTuple):
    """The origin of a question: the step of the scenario, counted from 1, and whether the question is `derived` from an
    act there or asked there."""

    step: int
    derived: bool


@dataclass(frozen=True, slots=True)
class Check:
    """One scenario under one ruleset: the unit in which an engine is tested.

    If a source decides, there is one branch, named "". If not, there is one for each reading, and `follows` names the
    reading of the ruleset's table. A check may be relabelled (`turned`) together with its scenario. If it was replaced
    by questions, these are the steps of its scenario, and each has its origin. A `computed` check is not based on a
    source: the interpreter gives its outcome under house rules.
    """

    scenario: Scenario
    ruleset: str
    cites: tuple[str, ...]
    branches: Mapping[str, Expected]
    follows: str
    turned: Relabelling = AS_WRITTEN
    origins: tuple[Origin, ...] = ()
    computed: bool = False

    @property
    def id(self) -> str:
        """The scenario and the ruleset, as printed in reports."""
        return f"{self.scenario.id}@{self.ruleset}"

    @property
    def heading(self) -> Heading:
        """The facts by which the check is found and listed."""
        return Heading(self.scenario.id, self.scenario.title, self.ruleset, self.cites, self.follows, self.computed)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings that the ruleset's sources leave open; none if the sources decide."""
        return tuple(each for each in self.scenario.readings if each.name in self.branches)

    @property
    def expect(self) -> Expected:
        """The expectations of the ruleset's own table."""
        return self.branches[self.follows]


def checks_of(scenario: Scenario, own: Callable[[str, str], bool]) -> tuple[Check, ...]:
    """Return the checks of a scenario, one for each ruleset that has an outcome.

    Each cites those of the outcome's clauses for which `own(ruleset, clause)` is true.
    """

    def rests_on(ruleset: str, cites: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(clause for clause in cites if own(ruleset, clause))

    decided = (
        Check(scenario, ruleset, rests_on(ruleset, outcome.cites), {"": outcome.expect}, "")
        for outcome in scenario.outcomes
        for ruleset in outcome.rulesets
    )
    undecided = (
        Check(scenario, ruleset, rests_on(ruleset, followed.cites), scenario.branches(ruleset), followed.reading)
        for followed in scenario.followed_by
        for ruleset in followed.rulesets
    )
    return (*decided, *undecided)
