"""Shell completion in fish: click's script, with descriptions that may contain commas."""

from click.shell_completion import FishComplete, add_completion_class


class FishWithCommas(FishComplete):
    """Completion for fish that divides a line only at its first comma."""

    source_template = FishComplete.source_template.replace('string split "," ', 'string split --max 1 "," ')


def prepare_completion() -> None:
    """Let click use this script for fish."""
    add_completion_class(FishWithCommas)
