"""Python starts with this while a mutant is tried: a module is imported with the change that the mutant is."""

import os
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

sys.path.insert(0, str(Path(__file__).parents[1]))
from code_changes import changed_module

sys.path.pop(0)

PATH, NUMBER = os.environ["HOYLE_MUTANT"].rsplit(":", 1)
as_it_is = SourceFileLoader.get_code


def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
    if loader.get_filename(fullname) != PATH:
        return as_it_is(loader, fullname)
    return compile(changed_module(Path(PATH), int(NUMBER)), PATH, "exec", dont_inherit=True)


SourceFileLoader.get_code = get_code  # type: ignore[method-assign] # which is what this file is for
