"""`assize gate` as a build calls it: exit codes 0, 1 and 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.versions.two_versions import HELPFUL, two_versions
from typer.testing import CliRunner

from assize.cli import app
from assize.formats import write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for one in two_versions():
        write(tmp_path / f"{one.name}.jsonl", list(one.table), questions=[HELPFUL])
        write(tmp_path / f"{one.name}-chats.jsonl", list(one.items.values()))
    return tmp_path


def run(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_passing_is_0_and_failing_1(folder: Path) -> None:
    new, old = folder / "new.jsonl", folder / "old.jsonl"
    run(
        "gate",
        new,
        "--fail-under",
        "helpful=2",
        "--baseline",
        old,
        "--pairing",
        "id",
        "--max-drop",
        "helpful=0.1",
    )
    failed = run("gate", new, "--fail-under", "helpful.share>=4=0.99", code=1)
    assert "the gate failed 1 of 2 checks" in failed.output
    said = json.loads(run("gate", new, "--fail-under", "helpful=2", "--json").stdout)
    assert said["passed"] is True


def test_wrong_use_is_2(folder: Path) -> None:
    result = run("gate", folder / "new.jsonl", "--max-drop", "helpful=0.1", code=1)
    assert "give baseline (--baseline FILE)" in repr(result.exception)


def test_the_page_has_the_checks(folder: Path) -> None:
    pytest.importorskip("vl_convert")
    page = folder / "gate.html"
    run("gate", folder / "new.jsonl", "--fail-under", "helpful=2", "--report", page)
    assert "helpful mean &gt;= 2" in page.read_text()
