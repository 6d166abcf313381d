from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from assize.base.conversation import Conversation
from assize.evaluator import Evaluator
from assize.evaluator._heads.linear import Linear, Scaling
from assize.evaluator._scoring import raw_numbers, score
from assize.evaluator._uncertainty import distances, how_many, member_numbers, urgency

Talk = Callable[..., Conversation]


@dataclass(frozen=True)
class Three:
    """A head of three members: the inner number, and it moved by +-1."""

    inner: Any
    kind: ClassVar[str] = "three"

    @property
    def questions(self) -> Sequence[str]:
        return tuple(self.inner.questions)

    @property
    def width(self) -> int:
        return int(self.inner.width)

    def raw(self, rows: Any) -> Any:
        return self.inner.raw(rows)

    def members(self, rows: Any) -> Any:
        return self.raw(rows) + np.array([-1.0, 0.0, 1.0])[:, None, None]


def test_distance_is_the_root_of_the_mean_squared_deviation_block_by_block() -> None:
    # Two blocks, of 1 and of 3 features: (4 + (1 + 1 + 4) / 3) / 2 = 3.
    head = Linear(Scaling(np.zeros(4), np.ones(4)), {"q": np.zeros(4)})
    rows = np.array([[2.0, 1, 1, 2], [np.nan, 0, 0, 0]])
    assert distances(head, rows, [1, 3]).tolist() == pytest.approx([np.sqrt(3), 0])


def test_data_like_the_training_data_lie_at_1_and_others_beyond() -> None:
    rng = np.random.default_rng(0)
    head = Linear(Scaling(np.zeros(50), np.ones(50)), {"q": np.zeros(50)})
    like, unlike = rng.normal(size=(200, 50)), rng.normal(1.5, 1, size=(200, 50))
    own, other = (distances(head, rows, [40, 10]) for rows in (like, unlike))
    assert own.mean() == pytest.approx(1, abs=0.05)
    assert np.quantile(other, 0.05) > np.quantile(own, 0.95)


def test_a_head_without_a_scaling_or_members_says_nothing(small: Evaluator) -> None:
    @dataclass
    class Bare:
        kind: str = "bare"

    assert np.isnan(distances(Bare(), np.ones((2, 4)), [4])).all()  # type: ignore[arg-type]
    assert member_numbers(small.head, np.ones((2, small.width))) is None


def test_scores_say_how_far_members_lie_apart(small: Evaluator, talk: Talk) -> None:
    told = replace(small, head=Three(small.head))
    item = talk("c", "u: abc", "a: aab")
    row = next(score([item], evaluator=told, doubt=True))
    assert row.details is not None
    (numbers,) = raw_numbers([item], evaluator=small)
    assert isinstance(numbers, Mapping)
    raw = numbers["overall"]
    scores = told.main.maps["conversation"]([raw - 1, raw, raw + 1])
    assert row.details["doubt"]["deviation"] == pytest.approx(scores.std(ddof=1), abs=1e-5)
    plain = next(score([item], evaluator=told))
    assert "doubt" not in (plain.details or {})
    assert plain.score == row.score
    only = next(score([item], evaluator=small, doubt=True))
    assert only.details is not None
    assert list(only.details["doubt"]) == ["distance"]


def test_the_most_urgent_are_unsure_far_and_near_a_level() -> None:
    doubt, near = np.array([0.3, 0.1, 0.2]), np.array([0.0, 0.3, 0.1])
    distance = np.array([2.0, 1.0, 1.5])
    assert urgency(doubt, distance, near).tolist() == pytest.approx([5 / 6, 1 / 6, 1 / 2])
    none = np.full(3, np.nan)
    assert urgency(none, distance, near).tolist() == pytest.approx([5 / 6, 1 / 6, 1 / 2])
    assert urgency(none, none, np.ones(3)).tolist() == [0.5] * 3


@pytest.mark.parametrize(("ask", "items", "count"), [(0.1, 25, 3), (1, 25, 1), (0.5, 1, 1)])
def test_a_share_is_rounded_up_and_from_1_on_it_is_a_number(
    ask: float, items: int, count: int
) -> None:
    assert how_many(ask, items) == count
