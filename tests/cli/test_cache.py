"""`assize cache`."""

from __future__ import annotations

import asyncio
import json

from typer.testing import CliRunner

from assize.cli import app
from assize.models import Cache


def run(*arguments: str) -> tuple[str, str]:
    result = CliRunner().invoke(app, ["cache", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def fill(count: int) -> None:
    cache = Cache()
    for number in range(count):
        asyncio.run(cache.put(str(number).encode(), "reply"))
    cache.close()


def test_info_is_a_table_or_one_object() -> None:
    fill(3)
    shown, _ = run("info")
    assert "Caches" in shown
    caches = json.loads(run("info", "--json")[0])["caches"]
    assert [(row["cache"], row["entries"]) for row in caches] == [("answers", 3), ("encodings", 0)]


def test_clear_says_on_stderr_what_it_removed() -> None:
    fill(2)
    assert run("clear", "--unused-days", "1", "--json")[0] == (
        '{"removed": {"answers": 0, "encodings": 0}}\n'
    )
    assert run("clear", "--only", "encodings") == ("", "0 encodings removed\n")
    assert run("clear") == ("", "2 answers removed\n0 encodings removed\n")
    refused = CliRunner().invoke(app, ["cache", "clear", "--only", "all"])
    assert (refused.exit_code, "encodings" in refused.output) == (2, True)
