"""`assize compare` as users call it."""

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
def files(tmp_path: Path) -> list[str]:
    given = []
    for one in two_versions():
        write(tmp_path / f"{one.name}.jsonl", list(one.table), questions=[HELPFUL])
        write(tmp_path / f"{one.name}-chats.jsonl", list(one.items.values()))
        given += [f"{one.name}={tmp_path}/{one.name}{more}.jsonl" for more in ("", "-chats")]
    return given


def run(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_tables_and_pairing_are_shown(files: list[str]) -> None:
    shown = run("compare", *files, "--by", "metadata.lang", "--detect", "0.1").output
    assert "90 pairs, paired by id (their prompts agree)" in shown
    assert "Segments are values of metadata.lang" in shown
    assert "Those that fell furthest, by helpful" in shown


def test_json_is_one_object(files: list[str]) -> None:
    said = json.loads(run("compare", *files, "--json", "--permutations", 499).stdout)
    assert said["differences"][0]["verdict"] == "better"


def test_the_page_shows_both_sides(files: list[str], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = tmp_path / "compare.html"
    run("compare", *files, "--report", page)
    assert "old says" in page.read_text()


def test_time_has_its_own_tables(files: list[str]) -> None:
    shown = run(
        "compare", *files, "--over", "metadata.started", "--every", "month", "--permutations", 199
    ).output
    assert "every=month" in shown
