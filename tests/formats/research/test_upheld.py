from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.conversation import Continuation
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.formats import Reject, parse, read, read_judgments, to_json
from assize.formats.converting import convert
from assize.formats.questions import read_questions
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records, recognise
from assize.formats.research.upheld import columns_of, conversations
from assize.formats.rows import open_rows

HEADER = ("chat_history", "Option A", "Option B", "Content", "Style", "Reasonableness")
SHORT = "Human: Hi\nAI: Hello, how can I help?"
LONG = f"{SHORT}\nHuman: A poem.\nAI: About what?"
OTHER = "Human: Good day\nAI: Good day."


def table(path: Path, *rows: tuple[str, ...], header: tuple[str, ...] = HEADER) -> Path:
    with open(path, "w", newline="") as stream:
        csv.writer(stream).writerows((header, *rows))
    return path


def split(path: Path, **options: str) -> tuple[list[Continuation], list[Judgment]]:
    found = list(iter_records(path, ReadOptions(values=options)))
    assert all(parse(to_json(one)) == one for one in found)
    return (
        [one for one in found if isinstance(one, Continuation)],
        [one for one in found if isinstance(one, Judgment)],
    )


def row(
    history: str = SHORT, a: str = "A poem.", b: str = "Write!", *scores: str
) -> tuple[str, ...]:
    return (history, a, b, *(scores or ("3: Neutral - some overlap", "2", "5.0")))


def test_a_row_is_a_continuation_and_three_ratings_by_the_file_s_person(tmp_path: Path) -> None:
    (item,), ratings = split(table(tmp_path / "ann.csv", row()))
    assert (item.references, item.candidate, item.turn) == (("A poem.",), "Write!", 2)
    assert [(turn.role, turn.text) for turn in item.context] == [
        ("user", "Hi"),
        ("assistant", "Hello, how can I help?"),
    ]
    assert {one.question: one.answer for one in ratings} == {
        "content": "3",
        "style": "2",
        "reasonableness": "5",
    }
    assert ratings[0].details == {"label": "Neutral - some overlap"}
    assert {(one.judge, one.kind, one.item) for one in ratings} == {("ann", "person", item.id)}


def test_the_words_of_a_score_become_labels_of_its_question(tmp_path: Path) -> None:
    path = table(tmp_path / "ann.csv", row(), row(OTHER, "a", "b", "1: None", "2", "5: Fully"))
    questions = read_judgments([path]).questions
    assert questions["content"].labels == {"1": "None", "3": "Neutral - some overlap"}
    assert questions["reasonableness"].labels == {"5": "Fully"}
    assert questions["style"].labels == {}
    done = convert(read([path]), tmp_path / "out.jsonl")
    assert done.questions is not None
    written = {one.id: one for one in read_questions(done.questions)}
    assert written == questions


def test_the_file_is_recognised_whatever_the_spelling_of_its_columns(tmp_path: Path) -> None:
    for number, last in enumerate(
        (
            "Reasonability",
            "reasonableness score",
            "RESONABLENESS",
            "Reasonabilty (1-5)",
            "reason_able",
        )
    ):
        header = ("Chat History", "option_a", "OPTION B", "content_score", "Style ", last)
        path = table(tmp_path / f"{number}.csv", row(), header=header)
        with open_rows(path) as (sample, _):
            assert recognise(sample).name == "upheld"
        _, ratings = split(path)
        assert [one.question for one in ratings] == ["content", "style", "reasonableness"]


def test_a_table_without_a_score_is_something_else() -> None:
    found = columns_of(["chat_history", "Option A", "Option B", "Content", "Style", "Seasoning"])
    assert "reasonableness" not in found


def test_a_conversation_is_inferred_in_any_order_of_the_rows(tmp_path: Path) -> None:
    rows = [row(LONG, "Rain.", "x"), row(OTHER, "y", "z"), row(SHORT, "A poem.", "w")]
    forward, _ = split(table(tmp_path / "f.csv", *rows))
    backward, _ = split(table(tmp_path / "b.csv", *reversed(rows)))
    long, other, short = forward
    assert long.conversation == short.conversation != other.conversation
    assert {one.id: one.conversation for one in forward} == {
        one.id: one.conversation for one in backward
    }
    assert [one.turn for one in forward] == [4, 2, 2]


