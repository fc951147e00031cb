"""The sentences that a user of Hoyle reads, with their places.

Run as a script, it draws some of them at random: `python tests/whole/user_text.py --sample 200 --seed 1`.
"""

import argparse
import ast
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
HARNESS = ROOT / "conformance/hoyle_conformance"
#: The library, whose docstrings users read.
LIBRARY = ROOT / "conformance/hoyle"
#: How players say things, which is matched and never printed.
PLAYERS_WORDS = HARNESS / "tools/ask"
#: A text of fewer words is a label, not a sentence.
SHORTEST = 4
#: The keys of a YAML file of the specification whose values are prose.
PROSE = {"about", "but_not", "edition", "gives", "lacks", "not_testable", "note"}
PROSE |= {"argument", "because", "reason", "rights", "ruling", "says", "summary", "text", "title", "why"}


@dataclass(frozen=True)
class Sentence:
    """One sentence, or a title or a message without a full stop, and the file and line where its text begins."""

    file: str
    line: int
    text: str

    @property
    def words(self) -> list[str]:
        """The words of English, without pieces of code and what stands for a value."""
        return re.findall(r"\w[\w'\u2019-]*", re.sub(r"`[^`]*`", "", self.text))

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def every_sentence() -> Iterator[Sentence]:
    """Return every sentence of the documents, the specification, the pages and the messages."""
    for path, line, text in every_text():
        for sentence in split(text):
            if len(re.findall(r"\w+", sentence)) >= SHORTEST:
                yield Sentence(path.relative_to(ROOT).as_posix(), line, sentence)


def split(text: str) -> list[str]:
    """Split a text at the ends of its sentences."""
    text = re.sub(r"\b(e\.g|i\.e|cf|vs|No|St|p|pp|ch|art)\.\s+", "\\1.\u00a0", text)
    text = re.sub(r"[^\S\u00a0]+", " ", text).strip()
    end = r"(?<=[.!?])[\"”')*_]* +(?=[\"“(*_]*[A-Z`…])"
    return [each.replace("\u00a0", " ") for each in re.split(end, text) if each]


def every_text() -> Iterator[tuple[Path, int, str]]:
    """Return every text with its file and line."""
    for path in documents():
        yield from of_markdown(path)
    for path in sorted((ROOT / "spec/schemas").glob("*.json")):
        yield from of_schema(path)
    for folder in ("spec/sources", "spec/rulesets", "spec/scenarios"):
        for path in sorted((ROOT / folder).rglob("*.yaml")):
            yield from of_yaml(path, PROSE)
    for path in sorted(each for each in HARNESS.rglob("*.yaml") if "spec" not in each.relative_to(HARNESS).parts):
        if path.parent != PLAYERS_WORDS:
            yield from of_yaml(path, None)
    yield from of_yaml(HARNESS / "reports/words.json", None)
    for path in sorted([*HARNESS.rglob("*.py"), *LIBRARY.glob("*.py")]):
        yield from of_python(path)
    yield from chain.from_iterable(map(of_docstrings, sorted(LIBRARY.glob("*.py"))))
    for path in sorted([*HARNESS.rglob("*.jinja"), *(ROOT / "conformance/theme").rglob("*.html")]):
        yield from of_template(path)
    for path in sorted([*(ROOT / "docs/assets").glob("*.js"), *HARNESS.rglob("*.js")]):
        yield from of_script(path)


def documents() -> list[Path]:
    """Return the Markdown files of the project."""
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ARCHITECTURE.md", "LICENSES.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "spec").glob("*.md"))]


def of_markdown(path: Path) -> Iterator[tuple[Path, int, str]]:
    """Return the paragraphs, headings, items and table cells of a Markdown file, without code blocks and addresses."""
    text = re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), path.read_text("utf-8"), flags=re.DOTALL)
    begins, block, fenced = 1, list[str](), False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        apart = fenced or not line.strip() or re.match(r"\s*(```|#|\||[-*] |\d+\. |<|!!!|===|:)", line)
        if apart and block:
            yield path, begins, plain(" ".join(block))
            block = []
        if fenced or line.lstrip().startswith("```"):
            continue
        if line.lstrip().startswith("|"):
            yield from ((path, number, plain(cell)) for cell in line.strip().strip("|").split(" | "))
        elif line.startswith("#"):
            yield path, number, plain(line.lstrip("#"))
        elif line.strip():
            begins = begins if block else number
            block.append(re.sub(r"^\s*([-*] |\d+\. |!!! \w+|:)", "", line).strip())


def plain(text: str) -> str:
    """Take addresses, anchors, tags and emphasis out of a piece of Markdown."""
    text = re.sub(r"!?\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])", r"\1", text)
    text = re.sub(r"\{[#:][^}]*\}|</?[a-z][^>]*>", "", text)
    return text.replace("**", "").strip(" *_")


