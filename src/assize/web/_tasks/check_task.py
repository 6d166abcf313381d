"""A task held against its own files before anybody works on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from assize.base.conversation import Item
from assize.base.errors import DataError
from assize.base.judgment import NOT_APPLICABLE
from assize.web._forms.filled import fill
from assize.web._forms.form import Form
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.inputs import read_votes
from assize.web._tasks.kind import Kind
from assize.web._tasks.kinds import kind_of
from assize.web._tasks.marking import expected_of, known_as, question_of
from assize.web._tasks.suggest import proposals
from assize.web._tasks.worked import examples_of


def check_task(task: Task, tasks: Sequence[Task] = ()) -> tuple[str, ...]:
    """Check a task before the app starts, and return what may be a mistake.

    Args:
        task: as `read_task` returns it.
        tasks: other tasks of the same project, which this one may name.

    Returns:
        One sentence for each thing that is allowed but may be a mistake.

    Raises:
        DataError: settings, items, examples, gold, qualification or suggestions do not fit
            together; the message says which, on which line of the task's file, and what is allowed.
    """
    kind = kind_of(task)
    check_settings(task, tasks)
    items = {one.id: one for one in kind.items(task)}
    for one in items.values():
        form = kind.form(task, one)
        _check_form(task, one, form)
    examples_of(task)
    told = (*_gold(task, kind, items), *_qualification(task, kind), *_suggestions(task, items))
    _check_examples(task, kind)
    return told


def check_settings(task: Task, tasks: Sequence[Task] = ()) -> None:
    """What can be told without reading the items; arguments and errors as of `check_task`."""
    kind_of(task).check(task)
    _check_other(task, tasks)


def _check_form(task: Task, item: Item, form: Form) -> None:
    """A form whose own initial texts it would refuse cannot be sent."""
    names = [one.name for one in form.fields]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise problem_in(task, f"{item.id!r} is asked {twice!r} twice", "settings")
    initial = {one.name: one.initial for one in form.fields if one.initial}
    problems = fill(form, initial).problems
    for name in initial:
        if name in problems and not problems[name].startswith("Please answer"):
            raise problem_in(task, f"{item.id!r}, {name}: {problems[name]}", "items")


def _check_other(task: Task, tasks: Sequence[Task]) -> None:
    other = task.settings.get("of") if task.kind == "proofread" else None
    if other and tasks:
        known = [one.name for one in tasks if one.kind == "write"]
        if other not in known:
            there = ", ".join(known) or "none"
            problem = f"no task {other!r} of writers; there are {there}"
            raise problem_in(task, problem, "settings", "of")


def _gold(task: Task, kind: Kind, items: Mapping[str, Item]) -> Iterator[str]:
    if task.gold is None:
        return
    known = _expected(task, task.gold.judgments, "gold")
    here = known.keys() & items.keys()
    if not here:
        raise problem_in(task, "none of the items has a gold answer", "gold", "judgments")
    _check_answers(task, kind, items, {item: known[item] for item in known if item in here}, "gold")
    if len(here) == len(items):
        yield "every item is gold; nothing is left to rate"
    if len(known) > len(here):
        yield f"{len(known) - len(here)} gold items are not among the task's"


def _qualification(task: Task, kind: Kind) -> Iterator[str]:
    if task.qualification is None:
        return
    try:
        items = _qualifying(task, kind)
    except DataError as error:
        raise problem_in(task, str(error), "qualification", "items") from None
    if not items:
        problem = "it has no items, and would pass everybody; name a file with some, or take it out"
        raise problem_in(task, problem, "qualification", "items")
    known = _expected(task, task.qualification.judgments, "qualification")
    for name in items:
        if name not in known:
            problem = f"{name!r} has no answers that count as right"
            raise problem_in(task, problem, "qualification", "judgments")
    _check_answers(task, kind, items, {name: known[name] for name in items}, "qualification")
    if len(items) < 3:
        yield f"the qualification has only {len(items)} items; chance passes more people"


def _qualifying(task: Task, kind: Kind) -> dict[str, Item]:
    given = task.qualification
    named = () if given is None else kind.items(replace(task, items=tuple(given.items)))
    return {item.id: item for item in named}


def _check_examples(task: Task, kind: Kind) -> None:
    """An example shows raters the answers of its item, on which they cannot be tested then."""
    tests = dict.fromkeys(_qualifying(task, kind), "the qualification")
    if task.gold is not None:
        tests |= dict.fromkeys(expected_of(task, task.gold.judgments), "gold")
    for number, one in enumerate(task.examples):
        if one.item in tests:
            problem = (
                f"raters are shown the answers of {one.item!r}, which is an item of"
                f" {tests[one.item]}; choose another example, or leave the item out there"
            )
            raise problem_in(task, problem, "examples", number, "item")


def _expected(task: Task, files: Sequence[str], place: str) -> dict[str, dict[str, str]]:
    read_votes(task, files, place, "judgments")
    try:
        return expected_of(task, tuple(files))
    except DataError as error:
        raise problem_in(task, str(error), place, "judgments") from None


def _check_answers(
    task: Task,
    kind: Kind,
    items: Mapping[str, Item],
    expected: Mapping[str, Mapping[str, str]],
    place: str,
) -> None:
    """What counts as right is asked of the item, and offered."""
    questions = {one.id: one for one in kind.questions(task)}
    for item, answers in expected.items():
        offered = {one.name: one.question for one in kind.form(task, items[item]).fields}
        rows = kind.asked(task, items[item])
        asked = [known_as(*row) for row in rows]
        about = {name for name, _ in rows}
        counted = {name: one for name in answers if (one := question_of(name, questions))}
        for name, question in counted.items():
            answer = answers[name]
            if name not in asked:
                if question.id in about:
                    problem = f"{item!r} is not asked {name}; it is asked {', '.join(asked)}"
                    raise problem_in(task, problem, place, "judgments")
                continue
            allowed = offered.get(name, question).answers
            if allowed and answer not in (*allowed, NOT_APPLICABLE):
                problem = (
                    f"{item!r}: {answer!r} is no answer to {name}; allowed are {', '.join(allowed)}"
                )
                raise problem_in(task, problem, place, "judgments")
        if not counted:
            there, known = ", ".join(answers) or "nothing", ", ".join(questions)
            problem = f"{item!r} has answers to {there}; the task asks {known}"
            raise problem_in(task, problem, place, "judgments")


def _suggestions(task: Task, items: Mapping[str, Item]) -> Iterator[str]:
    if task.suggestions is None:
        return
    lacking = len(items.keys() - proposals(task).keys())
    if lacking:
        yield f"{lacking} of {len(items)} items have no suggestion"
