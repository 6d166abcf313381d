from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest
from elements import Elements

from assize.base.errors import OutputError
from assize.pages import charts, page
from assize.pages.page import Section, Tile
from assize.results import Mean, ResultTable
from assize.results.columns import columns

EVIL = "</title></style><script>alert(1)</script>\"' onload=x \u202e\x00"


SMALL = ResultTable("t", columns("number", "a", ends="below"), [(Mean(1.0, (0.5, 1.5)),)])


@pytest.fixture
def evil_page(tmp_path: Path) -> str:
    body = page.join(
        page.paragraph(EVIL),
        page.tiles([Tile(EVIL, EVIL, EVIL)]),
        page.table(ResultTable(EVIL, columns("words", EVIL, EVIL), [(EVIL, EVIL)], [EVIL])),
        page.figure(charts.histogram([1.0], title=EVIL, marks={EVIL: 1.0}, unit=EVIL), EVIL),
    )
    page.write_page(
        tmp_path / "evil.html",
        EVIL,
        [Section(EVIL, body), Section("two", body)],
        signature=EVIL,
        subtitle=EVIL,
        notes=[EVIL],
        reproduce=[EVIL],
    )
    return (tmp_path / "evil.html").read_text()


def test_no_text_from_outside_becomes_markup(evil_page: str) -> None:
    assert "<script" not in evil_page
    assert evil_page.count("<title>") == evil_page.count("</title>") == 1
    assert evil_page.count("<style>") == evil_page.count("</style>") == 1
    assert "\u202e" not in evil_page
    assert "\x00" not in evil_page
    for tag, attributes in Elements(evil_page).found:
        assert tag not in {"script", "img", "iframe", "object", "link", "form"}
        assert not any(name.startswith("on") for name in attributes)


def test_the_page_points_to_nothing_outside_itself(evil_page: str) -> None:
    assert not re.search(r"(?:https?:)?//\w", evil_page)
    assert all(link.startswith("#") for link in re.findall(r'(?:href|src)="([^"]*)"', evil_page))
    assert "@import" not in evil_page
    assert "url(" not in evil_page


def test_the_policy_allows_the_page_its_one_style_and_nothing_else(evil_page: str) -> None:
    match = re.search(r'content="(default-src[^"]*)"', evil_page)
    style = re.search(r"<style>(.*?)</style>", evil_page, re.DOTALL)
    assert match is not None
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = match[1].replace("&#39;", "'")
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")
    assert not re.search(r"<[^>]*\sstyle=", evil_page)


def test_every_heading_that_the_contents_link_to_is_there(evil_page: str) -> None:
    anchors = re.findall(r'href="#([^"]+)"', evil_page)
    assert len(anchors) == 3
    assert all(f'id="{anchor}"' in evil_page for anchor in anchors)


def test_a_long_table_says_how_many_rows_it_leaves_out() -> None:
    found = ResultTable("t", columns("count", "a"), [(n,) for n in range(5)], ["All."])
    text = page.table(found.head(3))
    assert text.count("<tr>") == 4
    assert "All. 2 further rows are not shown." in text


def test_a_piece_within_a_piece_is_not_escaped_twice() -> None:
    assert "<small>" in page.join(page.table(SMALL), page.figures(page.table(SMALL)))


def test_preformatted_text_keeps_its_lines_and_is_escaped() -> None:
    assert page.preformatted("a\n    <b>") == '<pre dir="auto">a\n    &lt;b&gt;</pre>'


def test_the_page_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    size = page.write_page(target, "Title", [Section("s", page.paragraph("p"))], signature="abc")
    assert target.stat().st_size == size
    assert "abc" in target.read_text()
    assert list(tmp_path.iterdir()) == [target]


def test_a_missing_folder_is_an_output_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot write"):
        page.write_page(tmp_path / "no" / "out.html", "Title", [], signature="abc")


def test_a_lone_surrogate_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    page.write_page(target, "a\ud800b", [], signature="abc")
    assert "a[U+D800]b" in target.read_text()


def test_a_page_says_from_what_and_when_it_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    made = [tmp_path / "a.jsonl", "<b>.csv", "-", {"id": "no file"}, "d"]
    body = [Section("s", page.paragraph("p"))]
    with page.made_from(*made):
        page.write_page(tmp_path / "in.html", "T", body, signature="x")
    page.write_page(tmp_path / "out.html", "T", body, signature="x")
    inside, outside = ((tmp_path / name).read_text() for name in ("in.html", "out.html"))
    assert "a.jsonl, &lt;b&gt;.csv, standard input and 1 more · 2023-11-14 22:13 UTC" in inside
    assert "a.jsonl" not in outside
    assert "2023-11-14 22:13 UTC" in outside


def test_only_a_long_list_brings_the_script(tmp_path: Path) -> None:
    for count, scripts in ((25, 0), (26, 2)):
        items = [page.render("paragraph.html", text=EVIL, kind="")] * count
        body = [Section("s", page.browsed(items, noun="texts"))]
        page.write_page(tmp_path / "p.html", "T", body, signature="x")
        text = (tmp_path / "p.html").read_text()
        assert text.count("<script") == text.count("</script>") == scripts
        assert ("script-src" in text) == bool(scripts)
        assert "alert(1)</" not in text
