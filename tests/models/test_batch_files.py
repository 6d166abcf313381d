from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from tests.base.loops import in_loop

from assize.models.batch_files import for_files, read_results
from assize.models.batch_model import Result
from assize.models.openai_connection import connect


def result(row: Any) -> Result:
    return Result(row["custom_id"], row["body"])


async def file() -> AsyncIterator[bytes]:
    yield b'{"custom_id": "a", "body": {}}\n{"custom_id": 7, "body": {}}\n[[[\n"x"\n{"body": {}}\n'
    yield b'\n{"custom_id": "b", "body": {}}'


def test_a_row_that_cannot_be_read_costs_no_other() -> None:
    found = asyncio.run(read_results(file(), result))
    assert [one.key for one in found] == ["a", "b"]


def test_a_file_may_take_longer_than_a_call_and_not_shorter() -> None:
    @in_loop
    async def seconds(timeout: float) -> Any:
        async with (
            connect("http://127.0.0.1:9/v1", timeout=timeout).sdk as client,
            for_files(client) as files,
        ):
            return files.timeout

    assert seconds(5) == 600
    assert seconds(5000) == 5000
