"""Studies of methods: cross-fitting, a table of methods, paired tests, learning curves.

    folds = folds_of(conversations, folds=5, seeds=3)      # (N,) ids: those alike stay together
    truth = Truth(scores, np.array(conversations))         # (N,) what is to be predicted
    (table,) = compare_methods({"mean": Mean(), "length": Length()}, data, truth, folds)
    table.figures["length"]["rmse"].interval, table.gaps("mean", "squared error")
    learning_curve({"length": Length()}, data, truth, folds, count=20)

A method has `fit(data, rows, seed)`, which returns something with `predict(data, rows)`; the
data are whatever it reads. Nothing here knows a method.
"""

from assize.studies.compare_methods import (
    CROSS_VALIDATED,
    TEST_SET,
    MethodTable,
    Pairing,
    Row,
    compare_methods,
    method_tables,
    pairings,
)
from assize.studies.cross_fitting import Method, Predictor, cross_fit, predictions
from assize.studies.learning_curve import (
    Point,
    Spread,
    Subsamples,
    learning_curve,
    points,
    subsamples,
)
from assize.studies.measures import (
    LOSSES,
    MEASURES,
    Figure,
    Loss,
    Measure,
    Predictions,
    Truth,
    counts,
    figures,
)
from assize.studies.splits import TEST, Folds, Split, dealt, drawn, folds_of, one_out

__all__ = [
    "CROSS_VALIDATED",
    "LOSSES",
    "MEASURES",
    "TEST",
    "TEST_SET",
    "Figure",
    "Folds",
    "Loss",
    "Measure",
    "Method",
    "MethodTable",
    "Pairing",
    "Point",
    "Predictions",
    "Predictor",
    "Row",
    "Split",
    "Spread",
    "Subsamples",
    "Truth",
    "compare_methods",
    "counts",
    "cross_fit",
    "dealt",
    "drawn",
    "figures",
    "folds_of",
    "learning_curve",
    "method_tables",
    "one_out",
    "pairings",
    "points",
    "predictions",
    "subsamples",
]
