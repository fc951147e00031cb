"""A group of commands that imports a command only when it is called, and shows its commands under headings."""

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import click

#: The word before a command that prints the command's help.
_HELP: Final = "help"
#: The search result for a word that names no command.
_NO_COMMAND: Final[tuple[None, None, list[str]]] = (None, None, [])
_REPORT: Final = "For tools that read test results, use --junit FILE."
_WATCH: Final = "watchexec runs a command again whenever files change: watchexec -- hoyle {} …"
_IN_THE_FILE: Final = "Write it in the file that 'hoyle new scenario' opens in your editor."
_BEST_EFFORT: Final = "--sandbox runs the adapter in a sandbox, or ends with 2 and names what is missing."
_ENGINE: Final = "The site's page of engines reads run records: --record engines/my-engine-1.0.jsonl."
_BADGE: Final = "'hoyle report RECORD --endpoint FILE' writes JSON from which shields.io draws a badge."
_FROM_A_RECORD: Final = "'hoyle check --record run.jsonl' writes a record, 'hoyle report run.jsonl {} FILE' the report."
_SELECTS: Final = {"-t": "topic", "--topic": "topic", "-c": "clause", "--clause": "clause"}
_WITH_CACHE: Final = (
    *("ask", "check", "doctor", "explain", "fuzz", "identify", "new rules", "new scenario", "rules", "table"),
    *("validate", "suite census", "suite list", "suite serve", "suite what-if"),
)
#: Removed options and commands, by command or group, with the replacement.
REMOVED: Final[Mapping[tuple[str, str], str]] = {
    ("", "init"): "Write: hoyle new adapter",
    ("", "compare"): "Name several rulesets: hoyle rules RULESET RULESET…",
    ("", "diff"): "Write: hoyle report NEW --since OLD",
    ("suite census", "--write"): "In a clone of the repository, run 'make census RULESETS=…'.",
    ("suite census", "--rules"): "'hoyle fuzz --rules FILE' plays whole games by house rules.",
    ("suite", "build"): "The site has the suite as JSON, and 'make spec-json' in a checkout of Hoyle writes it.",
    ("suite", "preludes"): "'make preludes' in a checkout of Hoyle finds them.",
    ("explain", "--as-written"): "'hoyle explain' shows the seats and suits of the file: leave it out.",
    **{(command, "--watch"): _WATCH.format(command) for command in ("check", "validate")},
    ("check", "--watch-path"): _WATCH.format("check"),
    **{(command, "--ctrf"): _REPORT for command in ("check", "report")},
    **{
        (command, "--sandbox-best-effort"): _BEST_EFFORT
        for command in ("check", "identify", "fuzz", "doctor", "suite census")
    },
    **{(command, "--badge"): _BADGE for command in ("check", "report")},
    ("fuzz", "--corpus"): "The same --seed plays the same games again; 'hoyle fuzz --game RECIPE' plays one of them.",
    ("fuzz", "--drafts"): "'hoyle new scenario' begins a file; the report has its position and steps, --json as data.",
    ("suite", "adequacy"): "In a clone of the repository, run 'python workbench/measure_adequacy.py RULESET'.",
    **{(command, "--engine"): _ENGINE for command in ("check", "report")},
    **{("check", option): f"Name the {what} with -s." for option, what in _SELECTS.items()},
    **{("suite list", option): f"Write: hoyle suite list checks {what.upper()}" for option, what in _SELECTS.items()},
    ("check", "-x"): "Write: --max-failures 1",
    ("check", "--failures"): "The report shows five causes in full; -v shows all.",
    **{("check", option): _FROM_A_RECORD.format(option) for option in ("--markdown", "--endpoint")},
    **{
        (command, "--no-config"): "Name an empty file: --config empty.toml"
        for command in ("check", "doctor", "fuzz", "identify", "suite census")
    },
    **{
        (command, "--no-progress"): "Set the environment variable HOYLE_NO_PROGRESS=1."
        for command in ("check", "fuzz", "identify")
    },
    **{(command, "--no-cache"): "Set the environment variable HOYLE_NO_CACHE=1." for command in _WITH_CACHE},
    **{
        ("new scenario", f"--{option}"): _IN_THE_FILE
        for option in (
            *("title", "ruleset", "leads", "has-won", "exchanges", "announces", "before", "trumps", "hand", "given"),
            *("step", "expect", "disputed", "cites", "why", "new-topic", "no-edit"),
        )
    },
}
#: The screen width that the overview fits.
_WIDTH: Final = 80


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
            if instead := REMOVED.get((_path_of(ctx), args[0])):
                raise click.UsageError(f"{args[0]} has been removed. {instead}", ctx)
            raise click.UsageError(f"No such command '{args[0]}'. {self._remedy(ctx, args)}".rstrip(), ctx)
        return super().resolve_command(ctx, args)

    def _remedy(self, ctx: click.Context, args: list[str]) -> str:
        """Return the probable call: with an option, in another group, with 'check', or with a similar name."""
        from hoyle_conformance.cli.adapter_options import is_a_program, shell_line
        from hoyle_conformance.files.diagnostics import did_you_mean

        name = args[0]
        if f"--{name}" in {option for each in self.get_params(ctx) for option in each.opts}:
            return f"Write: {ctx.command_path} --{name}"
        if inner := self._group_with(name):
            return f"Write: {ctx.command_path} {inner} {name}"
        if is_a_program(args):
            return f"To check an engine: {shell_line(['hoyle', 'check', *args])}"
        return did_you_mean(name, self.modules)

    def _group_with(self, name: str) -> str:
        """Return the name of the group in this one that has a command with this name."""
        if "suite" not in self.modules:
            return ""
        group = import_module(self.modules["suite"]).command
        return "suite" if name in group.modules else ""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; the error about a missing argument shows an example call, and the error about a removed
        option its replacement."""
        try:
            return super().invoke(ctx)
        except click.NoSuchOption as error:
            instead = REMOVED.get((_path_of(error.ctx) if error.ctx else "", error.option_name))
            raise (
                click.UsageError(f"{error.option_name} has been removed. {instead}", error.ctx) if instead else error
            ) from error
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


def _path_of(ctx: click.Context) -> str:
    """Return the words of a command after `hoyle`."""
    return ctx.command_path.removeprefix(ctx.find_root().command_path).strip()


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
