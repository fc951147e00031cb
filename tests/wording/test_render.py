"""Page templates: each can be compiled, none puts in words as markup, and the line breaks in them are for readers."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from jinja2 import TemplateAssertionError, UndefinedError

import hoyle_conformance
from hoyle_conformance.wording.html import drawn, tag
from hoyle_conformance.wording.render import environment
from recorded import words

PACKAGE = Path(hoyle_conformance.__file__).parent
TEMPLATES = {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in PACKAGE.rglob("*.jinja")}


def filled(source: str, **values: object) -> str:
    return environment().from_string(source).render(values)


@pytest.mark.parametrize("name", sorted(TEMPLATES))
def test_template_compiles_and_turns_no_escaping_off(name: str) -> None:
    environment().get_template(name)
    assert "autoescape" not in TEMPLATES[name]
    tags = re.sub(r"\{#.*?#\}|\{%.*?%\}", "", TEMPLATES[name], flags=re.DOTALL)
    assert not re.search(r"=\{\{", tags), "the value of an attribute needs quotes"
    assert not re.search(r"\s(?:on\w+|style)=", tags), "no policy for browsers allows these"


@given(words)
def test_words_are_escaped_in_text_and_in_attributes(some: str) -> None:
    assert filled('<p title="{{ some }}">{{ some }}</p>', some=some) == tag("p", some, title=some)
    assert filled("{% macro p(x) %}<p>{{ x }}</p>{% endmacro %}{{ p(some) }}", some=some) == tag("p", some)
    assert filled("{{ some|cards }}", some=some) == drawn(some)


def test_values_that_are_neither_texts_nor_numbers_are_refused() -> None:
    assert filled("{{ a }}{{ b }}", a=tag("b", "x"), b=7) == "<b>x</b>7"
    for value in (None, True, 1.5, ["a"]):
        with pytest.raises(TypeError, match="neither a text nor a number"):
            filled("{{ value }}", value=value)
    with pytest.raises(UndefinedError):
        filled("{{ value }}")
    with pytest.raises(TemplateAssertionError):
        filled("{{ '<b>'|safe }}")


def test_line_breaks_are_nothing_beside_a_tag_and_a_space_within_a_sentence() -> None:
    source = """
        <p>
          Cards are {{ how }}
          {% if also %}, also{% endif %}
          <b>one by
            one</b> or two.
        </p>
    """
    assert filled(source, how="dealt", also=True) == "<p>Cards are dealt, also<b>one by one</b> or two.</p>"


def test_commands_that_need_no_page_do_without_jinja() -> None:
    names = ("cli.report", "reports.side_by_side", "web.explorer.engine")
    modules = ", ".join(f"hoyle_conformance.{name}" for name in names)
    code = f"import sys, {modules}; print('jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
