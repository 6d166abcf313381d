"""A journal's folder: `run.json`, and a file of records, which only grows.

Every record is one append of whole lines, each with its checksum, synced before it is told. A kill
leaves at most an unfinished last line, or a last record whose lines are not all there; both are cut
off when the run goes on, and made again. A record in the middle that has lost lines is made again
as well; one that stands there twice, or a line that is none, is an error. A run that an error ends
before its first record leaves nothing: the corrected command can have the folder.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from assize.base.errors import ConfigError, DataError, OutputError
from assize.base.line_checksum import seal, unseal
from assize.base.secrets import redacted, redacted_bytes
from assize.base.signature import sign_text
from assize.formats.writing import encoded, json_line
from assize.running.background import Background
from assize.running.budget import Ledger, amount
from assize.running.durable import AppendFile, replace, unwritten
from assize.running.key_set import KeySet

R = TypeVar("R")

_NO_RECORD = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
_BACKLOG = 4_000  # pieces that may wait to be written
_TOGETHER = 64  # pieces that are handed to the writing thread at once
_SOON = 0.005  # seconds that a piece waits for others


@dataclass(slots=True)
class Stored:
    """What a journal already holds."""

    done: KeySet = field(default_factory=KeySet)  # keys of the records that are kept
    again: int = 0  # how many records are made again
    torn: int = 0  # how many of these because lines of theirs are missing, or too many


class Journal(Generic[R]):
    """The open folder of one run; use as a context manager.

    Args:
        path: made when missing.
        codec: how records stand in their file.
        command: what identifies the run; a folder of another command is refused.
        about: settings and versions, written down beside the command.
        beside: further files of the folder, by name.
        on_stored: told the lines of each record that is kept.

    Raises:
        ConfigError: the folder holds another command's run, one of an unknown format, is used
            by another process, or is no run.
        DataError: a line that is not the last is no record's, or a record stands there twice.
        OutputError: the place cannot be written.
    """

    def __init__(
        self,
        path: Path,
        codec: Codec[R],
        *,
        command: Mapping[str, Any],
        about: Mapping[str, Any],
        beside: Mapping[str, bytes] | None = None,
        on_stored: Callable[[Sequence[Line]], None] = lambda _: None,
    ) -> None:
        self.path = path
        self.stored = Stored()
        self._codec = codec
        self._beside = {} if beside is None else beside
        self._made = not path.exists()
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot write: {error.strerror}", source=str(path)) from error
        self._file = AppendFile(path / codec.file)
        self._ledger: Ledger | None = None
        try:
            earlier = self._own(command)
            self._resume(earlier, on_stored)
            write_run(path / RUN, command, {"spent_before": self.ledger.balance.spent, **about})
            for name, data in self._beside.items():
                replace(path / name, [data])
        except BaseException as error:
            self._close()
            if isinstance(error, OSError):
                raise unwritten(path, error) from error
            raise
        self._new = earlier is None
        self._gathered: list[tuple[bytes, Callable[[], None]]] = []
        self._waiting = 0
        self._room = asyncio.Event()
        self._problem: BaseException | None = None
        self._background: Background[bytes] = Background(self._write, "assize-journal")

    def __enter__(self) -> Journal[R]:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._background.close()
        if kind is not None and self._new and not self._file.size:
            self._remove()
        self._close()

    def _close(self) -> None:
        """Lets go of the folder."""
        if self._ledger is not None:
            self._ledger.close()
        self._file.close()

    @property
    def ledger(self) -> Ledger:
        """Where the folder's money is booked."""
        assert self._ledger is not None
        return self._ledger

    def _remove(self) -> None:
        """Takes away what was begun, where it cost nothing; the lock is still held."""
        if self.ledger.balance.booked:
            return
        with suppress(OSError):  # the first error is the one to tell
            self.ledger.remove()
            for name in (RUN, *self._beside, self._codec.file):
                (self.path / name).unlink(missing_ok=True)
            if self._made:
                self.path.rmdir()  # refused where something else is in it, such as rejects

    def _own(self, command: Mapping[str, Any]) -> dict[str, Any] | None:
        """What `run.json` says; refuses another command's folder."""
        earlier = read_run(self.path / RUN)
        if earlier is None:
            theirs = [self._codec.file] if self._file.size else []
            theirs += [name for name in self._beside if (self.path / name).exists()]
            if theirs:
                raise ConfigError(
                    f"{self.path} holds {theirs[0]} but no {RUN}; choose another --out"
                )
            return None
        wanted = json.loads(redacted(json.dumps(command, ensure_ascii=False)))
        differs = differences(earlier["command"], wanted)
        if differs is not None:
            raise ConfigError(
                f"{self.path} holds the run of another command ({differs}); choose another --out"
            )
        return earlier

    def _resume(
        self, earlier: Mapping[str, Any] | None, on_stored: Callable[[Sequence[Line]], None]
    ) -> None:
        """Cuts off what is unfinished, takes out what is made again, notes what is done."""
        end, again = 0, set[int]()
        for one in records_in(self._file.path, self._codec):
            if one.key in self.stored.done:
                raise DataError(
                    "this record stands above already; remove one of the two",
                    source=str(self._file.path),
                    line=one.number,
                )
            end += one.length
            if not one.whole or one.key in again or self._codec.again(one.lines):
                self.stored.torn += one.key not in again and not one.whole
                again.add(one.key)
            else:
                self.stored.done.add(one.key)
                on_stored(one.lines)
        self._ledger = Ledger(self.path, at_least=(earlier or {}).get("spent_before", 0.0))
        self._file.cut(end)
        if again:
            records = records_in(self._file.path, self._codec)
            kept = (one.lines for one in records if one.key not in again)
            self._file.rewrite(seal(json_line(line)) for lines in kept for line in lines)
        self.stored.again = len(again)

    async def append(self, records: Iterable[R], on_disk: Callable[[], None]) -> None:
        """Queues records; `on_disk` is called in the loop once all are on disk.

        Raises:
            OutputError: an earlier record could not be written; nothing that was told is lost.
        """
        if self._problem is not None:
            raise unwritten(self._file.path, self._problem)
        lines = redacted_bytes(b"".join(map(self._codec.encode, records))).splitlines(keepends=True)
        data = b"".join(map(seal, lines))
        self._gathered.append((data, on_disk))
        self._waiting += 1
        if len(self._gathered) >= _TOGETHER:
            self._hand_over()
            await asyncio.sleep(0)  # answers from a cache never wait: let others have a turn
        elif len(self._gathered) == 1:
            asyncio.get_running_loop().call_later(_SOON, self._hand_over)
        while self._waiting > _BACKLOG:
            self._room.clear()
            await self._room.wait()

    def _hand_over(self) -> None:
        """Gives what has gathered to the writing thread, as one piece."""
        gathered, self._gathered = self._gathered, []
        if not gathered:
            return
        loop = asyncio.get_running_loop()

        def settle(error: BaseException | None) -> None:
            self._waiting -= len(gathered)
            self._room.set()
            if error is not None:
                self._problem = error
                return
            for _, on_disk in gathered:
                on_disk()

        data = b"".join(piece for piece, _ in gathered)
        self._background.put(data, lambda error: loop.call_soon_threadsafe(settle, error))

    async def flush(self) -> None:
        """Waits until everything queued is on disk; raises OutputError where it is not."""
        self._hand_over()
        while self._waiting:
            self._room.clear()
            await self._room.wait()
        if self._problem is not None:
            raise unwritten(self._file.path, self._problem)

    def _write(self, batch: list[bytes]) -> None:
        self.ledger.sync()
        self._file.append(b"".join(batch), synced=True)


