"""What each rater would answer, learnt from a model's answer distributions.

    features = features_of(read_judgments(["answers.jsonl"]))       # items by columns
    forms = forms_of(features, read_judgments(["ratings.jsonl"]), target="Q0")
    calibrator = fit_default(forms)                # same forms, same numbers: no seed, no search
    found = predict(calibrator, others, [0, 1])    # (items, raters, answers)

`forms.x` (N, D), `forms.rater` (N,), `forms.answers` (N, Q, the target first; NO_ANSWER
where there is none) are plain arrays: a study may put other inputs in their place with
`dataclasses.replace` (true answers as one-hot, a question left out), take rows with
`forms.take(mask)`, or change the target with `forms.with_target("Q3")`.

`fit_forms(forms, Published(seeds=3))` fits as `assize.fit_calibrator` does; `KINDS` lists what
there is to fit. What that has written, with its correction where there is one:

    fitted = load_calibrator("mine/")               # a `FittedCalibrator`
    found = fitted.probabilities(features, [0, UNKNOWN])
    rules = load_routing("routing.yaml")            # for `request_ratings`: who may be asked what

The published network, many at once:

    jobs = [Job(Setting(hidden1=25, rate=0.001), rows, seed) for rows in folds for seed in seeds]
    for network, job in zip(train(forms, jobs), jobs):
        network.probabilities(forms.x[held], forms.rater[held])      # (n, K) of the target

Its settings searched on folds, and questions with many answers by vectors of these:

    vectors = embed_answers(forms, load_encoder("minilm"), size=8)
    folds = dealt(forms.item, 5, rng)  # of assize.studies
    networks, found = search_and_fit(forms, folds, grid=GRIDS["small"], embeddings=vectors)

Raters who only help (`forms_of(..., trusted=[...])`), their ratings as far as cross-validation
lets them:

    calibrator = fit_default(forms, helper_weight=learn_helper_weight(forms))
"""

from assize.calibration.active.active_learning import (
    ItemUncertainty,
    RatingRequest,
    information_gain,
    item_uncertainty,
    request_ratings,
)
from assize.calibration.active.routing import Routing, load_routing
from assize.calibration.artefact import load, save
from assize.calibration.calibrator import Abilities, Calibrator, predict
from assize.calibration.data.build_forms import forms_of
from assize.calibration.data.features import Block, Features, features_of
from assize.calibration.data.forms import NO_ANSWER, UNKNOWN, Choices, Forms, Scale
from assize.calibration.data.inputs import Beside, RaterRoles
from assize.calibration.fit_options import Default, Private, Published
from assize.calibration.fitted import FittedCalibrator, load_calibrator
from assize.calibration.hierarchical.calibrator import Hierarchical
from assize.calibration.hierarchical.fit import fit_default
from assize.calibration.hierarchical.helper_weight import learn_helper_weight
from assize.calibration.joint_errors import JointErrors, fit_joint_errors
from assize.calibration.kinds import KINDS, fit_forms
from assize.calibration.network.answer_embeddings import AnswerEmbedding, embed_answers
from assize.calibration.network.calibrator import Networks
from assize.calibration.network.fit import fit_networks, search_and_fit
from assize.calibration.network.grids import GRIDS, STARTS
from assize.calibration.network.private_training import Privacy, fit_privately
from assize.calibration.network.training import Job, Network, Setting, train
from assize.calibration.prediction.cross_fitted_errors import cross_fitted_errors
from assize.calibration.prediction.decode import Decoded, aggregate, decide, describe
from assize.calibration.prediction.reward import trl_reward

__all__ = [
    "GRIDS",
    "KINDS",
    "NO_ANSWER",
    "STARTS",
    "UNKNOWN",
    "Abilities",
    "AnswerEmbedding",
    "Beside",
    "Block",
    "Calibrator",
    "Choices",
    "Decoded",
    "Default",
    "Features",
    "FittedCalibrator",
    "Forms",
    "Hierarchical",
    "ItemUncertainty",
    "Job",
    "JointErrors",
    "Network",
    "Networks",
    "Privacy",
    "Private",
    "Published",
    "RaterRoles",
    "RatingRequest",
    "Routing",
    "Scale",
    "Setting",
    "aggregate",
    "cross_fitted_errors",
    "decide",
    "describe",
    "embed_answers",
    "features_of",
    "fit_default",
    "fit_forms",
    "fit_joint_errors",
    "fit_networks",
    "fit_privately",
    "forms_of",
    "information_gain",
    "item_uncertainty",
    "learn_helper_weight",
    "load",
    "load_calibrator",
    "load_routing",
    "predict",
    "request_ratings",
    "save",
    "search_and_fit",
    "train",
    "trl_reward",
]
