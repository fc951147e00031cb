"""`hoyle new`: the commands that create a starter file."""

import click

from hoyle_conformance.cli.group import LazyGroup

#: Each command with the line that the overview shows for it.
_COMMANDS = {
    "Commands": {
        "adapter": "Write an adapter, in your language.",
        "scenario": "Write a scenario: a position, and what the rules say about it.",
        "rules": "Write house rules: a ruleset with a few rules changed.",
        "source": "Write the ledger of a printed text, paragraph by paragraph.",
    }
}


@click.group("new", cls=LazyGroup, sections=_COMMANDS, package=__name__)
def command() -> None:
    """Write a file to begin with, and print what to do next.

    \b
    hoyle new adapter --language python
    hoyle new scenario tricks.my-question
    hoyle new rules --extends bezique-hoyle mine.yaml
    hoyle new source chapter.txt --id foster
    """
