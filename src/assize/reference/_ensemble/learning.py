"""An ensemble from a sample: cross-validated figures, intervals, and the fit on all items."""

from __future__ import annotations

from typing import Any

import numpy as np

from assize import stats
from assize.reference._ensemble.conformal import intervals_of
from assize.reference._ensemble.ensemble import CrossValidated, Ensemble
from assize.reference._ensemble.fitting import HeldOut, cross_validate, fit_examples
from assize.reference._ensemble.sample import Sample
from assize.reference._ensemble.settings import Settings, Tick


def learn(sample: Sample, settings: Settings | None = None, tick: Tick = lambda: None) -> Ensemble:
    """Fits the ensemble and says how good it is on conversations that a fit has not seen.

    Args:
        sample: metrics beside what people said.
        tick: called once a fit that is held against others.

    Raises:
        DataError: there are fewer conversations than folds.
        MissingExtra: scikit-learn is needed, and is not installed.
    """
    how = Settings() if settings is None else settings
    name = how.learner(sample.targets.standardised)
    compared = tuple(dict.fromkeys((name, *how.compared)))
    held = cross_validate(
        sample, compared, folds=how.folds, seed=how.seed, annotations=how.annotations, tick=tick
    )
    everything = np.arange(len(sample))
    examples = sample.examples(everything, annotations=how.annotations, seed=how.seed)
    fit = fit_examples(examples, name)
    ends = (-np.inf, np.inf) if sample.targets.range is None else sample.targets.range
    errors = np.abs(np.clip(held.predicted[name], *ends) - sample.targets.value)
    intervals = intervals_of(errors, how.confidence, held.fold)
    about = _about(sample, how, name, held)
    targets, columns = sample.targets, sample.columns
    return Ensemble(
        targets.question,
        targets.range,
        columns.names,
        columns.sources,
        fit,
        how.missing,
        intervals,
        about,
        measure_held_out(sample, held),
    )


def measure_held_out(sample: Sample, held: HeldOut) -> list[CrossValidated]:
    """Return Pearson and Spearman of each learner and of the best single metric.

    Several corpora are measured apart, by the name of each target.
    """
    rows = []
    for index, target in enumerate(sample.targets.asked):
        own = sample.targets.source == index
        truth, groups = sample.targets.value[own], sample.groups[own]
        for name, values in held.predicted.items():
            pearson = stats.pearson(values[own], truth, clusters=groups)
            spearman = stats.spearman(values[own], truth, clusters=groups)
            rows.append(CrossValidated(str(target), name, pearson, spearman))
    return rows


def _about(sample: Sample, how: Settings, name: str, held: HeldOut) -> dict[str, Any]:
    targets = sample.targets
    return {
        "question": targets.question.id,
        "model": name,
        "metrics": list(sample.columns.names),
        "items": len(sample),
        "annotations": len(targets.annotations[0]),
        "conversations": sample.conversations,
        "rows": "annotations" if how.annotations else "items",
        "folds": how.folds,
        "seed": how.seed,
        "targets": [
            {
                "question": str(one),
                "mean": one.mean,
                "deviation": one.deviation,
                "items": int((targets.source == at).sum()),
            }
            for at, one in enumerate(targets.asked)
        ],
        "standardised": targets.standardised,
        "measured": {
            judge: {"signature": one.signature, "metrics": list(one.metrics)}
            for judge, one in sample.columns.measured.items()
        },
        "left_out": dict(sample.left_out),
        "without_metrics": sample.unmatched,
        "with_missing_metrics": sample.incomplete,
        "best_single_metric": dict(held.chosen),
        "notes": _notes(sample, name),
    }


def _notes(sample: Sample, name: str) -> list[str]:
    targets = sample.targets
    scales = "; ".join(f"{one}: {one.mean:.2f} ± {one.deviation:.2f}" for one in targets.asked)
    left_out: dict[str, list[str]] = {}
    for column, why in sample.left_out.items():
        left_out.setdefault(why, []).append(column)
    notes = {
        f"  targets are deviations from each corpus's mean, which count alike: {scales}": (
            targets.standardised
        ),
        **{f"  left out: {', '.join(names)}: {why}": True for why, names in left_out.items()},
        f"  {sample.unmatched:,} rated items have no metrics and are left out": sample.unmatched,
        f"  {sample.incomplete:,} rated items lack a metric and are left out": sample.incomplete,
    }
    first = (
        f"{name}: {len(sample):,} items of {sample.conversations:,} conversations,"
        f" {len(sample.columns.names)} metrics"
    )
    return [first, *(note for note, holds in notes.items() if holds)]
