"""Scores of a stream with their summary and table in one pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assize import read_judgments
from assize.base.errors import DataError
from assize.scoring import summarise_scores

CHATS: list[dict[str, Any]] = [
    {
        "id": name,
        "messages": [{"role": "user", "content": "Where?"}, {"role": "assistant", "content": text}],
    }
    for name, text in (("kind", "Left at the church."), ("<b>odd</b>", "<script>no</script>"))
]


def test_a_stream_becomes_numbers_and_a_table(tmp_path: Path) -> None:
    out = tmp_path / "scores.jsonl"
    found = summarise_scores(iter(CHATS), out=out, quiet=True)
    assert (found.items, found.missing) == (2, (0, 2))
    assert len(read_judgments([out]).items) == 2
    assert found.to_json()["questions"]["overall"]["mean"]["n"] == 2


def test_nothing_to_score_leaves_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "scores.jsonl"
    out.write_text("earlier")
    with pytest.raises(DataError, match="items"):
        summarise_scores([], out=out, quiet=True)
    assert out.read_text() == "earlier"
