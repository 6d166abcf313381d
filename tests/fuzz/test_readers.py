"""Damaged and mutated files of every format: each is read or refused with an error of ours.

Half of the inputs are files whose bytes are damaged, packed or not; the other half are sound JSON,
CSV or Parquet whose values are odd. Many are read as a format that they are not. Of the inputs
80% are files, 20% objects in memory.
"""

from __future__ import annotations

import copy
import csv
import gzip
import io
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.formats.logs.conftest import ROWS as LOGS
from tests.formats.research.test_amulet import INSTANCE, OUTPUTS
from tests.formats.research.test_daily_mtd import DAILY, DIMENSIONS, SINGLE
from tests.formats.research.test_llm_rubric import ANSWERS, PEOPLE, dialogue
from tests.formats.research.test_mtdeval import ALL
from tests.formats.research.test_mtdeval import dialogue as compared
from tests.formats.research.test_public_ratings import SAMPLES
from tests.formats.research.test_upheld import HEADER, row
from tests.formats.test_round_trip import ITEMS, JUDGMENTS
from tests.fuzz.fuzzing import corpus, damaged, fuzz, places, tries

import assize
from assize.base.errors import AssizeError
from assize.formats import FORMATS, read, read_judgments, to_json
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records
from assize.formats.writing import json_line

ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1 << 70,
    10**400,
    1e308,
    -0.0,
    float("nan"),
    float("inf"),
    "",
    " ",
    "x",
    "1e999",
    "NaN",
    "9" * 400,
    "\ud800",
    "\0",
    "[]",
    "{}",
    "[" * 200,
    '{"a": 1, "a": 2}',
    "Human: ",
    "2026-13-45",
    [],
    {},
    [[]],
    [None],
    [{}],
    {"": {}},
    {"id": []},
    "A" * 3000,
]


@dataclass(frozen=True)
class Input:
    """A file, and how it is read."""

    data: bytes
    format: str | None = None


# ── sound files of every format ─────────────────────────────────────────────────────────────


def rows() -> dict[str, list[dict[str, Any]]]:
    """A few rows of every format that has rows of objects."""
    found = {name: [one] for name, one in (LOGS | SAMPLES).items()}
    found["assize"] = [to_json(one) for one in (*ITEMS, *JUDGMENTS)]
    found["sharegpt-pairs"] = [
        {
            "conversations": LOGS["sharegpt"]["conversations"],
            "chosen": {"from": "gpt", "value": "a"},
            "rejected": {"from": "gpt", "value": "b"},
        }
    ]
    for name, mark in (("lmsys", "conversation_id"), ("wildchat", "conversation_hash")):
        found[name] = [{mark: "c", "model": "m", "conversation": LOGS["openai"]["messages"]}]
    found["amulet-pairs"], found["amulet-outputs"] = [INSTANCE], [OUTPUTS]
    found["llm-rubric-dialogues"] = [dialogue()]
    found["p2-mtd"] = [compared(ALL)]
    turn = {"conversation": "c", "turn": 1, "role": "user", "text": "Hi"}
    found["turns-csv"] = [turn, turn | {"turn": 2, "role": "assistant"}]
    return found


def tables() -> dict[str, list[list[str]]]:
    """The same of those that are tables of text."""
    people = ["1", "j", "d", *"123412341", "2", *"123"]
    return {
        "upheld": [list(HEADER), list(row()), list(row("[]"))],
        "llm-rubric-answers": [ANSWERS.split(","), ["d", "Q0", ".1", ".2", ".3", ".4", "3", "0"]],
        "llm-rubric-ratings": [PEOPLE.split(","), people],
        "assize-csv": [["item", "judge", "question", "answer"], ["i", "j", "q", "4"]],
        "turns-csv": [["conversation", "turn", "role", "text"], ["c", "1", "user", "Hi"]],
        "daily-mtd": [["dialog_id", "conversation", *ALL], ["1", DAILY, *ALL.values()]],
        "daily-mtd-dim": [["dialog_id", "conversation", *DIMENSIONS], ["1", DAILY, *("A" * 10)]],
        "daily-mtd-single": [["dialog_id", "conversation", "score"], ["1", SINGLE, "5.8"]],
    }


def json_lines(values: list[Any]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in values)


def table(cells: list[list[str]], delimiter: str = ",") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(cells)
    return text.getvalue().encode("utf-8", "surrogatepass")


def parquet(values: list[Any], rng: random.Random) -> bytes:
    """A Parquet file of what of the values fits into columns."""
    out = io.BytesIO()
    for kept in (values, values[:1], [{"id": "x"}]):
        with suppress(pa.ArrowException, UnicodeError, OverflowError, TypeError, ValueError):
            made = pa.Table.from_pylist([one for one in kept if isinstance(one, dict)])
            packing = rng.choice(["zstd", "snappy", "none", "gzip"])
            pq.write_table(made, out, compression=packing)
            return out.getvalue()
    return b"PAR1"


