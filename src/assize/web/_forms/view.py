"""A form as a template shows it: every word, key, id and rule is settled here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from assize.base.judgment import NOT_APPLICABLE, Question
from assize.web._forms.form import END, Answers, Field, Form
from assize.web._forms.letters import keys

FORM_ID = "answers"  # of the <form> element that sends the fields, wherever they stand
_LONG = 320  # characters of a definition that always stands above its questions
_MORE = 3  # empty lines of a `pick` behind those that are filled in
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to choose: its words, its key, whether it is chosen, whether a judge would."""

    answer: str
    text: str
    key: str
    chosen: bool = False
    suggested: bool = False


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field.

    Args:
        id: of its element; its problem, note and controls add to it.
        legend: what is asked.
        goes: what a reader without JavaScript is told of answers that pass over others.
        values: texts that stand in it, as many as lines are shown.
        list_id: of the list that completes a `pick`.
        range: of a number.
        when, when_answers: the field and the answers (JSON) after which it is asked; "" always.
        scale: whether its answers are bare numbers, which stand in a row.
    """

    name: str
    id: str
    widget: str
    legend: str
    note: str
    problem: str
    required: bool
    options: tuple[Option, ...] = ()
    values: tuple[str, ...] = ()
    goes: str = ""
    list_id: str = ""
    range: tuple[float, float] | None = None
    when: str = ""
    when_answers: str = ""
    scale: bool = False
    suggested: bool = False


@dataclass(frozen=True, slots=True)
class SectionView:
    """Fields that stand together; `open` says whether they are shown at first."""

    id: str
    title: str
    instructions: str
    fields: tuple[FieldView, ...]
    open: bool = True

    @property
    def folds(self) -> bool:
        """Whether the instructions are so long that they are folded below the title."""
        return len(self.instructions) > _LONG


@dataclass(frozen=True, slots=True)
class FormView:
    """A form with what was answered.

    Args:
        sections: without the fields that stand beside turns.
        lists: by id, the answers that complete a `pick`, each with what it means.
        skips: the rules as JSON, field -> answer -> `end` or a later field.
    """

    sections: tuple[SectionView, ...]
    placed: Mapping[int, tuple[FieldView, ...]] = field(default_factory=dict)
    lists: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    skips: str = "{}"
    form_id: str = FORM_ID
    problems: int = 0

    def beside(self, turn: int) -> tuple[FieldView, ...]:
        """The fields beside one turn; () for most."""
        return self.placed.get(turn, ())


def view(
    form: Form,
    answers: Answers | None = None,
    problems: Mapping[str, str] | None = None,
    suggestion: Answers | None = None,
) -> FormView:
    """A form as it is shown.

    Args:
        answers: by field, that were given or saved before; None where nobody answered yet, so that
            suggestions are filled in.
        problems: by field, what must be put right.
        suggestion: by field, what a judge proposes.
    """
    wrong, proposed = dict(problems or {}), dict(suggestion or {})
    said = proposed if answers is None else answers
    lists: dict[str, tuple[tuple[str, str], ...]] = {}
    placed: dict[int, tuple[FieldView, ...]] = {}
    sections = []
    for number, section in enumerate(form.sections):
        shown = [
            (
                one,
                _field(
                    form,
                    one,
                    said.get(one.name),
                    wrong.get(one.name, ""),
                    proposed.get(one.name),
                    lists,
                    fresh=answers is None,
                    asked=one.when is None or one.when.holds(said),
                ),
            )
            for one in section.fields
        ]
        for one, seen in shown:
            if one.turn is not None:
                placed[one.turn] = (*placed.get(one.turn, ()), seen)
        here = tuple(seen for one, seen in shown if one.turn is None)
        is_open = not section.folded or any(one.problem or one.values for one in here)
        if here or not section.fields:
            sections.append(
                SectionView(f"s{number}", section.title, section.instructions, here, is_open)
            )
    rules = {one: dict(goes) for one, goes in form.skips.items()}
    return FormView(tuple(sections), placed, lists, json.dumps(rules), problems=len(wrong))


def words(question: Question, answer: str) -> str:
    """An answer as people read it, without the number that it has in the records.

    >>> labels = {"1": "not at all", "yes": "it is", "both": "both do"}
    >>> asked = Question("q", answers=("1", "yes", "both", "none"), labels=labels)
    >>> [words(asked, one) for one in asked.answers]
    ['not at all', 'yes: it is', 'both do', 'none']
    """
    label = question.labels.get(answer, "")
    if answer == NOT_APPLICABLE:
        return label or "does not apply"
    if not label:
        return answer
    says_it = re.search(rf"\b{re.escape(answer)}\b", label)
    if question.kind == "preference" or says_it or _NUMBER.fullmatch(answer):
        return label
    return f"{answer}: {label}"


def _field(
    form: Form,
    one: Field,
    given: str | list[str] | None,
    problem: str,
    proposed: str | list[str] | None,
    lists: dict[str, tuple[tuple[str, str], ...]],
    *,
    fresh: bool,
    asked: bool,
) -> FieldView:
    id = f"f-{re.sub(r'[^A-Za-z0-9_-]', '-', one.name)}"
    values = _several(given)
    if given is None and (fresh or not asked):
        values = list(one.initial)
    chosen = one.widget in ("radio", "checks")
    list_id = ""
    if one.widget == "pick":
        list_id = _listed(one.question, lists)
        values = [*filter(None, values), *[""] * _MORE]
    return FieldView(
        one.name,
        id,
        one.widget,
        one.question.text or one.name,
        one.note,
        problem,
        one.required,
        _options(one, values, _several(proposed)) if chosen else (),
        () if chosen else tuple(values),
        _goes(form, one),
        list_id,
        one.question.range,
        "" if one.when is None else one.when.field,
        "" if one.when is None else json.dumps(list(one.when.answers)),
        scale=chosen
        and not one.question.labels
        and all(_NUMBER.fullmatch(answer) for answer in one.question.answers),
        suggested=proposed is not None,
    )


def _several(given: str | list[str] | None) -> list[str]:
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)


def _options(one: Field, chosen: list[str], proposed: list[str]) -> tuple[Option, ...]:
    key = keys(one)
    answers = (*one.question.answers, *([NOT_APPLICABLE] if one.not_applicable else []))
    return tuple(
        Option(
            answer,
            words(one.question, answer),
            key.get(answer, ""),
            answer in chosen,
            answer in proposed,
        )
        for answer in answers
    )


def _listed(question: Question, lists: dict[str, tuple[tuple[str, str], ...]]) -> str:
    """The id of the list with a question's answers; fields with the same answers share one."""
    answers = tuple((one, question.labels.get(one, "")) for one in question.answers)
    for id, known in lists.items():
        if known == answers:
            return id
    id = f"list-{len(lists)}"
    lists[id] = answers
    return id


def _goes(form: Form, one: Field) -> str:
    """What answers to a field make needless, in a sentence."""
    texts = {field.name: field.question.text or field.name for field in form.fields}
    said = []
    for answer, target in form.skips.get(one.name, {}).items():
        meant = words(one.question, answer)
        if target == END:
            said.append(f"After “{meant}” leave out all that follows.")
        elif target in texts:
            said.append(f"After “{meant}” go on with “{texts[target]}”.")
    if one.when is not None:
        before = next(field for field in form.fields if field.name == one.when.field)
        after = " or ".join(f"“{words(before.question, answer)}”" for answer in one.when.answers)
        said.append(f"It counts only after {after}.")
    return " ".join(said)
