"""From files in any format to files in any other, as one stream; no kind of record is lost."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from assize.conversation import Continuation, Conversation, Pair
from assize.errors import ConfigError, DataError, OutputError
from assize.formats.files import Location, is_url, plain_suffix
from assize.formats.format import Options
from assize.formats.labels import Labels, labelled, learn
from assize.formats.reading import (
    OnReject,
    Reject,
    named,
    open_records,
    questions_beside,
    questions_path,
)
from assize.formats.records import Record
from assize.formats.writing import Write, open_writer, unparser, write_questions
from assize.judgment import Judgment, Question, infer_questions

_KINDS: Mapping[type, str] = {
    Conversation: "conversations",
    Pair: "pairs",
    Continuation: "continuations",
    Judgment: "judgments",
}
_SUFFIXES = {"jsonl", "json", "ndjson", "parquet", "csv", "tsv"}
_MOST_ANSWERS = 1000


def kind_of(record: Record) -> str:
    """The word for the record's kind: conversations, pairs, continuations or judgments."""
    return _KINDS[type(record)]


def counted(count: int, kind: str) -> str:
    """A count with the word for it.

    >>> counted(1, "pairs"), counted(32210, "judgments")
    ('1 pair', '32,210 judgments')
    """
    return f"{count:,} {kind[:-1] if count == 1 else kind}"


@dataclass(frozen=True, slots=True)
class Converted:
    """What a conversion did.

    Args:
        kinds: records written, by kind.
        files: records written, by file and kind.
        questions: the file with the questions of the judgments, if there are any.
        inferred: ids of the questions whose scale was guessed from the answers seen.
        formats: the format that each input was read as.
    """

    kinds: Mapping[str, int]
    files: Mapping[str, Mapping[str, int]]
    questions: str | None
    inferred: tuple[str, ...]
    formats: Mapping[str, str]


class _Sink(Protocol):
    """Where the records of a conversion go."""

    files: dict[str, Counter[str]]

    def put(self, record: Record) -> None: ...
    def finish(self) -> str | None: ...


def convert(
    sources: Iterable[Location],
    out: Location,
    *,
    format: str | None = None,
    to: str | None = None,
    options: Options | None = None,
    on_reject: OnReject | None = None,
    advance: Callable[[], None] | None = None,
) -> Converted:
    """Reads all sources and writes their records to `out`, in memory one at a time.

    Args:
        sources: paths, URLs or `-`.
        out: a folder gets one file a kind (`conversations.jsonl`, `pairs.jsonl`,
            `continuations.jsonl`, `judgments.jsonl` with `questions.json`); a file gets
            the items, and judgments stand beside it as `STEM.judgments.SUFFIX` unless
            there is nothing else. `-` gets everything as JSON lines.
        format: of the sources; recognised from the content when None.
        to: a format that can be written; chosen by the suffix when None.
        options: for the reading format.
        on_reject: called with each record that cannot be read, or cannot be held by
            the format to write; when None the first one raises.
        advance: called after each record.

    Raises:
        DataError: a file or a record is bad.
        ConfigError: `out` is one of the sources, or a name is not known.
        OutputError: a file could not be written.
    """
    inputs = list(sources)
    _refuse_same(inputs, out)
    if to is not None:
        unparser(named(to))
    scales, formats, kinds = _Scales(), {}, Counter[str]()
    with _sink(out, to) as sink:
        for source in inputs:
            with open_records(
                source, format=format, options=options, on_reject=on_reject
            ) as opened:
                formats[opened.source] = opened.format.name
                scales.know(questions_beside(source), opened.format.questions)
                for line, record in opened.records:
                    if _put(sink, record, (opened.source, line), on_reject):
                        kinds[kind_of(record)] += 1
                        scales.see(record)
                    if advance is not None:
                        advance()
    table = sink.finish()
    questions, inferred = scales.questions()
    beside = None
    if table is not None and questions:
        write_questions(table, questions)
        beside = str(questions_path(table))
    files = {path: dict(counts) for path, counts in sink.files.items()}
    return Converted(kinds, files, beside, inferred, formats)


def _refuse_same(sources: Iterable[Location], out: Location) -> None:
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


def _put(sink: _Sink, record: Record, place: tuple[str, int], on_reject: OnReject | None) -> bool:
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


@contextmanager
def _sink(out: Location, to: str | None) -> Iterator[_Sink]:
    with ExitStack() as stack:
        if str(out) == "-":
            yield _One(stack, out, to)
        elif is_folder(out):
            yield _Folder(stack, out, to)
        else:
            yield _File(stack, out, to)


def is_folder(out: Location) -> bool:
    """Whether a place to write to is a folder: by its `/`, its lack of a suffix, or there.

    >>> is_folder("corpus"), is_folder("s3://bucket/corpus/"), is_folder("corpus.jsonl")
    (True, True, False)
    """
    name = str(out)
    if name.endswith(("/", os.sep)) or not Path(name).suffix:
        return True
    return not is_url(out) and Path(name).is_dir()


