"""The answer to a question: the statements of the rulesets in its scope, in groups that agree, and their certainty.

Rulesets whose books state a rule come before those whose books are silent. An answer is certain or probable by
the likelihood of the best subject, its lead and the share of known words; if not, the three most likely are offered.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask import measures as measure
from hoyle_conformance.tools.ask.rank import CLAUSES, RankedSubject
from hoyle_conformance.tools.ask.scope import AskedScope
from hoyle_conformance.tools.ask.subjects import IRREGULARITIES, SubjectKind, options_of, rulesets_of, stated_with
from hoyle_conformance.tools.ask.terms import HOYLE, AskedTerm, terms_asked_for
from hoyle_conformance.tools.ask.understand import Retrieved, UnderstoodQuestion, known_subjects, retrieve
from hoyle_conformance.tools.ask.words import kinds_of, tokens_of, word_table
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.questions import GAMES
from hoyle_conformance.wording.rulings import is_irregularity
from hoyle_reference.acts import Settlement
from hoyle_reference.cells import LeftOpen

_WORD: Final = re.compile(r"\w*")
#: The beginning of another question within a question.
_NEXT: Final = re.compile(
    r"\?\s|[,.]? and (?=(?:what|who|how|when|where|which|may|can|must|do|does|is|are)\b)", re.IGNORECASE
)
TWO: Final = 2
#: Two scores against one another, and two amounts of which one may be right.
_AGAINST: Final = re.compile(r"\d(?: points)? (?:to|against|v|vs|versus) \d|\d ?[-:] ?\d|scores? (?:of )?\d+ and \d")
_EITHER: Final = re.compile(r"\d or \d")
_RUBICON: Final = "settle.rubicon"
#: The rules by which a rubiconed loser is settled with.
_UNDER: Final = ("settle.under_the_rubicon", "settle.bonus_under_the_rubicon", "settle.brisques_under_the_rubicon")

Scores = tuple[int, int]


class Verdict(StrEnum):
    """The kind of answer to a question."""

    SURE = "sure"
    PROBABLY = "probably"
    UNSURE = "unsure"
    NOTHING = "nothing"


class Certainty(StrEnum):
    """The certainty that a book has a rule."""

    STATED = "stated"
    IMPLIED = "implied"
    HOUSE = "house rule"
    PARTLY = "not said in full"
    SILENT = "not said"


#: The answer to a question about another game.
KNOWN_GAMES: Final = "Hoyle knows only Bézique and Piquet"
#: The most certain first.
CERTAINTIES: Final = tuple(Certainty)


@dataclass(frozen=True, slots=True)
class SaidByGroup:
    """A common statement of rulesets: their names, the sentence, its certainty and the reason, the clauses, other
    readings, and the points that the books leave open."""

    rulesets: tuple[str, ...]
    sentence: str
    certainty: Certainty
    because: str
    clauses: tuple[str, ...]
    readings: tuple[tuple[str, str], ...] = ()
    left_open: LeftOpen | None = None


@dataclass(frozen=True, slots=True)
class AnsweredSubject:
    """The answers about one subject: its id, its title, the groups that agree, and the rulesets without it."""

    id: str
    title: str
    groups: tuple[SaidByGroup, ...]
    without: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskAnswer:
    """The answer to a question: its certainty, the statements on each subject, other possible subjects, the rulesets
    named, the terms asked for, the scores to settle, and whether the question is two."""

    question: UnderstoodQuestion
    verdict: Verdict
    subjects: tuple[AnsweredSubject, ...]
    offered: tuple[AnsweredSubject, ...]
    why_unsure: str = ""
    entry: tuple[str, ...] = ()
    terms: tuple[AskedTerm, ...] = ()
    scores: Scores | None = None
    two: bool = False


def ask(suite: Suite, text: str, ruleset: str = "") -> AskAnswer:
    """Return the answer to a question, under one ruleset or those that its words allow; for the id of a rule, a clause
    or a ruleset, return that item."""
    named = _by_id(suite, text.strip(), ruleset)
    if named:
        return named
    whole = answer(suite, retrieve(suite, text, ruleset))
    return _of_two(suite, text, ruleset, whole) or whole


def _of_two(suite: Suite, text: str, ruleset: str, whole: AskAnswer) -> AskAnswer | None:
    """Return the answers to two questions in one; None if it is one, or one of them is not answered by a rule."""
    parts = [part for part in _NEXT.split(text) if words(part)]
    if len(parts) != TWO or whole.entry or whole.scores:
        return None
    scope = whole.question.scope
    one, other = (answer(suite, retrieve(suite, part, ruleset, scope)) for part in parts)
    both = (*one.subjects[:1], *other.subjects[:1])
    naming, more = len(one.question.naming), len(other.question.naming)
    if len({each.id for each in both}) < TWO or max(naming, naming + more - 1) < measure.NAMING:
        return None
    subjects = {each.id: each for each in (*both, *one.subjects, *other.subjects)}
    return replace(one, question=whole.question, verdict=Verdict.PROBABLY, subjects=tuple(subjects.values()), two=True)


def _by_id(suite: Suite, name: str, ruleset: str) -> AskAnswer | None:
    """Return the item that an id names; None if it is not an id, or the ruleset does not have it. A single word is a
    question."""
    if " " in name or _WORD.fullmatch(name):
        return None
    among = (ruleset,) if ruleset else tuple(suite.rulesets)
    if suite.rules.knows(name):
        return AskAnswer(_named(suite, name, (name,)), Verdict.SURE, (), (), entry=(name,))
    if name in suite.clauses:
        having = tuple(each for each in among if name in suite.rules.cited_by(each)) or among
        return AskAnswer(_named(suite, name, having), Verdict.SURE, (_clause(suite, having, name, having),), ())
    for path in (name, f"{IRREGULARITIES}{name}"):
        having = tuple(each for each in among if path in suite.rules.cells(each))
        if having:
            question = _named(suite, name, having)
            among = tuple(each for each in among if suite.rulesets[each.partition("+")[0]].game in question.scope.games)
            found = (_rule(suite, among, each, {}) for each in (path, *stated_with(path)))
            return AskAnswer(question, Verdict.SURE, tuple(each for each in found if each.groups), ())
    return None


def _named(suite: Suite, name: str, rulesets: tuple[str, ...]) -> UnderstoodQuestion:
    """Return an id as a question about some rulesets."""
    games = dict.fromkeys(suite.rulesets[each.partition("+")[0]].game for each in rulesets)
    return UnderstoodQuestion(name, AskedScope(tuple(games), rulesets, left=(name,)), {}, 1, (), frozenset())


def answer(suite: Suite, retrieved: Retrieved) -> AskAnswer:
    """Return the answer to a question from the subjects found for it, and from the terms that it names."""
    found, question = _by_rules(suite, retrieved), retrieved.question
    games = {each.game for each in suite.rulesets.values()} if retrieved.other_game else question.scope.games
    terms = _terms(question, games, spelled=bool(found.subjects))
    if not terms or found.entry or found.scores:
        return found
    of_hoyle, answered = terms[0].of == HOYLE, bool(found.subjects)
    spelled_so = set(tokens_of(question.scope.left)) <= question.asked.keys()
    if of_hoyle and (question.scope.names_game or (answered and spelled_so and found.verdict is Verdict.SURE)):
        return found
    defined = (_subject(suite, retrieved, path) for path in terms[0].rules)
    made = () if of_hoyle else found.subjects or tuple(each for each in defined if each.groups)[:1]
    return replace(found, verdict=Verdict.SURE, subjects=made, offered=(), why_unsure="", terms=terms)


def _terms(question: UnderstoodQuestion, games: Collection[str], *, spelled: bool) -> tuple[AskedTerm, ...]:
    """Return the terms that the words of a question match in some games, also after correcting their spelling if
    `spelled`."""
    asked = tokens_of(question.scope.left)
    if word_table().bare.issuperset(asked) and "meaning" not in question.kinds:
        return ()
    found = terms_asked_for(asked, games)
    return tuple(found if found or not spelled else terms_asked_for(question.asked, games))


def _by_rules(suite: Suite, retrieved: Retrieved) -> AskAnswer:
    """Return the answer to a question from the subjects found for it."""
    question = retrieved.question
    if question.scope.entry and (question.scope.names_game or question.scope.narrowed) and not question.strangers:
        entry = question.scope.rulesets if question.scope.narrowed else question.scope.games
        return AskAnswer(question, Verdict.SURE, (), (), entry=entry)
    found = [each for each in retrieved.found if each.likely >= measure.LEAST]
    tells_of = found[0].subject.text if found and found[0].likely >= measure.VERY else frozenset()
    if question.strangers and not tells_of.issuperset(question.strangers):
        return AskAnswer(question, Verdict.NOTHING, (), (), KNOWN_GAMES)
    scores = scores_in(question.text)
    if at_once := (scores and _settled(suite, retrieved, scores)) or _before_rules(suite, retrieved, found):
        return AskAnswer(question, Verdict.SURE, at_once, (), scores=scores)
    if not found or not question.asked:
        return AskAnswer(question, Verdict.NOTHING, (), (), "No rule has these words")
    beside = stated_with(found[0].subject.id)
    others = [each for each in found[1:] if each.subject.id not in beside]
    verdict, doubt = _verdict(retrieved, found[0], others)
    best = _answered(suite, retrieved, found[0])
    if verdict is Verdict.UNSURE:
        offered = (best, *(_answered(suite, retrieved, each) for each in others[: measure.OFFERED - 1]))
        return AskAnswer(question, verdict, (), offered, doubt)
    joined = [_subject(suite, retrieved, path) for path in dict.fromkeys(beside)]
    joined += [_answered(suite, retrieved, each) for each in _near(found[0], others)]
    said = [best, *(each for each in joined if each.groups)]
    if question.scope.compared:
        said.sort(key=lambda each: len({(group.sentence, group.left_open) for group in each.groups}) == 1)
    return AskAnswer(question, verdict, tuple(said), ())


def _settled(suite: Suite, retrieved: Retrieved, scores: Scores) -> tuple[AnsweredSubject, ...]:
    """Return the rules by which two final scores are settled."""
    paths = settling(suite, retrieved.question.scope.rulesets, scores)
    return tuple(each for path in paths if (each := _subject(suite, retrieved, path)).groups)


def _before_rules(suite: Suite, retrieved: Retrieved, found: Sequence[RankedSubject]) -> tuple[AnsweredSubject, ...]:
    """Return the answer that a form or a rule is not in the books, with the most similar clause."""
    question, clauses, silent = retrieved.question, tuple[str, ...](), _silence(retrieved)
    said = {word for each in found[:1] for name in (each.subject.text, *each.subject.names) for word in name}
    if question.scope.missing and not {"thre", "four"} & question.asked.keys() & said:
        path, title = "form", "A form that these books do not describe"
    elif silent:
        path, other = silent.subject.id, next(iter(silent.subject.rulesets))
        title = _title(_entries_at(suite, (other,), path), path)
        clauses = tuple(each.subject.id for each in found if each.subject.kind in CLAUSES)[:1]
    else:
        return ()
    return (
        AnsweredSubject(path, title, (SaidByGroup(question.scope.rulesets, "", Certainty.SILENT, "", clauses),), ()),
    )


def _silence(retrieved: Retrieved) -> RankedSubject | None:
    """Return the subject in question, if the books in scope clearly do not have it, and no irregularity in them may be
    meant."""
    best, inside = next(iter(retrieved.outside), None), next(iter(retrieved.found), None)
    if not best or (inside and inside.subject.kind is SubjectKind.IRREGULARITY and inside.likely >= measure.SURE):
        return None
    least = measure.SURE if best.subject.kind is SubjectKind.IRREGULARITY else measure.VERY
    return best if best.likely >= max(least, (inside.likely if inside else 0) + measure.SILENT_BY) else None


def _near(best: RankedSubject, others: Sequence[RankedSubject]) -> Sequence[RankedSubject]:
    """Return the subjects nearly as likely as the best, without clauses behind a rule if the best is a rule."""
    behind = set() if best.subject.kind in CLAUSES else {SubjectKind.CLAUSE}
    near = [each for each in others if each.likely >= best.likely - measure.BESIDE and each.subject.kind not in behind]
    return near[: measure.OFFERED - 1]


def _verdict(retrieved: Retrieved, best: RankedSubject, others: Sequence[RankedSubject]) -> tuple[Verdict, str]:
    """Return whether the best subject answers a question, and if not, why."""
    question = retrieved.question
    enough = question.scope.names_game or len(question.asked) >= measure.NAMING
    vague = len(question.naming) == 1 and question.known <= measure.VAGUE
    if vague or (not question.naming and not (enough and best.likely >= measure.VERY)):
        return Verdict.UNSURE, "the question does not say what it is about"
    lead = best.likely - max((each.likely for each in others if not _says_the_same(best, each)), default=0)
    if retrieved.other_game and question.scope.names_game:
        return Verdict.UNSURE, "the question names both games"
    certain = best.likely + measure.LEAD * min(lead, measure.CLEAR) + measure.KNOWN * question.known
    if certain < measure.PROBABLE:
        return Verdict.UNSURE, "several rules fit equally well" if lead < measure.MARGIN else "no rule fits well"
    return (Verdict.PROBABLY if retrieved.other_game or certain < measure.CERTAIN else Verdict.SURE), ""


def _says_the_same(best: RankedSubject, other: RankedSubject) -> bool:
    """Whether both subjects are clauses, or rules of one group, or rest on the same clauses."""
    group, other_group = (each.subject.id.rpartition(".")[0] for each in (best, other))
    return group == other_group or bool(set(other.subject.clauses) & set(best.subject.clauses))


def _answered(suite: Suite, retrieved: Retrieved, ranked: RankedSubject) -> AnsweredSubject:
    if ranked.subject.kind in CLAUSES:
        return _clause(suite, retrieved.question.scope.rulesets, ranked.subject.id, ranked.subject.rulesets)
    return _subject(suite, retrieved, ranked.subject.id)


def _clause(suite: Suite, rulesets: Iterable[str], clause: str, having: Collection[str]) -> AnsweredSubject:
    """Return the statement of a clause, for the rulesets of its book."""
    names = tuple(name for name in rulesets if {name, name.partition("+")[0]} & set(having))
    found = suite.clauses[clause]
    group = SaidByGroup(names, found.says, Certainty.STATED, "", (clause,))
    return AnsweredSubject(clause, found.where, (group,), ())


def _subject(suite: Suite, retrieved: Retrieved, path: str) -> AnsweredSubject:
    return _rule(suite, retrieved.question.scope.rulesets, path, retrieved.clauses)


def _rule(suite: Suite, rulesets: Sequence[str], path: str, likely: Mapping[str, float]) -> AnsweredSubject:
    """Return the statements of rulesets on a rule, first those whose books have it; if there are none, those of their
    options."""
    entries = _entries_at(suite, rulesets, path)
    entries = entries or _entries_at(suite, (each for base in rulesets for each in options_of(suite, base)), path)
    groups = _merged((_said(name, entry) for name, entry in entries.items()), likely)
    having = {name.partition("+")[0] for name in entries} | set(entries)
    without = tuple(name for name in rulesets if name not in having)
    return AnsweredSubject(path, _title(entries, path), tuple(groups), without)


def rules_said(suite: Suite, game: str) -> Iterator[tuple[str, AnsweredSubject]]:
    """Yield every rule of a game with its rulesets' statements; for a ruleset without the rule, those
    of its options."""
    rulesets = rulesets_of(suite, game)
    for subject in known_subjects(suite, game).subjects:
        if subject.kind not in CLAUSES:
            said = _rule(suite, rulesets, subject.id, {})
            rest = _rule(suite, said.without, subject.id, {}).groups if said.without else ()
            yield subject.id, replace(said, groups=tuple(dict.fromkeys((*said.groups, *rest))))


def _entries_at(suite: Suite, rulesets: Iterable[str], path: str) -> dict[str, rulebook.Entry]:
    found = ((name, rulebook.entry_at(suite, name, path)) for name in rulesets)
    return {name: entry for name, entry in found if entry}


def _title(entries: Mapping[str, rulebook.Entry], path: str) -> str:
    """Return the headings of a rule, each with that of its group; for an irregularity, its word."""
    if not entries or path.startswith(IRREGULARITIES):
        return path.rpartition(".")[2].replace("-", " ").capitalize()
    return " / ".join(dict.fromkeys(map(_heading, entries.values())))


def _heading(entry: rulebook.Entry) -> str:
    grouped = entry.group not in {"", entry.heading} and not isinstance(entry.cell.value, Mapping)
    return f"{entry.group}: {entry.heading}" if grouped else entry.heading


def certainty_of(entry: rulebook.Entry) -> Certainty:
    """Return the certainty that the book has a rule."""
    opened = entry.cell.open
    if opened:
        return Certainty.SILENT if opened.scope == "rule" else Certainty.PARTLY
    return Certainty(entry.cell.status)


def _merged(said: Iterable[SaidByGroup], likely: Mapping[str, float] = MappingProxyType({})) -> Iterator[SaidByGroup]:
    """Yield the statements of rulesets, with equal ones merged and the most certain first; each keeps only the clauses
    most relevant to the question."""
    groups: dict[SaidByGroup, list[SaidByGroup]] = {}
    for each in sorted(said, key=lambda each: CERTAINTIES.index(each.certainty)):
        groups.setdefault(replace(each, rulesets=(), clauses=()), []).append(each)
    for printed, some in groups.items():
        rulesets = tuple(name for each in some for name in each.rulesets)
        clauses = dict.fromkeys(clause for each in some for clause in each.clauses)
        yield replace(printed, rulesets=rulesets, clauses=tuple(sorted(clauses, key=lambda each: -likely.get(each, 0))))


def _said(name: str, entry: rulebook.Entry) -> SaidByGroup:
    """Return a ruleset's statement on a rule."""
    cell = entry.cell
    readings = tuple((each.name, each.sentence) for each in entry.readings if each.name != cell.follows)
    return SaidByGroup(
        (name,), sentence_of(entry), certainty_of(entry), cell.because or "", cell.cites, readings, cell.open
    )


