"""The tagger among the judges."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from acts_taught import ASK, ITEMS

from assize import load
from assize.acts._tagger_judge import TaggerJudge
from assize.base.conversation import Conversation
from assize.judging.judge import Task


def test_as_a_judge_it_labels_pairs_and_conversations(trained: Any) -> None:
    judge = TaggerJudge(trained)
    pair = ITEMS["p0"]
    talk = Conversation("c", pair.context)

    async def both() -> list[Any]:
        rows = await asyncio.gather(judge.judge(Task(pair)), judge.judge(Task(talk)))
        return [row for each in rows for row in each]

    first, second = asyncio.run(both())
    assert first.score == 3
    assert first.details["acts"]["b"] == [[list(ASK)]]
    assert second.details["acts"]["turns"] == first.details["acts"]["context"]


def test_a_tagger_predicts_and_is_saved_like_all_that_is_learnt(
    trained: Any, tmp_path: Path
) -> None:
    tagger, items = trained, list(ITEMS.values())[:2]
    table = tagger.predict(items)
    assert [row.item for row in table] == [item.id for item in items]
    assert all(row.details is not None and row.details["acts"] for row in table)
    tagger.save(str(tmp_path / "tagger"))
    assert load(tmp_path / "tagger").signature == tagger.signature
