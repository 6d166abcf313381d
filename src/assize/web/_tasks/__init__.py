"""Tasks: what people are asked, a file each, and one module a kind."""

from assize.web._tasks.aggregate import together
from assize.web._tasks.check_task import check_task
from assize.web._tasks.definition import Task, problem_in, read_task
from assize.web._tasks.kind import Kind, Rating, Worked
from assize.web._tasks.kinds import KINDS, kind_of
from assize.web._tasks.marking import expected_of, is_right
from assize.web._tasks.suggest import as_shown
from assize.web._tasks.worked import examples_of, instructions_of

__all__ = [
    "KINDS",
    "Kind",
    "Rating",
    "Task",
    "Worked",
    "as_shown",
    "check_task",
    "examples_of",
    "expected_of",
    "instructions_of",
    "is_right",
    "kind_of",
    "problem_in",
    "read_task",
    "together",
]
