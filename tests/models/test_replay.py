"""Recorded answers, and the recorder."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from tests.base.loops import in_loop

from assize.base.errors import DataError
from assize.base.judgment import Usage
from assize.models import CallId, Models, ModelSettings, Reply, Request, Token, messages
from assize.models.replay import NotRecorded, Recorder, Replay

CALL = CallId("i1", "io", "AB")
REPLY = Reply("é\n", "length", (Token("a", -0.5, (("a", -0.5),)),), usage=Usage(3, 1), model="m")
ASK = Request(messages(("user", "Hi")))


def ask(model: Replay, call: CallId | None) -> Reply:
    return asyncio.run(model.ask(replace(ASK, call_id=call)))


def test_what_was_recorded_is_replayed_by_item_judge_and_order(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "r.jsonl")
    for order in ("AB", "BA"):
        recorder.write(replace(CALL, order=order), replace(REPLY, text=order))
    recorder.close()
    model = Replay(tmp_path / "r.jsonl")
    assert ask(model, replace(CALL, order="BA")) == replace(REPLY, text="BA")
    assert model.capabilities == {"logprobs"}


def test_a_later_answer_replaces_an_earlier_one(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "r.jsonl")
    recorder.write(CALL, REPLY)
    recorder.write(CALL, replace(REPLY, text="later"))
    recorder.close()
    assert ask(Replay(tmp_path / "r.jsonl"), CALL).text == "later"


def test_a_file_by_hand_needs_item_judge_and_text_only(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"item": "i1", "judge": "io", "text": "A"}\n\n')
    assert ask(Replay(tmp_path / "r.jsonl"), CallId("i1", "io")).text == "A"


def test_what_was_not_recorded_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"item": "i1", "judge": "io", "text": "A"}\n')
    model = Replay(tmp_path / "r.jsonl")
    for call in (CallId("i2", "io"), None):
        with pytest.raises(NotRecorded):
            ask(model, call)


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"item": "i1", "judge": "io", "text": "A"}\n{"item"\n')
    with pytest.raises(DataError, match=r"r\.jsonl:2"):
        Replay(tmp_path / "r.jsonl")
    with pytest.raises(DataError, match="cannot be read"):
        Replay(tmp_path / "none.jsonl")


@in_loop
async def test_a_session_records_every_answer_also_from_other_models(tmp_path: Path) -> None:
    request = replace(ASK, call_id=CALL)
    async with Models(ModelSettings(record=tmp_path / "r.jsonl")) as models:
        await models.open("scripted:first").ask(request)
    assert (await Replay(tmp_path / "r.jsonl").ask(request)).text == "{}"
