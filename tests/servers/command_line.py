"""The command `assize` in this process: what a shell sees of it, without a new Python each time."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from unittest import mock

from assize.cli import main


def assize(
    *arguments: object, stdin: str = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command line to its end; its exit code and both streams."""
    words = ["assize", *map(str, arguments)]
    code: str | int | None = 0
    with (
        TemporaryFile("w+", encoding="utf-8") as stdout,
        TemporaryFile("w+", encoding="utf-8") as stderr,
        contextlib.chdir(cwd or Path.cwd()),
        mock.patch.object(sys, "argv", words),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()))),
        mock.patch.dict(os.environ, {"TERM": "dumb"}),
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
        said = []
        for stream in (stdout, stderr):
            stream.flush()
            stream.seek(0)
            said.append(stream.read())
    return subprocess.CompletedProcess(words, int(code or 0), *said)
