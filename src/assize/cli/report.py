"""`assize report`: stored judgments as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence

from assize._doors.report import report
from assize.base.errors import ConfigError
from assize.cli.command import from_function
from assize.cli.terminal import print_notes
from assize.spread import Resampling, SpreadOptions


def _spread(
    spread: bool = False,
    by: str = "",
    where: str = "",
    raters: Sequence[str] = (),
    apart: bool = False,
    time: str = "",
    every: str = "week",
    figure: str = "mean",
    replicates: int = 200,
    seed: int = 0,
) -> SpreadOptions | None:
    """How answers are spread.

    Args:
        spread: densities and shares with bands, in place of the page of judgments.
        by: field of the items whose values are compared by `spread`, such as system.
        where: only conversations with one value of a field, as topic:travel.
        raters: whose answers count: judges, calibrated, people or models (repeatable).
        apart: count each rater's answer, not each conversation's mean over raters.
        time: field with a conversation's time: also figures over time.
        every: their period: day, week, month, or a number of conversations.
        figure: what is followed over time: mean, 5%, 25%, 50%, 75% or 95%.
        replicates: how often raters, answers and conversations are drawn for bands.
        seed: seed of the bands.
    """
    if not spread:
        if by or where or raters or apart or time:
            raise ConfigError("by, where, raters, apart, time: these are for --spread; give it too")
        return None
    return SpreadOptions(
        by=by,
        where=where,
        raters=raters,
        apart=apart,
        time=time,
        every=every if time else "",
        figure=figure,
        resampling=Resampling(replicates=replicates, seed=seed),
    )


command = from_function(
    report,
    "assize report run/ --items conversations.jsonl --out report.html",
    arguments=["given"],
    named={"path": "--out -o", "first": "--list"},
    metavars={"given": "JUDGMENTS", "criteria": "FILE"},
    hidden=["reproduce"],
    makers={"spread": _spread},
    show=print_notes,
)
