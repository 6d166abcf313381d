"""What each rater would answer, learnt from a model's answer distributions.

    features = features_of(read_judgments(["answers.jsonl"]))       # items by columns
    forms = forms_of(features, read_judgments(["ratings.jsonl"]), target="Q0")
    calibrator = fit_default(forms)                # same forms, same numbers: no seed, no search
    found = predict(calibrator, others, [0, 1])    # (items, raters, answers)

`forms.x` (N, D), `forms.rater` (N,), `forms.answers` (N, Q, the target first; NO_ANSWER
where there is none) are plain arrays: a study may put other inputs in their place with
`dataclasses.replace` (true answers as one-hot, a question left out), take rows with
`forms.take(mask)`, or change the target with `forms.with_target("Q3")`.

What `assize calibrate` has written, with its correction where there is one:

    fitted = open_corrected("mine/")                # a `Corrected`
    found = fitted.predict(features, [0, UNKNOWN])
    rules = load_routing("routing.yaml")            # for `wishes`: who may be asked what

The published network, many at once:

    jobs = [Job(Setting(hidden1=25, rate=0.001), rows, seed) for rows in folds for seed in seeds]
    for network, job in zip(train(forms, jobs), jobs):
        network.probabilities(forms.x[held], forms.rater[held])      # (n, K) of the target

Its settings searched on folds, and questions with many answers by vectors of these:

    codes = answer_codes(forms, load_encoder("minilm"), size=8)
    grid = replace(GRIDS["small"], initial=STARTS)  # codes need a smaller start
    folds = dealt(forms.item, 5, rng)              # of assize.studies
    networks, found = fit_paper(forms, folds, grid=grid, codes=codes)

Raters who only help (`forms_of(..., trusted=[...])`), as far as cross-validation lets them:

    calibrator = fit_default(forms, helpers_count=weight_of_helpers(forms))
"""

from assize.calibration.active.active_learning import Doubt, Wish, doubts, information, wishes
from assize.calibration.active.routing import Routing, load_routing
from assize.calibration.artefact import load, save
from assize.calibration.calibrator import (
    Calibrator,
    predict,
)
from assize.calibration.data.build_forms import forms_of
from assize.calibration.data.features import Block, Features, features_of
from assize.calibration.data.forms import NO_ANSWER, UNKNOWN, Choices, Forms, Scale
from assize.calibration.hierarchical.calibrator import Hierarchical
from assize.calibration.hierarchical.fit import fit_default
from assize.calibration.hierarchical.helper_weight import weight_of_helpers
from assize.calibration.network.answer_embeddings import Code, answer_codes
from assize.calibration.network.networks import Networks, fit_networks
from assize.calibration.network.search import GRIDS, STARTS, fit_paper
from assize.calibration.network.training import Job, Network, Setting, train
from assize.calibration.prediction.aggregate import aggregate
from assize.calibration.prediction.decode import Decoded, decide, describe
from assize.calibration.prediction.predictions import Corrected, open_corrected

__all__ = [
    "GRIDS",
    "NO_ANSWER",
    "STARTS",
    "UNKNOWN",
    "Block",
    "Calibrator",
    "Choices",
    "Code",
    "Corrected",
    "Decoded",
    "Doubt",
    "Features",
    "Forms",
    "Hierarchical",
    "Job",
    "Network",
    "Networks",
    "Routing",
    "Scale",
    "Setting",
    "Wish",
    "aggregate",
    "answer_codes",
    "decide",
    "describe",
    "doubts",
    "features_of",
    "fit_default",
    "fit_networks",
    "fit_paper",
    "forms_of",
    "information",
    "load",
    "load_routing",
    "open_corrected",
    "predict",
    "save",
    "train",
    "weight_of_helpers",
    "wishes",
]
