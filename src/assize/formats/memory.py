"""Rows that are in memory: Python objects, data frames, Arrow tables.

They become the rows that a file with the same content has, so that whatever is known of
formats holds for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from assize.base.errors import DataError, shorten
from assize.formats.plain_json import to_plain
from assize.formats.rows import Row, batch_rows, check_header

if TYPE_CHECKING:
    import pyarrow as pa


class ArrowSource(Protocol):
    """What gives its rows as Arrow columns: tables of pyarrow, frames of pandas and polars."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


def object_rows(values: Iterable[tuple[int, Any]], source: str) -> Iterator[Row]:
    """A row an object, as if it had stood in a JSON file.

    Args:
        values: each with its place in its list, from 0.
        source: what the rows are called in errors, and in ids that are made for them.
    """
    for index, value in values:
        try:
            yield Row(to_plain(value), source, index + 1)
        except ValueError as error:
            yield Row(None, source, index + 1, str(error), shorten(value))
        except RecursionError:
            yield Row(None, source, index + 1, "nested too deeply", shorten(value))


def is_frame(value: object) -> bool:
    """Whether it is a data frame, an Arrow table, or a dataset; told by what it can do, for
    none of their libraries need be loaded."""
    if isinstance(value, type):
        return False
    if _is_dataset(value) or _is_pandas(value):
        return True
    return hasattr(value, "__arrow_c_stream__") and (
        hasattr(value, "schema") or hasattr(value, "columns")
    )


def _is_dataset(value: object) -> bool:
    """Whether it is a `datasets.Dataset`; one that streams is read row by row instead."""
    able = hasattr(value, "with_format") and hasattr(value, "num_rows")
    return able and not isinstance(value, Mapping)  # nor one by split


def _is_pandas(value: object) -> bool:
    return hasattr(value, "iloc") and hasattr(value, "columns")


def arrow_table(frame: Any, source: str) -> pa.Table | None:
    """A data frame, a dataset, or anything with an Arrow stream, as one Arrow table.

    The index of a pandas frame is left out, as it is by `to_parquet(index=False)`.

    Returns:
        None for a pandas frame with a column of values of several kinds, which Arrow has not.

    Raises:
        DataError: two columns have one name, or the columns cannot be read.
    """
    import pyarrow as pa

    try:
        if _is_pandas(frame):
            check_header([str(name) for name in frame.columns], source)
            return _from_pandas(frame)
        if _is_dataset(frame):
            # Not `.data`: a dataset that was filtered or shuffled keeps all rows there.
            frame = frame.with_format("arrow")[:]
        table = pa.table(frame)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DataError(
            f"the columns of this {type(frame).__name__} cannot be read ({error})", source=source
        ) from error
    check_header(table.column_names, source)
    return table


def _from_pandas(frame: Any) -> pa.Table | None:
    import pyarrow as pa

    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return None


def frame_rows(frame: Any, table: pa.Table | None, source: str) -> Iterator[Row]:
    """The rows of a Parquet file with these columns; of `frame` itself where `table` is None."""
    if table is not None:
        return batch_rows(table.to_batches(), source)
    names = [str(name) for name in frame.columns]
    rows = (
        dict(zip(names, map(_cell, row), strict=True))
        for row in frame.itertuples(index=False, name=None)
    )
    return object_rows(enumerate(rows), source)


def _cell(value: Any) -> Any:
    """The value of a cell of pandas, whose marks for what is absent are several."""
    import pandas as pd

    return None if pd.api.types.is_scalar(value) and pd.isna(value) else value
