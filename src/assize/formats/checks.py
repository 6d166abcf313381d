"""What is ill-formed in records that could be read: structure, references, judgments.

A finding is not an error: the record is whole, but somebody should look at it. `of_record`
sees what one record shows by itself; `Checker` adds what only shows across records and files.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize.base.arguments import plain_name
from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.invisible import count_invisible
from assize.base.judgment import NOT_APPLICABLE, Judgment, Question
from assize.base.signature import content_hash
from assize.formats.records import Record, kind_of
from assize.formats.rejects import Reject
from assize.formats.research.fields import MISSING
from assize.formats.transcripts import is_transcript
from assize.results import Hidden, Result, ResultTable, Table

# Every finding, with what to do about it.
FINDINGS: Mapping[str, str] = {
    "unreadable record": "mend it, or leave it out with --on-error skip",
    "duplicate id": "give each record its own id; judgments cannot tell these apart",
    "duplicate id across files": "rename one, or leave one file out",
    "same role twice in a row": "merge the turns, or look for a lost one",
    "empty turn": "fill it or remove it",
    "transcript in one turn": "read it as turns with --map turns=FIELD, where FIELD holds the text"
    " (messages.0.content for a list of messages)",
    "no assistant turn": "nothing here can be judged",
    "system turn not first": "move it to the front, or give it another role",
    "cites a missing source": "give the turn its references",
    "reference without text": "fill in what the source said",
    "invisible characters": "tags, zero-width or control characters: remove what you did not write",
    "identical responses": "no judge can prefer one",
    "empty response": "leave it out, or judge it knowing that it is empty",
    "no reference": "say in `references` what people said there; metrics leave it unscored",
    "duplicate judgment": "number repeated votes with `repeat`",
    "question not defined": "write its scale into questions.json beside the judgments",
    "question with a guessed scale": "correct its answers in NAME.questions.json, or in the JSON of"
    ' the workbook\'s sheet questions, and delete "inferred" there',
    "answer outside the scale": "mend the answer or the question",
    "cell that fits no answer": "mend the cell; until then it is unscored",
    "names that differ by case or spaces": "write a rater's name in one way, or they are two",
    "probabilities do not sum to 1": "state the rest as `outside`",
    "judged item not here": "name its file too, or mend the id",
}

PLACES = 3
_MASS = 1e-3
# [1] or 【1†...】, but not an index as in `a[1]`, nor a link as in [1](...).
_CITED = re.compile(r"(?<![\w\])])\[\^?(\d{1,2})\](?!\()|【(\d{1,2})[†】]")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
# A turn that calls a tool, or holds something else than text, may have no text.
_INSTEAD_OF_TEXT = frozenset({"tool_calls", "function_call", "content", "refusal", "audio"})


def of_record(record: Record, questions: Mapping[str, Question]) -> Iterator[str]:
    """The findings that one record shows by itself, each as often as it occurs.

    >>> list(of_record(Conversation("c", (Turn("user", " "),)), {}))
    ['empty turn', 'no assistant turn']
    """
    match record:
        case Conversation():
            yield from _of_turns(record.turns)
            if not any(turn.role == "assistant" for turn in record.turns):
                yield "no assistant turn"
        case Pair():
            yield from _of_pair(record)
        case Continuation():
            yield from _of_turns(record.context)
            if not record.candidate.strip():
                yield "empty response"
            if any(map(count_invisible, (record.candidate, *record.references))):
                yield "invisible characters"
            if not any(text.strip() for text in record.references):
                yield "no reference"
        case Judgment():
            yield from _of_judgment(record, questions)


def _of_turns(turns: Sequence[Turn]) -> Iterator[str]:
    sources: dict[str, int] = {}
    for index, turn in enumerate(turns):
        if not _says_something(turn):
            yield "empty turn"
        if is_transcript(turn.text, {"client"}):
            yield "transcript in one turn"
        if any(map(count_invisible, _texts_of(turn))):
            yield "invisible characters"
        if index and turn.role == turns[index - 1].role and turn.role in ("user", "assistant"):
            yield "same role twice in a row"
        if index and turn.role == "system":
            yield "system turn not first"
        for source in turn.references:
            sources[source.id] = len(sources) + 1
            if not source.text.strip():
                yield "reference without text"
        if turn.role == "assistant":
            cited = {first or second for first, second in _CITED.findall(_CODE.sub("", turn.text))}
            if not cited <= {*sources, *map(str, sources.values())}:  # by its id, or its place
                yield "cites a missing source"


def _texts_of(turn: Turn) -> Iterator[str]:
    """All texts of a turn: its own, those of its sources, and of its calls."""
    yield turn.text
    for source in turn.references:
        yield from (source.title, source.text)
    for call in turn.tool_calls:
        yield from (call.name, json.dumps(call.arguments, ensure_ascii=False))


def _says_something(turn: Turn) -> bool:
    return turn.says_something or not _INSTEAD_OF_TEXT.isdisjoint(turn.extra)


def _of_pair(pair: Pair) -> Iterator[str]:
    yield from _of_turns(pair.context)
    before = list(_of_turns(pair.context))
    for side in (pair.a, pair.b):
        whole = Counter(_of_turns((*pair.context, *side)))
        whole.subtract(before)
        empty = not any(_says_something(turn) for turn in side if turn.role == "assistant")
        if empty:
            yield "empty response"
            whole["empty turn"] = 0
        yield from (+whole).elements()
    if [_said(turn) for turn in pair.a] == [_said(turn) for turn in pair.b]:
        yield "identical responses"


def _said(turn: Turn) -> tuple[object, ...]:
    return (turn.role, turn.text, *((call.name, call.arguments) for call in turn.tool_calls))


def _of_judgment(judgment: Judgment, questions: Mapping[str, Question]) -> Iterator[str]:
    question = questions.get(judgment.question)
    if question is None:
        yield "question not defined"
    elif question.extra.get("inferred"):
        yield "question with a guessed scale"
    elif not on_scale(judgment, question):
        yield "answer outside the scale"
    if judgment.kind == "person" and _is_unreadable(judgment):
        yield "cell that fits no answer"
    if judgment.distribution is not None:
        outside = 0.0 if judgment.outside is None else judgment.outside
        if abs(sum(judgment.distribution.values()) + outside - 1) > _MASS:
            yield "probabilities do not sum to 1"


def _is_unreadable(judgment: Judgment) -> bool:
    return judgment.unscored is not None and judgment.unscored.reason == "parse"


def _is_blank(judgment: Judgment) -> bool:
    """Whether a person left the cell empty."""
    lost = judgment.unscored
    return lost is not None and lost.reason == MISSING and judgment.kind == "person"


def on_scale(judgment: Judgment, question: Question) -> bool:
    """Whether everything said is among the question's answers, or in its range."""
    said = set(judgment.distribution or ())
    if judgment.answer is not None:
        said.add(judgment.answer)
    allowed = {*question.answers, NOT_APPLICABLE}
    if question.answers and not said <= allowed:
        return False
    if question.range is None or judgment.score is None:
        return True
    low, high = question.range
    return low <= judgment.score <= high


