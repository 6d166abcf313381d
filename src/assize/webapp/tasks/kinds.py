"""The kinds of tasks there are."""

from __future__ import annotations

from assize.webapp.tasks.acts import ActCheck
from assize.webapp.tasks.collect import Collect, CollectPairs
from assize.webapp.tasks.compare import Compare
from assize.webapp.tasks.continuation import ContinuationRating
from assize.webapp.tasks.contrast import SourceContrast
from assize.webapp.tasks.definition import Task, problem_in
from assize.webapp.tasks.dimensions import Dimensions
from assize.webapp.tasks.kind import Kind
from assize.webapp.tasks.label import GoodOrBad
from assize.webapp.tasks.maxims import MaximCheck
from assize.webapp.tasks.proofread import Proofread
from assize.webapp.tasks.rate import Rate
from assize.webapp.tasks.write import Write

# To add a kind: copy the smallest file beside this one, add its row, mirror its test.
KINDS: dict[str, Kind] = {
    one.name: one
    for one in (
        Rate(),
        Compare(),
        ContinuationRating(),
        SourceContrast(),
        GoodOrBad(),
        Dimensions(),
        Collect(),
        CollectPairs(),
        ActCheck(),
        MaximCheck(),
        Write(),
        Proofread(),
    )
}


def kind_of(task: Task) -> Kind:
    """The kind that a task names.

    Raises:
        DataError: there is none of that name.
    """
    if task.kind not in KINDS:
        known = ", ".join(KINDS)
        raise problem_in(task, f"no kind {task.kind!r}; known are {known}", "kind")
    return KINDS[task.kind]
