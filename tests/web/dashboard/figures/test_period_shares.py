"""Shares of answers by period: what they count, and what their intervals hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.web.dashboard.simulated import CHOICE

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.results import to_json
from assize.stats import wilson
from assize.web._dashboard.figures.charts import Look
from assize.web._dashboard.figures.period_shares import shares_over_time
from assize.web._dashboard.figures.periods import OverTime
from assize.web._dashboard.figures.resampling import Drawing
from assize.web._dashboard.prepared.preparing import prepare_view
from assize.web._dashboard.prepared.view import View

MONTHS = ("2026-01-10", "2026-02-10")
FEW = Drawing(replicates=40)


def view_in_time(
    folder: Path,
    answers: Sequence[Sequence[str | None]],
    times: Sequence[str | None],
    question: Question = CHOICE,
) -> View:
    """A view of people's answers (items N, raters R) with the time of each item; systems in turn
    are x and y."""
    rows = [
        Judgment(f"i{item}", f"rater {rater}", "q", answer=answer, kind="person")
        for item, given in enumerate(answers)
        for rater, answer in enumerate(given)
        if answer is not None
    ]
    items = [
        Conversation(f"i{at}", (Turn("user", "hi"),), "xy"[at % 2], {"at": time} if time else {})
        for at, time in enumerate(times)
    ]
    return prepare_view(JudgmentTable.of(rows, [question]), items, folder, time="metadata.at")


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> View:
    answers: list[list[str | None]] = [
        ["a", "a", "b"],
        ["a", "b", None],  # January
        ["c", "c", "c"],
        ["c", None, None],
        ["b", "c", None],  # February
        ["a", "a", None],  # without a time
    ]
    times = [MONTHS[0]] * 2 + [MONTHS[1]] * 3 + [None]
    return view_in_time(tmp_path_factory.mktemp("views") / "v", answers, times)


def shares(found: OverTime) -> dict[str, list[float | None]]:
    """By line the share of each period."""
    return {
        line.name: [None if one is None else one.estimate for one in line.figures]
        for line in found.lines
    }


def test_each_answer_has_its_share_of_each_period(said: View) -> None:
    """January: means of (2/3, 1/3, 0) and (1/2, 1/2, 0); February of (0, 0, 1) twice and
    (0, 1/2, 1/2)."""
    found = shares_over_time(said, Look("q"), every="month", how=FEW)
    assert [one.name for one in found.periods] == ["2026-01", "2026-02"]
    told = shares(found)
    assert told["a"] == pytest.approx([7 / 12, 0])
    assert told["b"] == pytest.approx([5 / 12, 1 / 6])
    assert told["c"] == pytest.approx([0, 5 / 6])
    assert [one.n for line in found.lines for one in line.figures if one] == [2, 3] * 3
    assert (found.untimed, found.answer, found.left_out) == (1, "", ())


def test_apart_each_raters_answer_counts_once(said: View) -> None:
    """January: 3 of 5 answers are a, 2 b; February: 5 of 6 are c, 1 b."""
    found = shares_over_time(said, Look("q", disaggregated=True), every="month", how=FEW)
    told = shares(found)
    assert told["a"] == pytest.approx([3 / 5, 0])
    assert told["c"] == pytest.approx([0, 5 / 6])
    figure = found.lines[0].figures[0]
    assert figure is not None
    assert (figure.n, figure.clusters, found.untimed) == (5, 2, 2)


def test_with_groups_one_answer_has_a_line_each(said: View) -> None:
    """b: of x 1/3 in January, 0 and 1/2 in February; of y 1/2 in January, 0 in February."""
    found = shares_over_time(said, Look("q", "system"), every="month", answer="b", how=FEW)
    assert found.answer == "b"
    told = shares(found)
    assert told["x"] == pytest.approx([1 / 3, 1 / 4])
    assert told["y"] == pytest.approx([1 / 2, 0])
    first = shares_over_time(said, Look("q", "system"), every="month", how=FEW)
    assert first.answer == "a"
    alone = shares_over_time(said, Look("q"), every="month", answer="b", how=FEW)
    assert [one.name for one in alone.lines] == ["all conversations"]


def test_an_answer_that_nobody_gives_has_wilsons_interval_over_conversations(
    tmp_path: Path,
) -> None:
    view = view_in_time(tmp_path / "v", [["a"], ["b"]] * 200, ["2026-01-10"] * 400)
    found = shares_over_time(view, Look("q"), every="month", how=Drawing(replicates=2_000))
    a, _, c = (one.figures[0] for one in found.lines)
    assert a is not None
    assert c is not None
    assert a.interval == pytest.approx(wilson(200, 400).interval, abs=0.003)
    assert c.interval == pytest.approx(wilson(0, 400).interval, abs=0.001)
    assert "replicates-wilson|v1|conversations|0.95|2000|seed:0" in a.method


def test_one_conversation_and_nothing_drawn_have_no_interval(said: View, tmp_path: Path) -> None:
    view = view_in_time(tmp_path / "v", [["a", "b"], ["b", "a"], ["b", None]], [*MONTHS, MONTHS[1]])
    alone = shares_over_time(view, Look("q"), every="month", how=FEW).lines[0].figures[0]
    still = shares_over_time(said, Look("q"), every="month", how=Drawing(())).lines[0].figures[0]
    for one in (alone, still):
        assert one is not None
        assert one.interval == pytest.approx((np.nan, np.nan), nan_ok=True)
        assert one.reason is not None


def test_the_six_answers_given_most_are_drawn(tmp_path: Path) -> None:
    names = tuple("abcdefgh")
    question = Question("q", kind="nominal", answers=names)
    answers = [[one] for one in "bbccddeeffgghha"]
    view = view_in_time(tmp_path / "v", answers, [MONTHS[0]] * len(answers), question)
    found = shares_over_time(view, Look("q"), every="month", how=FEW)
    assert [one.name for one in found.lines] == list("bcdefg")
    assert found.left_out == ("a", "h")


def test_the_same_seed_gives_the_same_and_what_is_kept_reads_back(said: View) -> None:
    first, again, other = (
        to_json(shares_over_time(said, Look("q"), every="month", how=FEW, seed=seed))
        for seed in (0, 0, 1)
    )
    assert first == again != other
    kept = json.loads(json.dumps(first))
    assert json.loads(json.dumps(to_json(OverTime.from_json(kept)))) == kept
    assert OverTime.from_json(kept).rows[0][1].startswith("58.3% [")


def chances(leans: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each answer, by how far something leans to it."""
    p = np.exp(leans)
    return np.asarray(p / p.sum(axis=-1, keepdims=True))


