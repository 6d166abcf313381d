from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from assize.calibrate._artefact import load, save
from assize.calibrate._calibrator import Abilities, predict
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import Forms, Scale
from assize.calibrate._kinds import KINDS, CalibratorKind, fit_forms


@dataclass(frozen=True)
class Shares:
    """The smallest calibrator: everybody answers by the shares of all answers."""

    target: Scale
    blocks: tuple[Block, ...]
    raters: tuple[str, ...]
    shares: NDArray[np.float64]
    kind: str = "shares"

    @property
    def abilities(self) -> Abilities:
        return Abilities(unknown_raters=True)

    def for_items(self, features: Features, labels: Any = None) -> Shares:
        return self

    def known(self, features: Features) -> np.ndarray:
        return ~features.empty

    def probabilities(self, features: Features, raters: Sequence[int]) -> np.ndarray:
        return np.tile(self.shares, (len(features.x), len(raters), 1))


@dataclass(frozen=True)
class FitShares:
    """How it is fitted."""

    word: ClassVar = "shares"

    weight: int = 1


def fit_shares(forms: Forms, model: FitShares, tick: Any) -> tuple[Shares, dict[str, Any]]:
    counts = np.bincount(forms.y, minlength=len(forms.target))
    fitted = Shares(forms.target, forms.features.blocks, forms.trusted, counts / counts.sum())
    return fitted, {"kept": model.weight}


SHARES = CalibratorKind({FitShares: fit_shares}, Shares)


def test_a_third_kind_is_one_row(
    world: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(KINDS, "shares", SHARES)
    fitted, facts = fit_forms(world.forms, FitShares(weight=3))  # type: ignore[arg-type]
    assert (facts["network"], facts["kept"], facts["ratings"]) == ("shares", 3, 3_000)
    save(fitted, tmp_path, facts)
    again = load(tmp_path)
    shares = np.bincount(world.forms.y, minlength=4) / 3_000
    assert predict(again, world.forms.features, [0, -1])[7] == pytest.approx(np.stack([shares] * 2))


def test_the_facts_of_a_fit_count_what_could_not_enter(world: Any) -> None:
    forms = replace(
        world.forms.take(np.arange(100)), unmatched={"x": 2, "y": 1}, not_applicable=4, unscored=5
    )
    _, facts = fit_forms(forms)
    assert facts["network"] == "default"
    assert (facts["items_without_answers"], facts["ratings_without_answers"]) == (2, 3)
    assert (facts["forms"], facts["not_applicable"], facts["unscored"]) == (100, 4, 5)
    parts = {"slopes", "levels", "thresholds", "own_slopes", "late", "sets", "in_sets"}
    assert set(facts["variances"]) == parts
