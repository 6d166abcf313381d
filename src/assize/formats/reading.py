"""Reading any known file as a stream of records, a bad record never passing unseen."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assize.errors import ConfigError, DataError
from assize.formats.any_log.asked import NOTHING, Asked, Map, Roles, asked_for, using, within
from assize.formats.any_log.mapped import check as check_mapping
from assize.formats.any_log.mapped import mapped
from assize.formats.any_log.proposing import proposal, seen
from assize.formats.any_log.turns import renamed
from assize.formats.files import Location, is_read_once, open_input, plain_suffix
from assize.formats.format import Format, Options
from assize.formats.hub import dataset_rows, is_dataset
from assize.formats.judgment_table_builder import JudgmentTableBuilder
from assize.formats.logs.openai import OPENAI, without_absent
from assize.formats.own.assize_jsonl import ASSIZE
from assize.formats.own.parquet import ASSIZE_PARQUET, judgment_columns
from assize.formats.questions import questions_beside
from assize.formats.records import Record
from assize.formats.rows import Container, Row, Sample, open_rows, sampled
from assize.formats.shards import OneFormat, files_of
from assize.formats.table import FORMATS, installed, named

if TYPE_CHECKING:
    from assize.judgments import JudgmentTable


log = logging.getLogger("assize")


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that was not read, and why; `raw` holds its first 10,000 characters."""

    source: str
    line: int
    field: str | None
    problem: str
    raw: str


_WHAT_TO_DO = "; mend the record, or leave bad ones out with --on-error skip"

OnReject = Callable[[Reject], None]


def read(
    location: Location,
    *,
    format: str | None = None,
    options: Options | None = None,
    on_reject: OnReject | None = None,
    map: Map | None = None,
    roles: Roles | None = None,
) -> Iterator[Record]:
    """The records of a file, one at a time, in the order of the file.

    Args:
        location: a path, an fsspec URL, or `-`; `.gz` and `.zst` are read as they are. A folder
            or a pattern such as `day-*.jsonl` is read file by file, sorted by name;
            `hf://datasets/OWNER/NAME[/CONFIG][:SPLIT]` is a data set of the Hugging Face hub.
        format: a name in `FORMATS`; recognised from the content when None.
        map: where the fields of an unknown log stand, as `role=author.role,text=body.text`,
            a dict, or a file `map.toml`.
        roles: what a log's names of roles mean, as `customer=user,agent=assistant` or a dict.
        options: for formats that have some, such as `rater_column`.
        on_reject: called with each bad record, which is then passed over; when None
            the first bad record raises.

    Raises:
        DataError: the file or a record cannot be read; says where and what to do.
        ConfigError: the format or an option is not known.
    """
    return read_asked(
        location, format=format, options=options, on_reject=on_reject, asked=asked_for(map, roles)
    )


def read_asked(
    location: Location,
    *,
    format: str | None = None,
    options: Options | None = None,
    on_reject: OnReject | None = None,
    asked: Asked,
) -> Iterator[Record]:
    """As `read`, by a mapping that is parsed."""
    one_format = OneFormat(location)
    for one in files_of(location):
        with open_records(
            one, format=format, options=options, on_reject=on_reject, asked=asked
        ) as opened:
            one_format.check(opened.source, opened.format.name)
            for _, record in opened.records:
                yield record


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that is being read.

    Args:
        source: its name.
        format: the format that was recognised or asked for.
        records: each record with the line, item or row that it came from, in one pass.
    """

    source: str
    format: Format
    records: Iterator[tuple[int, Record]]


@contextmanager
def open_records(
    location: Location,
    *,
    format: str | None = None,
    options: Options | None = None,
    on_reject: OnReject | None = None,
    asked: Asked | None = None,
) -> Iterator[Opened]:
    """As `read` of one file, for a caller who also wants to know the format and each record's
    place. The mapping is `asked`, or the one in force."""
    how: Any = {"format": format, "options": options, "on_reject": on_reject, "asked": asked}
    if is_dataset(str(location)):
        name = str(location)
        yield opened(*sampled("json", dataset_rows(name), name, what="the data set"), **how)
        return
    with open_rows(location) as (sample, rows):
        yield opened(sample, rows, **how)


def opened(
    sample: Sample,
    rows: Iterator[Row],
    *,
    format: str | None = None,
    options: Options | None = None,
    on_reject: OnReject | None = None,
    asked: Asked | None = None,
) -> Opened:
    """As `open_records`, of rows wherever they came from: a file, or the caller's memory."""
    given = {} if options is None else dict(options)
    asked = asked_for() if asked is None else asked
    if format is None and not sample.rows:
        raise _unreadable(next(rows))
    chosen = _chosen(sample, format, asked)
    _check_options(chosen, given)
    if sample.container == "parquet" and chosen is OPENAI:
        rows = map(without_absent, rows)
    hint = sample if format is None and chosen.name in _GENERAL else None
    records = _records(rows, chosen, given, on_reject, asked, hint)
    return Opened(sample.source, chosen, records)


