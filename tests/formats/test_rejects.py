"""Records that could not be read, in a file of their own."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from tests.formats.conftest import line

from assize.errors import ConfigError
from assize.formats import Reject, read
from assize.formats.rejects import Rejects, on_error

BAD = Reject("x.jsonl", 2, "turns[0].role", "received 'wizard'", '{"id": "é"}')


def test_rejects_make_a_file_only_when_there_are_some(tmp_path: Path) -> None:
    with Rejects(tmp_path / "r.jsonl"):
        pass
    assert not (tmp_path / "r.jsonl").exists()


def test_a_line_says_where_the_record_stood_what_was_wrong_and_how_it_began(tmp_path: Path) -> None:
    with Rejects(tmp_path / "r.jsonl") as rejects:
        rejects(BAD)
    assert json.loads((tmp_path / "r.jsonl").read_text()) == {
        "source": "x.jsonl",
        "line": 2,
        "field": "turns[0].role",
        "problem": "received 'wizard'",
        "raw": '{"id": "é"}',
    }


def test_rejects_are_counted_and_stand_one_a_line(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("\n".join([line("a"), '{"half', line("b"), "{}", "[1]"]))
    with Rejects(tmp_path / "r.jsonl") as rejects:
        assert len(list(read(tmp_path / "x", on_reject=rejects))) == 2
    assert rejects.count == 3
    kept = [json.loads(one) for one in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert [one["line"] for one in kept] == [2, 4, 5]


def test_rejects_are_kept_when_the_work_they_come_from_fails(tmp_path: Path) -> None:
    with suppress(RuntimeError), Rejects(tmp_path / "r.jsonl") as rejects:
        rejects(BAD)
        raise RuntimeError("later")
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 1


def test_only_skip_keeps_rejects(tmp_path: Path) -> None:
    rejects = Rejects(tmp_path / "r.jsonl")
    assert on_error("skip", rejects) is rejects
    assert on_error("fail", rejects) is None


def test_another_word_for_on_error_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="on_error is 'ask'; give fail or skip"):
        on_error("ask", Rejects(tmp_path / "r.jsonl"))