def written(place: Path) -> dict[str, bytes]:
    """What assize itself writes, in its several containers."""
    found = {}
    groups: dict[str, list[Any]] = {"items": ITEMS[:1], "judgments": JUDGMENTS}
    for kind, records in groups.items():
        for suffix in ("jsonl", "parquet", "csv"):
            if (kind, suffix) != ("items", "csv"):
                assize.write(place / f"{kind}.{suffix}", records)
                found[f"{kind}.{suffix}"] = (place / f"{kind}.{suffix}").read_bytes()
    return found


# ── made odd ────────────────────────────────────────────────────────────────────────────────


def odd(value: Any, rng: random.Random) -> Any:
    """A copy with one to three values made odd, taken away, doubled, or exchanged."""
    found = copy.deepcopy(value)
    for _ in range(rng.randint(1, 3)):
        every = list(places(found))
        if not every:
            break
        holder, key = rng.choice(every)
        match rng.randrange(6):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[key]))
            case 2 if isinstance(holder, dict) and isinstance(key, str):
                holder[rng.choice([key.upper(), key + "\ud800", "", "id", "turns"])] = holder[key]
            case 3:
                other, name = rng.choice(every)
                with suppress(LookupError):
                    holder[key] = copy.deepcopy(other[name])
            case _:
                holder[key] = copy.deepcopy(rng.choice(ODD))
    return found


def odd_cells(cells: list[list[str]], rng: random.Random) -> list[list[str]]:
    found = copy.deepcopy(cells)
    for _ in range(rng.randint(1, 3)):
        line = rng.choice(found)
        line[rng.randrange(len(line))] = str(rng.choice(ODD))
    return found


def packed(data: bytes, rng: random.Random) -> bytes:
    match rng.randrange(5):
        case 0:
            return gzip.compress(data, compresslevel=1)
        case 1:
            return bytes(pa.compress(data, codec="zstd", asbytes=True))
        case _:
            return data


def inputs(place: Path, rng: random.Random) -> Iterator[Input]:
    """Without end: the files that there are, damaged or made odd."""
    objects, cells, whole = rows(), tables(), list(written(place).values())
    whole += [json_lines(one) for one in objects.values()]
    whole += [json.dumps(one, indent=1).encode() for one in objects.values()]
    whole += [table(one) for one in cells.values()]
    whole += [parquet(one, rng) for one in objects.values()]
    names, formats = list(objects), [None, None, *FORMATS]
    while True:
        other = rng.choice(formats)
        match rng.randrange(6):
            case 0 | 1:
                data = damaged(rng.choice(whole), rng)
            case 2:
                data = damaged(packed(rng.choice(whole), rng), rng)
            case 3:
                data = parquet(odd(objects[rng.choice(names)], rng), rng)
            case 4:
                name = rng.choice(list(cells))
                data = table(odd_cells(cells[name], rng), rng.choice(",;\t"))
                other = rng.choice([None, name, other])
            case _:
                name = rng.choice(names)
                values = odd(objects[name], rng)
                data = json_lines(values) if rng.random() < 0.5 else json.dumps(values).encode()
                other = rng.choice([None, name, other])
        yield Input(data, other)


# ── read ────────────────────────────────────────────────────────────────────────────────────


def read_all(place: Path, one: Input) -> None:
    """Reads an input by every way that commands read files, and writes what was read."""
    path = place / "x"
    path.write_bytes(one.data)
    errors: list[AssizeError] = []
    for record in iter_records(path, ReadOptions(format=one.format), lambda _: None):
        json_line(to_json(record))
    for way in (read, read_judgments):
        try:
            list(way(str(path), format=one.format))
        except AssizeError as error:
            str(error)
            errors.append(error)
    if len(errors) == 2:
        raise errors[0]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: 100,000 files need not reach a disk."""
    import tempfile

    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else tmp_path) as made:
        yield Path(made)


def some(made: Iterator[Any], count: int) -> Iterator[Any]:
    return (next(made) for _ in range(count))


@pytest.mark.filterwarnings("default")  # those of parsers about what they are given
def test_a_damaged_file_is_read_or_refused(memory: Path) -> None:
    made = some(inputs(memory, random.Random(0)), tries(700) * 80 // 100)
    assert fuzz("files", made, partial(read_all, memory)).mixed


def test_odd_objects_in_memory_are_read_or_refused() -> None:
    rng, objects = random.Random(1), rows()

    def take(values: list[Any]) -> None:
        list(read(values, on_error="skip"))
        read_judgments(values)

    made = (odd(objects[rng.choice(list(objects))], rng) for _ in range(tries(700) * 20 // 100))
    assert fuzz("objects", made, take).mixed


@pytest.mark.parametrize("path", corpus("readers"), ids=lambda path: path.name)
def test_files_that_once_broke_a_reader_are_read_or_refused(path: Path, memory: Path) -> None:
    whole = Input(path.read_bytes())
    trial = fuzz(path.name, [whole, replace(whole, format="openai")], partial(read_all, memory))
    assert trial.inputs == 2
