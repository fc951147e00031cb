"""A group of commands that imports a command only when it is called, and shows its commands under headings."""

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

#: The word before a command that prints the command's help.
_HELP: Final = "help"
#: The search result for a word that names no command.
_NO_COMMAND: Final[tuple[None, None, list[str]]] = (None, None, [])
#: The screen width that the overview fits.
_WIDTH: Final = 80


@cache
def removed() -> Mapping[tuple[str, str], str]:
    """Return what replaces each removed command or option, by its group or command and its name; an option that several
    commands had is under an empty text."""
    import tomllib

    found: dict[tuple[str, str], str] = {}
    for call, instead in tomllib.loads(Path(__file__).with_name("removed.toml").read_text("utf-8")).items():
        command = [word for word in call.split() if not word.startswith("-")]
        names = [word for word in call.split() if word.startswith("-")] or [command.pop()]
        found |= {(" ".join(command), name): instead for name in names}
    return found


def _refuse_removed(ctx: click.Context | None, name: str) -> None:
    """Raise UsageError, with the replacement, if a command or option has been removed."""
    path = ctx.command_path.removeprefix(ctx.find_root().command_path).strip() if ctx else ""
    if instead := removed().get((path, name)) or (name.startswith("-") and removed().get(("", name))):
        raise click.UsageError(f"{name} has been removed. {instead}", ctx)


class LazyGroup(click.Group):
    """A group of commands: `sections` has their names and descriptions by heading; each is a module of `package`."""

    def __init__(self, *, sections: Mapping[str, Mapping[str, str]], package: str, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.sections = sections
        names = [name for section in sections.values() for name in section]
        self.modules = {name: f"{package}.{name.replace('-', '_')}" for name in names}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the headings."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import and return the command with this name, if there is one."""
        if name not in self.modules:
            return None
        command: click.Command = import_module(self.modules[name]).command
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Return the commands and options that complete a word, without importing the commands."""
        from click.shell_completion import CompletionItem

        about = {name: line for section in self.sections.values() for name, line in section.items()}
        found = [CompletionItem(name, help=line) for name, line in about.items() if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command that the first word names; raise UsageError, with the command that was probably meant.

        While a shell completes a word, no other command is suggested.
        """
        if args and args[0] not in self.modules:
            if ctx.resilient_parsing:
                return _NO_COMMAND
            _refuse_removed(ctx, args[0])
            raise click.UsageError(f"No such command '{args[0]}'. {self._remedy(ctx, args)}".rstrip(), ctx)
        return super().resolve_command(ctx, args)

    def _remedy(self, ctx: click.Context, args: list[str]) -> str:
        """Return the probable call: with an option, in another group, with 'check', or with a similar name."""
        from hoyle_conformance.cli.adapter_options import is_a_program, shell_line
        from hoyle_conformance.files.diagnostics import did_you_mean

        name = args[0]
        if f"--{name}" in {option for each in self.get_params(ctx) for option in each.opts}:
            return f"Write: {ctx.command_path} --{name}"
        if "suite" in self.modules and name in import_module(self.modules["suite"]).command.modules:
            return f"Write: {ctx.command_path} suite {name}"
        if is_a_program(args):
            return f"To check an engine: {shell_line(['hoyle', 'check', *args])}"
        return did_you_mean(name, self.modules)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; the error about a missing argument shows an example call, and the error about a removed
        option its replacement."""
        try:
            return super().invoke(ctx)
        except click.NoSuchOption as error:
            _refuse_removed(error.ctx, error.option_name)
            raise
        except (click.MissingParameter, click.BadOptionUsage) as error:
            command = error.ctx.command if error.ctx else self.get_command(ctx, ctx.invoked_subcommand or "")
            raise (_with_example(error, command) if command else error) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, each with its description, under their headings."""
        for heading, commands in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl(list(commands.items()))


class MainGroup(LazyGroup):
    """The group of all commands: its help fits one screen, and `help COMMAND` prints that of a command."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command that the first word names; after `help`, print the help of the following command."""
        if args and args[0] == _HELP:
            asked = args[1:]
            if not asked and ctx.resilient_parsing:
                return _NO_COMMAND
            if not asked:
                click.echo(ctx.get_help())
                ctx.exit()
            return self.resolve_command(ctx, [*asked, "--help"])
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a description of Hoyle, and its commands under their headings, without blank lines between them."""
        formatter.width = min(formatter.width, _WIDTH)
        self.format_usage(ctx, formatter)
        formatter.write_text(self.help or "")
        formatter.write("\n")
        width = max(map(len, self.modules))
        for heading, commands in self.sections.items():
            formatter.write(f"{heading}:\n")
            for name, about in commands.items():
                formatter.write(f"  {name:<{width}}  {about}\n")
        formatter.write_text("'hoyle help COMMAND' describes a command; see also 'hoyle --version'.")


def _with_example(error: click.MissingParameter | click.BadOptionUsage, command: click.Command) -> click.UsageError:
    """Return the error with the correct form of the option, or with the first example in the command's help."""
    message = error.format_message()
    if isinstance(error, click.BadOptionUsage):
        option = next((each for each in command.params if error.option_name in each.opts), None)
        if not isinstance(option, click.Option) or option.is_flag or option.count:
            return error
        return click.UsageError(
            f"{message} Write {error.option_name} {option.make_metavar(error.ctx or click.Context(command))}.",
            error.ctx,
        )
    example = re.search(r"^ *(hoyle .*?)(?:  |$)", command.help or "", re.MULTILINE)
    return click.UsageError(f"{message} For example: {example[1]}", error.ctx) if example else error
