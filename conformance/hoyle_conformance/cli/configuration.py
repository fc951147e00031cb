"""The adapter's command line, and the configuration file that can provide it and the options of commands.

Hoyle uses the nearest `hoyle.toml`, or `pyproject.toml` with `[tool.hoyle]`, upward from the working folder. Its values
are defaults: the command line takes precedence. Paths are relative to the file, and the adapter runs in its folder.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from hoyle_conformance.cli.exit import WrongUsageIfInvalid
from hoyle_conformance.cli.options import complete_files
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, diagnostic_at, shown_path
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.read import read_bytes, read_text
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.system.processes import split_command

_OWN_FILE: Final = "hoyle.toml"
_SHARED_FILE: Final = "pyproject.toml"
_TABLE: Final = ("tool", "hoyle")
_SCHEMA: Final = "configuration"
_COMMAND: Final = "command"
_PATHS: Final = frozenset({"#/$defs/path", "#/$defs/paths"})
_STANDARD_OUTPUT: Final = "-"
#: The keys with the same meaning in every command that starts an adapter and has the option.
_SHARED: Final = frozenset({"ruleset", "rules", "timeout", "deadline", "jobs", "sandbox", "spec"})
#: Options whose value from the file is ignored if a contradicting option is on the command line; each with its value
#: in that case.
_GIVES_WAY: Final[Mapping[str, tuple[Any, tuple[str, ...]]]] = MappingProxyType(
    {
        "as_written": (False, ("seed",)),
        "seed": ("", ("as_written",)),
        "max_failures": (None, ("write_baseline",)),
        "rulesets": ((), ("rules", "transcripts")),
    }
)
#: Options, by parameter name, that are probably not meant for an adapter if they follow its program.
_OURS_ALONE: Final = frozenset(
    {
        *("selected", "rulesets", "keywords", "last_failed", "max_failures"),
        *("baseline", "write_baseline", "record", "shard", "as_written"),
    }
)
#: The keys under which the context of a command has the file in use, and the words that chose it.
_USED: Final = "hoyle.configuration"
_CHOSEN: Final = "hoyle.configuration-chosen"


# ---- TOML with places


_ERROR_PLACE: Final = re.compile(r" ?\(at (?:line (\d+), column (\d+)|end of document)\)$")
_HEADER_OR_ENTRY: Final = re.compile(r"""\s*(?:\[\s*(?P<table>[\w.-]+)\s*\]|["']?(?P<key>[\w-]+)["']?\s*=\s*)""")


class TomlDocument(Document):
    """The content of a TOML file, with the places of its tables and of their keys and values."""

    def _place(self, path: Sequence[str | int], *, key: bool = False) -> tuple[int, int]:
        """Return the line and column (from 0) of the value of `path`, or of its key; if it has no line of its own,
        those of the nearest key above it."""
        table: tuple[str, ...] = ()
        nearest, place = 0, (0, 0)
        for number, line in enumerate(self._written().split("\n")):
            if not (found := _HEADER_OR_ENTRY.match(line)):
                continue
            table = tuple(found["table"].split(".")) if found["table"] else table
            names = table if found["table"] else (*table, found["key"])
            if len(names) > nearest and tuple(path[: len(names)]) == names:
                column = found.start("table") if found["table"] else found.start("key") if key else found.end()
                nearest, place = len(names), (number, column)
        return place


def load_toml(text: str, shown: str, path: Path | None = None) -> TomlDocument:
    """Return the content of a text; raise Invalid, with one diagnostic, if it is not TOML.

    Dates, which no file of Hoyle has, and numbers that are not finite become text, so that JSON Schema can reject them.
    """
    try:
        data = json.loads(json.dumps(tomllib.loads(text), default=str), parse_constant=str)
    except tomllib.TOMLDecodeError as error:
        found = _ERROR_PLACE.search(str(error))
        lines = text.rstrip("\n").split("\n")
        line, column = (int(found[1]), int(found[2])) if found and found[1] else (len(lines), len(lines[-1]) + 1)
        what = _ERROR_PLACE.sub("", str(error))
        said = f"this is not TOML: {what[:1].lower()}{what[1:]}"
        remedy = "Correct the line; text needs quotes in TOML, and a list needs brackets."
        raise Invalid([diagnostic_at(shown, text, line - 1, column - 1, "not-toml", said, remedy)]) from error
    except (RecursionError, ValueError) as error:
        said = "it is nested too deeply" if isinstance(error, RecursionError) else "a number has too many digits"
        raise Invalid([diagnostic_at(shown, text, 0, 0, "not-toml", said, "")]) from error
    return TomlDocument(shown, data, path, text)


# ---- configuration files


@dataclass(frozen=True, slots=True)
class Configuration:
    """The content of a configuration file: its `values` by option name, and the paths among them."""

    path: Path
    document: TomlDocument
    table: tuple[str, ...]
    values: Mapping[str, Any]
    paths: frozenset[str]

    @property
    def folder(self) -> Path | None:
        """The folder that the adapter runs in; None if that is the working folder."""
        folder = self.path.parent.resolve()
        return None if folder == Path.cwd().resolve() else folder

    @property
    def command(self) -> tuple[str, ...]:
        """The words of the adapter's command; raise Invalid if a quotation in it is not closed."""
        written = self.values.get(_COMMAND, ())
        try:
            return split_command(written) if isinstance(written, str) else tuple(written)
        except ValueError as error:
            remedy = 'Close the quotation, or write a list of words: ["python", "my_adapter.py"].'
            mistake = self.diagnose(_COMMAND, "command", "a quotation in the command is not closed", remedy)
            raise Invalid([mistake]) from error

    def defaults(self, command: "Configurable") -> dict[str, Any]:
        """Return the values by the names of the command's parameters, as click takes them for defaults."""
        parameters = {option.removeprefix("--"): each for each in command.params for option in each.opts}
        taken = parameters.keys() if command.takes_all_keys else parameters.keys() & _SHARED
        found: dict[str, Any] = {}
        for key in self.values.keys() & taken:
            value = self.values[key]
            if key in self.paths and value != _STANDARD_OUTPUT:  # relative to the file
                folder = self.path.parent
                value = [str(folder / each) for each in value] if isinstance(value, list) else str(folder / value)
            is_list = getattr(parameters[key], "multiple", False) and isinstance(value, str)
            found[parameters[key].name or ""] = [value] if is_list else value
        return found

    def diagnose(self, key: str, code: str, message: str, remedy: str = "") -> Diagnostic:
        """Return a diagnostic at the value of a key."""
        return self.document.diagnose((*self.table, key), code, message, remedy)


def find_configuration() -> Configuration | None:
    """Return the nearest configuration, in the working folder or above it; raise Invalid if it is invalid, or if a
    folder has two."""
    for folder in (Path(), *Path.cwd().parents):
        paths = [path for name in (_OWN_FILE, _SHARED_FILE) if (path := folder / name).is_file()]
        found = [each for each in map(read_configuration, paths) if each]
        if len(found) > 1:
            own, shared = found
            message = f"{shown_path(own.path)} in the same folder is a configuration too"
            raise Invalid([shared.document.diagnose(_TABLE, "two-files", message, "Keep one of the two.", key=True)])
        if found:
            return found[0]
    return None


def read_configuration(path: Path) -> Configuration | None:
    """Return the configuration in a file; None if it is a `pyproject.toml` without one. Raise Invalid
    if it is invalid."""
    shown, table = shown_path(path), _TABLE if path.name == _SHARED_FILE else ()
    if table and _TABLE[-1].encode() not in read_bytes(path, shown):
        return None  # even if it is not TOML: the file is not ours
    document = load_toml(read_text(path, shown), shown, path)
    values = document.data
    for name in table:
        if not isinstance(values, Mapping) or name not in values:
            return None
        values = values[name]
    schemas = Schemas(find_spec() / "schemas")
    faults = [
        document.diagnose((*table, *each.path), each.code, each.message, each.remedy, key=each.at_key)
        for each in schemas.complaints(_SCHEMA, values)
    ]
    if faults:
        raise Invalid(faults)
    properties = schemas.documents[_SCHEMA]["properties"]
    paths = frozenset(key for key, schema in properties.items() if schema.get("$ref") in _PATHS)
    return Configuration(path, document, table, values, paths)


# ---- command line


@dataclass(frozen=True, slots=True)
class AdapterCall:
    """The adapter of a command: its words, or none for the built-in reference, and its folder if it is not the working
    folder. `at_the_end` are the last words of a call like this one; `configured_in` is the file that names the adapter,
    if any."""

    words: tuple[str, ...] = ()
    folder: Path | None = None
    at_the_end: tuple[str, ...] = ()
    configured_in: Path | None = None


class Configurable(click.Command):
    """A command that ends with an adapter's command line: the first word that is not an option, and all words after it.
    A configuration file may give this and options of the command instead.

    The keys of the file are the options of `hoyle check`. Another command `takes_all_keys` only if all keys mean the
    same to it; the seed of random games, for instance, is a different one. The context has the adapter as its `obj`, an
    `AdapterCall`.
    """

    allow_extra_args = True
    allow_interspersed_args = False
    takes_all_keys = False

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options and the adapter's command line, and take missing values from the configuration."""
        words = list(args)  # click empties the list
        try:
            super().parse_args(ctx, args)
        except click.BadParameter as error:
            raise _with_place(ctx, error) from error
        named = tuple(ctx.args)
        if ctx.resilient_parsing:  # while a shell completes a word
            return list(named)
        if not any(named[:1]) and (named or words[-1:] == ["--"]):  # an empty word may come from "$ADAPTER"
            raise click.UsageError("The command of the adapter is empty.", ctx)
        self._warn_of_options_behind(named)
        used: Configuration | None = ctx.meta.get(_USED)
        ctx.obj = AdapterCall(named, at_the_end=(*ctx.meta.get(_CHOSEN, ()), *named))
        if used:
            click.echo(f"Configuration: {shown_path(used.path)}", err=True)
            for name, (nothing, others) in _GIVES_WAY.items():
                given = ctx.get_parameter_source(name) is ParameterSource.DEFAULT_MAP
                if given and any(is_on_the_command_line(ctx, each) for each in others):
                    ctx.params[name] = nothing
        if used and not named and not ctx.params.get("transcripts"):
            with WrongUsageIfInvalid():
                ctx.obj = AdapterCall(used.command, used.folder, ctx.obj.at_the_end, used.path)
        return list(named)

    def _warn_of_options_behind(self, adapter: tuple[str, ...]) -> None:
        """Warn on standard error about options after the adapter's program that only Hoyle has.

        The second word is excluded, since it may be an option of an interpreter, as in ``bash -x adapter.sh``.
        """
        ours = {name for each in self.params for name in each.opts if each.name in _OURS_ALONE}
        behind = (word.partition("=")[0] for word in adapter[min(2, len(adapter) - 1) :])
        for name in dict.fromkeys(filter(ours.__contains__, behind)):
            click.echo(
                f"{name} comes after your command, so your command gets it. To give it to Hoyle, put it before "
                "the command.",
                err=True,
            )

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters; none for a word of the adapter's command that a shell completes."""
        return [] if ctx.resilient_parsing and ctx.args else super().get_params(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the options that complete a word, and let the shell complete the words of the adapter's command."""
        found = [] if ctx.args else super().shell_complete(ctx, incomplete)
        return found or complete_files(ctx, self.params[0], incomplete)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the parts of the line of usage."""
        return [*super().collect_usage_pieces(ctx), "[COMMAND…]"]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the place of the protocol's description in this installation."""
        super().format_epilog(ctx, formatter)
        formatter.write(f"\nThe protocol of adapters: {shown_path(find_spec() / 'PROTOCOL.md')}\n")


def _configure(context: click.Context, _parameter: click.Parameter, file: Path | None) -> None:
    """Set the values of the configuration as the defaults of the command."""
    if context.resilient_parsing:
        return
    with WrongUsageIfInvalid():
        used = read_configuration(file) if file else find_configuration()
    if file:
        if used is None:
            raise click.UsageError(f"{file} has no table [tool.hoyle]: add it, or name another file.")
        context.meta[_CHOSEN] = ("--config", str(file))
    if used:
        assert isinstance(context.command, Configurable), "only such a command has the option"
        context.meta[_USED], context.default_map = used, used.defaults(context.command)


configuration_option = click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    is_eager=True,
    expose_value=False,
    callback=_configure,
    help="Take COMMAND and options from this file, not from the nearest hoyle.toml or pyproject.toml.",
)


def _with_place(context: click.Context, error: click.BadParameter) -> click.UsageError:
    """Return the error, with the place of the value if it is from the configuration."""
    used: Configuration | None = context.meta.get(_USED)
    name = error.param.name if error.param else None
    if not used or not name or context.get_parameter_source(name) is not ParameterSource.DEFAULT_MAP:
        return error
    key = next(key for key in used.values if f"--{key}" in getattr(error.param, "opts", ()))
    mistake = used.diagnose(key, "value", error.message, "Correct it, or name another file with --config.")
    return click.UsageError(str(mistake), context)


def is_on_the_command_line(context: click.Context, name: str) -> bool:
    """Whether the value of a parameter comes from the command line, not from the configuration."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE
