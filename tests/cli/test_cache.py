"""`assize cache`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from letters import Letters
from typer.testing import CliRunner

from assize.cli import app
from assize.encoders import CachedEncoder
from assize.models import Cache


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def fill(count: int) -> Path:
    """So many answers, and one encoding more."""
    cache = Cache()
    for number in range(count):
        asyncio.run(cache.put(str(number).encode(), "reply"))
    cache.close()
    CachedEncoder(Letters()).encode([str(number) for number in range(count + 1)])
    return cache.path


def entries() -> tuple[int, int]:
    value = json.loads(run("cache", "info", "--json"))
    return value["entries"], value["encodings"]["entries"]


def test_info_says_where_and_how_much() -> None:
    path = fill(3)
    value = json.loads(run("cache", "info", "--json"))
    assert (value["entries"], value["path"]) == (3, str(path))
    assert value["encodings"]["entries"] == 4
    assert value["encodings"]["path"] == str(path.parent / "encodings.sqlite")
    assert min(value["bytes"], value["encodings"]["bytes"]) > 0
    shown = run("cache", "info")
    assert "3" in shown
    assert "Cache of encodings" in shown


def test_clear_removes_all_or_only_what_was_not_used_for_long() -> None:
    fill(2)
    removed = json.loads(run("cache", "clear", "--unused-days", "1", "--json"))
    assert removed == {"removed": 0, "encodings": {"removed": 0}}
    run("cache", "clear")
    assert entries() == (0, 0)


def test_answers_that_were_paid_for_can_stay_when_encodings_go() -> None:
    fill(2)
    removed = json.loads(run("cache", "clear", "--only", "encodings", "--json"))
    assert removed == {"removed": 0, "encodings": {"removed": 3}}
    assert entries() == (2, 0)
    result = CliRunner().invoke(app, ["cache", "clear", "--only", "all"])
    assert "allowed are answers and encodings" in str(result.exception)
