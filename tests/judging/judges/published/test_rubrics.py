"""The rubrics that Prometheus is given: one an aspect, and one overall."""

from __future__ import annotations

import pytest

from assize.judging.aspects import ASPECTS, OVERALL
from assize.judging.judges.published.prometheus import GUARDED
from assize.judging.judges.published.rubrics import RUBRICS, Rubric


def test_there_is_a_rubric_for_each_aspect_and_overall() -> None:
    assert tuple(RUBRICS) == (*ASPECTS, OVERALL)


@pytest.mark.parametrize("rubric", RUBRICS.values(), ids=RUBRICS)
def test_a_rubric_asks_a_question_and_says_what_each_score_means(rubric: Rubric) -> None:
    lines = rubric.text.splitlines()
    assert lines[0] == f"[{rubric.criterion}]"
    assert rubric.criterion.endswith("?")
    assert [line.split(":")[0] for line in lines[1:]] == [f"Score {n}" for n in range(1, 6)]
    assert len(set(rubric.scores)) == 5
    assert not any(mark.lower() in rubric.text.lower() for mark in GUARDED)
