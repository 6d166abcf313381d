"""A run's folder: `run.json`, `questions.json`, and `judgments.jsonl`, which only grows.

Every answer is one append of whole lines, synced before it is reported. A kill leaves at
most an unfinished last line, or a last answer whose rows are not all there; both are cut
off when the run goes on, and asked for again (which the cache answers). A run that an
error ends before its first answer leaves nothing: the corrected command can have the folder.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from typing import Any

from assize.errors import ConfigError, DataError, OutputError
from assize.formats import questions_path, to_json, write_questions
from assize.formats.writing import encoded
from assize.judging.summary import Summary
from assize.judgment import Judgment, Question, Unscored, Usage
from assize.models.background import Background

JUDGMENTS = "judgments.jsonl"
RUN = "run.json"

AGAIN = frozenset({"budget", "timeout", "server", "rate_limit"})
RETRY = frozenset({"refused", "too_long", "parse", "bad_request", "not_recorded", "unsupported"})

_BACKLOG = 4_000  # answers that may wait to be written
_TOGETHER = 64  # answers that are handed to the writing thread at once
_SOON = 0.005  # seconds that an answer waits for others


def task_key(item: str, judge: str, order: str | None, repeat: int) -> int:
    """What identifies an answer, as 64 bits: a hundred thousand of them fit in little memory."""
    said = json.dumps((item, judge, order, repeat)).encode()
    return int.from_bytes(blake2b(said, digest_size=8).digest(), "big")


@dataclass(slots=True)
class Stored:
    """What a folder already holds.

    Args:
        done: keys of the answers that are kept.
        spent: US dollars that all calls so far have cost, those asked again included.
        again: how many answers are asked for again.
        summary: counts of the judgments that are kept.
    """

    done: set[int] = field(default_factory=set)
    spent: float = 0.0
    again: int = 0
    summary: Summary = field(default_factory=Summary)


class RunFolder:
    """The open folder of one run; use as a context manager.

    Args:
        path: made when missing.
        command: what identifies the run; a folder of another command is refused.
        about: settings and versions, written down beside the command.
        questions: written to `questions.json`.
        complete: whether the rows of one answer are all there.
        retry: also ask again what was refused, too long or not readable.

    Raises:
        ConfigError: the folder holds another command's run, is used by another
            process, or is no run.
    """

    def __init__(
        self,
        path: Path,
        *,
        command: Mapping[str, Any],
        about: Mapping[str, Any],
        questions: Iterable[Question],
        complete: Callable[[list[dict[str, Any]]], bool],
        retry: bool = False,
    ) -> None:
        self.path = path
        self.stored = Stored()
        self._complete = complete
        self._reasons = AGAIN | RETRY if retry else AGAIN
        self._waiting = 0
        self._gathered: list[tuple[bytes, Callable[[], None]]] = []
        self._room = asyncio.Event()
        self._problem: BaseException | None = None
        self._made = not path.exists()
        self._new = False
        try:
            path.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
            self._file = os.open(path / JUDGMENTS, flags, 0o644)
        except OSError as error:
            raise OutputError(f"cannot write: {error.strerror}", source=str(path)) from error
        try:
            self._lock()
            self._own(command, about)
            write_questions(path / JUDGMENTS, questions)
            self._resume()
        except BaseException:
            os.close(self._file)
            raise
        self._size = os.fstat(self._file).st_size
        self._background: Background[bytes] = Background(self._write, "assize-run")

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._background.close()
        if kind is not None and self._new and not os.fstat(self._file).st_size:
            self._remove()
        os.close(self._file)

    def _remove(self) -> None:
        """Takes away what was begun; the lock is still held, and others' files stay."""
        judgments = self.path / JUDGMENTS
        with suppress(OSError):  # the first error is the one to tell
            for place in (self.path / RUN, Path(questions_path(judgments)), judgments):
                place.unlink(missing_ok=True)
            if self._made:
                self.path.rmdir()  # refused where something else is in it, such as rejects

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ConfigError(f"{self.path} is in use by another process") from error

    def _own(self, command: Mapping[str, Any], about: Mapping[str, Any]) -> None:
        """Refuses another command's folder, else writes down this one's."""
        place = self.path / RUN
        earlier = _read_run(place)
        wanted = json.loads(json.dumps(command))
        if earlier is None:
            if os.fstat(self._file).st_size:
                raise ConfigError(f"{self.path} holds judgments but no {RUN}; choose another --out")
        elif (differs := differences(earlier.get("command", {}), wanted)) is not None:
            raise ConfigError(
                f"{self.path} holds the run of another command ({differs}); choose another --out"
            )
        self._new = earlier is None
        self.stored.spent = float((earlier or {}).get("spent_before", 0.0))
        self._about = dict(about)
        self._command = wanted
        self._save()

    def _save(self) -> None:
        value = {"command": self._command, "spent_before": self.stored.spent, **self._about}
        text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
        _replace(self.path / RUN, [encoded(text)])

    def _resume(self) -> None:
        """Cuts off what is unfinished, takes out what is asked again, notes what is done."""
        end, spent, again = self._scan()
        if end < os.fstat(self._file).st_size:
            os.ftruncate(self._file, end)
        if again:
            self._take_out(again)
        self.stored.done -= again
        self.stored.again = len(again)
        self._before = self.stored.spent
        self.stored.spent += spent

    def _scan(self) -> tuple[int, float, set[int]]:
        end, spent, again = 0, 0.0, set()
        for key, rows, length in self._answers():
            self.stored.done.add(key)
            end += length
            spent += sum((row.get("usage") or {}).get("cost_usd") or 0.0 for row in rows)
            if any((row.get("unscored") or {}).get("reason") in self._reasons for row in rows):
                again.add(key)
            else:
                for row in rows:
                    self.stored.summary.add_stored(row)
        return end, spent, again

    def _answers(self) -> Iterator[tuple[int, list[dict[str, Any]], int]]:
        """Key, rows and bytes of each whole answer; the last may be unfinished."""
        key: int | None = None
        rows: list[dict[str, Any]] = []
        length = 0
        for row, size in self._rows():
            found = task_key(row["item"], row["judge"], row.get("order"), row.get("repeat", 0))
            if key is not None and found != key:
                yield key, rows, length
                rows, length = [], 0
            key = found
            rows.append(row)
            length += size
        if key is not None and self._complete(rows):
            yield key, rows, length

    def _rows(self) -> Iterator[tuple[dict[str, Any], int]]:
        with (self.path / JUDGMENTS).open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if not line.endswith(b"\n"):
                    return
                try:
                    row = json.loads(line)
                    row["item"], row["judge"]
                except (ValueError, KeyError, TypeError) as error:
                    raise DataError(
                        f"not a judgment ({error!r}); mend or remove the line",
                        source=str(self.path / JUDGMENTS),
                        line=number,
                    ) from error
                yield row, len(line)

    def _take_out(self, again: set[int]) -> None:
        """Rewrites the judgments without the answers that are asked for again."""
        lost = 0.0

        def kept() -> Iterator[bytes]:
            nonlocal lost
            for row, _ in self._rows():
                key = task_key(row["item"], row["judge"], row.get("order"), row.get("repeat", 0))
                if key in again:
                    lost += (row.get("usage") or {}).get("cost_usd") or 0.0
                else:
                    yield encoded(json.dumps(row, ensure_ascii=False)) + b"\n"

        _replace(self.path / JUDGMENTS, kept())
        self.stored.spent += lost
        self._save()
        self.stored.spent -= lost
        os.close(self._file)
        self._file = os.open(self.path / JUDGMENTS, os.O_RDWR | os.O_APPEND)
        self._lock()

    async def append(self, rows: Iterable[Judgment], told: Callable[[], None]) -> None:
        """Queues one answer's rows; `told` is called in the loop once they are on disk.

        Raises:
            OutputError: an earlier answer could not be written; nothing that was
                reported is lost.
        """
        if self._problem is not None:
            raise self._unwritten(self._problem)
        data = [line_of(row) for row in rows]
        self._gathered.append((b"".join(data), told))
        self._waiting += 1
        if len(self._gathered) >= _TOGETHER:
            self._hand_over()
            await asyncio.sleep(0)  # answers from the cache never wait: let others have a turn
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
            for _, told in gathered:
                told()

        data = b"".join(piece for piece, _ in gathered)
        self._background.put(data, lambda error: _post(loop, settle, error))

    async def flush(self) -> None:
        """Waits until everything queued is on disk; raises OutputError where it is not."""
        self._hand_over()
        while self._waiting:
            self._room.clear()
            await self._room.wait()
        if self._problem is not None:
            raise self._unwritten(self._problem)

    def _write(self, batch: list[bytes]) -> None:
        data = memoryview(b"".join(batch))
        try:
            written = 0
            while written < len(data):
                written += os.write(self._file, data[written:])
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, self._size)
            raise
        self._size += len(data)

    def _unwritten(self, error: BaseException) -> OutputError:
        full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        what = "the disk is full" if full else f"cannot write: {error}"
        return OutputError(
            f"{what}; what was reported is kept; make room and run the same command again",
            source=str(self.path / JUDGMENTS),
        )


