"""Raters as cheap as they can be: a socket each, and a server that they share."""

from __future__ import annotations

import asyncio
import os
import random
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from urllib.parse import urlencode

from assize.web._forms import Form

_ASSIGNMENT = re.compile(rb'data-assignment="(\d+)"')
_REVISION = re.compile(rb'name="page.revision" value="(\d+)">\s*<input type="hidden" name="page.s')
_TOTAL = re.compile(rb'name="page.total" value="(\d*)"')
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
PATIENCE = 60.0  # seconds until the server must answer
SPREAD = 0.5  # standard deviation of the logarithm of a pause


class Server:
    """`assize web` in a process of its own, at one port however often it is started."""

    def __init__(self, folder: Path, url: str) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = int(found.getsockname()[1])
        self._command = [
            sys.executable,
            "-m",
            "assize",
            "web",
            "--project",
            str(folder),
            "--port",
            str(self.port),
            "--database",
            url,
        ]
        self._log = (folder.parent / "server.log").open("ab")
        self.process = self._started()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.terminate()
        self.process.wait()
        self._log.close()

    def _started(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(self._command, stdout=self._log, stderr=self._log)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.1).close()
                return process
            except OSError:
                if process.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def kill_and_restart(self) -> None:
        """SIGKILL, and another one at the same port."""
        self.process.kill()
        self.process.wait()
        self.process = self._started()

    def processor(self) -> float:
        """Seconds of processor so far."""
        said = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(said[11]) + int(said[12])) / os.sysconf("SC_CLK_TCK")


class Rater:
    """Somebody who answers, waits, and answers again.

    Args:
        token: the session's cookie; csrf: what their forms send with it.
    """

    def __init__(self, server: Server, token: str, csrf: str, person: int, form: Form) -> None:
        self.server, self.person = server, person
        self.times: list[float] = []
        self.cut = 0
        self.acknowledged: dict[tuple[int, int], dict[str, str]] = {}
        self._csrf, self._form = csrf, form
        self._head = f"Host: 127.0.0.1:{server.port}\r\nCookie: assize={token}\r\n"
        self._random = random.Random(person)
        self._assignment, self._revision, self._total = 0, 0, ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def begin(self) -> None:
        """Asks for the first item, as the task's button does."""
        status, head, _ = await self._send("/t/load/next", urlencode({"csrf": self._csrf}))
        where = re.search(rb"\r\nlocation: (\S+)", head, re.IGNORECASE)
        assert status == 303, head
        assert where is not None, head
        _, _, body = await self._send(where[1].decode(), None)
        self._read(body)

    async def work(self, end: float, pause: float) -> None:
        """Steps until the end; the first of them at any time within a pause.

        Pauses vary as people's do, around `pause`: equal ones would keep all raters in step once
        a restart has made them wait together.
        """
        await asyncio.sleep(self._random.random() * pause)
        while (now := time.perf_counter()) < end:
            await self._step()
            if pause:
                await asyncio.sleep(pause * self._random.lognormvariate(-(SPREAD**2) / 2, SPREAD))
            elif now == time.perf_counter():
                await asyncio.sleep(0)

    async def _step(self) -> None:
        said = {
            one.name: self._random.choice(one.question.answers)
            for one in self._form.fields
            if one.widget == "radio"
        }
        fields = {
            "csrf": self._csrf,
            "page.revision": self._revision,
            "page.seconds": "1",
            "page.total": self._total,
            **said,
        }
        key = (self._assignment, self._revision)
        body = urlencode(fields)
        began, interrupted = time.perf_counter(), False
        while True:
            try:
                status, head, page = await self._send(f"/rate/{self._assignment}", body)
                break
            except (OSError, asyncio.IncompleteReadError):
                interrupted = True
                self.close()
                await asyncio.sleep(0.1)
                if time.perf_counter() - began > PATIENCE:
                    raise
        if status != 200:
            raise AssertionError(f"{status} {head[:200]!r} {page[:500]!r}")
        took = (time.perf_counter() - began) * 1000
        self.acknowledged[key] = said
        if interrupted:
            self.cut += 1
        else:
            self.times.append(took)
        self._read(page)

    def _read(self, page: bytes) -> None:
        found = [one.search(page) for one in (_ASSIGNMENT, _REVISION, _TOTAL)]
        if None in found:
            raise AssertionError(f"no item in {page[:500]!r}")
        assignment, revision, self._total = (one[1].decode() for one in found if one is not None)
        self._assignment, self._revision = int(assignment), int(revision)

    async def _send(self, path: str, body: str | None) -> tuple[int, bytes, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.server.port)
        reader, writer = self._streams
        if body is None:
            writer.write(f"GET {path} HTTP/1.1\r\n{self._head}\r\n".encode())
        else:
            data = body.encode()
            writer.write(
                f"POST {path} HTTP/1.1\r\n{self._head}HX-Request: true\r\n"
                "Content-Type: application/x-www-form-urlencoded\r\n"
                f"Content-Length: {len(data)}\r\n\r\n".encode()
                + data
            )
        head = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        page = await reader.readexactly(int(length[1])) if length else b""
        return int(head[9:12]), head, page

    def close(self) -> None:
        """Lets go of the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
