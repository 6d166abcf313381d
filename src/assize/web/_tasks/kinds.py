"""The kinds of tasks there are."""

from __future__ import annotations

from assize.web._tasks.check_labels import Check
from assize.web._tasks.collect import Collect, CollectPairs
from assize.web._tasks.compare import Compare
from assize.web._tasks.continuation import ContinuationRating, SourceContrast
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.kind import Kind
from assize.web._tasks.proofread import Proofread
from assize.web._tasks.rate import Rate
from assize.web._tasks.write import Write

# To add a kind: copy the smallest file beside this one, add its row, mirror its test.
_KINDS: tuple[type[Kind], ...] = (
    Rate,
    Compare,
    ContinuationRating,
    SourceContrast,
    Collect,
    CollectPairs,
    Check,
    Write,
    Proofread,
)
KINDS: dict[str, Kind] = {kind.name: kind() for kind in _KINDS}


def kind_of(task: Task) -> Kind:
    """Return the kind that a task names.

    Raises:
        DataError: there is none of that name.
    """
    if task.kind not in KINDS:
        known = ", ".join(KINDS)
        raise problem_in(task, f"no kind {task.kind!r}; known are {known}", "kind")
    return KINDS[task.kind]
