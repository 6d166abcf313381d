"""Instructions and worked examples of a task, as raters read them."""

from __future__ import annotations

from collections.abc import Iterator

from assize.web._forms.filled import fill
from assize.web._forms.form import Answers, Form
from assize.web._tasks.definition import Example, Task, problem_in
from assize.web._tasks.kind import Worked
from assize.web._tasks.kinds import kind_of


def instructions_of(task: Task) -> str:
    """What raters are told, Markdown: what holds for the kind, then what the task says."""
    parts = (kind_of(task).instructions(task).strip(), task.instructions.strip())
    return "\n\n".join(part for part in parts if part)


def examples_of(task: Task) -> tuple[Worked, ...]:
    """The worked examples of a task: its own, or where it has none those of its kind.

    Raises:
        DataError: an example names no item of the task, or an answer that its form does not
            offer; says the line.
    """
    return tuple(_own(task)) if task.examples else tuple(kind_of(task).examples(task))


def _own(task: Task) -> Iterator[Worked]:
    kind = kind_of(task)
    known = {one.id: one for one in kind.items(task)}
    for number, one in enumerate(task.examples):
        if one.item not in known:
            problem = f"the task has no item {one.item!r}"
            raise problem_in(task, problem, "examples", number, "item")
        answers = _checked(task, kind.form(task, known[one.item]), one, number)
        yield Worked(known[one.item], answers, one.why, one.reasons)


def _checked(task: Task, form: Form, one: Example, number: int) -> Answers:
    """The example's answers, which the form allows."""
    names = [field.name for field in form.fields]
    for part, said in (("answers", one.answers), ("reasons", one.reasons)):
        for name in said:
            if name not in names:
                problem = f"this item is not asked {name!r}; it is asked {', '.join(names)}"
                raise problem_in(task, problem, "examples", number, part, name)
    posted = {
        name: [said] if isinstance(said, str) else list(said) for name, said in one.answers.items()
    }
    filled = fill(form, posted)
    for name, problem in filled.problems.items():
        if name in one.answers:
            raise problem_in(task, problem, "examples", number, "answers", name)
    return filled.answers
