from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.formats.logs.conftest import ROWS, lines

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.formats import write
from assize.formats.logs.training import HH_RLHF, SHAREGPT, SHAREGPT_PAIRS, TRL, read_transcript
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records, open_records, recognise
from assize.formats.rows import Sample, open_rows

HI = {"from": "human", "value": "hi"}


def conversation(path: Path, **row: Any) -> Conversation:
    (found,) = iter_records(lines(path / "x.jsonl", row))
    assert isinstance(found, Conversation)
    return found


def test_every_speaker_has_a_role(tmp_path: Path) -> None:
    assert [turn.role for turn in conversation(tmp_path, **ROWS["sharegpt"]).turns] == [
        "user",
        "assistant",
        "assistant",
        "tool",
        "assistant",
    ]


def test_a_system_prompt_beside_the_messages_is_the_first_turn(tmp_path: Path) -> None:
    found = conversation(tmp_path, conversations=[HI], system="S")
    assert found.turns == (Turn("system", "S"), Turn("user", "hi"))


def test_an_empty_system_prompt_is_none(tmp_path: Path) -> None:
    found = conversation(tmp_path, conversations=[HI], system="")
    assert found.turns == (Turn("user", "hi"),)


def test_the_model_is_the_system(tmp_path: Path) -> None:
    found = conversation(tmp_path, conversations=[HI], model="vicuna")
    assert (found.system, found.extra) == ("vicuna", {})


def test_roles_are_written_under_the_format_s_own_names(tmp_path: Path) -> None:
    turns = tuple(Turn(role, "x") for role in ("system", "user", "assistant", "tool"))
    write(tmp_path / "x", [Conversation("c", turns)], format="sharegpt")
    said = json.loads((tmp_path / "x").read_text())["conversations"]
    assert [one["from"] for one in said] == ["system", "human", "gpt", "tool"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [([HI], True), ([{"from": "human"}], False), ([], False), ("text", False)],
)
def test_it_is_recognised_by_a_speaker_and_a_value(said: Any, expected: bool) -> None:
    assert SHAREGPT.recognise(Sample("json", ({"conversations": said},), "x")) is expected


def test_a_pair_is_refused(tmp_path: Path) -> None:
    pair = Pair("p", (), (Turn("user", "a"),), (Turn("user", "b"),))
    with pytest.raises(DataError, match="received a pair; sharegpt holds conversations"):
        write(tmp_path / "x", [pair], format="sharegpt")


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ([{"from": "gpt", "value": None}], r"conversations\[0\]\.value: received None"),
        ([HI, {"from": "wizard", "value": "x"}], r"conversations\[1\]\.role: received 'wizard'"),
        ([HI, 7], r"conversations\[1\]: received 7"),
    ],
)
def test_a_bad_message_is_named_by_its_place(said: list[Any], problem: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=rf"x\.jsonl:1: {problem}"):
        conversation(tmp_path, conversations=said)


ROW: dict[str, Any] = {
    "id": "w1",
    "conversations": [{"from": "human", "value": "Hi"}],
    "chosen": {"from": "gpt", "value": "Hello!"},
    "rejected": {"from": "gpt", "value": "Go away."},
}


def pair(path: Path, **row: Any) -> Pair:
    (found,) = iter_records(lines(path / "x.jsonl", ROW | row))
    assert isinstance(found, Pair)
    return found


def test_the_chosen_message_is_a_and_gold(tmp_path: Path) -> None:
    assert pair(tmp_path) == Pair(
        "w1",
        (Turn("user", "Hi"),),
        (Turn("assistant", "Hello!"),),
        (Turn("assistant", "Go away."),),
        gold="A",
    )


def test_it_is_told_from_a_conversation_by_its_two_messages(tmp_path: Path) -> None:
    with open_records(lines(tmp_path / "x.jsonl", ROW)) as opened:
        assert opened.format.name == "sharegpt-pairs"


@pytest.mark.parametrize("side", ["Hello!", [ROW["chosen"]], {"from": "gpt"}, None])
def test_a_side_that_is_no_message_is_none_of_it(side: Any) -> None:
    assert not SHAREGPT_PAIRS.recognise(Sample("json", (ROW | {"rejected": side},), "x"))


