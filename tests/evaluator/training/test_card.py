from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assize.evaluator import Evaluator
from assize.evaluator.training.card import card_of, write_card
from assize.evaluator.training.settings import settings_of


def taught(small: Evaluator) -> Evaluator:
    """A small evaluator that says of itself what one learnt from votes does."""

    row = {
        "judge": "ann",
        "question": "Overall",
        "votes": 40.0,
        "alpha": 0.8,
        "alpha_low": 0.7,
        "alpha_high": 0.9,
        "beta": 0.6,
        "beta_low": None,
        "beta_high": None,
        "agrees": 0.75,
    }
    about = {
        "pairs": 1200,
        "judgments": 2400,
        "windows": 2,
        "settings": settings_of().to_json(),
        "anchors": ["gold"],
        "notes": ["Safety: few"],
        "reliabilities": [row],
    }
    return replace(small, about=about)


def test_the_card_tells_of_judges_and_of_what_to_take_care_of(small: Evaluator) -> None:
    text = card_of(taught(small))
    assert "on 1,200 pairs" in text
    assert "| Overall | ann | 40 | 0.80 [0.70, 0.90] |" in text
    assert "* Anchors: gold." in text
    assert "* 2 texts were longer" in text
    assert "* Safety: few" in text


def test_it_stands_in_the_folder(small: Evaluator, tmp_path: Path) -> None:
    write_card(taught(small), tmp_path)
    assert (tmp_path / "MODEL_CARD.md").read_text() == card_of(taught(small))
