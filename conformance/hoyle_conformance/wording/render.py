"""Page templates: the only environment that fills them, which escapes every inserted value.

A template is a `.jinja` file next to the module that fills it, named by its path in the package. No filter turns text
into markup; only `html.Markup` is inserted unchanged.
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
#: The filters of templates, which replace those of Jinja2; neither `safe` nor any filter that escapes in another way is
#: among them.
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
    """Line breaks in a template, with the spaces around them: removed next to a tag, and one space within a
    sentence."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Yield the tokens of a template without the line breaks and indentation that only serve its readers."""
        for token in stream:
            if token.type == "data":
                value = _LINE_BREAK.sub(" ", _BESIDE_A_TAG.sub("", token.value))
                yield Token(token.lineno, "data", value)
            else:
                yield token


def render(template: str, /, **values: object) -> Markup:
    """Return a template filled with values; raises jinja2.UndefinedError if the template names a value that is not
    given."""
    return Markup(environment().get_template(template).render(values))


@cache
def environment() -> Environment:
    """Return the environment of all templates, made for the first page."""
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
    """Return a text or a number escaped for HTML, and markup unchanged; raises TypeError for any other value."""
    if hasattr(value, "__html__"):  # markup of Hoyle, or from a macro
        return value
    if not isinstance(value, str | int) or isinstance(value, bool):
        str(value)  # raises an error that names the undefined value
        raise TypeError(f"A template puts in {value!r}, which is neither a text nor a number.")
    return text(str(value))
