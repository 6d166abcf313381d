"""Quality over time, from stored judgments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assize.base.arguments import check_range, shown
from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError
from assize.base.fields import no_field, values_of
from assize.criteria._criterion import CriteriaSet
from assize.criteria._reading import load_criteria
from assize.criteria._select import judged_by
from assize.criteria._watching.watched import Watched
from assize.criteria._watching.watching import Watching, watch_periods
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import (
    items_beside,
    items_in,
    judgments_of,
    log,
    names_of,
    select_items,
)
from assize.formats.times import ItemTimes, times_of
from assize.stats._statistics import Statistics

USUAL = Statistics(confidence=0.95, permutations=9_999, seed=0)


def watch(
    judgments: JudgmentsLike,
    criteria: str | Path | CriteriaSet | None = None,
    *,
    time: str | ItemTimes,
    every: str | int = "week",
    items: ItemsLike | None = None,
    by: str | None = None,
    clusters: str | None = None,
    question: str | Sequence[str] = (),
    judges: str | Sequence[str] = (),
    least: int = 20,
    fail_on_drop: bool = False,
    statistics: Statistics = USUAL,
) -> Watched:
    """Says how quality drifts: by period, when it changed, and whether the latest is worse.

    Of NetSAT and each criterion, or of any question with numbers: means with
    intervals by period; dates at which the mean changed, with p-values that
    count the search over all dates and questions; the latest period against
    those before it.

    Args:
        judgments: folders of runs, or files of judgments. In Python also records, dicts and
            tables.
        criteria: the set, for texts, threshold and window; without it all questions that have
            numbers are watched. In Python also a `CriteriaSet`.
        time: field of the conversations that says when they were: ISO 8601 dates or times, or
            seconds or milliseconds since 1970. In Python also a dict by id.
        every: day, week (from Monday), month, or a number of conversations.
        items: the conversations, by default those that stand among the judgments, and leave out
            judgments of others (repeatable).
        by: field that groups conversations, such as system; each group is watched by itself.
        clusters: field that says which conversations depend on each other, such as a user's id.
        question: only this question (repeatable, or with commas).
        judges: only these judges (repeatable, or with commas); several are averaged.
        least: conversations on each side of a change.
        fail_on_drop: end with 1 where the latest period is worse than those before it on any
            question. In Python see `.latest`.
        statistics: how intervals and tests are made; see `Statistics`. The chance of any false
            change in any question is 1 less the confidence, the same for the latest period.

    Returns:
        A row a question in `.latest`, a row a change in `.changes`, a row a question and period
        in `.by_period`. A conversation without a time is left out, counted and named.

    Raises:
        ConfigError: a number, a period or a question is none of those allowed.
        DataError: no conversation has a time, or no judgment is worth a number.

    Sources: those of `assize.stats._change_points`.
    """
    testing = statistics.settings(USUAL)
    check_range("permutations", testing.permutations, 99)
    check_range("least", least, 2)
    wanted = names_of(judges)
    table = judgments_of(judgments)
    if items is not None:
        items = list(items_in(items))
        table = select_items(table, {item.id for item in items})
    table = judged_by(table, wanted)
    beside = list(items_beside(judgments, items))
    if isinstance(time, str) and not beside:
        raise DataError(f"time {time!r} is a field of the conversations: give them as items")
    times = times_of(beside, time)
    how = Watching(
        str(every),
        testing.level,
        testing.permutations,
        least,
        by or "",
        testing.seed,
        fail_on_drop,
    )
    return watch_periods(
        table,
        times,
        given=_set(criteria),
        questions=names_of(question) or (),
        groups=None if by is None else _field(by, beside, missing=f"no {by}"),
        clusters=None if clusters is None else _field(clusters, beside),
        how=how,
    )


def _set(given: str | Path | CriteriaSet | None) -> CriteriaSet | None:
    if given is None or isinstance(given, CriteriaSet):
        return given
    if isinstance(given, str | Path):
        return load_criteria(str(given))
    raise ConfigError(f"criteria: received {shown(given)}; give a file of criteria or a set")


def _field(field: str, items: Sequence[Item], missing: str | None = None) -> dict[str, str]:
    """A field's value by conversation; `missing` where there is none, else nothing."""
    found = {one.id: str(value) for one in items for value in values_of(one, field)[:1]}
    if not found:
        raise no_field(field, items)
    lacking = [one.id for one in items if one.id not in found]
    if lacking:
        told = "each stands for itself" if missing is None else f"they are the group {missing!r}"
        log.warning("%s conversations have no %s: %s", f"{len(lacking):,}", field, told)
    return found if missing is None else found | dict.fromkeys(lacking, missing)
