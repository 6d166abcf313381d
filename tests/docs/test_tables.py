"""What can be chosen by name stands on its page, so that an addition is not forgotten there."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from assize.judging.table import JUDGES
from assize.models.providers import PROVIDERS
from assize.reference._metrics.table import METRICS

DOCS = Path(__file__).parents[2] / "docs"
REWARDS = {"hf-reward", "hf-scores", "http", "https"}  # what stands behind `reward@` and `score@`


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("metrics.md", METRICS),
        ("judges.md", {name.removesuffix("-fewshot") for name in JUDGES}),
        ("models.md", PROVIDERS.keys() - REWARDS),
    ],
    ids=["metrics", "judges", "providers of models"],
)
def test_what_can_be_chosen_has_a_row_on_its_page(page: str, names: Collection[str]) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    missing = [name for name in names if f"`{name}" not in text]
    assert not missing, f"docs/{page} needs a row for each of {missing}"
