"""`hoyle suite`: the commands that concern the suite itself."""

import click

from hoyle_conformance.cli.group import LazyGroup

#: Each command with the line that the overview shows for it.
_COMMANDS = {
    "Commands": {
        "list": "List the checks, clauses, claims and rulesets of the suite.",
        "what-if": "Show which checks change when a rule is changed.",
        "serve": "Answer requests with the reference interpreter.",
    }
}


@click.group("suite", cls=LazyGroup, sections=_COMMANDS, package=__name__)
def command() -> None:
    """List the checks of the suite, change a rule, and serve the suite.

    \b
    hoyle suite list checks seven       the checks of a topic
    hoyle suite list claims             the words that an adapter can claim
    hoyle suite what-if bezique-hoyle settle.target=500
    """
