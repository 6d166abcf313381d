"""What the command line prints: notes and errors on stderr, results on stdout.

Text from files is untrusted: control characters are shown as `\\x1b` and the like, so
that a conversation can neither move the cursor nor change the colours. What a CI server
would take for a command of a log is shown likewise, and no line of a note begins with a
file's text.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer

from assize.base.secrets import redacted
from assize.results.escape import printable, printable_line
from assize.results.log import log
from assize.results.numbers import counted
from assize.results.terminal import print_table

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # of a stream that takes no more


def note(text: str) -> None:
    """One line on stderr that is no error; lost where stderr takes no more."""
    _write_line(printable_line(redacted(text)))


def _write_line(text: str) -> None:
    with suppress(OSError):
        print(text, file=sys.stderr)  # noqa: T201


def problem(text: str) -> None:
    """An error on stderr."""
    note(f"assize: error: {text}")


def unwritten(error: OSError) -> int:
    """Says that stdout takes no more, and why; returns the exit code."""
    drop_stdout()
    problem(f"stdout cannot be written ({error.strerror}); send it where there is room")
    return 2


def drop_stdout() -> None:
    """Lets go of what is still to be written, which the interpreter would try at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_json(value: Any) -> None:
    """The one object that `--json` puts on stdout; NaN is written null."""
    print(redacted(json.dumps(value, allow_nan=False)))  # noqa: T201


def command_line() -> list[str]:
    """The command as it was given, for a page that says how it is made again."""
    return [redacted(shlex.join(["assize", *sys.argv[1:]]))]


def check_unscored(missing: int, total: int, allowed: float) -> None:
    """Exits with 1 where more than that many percent are missing; of nothing everything is."""
    share = 100 * missing / total if total else 100.0
    if share > allowed:
        note(f"{share:.1f}% unscored is more than --max-unscored {allowed:g}")
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class Told:
    """What a command was told, and how it speaks.

    Args:
        quiet: no notes, no progress.
        given: the options by name.
        reading: how files are read, the arguments of `assize.read`.
        rejects: how many bad records were left out.
    """

    quiet: bool
    given: Mapping[str, Any]
    reading: Mapping[str, Any] = field(default_factory=dict)
    rejects: int = 0

    @contextmanager
    def notes(self) -> Iterator[None]:
        """What functions have to say (`logging`, as `assize`) goes to stderr, a line each."""
        handler = _Notes()
        before = log.level, log.propagate
        log.addHandler(handler)
        log.setLevel(logging.ERROR if self.quiet else logging.INFO)
        log.propagate = False
        try:
            yield
        finally:
            log.removeHandler(handler)
            log.setLevel(before[0])
            log.propagate = before[1]

    def say(self, notes: Iterable[str]) -> None:
        """Lines on stderr, unless quiet."""
        if not self.quiet:
            for one in notes:
                note(one)

    def page(self, result: Any, path: Path) -> None:
        """Writes the result's page, which says how it is made again."""
        from assize._doors.report import page_of
        from assize.formats import read
        from assize.formats.files import is_read_once
        from assize.pages.page import made_from

        given = [str(one) for one in self.given.get("items") or ()]
        items = [one for one in given if not is_read_once(one)] or None
        with made_from(*(self.given.get("judgments") or ()), *given):
            page_of(
                result,
                path,
                items=None if items is None else read(items, **self.reading),
                reproduce=command_line(),
                lenient=True,
            )
        self.say([f"{path}: the page is written"])


class _Notes(logging.Handler):
    """Notes on stderr, those of how files are read once; warnings each time, for the web app's
    say who did what."""

    def __init__(self) -> None:
        super().__init__()
        self._written: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()  # which the log has made fit to be shown
        if record.levelno <= logging.INFO:
            if text in self._written:
                return
            self._written.add(text)
        _write_line(text)


def print_result(
    result: Any, told: Told, page_only: Callable[[str], bool] = lambda name: False
) -> None:
    """The result's figures, tables and lines on stdout, its notes on stderr.

    Args:
        page_only: whether a table is left to the page, by its name.
    """
    for name, words in result.headline.items():
        print(printable(redacted(f"{name}: {', '.join(filter(None, words))}")))  # noqa: T201
    if result.headline:
        print()  # noqa: T201
    for name, table in result.tables.items():
        if not page_only(name):
            print_table(table)
    for line in result.lines:
        print(printable(redacted(line)))  # noqa: T201
    if told.rejects:
        print(f"{counted(told.rejects, 'bad record')} left out")  # noqa: T201
    print_notes(result, told)


def print_notes(result: Any, told: Told) -> None:
    """The result's news and notes on stderr."""
    told.say([*result.news, *result.notes])
