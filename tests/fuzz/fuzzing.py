"""What the fuzzers share: how many inputs are tried, how bytes are damaged, and what is forbidden.

Each input is read or refused with an error of ours. Any other exception, more than two seconds of
processor time for one input, or more than 1 GB of memory for all, is a defect. `ASSIZE_FUZZ` says
how many inputs are tried (`make fuzz`: 100,000); without it there are few enough for `make test`.

To add a fuzzer: write its inputs as a generator that draws from a `random.Random`, hand them to
`fuzz` with the function that reads one, and keep what once broke something under `corpus/`.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from assize.base.errors import AssizeError

T = TypeVar("T")
Folder = dict[str, bytes]  # by name of file, below the folder

SECONDS = 2.0  # of processor time, so that a busy machine fails nothing
BYTES = 1 << 30
CORPUS = Path(__file__).parent / "corpus"
ODD = [
    b"",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\n",
    b"\r",
    b'"',
    b"'",
    b"\\",
    b",",
    b"\t",
    b"{",
    b"}",
    b"[",
    b"]",
    b"null",
    b"true",
    b"NaN",
    b"1e999",
    b"-1",
    b"9" * 40,
    b"\\ud800",
    b"\\u0000",
    b"\xed\xa0\x80",
    b"\xc3",
    b"=cmd()",
    b"\x1b[2J",
    b"<script>",
    b"{" * 500,
    b"[" * 5000,
]


class TooSlow(BaseException):  # not an Exception, so that nothing handles it
    """One input took more processor time than it may."""


@dataclass
class Trial:
    """What came of the inputs of one kind."""

    kind: str
    read: int = 0
    refused: int = 0
    slowest: float = 0.0  # seconds of processor time
    grown: int = 0  # bytes by which the process became larger

    @property
    def inputs(self) -> int:
        """How many were tried."""
        return self.read + self.refused

    @property
    def mixed(self) -> bool:
        """Whether some were read, and some refused."""
        return self.read > 0 < self.refused

    def __str__(self) -> str:
        return (
            f"{self.kind}: {self.inputs:,} inputs, {self.read:,} read, {self.refused:,} refused,"
            f" slowest {self.slowest:.2f} s, memory +{self.grown / 2**20:,.0f} MB"
        )


def tries(few: int) -> int:
    """How many inputs to try: `few`, or what `ASSIZE_FUZZ` says."""
    return int(os.environ.get("ASSIZE_FUZZ", few))


def fuzz(
    kind: str,
    inputs: Iterable[T],
    read: Callable[[T], object],
    *,
    sound: Iterable[T] = (),
    refusals: tuple[type[Exception], ...] = (AssizeError,),
) -> Trial:
    """Reads every input; raises AssertionError with the first one that breaks a promise.

    Args:
        kind: of input, for the message.
        inputs: what is tried, drawn from a seed.
        read: reads one; what it raises beside `refusals` is a defect.
        sound: inputs that are whole, and must be read.
    """
    for one in sound:
        read(one)
    trial, before = Trial(kind), _peak()
    for number, one in enumerate(inputs):
        began = time.process_time()
        try:
            with _at_most(SECONDS):
                read(one)
        except refusals:
            trial.refused += 1
        except (Exception, TooSlow, RecursionError) as error:
            shown = f"{one!r:.2000}"
            problem = f"{kind} {number}: {type(error).__name__}: {error!s:.500}"
            raise AssertionError(f"{problem}, from {shown}") from error
        else:
            trial.read += 1
        took = time.process_time() - began
        trial.slowest = max(trial.slowest, took)
        assert took < SECONDS, f"{kind} {number}: {took:.1f} s, from {one!r:.2000}"
    trial.grown = _peak() - before
    assert trial.grown < BYTES, str(trial)
    if "ASSIZE_FUZZ" in os.environ:
        print(f"\n{trial}", file=sys.stderr)
    return trial


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The bytes with one to four places flipped, cut, doubled, swapped or made odd."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(found) + 1)
        to = min(len(found), at + 1 + int(rng.expovariate(0.1)))
        match rng.randrange(6):
            case 0 if at < len(found):
                found[at] ^= 1 << rng.randrange(8)
            case 1:
                found[at:to] = b""
            case 2:
                found[at:at] = found[at:to] * rng.choice([1, 2, 50])
            case 3:
                del found[at:]
            case 4:
                found[at:to] = rng.choice(ODD)
            case _:
                found[at:at] = rng.choice(ODD)
    return bytes(found)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a value of JSON, as its holder and its key."""
    keys: Any = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def contents(folder: Path) -> Folder:
    """The files of a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def fill(folder: Path, files: Mapping[str, bytes | None]) -> None:
    """Puts files in the place of all that a folder holds; what is None is missing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in files.items():
        if data is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)


def corpus(kind: str) -> list[Path]:
    """Inputs of a kind that once broke something."""
    found = sorted((CORPUS / kind).iterdir())
    assert found, f"no corpus of {kind}"
    return found


def _peak() -> int:
    """The most memory that the process has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    def ended(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, ended)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
