"""The tables of a fitted ensemble."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assize.reference.ensemble.ensemble import Ensemble
from assize.results import ResultTable, columns
from assize.stats import Estimate


def ensemble_tables(ensemble: Ensemble) -> Mapping[str, ResultTable]:
    """`cross_validated`: every model beside the best single metric; `intervals`.

    Where nothing is known of the fit: `metrics`, what it reads.
    """
    about = ensemble.about
    if "cross_validated" not in about:
        return {"metrics": _metrics(ensemble)}
    return {
        "cross_validated": _figures(about),
        "intervals": _intervals(about),
    }


def _figures(about: Mapping[str, Any]) -> ResultTable:
    rows = [
        (target, name, _estimate(both["pearson"]), _estimate(both["spearman"]))
        for name, targets in about["cross_validated"].items()
        for target, both in targets.items()
    ]
    title = (
        f"Held-out conversations: {about['folds']} folds, {about['seeds']} seeds,"
        f" {about['items']:,} items"
    )
    chosen = ", ".join(
        f"{name} ({n} of {sum(about['best_single_metric'].values())} fits)"
        for name, n in about["best_single_metric"].items()
    )
    named = columns("words", "target", "model") + columns("number", "Pearson", "Spearman")
    order = sorted(rows, key=lambda row: list(dict.fromkeys(one[0] for one in rows)).index(row[0]))
    notes = (f"The best single metric is chosen where the model is fitted: {chosen}.",)
    return ResultTable(title, named, order, notes=notes, grouped=len(about["targets"]) > 1)


def _estimate(value: Mapping[str, Any]) -> Estimate:
    def back(one: float | None) -> float:
        return float("nan") if one is None else one

    low, high = map(back, value["interval"])
    return Estimate(back(value["estimate"]), (low, high), value["n"], value["unscored"])


def _intervals(about: Mapping[str, Any]) -> ResultTable:
    notes = []
    if about["coverage"] is not None:
        notes.append(f"{100 * about['coverage']:.1f}% of held-out items lie within.")
    named = columns("words", "promised share of items") + columns("number", "half width")
    rows = [(f"{100 * about['confidence']:g}%", about["half_width"])]
    return ResultTable("Intervals around a prediction", named, rows, notes=tuple(notes))


def _metrics(ensemble: Ensemble) -> ResultTable:
    rows = [
        (name, source.judge) for name, source in zip(ensemble.names, ensemble.sources, strict=True)
    ]
    return ResultTable("Metrics that it reads", columns("words", "metric", "judge"), rows)
