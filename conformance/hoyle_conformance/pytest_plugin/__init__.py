"""The pytest plugin: ``pytest --hoyle "COMMAND"`` runs the checks of the suite against an adapter, with an item for
each.

Every run of pytest imports this module if Hoyle is installed, so it imports nothing else of Hoyle. The other modules of
this package are imported with the first of our options.

Checks of rulesets that the adapter does not claim are deselected: ten thousand skipped items would hide the rest. An
adapter may answer and then crash, so a result is reported only after the next check has been sent.
"""

import pytest

#: The prefix of the ids of our items, by which the command line selects them.
PREFIX = "hoyle::"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and the equivalent keys of an ini file."""
    group = parser.getgroup("hoyle", "card engine checks (Hoyle)")
    group.addoption(
        "--hoyle",
        metavar="COMMAND",
        help="Run the checks of Hoyle's suite against the adapter that this command starts, as 'hoyle check "
        "COMMAND' does. 'hoyle::' as an argument selects only these items.",
    )
    group.addoption("--hoyle-ruleset", action="append", metavar="NAME", help="Only checks of this ruleset. Repeatable.")
    group.addoption(
        "--hoyle-baseline", metavar="FILE", help="A file of known failures, a check and its status on each line."
    )
    group.addoption("--hoyle-timeout", metavar="SECONDS", help="The seconds that the adapter may take to answer.")
    group.addoption(
        "--hoyle-sandbox",
        action="store_true",
        help="Run the adapter without network, without write access, and with limits.",
    )
    parser.addini("hoyle_command", "The value of --hoyle, for runs that name no files.")
    parser.addini("hoyle_ruleset", "The value of --hoyle-ruleset.", type="args")
    parser.addini("hoyle_baseline", "The value of --hoyle-baseline, relative to the folder of this file.", type="paths")
    parser.addini("hoyle_timeout", "The value of --hoyle-timeout.")
    parser.addini("hoyle_sandbox", "true for --hoyle-sandbox.")


def pytest_configure(config: pytest.Config) -> None:
    """Remove our arguments from those of pytest, which would look for files of these names, and register the plugin if
    it is needed; raise UsageError if there is no command."""
    chosen = [arg for arg in config.args if arg.startswith(PREFIX)]
    command = config.getoption("--hoyle") or config.getini("hoyle_command")
    if not command:
        if chosen:
            raise pytest.UsageError(f"'{chosen[0]}' needs an adapter: give --hoyle COMMAND, or hoyle_command = COMMAND")
        return
    others = [arg for arg in config.args if arg not in chosen]
    named = others and config.args_source is pytest.Config.ArgsSource.ARGS
    if named and not chosen and not config.getoption("--hoyle"):
        return  # a user who names files wants those
    if chosen:
        config.args[:] = others
    from hoyle_conformance.pytest_plugin.plugin import Session  # noqa: PLC0415 -- other runs need nothing else of Hoyle

    config.pluginmanager.register(Session(config, command, [arg.removeprefix(PREFIX) for arg in chosen]), "hoyle-items")
