"""Statistics on numpy arrays: no files, no models, one small record a result.

NaN marks a missing value everywhere; too little data gives NaN with a reason; a bad shape
raises `DataError` naming the argument; whatever samples takes a `numpy.random.Generator`.

To add a statistic, copy the smallest function of its family's file, add it to the list
below and mirror its test.
"""

from assize.results.types import Estimate, Test
from assize.stats.accuracy import accuracy, balanced_accuracy
from assize.stats.agreement import (
    AgreementBins,
    agreement_bins,
    cohen_kappa,
    fleiss_kappa,
    raw_agreement,
)
from assize.stats.audits import (
    LengthBias,
    PositionBias,
    SelfConsistency,
    SelfPreference,
    length_bias,
    partial_correlation,
    position_bias,
    self_consistency,
    self_preference,
    self_scores,
)
from assize.stats.calibration import (
    Calibration,
    Isotonic,
    fit_isotonic,
    log_loss,
    smooth_calibration,
)
from assize.stats.change_points import ChangePoint, ChangePoints, change_points
from assize.stats.coincidence import Level, alpha
from assize.stats.compare import Comparison, compare
from assize.stats.concordance import kendall
from assize.stats.correlation import cramers_v, mae, pearson, rmse, spearman
from assize.stats.differences import MeanDifference, difference, mean_difference
from assize.stats.intervals import bootstrap_of, mean, share, wilson
from assize.stats.modes import against_others, at_mode, modes
from assize.stats.multiplicity import adjust, holm
from assize.stats.pairwise import PairwiseAccuracy, pairwise_accuracy
from assize.stats.permutation import mcnemar, sign_flip, sign_flips, swap
from assize.stats.power import detectable, rows_needed
from assize.stats.ppi import (
    MoreLabels,
    Powered,
    labels_needed,
    ppi_mean,
)
from assize.stats.quantiles import quantile
from assize.stats.ranked import auc, average_precision
from assize.stats.regression import Coefficient, Regression, regress
from assize.stats.resampling import Interval
from assize.stats.superiority import Superiority, superiority
from assize.stats.trend import within_slope
from assize.stats.truth import (
    Labels,
    Majority,
    Priors,
    Truth,
    average,
    dawid_skene,
    majority,
)

__all__ = [
    "AgreementBins",
    "Calibration",
    "ChangePoint",
    "ChangePoints",
    "Coefficient",
    "Comparison",
    "Estimate",
    "Interval",
    "Isotonic",
    "Labels",
    "LengthBias",
    "Level",
    "Majority",
    "MeanDifference",
    "MoreLabels",
    "PairwiseAccuracy",
    "PositionBias",
    "Powered",
    "Priors",
    "Regression",
    "SelfConsistency",
    "SelfPreference",
    "Superiority",
    "Test",
    "Truth",
    "accuracy",
    "adjust",
    "against_others",
    "agreement_bins",
    "alpha",
    "at_mode",
    "auc",
    "average",
    "average_precision",
    "balanced_accuracy",
    "bootstrap_of",
    "change_points",
    "cohen_kappa",
    "compare",
    "cramers_v",
    "dawid_skene",
    "detectable",
    "difference",
    "fit_isotonic",
    "fleiss_kappa",
    "holm",
    "kendall",
    "labels_needed",
    "length_bias",
    "log_loss",
    "mae",
    "majority",
    "mcnemar",
    "mean",
    "mean_difference",
    "modes",
    "pairwise_accuracy",
    "partial_correlation",
    "pearson",
    "position_bias",
    "ppi_mean",
    "quantile",
    "raw_agreement",
    "regress",
    "rmse",
    "rows_needed",
    "self_consistency",
    "self_preference",
    "self_scores",
    "share",
    "sign_flip",
    "sign_flips",
    "smooth_calibration",
    "spearman",
    "superiority",
    "swap",
    "wilson",
    "within_slope",
]
