"""The aspects that several judges ask about."""

from __future__ import annotations

import pytest

from assize.base.conversation import Conversation, Pair, Turn
from assize.formats.research.mtdeval import ASKED
from assize.judging.aspects import ASPECTS
from assize.judging.judge import JudgeContext
from assize.judging.judges.published.rubrics import RUBRICS
from assize.judging.prompt_judge import PromptJudge
from assize.judging.table import open_judge
from assize.models import Models

SIDE = (Turn("assistant", "one"),)


@pytest.mark.parametrize("name", ["dimensions", "rating-dimensions"])
def test_prompts_that_ask_about_them_say_what_each_means(name: str) -> None:
    judge = open_judge(f"{name}@scripted:any", JudgeContext(Models()))
    assert isinstance(judge, PromptJudge)
    item = Pair("p", (), SIDE, SIDE) if Pair in judge.takes else Conversation("c", SIDE)
    shown = " ".join(" ".join(m.text for m in judge.messages(item, "===")).split())
    for aspect, meaning in ASPECTS.items():
        assert aspect in shown
        assert meaning in shown


def test_personalization_is_a_style_of_its_own_and_what_the_person_prefers() -> None:
    name = "Personalization"
    for text in (ASPECTS[name], RUBRICS[name].criterion, RUBRICS[name].scores[4], ASKED[name]):
        assert "style" in text or "distinct" in text
        assert "prefer" in text
