"""The values that a suite consists of: sources and their clauses, rulesets, scenarios, censuses, and checks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from hoyle_conformance.files.document import Document

#: What a step must show, by key; steps are counted from 1.
Expectation = Mapping[str, Any]
Expected = Mapping[int, Expectation]


class Filed(Protocol):
    """A value that is read from a file."""

    @property
    def document(self) -> Document:
        """The file's content."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Another printing, by its id, that still has the text that one has lost, and its words there."""

    by: str
    reads: str


@dataclass(frozen=True, slots=True)
class Damage:
    """The text that a printing has lost, its restored form, the reason for it, the clauses that show it, and the
    printing that confirms it."""

    missing: str
    restored: str
    because: str
    leans_on: tuple[str, ...]
    confirmed: Confirmed | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement of a source, in our own words. `decided` says why rules can rest on a statement that leaves
    something open; `open` names the cells that hold what it leaves open."""

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
        """The part of the ledger that the clause is in: the word after the source in its id."""
        return self.id.split("/")[1]


@dataclass(frozen=True, slots=True)
class Printing:
    """One printing or copy of a text, how it differs from others, and the sections of the ledger read in this printing
    alone."""

    id: str
    title: str
    about: str
    alone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """One printed text, its name in a citation (`short`), the printings that were read where there are several, and its
    ledger of clauses."""

    id: str
    title: str
    short: str
    about: str
    #: Author, title, edition, year, publisher, rights, and where it is found (`found_in`).
    provenance: Mapping[str, str]
    covers: tuple[str, ...]
    complete: bool
    clauses: tuple[Clause, ...]
    printings: tuple[Printing, ...]
    #: The sections of the ledger about each game, where the text is about several.
    games: Mapping[str, tuple[str, ...]]
    document: Document = field(compare=False, repr=False)

    def is_about(self, game: str, section: str) -> bool:
        """Whether a section of the ledger is about a game, as far as the ledger says."""
        return not self.games or section in self.games.get(game, ())

    def game_of(self, section: str) -> str:
        """Return the first game that a section of the ledger is about; empty where the text is about one game."""
        return next((game for game, sections in self.games.items() if section in sections), "")

    def read_alone(self, section: str) -> Printing | None:
        """Return the printing that alone was read for a section of the ledger, or None."""
        return next((each for each in self.printings if section in each.alone), None)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One rule table, as data: a `form` of a `game` by one book; `options` maps the name of each of its own options to
    its title; `extends` is the ruleset that it changes, if any."""

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
    """An outcome under some rulesets, including those that inherit it, the clauses of their sources that decide it, and
    how it follows from these, if the file says so."""

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
    """The reading that some rulesets follow, and why; `between` are the readings that their sources leave open, where
    these are not all."""

    rulesets: tuple[str, ...]
    reading: str
    cites: tuple[str, ...]
    because: str
    between: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """An outcome that the reference interpreter gives under some rulesets, with disputed `cells` read otherwise if any
    are named, and the clauses at work in it; nobody has confirmed it."""

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
    """One question about the rules: a partial position, some steps, and the outcome under each ruleset; or, before
    anybody has confirmed an outcome, proposals."""

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
    #: The rulesets that inherit an outcome, by the one that the file names.
    inherited: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def topic(self) -> str:
        """The topic of the scenario."""
        return topic_of(self.id)

    @property
    def named(self) -> tuple[str, ...]:
        """The rulesets that the file names: those with an outcome that they do not inherit."""
        inherited = {name for names in self.inherited.values() for name in names}
        return tuple(name for name in self.rulesets if name not in inherited)

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The rulesets with an outcome, named or inherited."""
        decided = (ruleset for outcome in self.outcomes for ruleset in outcome.rulesets)
        return (*decided, *(ruleset for followed in self.followed_by for ruleset in followed.rulesets))

    def branches(self, ruleset: str) -> Mapping[str, Expected]:
        """Return the expectations of a ruleset that has an outcome: by one branch, named "", or by each reading."""
        decided = next((outcome.expect for outcome in self.outcomes if ruleset in outcome.rulesets), None)
        if decided is not None:
            return {"": decided}
        followed = next((each for each in self.followed_by if ruleset in each.rulesets), None)
        between = followed.between if followed else ()
        return {each.name: each.expect for each in self.readings if not between or each.name in between}

    def why_under(self, ruleset: str) -> str:
        """Return how the outcome of a ruleset follows, where the file says so for that outcome."""
        return next((outcome.why for outcome in self.outcomes if ruleset in outcome.rulesets), "")

    @property
    def file(self) -> str:
        """The path of the scenario's file, as it is printed."""
        return self.document.file


@dataclass(frozen=True, slots=True)
class CensusGame:
    """One game of a census: its end, its digest, and all that is needed to play it again.

    `begins` is the phase it begins in; `passed_over` says before which acts (counted from 1) how many choices of chance
    were; after the acts in `uncounted` the number of legal acts is not compared, and after the last act nothing in
    `left_open`.
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
    """The games of a ruleset with its options, the readings under which they were played too, and the example adapters
    that confirm them."""

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
    """The facts that a check is found and listed by: its scenario and the title of that, its ruleset, the clauses that
    decide it, the reading that is followed where no source decides, whether it is computed, and the clauses at work in
    it that decide no outcome."""

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
        """The scenario and the ruleset, as reports name them."""
        return f"{self.scenario}@{self.ruleset}"

    @property
    def topic(self) -> str:
        """The topic of the scenario."""
        return topic_of(self.scenario)


@dataclass(frozen=True, slots=True)
class Relabelling:
    """An exchange of seats and suits: the letters that stand for A, B, … and for C, D, H, S; and its seed, which also
    orders the cards that do not matter."""

    seats: str
    suits: str
    seed: str = ""


#: A check as it stands in its file.
AS_WRITTEN: Final = Relabelling("", "")


class Origin(NamedTuple):
    """The source of a question that a check was made of: a step of the scenario, counted from 1, and whether the
    question is `derived` from an act there, or asked there."""

    step: int
    derived: bool


@dataclass(frozen=True, slots=True)
class Check:
    """One scenario under one ruleset: the unit that an engine is tested with.

    Where a source decides there is one branch, named ""; where none does, one for each reading, and `follows` names the
    reading of the ruleset's table. A check may be relabelled (`turned`), and its scenario with it. If it was made into
    questions, these are its scenario's steps, and each has its origin. A `computed` check rests on no source: the
    interpreter gives its outcome under house rules.
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
        """The scenario and the ruleset, as reports name them."""
        return f"{self.scenario.id}@{self.ruleset}"

    @property
    def heading(self) -> Heading:
        """The facts that the check is found and listed by."""
        return Heading(self.scenario.id, self.scenario.title, self.ruleset, self.cites, self.follows, self.computed)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings that the ruleset's sources leave open; none where they decide."""
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
