from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assize.evaluator import Evaluator
from assize.evaluator._evaluator import JudgeReliability
from assize.evaluator._training.card import card_of, write_card
from assize.evaluator._training.settings import settings_of
from assize.results import Estimate, to_json


def taught(small: Evaluator) -> Evaluator:
    """A small evaluator that says of itself what one learnt from votes does."""
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
    return replace(small, about=about, reliabilities=[row])


def test_the_card_tells_of_judges_and_of_what_to_take_care_of(small: Evaluator) -> None:
    text = card_of(taught(small))
    assert "on 1,200 pairs" in text
    assert "| Overall | ann | 0.80 [0.70, 0.90] | 0.60 | 0.75 | 40 | 0 |" in text
    assert "* Anchors: gold." in text
    assert "* 2 texts were longer" in text
    assert "* Safety: few" in text


def test_it_stands_in_the_folder(small: Evaluator, tmp_path: Path) -> None:
    write_card(taught(small), tmp_path)
    assert (tmp_path / "MODEL_CARD.md").read_text() == card_of(taught(small))
