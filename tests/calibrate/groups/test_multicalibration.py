from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.calibrate.conftest import NOMINAL, SCALE, make_world

from assize.base.artefacts import attach, open_artefact
from assize.base.errors import DataError
from assize.calibrate import fit_default
from assize.calibrate._artefact import CORRECTION, KIND, save
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.forms import Scale
from assize.calibrate._groups.held_out import HeldOut
from assize.calibrate._groups.multicalibration import (
    Correction,
    fit_correction,
    load_correction,
    save_correction,
)


def made(
    rows: int, seed: int, harsh: float = 0.0, scale: Scale = SCALE
) -> tuple[HeldOut, dict[str, tuple[str | None, ...]], np.ndarray]:
    """Ratings, two an item, whose true probabilities are given too; predictions do not know
    that in group b a share of answers falls to the first one."""
    rng = np.random.default_rng(seed)
    p = np.repeat(rng.dirichlet(np.ones(3), rows // 2), 2, axis=0)
    b = np.repeat(rng.random(rows // 2) < 0.4, 2)
    true = np.where(b[:, None], (1 - harsh) * p + harsh * np.eye(3)[0], p)
    y = (true.cumsum(axis=1) < rng.random((rows, 1))).sum(axis=1)
    groups = tuple(np.where(b, "b", "a").tolist())
    return HeldOut(p, y, np.repeat(np.arange(rows // 2), 2), scale), {"g": groups}, true


@pytest.fixture
def calibrator() -> Calibrator:
    def level(x: np.ndarray) -> np.ndarray:
        return np.asarray(x[:, None, :4])

    return fit_default(make_world(level, rows=60, raters=1, seed=0).forms)


@pytest.mark.parametrize("scale", [SCALE, NOMINAL])
def test_a_groups_bias_is_gone_on_other_ratings(calibrator: Calibrator, scale: Scale) -> None:
    learnt, labels, _ = made(3000, 0, 0.35, scale)
    found = fit_correction(calibrator, learnt, labels)
    held, others, true = made(3000, 1, 0.35, scale)
    after = found.apply(held.p, others, scale)
    assert after.sum(axis=1) == pytest.approx(1)
    assert after.min() >= 0
    b = np.array(others["g"]) == "b"
    before = np.abs((held.p - true)[b].mean(axis=0)).max()
    assert before > 0.15
    assert np.abs((after - true)[b].mean(axis=0)).max() < 0.03
    assert np.abs((after - true)[~b].mean(axis=0)).max() < 0.03
    # Not only on average: at most heights too, the distributions are closer to the true ones.
    assert ((after - true)[b] ** 2).mean() < 0.35 * ((held.p - true)[b] ** 2).mean()


def test_a_predictor_without_fault_stays_as_it_is(calibrator: Calibrator) -> None:
    patched = 0
    for seed in range(20):
        held, labels, _ = made(600, seed)
        found = fit_correction(calibrator, held, labels)
        patched += bool(found.patches)
        if not found.patches:
            assert np.array_equal(found.apply(held.p, labels, SCALE), held.p)
    assert patched <= 3


def test_small_cells_and_small_errors_are_let_stand(calibrator: Calibrator) -> None:
    held, labels, _ = made(1000, 0, 0.35)
    few = {"g": tuple("b" if n < 40 and one == "b" else None for n, one in enumerate(labels["g"]))}
    assert all(one.group == "" for one in fit_correction(calibrator, held, few).patches)
    assert fit_correction(calibrator, held, labels).patches
    assert not fit_correction(calibrator, held, labels, tolerance=0.9).patches
    assert not fit_correction(calibrator, held, labels, least=1001).patches


def test_rows_without_group_or_prediction_are_no_groups(calibrator: Calibrator) -> None:
    learnt, labels, _ = made(3000, 0, 0.35)
    learnt.p[:20] = np.nan
    found = fit_correction(calibrator, learnt, labels)
    assert found.n == 2980
    only = replace(found, patches=tuple(one for one in found.patches if one.group == "b"))
    assert only.patches
    p = np.array([[0.2, 0.3, 0.5], [0.2, 0.3, 0.5], [np.nan] * 3])
    after = only.apply(p, {"g": ("b", None, "b")}, SCALE)
    assert after[0, 0] > 0.3
    assert after[1].tolist() == p[1].tolist()
    assert np.isnan(after[2]).all()
    with pytest.raises(DataError, match="none of the ratings has a prediction"):
        fit_correction(calibrator, replace(learnt, p=np.full((3000, 3), np.nan)), labels)


def test_a_correction_is_kept_beside_its_calibrator(calibrator: Calibrator, tmp_path: Path) -> None:
    save(calibrator, tmp_path)
    assert load_correction(tmp_path, calibrator) is None
    held, labels, _ = made(1000, 0, 0.35)
    found = fit_correction(calibrator, held, labels)
    save_correction(found, tmp_path)
    again = load_correction(tmp_path, calibrator)
    assert isinstance(again, Correction)
    assert (again, again.signature) == (found, found.signature)
    other = replace(calibrator, raters=("somebody",))  # type: ignore[type-var]
    with pytest.raises(DataError, match="learnt for another calibrator"):
        load_correction(tmp_path, other)
    kept = open_artefact(KIND, tmp_path)
    data = kept.read(CORRECTION)
    attach(kept, CORRECTION, ".json", data.replace(b'"least"', b'"most"'))
    with pytest.raises(DataError, match=r"correction-\w+\.json: cannot be read .*'most'.*learn it"):
        load_correction(tmp_path, calibrator)
    attach(kept, CORRECTION, ".json", data[:50])
    with pytest.raises(DataError, match="cannot be read"):
        load_correction(tmp_path, calibrator)
    save(calibrator, tmp_path)
    assert load_correction(tmp_path, calibrator) is None
