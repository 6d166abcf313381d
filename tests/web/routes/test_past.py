"""The page of past answers."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.routes.rating_site import answer


def test_past_answers_can_be_opened_and_changed(ann: Any, where: str) -> None:
    answer(ann, where, good="3")
    page = ann.get("/past").text
    assert f'href="{where}"' in page
    assert "bot-7" not in page  # a record's name may tell its system
    assert answer(ann, where, good="1").headers["location"] == "/past?task=small&after=saved"
    assert '<span class="tag">changed</span>' in ann.get("/past").text


@pytest.mark.parametrize("query", ["page=0", "page=-1", "page=999", "page=x", "task='--", "task=x"])
def test_odd_addresses_show_a_page(ann: Any, query: str) -> None:
    assert ann.get(f"/past?{query}").status_code == 200
