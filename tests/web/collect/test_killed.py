"""A process that is killed in mid-answer loses nothing that was written before."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.web.collect.conftest import SYSTEMS, make_project

from assize.web._collect.talking import Collecting
from assize.web._storage import Store
from assize.web._storage.chats import Chat

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
    collecting = Collecting(open_store(f"sqlite:///{folder / 'web.db'}"), time.time)
    chat = await collecting.begin(task, 1)
    Scripted.stream = slow
    exchange = await collecting.say(task, chat, "Will this be kept?")
    async for heard in exchange.follow():
        print(chat.id, flush=True)

asyncio.run(talk(Path(sys.argv[1])))
"""


def test_the_message_is_kept_and_its_answer_can_be_asked_for_again(
    store: Store, tmp_path: Path
) -> None:
    task = make_project(tmp_path, SYSTEMS)
    command = [sys.executable, "-c", TALK, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        id = process.stdout.readline().strip()  # a piece of the answer has arrived
        os.kill(process.pid, signal.SIGKILL)

    async def later() -> tuple[Chat | None, Chat | None]:
        collecting = Collecting(store, lambda: 9.0)
        broken = await collecting.chat(task, id, ANN)
        assert broken is not None
        exchange = await collecting.again(task, broken)
        assert exchange is not None
        _ = [heard async for heard in exchange.follow()]
        mended = await collecting.chat(task, id, ANN)
        await collecting.aclose()
        return broken, mended

    broken, mended = asyncio.run(later())
    assert broken is not None
    assert mended is not None
    assert [one.text for one in broken.messages] == ["Will this be kept?", ""]
    assert [one.state for one in broken.messages] == ["whole", "interrupted"]
    assert [one.state for one in mended.messages] == ["whole", "whole"]
