from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assize.evaluator import Evaluator
from assize.evaluator._evaluator import JudgeReliability
from assize.evaluator._training.card import write_card
from assize.evaluator._training.settings import settings_of
from assize.results import Estimate, to_json


def test_the_card_tells_of_judges_and_of_what_to_take_care_of(
    small: Evaluator, tmp_path: Path
) -> None:
    alpha, beta = Estimate(0.8, (0.7, 0.9), 40), Estimate(0.6, n=40)
    row = JudgeReliability("Overall", "ann", alpha, beta, 0.75)
    about = {
        "pairs": 1200,
        "judgments": 2400,
        "windows": 2,
        "settings": to_json(settings_of()),
        "anchors": ["gold"],
        "notes": ["Safety: few"],
    }
    write_card(replace(small, about=about, reliabilities=[row]), tmp_path)
    written = (tmp_path / "MODEL_CARD.md").read_text()
    for text in (
        "on 1,200 pairs",
        "| Overall | ann | 0.80 [0.70, 0.90] | 0.60 | 0.75 | 40 | 0 |",
        "* Anchors: gold.",
        "* 2 texts were longer",
        "* Safety: few",
    ):
        assert text in written
