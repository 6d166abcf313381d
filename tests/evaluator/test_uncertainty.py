from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from tests.evaluator.talks import Talk, details_of

from assize.evaluator import Evaluator
from assize.evaluator._heads.linear import Linear, Scaling
from assize.evaluator._scoring import raw_numbers, score
from assize.evaluator._uncertainty import distances, how_many, member_numbers, urgency


@dataclass(frozen=True)
class Three:
    """A head of three members: the inner number, and it moved by +-1."""

    inner: Any
    kind: ClassVar[str] = "three"

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def members(self, rows: Any) -> Any:
        return self.raw(rows) + np.array([-1.0, 0.0, 1.0])[:, None, None]


def test_distance_is_the_root_of_the_mean_squared_deviation_block_by_block() -> None:
    # Two blocks, of 1 and of 3 features: (4 + (1 + 1 + 4) / 3) / 2 = 3.
    head = Linear(Scaling(np.zeros(4), np.ones(4)), {"q": np.zeros(4)})
    rows = np.array([[2.0, 1, 1, 2], [np.nan, 0, 0, 0]])
    assert distances(head, rows, [1, 3]).tolist() == pytest.approx([np.sqrt(3), 0])


def test_a_head_without_a_scaling_or_members_says_nothing(small: Evaluator) -> None:
    bare: Any = SimpleNamespace(kind="bare")
    assert np.isnan(distances(bare, np.ones((2, 4)), [4])).all()
    assert member_numbers(small.head, np.ones((2, small.width))) is None


def test_scores_say_how_far_members_lie_apart(small: Evaluator, talk: Talk) -> None:
    told, item = replace(small, head=Three(small.head)), talk("c", "u: abc", "a: aab")
    row, plain, only = (
        next(score([item], evaluator=evaluator, doubt=doubt))
        for evaluator, doubt in ((told, True), (told, False), (small, True))
    )
    (numbers,) = raw_numbers([item], evaluator=small)
    assert isinstance(numbers, Mapping)
    scores = told.main.maps["conversation"](numbers["overall"] + np.array([-1.0, 0.0, 1.0]))
    doubt = details_of(row)["doubt"]
    assert doubt["deviation"] == pytest.approx(scores.std(ddof=1), abs=1e-5)
    assert "doubt" not in details_of(plain)
    assert plain.score == row.score
    assert list(details_of(only)["doubt"]) == ["distance"]


def test_the_most_urgent_are_unsure_far_and_near_a_level() -> None:
    doubt, distance, near = np.array([[0.3, 0.1, 0.2], [2.0, 1.0, 1.5], [0.0, 0.3, 0.1]])
    none = np.full(3, np.nan)
    for known in (doubt, none):
        assert urgency(known, distance, near).tolist() == pytest.approx([5 / 6, 1 / 6, 1 / 2])
    assert urgency(none, none, np.ones(3)).tolist() == [0.5] * 3


@pytest.mark.parametrize(("ask", "items", "count"), [(0.1, 25, 3), (1, 25, 1), (0.5, 1, 1)])
def test_a_share_is_rounded_up_and_from_1_on_it_is_a_number(
    ask: float, items: int, count: int
) -> None:
    assert how_many(ask, items) == count
