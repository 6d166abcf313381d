"""An evaluator fitted to labels, from files and from records."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evaluator.talks import details_of

import assize
from assize.base.errors import ConfigError
from assize.scoring import Adapt, Scale

JUDGED = {"judge": "ann", "kind": "person"}
WORDS = ["fine", "no", "the train leaves at nine", "ask somebody else", "gladly", "what"]


def words(turn: dict[str, str]) -> list[dict[str, str]]:
    return [{"role": role, "text": text} for role, text in turn.items()]


def chats(count: int = 40) -> list[dict[str, Any]]:
    rng = np.random.default_rng(3)
    said = [" ".join(rng.choice(WORDS, 1 + at % 4)) for at in range(count)]
    return [
        {"id": f"c{at}", "turns": words({"user": f"When is train {at}?", "assistant": text})}
        for at, text in enumerate(said)
    ]


def ratings(count: int = 30) -> list[dict[str, Any]]:
    rng = np.random.default_rng(4)
    return [
        {
            "item": f"c{at}",
            **JUDGED,
            "question": "good",
            "score": float(np.clip(1 + at % 4 + rng.integers(0, 2), 1, 5)),
        }
        for at in range(count)
    ]


def test_labels_of_records_adapt_the_shipped_evaluator_and_it_is_saved(tmp_path: Path) -> None:
    lost = [{**row, "item": f"x{at}"} for at, row in enumerate(ratings(4))]
    found = assize.evaluator.adapt(chats(), judgments=[*ratings(), *lost], save=tmp_path / "mine")
    assert (found.evaluator.judge, found.unfit) == ("evaluator@mine", 4)
    (one,) = found.outcomes
    assert (one.question, one.n, one.by) == ("overall", 30, "conversation")
    again = assize.evaluator.load_evaluator(tmp_path / "mine")
    assert again.signature == found.signature
    details = details_of(next(iter(again.score(chats()[:3]))))
    low, high = details["interval"]
    assert 1 <= low <= details["rating"] <= high <= 5


def test_score_adapts_before_it_scores(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "assize")
    table = assize.score(chats(), fit=Adapt(ratings()))
    assert "30 labels of 30 conversations" in caplog.text
    assert all("rating" in (row.details or {}) for row in table.where(question="overall"))


def test_a_scale_leaves_scores_as_they_are(tmp_path: Path) -> None:
    plain = assize.score(chats())
    table = assize.score(chats(), fit=Scale(ratings(), save=tmp_path / "scaled"))
    assert [row.score for row in table] == [row.score for row in plain]
    assert 1 <= details_of(next(iter(table.where(question="overall"))))["rating"] <= 5
    assert assize.evaluator.load_evaluator(tmp_path / "scaled").main.scale is not None


def test_items_that_can_be_read_only_once_are_refused() -> None:
    with pytest.raises(ConfigError, match="read twice"):
        assize.score(iter(chats()), fit=Adapt(ratings()))


def test_pairs_alone_are_asked_preferences() -> None:
    pairs = [
        {
            "id": f"p{at}",
            "context": words({"user": "When is the train?"}),
            "a": words({"assistant": f"At {at}."}),
            "b": words({"assistant": "no no no no"}),
        }
        for at in range(24)
    ]
    votes = [
        {**JUDGED, "item": f"p{at}", "question": "preference", "answer": "A" if at % 5 else "tie"}
        for at in range(24)
    ]
    found = assize.evaluator.adapt(pairs, judgments=votes)
    (one,) = found.outcomes
    assert one.by == "pair"
    assert one.ties is not None
    table = assize.score(pairs, evaluator=found.evaluator)
    assert table.questions["overall"].kind == "preference"
    assert set(table.asked) == {"preference", "overall", "safe"}
