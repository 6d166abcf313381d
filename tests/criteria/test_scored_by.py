"""The model and the scale that judgments of a set come from."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from assize.base.judgment import Judgment, Question
from assize.criteria._criterion import CriteriaSet, Criterion, Scale
from assize.criteria._scored_by import as_scored
from assize.judgments import JudgmentTable

HELPS = Criterion("helps", "It helps.", "sat")


def scored(judges: Sequence[str], question: Question | None = None) -> JudgmentTable:
    asked = HELPS.question() if question is None else question
    rows = [Judgment("c1", judge, "helps", answer=asked.answers[-1]) for judge in judges]
    other = Judgment("c1", "criteria@other.yaml@hf:other", "NetSAT", score=1.0)
    return JudgmentTable.of([*rows, other], [asked])


@pytest.mark.parametrize(
    ("own", "judges", "model"),
    [
        (None, ["criteria@pool.yaml@openai:gpt-4o"], "openai:gpt-4o"),
        (None, ["criteria@a@b:c/pool.yml@hf:org/m@x"], "hf:org/m@x"),
        (None, ["criteria@debugging@scripted:any"], "scripted:any"),  # a set in memory
        ("hf:m", ["criteria@pool.yaml@openai:gpt-4o"], "openai:gpt-4o"),
        ("hf:m", ["criteria@pool.yaml"], "hf:m"),
        ("hf:m", ["criteria@pool.yaml", "criteria@pool.yaml@hf:m"], "hf:m"),
        ("hf:m", ["criteria@pool.yaml", "criteria@pool.yaml@hf:n"], "hf:m"),
        (None, ["criteria@pool.yaml@hf:m", "criteria@pool.yaml@hf:n"], None),
        (None, ["criteria@pool.yaml@hf:m", "ann"], None),
        (None, ["ann"], None),
        ("hf:m", ["da@openai:gpt-4o"], "hf:m"),
    ],
)
def test_the_model_is_the_one_that_scored(
    own: str | None, judges: list[str], model: str | None
) -> None:
    assert as_scored(CriteriaSet("pool", (HELPS,), model=own), scored(judges)).model == model


@pytest.mark.parametrize(
    ("own", "question", "scale"),
    [
        ("likert", HELPS.question("numeric"), "numeric"),
        ("numeric", HELPS.question("likert"), "likert"),
        ("numeric", Question("helps", kind="ordinal", answers=("1", "2", "3")), "numeric"),
    ],
)
def test_the_scale_is_the_one_that_was_asked(own: Scale, question: Question, scale: Scale) -> None:
    given = CriteriaSet("pool", (HELPS,), scale=own)
    assert as_scored(given, scored(["criteria@pool.yaml"], question)).scale == scale