@dataclass(slots=True)
class FileReport:
    """What was found in one file."""

    source: str  # its name
    format: str | None = None  # what it was read as; None when it could not be opened
    kinds: Counter[str] = field(default_factory=Counter)  # records by kind
    # how often each finding of `FINDINGS` occurs
    findings: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[str]] = field(default_factory=dict)  # the first places of each
    # what the unreadable records, or the file itself, suffer from; at most 3
    problems: list[str] = field(default_factory=list)

    def add(self, finding: str, place: str) -> None:
        """Counts a finding and remembers its place when it is one of the first."""
        self.findings[finding] += 1
        places = self.places.setdefault(finding, [])
        if len(places) < PLACES and place not in places:
            places.append(place)


class Checker:
    """Collects findings over records and files; ids stay in memory, records do not."""

    def __init__(self) -> None:
        self.files: list[FileReport] = []
        self._questions: dict[str, Question] = {}
        # In which file each id, by kind, was last seen.
        self._ids: dict[tuple[str, str], int] = {}
        self._keys: set[tuple[object, ...]] = set()
        self._judged: dict[str, tuple[FileReport, int]] = {}
        # By a name without case and spaces each spelling, and where it stands first.
        self._judges: dict[str, dict[str, tuple[FileReport, int]]] = {}

    def begin(self, source: str) -> FileReport:
        """Begins with the next file."""
        self.files.append(FileReport(source))
        self._questions = {}
        return self.files[-1]

    def know(self, questions: Iterable[Question]) -> None:
        """The questions that are defined for the judgments of the present file."""
        self._questions = {question.id: question for question in questions}

    def add(self, record: Record, line: int) -> None:
        """Looks at the next record of the present file."""
        report = self.files[-1]
        report.kinds[kind_of(record)] += 1
        for finding in of_record(record, self._questions):
            report.add(finding, str(line))
        if isinstance(record, Judgment):
            if not _is_blank(record):  # which another copy of a sheet repeats
                if record.key in self._keys:
                    report.add("duplicate judgment", str(line))
                self._keys.add(record.key)
            self._judged.setdefault(record.item, (report, line))
            spellings = self._judges.setdefault(plain_name(record.judge), {})
            spellings.setdefault(record.judge, (report, line))
        else:
            self._add_id((kind_of(record), record.id), line)

    def _add_id(self, key: tuple[str, str], line: int) -> None:
        report, here = self.files[-1], len(self.files) - 1
        before = self._ids.get(key)
        self._ids[key] = here
        if before == here:
            report.add("duplicate id", str(line))
        elif before is not None:
            report.add("duplicate id across files", str(line))

    def reject(self, reject: Reject) -> None:
        """Counts a record of the present file that could not be read."""
        report = self.files[-1]
        report.add("unreadable record", str(reject.line))
        if len(report.problems) < PLACES:
            where = f"{reject.field}: " if reject.field else ""
            report.problems.append(f"line {reject.line}: {where}{reject.problem}")

    def finish(self) -> list[FileReport]:
        """The reports, once every file has been read."""
        items = {id for _, id in self._ids}
        if items:
            for item, (report, line) in self._judged.items():
                if item not in items:
                    report.add("judged item not here", str(line))
        for spellings in self._judges.values():
            for report, line in [*spellings.values()][1:]:
                report.add("names that differ by case or spaces", str(line))
        self._judged, self._judges = {}, {}
        return self.files


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file, or what was in memory.

    Args:
        format: what it was read as; None when it could not be opened.
        records: how many, by kind.
    """

    file: str
    format: str | None
    records: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """What somebody should look at in a file.

    Args:
        count: how often it occurs.
        first_lines: where it occurs first.
    """

    file: str
    finding: str
    count: int
    first_lines: Sequence[str]


@dataclass(frozen=True)
class CheckResult(Result):
    """What is in each file, and what is wrong there.

    Args:
        unreadable: records and files that could not be read.
        problems: what they suffer from, by file; the command then ends with 2.
        card: what is in the files, where that was asked for.
    """

    files: Annotated[Sequence[CheckedFile], Table("Files", "What each file was read as.")]
    findings: Annotated[
        Sequence[Finding],
        Table("Findings", "Records that are whole, and should be looked at.", "file"),
    ]
    unreadable: Hidden[int] = 0
    problems: Sequence[str] = ()
    card: Result | None = None

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """The tables; that of files only where the format of one is known."""
        tables = dict(super().tables)
        if all(file.format is None for file in self.files):
            tables.pop("files", None)
        return tables

    @property
    def inner(self) -> Sequence[Result]:
        """The card, where there is one."""
        return () if self.card is None else (self.card,)

    @property
    def notes(self) -> Sequence[str]:
        """What to do about each finding."""
        advice = dict.fromkeys(finding.finding for finding in self.findings)
        notes = [f"{finding}: {FINDINGS[finding]}" for finding in advice]
        if not notes and not self.problems:
            notes.append("no findings")
        return notes if self.card is None else [*notes, *self.card.notes]

    @property
    def lines(self) -> Sequence[str]:
        """What makes the card reproducible."""
        return () if self.card is None else self.card.lines

    @property
    def signature(self) -> str:
        """Of the files' names."""
        described = repr(("check", 1, [file.file for file in self.files]))
        return content_hash(described, digits=12)


def summarise_check(reports: Sequence[FileReport]) -> CheckResult:
    """Return what the reports of some files come to."""
    findings = [
        Finding(report.source, finding, count, report.places[finding])
        for report in reports
        for finding, count in report.findings.items()
    ]
    unreadable = sum(report.findings["unreadable record"] for report in reports)
    return CheckResult(
        [CheckedFile(report.source, report.format, dict(report.kinds)) for report in reports],
        findings,
        unreadable + sum(report.format is None for report in reports),
        [f"{report.source}: {problem}" for report in reports for problem in report.problems],
    )
