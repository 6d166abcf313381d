"""Studies of methods: cross-fitting, a table of methods, paired tests, learning curves.

    folds = folds_of(conversations, folds=5, seeds=3)      # (N,) ids: those alike stay together
    truth = Truth(scores, np.array(conversations))         # (N,) what is to be predicted
    (table,) = compare_methods({"mean": mean, "length": length}, data, truth, folds)
    table.figures["length"]["rmse"].interval, table.gaps("mean", "squared error")
    learning_curve({"length": length}, data, truth, folds, count=20)

A method is a function `fit(data, rows, seed)` that returns a function `predict(data, rows)`; the
data are whatever it reads. Nothing here knows a method.
"""

from assize.stats._studies.compare_methods import (
    MethodRow,
    MethodTable,
    Pairing,
    Row,
    compare_methods,
    gaps_table,
    method_rows,
    method_tables,
)
from assize.stats._studies.folds import KFold, LeaveOut
from assize.stats._studies.learning_curve import (
    Point,
    learning_curve,
    points,
    spread_of,
    subsamples,
)
from assize.stats._studies.measures import (
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
from assize.stats._studies.splits import (
    Folds,
    Method,
    Predict,
    Split,
    cross_fit,
    dealt,
    drawn,
    folds_of,
    one_out,
    predictions,
)

__all__ = [
    "LOSSES", "MEASURES", "Figure", "Folds", "KFold", "LeaveOut", "Loss", "Measure", "Method",
    "MethodRow", "MethodTable", "Pairing", "Point", "Predict", "Predictions", "Row", "Split",
    "Truth",
    "compare_methods", "counts", "cross_fit", "dealt", "drawn", "figures", "folds_of",
    "gaps_table", "learning_curve", "method_rows", "method_tables", "one_out", "points",
    "predictions", "spread_of", "subsamples",
]  # fmt: skip
