"""Wrong calls: each exits with 4, and one message says what was probably meant, or what to do."""

import shlex
from collections.abc import Callable

import pytest

from conftest import Done

Hoyle = Callable[..., Done]

#: Calls, with a part of the message for each.
SAID = {
    # commands
    "chek": "No such command 'chek'. Did you mean 'check'?",
    "list claims": "No such command 'list'. Write: hoyle suite list",
    "new init": "No such command 'init'.",
    "version": "No such command 'version'. Write: hoyle --version",
    "./adapter.py": "No such command './adapter.py'. To check an engine: hoyle check ./adapter.py",
    # arguments and options
    "ask": "Missing argument 'QUESTION…'.",
    "ask ''": "Ask something.",
    "doctor": "Name the command that starts your adapter: hoyle doctor python my_adapter.py",
    "identify": "Name the command that starts your adapter",
    "new rules --extends bezique-hoyle+brisques-at-end -": "Its options are chosen in the file.",
    "explain": "Missing argument 'SCENARIO'. For example: hoyle explain to-score.the-example",
    "new source": "Missing argument 'TEXT'. For example: hoyle new source chapter.txt --id foster",
    "check --timeout nan": "it must be a number of seconds.",
    "check --": "The command of the adapter is empty.",
    "check --spec docs": "docs is not a spec folder: it has no VERSION.",
    "rules bezique-hoyle -d": "--differences compares rulesets: name two or more.",
    "rules bezique-hoyle bezique-bicycle --cells": "--cells and --no-cites are for one ruleset.",
    "rules bezique-hoyle bezique-hoyle": "Name each ruleset once",
    "explain cut.equal-cards --prelude --message": "--message and --prelude cannot be combined",
    "suite list clauses --disputed": "These options select checks; they do not apply to clauses.",
    "suite what-if bezique-hoyle settle.target": "'settle.target' gives no value: write CELL=VALUE.",
    "suite what-if bezique-hoyle 'deal.packets=[[3, 2'": "gives no value: the structure is broken",
    "suite what-if bezique-hoyle settle.target=1 settle.target=2": "'settle.target' is given twice: give it one value.",
    "suite what-if bezique-hoyle declare.melds.bezique=50": "declare.melds.bezique has fields (id, name, kind, cards,",
    "suite what-if bezique-hoyle declare.melds.bezique.id=x": "The id of a combination cannot be changed.",
    "new adapter -l pyhton": "There is no starter adapter in 'pyhton'. Did you mean 'python'? The languages are",
    "new adapter -l go nowhere/x.go": "nowhere/x.go: no such file or directory. Make the folder first, or name another",
    "new adapter javascript": "Name the language: hoyle new adapter --language javascript. The languages are ",
    "new adapter -l go x.py": "x.py is not a name for a file of go: it must end in .go.",
    "suite list topics seven": "Words cannot select topics: leave out 'seven'.",
    "suite list seven": "To choose among checks: hoyle suite list checks WORDS.",
    # files
    "check --log x": "--log writes the messages of an adapter: give the command that starts one.",
    "check --record --log=x": "the name of a file is missing before --log=x; if that is its name,",
    "validate READMEE.md": "no such file: 'READMEE.md'. Did you mean 'README.md'?",
    "validate \x1b[31m": "no such file: '\ufffd[31m'.",
    "validate .ci": "There is no YAML file in .ci.",
    "validate --lock README.md": "README.md is not a scenario: to lock what is new in rulesets and sources",
    # checks and scenarios
    "check -s trick.identical-trumps": "no check matches 'trick.identical-trumps'. Did you mean",
    "check -s bezique-hoyle": "It is a ruleset: -r bezique-hoyle",
    "check -s hoyle/bezique/hint-risk-an-ace": "no check cites hoyle/bezique/hint-risk-an-ace.",
    "check cut": "'cut' is not a command. To select checks with it, write: -s cut",
    "check bezique-hoyle": "'bezique-hoyle' is not a command. To select checks with it, write: -r bezique-hoyle",
    "check spec/scenarios/cut/equal-cards.scenario.yaml": "is not a command. To select checks with it, write: -s",
    "explain cut": "Which one? cut.",
    "explain the-example@bezique-hoile": "Did you mean 'the-example@bezique-hoyle'?",
    "explain cut.equal-cards -r bezique-bicycle+a-thousand": "has no outcome for 'bezique-bicycle+a-thousand'",
    "check -s census.game-77": "There is no such game: 'census.game-77'. spec/census lists the games.",
    # rulesets, chapters, cells and the rest of the suite
    "rules britannica": "no ruleset 'britannica'. Did you mean 'bezique-britannica'?",
    "rules bezique": "no ruleset 'bezique'. These rulesets have it in their name or title: bezique-bicycle Bézique for",
    f"rules {'x' * 10_000}": "xxx. 'hoyle suite list rulesets' shows all ",
    "rules bezique-hoyle+ten-at-whist-rank+brisques-at-end": "is written 'bezique-hoyle+brisques-at-end+ten-at-",
    "check -r bezique-hoyle+brisques-at-end+ten-at-whist-rank": "has several options; here a ruleset can have one",
    "identify -r bezique-hoyle -g whist": "no game 'whist': the games are Bézique and Piquet.",
    "rules bezique-hoyle --chapter wining": "no chapter 'wining'. Did you mean 'winning'?",
    "suite what-if bezique-hoyle settle.tarjet=1": "no cell 'settle.tarjet'. Did you mean 'settle.target'?",
    "suite list clauses zzzz": "no clause has 'zzzz'. 'hoyle suite list clauses' shows them all.",
    "suite list refusals card xyzzy": "no refusal has 'card xyzzy'. Fewer words find more.",
}


@pytest.mark.parametrize("call", SAID, ids=lambda call: str(call)[:40])
def test_a_wrong_call_gets_one_clear_message(hoyle: Hoyle, call: str) -> None:
    done = hoyle(*shlex.split(call))
    assert (done.returncode, done.stdout) == (4, "")
    assert SAID[call] in " ".join(done.stderr.split())
    assert len(done.stderr) < 1_500
    assert "Traceback" not in done.stderr
