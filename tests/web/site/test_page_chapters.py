"""The chapters that the frame of a page lists."""

from hoyle_conformance.web.site.page_chapters import PageChapter, chapters_of

THREE = (
    '<h1>Title</h1><h2 id="a">One <a class="headerlink" href="#a" title="x">¶</a></h2>'
    '<section class="part" id="b"><h2>Two &amp; <b>more</b></h2></section>'
    '<h2 id="x&quot;y" data-has="q">Three</h2>'
)


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
