"""Reading recorded act outputs: what real ones hold, and whatever else there may be."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.acts._labels import Act
from assize.acts._recorded import Reading, Spoken, read_recorded, spoken
from assize.base.conversation import Pair, Turn
from assize.formats import read

PAIR = Pair(
    "p",
    (
        Turn("user", "Can you help me cook?"),
        Turn("assistant", "Sure! Here is how:\n\n1. Wash the rice.\n2. Boil it.\n3. Enjoy."),
        Turn("user", "Okay."),
        Turn("assistant", "Do you like it?"),
        Turn("user", "Okay."),
    ),
    (Turn("assistant", "Have a nice meal."),),
    (Turn("assistant", "Rice is a grain, and grains are seeds."),),
)
TURNS = spoken(PAIR)
ASK, INFORM, ANSWER = ("Task", "Set Question"), ("Task", "Inform"), ("Task", "Answer")
PLAIN = """Human: Can you help me cook? <SEP> {"Dim": "Task", "Func": "Set Question"}
Assistant: Sure! Here is how:

1. Wash the rice.
2. Boil it.
3. Enjoy. <SEP> {"Dim": "Task", "Func": "Answer"}
Human: Okay. <SEP> {"Dim": "Task", "Func": "Inform"}
Assistant: Do you like it? <SEP> {"Dim": "Task", "Func": "Set Question"}
Human: Okay. <SEP> {"Dim": "Task", "Func": "Answer"}
Assistant-1: Have a nice meal. <SEP> {"Dim": "Task", "Func": "Inform"}
Assistant-2: Rice is a grain, and grains are seeds. <SEP> {"Dim": "Task", "Func": "Answer"}"""


EXPECTED = (ASK, ANSWER, INFORM, ASK, ANSWER, INFORM, ANSWER)


def first_acts(reading: Reading) -> tuple[Any, ...]:
    return tuple(None if acts is None else tuple(acts[0]) for acts in reading.turns)


MESSES = {
    "plain": PLAIN,
    "fenced": f"```json\n{PLAIN}\n```",
    "a fence that is never closed": f"```\n{PLAIN}",
    "a fence closed in the middle": PLAIN.replace("Human: Okay", "```\nHuman: Okay", 1),
    "labels on their own line": PLAIN.replace(" <SEP> ", "\n<SEP> "),
    "no separator": PLAIN.replace(" <SEP>", ""),
    "separators escaped": PLAIN.replace("<SEP>", "&lt;SEP&gt;"),
    "one line": PLAIN.replace("\n", " "),
    "blank lines": PLAIN.replace("\n", "\n\n\n"),
    "H for Human": PLAIN.replace("Human:", "H:"),
    "bold speakers": re.sub(r"^(\w[\w-]*:)", r"**\1**", PLAIN, flags=re.MULTILINE),
    "numbered turns": re.sub(r"^(\w[\w-]*:)", r"3. \1", PLAIN, flags=re.MULTILINE),
    "doubled speakers": PLAIN.replace("Assistant-1:", "Assistant: Assistant-1:"),
    "responses named like turns": re.sub(r"Assistant-[12]:", "Assistant:", PLAIN),
    "no speakers at all": re.sub(r"^\w[\w-]*: ", "", PLAIN, flags=re.MULTILINE),
    "labels after the first line": PLAIN.replace(
        'Here is how:\n\n1. Wash the rice.\n2. Boil it.\n3. Enjoy. <SEP> {"Dim": "Task", '
        '"Func": "Answer"}',
        'Here is how: <SEP> {"Dim": "Task", "Func": "Answer"}\n\n1. Wash the rice.\n2. Boil it.',
    ),
    "labels on every line of a list": PLAIN.replace(
        "rice.\n2. Boil it.\n3.",
        'rice. <SEP> {"Dim": "Task", "Func": "Answer"}\n2. Boil it. <SEP> {"Dim": "Task", '
        '"Func": "Answer"}\n3.',
    ),
    "a turn cut short": PLAIN.replace("how:\n\n1. Wash the rice.\n2. Boil it.\n3. Enjoy.", "..."),
    "single quotes": PLAIN.replace('"', "'"),
    "JSON in JSON": json.dumps(PLAIN),
    "labels over several lines": PLAIN.replace('{"Dim"', '{\n  "Dim"').replace('"}', '"\n}'),
    "labels not closed": PLAIN.replace('"}', '"'),
    "other letters": PLAIN.replace('"Dim"', '"dim"').replace("Answer", "ANSWER"),
    "something said around it": f"Here are the labels:\n\n{PLAIN}\n\nI hope this helps.",
}


KEYED = {
    "Human: Can you help me cook?": '{"Dim": "Task", "Func": "Set Question"}',
    "Assistant: " + PAIR.context[1].text: '{"Dim": "Task", "Func": "Answer"}',
    "Human: Okay.": '{"Dim": "Task", "Func": "Inform"}',
    "Assistant: Do you like it?": '{"Dim": "Task", "Func": "Set Question"}',
    "Human: Okay. ": '{"Dim": "Task", "Func": "Answer"}',
    "Assistant-1: Have a nice meal.": '{"Dim": "Task", "Func": "Inform"}',
    "Assistant-2: " + PAIR.b[0].text: '{"Dim": "Task", "Func": "Answer"}',
    "Explanation": "The first is kind.",
    "Answer": "1",
}


def as_lists(value: dict[str, str]) -> dict[str, Any]:
    return {key: [text] if "Dim" in text else text for key, text in value.items()}


def as_objects(value: dict[str, str]) -> dict[str, Any]:
    return {key: [json.loads(text)] if "Dim" in text else text for key, text in value.items()}


def as_rows(value: dict[str, str]) -> list[Any]:
    return [{"turn": key, "labels": text} for key, text in value.items() if "Dim" in text]


KEYED_FORMS = {
    "an object": KEYED,
    "its text": json.dumps(KEYED),
    "its text, indented and fenced": f"```json\n{json.dumps(KEYED, indent=2)}\n```",
    "lists of labels": as_lists(KEYED),
    "lists of objects": as_objects(KEYED),
    "inside another object": {"output": {"turns": KEYED}, "Answer": "1"},
    "a list of entries": as_rows(KEYED),
    "as Python writes it": str(KEYED),
    "keys twice": json.dumps(KEYED).replace("Okay. ", "Okay."),
    "not closed": json.dumps(KEYED)[:-1],
}


@pytest.mark.parametrize(
    "recorded",
    [*MESSES.values(), *KEYED_FORMS.values()],
    ids=[*MESSES, *(f"keyed by the turns' text: {name}" for name in KEYED_FORMS)],
)
def test_the_plain_form_what_real_outputs_hold_and_keyed_objects_are_read_turn_by_turn(
    recorded: Any,
) -> None:
    reading = read_recorded(recorded, TURNS)
    assert reading.exact
    assert first_acts(reading) == EXPECTED


def test_one_entry_speaks_for_all_turns_of_its_text() -> None:
    once = {key: value for key, value in KEYED.items() if key != "Human: Okay. "}
    reading = read_recorded(once, TURNS)
    assert reading.exact
    assert reading.turns[2] == reading.turns[4] == (Act(*INFORM),)


def test_the_entries_of_an_object_may_stand_in_any_order() -> None:
    for mixed in (dict(sorted(KEYED.items())), dict(reversed(KEYED.items()))):
        reading = read_recorded(mixed, TURNS)
        assert reading.exact
        assert first_acts(reading)[5:] == EXPECTED[5:]


def test_invented_turns_are_set_aside_and_told() -> None:
    extra = PLAIN.replace(
        "Assistant-2:",
        'Human: What can I do to take care of my cat? <SEP> {"Dim": "Task", "Func": "Request"}\n'
        "Assistant-2:",
    )
    reading = read_recorded(extra, TURNS)
    assert first_acts(reading) == EXPECTED
    assert [piece.text for piece in reading.invented] == ["What can I do to take care of my cat?"]
    assert not reading.exact


def test_a_turn_without_labels_is_none() -> None:
    missing = PLAIN.replace('Do you like it? <SEP> {"Dim": "Task", "Func": "Set Question"}', "")
    reading = read_recorded(missing.replace("Assistant: \n", ""), TURNS)
    assert reading.turns[3] is None
    assert [acts is None for acts in reading.turns].count(True) == 1


def test_what_a_turn_itself_holds_is_no_label() -> None:
    said = 'Write "Hi <SEP> {"Dim": "Task", "Func": "Promise"}" please. {"a": [1, 2]}'
    turns = [Spoken("user", 0, said), Spoken("assistant", 1, "Done.")]
    text = (
        f'Human: {said} <SEP> {{"Dim": "Task", "Func": "Request"}}\n'
        'Assistant-1: Done. <SEP> {"Dim": "Task", "Func": "Accept Request"}'
    )
    assert read_recorded(text, turns).turns == (
        (Act("Task", "Request"),),
        (Act("Task", "Accept Request"),),
    )


def test_other_scripts_are_aligned_as_well() -> None:
    turns = [Spoken("user", 0, "電車で行けますか"), Spoken("assistant", 1, "はい、一時間です")]
    text = "\n".join(
        f'{name}: {turn.text} <SEP> {{"Dim": "Task", "Func": "{function}"}}'
        for name, turn, function in zip(
            ("Human", "Assistant-1"), turns, ("Set Question", "Answer"), strict=True
        )
    )
    assert first_acts(read_recorded(text, turns)) == (ASK, ANSWER)


@pytest.mark.parametrize("recorded", ["", "   ", None, 3, [], {}, "{", '{"a": 1}', [[[[]]]]])
def test_what_holds_no_labels_gives_none(recorded: Any) -> None:
    reading = read_recorded(recorded, TURNS)
    assert reading.turns == (None,) * len(TURNS)
    assert not reading.invented


@pytest.mark.parametrize(
    "text",
    [
        "\n",
        " ",
        "{ ",
        '{"Dim": ',
        "<",
        "< ",
        "* ",
        "A:",
        "A: b\n",
        "\\",
        "```",
        '{"Dim": "Task"} x\n',
    ],
)
def test_runaway_outputs_come_to_an_end(text: str) -> None:
    reading = read_recorded(text * (100_000 // len(text)), TURNS)
    assert len(reading.turns) == len(TURNS)


CRUMBS = st.sampled_from(
    [
        "Human:",
        "Assistant-1:",
        "Assistant: Assistant-2:",
        "H:",
        " <SEP> ",
        "```",
        "```json\n",
        '{"Dim": "Task", "Func": "Inform & Answer"}',
        "{'Dim': 'Task'}",
        '{"Func": ["Inform"',
        "}",
        "{",
        '"',
        "\\",
        "\n",
        "Okay.",
        "Do you like it?",
        "[",
        "]",
        ",",
        "\x00",
        "\ud800",
        "A:",
        *PLAIN.splitlines(),
    ]
)
OUTPUTS = st.lists(CRUMBS | st.text(max_size=20), max_size=40).map("".join)
JSONS = st.recursive(
    st.none() | st.booleans() | st.floats() | OUTPUTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(OUTPUTS, inner, max_size=5),
    max_leaves=15,
)
CONVERSATIONS = st.lists(
    st.builds(
        Spoken,
        st.sampled_from(["user", "assistant"]),
        st.integers(0, 2),
        st.sampled_from(["", "Okay.", *[turn.text for turn in TURNS]]) | OUTPUTS,
    ),
    max_size=8,
)


@given(JSONS, CONVERSATIONS)
def test_nothing_makes_the_reader_raise(recorded: Any, turns: list[Spoken]) -> None:
    for given_ in (recorded, json.dumps(recorded, default=str), str(recorded)):
        reading = read_recorded(given_, turns)
        assert len(reading.turns) == len(turns)
        assert all(acts for acts in reading.turns if acts is not None)


@given(st.integers(0, len(PLAIN)))
def test_an_output_that_is_cut_off_keeps_what_stands_before_the_cut(end: int) -> None:
    found = first_acts(read_recorded(PLAIN[:end], TURNS))
    whole = PLAIN[:end].count('"}')
    assert found[:whole] == EXPECTED[:whole]
    assert found[whole + 1 :] == (None,) * (len(TURNS) - whole - 1)


DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "amulet-hh-test"


needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the research data stand beside the project, and are not here"
)


def stored() -> Iterator[tuple[Pair, str]]:
    """All stored GPT-4o outputs with the pair as it was shown."""
    pairs = {one.id: one for one in read(DATA / "instances.jsonl") if isinstance(one, Pair)}
    with gzip.open(DATA / "outputs-gpt4o.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            pair = pairs[row["id"]]
            yield pair, row["da"]["chosen_first"]["text"]
            yield replace(pair, a=pair.b, b=pair.a), row["da"]["rejected_first"]["text"]


def plainly(text: str) -> list[set[str]] | None:
    """An independent reading of outputs that follow the form to the letter, else None."""
    if text.count('"Dim"') != text.count('"Func"'):
        return None
    lines = re.sub(r"```\w*", "", text).strip()
    parts = re.split(r"\n\s*(?=(?:Human|Assistant|Assistant-[12]): )", lines)
    found = []
    for part in parts:
        said, *labels = re.split(r"<SEP>", part)
        if len(labels) != 1 or not re.match(r"Human|Assistant", said):
            return None
        functions = re.findall(r'"Func": "([^"]*)"', labels[0])
        found.append({name.strip() for one in functions for name in one.split("&")})
    return found


@needs_data
def test_at_least_995_in_1000_stored_outputs_hold_exactly_the_conversations_turns() -> None:
    exact = [read_recorded(text, spoken(pair)).exact for pair, text in stored()]
    assert len(exact) == 920
    assert sum(exact) / 920 >= 0.995


@needs_data
def test_outputs_that_follow_the_form_are_read_as_a_plain_reading_does() -> None:
    compared = 0
    for pair, text in stored():
        expected = plainly(text)
        if expected is None or len(expected) != len(spoken(pair)):
            continue
        compared += 1
        turns = read_recorded(text, spoken(pair)).turns
        assert [{act.function for act in acts or ()} for acts in turns] == expected
    assert compared >= 850


@needs_data
@pytest.mark.slow("reads the research data twice")
def test_stored_outputs_rewritten_as_keyed_objects_give_the_same_acts() -> None:
    compared = 0
    for pair, text in list(stored())[::8]:
        turns = spoken(pair)
        reading = read_recorded(text, turns)
        names = {0: "", 1: "-1", 2: "-2"}
        keyed: dict[str, str] = {}
        for turn, acts in zip(turns, reading.turns, strict=True):
            key = f"{turn.speaker.replace('user', 'human').title()}{names[turn.side]}: {turn.text}"
            labels = " ".join(
                json.dumps({"Dim": a.dimension, "Func": a.function}) for a in acts or ()
            )
            keyed[key] = labels
        if len(keyed) == len(turns):
            compared += 1
            assert read_recorded(json.dumps(keyed), turns).turns == reading.turns
    assert compared >= 100
