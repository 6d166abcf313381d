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
        spread: show densities and shares with bands, instead of the page of judgments.
        by: with `spread`, field of the items whose values are compared, for example system.
        where: only conversations with this value of a field, for example topic:travel.
        raters: whose answers count: judges, calibrated, people or models (repeatable).
        apart: count each rater's answer separately, instead of one mean per conversation.
        time: field with a conversation's time: also show figures over time.
        every: with `time`, length of a period: day, week, month, or a number of conversations.
        figure: with `time`, statistic to follow: mean, 5%, 25%, 50%, 75% or 95%.
        replicates: bootstrap samples of raters, answers and conversations behind the bands.
        seed: random seed.
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
