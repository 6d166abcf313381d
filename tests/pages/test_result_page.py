"""One page serves every result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
from tests.pages.conftest import page_of

from assize.pages import charts
from assize.pages.page import figure
from assize.pages.result_page import CHARTS, Charts
from assize.results import Estimate, Result, Share, Table
from assize.stats import wilson

KAPPA = Estimate(0.5, (0.4, 0.6), n=10, unscored=2)
WINS = wilson(3, 10, unscored=1)


@dataclass(frozen=True, slots=True)
class Row:
    judge: str
    kappa: Estimate


@dataclass(frozen=True)
class ShortResult(Result):
    """A result that nobody wrote a page for."""

    rows: Annotated[Sequence[Row], Table("Judges", "How far each judge agrees.")]
    more: Annotated[Mapping[str, Estimate], Table("Raters", "What raters say.", key="rater")]
    wins: Share = WINS
    notes: Sequence[str] = ("A note.",)
    signature: str = "9f2c"

    @property
    def sentence(self) -> str:
        """What happened."""
        return "One judge answered <10> items."


RESULT = ShortResult([Row("<b>m</b>", KAPPA)], {"ann": KAPPA})


def draw(result: ShortResult) -> Charts:
    rows = [(row.judge, row.kappa) for row in result.rows]
    chart = charts.means(rows, title="kappa"), "Kappa of each judge."
    return {"at a glance": [chart, chart], "rows": [chart]}


def test_it_opens_with_what_happened_the_headline_and_what_to_read_first(tmp_path: Path) -> None:
    text = page_of(RESULT, tmp_path)
    order = ("<h1", "One judge answered &lt;10&gt;", "A note.", "30.0%", "Read first", "<h2")
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert '<h1 dir="auto">Short result</h1>' in text
    assert "How far each judge agrees." in text
    assert "n 10, 1 unscored" in text
    assert "<b>m" not in text


def test_charts_stand_above_their_table_and_others_in_a_section_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CHARTS, f"{__name__}:ShortResult", f"{__name__}:draw")
    text = page_of(RESULT, tmp_path, title="Mine", reproduce=["assize short"])
    assert text.count("<svg") == 3
    assert text.index("At a glance</h2>") < text.index("Judges</h2>") < text.index("<table>")
    assert "assize short" in text
    assert '<h1 dir="auto">Mine</h1>' in text


def test_text_that_a_result_holds_stands_in_a_section_and_not_among_commands(
    tmp_path: Path,
) -> None:
    @dataclass(frozen=True)
    class Prompt(Result):
        text: str

        @property
        def lines(self) -> Sequence[str]:
            """The text."""
            return self.text.splitlines()

    text = page_of(Prompt("hello\nsignature of the manager\nrm -rf x"), tmp_path)
    assert "How to make this page again" not in text
    assert text.index('aria-label="Prompt"') < text.index("rm -rf x")
    assert "signature of the manager" in text
    assert "tiles" not in text.partition("</style>")[2]


def test_a_count_of_0_is_no_tile_but_for_the_first(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Counts(Result):
        items: int
        unscored: int
        ties: Share

    text = page_of(Counts(0, 0, wilson(0, 4)), tmp_path)
    assert "<dt>items</dt>" in text
    assert "<dt>unscored</dt>" not in text
    assert "<dt>ties</dt>" in text  # of four none: that says something
    assert "[0.0%, 49.0%], n 4" in text


def test_a_broad_drawing_is_not_shrunk() -> None:
    wide = {**charts.means([("a", KAPPA)], title="kappa"), "width": 700}
    narrow = charts.means([("a", KAPPA)], title="kappa")
    assert 'class="drawing broad"' in figure(wide, "Kappa.")
    assert 'class="drawing"' in figure(narrow, "Kappa.")


def test_a_text_in_markdown_is_set_and_its_headings_stand_below_those_of_the_page(
    tmp_path: Path,
) -> None:
    @dataclass(frozen=True)
    class Card(Result):
        """A card."""

        markdown = True
        text: str

        @property
        def lines(self) -> Sequence[str]:
            """The text."""
            return self.text.splitlines()

    text = page_of(Card("# A\n\n| a |\n| --- |\n| <b> |\n\n[x](http://h)"), tmp_path)
    assert "<h2>A</h2>" in text
    assert '<div class="table document" tabindex="0"><table>' in text
    assert "<td>&lt;b&gt;</td>" in text
    assert '<a href="http' not in text
