"""A view holds what the judgments hold, whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.web.dashboard.project import conversations, predictions, table

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.web._dashboard.prepared.preparing import prepare_view, raters_of
from assize.web._dashboard.prepared.view import NONE, VERSION, View, open_view


def test_every_number_is_kept(view: View) -> None:
    cells = view.cells("Q1")
    found = {
        (view.ids[int(unit)], view.raters[rater].name): value
        for rater in range(len(view.raters))
        for unit, value in zip(
            cells.unit[cells.of(rater)], cells.value[cells.of(rater)], strict=True
        )
    }
    told = {(one.item, one.judge): one.score for one in predictions() if one.question == "Q1"}
    assert found == told


def test_raters_are_grouped_by_what_they_are() -> None:
    rows = [
        Judgment("i", "gold", "q", answer="1"),
        Judgment("i", "adjudicated", "q", answer="1", kind="person"),
        Judgment("i", "io@m", "q", answer="1"),
        Judgment("i", "rouge", "q", answer="1", kind="metric"),
        Judgment("i", "ann", "q", answer="1"),
        Judgment("i", "calibration:ann", "q", answer="1", kind="model"),
    ]
    found = {one.name: one.group for one in raters_of(JudgmentTable.of(rows))}
    assert found == {
        "calibration:ann": "calibrated",
        "ann": "people",
        "io@m": "models",
        "rouge": "models",
        "gold": "gold",
        "adjudicated": "gold",
    }


def test_trusted_raters_are_a_group_whether_they_answered_or_were_predicted() -> None:
    rows = [
        Judgment("i", name, "q", answer="1")
        for name in ("ann", "bob", "calibration:cat", "calibration:dan", "calibration:unknown")
    ]
    table = JudgmentTable.of(rows)
    found = {one.name: one.group for one in raters_of(table, ["cat", "bob"])}
    assert found == {
        "bob": "trusted",
        "calibration:cat": "trusted",
        "calibration:dan": "calibrated",
        "ann": "people",
        "calibration:unknown": "average",
    }
    with pytest.raises(DataError, match="no trusted rater 'eve' is here"):
        raters_of(table, ["eve"])


def test_fields_with_few_values_can_be_split_by(view: View) -> None:
    place = view.fields.place("system")
    words = view.fields.words[place]
    codes = view.fields.codes[place]
    named = {view.ids[at]: words[code] for at, code in enumerate(codes.tolist())}
    assert named == {one.id: one.system for one in conversations()}


def test_a_field_that_some_lack_has_a_value_for_none(tmp_path: Path) -> None:
    rows = [Judgment(name, "ann", "q", score=1.0) for name in "abc"]
    items = [
        Conversation(name, (Turn("user", "hi"),), system)
        for name, system in (("a", "old"), ("b", "new"), ("c", None))
    ]
    view = prepare_view(JudgmentTable.of(rows), items, tmp_path / "view")
    assert list(view.fields.words[0]) == ["new", "old", NONE]
    assert view.fields.codes[0].tolist() == [1, 0, 2]


def test_times_and_prompts_are_those_of_the_conversations(view: View) -> None:
    assert view.at is not None
    assert view.at[view.ids.places["c/000"]] == 1772323200.0  # 2026-03-01
    same = [view.prompts[view.ids.places[one]] for one in ("c/002", "c/003")]
    assert same[0] == same[1] != 0


def test_items_that_nobody_judged_and_unknown_ones_are_told(tmp_path: Path) -> None:
    rows = [Judgment(name, "ann", "q", score=1.0) for name in ("c/000", "else")]
    view = prepare_view(JudgmentTable.of(rows), conversations(3), tmp_path / "view")
    assert "1 of 2 items judged are not among those given" in view.told
    assert "2 items given were not judged, and are left out" in view.told


def test_free_text_and_very_many_answers_have_no_chart_and_are_told(tmp_path: Path) -> None:
    many = tuple(f"topic {at}" for at in range(31))
    rows = [
        Judgment("a", "ann", "why", answer="so"),
        Judgment("a", "ann", "q", score=1.0),
        Judgment("a", "ann", "topic", answer="topic 3"),
    ]
    questions = [
        Question("why", kind="text"),
        Question("q"),
        Question("topic", "", "nominal", many),
    ]
    view = prepare_view(JudgmentTable.of(rows, questions), [], tmp_path / "view")
    assert [one.id for one in view.questions] == ["q"]
    assert view.told[0] == "no chart of free text, or of more than 30 answers: why, topic"
    assert [one.id for one in view.asked] == ["why", "q", "topic"]


def test_a_nominal_question_is_enough_for_a_view(tmp_path: Path) -> None:
    rows = [Judgment("a", "ann", "long", answer="yes"), Judgment("b", "ann", "long", answer="NA")]
    asked = [Question("long", "", "nominal", ("no", "yes"))]
    view = prepare_view(JudgmentTable.of(rows, asked), [], tmp_path / "view")
    assert [one.id for one in view.questions] == ["long"]
    assert view.numbered == ()
    assert view.cells("long").value.tolist() == [1.0]
    assert view.cells("long").skipped.tolist() == [1]


def test_without_a_number_nothing_is_left_behind(tmp_path: Path) -> None:
    rows = [Judgment("a", "ann", "why", answer="so")]
    with pytest.raises(DataError, match="no judgment here is a number or an answer"):
        prepare_view(JudgmentTable.of(rows, [Question("why", kind="text")]), [], tmp_path / "view")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_another_version_is_refused(tmp_path: Path) -> None:
    view = prepare_view(table(), [], tmp_path / "view")
    manifest = view.folder / "view.json"
    manifest.write_text(manifest.read_text().replace(f'"version": {VERSION}', '"version": 99'))
    with pytest.raises(ConfigError, match="another version"):
        open_view(view.folder)


def test_judgments_of_several_files_with_names_of_their_own_are_one_view(tmp_path: Path) -> None:
    parts = [
        JudgmentTable.of(
            [
                Judgment(f"{name}{at}", name, "q", distribution={name: 0.5, "z": 0.5})
                for at in range(3)
            ]
        )
        for name in ("x", "y")
    ]
    whole = JudgmentTable.concat(parts)
    question = replace(whole.questions["q"], kind="ordinal", answers=("x", "y", "z"))
    whole = JudgmentTable(whole.arrow, {"q": question})
    view = prepare_view(whole, [], tmp_path / "view")
    assert np.sort(view.cells("q").value).tolist() == [1.0] * 3 + [1.5] * 3
