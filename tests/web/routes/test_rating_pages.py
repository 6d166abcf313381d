"""What the item's page answers with once a round of qualification is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.accounts.clients import Site
from tests.web.routes.rating_site import answer, begin, rating_site
from tests.web.tasks.making import lines

QUALIFICATION = """raters_per_item: 9
qualification: {items: known.jsonl, judgments: known-answers.jsonl, least: 1, attempts: 2}
"""


@pytest.fixture
def found(tmp_path: Path) -> Iterator[Site]:
    """A task with a qualification of one item, whose answer is known to be 3."""
    turns = [{"role": "user", "text": "Known?"}, {"role": "assistant", "text": "Yes."}]
    lines(tmp_path / "known.jsonl", [{"id": "k", "turns": turns}])
    row = {"item": "k", "judge": "gold", "question": "good", "answer": "3"}
    lines(tmp_path / "known-answers.jsonl", [row])
    with rating_site(tmp_path, QUALIFICATION) as made:
        yield made


def test_a_passed_round_is_said_and_the_task_begins(ann: Any) -> None:
    assert "It begins with a qualification" in ann.get("/t/small").text
    where = begin(ann)
    assert "Qualification" in ann.get(where).text
    sent = answer(ann, where, good="3")
    assert "You passed the qualification" in ann.get(sent.headers["location"]).text
    assert "1 of 1 answers were as expected" in ann.get("/t/small").text


def test_a_failed_round_is_tried_again_and_then_it_is_over(ann: Any, where: str) -> None:
    sent = answer(ann, where, good="1")
    assert "here is another try" in ann.get(sent.headers["location"]).text
    sent = answer(ann, sent.headers["location"].partition("?")[0], good="2")
    page = ann.get(sent.headers["location"]).text
    assert "The qualification was not passed" in page
    assert "0 of 1 answers were as expected" in page
