"""Statistics on numpy arrays: no files, no models, one small record a result.

NaN marks a missing value everywhere; too little data gives NaN with a reason; a bad shape
raises `DataError` naming the argument; whatever samples takes a `numpy.random.Generator`.

To add a statistic, copy the smallest function of its family's file, add it to the list
below and mirror its test.
"""

from assize.stats.concordance import kendall
from assize.stats.correlation import cramers_v, mae, pearson, point_biserial, rmse, spearman
from assize.stats.estimate import Estimate, Test
from assize.stats.intervals import bootstrap_of, crossed, difference, mean, share, wilson
from assize.stats.pairwise import (
    PairwiseAccuracy,
    WinTieLoss,
    pairwise_accuracy,
    win_tie_loss,
)
from assize.stats.resampling import Interval

__all__ = [
    "Estimate",
    "Interval",
    "PairwiseAccuracy",
    "Test",
    "WinTieLoss",
    "bootstrap_of",
    "cramers_v",
    "crossed",
    "difference",
    "kendall",
    "mae",
    "mean",
    "pairwise_accuracy",
    "pearson",
    "point_biserial",
    "rmse",
    "share",
    "spearman",
    "wilson",
    "win_tie_loss",
]
