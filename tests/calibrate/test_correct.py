from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import Unfair

import assize
from assize import Conversation, JudgmentTable
from assize.base.errors import ConfigError, DataError
from assize.calibrate import FittedCalibrator
from assize.calibrate._results.rated import CorrectionResult


@dataclass(frozen=True)
class World:
    """The unfair world with its calibrator in a folder."""

    folder: Path
    answers: JudgmentTable
    ratings: Mapping[str, JudgmentTable]
    chats: list[Conversation]

    def correct(self, ratings: str) -> CorrectionResult:
        return assize.calibrate.correct(
            self.folder,
            self.answers,
            self.ratings[ratings],
            items=self.chats,
            by=["metadata.language", "rater"],
            in_sample=ratings == "seen",
        )

    def bare(self) -> FittedCalibrator:
        """The calibrator without its correction."""
        return assize.calibrate.load_calibrator(self.folder, uncorrected=True)


@pytest.fixture
def world(unfair: Unfair, tmp_path: Path) -> World:
    unfair.fitted.save(tmp_path / "c")
    return World(tmp_path / "c", unfair.answers, unfair.ratings, unfair.chats)


def test_a_correction_takes_the_bias_off_held_ratings(world: World) -> None:
    def audit(*, uncorrected: bool = False) -> dict[str, Any]:
        return assize.calibrate.audit(
            assize.calibrate.load_calibrator(world.folder, uncorrected=uncorrected),
            world.answers,
            world.ratings["held"],
            items=world.chats,
            by="metadata.language",
        ).to_json()

    before = audit()
    found = world.correct("split")
    assert (found.n, found.items) == (600, 300)
    assert {patch["group"] for patch in found.to_json()["patches"]} >= {"de"}
    after = audit()
    assert (before["corrected"], after["corrected"]) == (False, True)
    assert after["signature"] == found.signature != before["signature"]
    (_, de, _), (_, better, en) = before["groups"], after["groups"]
    assert de["bias"]["estimate"] > 0.5
    assert abs(better["bias"]["estimate"]) < 0.15
    assert abs(en["bias"]["estimate"]) < 0.15
    assert better["log_loss"]["estimate"] < de["log_loss"]["estimate"] - 0.05
    assert better["smooth_ece"]["estimate"] < de["smooth_ece"]["estimate"] - 0.1
    assert audit(uncorrected=True)["groups"] == before["groups"]
    assert "patches" in found.tables
    assert found.notes[0].startswith(f"{world.folder}: ")


def test_a_calibrator_in_memory_is_left_as_it_is(world: World) -> None:
    fitted = replace(assize.calibrate.load_calibrator(world.folder), folder=None)
    found = assize.calibrate.correct(
        fitted, world.answers, world.ratings["split"], items=world.chats, by="metadata.language"
    )
    assert fitted.correction is None
    assert assize.calibrate.load_calibrator(world.folder).correction is None
    assert "out" not in found.to_json()
    found.calibrator.save(world.folder)
    assert assize.load(world.folder).signature == found.signature
    here = found.calibrator.predict(world.answers, items=world.chats)
    there = assize.load(world.folder).predict(world.answers, items=world.chats)
    assert here.rows()[-2:] == there.rows()[-2:]


def test_predictions_are_corrected_by_the_conversations_group(world: World) -> None:
    signature = world.correct("split").signature
    means = {}
    folder, bare = world.folder, world.bare()
    for name, calibrator, items in (("with", folder, world.chats), ("without", bare, None)):
        found = assize.calibrate.predict(
            calibrator, world.answers, raters="ann,unknown", items=items
        )
        rows = [row for row in found.judgments if int(row.item[1:]) >= 300]
        assert (rows[0].signature == signature) is (name == "with")
        german = [row.score for row in rows if int(row.item[1:]) % 2 == 0]
        means[name] = np.mean([score for score in german if score is not None])
        assert all(sum((row.distribution or {}).values()) == pytest.approx(1) for row in rows)
    assert means["without"] - means["with"] > 0.4
    with pytest.raises(DataError, match="give the conversations that have it as items"):
        assize.calibrate.predict(world.folder, world.answers)


def average(found: Any) -> float:
    return float(found.selections[0].average)


def even(found: Any) -> float:
    """Even items, of which the held ones are German."""
    return float(found.sets["0"].mean.estimate)


def open_(found: Any) -> float:
    """How open German items are."""
    rows = [row for row in found.uncertain if int(row.item[1:]) >= 300]
    return float(np.mean([row.entropy for row in rows if int(row.item[1:]) % 2 == 0]))


READERS: dict[str, tuple[Any, dict[str, Any], Any]] = {
    "select": (assize.calibrate.select, {"by": "^(i)"}, average),
    "compare": (assize.calibrate.compare, {"by": "^i\\d*([05])$", "resamples": 20}, even),
    "next": (assize.calibrate.next_ratings, {"count": 900}, open_),
}


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_of_the_folder_corrects(world: World, reader: str) -> None:
    function, options, german = READERS[reader]
    patched = world.correct("split").signature
    whole = function(world.folder, world.answers, items=world.chats, **options)
    plain = function(world.bare(), world.answers, **options)
    assert (whole.corrected, plain.corrected) == (True, False)
    said, bare = (getattr(one, "calibrator", one.signature) for one in (whole, plain))
    assert said == patched != bare
    assert abs(german(plain) - german(whole)) > 0.05
    assert getattr(whole, "requests", None) == getattr(plain, "requests", None)  # by its gains
    with pytest.raises(DataError, match="give the conversations that have it as items"):
        function(world.folder, world.answers, **options)


def test_a_calibrator_without_fault_stays_as_it_is(world: World) -> None:
    found = world.correct("seen")
    assert found.patches == ()
    assert found.sentence == "Nothing was found to correct in predicted answers to Q0."
    assert "nothing was found to correct in" in found.notes[0]
    same = assize.calibrate.predict(world.folder, world.answers, items=world.chats).to_json()
    plain = assize.calibrate.predict(world.bare(), world.answers).to_json()
    assert same["raters"] == plain["raters"]
    assert not same["corrected"]
    # Nothing depends on groups, so that no items are needed.
    assert assize.calibrate.predict(world.folder, world.answers).to_json() == same


@pytest.mark.parametrize("options", [{"tolerance": -0.1}, {"min_n": 1}])
def test_what_is_out_of_range_is_told(world: World, options: dict[str, Any]) -> None:
    three = world.folder, world.answers, world.ratings["split"]
    with pytest.raises(ConfigError, match="allowed is"):
        assize.calibrate.correct(*three, by="rater", **options)