@pytest.mark.parametrize(("raters", "apart"), [(1, 0.0), (6, 0.5)])
def test_intervals_cover_the_expected_shares(tmp_path: Path, raters: int, apart: float) -> None:
    """Conversations lean to an answer, and raters a little; the truth is the mean over many of
    both, and each of 10 periods holds 15 conversations. Seen: 98%; of Student's t 92 and 95%."""
    middle, rng = np.array([1.0, 0.0, -1.5]), np.random.default_rng(99)
    many = rng.normal(0, 2, (200_000, 3)) + rng.normal(0, apart, (200_000, 3))
    truth = chances(middle + many).mean(axis=0)
    hits: list[bool] = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        leans = rng.normal(0, 2, (150, 1, 3)) + rng.normal(0, apart, (1, raters, 3))
        drawn = rng.random((150, raters, 1)) < chances(middle + leans).cumsum(axis=-1)
        answers = [[CHOICE.answers[one] for one in row] for row in drawn.argmax(axis=-1)]
        times = [f"2026-{1 + at % 10:02d}-01" for at in range(150)]
        view = view_in_time(tmp_path / str(seed), answers, times)
        found = shares_over_time(view, Look("q"), every="month", seed=seed)
        for line, share in zip(found.lines, truth, strict=True):
            ends = [one.interval for one in line.figures if one is not None]
            hits += [low <= share <= high for low, high in ends]
    assert len(hits) == 10 * 10 * 3
    assert 0.93 <= np.mean(hits) <= 0.995


@pytest.mark.parametrize(
    ("look", "answer", "every", "problem"),
    [
        (Look("q"), "d", "month", "no answer 'd'; there are a, b, c"),
        (Look("q"), "", "hour", "every hour"),
        (Look("q", "mood"), "", "month", "mood"),
    ],
)
def test_what_cannot_be_is_refused(
    said: View, look: Look, answer: str, every: str, problem: str
) -> None:
    with pytest.raises(ConfigError, match=problem):
        shares_over_time(said, look, every=every, answer=answer)


def test_numbers_and_conversations_without_times_have_none(view: View, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Q0 are numbers"):
        shares_over_time(view, Look("Q0"))
    rows = JudgmentTable.of([Judgment("i", "r", "q", answer="a")], [CHOICE])
    with pytest.raises(ConfigError, match="no times"):
        shares_over_time(prepare_view(rows, [], tmp_path / "v"), Look("q"))
