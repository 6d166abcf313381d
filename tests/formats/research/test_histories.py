from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.errors import DataError
from assize.formats.research.histories import read_history, without_markup


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("", []),
        ("  \n", []),
        ("[]", []),
        ([], []),
        ("Human: [1, 2]", [{"role": "user", "text": "[1, 2]"}]),
        ("Human: he said AI: no", [{"role": "user", "text": "he said AI: no"}]),
        # A history that is a list keeps its markup.
        (
            '[{"role": "user", "text": "<p>user: x</p>"}]',
            [{"role": "user", "text": "<p>user: x</p>"}],
        ),
    ],
)
def test_an_odd_cell_has_the_turns_that_it_names(cell: Any, expected: Any) -> None:
    assert read_history(cell) == expected


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


PRINTED = [
    {"role": "user", "text": "Hi there."},
    {"role": "assistant", "text": "Yes?"},
    {"role": "user", "text": "Help."},
]


@pytest.mark.parametrize(
    "cell",
    [
        "<p>user: Hi there.</p> <p>assistant: Yes?</p> <p>user: Help.</p>",
        "<i>user</i> : Hi there. <i>assistant</i> : Yes? <i>user</i> : Help.",
        "<p><b>user:</b> Hi there.<br/><b>assistant:</b> Yes?<br/><b>user:</b> Help.</p>",
        "<p>user: Hi there. assistant: Yes? user: Help.</p>",
        "*user* : Hi there. *assistant* : Yes? *user* : Help.",
        "user: Hi there. assistant: Yes? user: Help.",
    ],
)
def test_marked_up_and_one_line_histories_are_read_as_the_paper_prints_them(cell: str) -> None:
    assert read_history(cell) == PRINTED


@pytest.mark.parametrize(
    "text",
    [
        "he said assistant: no",  # the assistant would have the last word
        "first assistant: a bot. then assistant: a person. user: me",  # no taking of turns
        "the <p> tag means assistant and user",
        "a <b>bold</b> word",
    ],
)
def test_what_may_be_said_in_a_turn_begins_none(text: str) -> None:
    assert read_history(f"user: {text}") == [{"role": "user", "text": text}]


@given(st.text(st.characters(exclude_characters="<&"), max_size=50))
def test_text_without_markup_is_left_alone(text: str) -> None:
    assert without_markup(text) == text


def test_many_tags_and_blanks_are_read_in_one_pass() -> None:
    hostile = "<p" * 50_000 + " " * 100_000
    assert without_markup("<p>" + hostile).startswith("<p")
    read_history("user: x" + " user :" * 20_000 + " " * 100_000)
