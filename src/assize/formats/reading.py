"""Reading any known file as a stream of records, a bad record never passing unseen."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

from assize.base.conversation import Role
from assize.base.errors import ConfigError, DataError
from assize.formats.any_log.field_list import describe_fields
from assize.formats.any_log.mapped import check_mapping, mapped
from assize.formats.any_log.mapping import FieldMapping, parse_mapping
from assize.formats.any_log.paths import ABSENT, find
from assize.formats.any_log.propose import Proposal, propose_mapping
from assize.formats.files import Location
from assize.formats.format import Format, Options
from assize.formats.logs.chat import OPENAI
from assize.formats.logs.turns_csv import is_one_chat
from assize.formats.own.assize_jsonl import ASSIZE
from assize.formats.own.parquet import ASSIZE_PARQUET
from assize.formats.ratings.layout import explain_missing_column
from assize.formats.ratings.rating_table import RATINGS
from assize.formats.read_options import ReadOptions
from assize.formats.records import Record
from assize.formats.rejects import OnReject, Reject, describe_misfit
from assize.formats.rows import Container, Row, Sample, open_rows, sampled
from assize.formats.sources import dataset_rows, files_of, is_dataset
from assize.formats.table import FORMATS, installed, named
from assize.formats.wrapped import (
    RecordList,
    choose_list,
    find_conversations,
    find_lists,
    unwrap_rows,
)
from assize.results.log import log

USUAL = ReadOptions()
_WHAT_TO_DO = "; mend the record, or leave bad ones out with --on-error skip"


def iter_records(
    location: Location, options: ReadOptions = USUAL, on_reject: OnReject | None = None
) -> Iterator[Record]:
    """Yield the records of a file, in the order of the file.

    Args:
        location: a path, an fsspec URL, or `-`; `.gz` and `.zst` are read as they are. A folder
            or a pattern such as `day-*.jsonl` is read file by file, sorted by name;
            `hf://datasets/OWNER/NAME[/CONFIG][:SPLIT]` is a data set of the Hugging Face hub.
        options: how it is read; `on_error` is the caller's affair.
        on_reject: called with each bad record, which is then passed over; when None
            the first bad record raises.

    Raises:
        DataError: the file or a record cannot be read; says where and what to do.
        ConfigError: an option is not known.
    """
    for file in files_of(location):
        with open_records(file, options, on_reject) as opened:
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
    location: Location, options: ReadOptions = USUAL, on_reject: OnReject | None = None
) -> Iterator[Opened]:
    """Open one file for a caller who also wants its format and the place of each record."""
    if is_dataset(str(location)):
        name = str(location)
        sample, rows = sampled("json", dataset_rows(name), name, what="the data set")
        yield parse_rows(sample, rows, options, on_reject)
        return
    with open_rows(location, options.max_bytes) as (sample, rows):
        yield parse_rows(sample, rows, options, on_reject)


def parse_rows(
    sample: Sample, rows: Iterator[Row], options: ReadOptions, on_reject: OnReject | None = None
) -> Opened:
    """Return the records of rows wherever they came from: a file, or the caller's memory."""
    if options.format is None and not sample.rows:
        bad = next(rows)
        problem = f"{bad.problem} (none of the first records can be read)"
        raise DataError(problem, source=bad.source, line=bad.line)
    sample, rows = unwrap_rows(sample, rows, partial(_is_known, options=options))
    chosen = _choose_format(sample, options)
    _check_values(chosen, options.values)
    hint = sample if options.format is None and chosen.name in _GENERAL else None
    if on_reject is None:
        on_reject = partial(_refuse, sample=sample, chosen=chosen, options=options)
    records = _records(rows, chosen, options.parsing, on_reject, hint)
    return Opened(sample.source, chosen, records)


def _is_known(sample: Sample, options: ReadOptions) -> bool:
    """Whether rows of such a sample are those of the format or the mapping, or of any format."""
    if options.mapping.maps and not sample.has("item", "judge"):
        try:
            check_mapping(options.mapping, sample, is_readable=True)
        except DataError:
            return False
        return True
    return _recognised(sample, options.format) is not None