def test_histories_may_be_json_messages_too(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello, how can I help?"},
    ]
    rows = [row(json.dumps(messages)), row(LONG, "Rain.", "x")]
    (listed, spelt), _ = split(table(tmp_path / "x.csv", *rows))
    assert listed.context == spelt.context[:2]
    assert listed.conversation == spelt.conversation


def test_an_empty_history_joins_no_other_conversation(tmp_path: Path) -> None:
    (start, other), _ = split(table(tmp_path / "x.csv", row("", "Hi", "Hey"), row()))
    assert (start.turn, start.context) == (0, ())
    assert start.conversation != other.conversation


def test_several_people_rate_the_same_items(tmp_path: Path) -> None:
    (first,), _ = split(table(tmp_path / "ann.csv", row()))
    (_, second), ratings = split(table(tmp_path / "bob.csv", row(OTHER), row()))
    assert first == second
    assert [one.item for one in ratings[3:]] == [first.id] * 3


def test_the_annotator_may_stand_in_a_column(tmp_path: Path) -> None:
    header = (*HEADER, "who", "batch")
    rows = [(*row(), "ann", "1"), (*row(), "bob", "1")]
    path = table(tmp_path / "all.csv", *rows, header=header)
    items, ratings = split(path, rater_column="who")
    assert {(one.judge, one.repeat) for one in ratings} == {("ann", 0), ("bob", 0)}
    assert len(items) == 1
    assert items[0].metadata == {"batch": "1"}


def test_a_column_called_annotator_names_the_annotator_by_itself(tmp_path: Path) -> None:
    header = (*HEADER, "Annotator ID", "model")
    rows = [(*row(), "ann", "gpt4"), (*row(), "bob", "gpt4")]
    (item,), ratings = split(table(tmp_path / "all.csv", *rows, header=header))
    assert [one.judge for one in ratings[::3]] == ["ann", "bob"]
    assert (item.source, item.metadata) == ("gpt4", {})


def test_rows_with_the_same_texts_may_be_several_people_s_whom_nothing_names(
    tmp_path: Path,
) -> None:
    rows = [row(), row(SHORT, "A poem.", "Write!", "1", "1", "1"), row(OTHER, "y", "z")]
    items, ratings = split(table(tmp_path / "all.csv", *rows), repeats="raters")
    assert len(items) == 2
    judged = [(one.judge, one.repeat, one.anonymous) for one in ratings[::3]]
    assert judged == [("rater-1", 0, True), ("rater-2", 0, True), ("rater-1", 0, True)]


def test_cells_as_the_paper_prints_them_are_read(tmp_path: Path) -> None:
    history = (
        "<p>user: I failed a math exam &amp; need help.</p> <p>assistant: Sure.</p>"
        " <p>user: Janet starts with five dollars.</p>"
    )
    cells = row(
        history,
        "She has two.",
        "<p>Two.</p> <ol><li>5 - 3</li></ol>",
        "2: Disagree - very little overlap of content",
        "1: Different styles",
        "5: A reasonable continuation",
    )
    (item,), ratings = split(table(tmp_path / "x.csv", cells))
    assert [turn.role for turn in item.context] == ["user", "assistant", "user"]
    assert item.context[0].text == "I failed a math exam & need help."
    assert item.candidate == "Two.\n\n5 - 3"
    assert [one.answer for one in ratings] == ["2", "1", "5"]


def test_the_same_person_s_second_look_is_a_repeat(tmp_path: Path) -> None:
    items, ratings = split(
        table(tmp_path / "ann.csv", row(), row(SHORT, "A poem.", "Write!", "1", "1", "1"))
    )
    assert len(items) == 1
    assert [one.repeat for one in ratings] == [0, 0, 0, 1, 1, 1]


def test_columns_for_source_and_conversation_are_used(tmp_path: Path) -> None:
    header = (*HEADER, "Source", "conversation_id")
    (item,), _ = split(table(tmp_path / "x.csv", (*row(), "gpt-4o", "c9"), header=header))
    assert (item.source, item.conversation) == ("gpt-4o", "c9")


def test_the_name_of_a_compressed_file_is_the_person_s_too(tmp_path: Path) -> None:
    plain = table(tmp_path / "ann.csv", row())
    packed = tmp_path / "zoe.csv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    _, ratings = split(packed)
    assert {one.judge for one in ratings} == {"zoe"}


