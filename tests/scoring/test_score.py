"""Scores from whatever holds conversations."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from tests.conversations import CHATS

import assize
from assize.base.errors import ConfigError, DataError
from assize.encoders import minilm


def test_a_list_of_messages_is_scored_with_its_questions() -> None:
    table = assize.score([{"messages": CHATS[0]["messages"]}])
    assert table.items == ("items-1",)
    assert "overall" in table.questions
    assert not table.inferred
    assert all(row.score is not None for row in table)


def test_the_encoder_is_opened_once_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    assize.score(CHATS)

    def refuse(*args: object) -> None:
        raise AssertionError("the encoder is opened again")

    monkeypatch.setattr(minilm, "open_session", refuse)
    assert len(assize.score(CHATS)) > 0


def test_a_file_records_and_a_frame_are_scored_alike(lines: Any) -> None:
    file = lines("chats.jsonl", CHATS)
    whole = assize.score(file)
    assert whole.rows() == assize.score(CHATS).rows()
    assert whole.rows() == assize.score(list(assize.read(file))).rows()
    assert whole.rows() == list(assize.scoring.iter_score(file))


def test_out_gets_what_is_returned_and_the_questions(tmp_path: Path) -> None:
    table = assize.score(CHATS, out=tmp_path / "scores.parquet")
    stored = assize.read_judgments([tmp_path / "scores.parquet"])
    assert stored.rows() == table.rows()
    assert set(stored.questions) >= set(stored.asked)
    assert not stored.inferred


def test_judgments_among_the_items_are_passed_over_and_the_log_says_so(
    lines: Any, caplog: pytest.LogCaptureFixture
) -> None:
    turns = [{"role": "user", "text": "Where?"}, {"role": "assistant", "text": "Left."}]
    row = {"item": "kind", "judge": "ann", "question": "overall", "score": 0.5}
    caplog.set_level(logging.INFO, "assize")
    table = assize.score(lines("log.jsonl", [{"id": "kind", "turns": turns}, row]))
    assert table.items == ("kind",)
    assert "1 judgments in the input were passed over" in caplog.text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "items"),
        (None, "items"),
        ([1, 2], r"items\[0\]"),
        ([{"messages": [{"content": "Hi"}]}], "role"),
        ("nowhere.jsonl", "there is no such file"),
    ],
)
def test_bad_input_is_said_with_its_place(given: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        assize.score(given)


def test_a_folder_without_an_evaluator_is_said(tmp_path: Path) -> None:
    with pytest.raises((DataError, ConfigError), match=str(tmp_path)):
        assize.score(CHATS, evaluator=tmp_path)


def test_iterating_begins_before_the_end_is_read() -> None:
    drawn = []

    def stream() -> Any:
        for number, one in enumerate(CHATS * 400):
            drawn.append(number)
            yield {**one, "id": str(number)}

    next(assize.scoring.iter_score(stream()))
    assert 0 < len(drawn) < 3 * 400


def test_an_evaluator_predicts_and_is_saved_and_loaded_like_all_that_is_learnt(
    tmp_path: Path,
) -> None:
    shipped = assize.evaluator.load_evaluator()
    assert shipped.predict(CHATS).rows() == assize.score(CHATS).rows()
    shipped.save(str(tmp_path / "mine"))
    again = assize.load(tmp_path / "mine")
    assert again.predict(CHATS[:1]).rows() == shipped.predict(CHATS[:1]).rows()
