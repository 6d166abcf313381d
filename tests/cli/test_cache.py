"""`assize cache`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from typer.testing import CliRunner

from assize.cli import app
from assize.models import Cache


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def fill(count: int) -> Path:
    cache = Cache()
    for number in range(count):
        asyncio.run(cache.put(str(number).encode(), "reply"))
    cache.close()
    return cache.path


def test_info_says_where_and_how_much() -> None:
    path = fill(3)
    value = json.loads(run("cache", "info", "--json"))
    assert (value["entries"], value["path"]) == (3, str(path))
    assert value["bytes"] > 0
    assert "3" in run("cache", "info")


def test_clear_removes_all_or_only_what_was_not_used_for_long() -> None:
    fill(2)
    assert json.loads(run("cache", "clear", "--unused-days", "1", "--json")) == {"removed": 0}
    run("cache", "clear")
    assert json.loads(run("cache", "info", "--json"))["entries"] == 0