def test_an_empty_score_is_unscored(tmp_path: Path) -> None:
    _, ratings = split(table(tmp_path / "x.csv", row(SHORT, "a", "b", "", "2", "3")))
    assert [one.unscored is not None for one in ratings] == [True, False, False]


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        (row(SHORT, "a", "b", "6", "2", "3"), "Content: answer '6' is outside 1..5"),
        (row(SHORT, "a", "b", "good", "2", "3"), "Content: answer 'good' is outside 1..5"),
        (row(SHORT, "", "b"), "Option A: is empty"),
        (row("Hi there", "a", "b"), "chat_history: received 'Hi there'; expected a JSON list"),
    ],
)
def test_a_bad_row_is_an_error_with_its_column(
    cells: tuple[str, ...], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError) as caught:
        split(table(tmp_path / "x.csv", cells))
    assert problem in str(caught.value)


@pytest.mark.parametrize("options", [{"rater_column": "nobody"}, {"repeats": "x"}])
def test_an_option_that_fits_nothing_is_refused(options: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        split(table(tmp_path / "x.csv", row()), **options)


def test_a_row_that_is_no_object_is_an_error_of_its_own(tmp_path: Path) -> None:
    good = dict(zip(HEADER, row(), strict=True))
    path = tmp_path / "x.jsonl"
    path.write_text(f"{json.dumps(good)}\n[1]\n{json.dumps({**good, 'Option A': None})}\n")
    rejects: list[Reject] = []
    found = list(iter_records(path, on_reject=rejects.append))
    assert len(found) == 4
    assert [(one.line, one.field) for one in rejects] == [(2, None), (3, "Option A")]


def test_a_row_without_a_rater_is_an_error(tmp_path: Path) -> None:
    path = table(tmp_path / "x.csv", (*row(), " "), header=(*HEADER, "who"))
    with pytest.raises(DataError, match="who: is empty"):
        split(path, rater_column="who")


def test_columns_are_compared_once_and_only_where_they_can_be_alike() -> None:
    names = [*HEADER, *(f"column {n}" for n in range(50_000)), "x" * 1_000_000]
    for _ in range(20):
        assert set(columns_of(names)) == set(columns_of(HEADER))


def test_a_score_with_many_blanks_is_read_in_one_pass(tmp_path: Path) -> None:
    blanks = " " * 100_000
    path = table(tmp_path / "x.csv", row(SHORT, "a", "b", f"3: a{blanks}b{blanks}", "1", "2"))
    _, rows = split(path)
    assert rows[0].details == {"label": f"a{blanks}b"}


turn = st.tuples(st.sampled_from(["user", "assistant"]), st.sampled_from(["a", "b"]))
histories = st.lists(st.lists(turn, max_size=5), max_size=12)


def joined(table: list[list[tuple[str, str]]]) -> list[int]:
    """Group numbers by the definition: the closure of "one is a prefix of the other"."""
    group = list(range(len(table)))
    for one, first in enumerate(table):
        for two, second in enumerate(table):
            short, long = sorted((first, second), key=len)
            if first == second or (short and long[: len(short)] == short):
                old, new = group[two], group[one]
                group = [new if number == old else number for number in group]
    return group


@given(histories)
def test_groups_are_those_of_the_definition(table: list[list[tuple[str, str]]]) -> None:
    found, expected = conversations(table, "x"), joined(table)
    for one in range(len(table)):
        for two in range(len(table)):
            assert (found[one] == found[two]) == (expected[one] == expected[two])


@given(st.data(), histories)
def test_ids_do_not_depend_on_the_order_of_the_rows(
    data: st.DataObject, table: list[list[tuple[str, str]]]
) -> None:
    order = data.draw(st.permutations(range(len(table))))
    found = conversations(table, "x")
    again = conversations([table[place] for place in order], "x")
    assert [found[place] for place in order] == again


def test_turns_that_only_open_alike_stay_apart() -> None:
    table = [[("user", "Hi"), ("assistant", one)] for one in ("a", "b")]
    assert len(set(conversations(table, "x"))) == 2
    assert len(set(conversations([*table, [("user", "Hi")]], "x"))) == 1


def test_where_a_turn_ends_matters() -> None:
    assert len(set(conversations([[("user", "ab")], [("user", "a"), ("user", "b")]], "x"))) == 2
