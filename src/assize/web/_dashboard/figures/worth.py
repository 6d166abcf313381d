"""What improving each question would be worth for the main one, where networks say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.results import to_json
from assize.web._dashboard.definition import Dashboard, sources_hash
from assize.web._dashboard.figures.charts import groups_of
from assize.web._dashboard.prepared.view import View

WAY = "simplex"
"""The directions that are shown: those that keep each question's mass."""
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


def has_worth(dashboard: Dashboard) -> bool:
    """Whether fitted calibrators are named."""
    return bool(dashboard.main_calibrator and dashboard.calibrators)


def worth_parts(dashboard: Dashboard) -> dict[str, Any]:
    """What can change the figures."""
    named = (
        dashboard.main_calibrator,
        *dashboard.calibrators,
        *dashboard.answers,
        *dashboard.items,
    )
    return {"worth": sources_hash(named, dashboard.seed, dashboard.trusted), "method": 3}


def worth_of(dashboard: Dashboard) -> dict[str, Any]:
    """Return by how much the main score rises where each question's rises by 1, along `WAY`.

    The figures and intervals of `assize.calibrate.importance`: by question the mean over the
    conversations, and, as `each`, the value of every conversation.

    Raises:
        ConfigError: a calibrator is no network, or reads other answers than the main one.
        DataError: the answers hold nothing that they read.
    """
    from assize.calibrate._importance import importance

    result = importance(
        dashboard.main_calibrator,
        list(dashboard.calibrators),
        list(dashboard.answers),
        items=list(dashboard.items) or None,
        raters=list(dashboard.trusted) or "all",
        seed=dashboard.seed,
    )
    means = {row.question: to_json(row.mean) for row in result.questions if row.along == WAY}
    each: dict[str, Any] = {"items": [row.item for row in result.items]}
    for name in means:
        each[name] = to_json([row.importance[name][WAY] for row in result.items])
    return {
        "target": result.target,
        "questions": means,
        "each": each,
        "signature": result.signature,
    }


@dataclass(frozen=True, slots=True)
class Spread:
    """How much the importance of a question differs between conversations.

    Args:
        group: their value of the field that they are split by.
        n: conversations; those where nothing raises the question are not in it.
        levels: its quantiles at `LEVELS`.
    """

    group: str
    n: int
    levels: tuple[float, ...]


def spreads(
    found: Mapping[str, Any], view: View, by: str = "", where: str = ""
) -> Mapping[str, tuple[Spread, ...]]:
    """By question the quantiles over conversations, for each value of a field (Hashemi et al.
    2024, appendix A: how importance is distributed).

    Args:
        found: what `worth_of` gives.
        by: the field; "" for all in one. The six values with most conversations have a row.
        where: only conversations with one value of a field, `field:value`.

    Raises:
        ConfigError: there is no such field or value.
    """
    each = dict(found["each"])
    places = np.array([view.ids.places.get(one, -1) for one in each.pop("items")], dtype=int)
    code, names, _ = groups_of(view.fields, by, view.size, where)
    outside = -1 if by or where else 0  # conversations that no judgment here is about
    group = np.where(places >= 0, code[places], outside)
    values = {name: np.array(one, dtype=float) for name, one in each.items()}
    return {
        name: tuple(
            Spread(label, len(inside), tuple(np.quantile(inside, LEVELS).tolist()))
            for at, label in enumerate(names)
            if len(inside := value[(group == at) & ~np.isnan(value)])
        )
        for name, value in values.items()
    }
