"""Stored judgments as commands read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.cli.reading import judgments_of
from assize.formats import write
from assize.judgment import Judgment

MODEL = Judgment("i", "m", "Q", answer="1", kind="model")


def test_guessed_scales_and_repeated_rows_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "m.jsonl", [MODEL, MODEL])
    judgments_of([str(tmp_path / "m.jsonl")], format=None, on_error="fail", quiet=False)
    said = capsys.readouterr().err
    assert "scales guessed from the answers seen: Q" in said
    assert "1 rows repeat an earlier one" in said
