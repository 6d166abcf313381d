"""Rerun stability: judges that were asked several times, compared run by run and not pooled."""

from __future__ import annotations

from collections.abc import Sequence

from assize.base.errors import ConfigError, DataError
from assize.juries.decide import decide
from assize.juries.jury_result import JuryResult
from assize.juries.repeats import of_repeat, repeats_of, runs_of
from assize.juries.study.methods import Method
from assize.juries.study.sitting import DataSet, Place, judges_of


def rerun(
    data: DataSet,
    method: Method,
    place: Place,
    every: Sequence[str],
    *,
    question: str = "preference",
    gold: str = "gold",
) -> dict[int, JuryResult]:
    """What each run of a method came to on one set, by number; {} where its judges were not asked
    several times, or it cannot sit.

    Judges that were asked once, such as reward models, say the same in every run.

    Source: AMULET (arXiv 2505.20451), Limitations, reruns one judge and compares accuracies.
    Differs: any number of runs, of juries too, and agreement item by item (`rerun_row`).
    """
    known = judges_of(data.table, gold)
    try:
        jury = method.of_model(place.model, known, every).jury
        own = data.table.where(judge=[*(jury.names or known), gold], question=question)
        numbers = runs_of(repeats_of(own, gold=gold))
        if len(numbers) < 2:
            return {}
        pairs = data.of_length(place.least)
        return {
            run: decide(
                of_repeat(own, run, gold=gold),
                jury,
                pairs=pairs,
                question=question,
                gold=gold,
            )
            for run in numbers
        }
    except (ConfigError, DataError):
        return {}
