"""One value a rater and conversation, whatever was said and how often; kept on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.spread.simulated import LIKERT, of_answers
from tests.web.dashboard.project import conversations, table

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.spread import Ratings, SpreadOptions, gather_ratings, measure_spread
from assize.spread.ratings import NONE, open_ratings, save_ratings


def gathered(*rows: Judgment, question: Question = LIKERT) -> Ratings:
    return gather_ratings(JudgmentTable.of(rows, [question]))


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ([{"answer": one, "repeat": at} for at, one in enumerate("13")], 2),
        ([{"answer": "4", "kind": "person"}], 4),
        ([{"answer": one, "turn": at} for at, one in enumerate("122")], 5 / 3),
        ([{"answer": "4"}, {"answer": "1", "turn": 0}], 4),  # that of the whole counts
    ],
)
def test_answers_repeats_and_turns_become_one_number(
    said: list[dict[str, Any]], number: float
) -> None:
    ann = gathered(*[Judgment("a", "ann", "q", **one) for one in said])
    assert ann.answers["q"].values == pytest.approx(np.array([[[number]]]))


def test_a_nominal_answer_is_a_column_of_0_and_1() -> None:
    assert of_answers([["a", "c"]]).answers["q"].values[:, :, 0].tolist() == [
        [1, 0],
        [0, 0],
        [0, 1],
    ]


def test_what_failed_or_does_not_apply_is_kept_apart() -> None:
    answers = gathered(
        Judgment("a", "ann", "q", answer="4"),
        Judgment("b", "ann", "q", unscored=Unscored("refused", "")),
        Judgment("c", "ann", "q", answer="NA"),
    ).answers["q"]
    assert answers.failed.tolist() == [[False, True, False]]
    assert answers.needless.tolist() == [[False, False, True]]


def test_only_raters_who_are_predicted_everywhere_are_drawn() -> None:
    shares = {"1": 0.25, "4": 0.75}
    answers: Any = gathered(
        *[Judgment(item, "calibration:all", "q", distribution=shares) for item in "ab"],
        Judgment("a", "calibration:some", "q", distribution=shares),
        Judgment("b", "calibration:some", "q", answer="4"),
        Judgment("a", "io@m", "q", distribution=shares),
    ).answers["q"]
    assert answers.predicted.tolist() == [True, False, False]
    assert answers.below[:, 0, 0].tolist() == [16384, 16384, 16384]
    assert answers.levels.tolist() == [[1, 2, 3, 4]]


def test_raters_stand_in_groups_and_gold_in_none() -> None:
    rows = [
        Judgment("a", name, "q", answer="1", kind=kind)  # type: ignore[arg-type]
        for name, kind in (
            ("calibration:ann", None),
            ("calibration:unknown", None),
            ("gold", "person"),
            ("ann", "person"),
            ("io@m", None),
            ("bot", "model"),
        )
    ]
    assert gathered(*rows).raters == {
        "ann": "people",
        "bot": "models",
        "calibration:ann": "calibrated",
        "calibration:unknown": "",
        "gold": "",
        "io@m": "models",
    }


def test_items_give_fields_times_and_what_is_lacking() -> None:
    items = [*conversations()[1:], conversations(61)[-1]]
    ratings = gather_ratings(table(), items, time="metadata.started")
    assert ratings.fields == ["system", "metadata.topic"]
    assert NONE in ratings.values_of("system")[1]
    assert ratings.notes[:-1] == [
        "1 items judged are not among those given",
        "1 items given were not judged, and are left out",
        "1 conversations have no time under metadata.started",
    ]
    with pytest.raises(ConfigError, match="no field 'x'"):
        ratings.values_of("x")


def test_nothing_to_count_is_refused() -> None:
    with pytest.raises(DataError, match="no judgment here is a number"):
        gathered(Judgment("a", "ann", "why", answer="so"), question=Question("why", kind="text"))


def test_a_folder_holds_all_of_it(ratings: Ratings, tmp_path: Path) -> None:
    save_ratings(ratings, tmp_path / "v")
    again = open_ratings(tmp_path / "v")
    options = SpreadOptions(by="system", every="week")
    assert str(measure_spread(again, options)) == str(measure_spread(ratings, options))
    place = again.position("c/007")
    assert again.item(place) == conversations()[7]
    own = [row for row in table().rows() if row.item == "c/007"]
    assert again.judgments_of(place) == own
    with pytest.raises(ConfigError, match="no conversation"):
        again.position("nobody")
