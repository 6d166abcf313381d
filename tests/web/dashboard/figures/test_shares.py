"""Shares of answers: what they count, what their intervals hold, what a list of each holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.web.dashboard.simulated import CHOICE, NUMBER, view_of_answers, view_of_choices

from assize.base.errors import ConfigError
from assize.web._dashboard.figures.charts import Look
from assize.web._dashboard.figures.resampling import Drawing
from assize.web._dashboard.figures.selection import Region, select
from assize.web._dashboard.figures.shares import (
    SPLIT,
    answer_at,
    answer_in,
    share_bands_of,
    share_bands_to_json,
    shares_of,
)
from assize.web._dashboard.prepared.view import View

ANSWERS: list[list[str | None]] = [
    ["a", "a", "b"],  # 2/3, 1/3, 0: has a
    ["a", "b", None],  # 1/2, 1/2, 0: split
    ["c", None, None],  # 0, 0, 1: has c
    [None, None, None],
]
SYSTEMS = ["old", "old", "new", "new"]
APART = Look("q", disaggregated=True)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> View:
    answers: list[list[str | None]] = [*ANSWERS[:3], ["c", "c", "c"]]
    return view_of_answers(tmp_path_factory.mktemp("views") / "v", answers, systems=SYSTEMS)


def test_together_each_conversation_counts_once(said: View) -> None:
    """Means of (2/3, 1/2, 0, 0), (1/3, 1/2, 0, 0) and (0, 0, 1, 1)."""
    one = shares_of(said, Look("q")).groups[0]
    assert one.share.tolist() == pytest.approx([7 / 24, 5 / 24, 1 / 2])
    assert (one.n, one.conversations, one.unscored) == (4, 4, 0)
    assert one.listed.tolist() == [1, 0, 2, 1]


def test_apart_each_answer_counts_once(said: View) -> None:
    one = shares_of(said, APART).groups[0]
    assert one.share.tolist() == pytest.approx([3 / 9, 2 / 9, 4 / 9])
    assert (one.n, one.conversations) == (9, 4)
    assert one.listed.tolist() == [3, 2, 4, 0]


def test_each_group_has_its_shares(said: View) -> None:
    new, old = shares_of(said, Look("q", "system")).groups
    assert (new.name, new.share.tolist()) == ("new", [0, 0, 1])
    assert old.share.tolist() == pytest.approx([7 / 12, 5 / 12, 0])
    assert (old.n, new.n) == (2, 2)


def test_conversations_without_an_answer_are_counted(said: View) -> None:
    one = shares_of(said, Look("q", panel="rater 1")).groups[0]
    assert (one.n, one.unscored) == (3, 1)
    assert one.share.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("by", ["", "system"])
def test_a_list_holds_exactly_what_has_the_answer(said: View, apart: bool, by: str) -> None:
    look = Look("q", by, disaggregated=apart)
    for group in shares_of(said, look).groups:
        for place in range(4):
            curve = group.name if by else ""
            found = select(said, look, Region(place, place), curve=curve)
            assert found.total == group.listed[place]
            assert {one.value for one in found.rows} <= {place}
    whole = select(said, look, Region(-np.inf, np.inf))
    assert whole.total == (9 if apart else 4)


def test_a_predicted_rater_gives_each_answer_with_its_probability(tmp_path: Path) -> None:
    p = np.array([[[0.5, 0.3, 0.2], [0.3, 0.5, 0.2]], [[0.1, 0.2, 0.7], [0.2, 0.6, 0.2]]])
    view = view_of_choices(tmp_path / "v", p)
    one = shares_of(view, Look("q")).groups[0]
    assert one.share == pytest.approx(p.mean(axis=(0, 1)), abs=2 / 65_536)
    assert one.listed.tolist() == [0, 0, 1, 1]  # means (.4, .4, .2) and (.15, .4, .45)
    assert shares_of(view, APART).groups[0].listed.tolist() == [1, 2, 1, 0]


def test_replicates_draw_answers_with_their_probabilities(tmp_path: Path) -> None:
    """One rater, P = (.2, .3, .5), N = 400: the share of a has the deviation sqrt(.16 / 400)."""
    view = view_of_choices(tmp_path / "v", np.tile([0.2, 0.3, 0.5], (400, 1, 1)))
    for look in (Look("q"), APART):
        found = share_bands_of(view, look, Drawing(("answers",), 2_000), 0)
        one = found.bands[0]
        assert (one.high - one.low)[0] == pytest.approx(2 * 1.96 * 0.02, rel=0.1)
        assert (one.low + one.high)[2] / 2 == pytest.approx(0.5, abs=0.005)
        assert (found.drawn.sources, found.drawn.answers) == (("answers",), 1)
    still = share_bands_of(view, Look("q"), Drawing(("raters", "conversations"), 20), 0).bands[0]
    assert np.isnan(still.low).all()  # nothing varies: one rater, and all conversations alike


def test_conversations_are_drawn_within_their_group(tmp_path: Path) -> None:
    """Shares of 1/4 of 100 and of 3/4 of 50: deviations sqrt(3/16 / 100) and sqrt(3/16 / 50)."""
    answers = [["a" if at % 4 == 0 else "b"] for at in range(100)]
    answers += [["b" if at % 4 == 0 else "a"] for at in range(48)]
    view = view_of_answers(tmp_path / "v", answers, systems=["x"] * 100 + ["y"] * 48)
    found = share_bands_of(view, Look("q", "system"), Drawing(("conversations",), 2_000), 1)
    widths = [float((one.high - one.low)[0]) for one in found.bands]
    assert widths == pytest.approx([2 * 1.96 * np.sqrt(3 / 16 / n) for n in (100, 48)], rel=0.1)
    low, high = found.bands[1].apart[0]
    assert (low + high) / 2 == pytest.approx(0.5, abs=0.02)
    assert high - low == pytest.approx(np.hypot(widths[0], widths[1]), rel=0.1)
    assert np.isnan(found.bands[0].apart).all()


def test_raters_are_drawn(tmp_path: Path) -> None:
    """Two raters, one says a and one b: a share is 0, 1/2 or 1 with 1/4, 1/2, 1/4."""
    view = view_of_answers(tmp_path / "v", [["a", "b"]] * 30)
    found = share_bands_of(view, Look("q"), Drawing(("raters",), 400), 0).bands[0]
    assert (found.low.tolist()[:2], found.high.tolist()[:2]) == ([0, 0], [1, 1])


def test_the_same_seed_gives_the_same_intervals_and_another_others(said: View) -> None:
    first, again, other = (
        share_bands_to_json(share_bands_of(said, Look("q"), Drawing(replicates=50), seed))
        for seed in (0, 0, 1)
    )
    assert first == again
    assert first["drawn"]["signature"] != other["drawn"]["signature"]


@pytest.mark.nightly
def test_intervals_cover_the_expected_shares(tmp_path: Path) -> None:
    """Raters and conversations each lean to an answer; the truth is the mean over many of both."""
    hits = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        middle = np.array([0.5, 0.0, -0.5])
        leans = middle + rng.normal(0, 0.5, (150, 1, 3)) + rng.normal(0, 0.3, (1, 20, 3))
        p = np.exp(leans) / np.exp(leans).sum(axis=2, keepdims=True)
        view = view_of_choices(tmp_path / str(seed), p)
        many = middle + np.random.default_rng(99).normal(0, np.hypot(0.5, 0.3), (200_000, 3))
        truth = (np.exp(many) / np.exp(many).sum(axis=1, keepdims=True)).mean(axis=0)
        one = share_bands_of(view, Look("q"), Drawing(replicates=200), seed).bands[0]
        hits.append((one.low <= truth) & (truth <= one.high))
    assert 0.88 <= np.mean(hits) <= 0.99


def test_an_answer_is_found_by_its_name() -> None:
    assert [answer_at(CHOICE, one) for one in ("a", "c", SPLIT)] == [0, 2, 3]
    assert [answer_in(CHOICE, *ends) for ends in ((1, 1), (3, 3), (0, 1), (-1, -1))] == [
        "b",
        SPLIT,
        "",
        "",
    ]
    with pytest.raises(ConfigError, match="no answer 'd'; there are a, b, c"):
        answer_at(CHOICE, "d")
    with pytest.raises(ConfigError, match="has numbers"):
        answer_at(NUMBER, "a")


def test_numbers_have_no_shares_of_answers(view: View) -> None:
    with pytest.raises(ConfigError, match="Q0 are numbers"):
        shares_of(view, Look("Q0"))
