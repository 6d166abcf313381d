"""The command `assize` in this process: what a shell sees of it, without a new Python each time."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from unittest import mock

from typer.testing import CliRunner, Result

from assize.cli import app, main


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


def run(*arguments: object, code: int = 0, **settings: Any) -> Result:
    """Run a command, which ends with this exit code; an error stays an exception of the result."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], **settings)
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def read_json(*arguments: object, code: int = 0) -> Any:
    """Run a command with `--json` and return its object."""
    return json.loads(run(*arguments, "--json", code=code).stdout)


def read_refusal(*arguments: object) -> str:
    """Run a command that is refused and return its message, on one line."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code in (1, 2), result.output
    words = result.output.replace("│", "").split()
    return " ".join([*words, str(result.exception)])
