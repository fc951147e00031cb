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