class Record(NamedTuple):
    """A record as it stands in its file."""

    key: int
    lines: list[Line]
    length: int  # in bytes
    number: int  # of its first line, counted from 1
    whole: bool


def records_in(path: Path, codec: Codec[R]) -> Iterator[Record]:
    """The records of a file, without a last one that is unfinished or may be."""
    key: int | None = None
    lines: list[Line] = []
    length, first, number = 0, 1, 0
    for number, (found, line, size) in enumerate(_lines(path, codec), start=1):
        if key is not None and found != key:
            yield Record(key, lines, length, first, codec.whole(lines) is not False)
            lines, length, first = [], 0, number
        key = found
        lines.append(line)
        length += size
    if key is not None and codec.whole(lines):
        yield Record(key, lines, length, first, True)


def _lines(path: Path, codec: Codec[R]) -> Iterator[tuple[int, Line, int]]:
    with path.open("rb") as stream:
        for number, data in enumerate(stream, start=1):
            if not data.endswith(b"\n"):
                return
            try:
                line = json.loads(unseal(data))
                key = codec.key(line)
            except _NO_RECORD as error:
                if not stream.peek(1):
                    return  # damaged, as by a power cut
                raise DataError(
                    f"no record ({error!r}); mend or remove the line",
                    source=str(path),
                    line=number,
                ) from error
            yield key, line, len(data)


