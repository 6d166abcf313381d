"""The tagger among the judges."""

from __future__ import annotations

import asyncio
from typing import Any

from acts_taught import ASK, ITEMS

from assize.conversation import Conversation
from assize.dialogue_acts.tagger_judge import TaggerJudge
from assize.judging.judge import Task
from assize.judgment import Judgment


def test_as_a_judge_it_labels_pairs_and_conversations(trained: Any) -> None:
    judge = TaggerJudge(trained[0])
    pair = ITEMS["p0"]
    talk = Conversation("c", pair.context)

    async def both() -> list[Judgment]:
        rows = await asyncio.gather(judge.judge(Task(pair)), judge.judge(Task(talk)))
        return [row for each in rows for row in each]

    first, second = asyncio.run(both())
    assert first.score == 3
    assert first.details is not None
    assert first.details["acts"]["b"] == [[list(ASK)]]
    assert second.details is not None
    assert second.details["acts"]["turns"] == first.details["acts"]["context"]
