"""`replay:FILE`: recorded answers, found by item, judge, order; and the recorder of such files.

One JSON object a line: the place of the answer and the reply. A file written by
`--record` answers the same questions again, whatever has happened to the prompts.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path

from assize.errors import DataError, ModelError
from assize.models.model import Around, Gift, Model, Place, Reply, Request, from_value, to_text
from assize.signature import file_hash

_PLACE = tuple(field.name for field in fields(Place))


class NotRecorded(ModelError):
    """The file holds no answer for this item, judge and order."""


class Replay:
    """Recorded answers by place, the last for each; only the places are kept in memory."""

    def __init__(self, path: Path) -> None:
        self.name = f"replay:{path}"
        self._path = path
        self._at: dict[Place, int] = {}
        self._logprobs = False
        try:
            self.identity = f"replay {file_hash(path, 16)}"
            with path.open("rb") as stream:
                offset = 0
                for number, line in enumerate(stream, start=1):
                    if line.strip():
                        self._note(line, offset, number)
                    offset += len(line)
        except OSError as error:
            raise DataError(f"cannot be read ({error.strerror})", source=str(path)) from error
        self.gives: frozenset[Gift] = frozenset({"logprobs"} if self._logprobs else ())

    def _note(self, line: bytes, offset: int, number: int) -> None:
        try:
            value = json.loads(line)
            place = Place(**{name: value[name] for name in _PLACE if name in value})
            from_value(value)
        except (ValueError, TypeError, KeyError) as error:
            raise DataError(
                f"not a recorded answer ({error!r}); it needs `item`, `judge` and `text`",
                source=str(self._path),
                line=number,
            ) from error
        self._at[place] = offset
        self._logprobs = self._logprobs or bool(value.get("tokens"))

    async def ask(self, request: Request) -> Reply:
        """The recorded reply; raises NotRecorded where there is none."""
        place = request.place
        if place is None or place not in self._at:
            raise NotRecorded(f"{self._path} holds no answer for {place}")
        with self._path.open("rb") as stream:
            stream.seek(self._at[place])
            return from_value(json.loads(stream.readline()))

    async def aclose(self) -> None:
        """Nothing to free."""


class Recorder:
    """Writes each reply with its place; replies keep their order of arrival."""

    def __init__(self, path: Path) -> None:
        self._stream = path.open("a", encoding="utf-8")

    def write(self, place: Place, reply: Reply) -> None:
        """Appends one answer."""
        value = asdict(place) | json.loads(to_text(reply))
        self._stream.write(json.dumps(value, ensure_ascii=True) + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Closes the file."""
        self._stream.close()


class Recorded(Around):
    """A model whose answers are recorded."""

    def __init__(self, model: Model, recorder: Recorder) -> None:
        super().__init__(model)
        self._recorder = recorder

    async def ask(self, request: Request) -> Reply:
        """The reply, once it is recorded."""
        reply = await self._model.ask(request)
        if request.place is not None:
            self._recorder.write(request.place, reply)
        return reply
