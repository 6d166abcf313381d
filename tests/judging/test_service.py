"""Judging inside somebody's service: its signals stay its own."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from chat_server import ChatServer

SERVICE = """
import assize, uvicorn
from fastapi import FastAPI

app = FastAPI()
TURNS = [{{"role": "assistant", "text": "Hello"}}]

@app.get("/{{number}}")
async def judge(number: int) -> int:
    pair = {{"id": f"p{{number}}", "context": [], "a": TURNS, "b": TURNS[:1] * 2}}
    asking = assize.Asking(base_url={url!r})
    table = await assize.judge.plan([pair], "io@openai:tiny", asking=asking, quiet=True).run_async()
    return len(table)

uvicorn.run(app, host="127.0.0.1", port={port}, log_level="warning")
"""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


async def ask(port: int, number: int) -> int:
    def get() -> int:
        with urlopen(f"http://127.0.0.1:{port}/{number}", timeout=60) as answer:
            return int(json.loads(answer.read()))

    for _ in range(600):
        try:
            return await asyncio.to_thread(get)
        except ConnectionError:
            await asyncio.sleep(0.05)
        except OSError as error:  # urllib wraps a refused connection while the service starts
            if "refused" not in str(error):
                raise
            await asyncio.sleep(0.05)
    raise AssertionError("the service never answered")


@pytest.mark.slow("starts a service of its own")
def test_overlapping_requests_leave_the_services_signals_alone(tmp_path: Path) -> None:
    async def eight(port: int) -> list[int]:
        return await asyncio.gather(*(ask(port, number) for number in range(8)))

    port = free_port()
    with ChatServer(latency=0.2) as server:
        script = SERVICE.format(url=server.url, port=port)
        process = subprocess.Popen(
            [sys.executable, "-c", script], cwd=tmp_path, stderr=subprocess.PIPE
        )
        try:
            assert asyncio.run(eight(port)) == [2] * 8
            process.send_signal(signal.SIGTERM)
            _, error = process.communicate(timeout=20)  # the service ends: nobody swallows it
        finally:
            process.kill()
    assert process.returncode in (0, -signal.SIGTERM), error.decode()
