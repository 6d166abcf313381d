"""Ratings that a calibrator was fitted on do not pass for held-out ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.calibrate.conftest import Unfair

import assize
from assize import Judgment, JudgmentTable
from assize.base.errors import ConfigError
from assize.calibrate import FittedCalibrator, Private
from assize.judgments.learnt_from import hash_unit


class World(NamedTuple):
    fitted: FittedCalibrator
    answers: JudgmentTable
    seen: JudgmentTable
    held: JudgmentTable


@pytest.fixture(scope="module")
def world(unfair: Unfair) -> World:
    """A calibrator of two raters, the ratings that it was fitted on, and those of other items."""
    seen = unfair.ratings["seen"].where(item=[f"i{n}" for n in range(80)])
    held = unfair.ratings["seen"].where(item=[f"i{n}" for n in range(80, 120)])
    answers = unfair.answers.where(item=[f"i{n}" for n in range(120)])
    return World(assize.calibrate.fit(answers, seen, target="Q0"), answers, seen, held)


@pytest.mark.parametrize("name", ["audit", "correct"])
def test_ratings_that_were_fitted_are_refused(name: str, world: World, tmp_path: Path) -> None:
    verb: Any = getattr(assize.calibrate, name)
    some = JudgmentTable.concat([world.held, world.seen.where(item=["i0", "i7"])])
    message = r"fitted on ratings of 2 of the 42 rated items \('i0' is one\)"
    world.fitted.save(tmp_path)
    for calibrator in (world.fitted, str(tmp_path)):
        with pytest.raises(ConfigError, match=message):
            verb(calibrator, world.answers, some, by="rater")
    verb(world.fitted, world.answers, world.held, by="rater")
    result = verb(world.fitted, world.answers, some, by="rater", in_sample=True)
    assert "2 of the rated items were fitted on" in " ".join(result.notes)


def test_what_was_learnt_later_is_no_longer_held_out(world: World) -> None:
    held = world.answers, world.held
    corrected = assize.calibrate.correct(world.fitted, *held, by="rater").calibrator
    adapted = assize.calibrate.adapt(world.fitted, *held).fitted
    for calibrator in (corrected, adapted):
        with pytest.raises(ConfigError, match="of 40 of the 40 rated items"):
            assize.calibrate.audit(calibrator, *held)
    assert assize.calibrate.correct(corrected, *held, by="rater").signature == corrected.signature


def test_hashes_are_kept_and_no_ids(world: World, tmp_path: Path) -> None:
    world.fitted.save(tmp_path)
    again = assize.calibrate.load_calibrator(tmp_path)
    assert again.seen == world.fitted.seen == {hash_unit((f"i{n}", None)) for n in range(80)}
    (kept,) = tmp_path.glob("seen*")
    assert "i7" not in kept.read_text()
    assert "seen" not in world.fitted.to_json()


def test_predictions_say_which_items_were_fitted_on(world: World, tmp_path: Path) -> None:
    rows = world.fitted.predict(world.answers, ["ann", "unknown"])
    marked = {row.item for row in rows if (row.details or {}).get("in_sample")}
    assert marked == {f"i{n}" for n in range(80)}
    assert all("entropy" in (row.details or {}) for row in rows)
    assert not any("in_sample" in (row.details or {}) for row in rows if row.item == "i90")


def test_labels_that_a_calibrator_has_learnt_from_need_a_word(world: World) -> None:
    predicted = world.fitted.predict(world.answers, "ann")
    both = JudgmentTable.concat([predicted, world.seen])
    with pytest.raises(ConfigError, match="calibration:ann was fitted on ratings of 80 of the lab"):
        assize.labels_needed(both, width=0.2)
    assert assize.labels_needed(both, width=0.2, in_sample=True).labels[1].by.endswith("ann")
    assize.labels_needed(JudgmentTable.concat([predicted, world.held]), width=0.2)
    notes = " ".join(assize.agree(both).notes)
    assert "calibration:ann was fitted on ratings of 80 of the items that it predicts" in notes
    assert "flatters" not in " ".join(assize.agree(world.held).notes)


def test_sides_of_pairs_that_were_chosen_between_are_marked() -> None:
    rng = np.random.default_rng(1)
    answers = [
        Judgment(f"{n}/{side}", "m", "Q0", score=float(rng.normal()), kind="model")
        for n in range(40)
        for side in "AB"
    ]
    chosen = [
        Judgment(f"{n}", "ann", "preference", answer=str(rng.choice(["A", "B"])), kind="person")
        for n in range(30)
    ]
    turn = (assize.Turn("assistant", "yes"),)
    pairs = [assize.Pair(f"{n}", (), turn, turn) for n in range(40)]
    fitted = assize.calibrate.fit(answers, chosen, target="preference")
    found = assize.calibrate.predict(fitted, answers, items=pairs, choices=True).judgments
    assert {row.item for row in found if "in_sample" in (row.details or {})} == {
        f"{n}" for n in range(30)
    }


def test_a_private_fit_keeps_what_is_public_anyway(world: World) -> None:
    pytest.importorskip("torch")
    private = assize.calibrate.fit(
        world.answers, world.seen, target="Q0", model=Private(epsilon=3.0)
    )
    assert private.seen == world.fitted.seen
