"""Statistics on numbers drawn by seed: estimates, ends of intervals, p-values."""

from __future__ import annotations

from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assize import stats
from golden.figures import flatten, rename
from golden.product import Figures

LEVELS: tuple[stats.Level, ...] = ("nominal", "ordinal", "interval")
PAIRED = ("pearson", "spearman", "kendall", "mae", "rmse")


def read(folder: Path) -> Figures:
    """Return statistics of two related samples of 60 in twelve clusters, and of five raters."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=60)
    y = x + rng.normal(size=60)
    clusters = np.repeat(np.arange(12), 5)
    ratings = np.clip(np.round(2.5 + x + rng.normal(size=(5, 60))), 1, 4)
    ratings[rng.random(ratings.shape) < 0.2] = np.nan
    good, machine = x > 0, np.where(rng.random(60) < 0.8, x > 0, x <= 0)
    figures = {
        **{f"alpha/{level}": stats.alpha(ratings, level=level) for level in LEVELS},
        **{f"{name}": getattr(stats, name)(x, y) for name in PAIRED},
        **{f"{name}/clusters": getattr(stats, name)(x, y, clusters=clusters) for name in PAIRED},
        "fleiss_kappa": stats.fleiss_kappa(ratings),
        "cohen_kappa": stats.cohen_kappa(ratings[0], ratings[1], weights="quadratic"),
        "auc": stats.auc(y, good),
        "average_precision": stats.average_precision(y, good),
        "cramers_v": stats.cramers_v(ratings[0], ratings[1]),
        "mean": stats.mean(x, clusters=clusters),
        "share": stats.share(good.astype(float)),
        "wilson": stats.wilson(17, 40),
        "smooth_calibration": stats.smooth_calibration(1 / (1 + np.exp(-y)), good, rng=seeded()),
        "log_loss": stats.log_loss(1 / (1 + np.exp(-y)), good),
        "mcnemar": stats.mcnemar(good, machine),
        "sign_flip": stats.sign_flip(y - x + 0.2, clusters=clusters, rng=seeded()),
        "holm": stats.holm([0.01, 0.04, 0.03]),
        "regress": stats.regress(np.stack([x, good], axis=1), y, clusters=clusters),
        "ppi_mean": stats.ppi_mean(np.where(clusters < 4, y, np.nan), x),
        "superiority": stats.superiority(x, y),
        "mean_difference": stats.mean_difference(x, y, paired=True, rng=seeded()),
        "pairwise_accuracy": stats.pairwise_accuracy(y, np.sign(x)),
        "compare": stats.compare(x, y, x + y, rng=seeded()),
        "position_bias": stats.position_bias(np.sign(x), np.sign(y), rng=seeded()),
        "agreement_bins": stats.agreement_bins(ratings),
        "quantile": stats.quantile(x, 0.25),
        "isotonic": stats.fit_isotonic(x, y),
    }
    for name, figure in figures.items():
        yield from rename(flatten(plain(figure), name), [("/count$", "/details/count")])


def seeded() -> np.random.Generator:
    """Return a generator of its own for each statistic that draws."""
    return np.random.default_rng(3)


def plain(value: Any) -> Any:
    """Return a record of numbers as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray | tuple | list):
        return [plain(inner) for inner in value]
    return value.item() if isinstance(value, np.generic) else value