def _chosen(sample: Sample, format: str | None, asked: Asked) -> Format:
    """The format that is asked for or recognised, or made of the mapping; files of judgments,
    which may stand beside a mapped log, are what they are."""
    if not asked.maps or sample.has("item", "judge"):
        return recognise(sample) if format is None else named(format)
    if format is not None:
        raise ConfigError(f"map and format {format} do not go together; leave one out")
    found = mapped(asked)
    for why in check_mapping(asked, sample):
        log.warning("%s: the mapping finds nothing in the first records: %s", sample.source, why)
    return found


def _unreadable(row: Row) -> DataError:
    problem = f"{row.problem} (none of the first records can be read)"
    return DataError(problem, source=row.source, line=row.line)


def _records(
    rows: Iterator[Row],
    chosen: Format,
    options: Options,
    on_reject: OnReject | None,
    asked: Asked,
    hint: Sample | None,
) -> Iterator[tuple[int, Record]]:
    """The records; `hint` is a sample of what may be a log of another shape."""
    good = _readable(rows, on_reject)
    if chosen.gather is not None:
        steps = chosen.gather(good)
        good = _readable(steps if asked.columns is None else within(asked, steps), on_reject)
    first = True
    for row in good:
        try:
            records = _parsed(chosen, row, options, asked)
        except RecursionError:
            error = DataError("is nested too deeply", source=row.source, line=row.line)
            _reject(error, "", on_reject)
            continue
        except DataError as error:
            if first and hint is not None and error.problem.startswith("is missing"):
                error.problem += _hint(hint)
            first = False
            _reject(error.at(row.source, row.line), _raw(row.value), on_reject)
            continue
        first = False
        for record in records:
            yield row.line, record


def _parsed(chosen: Format, row: Row, options: Options, asked: Asked) -> list[Record]:
    if not asked.roles:
        return list(chosen.parse(row, options))
    if chosen in (ASSIZE, ASSIZE_PARQUET):
        row = replace(row, value=renamed(row.value, asked.roles))
    with using(asked):
        return list(chosen.parse(row, options))


def _hint(sample: Sample) -> str:
    """How a mapping would read it; "" where none is found."""
    found = proposal(sample)
    return "" if found is None else f"; or read it by a mapping: {found.told(sample.source)}"


