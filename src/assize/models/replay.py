"""`replay:FILE`: recorded answers, found by item, judge, order; and the recorder of such files.

One JSON object a line: which call it answers, and the reply. A file written by
`--record` answers the same questions again, whatever has happened to the prompts.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path

from assize.base.errors import DataError, ModelError
from assize.base.signature import file_hash
from assize.models.model import CallId, Capability, Reply, Request, from_value, to_text

_CALL_ID = tuple(field.name for field in fields(CallId))


class NotRecorded(ModelError):
    """The file holds no answer for this item, judge and order."""


class Replay:
    """Recorded answers by call, the last for each; only their offsets are kept in memory."""

    def __init__(self, path: Path) -> None:
        self.name = f"replay:{path}"
        self._path = path
        self._offsets: dict[CallId, int] = {}
        self._logprobs = False
        try:
            self.identity = f"replay {file_hash(path, 16)}"
            with path.open("rb") as stream:
                offset = 0
                for number, line in enumerate(stream, start=1):
                    if line.strip():
                        self._index(line, offset, number)
                    offset += len(line)
        except OSError as error:
            raise DataError(f"cannot be read ({error.strerror})", source=str(path)) from error
        self.capabilities: frozenset[Capability] = frozenset({"logprobs"} if self._logprobs else ())

    def _index(self, line: bytes, offset: int, number: int) -> None:
        try:
            value = json.loads(line)
            call = CallId(**{name: value[name] for name in _CALL_ID if name in value})
            from_value(value)
        except (ValueError, TypeError, KeyError) as error:
            raise DataError(
                f"not a recorded answer ({error!r}); it needs `item`, `judge` and `text`",
                source=str(self._path),
                line=number,
            ) from error
        self._offsets[call] = offset
        self._logprobs = self._logprobs or bool(value.get("tokens"))

    async def ask(self, request: Request) -> Reply:
        """The recorded reply; raises NotRecorded where there is none."""
        call = request.call_id
        if call is None or call not in self._offsets:
            raise NotRecorded(f"{self._path} holds no answer for {call}")
        with self._path.open("rb") as stream:
            stream.seek(self._offsets[call])
            return from_value(json.loads(stream.readline()))

    async def aclose(self) -> None:
        """Nothing to free."""


class Recorder:
    """Writes each reply with the id of its call; replies keep their order of arrival."""

    def __init__(self, path: Path) -> None:
        self._stream = path.open("a", encoding="utf-8")

    def write(self, call: CallId, reply: Reply) -> None:
        """Appends one answer."""
        value = asdict(call) | json.loads(to_text(reply))
        self._stream.write(json.dumps(value, ensure_ascii=True) + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Closes the file."""
        self._stream.close()


def open_replay(name: str, models: object) -> Replay:
    """Recorded answers."""
    return Replay(Path(name))
