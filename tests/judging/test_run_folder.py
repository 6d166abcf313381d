"""What a run's folder tells: the files that were judged, and what a cascade has selected."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conversations import pair

import assize
from assize import Cascade
from assize.formats import write
from assize.judging.run_folder import items_judged, selected_by_cascade


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    write(tmp_path / "pairs.jsonl", [pair(f"p{n}") for n in range(1, 4)])
    return tmp_path / "pairs.jsonl"


@pytest.fixture
def live(tmp_path: Path, pairs: Path) -> Path:
    """A live cascade whose second judge was asked about two of three pairs."""
    out = tmp_path / "live"
    assize.jury(str(pairs), Cascade("io > explained", "scripted:any"), out=out, quiet=True)
    return tmp_path / "live"


def test_a_live_cascade_s_folder_says_who_was_asked_about_how_many(live: Path) -> None:
    said = str(selected_by_cascade(live))
    assert "live cascade (io > explained)" in said
    assert "of 3 items that io@scripted:any has judged" in said
    assert "explained@scripted:any was asked about 2" in said
    assert str(selected_by_cascade(str(live / "judgments.jsonl"))) == said


def test_a_run_that_asked_everybody_about_everything_has_selected_nothing(
    tmp_path: Path, pairs: Path
) -> None:
    judges = ["io@scripted:any", "explained@scripted:any"]
    assize.judge(str(pairs), judges, out=tmp_path / "run", quiet=True)
    assert selected_by_cascade(tmp_path / "run") is None
    assert selected_by_cascade(tmp_path / "nowhere") is None
    assert selected_by_cascade(pairs) is None


def test_a_cascade_of_one_judge_has_selected_nothing(tmp_path: Path, pairs: Path) -> None:
    assize.jury(str(pairs), Cascade("io@scripted:any"), out=tmp_path / "one", quiet=True)
    assert selected_by_cascade(tmp_path / "one") is None


def test_a_run_names_its_files_and_they_are_read_while_they_are_the_same(
    live: Path, pairs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "assize")
    assert [one.id for one in items_judged(str(live), None)] == ["p1", "p2", "p3"]
    assert f"{live} names what was judged: {pairs}" in caplog.text
    assert [one.id for one in items_judged([str(live), str(live)], None)] == ["p1", "p2", "p3"]
    assert [one.id for one in items_judged(str(live), [pair("q")])] == ["q"]


def test_a_file_that_has_changed_since_is_not_read_and_the_log_says_so(
    live: Path, pairs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(pairs, [pair("other")])
    assert items_judged(str(live), None) == []
    assert "has changed since, or is gone" in caplog.text


def test_a_run_is_read_again_by_the_mapping_that_it_was_read_by(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"key": "c1", "said": [{"who": "human", "words": "Hi"},'
        ' {"who": "bot", "words": "Hello"}]}\n'
    )
    how = {"id": "key", "turns": "said", "role": "who", "text": "words"}
    roles = {"human": "user", "bot": "assistant"}
    out = tmp_path / "run"
    items = assize.read(str(log), map=how, roles=roles)
    assize.judge(items, "rating@scripted:any", out=out, quiet=True)
    assert [one.id for one in items_judged(str(out), None)] == ["c1"]
