"""`assize compare`: is the new version better than the old one?"""

from __future__ import annotations

from assize import compare
from assize.base.errors import ConfigError
from assize.cli.command import from_function
from assize.versions import OverTime, Regressions


def _against(
    baseline: str | None = None, over: str | None = None, every: str | int = "week"
) -> str | OverTime | None:
    """A version to compare with, or the past of each.

    Args:
        baseline: the version that the others are compared with, the first by default.
        over: field with the time of conversations: quality over time instead, by version.
        every: with `over` day, week (from Monday), month, or a number of conversations.
    """
    if over is None:
        return baseline
    if baseline is not None:
        raise ConfigError("over: quality over time has no baseline; leave --baseline out")
    return OverTime(over, every)


def _regressions(main: str | None = None, keep: int = 10) -> Regressions:
    """Which conversations to read.

    Args:
        main: the question by which regressions are ordered, overall by default.
        keep: how many conversations to read.
    """
    return Regressions(main, keep)


command = from_function(
    compare,
    "assize compare old.jsonl new.jsonl --by metadata.lang --detect 0.1 --report compare.html",
    arguments=["versions"],
    named={"items": "--items -i"},
    metavars={
        "versions": "OLD NEW...",
        "by": "FIELD",
        "cluster": "FIELD",
        "over": "FIELD",
        "every": "day|week|month|N",
        "detect": "SIZE",
    },
    makers={"against": _against, "regressions": _regressions},
    report=True,
    unscored=True,
)
