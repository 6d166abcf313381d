"""What improving each question would be worth for the main one, where networks say so."""

from __future__ import annotations

from typing import Any

from assize.webapp.dashboard.definition import Dashboard, sources_hash

WAY = "simplex"
"""The directions that are shown: those that keep each question's mass."""


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
    return {"worth": sources_hash(named, dashboard.seed, dashboard.trusted)}


def worth_of(dashboard: Dashboard) -> dict[str, Any]:
    """By question by how much the main score rises where the question's rises by 1.

    The figures and intervals of `assize.question_importance`, without its figures by item: means
    over the conversations, by kind of directions.

    Raises:
        ConfigError: a calibrator is no network, or reads other answers than the main one.
        DataError: the answers hold nothing that they read.
    """
    from assize.workflows.calibration.importance import question_importance

    found = question_importance(
        dashboard.main_calibrator, list(dashboard.calibrators), list(dashboard.answers),
        items=list(dashboard.items) or None, trusted=list(dashboard.trusted) or None,
        seed=dashboard.seed,
    ).to_json()  # fmt: skip
    del found["items"]
    return found
