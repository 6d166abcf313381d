"""The questions of judgments: where they stand, which scale each has, and that it has one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, infer_question, join_questions
from assize.formats.files import Location, is_url, open_input
from assize.formats.records import question
from assize.formats.rows import decoded

if TYPE_CHECKING:
    from assize.judgments import JudgmentTable

MOST_ANSWERS = 1000  # a question with more different answers is free text


class Scales:
    """Gathers the questions of judgments that pass by; those of one name must have one scale."""

    def __init__(self) -> None:
        self._source = ""
        self._offered: dict[str, Question] = {}
        self._known: dict[str, tuple[Question, str]] = {}
        self._answers: dict[str, dict[str, None]] = {}
        self._words: dict[str, dict[str, str]] = {}
        self._texts: dict[str, str] = {}

    def enter(self, source: Location, beside: Iterable[Question], own: Iterable[Question]) -> None:
        """Begins a source: the questions beside it stay, its format's where they are answered."""
        self._source = str(source)
        self._offered = {one.id: one for one in own}
        for one in beside:
            if not one.extra.get("inferred"):
                self._adopt(one)

    def rename(self, names: Mapping[str, str]) -> None:
        """Gives questions that came before other names."""
        for old, new in names.items():
            if old in self._known:
                one, source = self._known.pop(old)
                self._known[new] = (replace(one, id=new), source)
            for kept in (self._answers, self._words, self._texts):
                if old in kept:
                    kept[new] = kept.pop(old)  # type: ignore[assignment]

    def see(self, row: Judgment) -> None:
        """Takes note of a judgment's question and answers."""
        said = [] if row.answer is None else [row.answer]
        self._see(row.question, (*(row.distribution or ()), *said))
        self._label(row)

    def see_all(self, table: JudgmentTable) -> None:
        """As `see`, of every row of a table."""
        for name, answers in table.answers_seen(known=self._known).items():
            self._see(name, answers)
        for mark in ('"label"', '"asked"'):
            for row in table.filter(table.mentions("details", mark)):
                self._label(row)

    def _see(self, question: str, answers: Iterable[str]) -> None:
        if question in self._offered:
            offered = self._offered.pop(question)
            if self._known.get(question, ("", ""))[1] != self._source:
                self._adopt(offered)
        seen = self._answers.setdefault(question, {})
        if question not in self._known and len(seen) <= MOST_ANSWERS:
            seen |= dict.fromkeys(answers)

    def _label(self, row: Judgment) -> None:
        if row.details is None:
            return
        asked, words = row.details.get("asked"), row.details.get("label")
        if isinstance(asked, str):
            self._texts.setdefault(row.question, asked)
        if isinstance(words, str) and row.answer is not None:
            self._words.setdefault(row.question, {}).setdefault(row.answer, words)

    def _adopt(self, one: Question) -> None:
        earlier, source = self._known.setdefault(one.id, (one, self._source))
        joined = join_questions(earlier, one)
        if joined is None:
            raise DataError(
                f"question {one.id!r} has two scales: {_shown(earlier)} in {source},"
                f" {_shown(one)} here; use the files apart, or rename the question in one",
                source=self._source,
            )
        self._known[one.id] = (joined, source)

    def questions(self) -> tuple[list[Question], tuple[str, ...]]:
        """Every question that was offered or answered; ids of those whose scale was guessed."""
        guessed = {
            name: replace(
                infer_question(name, answers)
                if len(answers) <= MOST_ANSWERS
                else Question(id=name, kind="text"),
                extra={"inferred": True},
            )
            for name, answers in self._answers.items()
            if name not in self._known
        }
        known = {name: one for name, (one, _) in self._known.items()} | guessed
        return [self._labelled(one) for one in known.values()], tuple(guessed)

    def _labelled(self, one: Question) -> Question:
        """The question as it was put, with the words that its answers came with (`3: Neutral`)."""
        learnt = self._words.get(one.id, {})
        words = {answer: learnt[answer] for answer in one.answers if answer in learnt}
        if not one.text and one.id in self._texts:
            one = replace(one, text=self._texts[one.id])
        return replace(one, labels=words | dict(one.labels)) if words else one


def _shown(one: Question) -> str:
    if one.range is not None:
        return f"{one.kind} {one.range[0]:g}..{one.range[1]:g}"
    return f"{one.kind} {', '.join(one.answers) or 'without answers'}"


def questions_beside(location: Location) -> tuple[Question, ...]:
    """The questions that stand in a file beside a table of judgments; () where none does."""
    if str(location) == "-":
        return ()
    beside = str(questions_path(location))
    for candidate in dict.fromkeys((beside, _sibling(beside, "questions.json"))):
        if _exists(candidate):
            return read_questions(candidate)
    return ()


def _exists(location: str) -> bool:
    if not is_url(location):
        return Path(location).is_file()
    import fsspec

    try:
        system, path = fsspec.core.url_to_fs(location)
        return bool(system.isfile(path))
    except Exception:  # an unknown or unreachable service holds no questions for us
        return False


def questions_path(location: Location) -> str | Path:
    """Where the questions of a table stand: `run/judgments.jsonl` -> `run/questions.json`,
    `scores.jsonl.gz` -> `scores.questions.json`; text for a URL, else a Path."""
    name = Path(str(location)).name
    stem = name.removesuffix(".gz").removesuffix(".zst").rpartition(".")[0] or name
    path = _sibling(
        str(location), "questions.json" if stem == "judgments" else f"{stem}.questions.json"
    )
    return path if is_url(location) else Path(path)


def _sibling(location: str, name: str) -> str:
    if is_url(location):
        return f"{location.rpartition('/')[0]}/{name}"
    return str(Path(location).with_name(name))


def read_questions(location: Location) -> tuple[Question, ...]:
    """The questions of a `questions.json`: a list of question records."""
    with open_input(location) as stream:
        try:
            values = decoded(stream.read().decode("utf-8-sig"))
        except ValueError as error:
            raise DataError(f"not JSON ({error})", source=str(location)) from error
    if not isinstance(values, list):
        raise DataError("expected a list of questions", source=str(location))
    try:
        return tuple(question(value) for value in values)
    except DataError as error:
        raise error.at(str(location), None) from None
