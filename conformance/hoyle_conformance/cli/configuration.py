"""The configuration file of a project: the adapter's command and the options that commands take from it.

The nearest `hoyle.toml`, or `pyproject.toml` with `[tool.hoyle]`, upward from the working folder counts. Its values are
defaults: what stands on the command line wins. Paths are relative to the file, and the adapter runs in its folder.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from hoyle_conformance.cli.adapter_options import CONFIGURED, WithAdapter
from hoyle_conformance.cli.exit import exit_invalid
from hoyle_conformance.cli.strict_toml import read_toml
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.read import read_bytes
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.system.processes import split_command

if TYPE_CHECKING:
    from hoyle_conformance.cli.strict_toml import TomlDocument
    from hoyle_conformance.files.schemas import Schemas

OWN_FILE: Final = "hoyle.toml"
SHARED_FILE: Final = "pyproject.toml"
TABLE: Final = ("tool", "hoyle")
SCHEMA: Final = "configuration"
_COMMAND: Final = "command"
_PATHS: Final = frozenset({"#/$defs/path", "#/$defs/paths"})
_STANDARD_OUTPUT: Final = "-"
#: The keys that mean the same to every command that starts an adapter, as far as it has the option.
_SHARED: Final = frozenset(
    {
        *("ruleset", "rules", "timeout", "deadline", "jobs", "sandbox", "spec"),
    }
)
#: Options whose value from the file does not count if another stands on the command line, which it would contradict;
#: each with its value then.
_GIVES_WAY: Final[Mapping[str, tuple[Any, tuple[str, ...]]]] = MappingProxyType(
    {
        "as_written": (False, ("seed",)),
        "seed": ("", ("as_written",)),
        "max_failures": (None, ("write_baseline",)),
        "rulesets": ((), ("rules", "transcripts")),
    }
)
#: Under these the context of a command knows the file in use, the words that chose it, the adapter's command that
#: stood on the command line.
_USED: Final = "hoyle.configuration"
_CHOSEN: Final = "hoyle.configuration-chosen"
_NAMED: Final = "hoyle.adapter-named"


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a configuration file says: its `values` by the names of options, and the paths among them."""

    path: Path
    document: "TomlDocument"
    table: tuple[str, ...]
    values: Mapping[str, Any]
    paths: frozenset[str]

    @property
    def folder(self) -> Path | None:
        """The folder that the adapter runs in; None if that is the working folder."""
        folder = self.path.parent
        return None if folder.resolve() == Path.cwd().resolve() else folder.resolve()

    @property
    def command(self) -> tuple[str, ...]:
        """The words of the adapter's command; raises Invalid if a quotation in it is not closed."""
        written = self.values.get(_COMMAND, ())
        try:
            return split_command(written) if isinstance(written, str) else tuple(written)
        except ValueError as error:
            remedy = 'Close the quotation, or write a list of words: ["python", "my_adapter.py"].'
            raise Invalid(
                [self.diagnose(_COMMAND, "command", "a quotation in the command is not closed", remedy)]
            ) from error

    def defaults(self, command: "Configurable") -> dict[str, Any]:
        """Return the values by the names of the command's parameters, as if they stood on its command line."""
        names = {option.removeprefix("--"): each for each in command.params for option in each.opts}
        taken = names.keys() if command.takes_all_keys else names.keys() & _SHARED
        found = ((names[key], self._value(key, value)) for key, value in self.values.items() if key in taken)
        return {each.name or "": _as_given(each, value) for each, value in found}

    def _value(self, key: str, value: Any) -> Any:
        """Return a value, with paths relative to the working folder."""
        if key not in self.paths or value == _STANDARD_OUTPUT:
            return value
        folder = self.path.parent
        return [str(folder / each) for each in value] if isinstance(value, list) else str(folder / value)

    def diagnose(self, key: str, code: str, message: str, remedy: str = "") -> Diagnostic:
        """Return a diagnostic at the value of a key."""
        return self.document.diagnose((*self.table, key), code, message, remedy)


def _as_given(parameter: click.Parameter, value: Any) -> Any:
    """Return a value as the command line would give it: as a flag, a list, or text."""
    if isinstance(value, bool):
        return value
    if getattr(parameter, "multiple", False):
        return [value] if isinstance(value, str) else value
    return str(value)


def find_configuration() -> Configuration | None:
    """Return the nearest configuration, in the working folder or above it; raises Invalid if it is not valid, or if a
    folder has two."""
    for folder in (Path(), *Path.cwd().parents):
        paths = [path for name in (OWN_FILE, SHARED_FILE) if (path := folder / name).is_file()]
        found = [each for each in map(read_configuration, paths) if each]
        if len(found) > 1:
            own, shared = found
            message = f"{shown_path(own.path)} in the same folder is a configuration too"
            raise Invalid([shared.document.diagnose(TABLE, "two-files", message, "Keep one of the two.", key=True)])
        if found:
            return found[0]
    return None