def _choose_format(sample: Sample, options: ReadOptions) -> Format:
    """The format that is asked for or recognised, or made of the mapping; files of judgments,
    which may stand beside a mapped log, are what they are."""
    mapping, format = options.mapping, options.format
    if not mapping.maps or sample.has("item", "judge"):
        if mapping.skipped:
            raise ConfigError(
                "roles: skip leaves out messages of a log that is read by a mapping;"
                " name its list of messages, as --map turns=messages"
            )
        if format is None and (mapping.columns or mapping.item) and _recognised(sample) is None:
            return RATINGS
        return recognise(sample) if format is None else named(format)
    if format is not None:
        raise ConfigError(f"map and format {format} do not go together; leave one out")
    made = mapped(mapping)
    try:
        missing = check_mapping(mapping, sample)
    except DataError as error:
        records = find_conversations(sample)
        if records is not None and _is_meant(mapping, records):
            error.problem += f"; {_say_list(records)}"
        raise
    for why in missing:
        log.warning("%s: the mapping finds nothing in the first records: %s", sample.source, why)
    return made


def _is_meant(mapping: FieldMapping, records: RecordList) -> bool:
    """Whether a mapping seems to be of the records of a list: its id is theirs, or a path leads
    into the list."""
    path = mapping.fields.get("id")
    if path is not None and find(records.sample.first, path) is not ABSENT:
        return True
    return any(path.startswith(f"{records.path}.") for path in mapping.fields.values())


def _records(
    rows: Iterator[Row],
    chosen: Format,
    options: Options,
    on_reject: OnReject,
    hint: Sample | None,
) -> Iterator[tuple[int, Record]]:
    """The records; `hint` is a sample of what may be a log of another shape."""
    good = _readable(rows, on_reject)
    if chosen.gather is not None:
        good = _readable(chosen.gather(good, options), on_reject)
    first = True
    for row in good:
        try:
            records = _parse(chosen, row, options)
        except RecursionError:
            error = DataError("is nested too deeply", source=row.source, line=row.line)
            _reject(error, "", on_reject)
            continue
        except DataError as error:
            if first and hint is not None and error.problem.startswith("is missing"):
                proposal = propose_mapping(hint)
                if proposal is not None:
                    command = proposal.format_command(hint.source)
                    error.problem += f"; or read it by a mapping: {command}"
            first = False
            _reject(
                error.at(row.source, row.line),
                json.dumps(row.value, ensure_ascii=False, default=str),
                on_reject,
            )
            continue
        first = False
        for record in records:
            yield row.line, record


def _parse(chosen: Format, row: Row, options: Options) -> list[Record]:
    if options.roles and chosen in (ASSIZE, ASSIZE_PARQUET):
        row = replace(row, value=_rename_roles(row.value, options.roles))
    try:
        return list(chosen.parse(row, options))
    except DataError as error:
        if row.sheet:
            error.problem = f"sheet {row.sheet}: {error.problem}"
        raise


def _rename_roles(value: Any, roles: Mapping[str, Role]) -> Any:
    """A record of assize's own whose turns have roles for the names of them; the log's own word
    is kept as `speaker`."""
    if not isinstance(value, dict):
        return value
    for field in ("turns", "context", "a", "b"):
        for turn in value[field] if isinstance(value.get(field), list) else ():
            name = turn.get("role") if isinstance(turn, dict) else None
            known = roles.get(name.strip().lower()) if isinstance(name, str) else None
            if known not in (None, name):
                turn |= {"role": known, "speaker": name}
    return value


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
    chosen = _recognised(sample) or _nearest(sample)
    if chosen is not None:
        return chosen
    table = sample.rows if sample.container == "csv" else ()
    hint = explain_missing_column([row for row in table if isinstance(row, Mapping)])
    fields = _describe(sample, is_explained=bool(hint))
    raise DataError(f"{hint}this format is not known; {fields}", source=sample.source)


def _recognised(sample: Sample, name: str | None = None) -> Format | None:
    """The first format, or the one of this name, that recognises the sample."""
    for container in _AS[sample.container]:
        for candidate in chain(FORMATS.values(), installed()) if name is None else [named(name)]:
            if candidate.recognise(replace(sample, container=container)):
                return candidate
    return None


