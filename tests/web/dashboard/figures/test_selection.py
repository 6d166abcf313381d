"""A region holds exactly the conversations, or pairs, whose numbers lie in it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.web.dashboard.simulated import CHOICE, LIKERT, NUMBER, view_of_scores

from assize.base.errors import ConfigError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.web._dashboard.figures.charts import STRIPS, Look, chart_of, strip_edges
from assize.web._dashboard.figures.densities import Grid
from assize.web._dashboard.figures.selection import Region, Selection, _page, select
from assize.web._dashboard.prepared.preparing import prepare_view
from assize.web._dashboard.prepared.rows import judgments_of
from assize.web._dashboard.prepared.view import View

NAN = float("nan")
SYSTEMS = ["old", "new"] * 40


@pytest.fixture(scope="module", params=["numbers", "answers"])
def scored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> View:
    """80 conversations, 5 raters, a fifth of the answers missing."""
    rng = np.random.default_rng(0)
    scores = rng.uniform(1, 4, (80, 5))
    if request.param == "answers":
        scores = np.rint(scores)
    scores[rng.random((80, 5)) < 0.2] = NAN
    return view_of_scores(
        tmp_path_factory.mktemp("views") / "v",
        scores,
        systems=SYSTEMS,
        question=NUMBER if request.param == "numbers" else LIKERT,
    )


@cache
def told(view: View) -> dict[str, dict[str, float]]:
    """By conversation and rater the score that a judgment has."""
    rows = [judgments_of(view, place) for place in range(view.size)]
    return {
        mine[0].item: {row.judge: row.score for row in mine if row.score is not None}
        for mine in rows
    }


def by_hand(view: View, region: Region, system: str, *, apart: bool) -> set[tuple[str, str | None]]:
    """What lies in a region, from the judgments themselves."""
    found: set[tuple[str, str | None]] = set()
    for name, numbers in told(view).items():
        if system and SYSTEMS[int(name[1:])] != system:
            continue
        if apart:
            found |= {
                (name, who) for who, value in numbers.items() if region.low <= value <= region.high
            }
        elif numbers:
            mean = sum(numbers[who] for who in sorted(numbers)) / len(numbers)
            if region.low <= mean <= region.high:
                found.add((name, None))
    return found


def everything(view: View, look: Look, region: Region, curve: str) -> list[Selection]:
    """All pages."""
    pages = [select(view, look, region, curve=curve, count=7)]
    while pages[-1].start + 7 < pages[-1].total:
        pages.append(select(view, look, region, curve=curve, start=pages[-1].start + 7, count=7))
    return pages


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("curve", ["", "old"])
def test_a_region_holds_exactly_what_lies_in_it(scored: View, apart: bool, curve: str) -> None:
    rng = np.random.default_rng(1)
    look = Look("q", "system", disaggregated=apart)
    regions = [Region(*sorted(rng.uniform(1, 4, 2))) for _ in range(8)]
    for region in (*regions, Region(1, 4), Region(2, 2), Region(-np.inf, 1.5)):
        pages = everything(scored, look, region, curve)
        rows = [(one.item, one.rater) for page in pages for one in page.rows]
        assert len(rows) == len(set(rows)) == pages[0].total
        assert set(rows) == by_hand(scored, region, curve, apart=apart)
        assert pages[0].conversations == len({item for item, _ in rows})


def test_pages_are_worst_first(scored: View) -> None:
    for high, sign in ((False, 1), (True, -1)):
        found = select(scored, Look("q"), Region(1, 4), count=200, worst_high=high)
        values = [one.value for one in found.rows]
        assert values == sorted(values, key=lambda one: sign * one)


def test_a_bar_lists_as_many_as_it_counts(scored: View) -> None:
    for kind in ("bars", ""):
        chart = chart_of(scored, Look("q", "system", kind=kind or "bars", disaggregated=not kind))
        assert chart.shape.ends is not None
        for curve in chart.curves:
            bars = {one.low: one for one in chart.strips if one.curve == curve.name}
            for low, share in zip(chart.shape.ends[:, 0], curve.height.tolist(), strict=True):
                count = bars[low].count if low in bars else 0
                assert count == pytest.approx(share * curve.n)


@pytest.mark.parametrize("kind", ["bars", "density"])
@pytest.mark.parametrize("apart", [False, True])
def test_a_strip_lists_as_many_as_it_says_and_every_number_is_in_one(
    scored: View, kind: str, apart: bool
) -> None:
    look = Look("q", "system", kind=kind, disaggregated=apart)
    chart = chart_of(scored, look)
    for strip in chart.strips:
        found = select(scored, look, Region(strip.low, strip.high), curve=strip.curve)
        assert found.total == strip.count > 0
    assert sum(one.count for one in chart.strips) == sum(one.n for one in chart.curves)


@given(st.lists(st.integers(0, 6), max_size=60), st.integers(0, 70), st.integers(1, 20))
def test_pages_are_slices_of_the_sorted_whole(values: list[int], start: int, count: int) -> None:
    array = np.array(values, dtype=float)
    whole = np.argsort(array, kind="stable")
    assert _page(array, start, count).tolist() == whole[start : start + count].tolist()


def test_the_strips_at_the_ends_hold_the_tails(tmp_path: Path) -> None:
    values = np.linspace(1.2, 3.8, 101)[:, None]  # of 101, six are up to the 5% quantile, 1.33
    view = view_of_scores(tmp_path / "v", values)
    strips = chart_of(view, Look("q", kind="density")).strips
    assert (strips[0].low, strips[0].count) == (1.0, 6)
    assert (strips[-1].high, strips[-1].count) == (4.0, 6)
    assert strips[0].high == pytest.approx(1.33)
    assert strips[-1].low == pytest.approx(3.67)
    assert all(one.high - one.low >= 0.15 - 1e-9 for one in strips)
    assert len(strips) == 2 + int((3.67 - 1.33) / 0.15)


@given(
    st.lists(st.floats(0, 1), max_size=30).map(np.array),
    st.sampled_from([(0.0, 1.0), (-5.0, 3.0)]),
)
def test_strips_cover_the_scale_and_none_is_narrow(
    values: np.ndarray, ends: tuple[float, float]
) -> None:
    grid = Grid(*ends)
    edges = strip_edges(grid, values)
    assert (edges[0], edges[-1]) == ends
    assert 3 <= len(edges) <= STRIPS + 1
    assert (np.diff(edges) >= (ends[1] - ends[0]) / STRIPS * (1 - 1e-6)).all()


def test_what_cannot_be_is_refused(scored: View) -> None:
    with pytest.raises(ConfigError, match="holds nothing"):
        Region(3, 2)
    with pytest.raises(ConfigError, match="no curve 'x'"):
        select(scored, Look("q", "system"), Region(1, 4), curve="x")
    with pytest.raises(ConfigError, match="a page has"):
        select(scored, Look("q"), Region(1, 4), count=0)


def test_the_same_numbers_are_selected_whoever_gave_them_first(scored: View) -> None:
    counts: dict[str, int] = defaultdict(int)
    for page in everything(scored, Look("q", disaggregated=True), Region(1, 4), ""):
        for row in page.rows:
            counts[row.item] += 1
    assert counts == {scored.ids[at]: len(judgments_of(scored, at)) for at in range(scored.size)}


def test_without_a_main_question_answers_are_listed_in_the_order_of_the_view(view: View) -> None:
    look = Look("length", panel="people")
    by_hand = [at for at in range(60) if at % 3 == 2 and at % 4 != 0]
    found = select(view, look, Region(2, 2), count=200)
    assert [int(one.item[2:]) for one in found.rows] == by_hand
    assert (found.by, found.total) == ("", 15)
    apart = select(view, Look("length", panel="people", disaggregated=True), Region(2, 2))
    assert {one.rater for one in apart.rows} == {"ann", "bob"}


def test_the_worst_by_the_main_question_come_first(tmp_path: Path) -> None:
    rows = [
        Judgment(f"i{at}", "ann", name, answer=answer)
        for at, (choice, number) in enumerate([("a", "3"), ("a", None), ("b", "1"), ("a", "2")])
        for name, answer in (("choice", choice), ("q", number))
        if answer is not None
    ]
    table = JudgmentTable.of(rows, [replace(CHOICE, id="choice"), LIKERT])
    view = prepare_view(table, [], tmp_path / "v")
    found = select(view, Look("choice"), Region(0, 0), main="q")
    assert [one.item for one in found.rows] == ["i3", "i0", "i1"]
    assert [one.ranked for one in found.rows][:2] == [2.0, 3.0]
    turned = select(view, Look("choice"), Region(0, 0), main="q", worst_high=True)
    assert [one.item for one in turned.rows] == ["i0", "i3", "i1"]
