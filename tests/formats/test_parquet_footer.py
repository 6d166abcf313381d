"""The footer that is read here says what pyarrow's says, and a damaged one is an error."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.fuzz.fuzzing import damaged

from assize.base.judgment import Judgment
from assize.formats import write
from assize.formats.parquet_footer import read_footer


def files(tmp_path: Path) -> list[Path]:
    write(tmp_path / "a.parquet", (Judgment(f"i{n}", "j", "q", score=n / 7) for n in range(40_000)))
    nested = pa.table(
        {
            "turns": [[{"role": "user", "said": ["x", None]}], None, []],
            "known": [{"a": 1}, {"a": 2}, None],
            "sum": pa.array([b"abcd"] * 3, pa.binary(4)),
            "many": pa.array([[("k", 1)], [], None], pa.map_(pa.string(), pa.int8())),
        }
    )
    pq.write_table(nested, tmp_path / "b.parquet", row_group_size=2)
    pq.write_table(nested.slice(0, 0), tmp_path / "c.parquet")
    return sorted(tmp_path.glob("*.parquet"))


def test_it_says_what_pyarrow_says(tmp_path: Path) -> None:
    for path in files(tmp_path):
        about = pq.read_metadata(path)
        with open(path, "rb") as stream:
            footer = read_footer(stream)
            assert stream.tell() == 0
        assert len(footer.groups) == about.num_row_groups
        for index, leaf in enumerate(footer.leaves):
            kind = about.schema.column(index)
            nested = kind.max_repetition_level > 0
            assert (leaf.path, leaf.kind, leaf.nested) == (kind.path, kind.physical_type, nested)
            assert leaf.length == max(kind.length or 0, 0)
        for group, (count, chunks) in enumerate(footer.groups):
            assert count == about.row_group(group).num_rows
            for index, chunk in enumerate(chunks):
                known = about.row_group(group).column(index)
                assert chunk.values == known.num_values
                assert chunk.unpacked == known.total_uncompressed_size
                assert chunk.codes == known.has_dictionary_page
                assert not chunk.prefixes
                stated = known.statistics
                assert chunk.nulls == (None if stated is None else stated.null_count)


def test_a_damaged_footer_is_an_error(tmp_path: Path) -> None:
    data, rng, refused = files(tmp_path)[1].read_bytes(), random.Random(0), 0
    for _ in range(2000):
        try:
            read_footer(io.BytesIO(damaged(data, rng)))
        except ValueError:
            refused += 1
    assert refused > 100


NESTED = b"\x1c" * 200 + b"\xc8\0\0\0PAR1"


@pytest.mark.parametrize("data", [b"", b"PAR1", b"\xff\xff\xff\xffPAR1", NESTED])
def test_what_is_no_footer_is_an_error(data: bytes) -> None:
    with pytest.raises(ValueError, match="footer"):
        read_footer(io.BytesIO(data))
