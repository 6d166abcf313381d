"""Methods compared on data held out: the studies of the papers, and pieces for one's own.

    assize.study.juries(votes, items="pairs.jsonl")          # AMULET's tables
    assize.study.calibration("answers.jsonl", "ratings.jsonl", target="Q0")

One's own: a method is a function `fit(data, rows, seed)` that returns `predict(data, rows)`.

    folds = folds_of(conversations, folds=5, seeds=3)      # (N,) ids: those alike stay together
    truth = Truth(scores, np.array(conversations))         # (N,) what is to be predicted
    (table,) = compare_methods({"mean": mean, "length": length}, data, truth, folds)
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
