"""Page templates: the one environment in which they are filled, and which escapes every value that is put in.

A template is a `.jinja` file beside the module that fills it, named by its path in the package. No filter of templates
makes words into markup: `html.Markup` alone is put in as it stands.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from hoyle_conformance.wording.html import Markup, coded, drawn, joined, text
from hoyle_conformance.wording.text import plural, sentence

_BESIDE_A_TAG: Final = re.compile(r"(?:^|(?<=>))\s*\n\s*|\s*\n\s*(?:$|(?=<))")
_LINE_BREAK: Final = re.compile(r"\s*\n\s*")
#: The filters of templates, in place of those of Jinja2: `safe` and those that escape otherwise are not among them.
_FILTERS: Final = {
    "cards": drawn,
    "coded": coded,
    "joined": joined,
    "length": len,
    "number": "{:,}".format,
    "plural": plural,
    "sentence": sentence,
}


class LineBreaks(Extension):
    """Line breaks in a template, with the spaces around them: nothing beside a tag, a space within a sentence."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Yield the tokens of a template, without the line breaks and indentation that are for its readers alone."""
        for token in stream:
            if token.type == "data":
                value = _LINE_BREAK.sub(" ", _BESIDE_A_TAG.sub("", token.value))
                yield Token(token.lineno, "data", value)
            else:
                yield token


def render(template: str, /, **values: object) -> Markup:
    """Return a template filled with values; raises jinja2.UndefinedError where it names one that is not given."""
    return Markup(environment().get_template(template).render(values))


@cache
def environment() -> Environment:
    """Return the environment of all templates, made when the first page is."""
    made = Environment(
        loader=FunctionLoader(lambda name: files("hoyle_conformance").joinpath(name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_escaped,
        extensions=[LineBreaks],
        auto_reload=False,
        cache_size=-1,
    )
    made.filters = dict(_FILTERS)
    return made


def _escaped(value: object) -> object:
    """Return a text or a number as HTML shows it, and markup as it stands; raises TypeError for anything else."""
    if hasattr(value, "__html__"):  # of ours, or of a macro
        return value
    if not isinstance(value, str | int) or isinstance(value, bool):
        str(value)  # which says what is not defined
        raise TypeError(f"A template puts in {value!r}, which is neither a text nor a number.")
    return text(str(value))