def read_configuration(path: Path) -> Configuration | None:
    """Return the configuration in a file; None if it is a `pyproject.toml` without one. Raises Invalid if it is not
    valid."""
    shown, table = shown_path(path), TABLE if path.name == SHARED_FILE else ()
    if table and TABLE[-1].encode() not in read_bytes(path, shown):
        return None  # also where it is no TOML: it is not ours
    document = read_toml(path, shown)
    values = document.data
    for name in table:
        if not isinstance(values, Mapping) or name not in values:
            return None
        values = values[name]
    schemas = Schemas(find_spec() / "schemas")
    faults = list(_faults(document, table, values, schemas))
    if faults:
        raise Invalid(faults)
    properties = schemas.documents[SCHEMA]["properties"]
    paths = frozenset(key for key, schema in properties.items() if schema.get("$ref") in _PATHS)
    return Configuration(path, document, table, values, paths)


def _faults(document: "TomlDocument", table: tuple[str, ...], values: Any, schemas: "Schemas") -> Iterator[Diagnostic]:
    """Yield what is wrong with the values, each at its place in the file."""
    for each in schemas.complaints(SCHEMA, values):
        yield document.diagnose((*table, *each.path), each.code, each.message, each.remedy, key=each.at_key)


# ---- on the command line


def _configure(context: click.Context, _parameter: click.Parameter, file: Path | None) -> None:
    """Take the values of the configuration as the defaults of the command."""
    if context.resilient_parsing:
        return
    try:
        used = read_configuration(file) if file else find_configuration()
    except Invalid as invalid:
        exit_invalid(invalid, Exit.USAGE)
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


class Configurable(WithAdapter):
    """A command whose configuration file may name the adapter's command and its options.

    The keys are the options of `hoyle check`. Another command `takes_all_keys` only if all mean the same to it: the
    seed of random games is another one.
    """

    takes_all_keys = False

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options and the adapter's command line, and take what is missing from the configuration."""
        try:
            rest = super().parse_args(ctx, args)
        except click.BadParameter as error:
            raise _with_place(ctx, error) from error
        used: Configuration | None = ctx.meta.get(_USED)
        ctx.meta[_NAMED] = ctx.meta["adapter"]
        if used:
            click.echo(f"Configuration: {shown_path(used.path)}", err=True)
            _give_way(ctx)
            if not ctx.meta["adapter"] and not ctx.params.get("transcripts"):
                ctx.meta["adapter"], ctx.meta[CONFIGURED] = _command_or_exit(used), used.path
        return rest


def _with_place(context: click.Context, error: click.BadParameter) -> click.UsageError:
    """Return the error, with the place of the value if it is from the configuration."""
    used: Configuration | None = context.meta.get(_USED)
    name = error.param.name if error.param else None
    if not used or not name or context.get_parameter_source(name) is not ParameterSource.DEFAULT_MAP:
        return error
    key = next(key for key in used.values if f"--{key}" in getattr(error.param, "opts", ()))
    return click.UsageError(
        str(used.diagnose(key, "value", error.message, "Correct it, or name another file with --config.")), context
    )


def _give_way(context: click.Context) -> None:
    """Take back the values of the configuration that contradict an option on the command line."""
    for name, (nothing, others) in _GIVES_WAY.items():
        stands = context.get_parameter_source(name) is ParameterSource.DEFAULT_MAP
        if stands and any(context.get_parameter_source(each) is ParameterSource.COMMANDLINE for each in others):
            context.params[name] = nothing


def _command_or_exit(used: Configuration) -> tuple[str, ...]:
    """Return the adapter's command; exit with 4 if it cannot be split into words."""
    try:
        return used.command
    except Invalid as invalid:
        exit_invalid(invalid, Exit.USAGE)


def configured_folder(context: click.Context) -> Path | None:
    """Return the folder that the adapter runs in; None for the working folder."""
    used: Configuration | None = context.meta.get(_USED)
    return used.folder if used and not context.meta[_NAMED] else None


def is_on_the_command_line(context: click.Context, name: str) -> bool:
    """Whether a parameter has its value from the command line, not from the configuration."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def words_at_the_end(context: click.Context) -> Sequence[str]:
    """Return the words that end a call like this one: those that choose the configuration, and the adapter's command
    unless the configuration names it."""
    return [*context.meta.get(_CHOSEN, ()), *context.meta[_NAMED]]
