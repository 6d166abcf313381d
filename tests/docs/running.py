"""Runs the blocks of a page one after the other, in one folder."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.docs.pages import Block, differs, simple_commands

from assize.cli import main

TOOLS = Path(sys.executable).parent
# What takes minutes is run with less of it, where the page does not say how much.
SHORTER = {
    "study calibration": ("--seeds 1", "--search none"),
    "calibrate fit --network paper --out q1/": ("--folds 2",),  # as q0/, in full, before it
    "calibrate fit --network paper --out q6/": ("--folds 2",),
    "calibrate fit --network paper --answer-embeddings": ("--folds 2",),
}


@dataclass(frozen=True, slots=True)
class Done:
    """What a command line did."""

    code: int
    stdout: str
    both: str


@dataclass
class Reader:
    """Somebody who types what a page says, from its first block to its last.

    Args:
        folder: where it is typed.
        names: what the page's Python has defined so far.
    """

    folder: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "page"})

    def follow(self, block: Block) -> None:
        """Runs a block; fails where it does, or where it prints something else."""
        if block.kind == "python":
            self._python(block)
            return
        commands = block.commands
        for number, (line, shown) in enumerate(commands, start=1):
            done = typed(line, self.folder)
            due = block.exit_code if number == len(commands) else 0
            said = f"{block}: {line}\nexit code {done.code} (due: {due})\n{done.both}"
            if done.code != due:
                pytest.fail(said, pytrace=False)
            if shown is not None and (wrong := differs(shown, done.both, done.stdout)):
                pytest.fail(f"{block}: {line}\n{wrong}", pytrace=False)

    def _python(self, block: Block) -> None:
        printed = io.StringIO()
        code = compile("\n" * block.line + block.body, str(block), "exec")
        with inside(self.folder), contextlib.redirect_stdout(printed):
            try:
                exec(code, self.names)
            except Exception:
                pytest.fail(f"{block}\n{traceback.format_exc()}", pytrace=False)
        if block.shown is not None and (wrong := differs(block.shown, printed.getvalue())):
            pytest.fail(f"{block}\n{wrong}", pytrace=False)


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """In that folder, from which modules can be imported too, as where Python is started there."""
    before, loaded = list(sys.path), set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        with contextlib.chdir(folder):
            yield
    finally:
        sys.path[:] = before
        for name in set(sys.modules) - loaded:
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(folder)):
                del sys.modules[name]


def typed(line: str, folder: Path) -> Done:
    """Runs a command line there: one of assize in this process, anything else in a shell."""
    words = shlex.split(line, comments=True)
    if not words:
        return Done(0, "", "")
    if Path(words[0]).name != "assize" or simple_commands(line) != [words]:  # a pipe, or to a file
        return _in_shell(line, folder)
    return _in_process([*words, *shorter(words)], folder)


def shorter(words: Sequence[str]) -> Iterator[str]:
    """The options that make a long command short, of those that it does not give itself."""
    for command, options in SHORTER.items():
        if set(command.split()) <= set(words):
            for option in options:
                if option.split()[0] not in words:
                    yield from option.split()


def _in_process(words: list[str], folder: Path) -> Done:
    both = io.StringIO()
    stdout = _Both(both)
    code: Any = 0
    with (
        pytest.MonkeyPatch.context() as patch,
        inside(folder),
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(both),
    ):
        patch.setattr(sys, "argv", words)
        patch.setenv("COLUMNS", "80")
        patch.setenv("TERM", "dumb")
        try:
            main()
        except SystemExit as end:
            code = end.code
    return Done(int(code or 0), stdout.getvalue(), both.getvalue())


def _in_shell(line: str, folder: Path) -> Done:
    path = f"{TOOLS}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = os.environ | {"PATH": path, "COLUMNS": "80", "TERM": "dumb"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    return Done(done.returncode, done.stdout, done.stderr + done.stdout)


class _Both(io.StringIO):
    """Keeps what is written, and passes it on to where the errors go too."""

    def __init__(self, both: io.StringIO) -> None:
        super().__init__()
        self._both = both

    def write(self, text: str) -> int:
        self._both.write(text)
        return super().write(text)
