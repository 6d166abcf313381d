"""What is asked in which order, and what is made of the answers."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import criteria_taught as taught

from assize.criteria._learning.extract import Labelled
from assize.criteria._learning.learner import Learner
from assize.criteria._learning.settings import Learning, asker_of
from assize.judging.judge import JudgeSettings
from assize.judging.steps import Steps
from assize.models import Scripted


def test_the_pool_depends_on_no_order_of_the_file_but_on_the_seed() -> None:
    def patterns(seed: int, turned: bool = False) -> list[str]:
        learner = Learner(Learning(seed=seed), asker, Steps())
        items = taught.taught(12)
        labelled = [Labelled(one, one.metadata["thumbs"] == "up") for one in items]
        for one in reversed(labelled) if turned else labelled:
            asyncio.run(learner.read(one))
        return [one.id for one in learner.patterns]

    def script(request: Any) -> str:
        body = [{"content": one.text} for one in request.messages]
        return json.dumps(taught.said(body, request.schema))

    asker = asker_of(Scripted(script), JudgeSettings())
    assert patterns(0) == patterns(0, turned=True) != patterns(1)
