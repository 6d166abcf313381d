"""Stored judgments as commands read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.cli.reading import answers_in, judgments_of, ratings_in
from assize.errors import DataError
from assize.formats import write
from assize.judgment import Judgment

MODEL = Judgment("i", "m", "Q", answer="1", kind="model")
PERSON = Judgment("i", "ann", "Q", answer="2", kind="person")


@pytest.fixture
def both(tmp_path: Path) -> str:
    write(tmp_path / "both.jsonl", [MODEL, PERSON])
    return str(tmp_path / "both.jsonl")


def test_answers_and_ratings_of_one_file_are_told_apart(
    both: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answers_in([both], on_error="fail", quiet=False).judges == ("m",)
    assert "1 ratings by people in these files are not read here" in capsys.readouterr().err
    assert ratings_in([both], on_error="fail", quiet=True).judges == ("ann",)
    assert capsys.readouterr().err == ""


def test_a_file_of_the_other_kind_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "m.jsonl", [MODEL])
    with pytest.raises(DataError, match="no judgment here is by a person"):
        ratings_in([str(tmp_path / "m.jsonl")], on_error="fail", quiet=True)


def test_guessed_scales_and_repeated_rows_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "m.jsonl", [MODEL, MODEL])
    judgments_of([str(tmp_path / "m.jsonl")], format=None, on_error="fail", quiet=False)
    said = capsys.readouterr().err
    assert "scales guessed from the answers seen: Q" in said
    assert "1 rows repeat an earlier one" in said
