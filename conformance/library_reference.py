"""Writes docs/library-reference.md from the docstrings of the library: ``make reference``."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hoyle

PAGE = Path(__file__).parent.parent / "docs/library-reference.md"
_HEAD = """# Library reference

This page has every name of `hoyle.__all__`, with its docstring. [Use Hoyle as a library](library.md) introduces them.
"""


def library_reference() -> str:
    """Return the page: functions, classes with their members, and errors."""
    names = {name: getattr(hoyle, name) for name in hoyle.__all__ if not name.startswith("_")}
    errors = {name: each for name, each in names.items() if inspect.isclass(each) and issubclass(each, Exception)}
    classes = {name: each for name, each in names.items() if inspect.isclass(each) and name not in errors}
    functions = {name: each for name, each in names.items() if not inspect.isclass(each)}
    parts = (("Functions", functions), ("Classes", classes), ("Errors", errors))
    return _HEAD + "".join(text for title, named in parts for text in _part(title, named))


def _part(title: str, named: dict[str, Any]) -> Iterator[str]:
    yield f"\n## {title}\n"
    for name, each in sorted(named.items()):
        yield from _entry(f"hoyle.{name}", each)
        if inspect.isclass(each):
            for member in _members(each):
                yield from _member(each, member)


def _entry(name: str, each: Any) -> Iterator[str]:
    """Yield the heading, the signature and the docstring of a function or a class."""
    yield f"\n### `{name}`\n\n"
    if not (inspect.isclass(each) and issubclass(each, Exception)):
        yield f"```python\n{name.rpartition('.')[2]}{_signature(each)}\n```\n\n"
    yield f"{_text(each)}\n"


def _members(made: type) -> list[str]:
    """Return the public members that a class has from Hoyle, in order."""
    own = {name for each in made.__mro__ if each.__module__.startswith("hoyle") for name in vars(each)}
    return [name for name in sorted(own) if not name.startswith("_") and inspect.getdoc(getattr(made, name, None))]


def _member(made: type, name: str) -> Iterator[str]:
    each = inspect.getattr_static(made, name)
    if isinstance(each, property):
        yield f"\n#### `{name}`\n\n{_text(each)}\n"
    elif callable(getattr(made, name)):
        called = getattr(made, name)
        yield f"\n#### `{name}`\n\n```python\n{name}{_signature(called)}\n```\n\n{_text(called)}\n"


def _signature(each: Any) -> str:
    """Return how something is called, with the types by their last names."""
    text = re.sub(r"'([^' ]+)'", r"\1", str(inspect.signature(each))).replace("(self, ", "(").replace("(self)", "()")
    return "" if text == "(*args, **kwargs)" else re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", text)


def _text(each: Any) -> str:
    """Return a docstring as Markdown: what reStructuredText marks as code is marked so."""
    return re.sub(r"``([^`]+)``", r"`\1`", inspect.getdoc(each) or "")


if __name__ == "__main__":
    PAGE.write_text(library_reference(), "utf-8", newline="\n")
