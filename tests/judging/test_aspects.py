"""The aspects that several judges ask about."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.judging import aspects
from assize.judging.aspects import ASPECTS, OVERALL


def test_there_are_mtdeval_s_ten_and_one_overall() -> None:
    assert len(ASPECTS) == 10
    assert OVERALL not in ASPECTS


@pytest.mark.parametrize("prompt", ["dimensions", "rating-dimensions"])
def test_prompts_that_ask_about_them_show_what_they_mean(prompt: str) -> None:
    text = (Path(aspects.__file__).parent / "prompts" / f"{prompt}.j2").read_text()
    assert "aspects" in text.lower() or all(name in text for name in ASPECTS)
