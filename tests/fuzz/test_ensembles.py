"""Mutated ensembles: each predicts within its scale and explains its values, or is refused."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from tests.fuzz.fuzzing import Folder, contents, fill, fuzz, tries
from tests.fuzz.test_artefacts import Input, inputs
from tests.reference.ensemble.made import metrics_table, sample, simulated

import assize
from assize.reference._ensemble.artefact import save_ensemble
from assize.reference._ensemble.ensemble import Ensemble
from assize.reference._ensemble.learning import learn
from assize.reference._ensemble.settings import Settings

MODELS = ("ridge", "svm", "extra-trees", "blend", "paper-forest", "paper-tree")
METRICS = metrics_table(simulated(6, seed=5)[0])


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Folder]:
    place = tmp_path_factory.mktemp("seeds")
    for model in MODELS:
        missing = "impute" if model == "svm" else "unscored"
        settings = Settings(model=model, missing=missing, compared=("ridge",), folds=2)  # type: ignore[arg-type]
        save_ensemble(learn(sample(100, missing=missing), settings), place / model)
    return {folder.name: contents(folder) for folder in place.iterdir()}


def use(folder: Path, files: Folder) -> None:
    """What the commands do with an ensemble."""
    fill(folder, files)
    found = assize.load(folder)
    assert isinstance(found, Ensemble)
    for row in found.predict(METRICS):
        if row.unscored is None:
            assert row.score is not None
            assert np.isfinite(row.score)
            low, high = found.range or (-np.inf, np.inf)
            assert low <= row.score <= high
    assert str(found)
    assert found.to_json()
    str(found.explain(METRICS, ["i0"]))


def test_a_mutated_ensemble_predicts_within_its_scale_or_is_refused(
    seeds: dict[str, Folder], tmp_path: Path
) -> None:
    whole = [Input(name, "as it is", folder) for name, folder in seeds.items()]
    mutated = inputs(seeds, random.Random(3), tries(300))
    trial = fuzz("ensembles", mutated, lambda one: use(tmp_path / "x", one.folder), sound=whole)
    assert trial.mixed
