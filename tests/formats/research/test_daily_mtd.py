from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.conftest import records_as, turn_texts

from assize.base.conversation import Pair, Turn
from assize.base.errors import DataError
from assize.formats.format import Options
from assize.formats.reading import iter_records
from assize.formats.research.daily_mtd import RATINGS, read_blocks, read_daily
from assize.formats.rows import Row
from assize.judging.judges.rating import RATING, RATING_DIMENSIONS


def table(path: Path, *rows: dict[str, Any]) -> Path:
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


DAILY = """\
"role": "Human",
"text": "Say "hi", twice.

Now."

"role": "Assistant",
"A": "Hi, "hi".",
"B": "No."
"""
SINGLE = """\
"role": "Human",
"text": "Say "hi"."

"role": "Assistant",
"text": "Hi, "hi"."
"""
DIMENSIONS = (
    "Accuracy",
    "Logicality",
    "Fluency",
    "Relevance",
    "Personalization",
    "Creativity",
    "Interactivity",
    "Emotionality",
    "Knowledge",
    "Safety",
)


def pair(*texts: str, gold: Any, id: str = "daily-mtd-3") -> Pair:
    user = Turn("user", texts[0])
    sides = [(user, Turn("assistant", text)) for text in texts[1:]]
    return Pair(id, (), sides[0], sides[1], shared_user=True, gold=gold)


def test_quotes_and_blank_lines_inside_a_turn_belong_to_it() -> None:
    assert read_blocks(DAILY) == [
        {"role": "user", "text": 'Say "hi", twice.\n\nNow.'},
        {"role": "assistant", "A": 'Hi, "hi".', "B": "No."},
    ]


@pytest.mark.parametrize(
    "text",
    ["", "hello", '"role": "Human",\n"A": "x"', '"role": "Assistant",\n"A": "x"', "x\n" + DAILY],
)
def test_a_conversation_that_is_not_made_of_blocks_is_an_error(text: str) -> None:
    with pytest.raises(DataError, match="conversation: "):
        read_blocks(text)


text = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r\x00\x85\u2028\u2029"),
    min_size=1,
).filter(lambda one: '"role"' not in one and '"B"' not in one)


@given(text, text, text, st.sampled_from([("Fair", {"Overall": "tie"}), ("", None)]))
def test_any_text_survives(first: str, second: str, third: str, label: tuple[str, Any]) -> None:
    original = pair(first, second, third, gold=label[1])
    said = f'"role": "Human",\n"text": "{first}"\n\n"role": "Assistant",\n'
    said += f'"A": "{second}",\n"B": "{third}"'
    row = {"dialog_id": 3, "conversation": said, "Overall": label[0]}
    (again,) = read_daily(Row(row, "x.csv", 2), Options())
    assert again == original


def test_ten_dimensions_are_gold_under_the_names_of_the_paper(tmp_path: Path) -> None:
    labels = dict.fromkeys(DIMENSIONS, "A") | {"Fluency": "B", "Knowledge": "Fair"}
    path = table(tmp_path / "d.csv", {"dialog_id": 7, "conversation": DAILY, **labels})
    (one,) = records_as("daily-mtd-dim", path)
    assert (one.id, one.metadata, len(one.gold)) == ("daily-mtd-7", {}, 10)
    assert (one.gold["Conversationality"], one.gold["Informativeness"]) == ("B", "tie")


def test_a_rated_dialogue_has_the_released_mean_as_gold(tmp_path: Path) -> None:
    rows = [{"dialog_id": n, "conversation": SINGLE, "score": s} for n, s in ((8, 5.8), (9, None))]
    first, gold, second, missing = records_as("daily-mtd-single", table(tmp_path / "s.csv", *rows))
    assert turn_texts(first) == ['Say "hi".', 'Hi, "hi".']
    assert first.metadata == {"pair": "daily-mtd-4", "side": "A"}
    assert second.metadata == {"pair": "daily-mtd-4", "side": "B"}
    assert (gold.item, gold.judge, gold.question, gold.score) == (first.id, "gold", "rating", 5.8)
    assert missing.unscored is not None


def test_experts_are_people_and_gold_is_their_mean(tmp_path: Path) -> None:
    # (4 + 6 + 8) / 3 = 6; the fourth did not rate
    row = {
        "dialog_id": "x",
        "conversation": SINGLE,
        "expert1": 4,
        "expert_2": 6,
        "Expert 3": "8.0",
        "rater4": "",
        "Safety": 9,
        "source": "web",
    }
    chat, *rows = records_as("daily-mtd-single", table(tmp_path / "s.csv", row))
    assert chat.metadata == {"source": "web"}
    assert [(one.judge, one.question, one.score) for one in rows] == [
        ("expert1", "rating", 4),
        ("expert_2", "rating", 6),
        ("Expert 3", "rating", 8),
        ("gold", "rating", 6),
        ("gold", "rating:Safety", 9),
    ]


def test_its_scale_is_that_of_the_judges_that_rate() -> None:
    asked = {one.id: one.scale for one in (*RATING.questions, *RATING_DIMENSIONS.questions)}
    assert {one.id: one.scale for one in RATINGS} == asked


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"conversation": DAILY, "Overall": "C"}, "Overall: received 'C'; allowed are A, B"),
        ({"conversation": DAILY, "Overall": "A", "Knowledge": "3"}, "Knowledge: received '3'"),
        ({"conversation": SINGLE, "score": "11"}, "score: received '11'; allowed is 1 to 10"),
        ({"conversation": SINGLE, "score": "nan"}, "score: received 'nan'"),
        ({"conversation": SINGLE, "score": "good"}, "score: received 'good'"),
    ],
)
def test_a_label_that_is_none_is_an_error(row: Any, problem: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=problem):
        list(iter_records(table(tmp_path / "d.csv", {"dialog_id": 1, **row})))
