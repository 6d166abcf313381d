"""Statistics on numpy arrays: no files, no models, one small record a result.

NaN marks a missing value everywhere; too little data gives NaN with a reason; a bad shape
raises `DataError` naming the argument; whatever samples takes a `numpy.random.Generator`.

To add a statistic, copy the smallest function of its family's file, add it to the list
below and mirror its test.
"""

from assize.stats.agreement import cohen_kappa, fleiss_kappa, raw_agreement
from assize.stats.bins import AgreementBins, agreement_bins
from assize.stats.coincidence import alpha
from assize.stats.compare import Comparison, compare
from assize.stats.concordance import kendall
from assize.stats.correlation import cramers_v, mae, pearson, point_biserial, rmse, spearman
from assize.stats.estimate import Estimate, Test
from assize.stats.intervals import bootstrap_of, crossed, difference, mean, share, wilson
from assize.stats.multiplicity import benjamini_hochberg, holm
from assize.stats.pairwise import (
    PairwiseAccuracy,
    WinTieLoss,
    pairwise_accuracy,
    win_tie_loss,
)
from assize.stats.permutation import independence, mcnemar, sign_flip, swap
from assize.stats.resampling import Interval

__all__ = [
    "AgreementBins",
    "Comparison",
    "Estimate",
    "Interval",
    "PairwiseAccuracy",
    "Test",
    "WinTieLoss",
    "agreement_bins",
    "alpha",
    "benjamini_hochberg",
    "bootstrap_of",
    "cohen_kappa",
    "compare",
    "cramers_v",
    "crossed",
    "difference",
    "fleiss_kappa",
    "holm",
    "independence",
    "kendall",
    "mae",
    "mcnemar",
    "mean",
    "pairwise_accuracy",
    "pearson",
    "point_biserial",
    "raw_agreement",
    "rmse",
    "share",
    "sign_flip",
    "spearman",
    "swap",
    "wilson",
    "win_tie_loss",
]
