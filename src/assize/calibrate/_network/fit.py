"""Fitting published networks as a calibrator: of one setting, or of the best that is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from assize.base.errors import ConfigError
from assize.calibrate._data.forms import NO_ANSWER, Forms, IntArray
from assize.calibrate._fit_options import Personal, Private, Published
from assize.calibrate._network.answer_embeddings import (
    NONE,
    OVER,
    Embeddings,
    embed_answers,
)
from assize.calibrate._network.calibrator import Networks
from assize.calibrate._network.grids import GRIDS, SMALL, Grid
from assize.calibrate._network.private_training import fit_privately
from assize.calibrate._network.search import SearchResult, Tick, search
from assize.calibrate._network.settings import Job, Setting
from assize.calibrate._network.training import train
from assize.encoders import load_encoder
from assize.results import to_json
from assize.stats._studies import dealt

LAYERS: dict[Personal, tuple[bool, bool, bool]] = {
    "all": (True, True, True),
    "last": (False, False, True),
}
"""Which layers have weights of each rater's own."""


def fit_networks(
    forms: Forms,
    setting: Setting,
    seeds: Sequence[int],
    embeddings: Embeddings = NONE,
) -> Networks:
    """Trains the published network on all forms, once a seed, side by side.

    Helpers take part in pre-training and are not among the networks' raters. For `embeddings`
    see `embed_answers`.

    Raises:
        DataError, MissingExtra: see `train`.
    """
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
    embeddings: Embeddings = NONE,
) -> tuple[Networks, SearchResult]:
    """The published network: its setting is searched by cross-validation, then it is trained
    on all forms, once a seed; several seeds are averaged in predictions."""
    found = search(
        forms, grid, folds, seeds[0], patience=patience, tick=tick, embeddings=embeddings
    )
    return fit_networks(forms, found.best(), seeds, embeddings), found


def fit_published(
    forms: Forms, model: Published, tick: Tick | None = None
) -> tuple[Networks, dict[str, Any]]:
    """The published network as it is asked for, and what there is to tell of it."""
    if forms.choices is not None:
        raise ConfigError("the published network does not learn from choices; use the default")
    embeddings = _embeddings(forms, model.answer_embeddings)
    folds = dealt(forms.item, model.folds, np.random.default_rng(model.seed))
    networks, found = search_and_fit(
        forms,
        folds,
        grid=grid_for(forms, model, GRIDS[model.grid]),
        seeds=range(model.seed, model.seed + model.seeds),
        tick=tick,
        embeddings=embeddings,
    )
    return networks, {
        "grid": model.grid,
        "setting": asdict(found.best()),
        "answer_embeddings": {name: one.size for name, one in embeddings.items()},
        "held_out_log_likelihood": float(found.totals().max() / found.counts.sum()),
    }


def fit_private(
    forms: Forms, model: Private, tick: Tick | None = None
) -> tuple[Networks, dict[str, Any]]:
    """One network within a budget of privacy, and what was spent of it."""
    networks, spent = fit_privately(forms, model.epsilon, delta=model.delta, unit=model.unit)
    return networks, {"privacy": to_json(spent)}


def grid_for(forms: Forms, model: Published, grid: Grid) -> Grid:
    """The grid with what settings and forms ask for; all its starts where none is given."""
    base = Setting(
        dropout=model.dropout, mask=model.mask_questions, personal=LAYERS[model.personal]
    )
    if forms.helpers:  # a trusted rater's random weights would bury what helpers teach
        base = replace(base, wait=max(grid.pretrain))
    starts = grid.initial if model.start is None else (model.start,)
    return replace(grid, base=base, initial=starts)


def _embeddings(forms: Forms, size: int | None) -> Embeddings:
    """Vectors of the answers of all questions that have many."""
    if size is None:
        return NONE
    found = embed_answers(forms, load_encoder("minilm"), size=size)
    if not found:
        raise ConfigError(f"answer_embeddings: no question has more than {OVER} answers")
    return found
