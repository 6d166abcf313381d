"""`assize compare`: is the new version better than the old one?"""

from __future__ import annotations

from assize import compare
from assize.base.errors import ConfigError
from assize.cli.command import from_function
from assize.versions import OverTime, Regressions


def _against(
    baseline: str | None = None,
    over: str | None = None,
    every: str | int = "week",
    criteria: str | None = None,
    least: int = 20,
    fail_on_drop: bool = False,
) -> str | OverTime | None:
    """A version to compare with, or the past of each.

    Args:
        baseline: the version that the others are compared with, the first by default.
        over: field with the time of conversations: quality over time instead, by version.
        every: with `over` day, week (from Monday), month, or a number of conversations.
        criteria: with `over` the file of criteria by which the conversations were scored.
        least: with `over` conversations on each side of a change.
        fail_on_drop: with `over` end with 1 where the latest period is worse than those before it
            on any question.
    """
    if over is None:
        if criteria is not None or fail_on_drop:
            raise ConfigError("--criteria and --fail-on-drop go with --over FIELD; give it")
        return baseline
    if baseline is not None:
        raise ConfigError("over: quality over time has no baseline; leave --baseline out")
    return OverTime(over, every, criteria, least, fail_on_drop)


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
    named={"items": "--items -i", "criteria": "--criteria -c"},
    metavars={
        "versions": "OLD NEW...",
        "by": "FIELD",
        "cluster": "FIELD",
        "over": "FIELD",
        "every": "day|week|month|N",
        "criteria": "FILE",
        "detect": "SIZE",
    },
    makers={"against": _against, "regressions": _regressions},
    report=True,
    alarm=lambda result: getattr(result, "alarm", None),
    unscored=True,
)
