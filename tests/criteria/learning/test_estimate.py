"""What learning would cost, before it is asked."""

from __future__ import annotations

import asyncio
from pathlib import Path

import criteria_taught as taught
from assize.criteria.learning.estimate import estimate

from assize.criteria.learning.extract import Labelled
from assize.criteria.learning.learn import LearningSession
from assize.criteria.learning.settings import Learning
from assize.formats import read
from assize.judging.session import Session

PLACE = Path("-")


def session(learning: Learning, model: str = "openai:gpt-4o") -> LearningSession:
    items = taught.taught(12)
    labelled = [Labelled(one, one.metadata["thumbs"] == "up") for one in items]
    return LearningSession(Session(read(items), [], PLACE), labelled, learning.resolved(), model)


def test_each_stage_has_its_calls_and_price() -> None:
    found = asyncio.run(estimate(session(Learning(k=2, mini_batch=3))))
    assert found.stages["extract"].calls == 12
    assert found.stages["summarise"].calls == 2 * 4  # 6 conversations of 2 patterns, 3 a batch
    assert list(found.stages) == ["extract", "summarise", "together"]
    assert "deduplication and answers that must be asked for again are not" in found.assumed
    assert all(one.cost_usd for one in found.stages.values())
    assert found.batches == 8


def test_spur_deduplicates_nothing() -> None:
    found = asyncio.run(estimate(session(Learning("spur"))))
    assert list(found.stages) == ["extract", "summarise", "together"]
    assert "deduplication" not in found.assumed


def test_an_unknown_price_is_said() -> None:
    found = asyncio.run(estimate(session(Learning(), "openai:unheard-of")))
    assert found.stages["together"].cost_usd is None