_json = json.JSONEncoder(ensure_ascii=False, check_circular=False, allow_nan=False).encode
_FIELDS = tuple(part for part in fields(Judgment) if part.name != "extra")
_NAMES = tuple(part.name for part in _FIELDS)
_DEFAULTS = tuple(part.default for part in _FIELDS)
_values_of = attrgetter(*_NAMES)


def line_of(row: Judgment) -> bytes:
    r"""A judgment as a line of the file: as `to_json` has it, but several times as fast.

    >>> line_of(Judgment("i", "j", "q", answer="A"))
    b'{"item": "i", "judge": "j", "question": "q", "answer": "A"}\n'
    """
    said: dict[str, Any] = {}
    for name, value, default in zip(_NAMES, _values_of(row), _DEFAULTS, strict=True):
        if value is not default and value != default:
            said[name] = _plain(value) if isinstance(value, Usage | Unscored) else value
    try:
        return encoded(_json(said | dict(row.extra))) + b"\n"
    except (TypeError, ValueError):  # NaN, or a record inside `details`
        return encoded(json.dumps(to_json(row), ensure_ascii=False)) + b"\n"


def _plain(value: Usage | Unscored) -> dict[str, Any]:
    if isinstance(value, Unscored) or value.extra:
        return to_json(value)
    said: dict[str, Any] = {
        "input_tokens": value.input_tokens,
        "output_tokens": value.output_tokens,
    }
    if value.cost_usd is not None:
        said["cost_usd"] = value.cost_usd
    return said | {"cached": True} if value.cached else said


def _post(
    loop: asyncio.AbstractEventLoop, settle: Callable[[BaseException | None], None], error: Any
) -> None:
    loop.call_soon_threadsafe(settle, error)


def _read_run(place: Path) -> dict[str, Any] | None:
    if not place.exists():
        return None
    try:
        value: dict[str, Any] = json.loads(place.read_text("utf-8"))
        value["command"]
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{place} is not a run's ({error!r}); choose another --out") from error
    return value


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


def _replace(place: Path, pieces: Iterable[bytes]) -> None:
    part = place.with_name(f"{place.name}.part")
    with part.open("wb") as stream:
        for piece in pieces:
            stream.write(piece)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(part, place)