def of_schema(path: Path) -> Iterator[tuple[Path, int, str]]:
    """Return the titles and descriptions of a JSON Schema."""
    text = path.read_text("utf-8")
    for value in strings(json.loads(text), {"title", "description"}):
        yield path, line_of(text, json.dumps(value, ensure_ascii=False)), value


def of_yaml(path: Path, keys: set[str] | None) -> Iterator[tuple[Path, int, str]]:
    """Return the strings of a YAML file, or those with the given keys only."""
    text = path.read_text("utf-8")
    for value in strings(yaml.load(text, yaml.CSafeLoader), keys):
        yield path, line_of(text, value), re.sub(r" \[[a-z0-9_.,:; -]+\]", "", re.sub(r"\{[^}]*\}", "…", value))


def strings(value: Any, keys: set[str] | None, *, wanted: bool = True) -> Iterator[str]:
    """Return the strings in a document, at any depth, that are values of one of the keys; without keys, all."""
    if isinstance(value, str):
        if wanted:
            yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from strings(inner, keys, wanted=keys is None or key in keys)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, keys, wanted=wanted)


def line_of(text: str, value: str) -> int:
    """Return the line on which a value begins in its file."""
    at = text.find(" ".join(value.split()[:3]).removesuffix('"'))
    return text.count("\n", 0, max(at, 0)) + 1


def of_python(path: Path) -> Iterator[tuple[Path, int, str]]:
    """Return the strings of a module that are prose, with … for each value; of docstrings only those of commands."""
    tree = ast.parse(path.read_text("utf-8"))
    passed = set[ast.AST]()
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(values=parts):
                passed.update(parts)
                pieces = [str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts]
                if is_prose("".join(pieces)):
                    yield path, node.lineno, "".join(pieces)
            case ast.Expr(value=ast.Constant() as docstring):
                passed.add(docstring)
            case ast.FunctionDef(decorator_list=decorators):
                help_text = ast.get_docstring(node) or ""
                if any("command(" in ast.unparse(each) for each in decorators):
                    # Click prints a paragraph that begins with a backspace as it is: examples, not sentences.
                    yield from ((path, node.lineno, each) for each in help_text.split("\n\n") if "\b" not in each)
            case ast.Constant(value=str(text)) if node not in passed and is_prose(text):
                yield path, node.lineno, text


def of_docstrings(path: Path) -> Iterator[tuple[Path, int, str]]:
    """Return the paragraphs of the docstrings of a module, its classes and its functions, but for indented code."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            paragraphs = (ast.get_docstring(node) or "").split("\n\n")
            line = 1 if isinstance(node, ast.Module) else node.lineno
            yield from ((path, line, each) for each in paragraphs if not each.startswith(" "))


def is_prose(value: str) -> bool:
    """Whether a string of a module is English: words with spaces between them, and no markup or pattern."""
    return bool(re.search(r"[a-z]+ [a-z]+ ", value) and re.search(r"[.:,…']", value)) and not re.search(
        r"[\\<>{}|]|\(\?|__", value
    )


def of_template(path: Path) -> Iterator[tuple[Path, int, str]]:
    """Return the texts between the tags of a template, with … for each value."""
    text = re.sub(r"\{#.*?#\}|<(script|style)\b.*?</\1>", blank, path.read_text("utf-8"), flags=re.DOTALL)
    text = re.sub(r"\{\{.*?\}\}", lambda found: "…" + "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    inline = r"</?(a|b|i|em|strong|code|span|abbr|kbd|small)\b[^>]*>"
    text = re.sub(inline, "", text)
    text = re.sub(r"\{%.*?%\}|<[^>]*>", lambda found: "\x00" + "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    line = 1
    for piece in text.split("\x00"):
        yield path, line + len(piece) - len(piece.lstrip("\n")), piece.strip()
        line += piece.count("\n")


def blank(found: re.Match[str]) -> str:
    """Return the line breaks of a match only."""
    return "\n" * found[0].count("\n")


def of_script(path: Path) -> Iterator[tuple[Path, int, str]]:
    """Return the strings of a script that are prose, with … for each value."""
    text = re.sub(r"/\*.*?\*/", blank, path.read_text("utf-8"), flags=re.DOTALL)
    for number, line in enumerate(text.splitlines(), 1):
        for string in re.findall(r"\"([^\"]+)\"|`([^`]+)`", re.sub(r"(^|\s)//.*", "", line)):
            value = re.sub(r"\$\{[^}]*\}", "…", "".join(string))
            if is_prose(value):
                yield path, number, value


def main() -> None:
    """Print some sentences, drawn at random from all different ones."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    sentences = list({each.text: each for each in every_sentence()}.values())
    for each in random.Random(chosen.seed).sample(sentences, chosen.sample):
        print(each)


if __name__ == "__main__":
    main()
