"""Votes on a pair that stand in its record."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.conftest import lines

import assize
from assize.base.errors import ConfigError, DataError
from assize.formats import read


def test_votes_of_people_and_models_stand_beside_the_pair(tmp_path: Path) -> None:
    row = {"x": "Hey", "y": "Yo", "votes": {"ann": "y", "ben": "same"}, "gpt": "x", "blank": None}
    path = lines(tmp_path / "log.jsonl", {"id": "p", **row}, {"id": "q", "x": "1", "y": "2"})
    map = "a=x,b=y,rater.*=votes,rater.eve=blank,judge.gpt=gpt"
    table = assize.read_judgments(path, map=map)
    assert [(row.judge, row.kind, row.answer) for row in table] == [
        ("ann", "person", "B"),
        ("ben", "person", "tie"),
        ("eve", "person", None),
        ("gpt", "model", "A"),
    ]
    assert table.questions["preference"].kind == "preference"
    assert [pair.metadata for pair in read(path, map=map)] == [{}, {}]


@pytest.mark.parametrize(
    ("map", "words"),
    [
        ("a=x,b=y,rater.ann=x", "log.jsonl:1: x: received 'Hey'; say what it means, as gold:Hey=A"),
        ("a=x,b=y,judge.*=x", "log.jsonl:1: x: received 'Hey'; expected an object of votes"),
        ("user=x,assistant=y,rater.ann=x", "votes between the sides of a pair"),
        ("rater.ann=x", "map: it does not say where the messages stand"),
    ],
)
def test_votes_that_cannot_be_read_are_refused(map: str, words: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "log.jsonl", {"x": "Hey", "y": "Yo"})
    with pytest.raises((DataError, ConfigError), match=words):
        list(read(path, map=map))
