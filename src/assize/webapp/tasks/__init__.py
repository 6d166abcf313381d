"""Tasks: what people are asked, a file each, and one module a kind."""

from assize.webapp.tasks.aggregate import together
from assize.webapp.tasks.checking import check_task
from assize.webapp.tasks.definition import Task, problem_in, read_task
from assize.webapp.tasks.kind import Kind, Rating, Worked
from assize.webapp.tasks.kinds import KINDS, kind_of
from assize.webapp.tasks.marking import expected_of, is_right
from assize.webapp.tasks.suggest import as_shown, suggested
from assize.webapp.tasks.worked import examples_of, instructions_of

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
    "suggested",
    "together",
]
