"""What the item's page answers with once a round of qualification is over."""

from __future__ import annotations

import json
from pathlib import Path

from tests.web.raters.conftest import write_project
from tests.web.routes.rating_site import answer, begin, rating_site

QUALIFICATION = """raters_per_item: 9
qualification: {items: known.jsonl, judgments: known-answers.jsonl, least: 1, attempts: 2}
"""


def known(folder: Path) -> None:
    """One item whose answer is known to be 3."""
    write_project(folder)
    turns = [{"role": "user", "text": "Known?"}, {"role": "assistant", "text": "Yes."}]
    (folder / "known.jsonl").write_text(json.dumps({"id": "k", "turns": turns}) + "\n")
    row = {"item": "k", "judge": "gold", "question": "good", "answer": "3"}
    (folder / "known-answers.jsonl").write_text(json.dumps(row) + "\n")


def test_a_passed_round_is_said_and_the_task_begins(tmp_path: Path) -> None:
    known(tmp_path)
    with rating_site(tmp_path, QUALIFICATION) as found:
        ann = found.visitor("ann")
        assert "It begins with a qualification" in ann.get("/t/small").text
        where = begin(ann)
        assert "Qualification" in ann.get(where).text
        sent = answer(ann, where, good="3")
        assert "You passed the qualification" in ann.get(sent.headers["location"]).text
        assert "1 of 1 answers were as expected" in ann.get("/t/small").text


def test_a_failed_round_is_tried_again_and_then_it_is_over(tmp_path: Path) -> None:
    known(tmp_path)
    with rating_site(tmp_path, QUALIFICATION) as found:
        ann = found.visitor("ann")
        sent = answer(ann, begin(ann), good="1")
        assert "here is another try" in ann.get(sent.headers["location"]).text
        sent = answer(ann, sent.headers["location"].partition("?")[0], good="2")
        page = ann.get(sent.headers["location"]).text
        assert "The qualification was not passed" in page
        assert "0 of 1 answers were as expected" in page