def _raw(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


# As what rows are recognised, by how they are stored: lists of messages in Parquet are what
# they are in JSON, and a table of turns is one wherever it stands.
_AS: Mapping[Container, tuple[Container, ...]] = {
    "json": ("json", "csv"),
    "csv": ("csv",),
    "parquet": ("parquet", "csv", "json"),
}
# What a log of another shape may be taken for.
_GENERAL = frozenset({"assize", "assize-parquet", "openai"})


def recognise(sample: Sample) -> Format:
    """The first format that recognises the sample, those of installed packages last, else the
    one that it comes nearest to.

    Raises:
        DataError: it comes near to none.
    """
    for container in _AS[sample.container]:
        for candidate in chain(FORMATS.values(), installed()):
            if candidate.recognise(replace(sample, container=container)):
                return candidate
    nearest = _nearest(sample)
    if nearest is not None:
        return nearest
    fields = ", ".join(seen(sample)) or "none"
    raise DataError(
        f"this format is not known; the fields are: {fields}. {_what_to_do(sample)}",
        source=sample.source,
    )


def _what_to_do(sample: Sample) -> str:
    found = proposal(sample)
    if found is not None:
        read = f"{found.records} of the first {len(sample.rows)} rows"
        return f"This mapping reads {read}: {found.told(sample.source)}"
    return (
        "Say where role, text and id stand, as --map role=FIELD,text=FIELD,id=FIELD (with"
        " turns=FIELD for a list of messages; user=FIELD,assistant=FIELD for a question and its"
        " answer a row; a=FIELD,b=FIELD,gold=FIELD for pairs), or choose a format with --format"
        f" (format= in Python): {', '.join(FORMATS)}"
    )


def _nearest(sample: Sample) -> Format | None:
    """The format that a row without an id, or with a bad first turn, can only be: reading it says
    what is wrong."""
    if isinstance(sample.first.get("turns"), list):
        return ASSIZE_PARQUET if sample.container == "parquet" else ASSIZE
    if isinstance(sample.first.get("messages"), list) and "chosen" not in sample.first:
        return OPENAI
    return None


def _check_options(chosen: Format, options: Mapping[str, str]) -> None:
    for option in options:
        if option not in chosen.options:
            known = ", ".join(chosen.options) or "none"
            raise ConfigError(f"format {chosen.name} has no option {option!r}; it has {known}")


def _readable(rows: Iterable[Row], on_reject: OnReject | None) -> Iterator[Row]:
    for row in rows:
        if row.problem is None:
            yield row
        else:
            error = DataError(row.problem, source=row.source, line=row.line)
            _reject(error, row.raw, on_reject)


def _reject(error: DataError, raw: str, on_reject: OnReject | None) -> None:
    if on_reject is None:
        raise DataError(
            f"{error.problem}{_WHAT_TO_DO}",
            source=error.source,
            line=error.line,
            field=error.field,
        ) from error
    place = error.source or "", error.line or 0
    on_reject(Reject(*place, error.field, error.problem, raw[:10_000]))


def read_judgments(
    locations: Location | Iterable[Location],
    *,
    format: str | None = None,
    options: Options | None = None,
    on_reject: OnReject | None = None,
) -> JudgmentTable:
    """All judgments of some files, with the questions that stand beside them.

    Items among the records are passed over, save that a pair's inline `gold` is read as
    a judgment by the judge `gold`. A folder is read as a run: its `judgments.jsonl`.
    Questions without a definition are inferred, and `JudgmentTable.inferred` names them.
    Parquet with the columns of judgments is taken as columns, without a record a row.

    Args:
        locations: one, or several.

    Raises:
        DataError: a bad record; or two files give one question different scales.
    """
    builder = JudgmentTableBuilder()
    for location in [locations] if isinstance(locations, str | os.PathLike) else locations:
        add_file(builder, location, format=format, options=options, on_reject=on_reject)
    return builder.table()


def add_file(
    builder: JudgmentTableBuilder,
    location: Location,
    *,
    format: str | None = None,
    options: Options | None = None,
    on_reject: OnReject | None = None,
) -> None:
    """Adds the judgments of a file or of a run's folder, as `read_judgments` says."""
    path = _in_run(location)
    several = files_of(path)
    if several != [str(path)]:
        for one in several:
            add_file(builder, one, format=format, options=options, on_reject=on_reject)
        return
    whole = _columns(path) if format in (None, ASSIZE_PARQUET.name) else None
    if whole is not None:
        builder.add_table(path, whole, questions_beside(path))
        return
    with open_records(
        path, format=format, options=options, on_reject=on_reject, asked=NOTHING
    ) as found:
        records = (record for _, record in found.records)
        builder.add(path, records, questions_beside(path), found.format.questions)


def _columns(location: Location) -> JudgmentTable | None:
    """A Parquet file of judgments as it stands; None for any other, and where rows are to be
    looked at one by one because one of them is bad."""
    if is_read_once(location) or is_dataset(str(location)):
        return None
    with open_input(location) as stream:
        if stream.peek(4)[:4] != b"PAR1":
            return None
        return judgment_columns(stream, str(location))


def _in_run(location: Location) -> Location:
    """A run's judgments; a folder without is one of shards, if it holds any."""
    path = Path(str(location))
    if not path.is_dir():
        return location
    inside = path / "judgments.jsonl"
    shards = (one for one in path.iterdir() if plain_suffix(one) in (".jsonl", ".csv", ".parquet"))
    return location if not inside.exists() and any(shards) else inside
