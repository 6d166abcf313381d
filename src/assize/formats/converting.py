"""From files in any format to files in any other, as one stream; no kind of record is lost."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from assize.base.errors import ConfigError, DataError, OutputError
from assize.base.judgment import Judgment
from assize.base.signature import sign
from assize.formats.files import Location, is_url
from assize.formats.items import Items
from assize.formats.questions import questions_beside, questions_path
from assize.formats.reading import open_records
from assize.formats.recipes import RecipeRun, StepCount
from assize.formats.records import Record, counted, kind_of
from assize.formats.rejects import OnReject, Reject
from assize.formats.sinks import Sink, open_sink
from assize.formats.table import named
from assize.formats.writing import unparser, write_questions
from assize.judgments.questions import Questions
from assize.results import Hidden, Result, Table

_NAMED = 5  # questions that a note names


@dataclass(frozen=True, slots=True)
class Written:
    """How many records of a kind stand in a file."""

    file: str
    kind: str
    records: int


@dataclass(frozen=True)
class Converted(Result):
    """Records that were converted, and the files that now hold them.

    Args:
        kinds: records written, by kind.
        files: records written, by file and kind.
        steps: what each step of a recipe left, where one chose pairs.
        recipe: the name of that recipe.
        formats: the format that each input was read as.
        rejects: how many bad records were left out.
        questions: the file with the questions of the judgments, if there are any.
        inferred: ids of the questions whose scale was guessed from the answers seen.
        left_out: what a recipe could not look at.
        asked: the options, which the signature holds.
    """

    kinds: Mapping[str, int]
    files: Annotated[Sequence[Written], Table("Written")]
    steps: Annotated[Sequence[StepCount], Table("Pairs that each step leaves")] = ()
    recipe: str | None = None
    formats: Mapping[str, str] = field(default_factory=dict)
    rejects: Hidden[int] = 0
    questions: str | None = None
    inferred: Sequence[str] = ()
    left_out: Sequence[str] = field(default=(), repr=False)
    asked: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def notes(self) -> Sequence[str]:
        """What was read as what, what stands where, what was guessed."""
        notes = [f"{source}: read as {name}" for source, name in self.formats.items()]
        counts: dict[str, list[str]] = {}
        for written in self.files:
            if written.file != "-":
                counts.setdefault(written.file, []).append(counted(written.records, written.kind))
        notes += [f"{path}: {', '.join(kinds)}" for path, kinds in counts.items()]
        if self.questions is not None:
            notes.append(f"{self.questions}: the questions that the judgments answer")
        if self.inferred:
            more = ", ..." if len(self.inferred) > _NAMED else ""
            names = ", ".join(self.inferred[:_NAMED]) + more
            guess = f"the scale of {names} is guessed from the answers seen; mend it in that file"
            notes.append(guess)
        if not self.kinds:
            notes.append("no records were converted")
        for step in self.steps:
            paper = f" (in the paper {step.paper})" if step.paper else ""
            notes.append(f"{step.step}: {counted(step.pairs, 'pairs')}{paper}")
        return [*notes, *self.left_out]

    @property
    def signature(self) -> str:
        """Of what was asked for."""
        return sign("convert", 1, self.asked)


def convert(
    source: Items,
    out: Location,
    *,
    to: str | None = None,
    advance: Callable[[], None] | None = None,
    recipe: RecipeRun | None = None,
) -> Converted:
    """Reads a source and writes its records to `out`, in memory one at a time.

    Args:
        source: files.
        out: a folder gets one file a kind (`conversations.jsonl`, `pairs.jsonl`,
            `continuations.jsonl`, `judgments.jsonl` with `questions.json`); a file gets
            the items, and judgments stand beside it as `STEM.judgments.SUFFIX` unless
            there is nothing else. `-` gets everything as JSON lines.
        to: a format that can be written; chosen by the suffix when None.
        advance: called after each record.
        recipe: keeps only the pairs that pass its steps, and counts them.
    """
    inputs, on_reject = source.files, source.begin_pass()
    refuse_same(inputs, out)
    if to is not None:
        unparser(named(to))
    asked, formats, kinds = Questions(), {}, Counter[str]()
    with open_sink(out, to) as sink:
        for file in inputs:
            with open_records(file, source.options, on_reject) as opened:
                formats[opened.source] = opened.format.name
                asked.begin(file, questions_beside(file), opened.format.questions)
                for line, record in opened.records:
                    if recipe is not None and recipe.full:
                        break
                    if recipe is not None and not recipe.keep(record):
                        continue
                    if _put(sink, record, (opened.source, line), on_reject):
                        kinds[kind_of(record)] += 1
                        if isinstance(record, Judgment):
                            asked.add_row(record)
                    if advance is not None:
                        advance()
    table = sink.finish()
    questions, inferred = asked.result()
    beside = None
    if table is not None and questions:
        write_questions(table, questions.values())
        beside = str(questions_path(table))
    files = [
        Written(str(path), kind, count)
        for path, counts in sink.files.items()
        for kind, count in counts.items()
    ]
    return Converted(
        kinds,
        files,
        () if recipe is None else recipe.counts(),
        None if recipe is None else recipe.name,
        formats,
        questions=beside,
        inferred=tuple(inferred),
        left_out=() if recipe is None else recipe.notes,
    )


def refuse_same(sources: Iterable[Location], out: Location) -> None:
    """Raises ConfigError where a source would be written over."""
    if is_url(out) or str(out) == "-":
        same = [source for source in sources if is_url(out) and str(source) == str(out)]
    else:
        same = [
            source
            for source in sources
            if not is_url(source) and Path(source).exists() and Path(out).exists()
            if os.path.samefile(source, out)
        ]
    if same:
        raise ConfigError(f"{out} is read and written at once; choose another name to write to")


def _put(sink: Sink, record: Record, place: tuple[str, int], on_reject: OnReject | None) -> bool:
    try:
        sink.put(record)
    except OutputError:
        raise
    except DataError as error:
        if on_reject is None:
            raise error.at(*place) from None
        on_reject(Reject(*place, error.field, error.problem, repr(record)[:10_000]))
        return False
    return True
