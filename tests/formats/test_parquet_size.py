"""Small Parquet files that unfold to gigabytes are refused before they do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats import read_judgments, write
from assize.formats.limits import parse_size
from assize.formats.parquet_size import ParquetSize
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records

LONG, MANY = "y" * 1_000_000, 200


def test_prefixes_and_rows_are_counted_too(tmp_path: Path) -> None:
    prefixes = pa.ListArray.from_arrays(pa.array([0, 90], pa.int32()), SAID.field(1)[:90])
    written(
        tmp_path / "prefixes",
        {"messages": prefixes},
        use_dictionary=False,
        column_encoding={"messages.list.element": "DELTA_BYTE_ARRAY"},
    )
    written(tmp_path / "rows", {"id": pa.array(np.zeros(3_000_000, np.int8))})
    for name in ("prefixes", "rows"):
        with pytest.raises(DataError, match="unfold to more than 64 MB"):
            list(iter_records(tmp_path / name))


def test_judgments_are_bounded_as_a_whole_and_the_limit_can_be_lifted(tmp_path: Path) -> None:
    names = {
        name: pa.array([f"{n}" for n in range(90)])
        for name in ("item", "judge", "question", "answer")
    }
    path = written(
        tmp_path / "x.parquet",
        names | {"explanation": CODES.slice(0, 90).dictionary_decode()},
        dictionary_pagesize_limit=1 << 30,
    )
    for read in (read_judgments, lambda path: list(iter_records(path))):
        with pytest.raises(DataError, match="unfold to more than 64 MB"):
            read(path)
    rows = iter_records(path, ReadOptions(max_bytes=parse_size("1GB")))
    assert len(list(rows)) == len(read_judgments(path, max_bytes="1GB")) == 90


CODES = pa.DictionaryArray.from_arrays(pa.array(np.zeros(MANY, np.int32)), pa.array([LONG]))
ONE_LIST = pa.array([0, MANY], pa.int32())
SPEAKER = pa.array(["user"] * MANY)
SAID = pa.StructArray.from_arrays([SPEAKER, CODES.dictionary_decode()], ["role", "content"])
REPEATED = {
    "rows": {"text": CODES},
    "a list": {"messages": pa.ListArray.from_arrays(ONE_LIST, CODES)},
    "messages": {"messages": pa.ListArray.from_arrays(ONE_LIST, SAID)},
}


def written(path: Path, columns: dict[str, pa.Array], **how: object) -> Path:
    pq.write_table(pa.table(columns), path, compression="zstd", **how)
    return path


@pytest.mark.parametrize("columns", REPEATED.values(), ids=REPEATED)
def test_a_text_that_repeats_is_counted_as_often_as_it_does(
    columns: dict[str, pa.Array], tmp_path: Path
) -> None:
    path = written(tmp_path / "x.parquet", columns, dictionary_pagesize_limit=1 << 30)
    assert path.stat().st_size < 2000
    usual = pa.default_memory_pool()
    counted = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(counted)
    try:
        with pytest.raises(DataError, match=r"x\.parquet: \d+ B of it unfold to more than 64 MB"):
            list(iter_records(path, on_reject=lambda _: None))
    finally:
        pa.set_memory_pool(usual)
    assert counted.max_memory() < 50_000_000


def test_honest_judgments_pass_however_well_they_are_packed(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write(path, (Judgment(f"i{n // 3}", f"j{n % 3}", "q", answer="4") for n in range(60_000)))
    assert len(read_judgments(path)) == 60_000
    file = pq.ParquetFile(path)
    with open(path, "rb") as stream:
        assert sum(map(len, ParquetSize(file, stream, "x").batches())) == 60_000
