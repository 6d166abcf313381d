"""Transcripts of hh-rlhf."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.formats.logs.conftest import ROWS, lines

from assize.base.conversation import Pair, Turn
from assize.base.errors import DataError
from assize.formats.logs.hh_rlhf import is_transcript, transcript
from assize.formats.reading import iter_records


def test_hh_transcripts_share_their_beginning_and_chosen_is_a(tmp_path: Path) -> None:
    (pair,) = iter_records(lines(tmp_path / "x.jsonl", ROWS["hh-rlhf"]))
    assert isinstance(pair, Pair)
    assert [turn.text for turn in pair.context] == ["Hi", "Hello\n\nmore", "And?"]
    assert ([turn.text for turn in pair.a], [turn.text for turn in pair.b]) == (["Yes."], [" No."])
    assert pair.gold == "A"


def test_two_equal_transcripts_keep_a_response_on_each_side(tmp_path: Path) -> None:
    text = "\n\nHuman: Hi\n\nAssistant: Hello"
    (pair,) = iter_records(lines(tmp_path / "x.jsonl", {"chosen": text, "rejected": text}))
    assert isinstance(pair, Pair)
    assert (len(pair.context), len(pair.a), len(pair.b)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n\nHuman: Hi", True),
        ("Assistant: Hi", True),
        ("Hi\n\nHuman: Hi", False),
        ("Humane: Hi", False),
        (None, False),
    ],
)
def test_a_transcript_begins_with_a_speaker(text: Any, expected: bool) -> None:
    assert is_transcript(text) is expected


def test_a_speaker_inside_a_line_begins_no_turn() -> None:
    assert transcript("Human: Say Assistant: or\nHuman: so", "chosen") == (
        Turn("user", "Say Assistant: or\nHuman: so"),
    )


@pytest.mark.parametrize("text", ["Hello", "Well.\n\nHuman: Hi"])
def test_what_begins_with_no_speaker_is_an_error_that_names_the_side(text: str) -> None:
    with pytest.raises(DataError, match=r"chosen: received .* a transcript begins with `Human:`"):
        transcript(text, "chosen")
