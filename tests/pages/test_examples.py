"""The examples are what their README says."""

from __future__ import annotations

import importlib.util
import runpy
import sys
from collections import Counter
from pathlib import Path

import pytest

from assize.base.conversation import Conversation, Pair
from assize.formats import read

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_conversations_are_about_thirty_of_every_kind() -> None:
    found = [one for one in read(EXAMPLES / "conversations.jsonl") if isinstance(one, Conversation)]
    assert len(found) == len({one.id for one in found}) == 34
    kinds = Counter(one.metadata["kind"] for one in found)
    assert set(kinds) == {"good", "bad", "mixed"}
    assert min(kinds.values()) >= 8
    assert all(one.metadata["about"] for one in found)
    assert max(len(one.turns) for one in found) == 48
    assert {turn.role for one in found for turn in one.turns} >= {"user", "assistant", "tool"}
    assert any(turn.references for one in found for turn in one.turns)


def test_the_pairs_are_eight_and_seven_have_a_gold_label() -> None:
    found = [one for one in read(EXAMPLES / "pairs.jsonl") if isinstance(one, Pair)]
    assert len(found) == 8
    assert sum(one.gold is not None for one in found) == 7
    assert any(not one.context and one.shared_user for one in found)


def test_no_file_holds_raw_characters_that_turn_text_around() -> None:
    for path in EXAMPLES.iterdir():
        if path.is_file():
            assert not set(path.read_text()) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")


@pytest.mark.skipif(
    importlib.util.find_spec("onnxruntime") is None, reason="needs the extra `score`"
)
def test_the_script_prints_the_lowest_and_writes_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script, page = str(EXAMPLES / "score_conversations.py"), tmp_path / "page.html"
    monkeypatch.setattr(sys, "argv", [script, "--report", str(page)])
    runpy.run_path(script, run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    scores = [float(line.split()[0]) for line in lines[:5]]
    assert scores == sorted(scores)
    assert any("user-only: no_assistant" in line for line in lines[5:])
    assert all(line.split()[0] == "–" for line in lines[5:])  # the unscored ones, each with why
    assert "Lowest conversations first" in page.read_text()