def sentence_of(entry: rulebook.Entry) -> str:
    """Return a rule as a complete sentence."""
    value = entry.cell.value
    if is_irregularity(value):
        return f"{entry.heading}. {value['ruling']}"
    return (
        f"{entry.heading}: {entry.sentence[:1].lower()}{entry.sentence[1:]}"
        if isinstance(value, Mapping)
        else entry.sentence
    )


# ---- sums: the two final scores that a question gives, and their settlement by the rules of each ruleset


def scores_in(text: str) -> Scores | None:
    """Return the two final scores that a question gives, the higher first; None if it gives none."""
    numbers = [int(word) for word in words(text) if word.isascii() and word.isdigit() and len(word) > 1]
    settled = _AGAINST.search(text) or ("settlement" in kinds_of(text) and len({*numbers}) > 1)
    if len(numbers) != 2 or not settled or _EITHER.search(text) or max(numbers) < measure.LEAST_SCORE:  # noqa: PLR2004
        return None
    return max(numbers), min(numbers)


def rubicon(suite: Suite, ruleset: str) -> int:
    """Return the rubicon of a ruleset; 0 if it has none."""
    return next((int(cell.value) for cell in suite.rules.cells(ruleset) if cell.path == _RUBICON), 0)


def settling(suite: Suite, rulesets: Iterable[str], scores: Scores) -> tuple[str, ...]:
    """Return the rules by which these scores are settled."""
    if scores[0] == scores[1]:
        return ("settle.equal_scores",)
    rubicons = list(filter(None, (rubicon(suite, name) for name in rulesets)))
    under = _UNDER if any(scores[1] < each for each in rubicons) else ()
    over = ["settle.over_the_rubicon"] if any(scores[1] >= each for each in rubicons) else []
    return (*under, *over, "settle.bonus") if rubicons else ()


def worked_out(suite: Suite, rulesets: Iterable[str], scores: Scores) -> dict[str, list[str]]:
    """Return what the winner of these scores gets, with the rulesets that settle them so; nothing for equal scores."""
    found: dict[str, list[str]] = {}
    for name in rulesets:
        winner, points = suite.rules.fresh_game(name).ask(Settlement(scores)).value
        if points is not None and winner is not None:
            gets = GAMES.get(points, f"{points:,}")
            found.setdefault(f"{scores[0]:,} to {scores[1]:,}: the winner gets {gets}.", []).append(name)
    return found
