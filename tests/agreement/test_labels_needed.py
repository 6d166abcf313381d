"""How many more labels: against `stats.ppi_mean`, of which this is the everyday face."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import assize
from assize import Judgment, stats
from assize.base.errors import AssizeError


def judged(correlation: float, labelled: int = 60, total: int = 600) -> list[Judgment]:
    """A judge of everything and a rater of the first items, that much alike."""
    rng = np.random.default_rng(3)
    truth = rng.normal(size=total)
    noise = np.sqrt(1 - correlation**2)
    machine = correlation * truth + noise * rng.normal(size=total)
    rows = [
        Judgment(f"i{n}", "bot@m", "clear", score=float(machine[n]), kind="model")
        for n in range(total)
    ]
    return rows + [
        Judgment(f"i{n}", "ann", "clear", score=float(truth[n]), kind="person")
        for n in range(labelled)
    ]


def test_it_is_the_statistic_of_the_judges_and_peoples_columns() -> None:
    rows = judged(0.9)
    found = assize.labels_needed(rows, width=0.2)
    machine = np.array([row.score for row in rows if row.judge == "bot@m"], dtype=float)
    people = np.full(600, np.nan)
    people[:60] = [row.score for row in rows if row.judge == "ann"]
    by_hand = stats.ppi_mean(people, machine)
    alone, helped = found.labels
    assert (alone.by, helped.by) == ("people", "with bot@m")
    assert helped.mean.estimate == pytest.approx(by_hand.powered.estimate)
    more = stats.labels_needed(by_hand, 0.2)
    assert (helped.needed, helped.more) == (more.total, more.more)
    assert alone.needed == more.human_only


def test_a_good_judge_saves_labels_and_its_row_says_how_many() -> None:
    found = assize.labels_needed(judged(0.9), width=0.25, judges="bot").to_json()
    alone, helped = found["labels"]
    assert helped["needed"] < alone["needed"] / 2
    assert helped["more"] == max(0, helped["needed"] - 60)


def test_a_judge_that_makes_the_answer_worse_is_warned_of() -> None:
    found = assize.labels_needed(judged(0.0), width=0.25, weight=1.0)
    assert "with bot@m: at weight 1 the machine makes the answer worse" in found.notes[0]


def test_a_judges_failures_are_counted_as_unscored() -> None:
    failed = Judgment(
        "lost", "bot@m", "clear", kind="model", unscored=assize.Unscored("timeout", "late")
    )
    found = assize.labels_needed([*judged(0.5), failed], width=0.3)
    assert found.missing == (1, 601)


@pytest.mark.parametrize(
    ("rows", "how", "said"),
    [
        ([], {"width": 1.0}, "received an empty list"),
        (judged(0.5), {"width": 0.0}, "must be above 0"),
        (judged(0.5), {"width": 1.0, "question": "kind"}, "no question 'kind'; asked were clear"),
        (judged(0.5), {"width": 1.0, "judges": "other"}, "no judge 'other'"),
        (judged(0.5)[:600], {"width": 1.0}, "no label by people for clear; judged have bot@m"),
        (judged(0.5)[600:], {"width": 1.0}, "no judge that is no person answered clear"),
    ],
)
def test_what_cannot_be_is_said(rows: Any, how: Any, said: str) -> None:
    with pytest.raises(AssizeError, match=said):
        assize.labels_needed(rows, **how)
