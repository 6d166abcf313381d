from __future__ import annotations

import json
from typing import Any

import pytest

from assize.errors import DataError
from assize.formats.research.transcript import read_history

BOTH = [{"role": "user", "text": "Hi: you"}, {"role": "assistant", "text": "Yes?\n\nSay."}]


@pytest.mark.parametrize(
    "cell",
    [
        "Human: Hi: you\nAI: Yes?\n\nSay.",
        "User: Hi: you\n\nAssistant: Yes?\n\nSay.\n",
        "**human**: Hi: you\n**bot:** Yes?\n\nSay.",
        json.dumps(BOTH),
        str(BOTH),
        json.dumps(
            [{"from": "human", "value": "Hi: you"}, {"from": "gpt", "value": "Yes?\n\nSay."}]
        ),
        json.dumps(["Human: Hi: you", "AI: Yes?\n\nSay."]),
        json.dumps(["Hi: you", "Yes?\n\nSay."]),
        BOTH,
    ],
)
def test_one_history_reads_the_same_however_it_is_written(cell: Any) -> None:
    assert read_history(cell) == BOTH


@pytest.mark.parametrize("cell", ["", "  \n", "[]", []])
def test_an_empty_cell_has_no_turns(cell: Any) -> None:
    assert read_history(cell) == []


def test_a_transcript_may_begin_with_a_bracket() -> None:
    assert read_history("Human: [1, 2]") == [{"role": "user", "text": "[1, 2]"}]


def test_a_speaker_inside_a_line_begins_no_turn() -> None:
    (only,) = read_history("Human: he said AI: no")
    assert only["text"] == "he said AI: no"


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("Hi", "expected a JSON list of messages, or a transcript"),
        ("Hi\nHuman: you", "expected a JSON list"),
        ('[{"role": "narrator", "text": "x"}]', "received speaker 'narrator'"),
        ('[{"role": "user"}]', "a message has no text"),
        ("[1, 2]", "expected a message"),
        ('[{"role": "user", "text": ', "expected a JSON list"),
    ],
)
def test_what_names_no_speaker_is_an_error(cell: str, problem: str) -> None:
    with pytest.raises(DataError) as caught:
        read_history(cell)
    assert problem in str(caught.value)
