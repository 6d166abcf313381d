"""Fitting published networks as a calibrator: of one setting, or of the best that is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from assize.calibration.data.forms import NO_ANSWER, Forms, IntArray
from assize.calibration.fit_options import FitOptions, Personal
from assize.calibration.network.answer_embeddings import (
    OVER,
    AnswerEmbedding,
    Embeddings,
    embed_answers,
)
from assize.calibration.network.calibrator import Networks
from assize.calibration.network.grids import GRIDS, SMALL, Grid
from assize.calibration.network.private_training import DELTA, fit_privately
from assize.calibration.network.search import SearchResult, Tick, search
from assize.calibration.network.settings import Job, Setting
from assize.calibration.network.training import train
from assize.encoders import load_encoder
from assize.errors import ConfigError
from assize.results import to_json
from assize.studies import dealt

LAYERS: dict[Personal, tuple[bool, bool, bool]] = {
    "all": (True, True, True),
    "last": (False, False, True),
}
"""Which layers have weights of each rater's own."""


def fit_networks(
    forms: Forms,
    setting: Setting,
    seeds: Sequence[int],
    embeddings: Embeddings = (),
) -> Networks:
    """Trains the published network on all forms, once a seed, side by side.

    Helpers take part in pre-training and are not among the networks' raters. For `embeddings`
    see `embed_answers`.

    Raises:
        ConfigError: the setting has a mean head.
        DataError, MissingExtra: see `train`.
    """
    if setting.head == "mean":
        raise ConfigError("a calibrator needs a distribution head; use `train` for a mean head")
    rows = np.flatnonzero((forms.y != NO_ANSWER) | forms.by_helper)
    trained = train(forms, [Job(setting, rows, seed) for seed in seeds], embeddings)
    return Networks(forms.target, forms.features.blocks, forms.trusted, tuple(trained))


def search_and_fit(
    forms: Forms,
    folds: IntArray,
    *,
    grid: Grid = SMALL,
    seeds: Sequence[int] = (0,),
    patience: int | None = 1,
    tick: Tick | None = None,
    embeddings: Embeddings = (),
) -> tuple[Networks, SearchResult]:
    """The published network: its setting is searched by cross-validation, then it is trained
    on all forms, once a seed; several seeds are averaged in predictions."""
    found = search(
        forms, grid, folds, seeds[:1], patience=patience, tick=tick, embeddings=embeddings
    )
    return fit_networks(forms, found.best, seeds, embeddings), found


def fit_by_options(
    forms: Forms, options: FitOptions, tick: Tick | None = None
) -> tuple[Networks, dict[str, Any]]:
    """The published network as `FitOptions` ask for it, and what there is to tell of it."""
    options.check_private()
    if options.privacy is not None:
        return _private(forms, options, options.privacy)
    name = "small" if options.grid is None else options.grid
    if name not in GRIDS:
        raise ConfigError(f"grid {name}: allowed are {', '.join(GRIDS)}")
    if forms.choices is not None:
        raise ConfigError("the published network does not learn from choices; use the default")
    embeddings = _embeddings(forms, options.answer_embeddings)
    grid = grid_for(forms, options, GRIDS[name])
    parts = 5 if options.folds is None else options.folds
    folds = dealt(forms.item, parts, np.random.default_rng(options.seed))
    count = 1 if options.seeds is None else options.seeds
    networks, found = search_and_fit(
        forms,
        folds,
        grid=grid,
        seeds=range(options.seed, options.seed + count),
        tick=tick,
        embeddings=embeddings,
    )
    return networks, {
        "grid": name,
        "setting": asdict(found.best),
        "answer_embeddings": {one.question: one.size for one in embeddings},
        "held_out_log_likelihood": float(found.log_likelihood_of(found.best)),
    }


def _private(forms: Forms, options: FitOptions, epsilon: float) -> tuple[Networks, dict[str, Any]]:
    """One network within a budget of privacy; neither searched nor seeded."""
    delta = DELTA if options.delta is None else options.delta
    unit = "form" if options.privacy_unit is None else options.privacy_unit
    networks, spent = fit_privately(forms, epsilon, delta=delta, unit=unit)
    return networks, {"privacy": to_json(spent)}


def grid_for(forms: Forms, options: FitOptions, grid: Grid) -> Grid:
    """The grid with what options and forms ask for; all its starts where none is given."""
    dropout = 0.0 if options.dropout is None else options.dropout
    mask = 0.0 if options.mask_questions is None else options.mask_questions
    base = replace(Setting(), dropout=dropout, mask=mask, personal=LAYERS[options.personal])
    if forms.helpers:  # a trusted rater's random weights would bury what helpers teach
        base = replace(base, wait=max(grid.pretrain))
    starts = grid.initial if options.start is None else (options.start,)
    return replace(grid, base=base, initial=starts)


def _embeddings(forms: Forms, size: int | None) -> tuple[AnswerEmbedding, ...]:
    """Vectors of the answers of all questions that have many."""
    if size is None:
        return ()
    found = embed_answers(forms, load_encoder("minilm"), size=size)
    if not found:
        raise ConfigError(f"answer_embeddings: no question has more than {OVER} answers")
    return found
