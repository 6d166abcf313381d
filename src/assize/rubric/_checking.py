"""What must hold between the parts of a rubric; each failure names its place in the file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from assize.base.judgment import NOT_APPLICABLE, Question
from assize.formats.yaml_nodes import Fail
from assize.rubric._conditions import CONDITIONS, known
from assize.rubric._rubric import END, Rubric

RESERVED = ("plain", "reasons", "fewshot")
_CHOICES = ("ordinal", "nominal", "binary")
_FEWEST = 2


def check(rubric: Rubric, fail: Fail) -> None:
    """Raises what `fail` makes of the first thing that cannot be."""
    seen: set[str] = set()
    for place, one in _placed(rubric):
        if one.id in seen:
            raise fail(f"two questions have the id {one.id!r}", *place, "id")
        seen.add(one.id)
        if one.kind in _CHOICES:
            _check_answers(one, place, fail)
        elif one.answers or one.values:
            raise fail(f"a question of kind {one.kind} has no answers", *place, "answers")
        elif one.audience != "people":
            problem = f"of kind {one.kind} is asked of people only; write `for: people`"
            raise fail(f"a question {problem}, or give it answers", *place)
        if not known(one.applies):
            allowed = ", ".join((*CONDITIONS, "metadata.KEY", "metadata.KEY=VALUE"))
            raise fail(f"received {one.applies!r}; allowed are {allowed}", *place, "applies")
        _check_range(one, place, fail)
    _check_skips(rubric, fail)
    _check_main(rubric, fail)
    for name in rubric.personas:
        if name in RESERVED:
            raise fail(f"{name!r} is a variant's own name; choose another", "personas", name)
    _check_examples(rubric, fail)


def _placed(rubric: Rubric) -> Iterator[tuple[tuple[str | int, ...], Question]]:
    for number, section in enumerate(rubric.sections):
        for place, one in enumerate(section.questions):
            yield ("sections", number, "questions", place), one


def _check_answers(one: Question, place: tuple[str | int, ...], fail: Fail) -> None:
    here = (*place, "answers")
    if len(one.answers) < _FEWEST or (one.kind == "binary" and len(one.answers) != _FEWEST):
        wanted = "exactly two" if one.kind == "binary" else "at least two"
        raise fail(f"{one.kind} needs {wanted} answers; there are {len(one.answers)}", *here)
    if len(set(one.answers)) < len(one.answers):
        raise fail(f"an answer stands twice in {', '.join(one.answers)}", *here)
    if NOT_APPLICABLE in one.answers:
        problem = f"{NOT_APPLICABLE} is given where a question does not apply and is no answer"
        raise fail(f"{problem}; use `applies`", *here)
    if one.kind == "nominal":
        if one.values is not None:
            raise fail("nominal answers are not ordered and have no values", *here)
        return
    values = one.values or ()
    if any(math.isnan(value) for value in values):
        raise fail("give a value to every answer, or to none", *here)
    if any(high <= low for low, high in pairwise(values)):
        shown = ", ".join(f"{value:g}" for value in values)
        raise fail(f"{one.kind} answers stand lowest first; their values are {shown}", *here)


def _check_range(one: Question, place: tuple[str | int, ...], fail: Fail) -> None:
    if one.range is None:
        return
    low, high = one.range
    if one.kind != "number" or not low < high or not math.isfinite(high - low):
        problem = "only a question of kind number has a range, from a lower to a higher number"
        raise fail(problem, *place, "range")


def _check_skips(rubric: Rubric, fail: Fail) -> None:
    order = [one.id for one in rubric.questions]
    for place, one in _placed(rubric):
        for answer, target in rubric.skips.get(one.id, {}).items():
            here = (*place, "skip", answer)
            if answer not in one.answers:
                allowed = ", ".join(one.answers)
                raise fail(f"received the answer {answer!r}; allowed are {allowed}", *here)
            later = order[order.index(one.id) + 1 :]
            if target != END and target not in later:
                allowed = ", ".join((END, *later))
                raise fail(f"received {target!r}; a skip goes to one of {allowed}", *here)


def _check_main(rubric: Rubric, fail: Fail) -> None:
    choices = [one.id for one in rubric.questions if one.kind in _CHOICES]
    if rubric.main not in choices:
        allowed = ", ".join(choices) or "a question with answers, of which there is none"
        raise fail(f"received {rubric.main!r}; the main question is one of {allowed}", "main")


def _check_examples(rubric: Rubric, fail: Fail) -> None:
    asked = {one.id: one for one in rubric.asked("models")}
    for number, example in enumerate(rubric.examples):
        for id, answer in example.answers.items():
            here = ("examples", number, "answers", id)
            if id not in asked:
                raise fail(f"models are asked {', '.join(asked)}", *here)
            if answer not in asked[id].answers:
                raise fail(
                    f"received {answer!r}; allowed are {', '.join(asked[id].answers)}", *here
                )
        for id in example.reasons:
            if id not in example.answers:
                raise fail(
                    "a reason for an answer that is not given", "examples", number, "reasons", id
                )
