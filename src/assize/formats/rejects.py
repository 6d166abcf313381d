"""Records that could not be read, kept in a file so that nothing is dropped silently."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from typing import IO, Self

from assize.errors import ConfigError
from assize.formats.files import Location, open_output
from assize.formats.reading import OnReject, Reject
from assize.formats.writing import json_line
from assize.secrets import keep_urls, redacted_bytes


class Rejects:
    """Keeps each bad record in a JSONL file, which is only made when there is one.

    A row of the file says `source`, `line`, `field`, `problem`, and `raw`, the first 10,000
    characters of the record. Use it as a context manager; hand it to `read` as `on_reject`.
    """

    def __init__(self, location: Location) -> None:
        self.location = location
        self.count = 0
        self._stack = ExitStack()
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        # Rejects are kept even when the work they come from fails later.
        self._stack.close()

    def __call__(self, reject: Reject) -> None:
        """Keeps one."""
        if self._stream is None:
            self._stream = self._stack.enter_context(open_output(self.location))
        keep_urls(reject.source)
        self._stream.write(redacted_bytes(json_line(asdict(reject))))
        self.count += 1


def on_error(choice: str, rejects: Rejects) -> OnReject | None:
    """What `read` is to do with a bad record where `on_error` is `fail` or `skip`."""
    if choice not in ("fail", "skip"):
        raise ConfigError(f"on_error is {choice!r}; give fail or skip")
    return rejects if choice == "skip" else None


def rejects_beside(out: Location) -> str:
    """Where the bad records are kept of what is written to `out`.

    >>> rejects_beside("chats.jsonl.gz"), rejects_beside("corpus/"), rejects_beside("-")
    ('chats.rejects.jsonl', 'corpus/rejects.jsonl', 'rejects.jsonl')
    """
    from assize.formats.sinks import is_folder

    place = str(out)
    if place == "-":
        return "rejects.jsonl"
    if is_folder(place):
        return f"{place.rstrip('/')}/rejects.jsonl"
    folder, slash, name = place.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}.rejects.jsonl"
