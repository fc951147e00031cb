"""The understanding of a question: its scope, the weights of its words, and the kind of answer that it asks for."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hoyle_conformance.files.diagnostics import nearest
from hoyle_conformance.files.stemming import stem, words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask import measures as measure
from hoyle_conformance.tools.ask.rank import CLAUSES, RankedSubject, Weights, rank, weights_of
from hoyle_conformance.tools.ask.scope import AskedScope, find_scope
from hoyle_conformance.tools.ask.subjects import AskedSubject, irregularities_elsewhere, options_of, subjects_of
from hoyle_conformance.tools.ask.words import kinds_of, tokens_of, word_table

#: The combination with the same name as its game, as a token.
_BEZIQUE: Final = stem("bezique")


@dataclass(frozen=True, slots=True)
class UnderstoodQuestion:
    """A question: its text, its scope, the words that any rule has with their weights, their share of its words, the
    other games it names, and the kind of answer it asks for."""

    text: str
    scope: AskedScope
    asked: Weights
    known: float
    strangers: tuple[str, ...]
    kinds: frozenset[str]

    @property
    def naming(self) -> frozenset[str]:
        """The words that name the subject."""
        return frozenset(self.asked) - word_table().bare


@dataclass(frozen=True, slots=True)
class Retrieved:
    """An understood question with the subjects in and outside its scope, most likely first, and the likelihood of each
    clause.

    It also has an equally likely subject of another game, if no word indicates the game.
    """

    question: UnderstoodQuestion
    found: Sequence[RankedSubject]
    outside: Sequence[RankedSubject]
    clauses: Weights
    other_game: tuple[RankedSubject, ...] = ()


def retrieve(suite: Suite, text: str, ruleset: str = "", within: AskedScope | None = None) -> Retrieved:
    """Return an understood question and its possible subjects, `within` the scope of a longer one. If its words do not
    indicate the game, the most likely subject does."""
    scope = find_scope(suite, text, ruleset)
    if within:
        scope = replace(scope, games=within.games, rulesets=within.rulesets)
    per_game = [_retrieve(suite, text, scope, game) for game in scope.games]
    best, *others = sorted(per_game, key=lambda each: -int(10 * _likeliest(each)))
    rival = next((each for each in others if _likeliest(each) >= _likeliest(best) - measure.NEARER), None)
    return replace(best, other_game=tuple(rival.found[:1])) if rival else best


def _likeliest(retrieved: "Retrieved") -> float:
    return retrieved.found[0].likely * retrieved.question.known if retrieved.found else 0


def _retrieve(suite: Suite, text: str, scope: AskedScope, game: str) -> Retrieved:
    """Return an understood question about one game."""
    known = known_subjects(suite, game)
    rulesets = {name for name in scope.rulesets if suite.rulesets[name.partition("+")[0]].game == game}
    exact = {*rulesets, *(each for name in rulesets for each in options_of(suite, name))}
    own = exact | {name.partition("+")[0] for name in rulesets}
    paths = {cell.path for name in exact for cell in suite.rules.cells(name)}
    only = replace(scope, games=(game,), rulesets=tuple(name for name in scope.rulesets if name in rulesets))
    question = _understand(text, only, known.weights)
    inside = [each for each in known.subjects if each.rulesets & own and (each.kind in CLAUSES or each.id in paths)]
    there = {each.id for each in inside}
    beyond = [each for each in known.subjects if each.id not in there and each.kind not in CLAUSES]
    found = rank(inside, question.asked, known.weights, question.kinds)
    others = rank([*beyond, *known.elsewhere], question.asked, known.weights, question.kinds)
    clauses = {each.subject.id: each.likely for each in found if each.subject.kind in CLAUSES}
    return Retrieved(question, found, others, clauses)


@dataclass(frozen=True, slots=True)
class GameSubjects:
    """The possible subjects of questions about a game, the irregularities of other games, and the weights of words."""

    subjects: Sequence[AskedSubject]
    elsewhere: Sequence[AskedSubject]
    weights: Weights


def known_subjects(suite: Suite, game: str) -> GameSubjects:
    """Return the possible subjects of questions about a game; computed once for a suite."""
    games = suite.derived(_no_games)
    if game not in games:
        subjects, elsewhere = subjects_of(suite, [game]), irregularities_elsewhere(suite, [game])
        games[game] = GameSubjects(subjects, elsewhere, {**weights_of(elsewhere), **weights_of(subjects)})
    return games[game]


def _no_games(_suite: Suite) -> dict[str, GameSubjects]:
    return {}


def _understand(text: str, scope: AskedScope, weights: Weights) -> UnderstoodQuestion:
    """Return a question with its words in the forms that the subjects of a game use; other words are noise."""
    table = word_table()
    rarest = max(weights.values(), default=1)
    known = weights.keys() | table.near.keys()
    written = [_spelled(word, known) for word in scope.left]
    said = dict.fromkeys(tokens_of(written))
    asked = {word: weights.get(word, rarest) for word in said if word in known}
    share = len(asked) / (len(said) or 1)
    if _BEZIQUE in weights and (scope.combination or (scope.names_game and table.worth.issuperset(asked))):
        asked[_BEZIQUE] = rarest / 2
    strangers = tuple(word for word in map(stem, words(text)) if word in table.strangers)
    return UnderstoodQuestion(text, scope, asked, share, strangers, kinds_of(text))


def _spelled(word: str, known: Collection[str]) -> str:
    """Return a word, or the known word that it resembles."""
    table = word_table()
    form = stem(word)
    understood = form in known or form in table.idle or form in table.single or form in table.several
    if understood or len(word) < measure.LETTERS:
        return word
    forms = (each for each in (*known, *table.single) if each[0] == word[0])
    alike = [each for each in forms if abs(len(each) - len(form)) <= measure.MORE_LETTERS]
    return nearest(form, alike, cutoff=measure.LIKENESS) or word