def _describe(sample: Sample, *, is_explained: bool) -> str:
    """The fields of the records, and how to read them; briefly where the likely remedy is said."""
    proposal, records = propose_mapping(sample), None
    if proposal is None and len(sample.rows) == 1:
        for part in find_lists(sample):
            tried = propose_mapping(part.sample)
            if tried is not None and _reads_list(sample, part, tried):
                proposal, records = tried, part
                break
    if proposal is None:
        records = find_conversations(sample)
    inner = sample if records is None else records.sample
    chats = [part.path for part in find_lists(sample) if is_one_chat(part.sample)]
    expected = f"; messages stand in {chats[0]}, but are expected in messages" if chats else ""
    fields = f"the fields are: {', '.join(describe_fields(inner)) or 'none'}{expected}. "
    if is_explained and proposal is None:
        return f"{fields}Say which is what, as --map role=FIELD,text=FIELD,id=FIELD"
    if records is not None:
        fields = f"{_say_list(records)}; {fields}"
    if proposal is not None:
        command = proposal.format_command(sample.source)
        first = f"the first {len(inner.rows)} rows"
        return f"{fields}This mapping reads {proposal.records} of {first}: {command}"
    return fields + (
        "Say where role, text and id stand, as --map role=FIELD,text=FIELD,id=FIELD (with"
        " turns=FIELD for a list of messages or a transcript; user=FIELD,assistant=FIELD for a"
        " question and its answer a row; a=FIELD,b=FIELD,gold=FIELD for pairs), or choose a format"
        " with --format (format of assize.read in Python): docs/formats-reference.md lists them"
    )


def _reads_list(sample: Sample, records: RecordList, proposal: Proposal) -> bool:
    """Whether a file is read as the records of this list by a mapping."""
    mapping = parse_mapping(proposal.map, proposal.roles or None)
    is_known = partial(_is_known, options=ReadOptions(mapping=mapping))
    chosen = None if is_known(sample) else choose_list(sample, is_known)
    return chosen is not None and chosen.path == records.path


def _say_list(records: RecordList) -> str:
    return f"the records are the list {ascii(records.path)[1:-1]}; give paths within them"


def _nearest(sample: Sample) -> Format | None:
    """The format that a row without an id, or with a bad first turn, can only be: reading it says
    what is wrong."""
    if isinstance(sample.first.get("turns"), list):
        return ASSIZE_PARQUET if sample.container == "parquet" else ASSIZE
    if isinstance(sample.first.get("messages"), list) and "chosen" not in sample.first:
        return OPENAI
    return None


def _check_values(chosen: Format, values: Mapping[str, str]) -> None:
    for option in values:
        if option not in chosen.options:
            known = ", ".join(chosen.options) or "none"
            raise ConfigError(f"format {chosen.name} has no option {option!r}; it has {known}")


def _readable(rows: Iterable[Row], on_reject: OnReject) -> Iterator[Row]:
    for row in rows:
        if row.problem is None:
            yield row
        else:
            error = DataError(row.problem, source=row.source, line=row.line)
            _reject(error, row.raw, on_reject)


def _reject(error: DataError, raw: str, on_reject: OnReject) -> None:
    place = error.source or "", error.line or 0
    on_reject(Reject(*place, error.field, error.problem, raw[:10_000]))


def _refuse(reject: Reject, sample: Sample, chosen: Format, options: ReadOptions) -> None:
    """Raise for a bad record, and say what to do: leave it out, unless most are bad.

    Raises:
        DataError: always.
    """
    misfit = _find_misfit(sample, chosen, options)
    advice = _WHAT_TO_DO
    if misfit is not None:
        advice = f"; of the first records: {misfit}; mend --map, or choose another --format"
    raise DataError(
        f"{reject.problem}{advice}", source=reject.source, line=reject.line, field=reject.field
    )


def _find_misfit(sample: Sample, chosen: Format, options: ReadOptions) -> str | None:
    """What is said where most of the first records are bad; None where they are not."""
    reasons: Counter[str] = Counter()
    rows = (Row(value, sample.source, number) for number, value in enumerate(sample.rows, 1))
    trial = mapped(options.mapping, quiet=True) if chosen.name == "mapped" else chosen
    count = sum(
        1
        for _ in _records(
            rows, trial, options.parsing, lambda reject: reasons.update([reject.reason]), None
        )
    )
    return describe_misfit(chosen.name, reasons, count + reasons.total())
