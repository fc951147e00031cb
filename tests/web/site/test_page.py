"""Links between pages, the policy of a kind of page, and the chapters that its frame lists."""

import pytest

from hoyle_conformance.web.site.page import PageChapter, chapters_of, href, policy_of

THREE = (
    '<h1>Title</h1><h2 id="a">One <a class="headerlink" href="#a" title="x">¶</a></h2>'
    '<section class="part" id="b"><h2>Two &amp; <b>more</b></h2></section>'
    '<h2 id="x&quot;y" data-has="q">Three</h2>'
)


@pytest.mark.parametrize(
    ("to", "here", "link"),
    [
        ("a/b.md#c", "a/d.md", "b.html#c"),
        ("a.md", "b/c.md", "../a.html"),
        ("a/b.md", "a.md", "a/b.html"),
        ("a/b.md", "a/b/c.md", "../b.html"),  # a page with the name of the folder
        ("assets/a.css", "p/q.md", "../assets/a.css"),
        ("#here", "a.md", "#here"),
    ],
)
def test_link_leads_from_page_to_page(to: str, here: str, link: str) -> None:
    assert href(to, here) == link


def test_only_the_table_may_run_compiled_code() -> None:
    assert "wasm" in policy_of("table")
    assert {policy_of(kind) for kind in ("", "rules", "documents")} == {policy_of("home")}
    for kind in ("table", "home"):
        assert "unsafe-inline" not in policy_of(kind)
        assert "'unsafe-eval'" not in policy_of(kind)
        assert policy_of(kind).startswith("default-src 'self'; ")


def test_chapters_have_the_anchors_of_their_headings_and_plain_titles() -> None:
    assert chapters_of(THREE) == (PageChapter("a", "One"), PageChapter("b", "Two & more"), PageChapter('x"y', "Three"))


def test_headings_without_an_address_or_for_the_ear_alone_are_no_chapters() -> None:
    assert chapters_of(
        f'{THREE}<h2>None</h2><h2 class="unseen" id="c">Unseen</h2><h3 id="d">Smaller</h3>'
    ) == chapters_of(THREE)


def test_a_page_with_few_chapters_lists_none() -> None:
    assert chapters_of(THREE.replace('<h2 id="a">', "<h2>")) == ()


def test_letters_are_no_chapters() -> None:
    assert chapters_of("".join(f'<section id="{each}"><h2>{each}</h2></section>' for each in "ABCD")) == ()
