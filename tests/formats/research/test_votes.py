from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.conversation import Pair
from assize.errors import DataError
from assize.formats import parse, read, to_json
from assize.formats.reading import read_judgments
from assize.judgment import Judgment

ROW: dict[str, Any] = {
    "id": "p1",
    "prompt_turns": [{"role": "user", "text": "Two plus two?"}],
    "a": [{"role": "assistant", "text": "Four."}],
    "b": [{"role": "assistant", "text": "Five."}],
    "label": "A",
    "judge": "human:majority3",
    "subset": "sums",
}


def written(tmp_path: Path, **more: Any) -> Path:
    path = tmp_path / "votes.jsonl"
    path.write_text(json.dumps(ROW | more) + "\n")
    return path


def votes(path: Path) -> list[Judgment]:
    return [one for one in read(path) if isinstance(one, Judgment)]


def test_the_label_is_gold_and_the_rest_is_metadata(tmp_path: Path) -> None:
    (paired,) = read(written(tmp_path))
    assert isinstance(paired, Pair)
    assert paired.gold == "A"
    assert paired.metadata == {"subset": "sums", "gold_by": "human:majority3"}
    assert parse(to_json(paired)) == paired


def test_gold_is_read_as_a_judgment_among_the_votes(tmp_path: Path) -> None:
    path = written(tmp_path, votes=[{"judge": "m", "label": "B"}])
    table = read_judgments([path])
    assert {row.judge: row.answer for row in table} == {"gold": "A", "m": "B"}
    assert table.inferred == frozenset()


def test_a_vote_names_its_mode_and_the_order_in_which_it_was_cast(tmp_path: Path) -> None:
    cast = [
        {"judge": "m", "mode": "CoT", "shown_first": "A", "label": "B"},
        {"judge": "m", "mode": "CoT", "shown_first": "B", "label": "Fair"},
    ]
    rows = votes(written(tmp_path, votes=cast))
    assert [(row.judge, row.order, row.answer) for row in rows] == [
        ("m/CoT", "AB", "B"),
        ("m/CoT", "BA", "tie"),
    ]


def test_a_judge_that_votes_again_gets_a_repeat(tmp_path: Path) -> None:
    rows = votes(written(tmp_path, votes=[{"judge": "m", "label": "A"}] * 3))
    assert [row.repeat for row in rows] == [0, 1, 2]


def test_people_s_votes_are_anonymous(tmp_path: Path) -> None:
    (row,) = votes(written(tmp_path, human_votes=[{"judge": "annotator1", "label": "A"}]))
    assert (row.kind, row.anonymous) == ("person", True)


@pytest.mark.parametrize(("label", "reason"), [(None, "missing"), ("C", "parse"), (3, "parse")])
def test_a_vote_without_a_readable_label_is_unscored(
    label: Any, reason: str, tmp_path: Path
) -> None:
    (row,) = votes(written(tmp_path, votes=[{"judge": "m", "label": label}]))
    assert row.unscored is not None
    assert row.unscored.reason == reason


def test_a_pair_without_a_label_has_no_gold(tmp_path: Path) -> None:
    (paired,) = read(written(tmp_path, label=None))
    assert isinstance(paired, Pair)
    assert paired.gold is None


def test_a_response_that_became_a_truth_value_is_the_word_it_was(tmp_path: Path) -> None:
    (paired,) = read(written(tmp_path, a=[{"role": "assistant", "text": True}]))
    assert isinstance(paired, Pair)
    assert paired.a[0].text == "True"


def test_a_response_without_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\[0\].text"):
        list(read(written(tmp_path, a=[{"role": "assistant", "text": None}])))