def kept_in(path: Path, codec: Codec[R]) -> Iterator[Record]:
    """The records that a folder holds and a run would keep, nothing being opened."""
    file = path / codec.file
    if file.is_file():
        for record in records_in(file, codec):
            if record.whole and not codec.again(record.lines):
                yield record


def keys_in(path: Path, codec: Codec[R]) -> KeySet:
    """Keys of the records that a folder holds and a run would keep, nothing being opened."""
    return KeySet(record.key for record in kept_in(path, codec))


Line = dict[str, Any]  # one JSON object of the file


def key_of(*parts: object) -> int:
    """Return what identifies a record, as 64 bits: a hundred thousand of them fit in little memory.

    >>> key_of("p1", "io@scripted:any", "AB", 0) == key_of("p1", "io@scripted:any", "AB", 0)
    True
    """
    return int(sign_text(json.dumps(parts), digits=16), 16)


@dataclass(frozen=True, slots=True)
class Codec(Generic[R]):
    """A kind of record: one or more lines of JSON that stand together and share a key.

    Args:
        file: the name of the records' file in the journal's folder.
        encode: a record as whole lines, each ending with a newline.
        key: of a line; raises KeyError, TypeError, AttributeError or ValueError for what is no
            such line.
        whole: whether lines of one key are a whole record. None where they do not tell: then they
            are, save for the last lines of a file.
        again: whether a stored record is to be made again.
    """

    file: str
    encode: Callable[[R], bytes]
    key: Callable[[Line], int]
    whole: Callable[[Sequence[Line]], bool | None] = lambda _: True
    again: Callable[[Sequence[Line]], bool] = lambda _: False


RUN = "run.json"
FORMAT = 2


def read_run(path: Path) -> dict[str, Any] | None:
    """What a folder's `run.json` says; None where there is none."""
    if not path.exists():
        return None
    try:
        value: dict[str, Any] = json.loads(path.read_text("utf-8"))
        if not isinstance(value["command"], dict):
            raise TypeError("the command is no object")
        amount(value.get("spent_before", 0.0))
    except _NO_RECORD as error:
        raise ConfigError(f"{path} is not a run's ({error!r}); choose another --out") from error
    found = value.get("format")
    if found != FORMAT:
        raise ConfigError(
            f"{path} is of format {found!r}, and this version of assize knows format {FORMAT}:"
            " go on with the version that wrote it, or choose another --out"
        )
    return value


def write_run(path: Path, command: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """Writes `run.json`: the command, the format, and whatever else is told about the run."""
    text = json.dumps({"command": command, "format": FORMAT, **about}, indent=1, ensure_ascii=False)
    replace(path, [encoded(redacted(text) + "\n")])


def differences(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """What tells two commands apart, in words; None where nothing does.

    >>> differences({"votes": 2, "seed": 0}, {"votes": 1, "seed": 0})
    'votes was 2 and is 1'
    """
    for name in {**earlier, **now}:
        if earlier.get(name) != now.get(name):
            return f"{name} was {_short(earlier.get(name))} and is {_short(now.get(name))}"
    return None


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else text[:200] + "..."
