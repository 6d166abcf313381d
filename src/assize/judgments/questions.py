"""The questions that several sources of judgments ask: each has one scale, and one name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, infer_question, join_questions

MOST_ANSWERS = 1000  # a question with more different answers is free text

Names = Mapping[str, str]


class Questions:
    """Gathers the questions of judgments, source by source, and infers those that none states."""

    def __init__(self) -> None:
        self._source = ""
        self._apart = Apart()
        self._offered: dict[str, Question] = {}
        self._known: dict[str, tuple[Question, str]] = {}
        self._answers: dict[str, dict[str, None]] = {}
        self._words: dict[str, dict[str, str]] = {}
        self._texts: dict[str, str] = {}

    def merge(
        self, source: object, stated: Iterable[Question], offered: Iterable[Question] = ()
    ) -> tuple[Names, Names]:
        """Begin a source, whose questions of sets that differ get names of their own.

        Args:
            source: its name, for errors.
            stated: questions of the source.
            offered: those that only count where a judgment answers them.

        Returns:
            New names of questions that came before, and of the source's.

        Raises:
            DataError: a question has another scale in an earlier source.
        """
        questions = [one for one in stated if not one.extra.get("inferred")]
        before, now = self._apart.enter(questions)
        self._rename(before)
        self.begin(source, (replace(one, id=now.get(one.id, one.id)) for one in questions), offered)
        return before, now

    def begin(
        self, source: object, stated: Iterable[Question], offered: Iterable[Question] = ()
    ) -> None:
        """As `merge`, where rows that came before can get no other names."""
        self._source = str(source)
        self._offered = {one.id: one for one in offered}
        for one in stated:
            if not one.extra.get("inferred"):
                self._add_question(one)

    def _rename(self, names: Names) -> None:
        for old, new in names.items():
            question, source = self._known.pop(old)
            self._known[new] = (replace(question, id=new), source)
            for facts in (self._answers, self._words, self._texts):
                if old in facts:
                    facts[new] = facts.pop(old)  # type: ignore[assignment]

    def add_row(self, row: Judgment) -> None:
        """Take note of a judgment's question and answers."""
        given = [] if row.answer is None else [row.answer]
        self._add_answers(row.question, (*(row.distribution or ()), *given))
        self._add_words(row)

    def add_table(self, table: Any) -> None:
        """As `add_row`, of a whole `JudgmentTable`; a scale that it inferred stays as wide."""
        for name, answers in table.answers_seen(known=self._known).items():
            inferred = table.questions[name].answers if name in table.inferred else ()
            self._add_answers(name, (*answers, *inferred))
        for mark in ('"label"', '"asked"'):
            for row in table.filter(table.mentions("details", mark)):
                self._add_words(row)

    def _add_answers(self, question: str, answers: Iterable[str]) -> None:
        if question in self._offered:
            offered = self._offered.pop(question)
            if self._known.get(question, ("", ""))[1] != self._source:
                self._add_question(offered)
        seen = self._answers.setdefault(question, {})
        if question not in self._known and len(seen) <= MOST_ANSWERS:
            seen |= dict.fromkeys(answers)

    def _add_words(self, row: Judgment) -> None:
        """How the question was put, and the words that an answer came with."""
        if row.details is None:
            return
        text, words = row.details.get("asked"), row.details.get("label")
        if isinstance(text, str):
            self._texts.setdefault(row.question, text)
        if isinstance(words, str) and row.answer is not None:
            self._words.setdefault(row.question, {}).setdefault(row.answer, words)

    def _add_question(self, question: Question) -> None:
        earlier, source = self._known.setdefault(question.id, (question, self._source))
        joined = join_questions(earlier, question)
        if joined is None:
            raise DataError(
                f"question {question.id!r} has two scales: {_describe(earlier)} in {source},"
                f" {_describe(question)} here; use the files apart, or rename the question in one",
                source=self._source,
            )
        self._known[question.id] = (joined, source)

    def result(self) -> tuple[dict[str, Question], frozenset[str]]:
        """Return every question that was stated or answered, and ids of the inferred ones."""
        inferred = {
            name: replace(
                infer_question(name, answers)
                if len(answers) <= MOST_ANSWERS
                else Question(id=name, kind="text"),
                extra={"inferred": True},
            )
            for name, answers in self._answers.items()
            if name not in self._known
        }
        known = {name: question for name, (question, _) in self._known.items()} | inferred
        return {name: self._with_words(one) for name, one in known.items()}, frozenset(inferred)

    def _with_words(self, question: Question) -> Question:
        """The question as it was put, with the words that its answers came with (`3: Neutral`)."""
        seen = self._words.get(question.id, {})
        words = {answer: seen[answer] for answer in question.answers if answer in seen}
        if not question.text and question.id in self._texts:
            question = replace(question, text=self._texts[question.id])
        return replace(question, labels=words | dict(question.labels)) if words else question


def _describe(question: Question) -> str:
    if question.range is not None:
        return f"{question.kind} {question.range[0]:g}..{question.range[1]:g}"
    return f"{question.kind} {', '.join(question.answers) or 'without answers'}"


SET = "set"  # the field of a question that says whose it is: name, and version

Differ = Callable[[Question, Question], bool]


def of_set(question: Question, name: str, version: str) -> Question:
    """A question that says to which set it belongs."""
    return replace(question, extra={**question.extra, SET: {"name": name, "version": version}})


def alike(one: Question, two: Question) -> bool:
    """Whether two questions ask the same, whichever set each belongs to."""
    return _bare(one) == _bare(two)


def _bare(one: Question) -> Question:
    return replace(one, extra={name: value for name, value in one.extra.items() if name != SET})


def _scales_differ(one: Question, two: Question) -> bool:
    return one.scale != two.scale


@dataclass
class Apart:
    """Questions that came so far; tells which names change when others come.

    Args:
        differ: whether two questions of one name must be told apart, by default where their
            scales differ.
    """

    differ: Differ = _scales_differ
    _known: dict[str, Question] = field(default_factory=dict)
    _split: set[str] = field(default_factory=set)

    def enter(self, questions: Iterable[Question]) -> tuple[dict[str, str], dict[str, str]]:
        """New names of what came before, and of what comes now.

        Only questions that both say their set get new names; of any other two the caller says
        that they differ.
        """
        before: dict[str, str] = {}
        now: dict[str, str] = {}
        for one in questions:
            earlier = self._known.get(one.id)
            both = earlier is not None and SET in one.extra and SET in earlier.extra
            if earlier is not None and both and self.differ(earlier, one):
                del self._known[one.id]
                self._split.add(one.id)
                before[one.id] = self._named(earlier)
            if one.id in self._split and SET in one.extra:
                now[one.id] = self._named(one)
            else:
                self._known.setdefault(one.id, one)
        return before, now

    def _named(self, one: Question) -> str:
        """By the set's name, and by its version too where another of that name is there."""
        said: Mapping[str, Any] = one.extra[SET]
        name = f"{one.id}@{said['name']}"
        taken = self._known.get(name)
        if taken is not None and self.differ(taken, replace(one, id=name)):
            name = f"{name} {said['version']}"
        self._known[name] = replace(one, id=name)
        return name