class _One:
    """Everything in one stream of JSON lines."""

    def __init__(self, stack: ExitStack, out: Location, to: str | None) -> None:
        self.files: dict[str, Counter[str]] = defaultdict(Counter)
        self._write = stack.enter_context(open_writer(out, format=to))

    def put(self, record: Record) -> None:
        self._write(record)
        self.files["-"][kind_of(record)] += 1

    def finish(self) -> str | None:
        return None


class _Folder:
    """One file a kind of record."""

    def __init__(self, stack: ExitStack, out: Location, to: str | None) -> None:
        if not is_url(out):
            _make(Path(out))
        self.files: dict[str, Counter[str]] = defaultdict(Counter)
        self._stack, self._to = stack, to
        self._base = str(out).rstrip("/")
        self._suffix = {"assize-parquet": ".parquet", "assize-csv": ".csv"}.get(to or "", ".jsonl")
        self._open: dict[str, Write] = {}

    def put(self, record: Record) -> None:
        kind = kind_of(record)
        foreign = self._to if self._suffix == ".jsonl" and kind != "judgments" else None
        path = f"{self._base}/{kind}{'.csv' if foreign == 'turns-csv' else self._suffix}"
        if kind not in self._open:
            self._open[kind] = self._stack.enter_context(open_writer(path, format=foreign))
        self._open[kind](record)
        self.files[path][kind_of(record)] += 1

    def finish(self) -> str | None:
        return next((path for path in self.files if "/judgments." in path), None)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"this folder cannot be made ({error.strerror})", source=str(folder)
        ) from error


class _File:
    """Items in the file itself, judgments beside it; or in it, where nothing else came."""

    def __init__(self, stack: ExitStack, out: Location, to: str | None) -> None:
        self.files: dict[str, Counter[str]] = defaultdict(Counter)
        self._stack, self._out, self._to = stack, str(out), to
        self._beside = judgments_beside(self._out)
        self._items: Write | None = None
        self._judgments: Write | None = None

    def put(self, record: Record) -> None:
        if not isinstance(record, Judgment):
            if self._items is None:
                to = self._to or _items_format(self._out, record)
                self._items = self._stack.enter_context(open_writer(self._out, format=to))
            self._items(record)
            self.files[self._out][kind_of(record)] += 1
            return
        if self._judgments is None:
            self._judgments = self._stack.enter_context(open_writer(self._beside))
        self._judgments(record)
        self.files[self._beside][kind_of(record)] += 1

    def finish(self) -> str | None:
        if self._beside not in self.files:
            return None
        foreign = self._to is not None and not self._to.startswith("assize")
        if self._items is not None or foreign:
            return self._beside
        _move(self._beside, self._out)
        self.files[self._out] = self.files.pop(self._beside)
        return self._out


def _items_format(out: str, record: Record) -> str | None:
    table = plain_suffix(out) in (".csv", ".tsv") and isinstance(record, Conversation)
    return "turns-csv" if table else None


def judgments_beside(out: str) -> str:
    """Where judgments go that come with the items of a file.

    >>> judgments_beside("a/chat.jsonl.gz"), judgments_beside("chat.txt")
    ('a/chat.judgments.jsonl.gz', 'chat.judgments.jsonl')
    """
    folder, slash, name = out.rpartition("/")
    packed = next((end for end in (".gz", ".zst") if name.endswith(end)), "")
    stem, _, suffix = name.removesuffix(packed).rpartition(".")
    if suffix not in _SUFFIXES:
        suffix = "jsonl"
    return f"{folder}{slash}{stem}.judgments.{suffix}{packed}"


def _move(source: str, target: str) -> None:
    if is_url(target):
        import fsspec

        system, path = fsspec.core.url_to_fs(target)
        system.mv(system._strip_protocol(source), path)
    else:
        os.replace(source, target)


class _Scales:
    """The questions of the judgments that pass by."""

    def __init__(self) -> None:
        self._beside: dict[str, Question] = {}
        self._formats: dict[str, Question] = {}
        self._seen: dict[str, dict[str, None]] = {}
        self._labels: Labels = {}

    def know(self, beside: Iterable[Question], formats: Iterable[Question]) -> None:
        for known, given in ((self._beside, beside), (self._formats, formats)):
            for question in given:
                known.setdefault(question.id, question)

    def see(self, record: Record) -> None:
        if not isinstance(record, Judgment):
            return
        learn(self._labels, record)
        answers = self._seen.setdefault(record.question, {})
        if len(answers) > _MOST_ANSWERS:
            return
        if record.answer is not None:
            answers[record.answer] = None
        answers |= dict.fromkeys(record.distribution or ())

    def questions(self) -> tuple[list[Question], tuple[str, ...]]:
        """Those that stood in a file and those that were answered; ids of those inferred."""
        known = dict(self._beside)
        inferred = []
        for name, answers in self._seen.items():
            if name in known:
                continue
            if name in self._formats:
                known[name] = self._formats[name]
                continue
            inferred.append(name)
            known[name] = replace(_inferred(name, answers), extra={"inferred": True})
        return [labelled(one, self._labels) for one in known.values()], tuple(inferred)


def _inferred(name: str, answers: Mapping[str, None]) -> Question:
    if len(answers) > _MOST_ANSWERS:
        return Question(id=name, kind="text")
    return infer_questions(Judgment("", "", name, answer=answer) for answer in answers or [None])[
        name
    ]
