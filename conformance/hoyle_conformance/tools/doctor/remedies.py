"""Remedies: what to do about each fault, in the language that the adapter is written in where that says more.

They stand in `remedies.yaml`, by the name of the question, or of the finding where a question has several.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from hoyle_conformance.files.strict_yaml import read_file

FILE: Final = Path(__file__).with_name("remedies.yaml")
#: Under this stands what to do in any language.
IN_GENERAL: Final = "in general"


@cache
def remedies() -> Mapping[str, Mapping[str, str]]:
    """What to do, by the name of the fault and then by language."""
    read: Mapping[str, Mapping[str, str]] = read_file(FILE, FILE.name).data
    return read


def remedy(name: str, language: str) -> str:
    """What to do about a fault, in general and, where that says more, in a language; raises KeyError for an unknown
    fault."""
    known = remedies()[name]
    return f"{known[IN_GENERAL]} In {language}: {known[language]}" if language in known else known[IN_GENERAL]
