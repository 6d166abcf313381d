"""Look-alikes by the embedded encoder, and what the model says of them."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import AnswerError
from assize.criteria._criterion import Criterion
from assize.criteria._learning.deduplicate import LARGEST, comparison, look_alikes, merged
from assize.encoders import load_encoder

TEXTS = (
    "The assistant names the failing line.",
    "The user repeats the same question.",
    "The assistant points out the line that fails.",
    "The weather is fine in Lisbon.",
    "The user has to ask the same question again.",
)


def criterion(number: int, text: str = "") -> Criterion:
    patterns = (f"c{number}/1",)
    text = text or f"It is {number}."
    return Criterion(f"sat-{number}", text, "sat", patterns=patterns, conversations=(f"c{number}",))


def test_a_criterion_that_the_encoder_cannot_read_is_like_no_other() -> None:
    pool = [criterion(n, text) for n, text in enumerate(("ฉันรักแมว", "ฝนกำลังตก", *TEXTS))]
    encoder = load_encoder("minilm")
    assert look_alikes(pool, encoder, 0.55) == look_alikes(pool[2:], encoder, 0.55)


def test_paraphrases_stand_together_and_others_apart() -> None:
    pool = [criterion(n, text) for n, text in enumerate(TEXTS)]
    groups = look_alikes(pool, load_encoder("minilm"), 0.55)
    found = [[one.id for one in group] for group in groups]
    assert found == [["sat-0", "sat-2"], ["sat-1", "sat-4"]]


def test_no_similarity_is_enough_for_all_and_none_for_few() -> None:
    pool = [criterion(n, text) for n, text in enumerate(TEXTS)]
    encoder = load_encoder("minilm")
    assert len(look_alikes(pool, encoder, 0.0)[0]) >= 4
    assert look_alikes(pool, encoder, 0.99) == []
    assert look_alikes(pool[:1], encoder, 0.0) == []
    assert look_alikes([], encoder, 0.0) == []


def test_a_large_group_is_cut_and_nobody_is_lost() -> None:
    pool = [criterion(n, f"The user repeats question {n}.") for n in range(2 * LARGEST + 1)]
    groups = look_alikes(pool, load_encoder("minilm"), 0.3)
    assert max(map(len, groups)) <= LARGEST
    assert sorted(one.id for group in groups for one in group) == sorted(one.id for one in pool)


def test_what_means_the_same_becomes_one_that_remembers() -> None:
    pool = tuple(criterion(n) for n in range(4))
    group = pool[1:]
    answer = comparison("sat", group).check({"groups": [{"same": [1, 3], "keep": 3}]})
    found = merged(pool, group, answer)
    assert [one.id for one in found] == ["sat-0", "sat-2", "sat-3"]
    kept = found[-1]
    assert [gone.id for gone in kept.merged] == ["sat-1"]
    assert kept.merged[0].patterns == ("c1/1",)
    assert set(kept.conversations) == {"c1", "c3"}


def test_a_group_of_one_is_no_group() -> None:
    call = comparison("sat", [criterion(1), criterion(2)])
    assert call.check({"groups": [{"same": [1], "keep": 1}]}) == {"groups": []}


@pytest.mark.parametrize(
    "wrong",
    [
        [{"same": [1, 2], "keep": 3}],
        [{"same": [1, 2], "keep": 1}, {"same": [2, 3], "keep": 2}],
        [{"same": [1, 9], "keep": 1}],
    ],
)
def test_groups_that_cannot_be_are_refused(wrong: Any) -> None:
    with pytest.raises(AnswerError):
        comparison("sat", [criterion(n) for n in range(3)]).check({"groups": wrong})
