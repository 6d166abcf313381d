from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Continuation, Conversation, Turn
from assize.base.errors import DataError
from assize.formats import write
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records, recognise
from assize.formats.rows import open_rows

ONE = Continuation("c/3", (Turn("system", "Be kind"), Turn("user", "Hi")), "", ("Yes?",), "c", 2)


def written(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    write(path, [ONE], format="prompt-completion")
    with open_rows(path) as (sample, _):
        assert recognise(sample).name == "prompt-completion"
    assert list(iter_records(path)) == [ONE]


def test_texts_are_a_user_s_and_an_assistant_s_turn(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", {"prompt": "Hi", "completion": "Yes?", "topic": "t"})
    (found,) = iter_records(path)
    assert isinstance(found, Continuation)
    assert (found.context, found.references, found.candidate) == (
        (Turn("user", "Hi"),),
        ("Yes?",),
        "",
    )
    assert (found.id, found.conversation, found.extra) == ("x-1", None, {"topic": "t"})


def test_preferences_are_something_else(tmp_path: Path) -> None:
    row = {"prompt": "Hi", "completion": "x", "chosen": "a", "rejected": "b"}
    with open_rows(written(tmp_path / "x.jsonl", row)) as (sample, _):
        assert recognise(sample).name == "trl"


@pytest.mark.parametrize(
    ("completion", "problem"),
    [
        ([{"role": "user", "content": "x"}], "completion: received what user said; expected one"),
        (
            [{"role": "assistant", "content": "x"}] * 2,
            "received what assistant and assistant said",
        ),
        (5, "completion: received 5; expected text or a list of messages"),
    ],
)
def test_a_completion_is_one_turn_of_the_assistant(
    completion: Any, problem: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "x.jsonl", {"prompt": "Hi", "completion": completion})
    with pytest.raises(DataError) as caught:
        list(iter_records(path, ReadOptions(format="prompt-completion")))
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (Continuation("k", (), "x", ("y",)), "there is no context"),
        (Continuation("k", ONE.context, "x", (" ",)), "there is no reference"),
        (Conversation("c", ONE.context), "holds continuations"),
    ],
)
def test_what_has_no_prompt_with_a_completion_is_refused(
    record: Any, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=problem):
        write(tmp_path / "x.jsonl", [record], format="prompt-completion")