def test_metadata_and_unknown_fields_stay_with_the_pair(tmp_path: Path) -> None:
    found = pair(tmp_path, metadata={"lang": "en"}, margin=2, source="web")
    assert (found.metadata, found.extra) == ({"lang": "en", "source": "web"}, {"margin": 2})


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"conversations": []}, r"conversations: received \[\]; expected a list of messages"),
        ({"rejected": "Go away."}, "rejected: received 'Go away.'; expected an object"),
        ({"chosen": {"from": "gpt", "value": 3}}, r"chosen\[0\]\.value: received 3"),
    ],
)
def test_a_bad_message_of_a_pair_is_named_by_its_place(
    row: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    path = lines(tmp_path / "x.jsonl", ROW | row)
    with pytest.raises(DataError, match=rf"x\.jsonl:1: {problem}"):
        list(iter_records(path, ReadOptions(format="sharegpt-pairs")))


def test_it_is_only_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="format sharegpt-pairs can be read but not written"):
        write(tmp_path / "x", [], format="sharegpt-pairs")


USER, GOOD, BAD = (
    {"role": role, "content": text}
    for role, text in (("user", "Hi"), ("assistant", "Hello"), ("assistant", "Go"))
)


@pytest.mark.parametrize(
    "row",
    [
        {"prompt": "Hi", "chosen": "Hello", "rejected": "Go"},
        {"prompt": [USER], "chosen": [GOOD], "rejected": [BAD]},
        {"chosen": [USER, GOOD], "rejected": [USER, BAD]},
        {"prompt": "Hi", "prompt_id": "x", "chosen": [USER, GOOD], "rejected": [USER, BAD]},
        {"prompt": "Hi", "chosen": [GOOD], "rejected": "Go"},
    ],
    ids=["texts", "messages", "implicit", "repeated", "mixed"],
)
def test_trl_prompts_in_all_their_forms(row: dict[str, Any], tmp_path: Path) -> None:
    (pair,) = iter_records(lines(tmp_path / "x.jsonl", row))
    assert isinstance(pair, Pair)
    assert (pair.context, pair.a, pair.b, pair.gold) == (
        (Turn("user", "Hi"),),
        (Turn("assistant", "Hello"),),
        (Turn("assistant", "Go"),),
        "A",
    )


@pytest.mark.parametrize(
    "row",
    [
        ROWS["hh-rlhf"],
        {"chosen": "a", "rejected": "b", "turns": []},
        {"chosen": "a", "rejected": None},
        {"chosen": "a"},
    ],
    ids=["transcripts", "other turns", "a null", "one side"],
)
def test_other_records_with_a_chosen_side_are_none_of_it(row: dict[str, Any]) -> None:
    assert not TRL.recognise(Sample("json", (row,), "x"))


def test_a_context_is_written_as_the_prompt(tmp_path: Path) -> None:
    q, a, b = (Turn("user", "q"),), (Turn("assistant", "a"),), (Turn("assistant", "b"),)
    write(tmp_path / "x", [Pair("p", q, a, b, gold="A")], format="trl")
    assert json.loads((tmp_path / "x").read_text())["prompt"] == [{"role": "user", "content": "q"}]


@pytest.mark.parametrize("name", ["id", "prompt_id"])
def test_an_id_goes_by_either_name(name: str, tmp_path: Path) -> None:
    (pair,) = iter_records(
        lines(tmp_path / "x.jsonl", {name: "t7", "chosen": "a", "rejected": "b"})
    )
    assert isinstance(pair, Pair)
    assert pair.id == "t7"


@pytest.mark.parametrize(
    ("side", "problem"),
    [
        ([], r"chosen: received \[\]; expected a list of messages"),
        (7, "chosen: received 7; expected text or a list of messages"),
        ([{"role": "user"}], r"chosen\[0\]\.content: is missing"),
    ],
)
def test_a_bad_side_is_named_by_its_place(side: Any, problem: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", {"prompt": "x", "chosen": side, "rejected": "b"})
    with pytest.raises(DataError, match=rf"x\.jsonl:1: {problem}"):
        list(iter_records(path, ReadOptions(format="trl")))


def test_a_conversation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="received a conversation; trl holds pairs"):
        write(tmp_path / "x", [Conversation("c", (Turn("user", "x"),))], format="trl")


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
    sample = Sample("json", ({"chosen": text, "rejected": text},), "x")
    assert HH_RLHF.recognise(sample) is expected


def test_a_speaker_inside_a_line_begins_no_turn() -> None:
    assert read_transcript("Human: Say Assistant: or\nHuman: so", "chosen") == (
        Turn("user", "Say Assistant: or\nHuman: so"),
    )


@pytest.mark.parametrize("text", ["Hello", "Well.\n\nHuman: Hi"])
def test_what_begins_with_no_speaker_is_an_error_that_names_the_side(text: str) -> None:
    with pytest.raises(DataError, match=r"chosen: received .* a transcript begins with `Human:`"):
        read_transcript(text, "chosen")


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
