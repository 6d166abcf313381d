"""A process that is killed in mid-answer loses nothing that was written before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assize.web._collect.talking import Collecting
from assize.web._storage import Store
from assize.web._tasks.definition import Task

ANN = 1
TALK = """
import asyncio, sys, time
from pathlib import Path
from assize.models import Scripted
from assize.web._collect import Collecting
from assize.web._storage import open_store
from assize.web._tasks.definition import read_task

async def slow(self, request):
    yield "Half an ans"
    await asyncio.sleep(600)

async def talk(folder):
    task = read_task(folder / "tasks" / "help.yaml", folder)
    collecting = Collecting(open_store(f"sqlite:///{folder / 'assize.db'}"), time.time)
    chat = await collecting.begin(task, 1)
    Scripted.stream = slow
    exchange = await collecting.say(task, chat, "Will this be kept?")
    async for heard in exchange.follow():
        print(chat.id, flush=True)

asyncio.run(talk(Path(sys.argv[1])))
"""


@pytest.mark.anyio
async def test_the_message_is_kept_and_its_answer_can_be_asked_for_again(
    store: Store, task: Task, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", TALK, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        id = process.stdout.readline().strip()  # a piece of the answer has arrived
        os.kill(process.pid, signal.SIGKILL)
    collecting = Collecting(store, lambda: 9.0)
    broken: Any = await collecting.chat(task, id, ANN)
    assert [one.text for one in broken.messages] == ["Will this be kept?", ""]
    assert [one.state for one in broken.messages] == ["whole", "interrupted"]
    exchange: Any = await collecting.again(task, broken)
    assert [heard.ended async for heard in exchange.follow()][-1] == "whole"
    mended: Any = await collecting.chat(task, id, ANN)
    assert [one.state for one in mended.messages] == ["whole", "whole"]
    await collecting.aclose()
