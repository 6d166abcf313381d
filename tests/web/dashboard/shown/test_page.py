"""The first page: every question that the panel answered, with figures in words."""

from __future__ import annotations

from dataclasses import replace

from tests.web.dashboard.project import QUESTIONS

from assize.web._dashboard.definition import Dashboard
from assize.web._dashboard.figures.charts import Look
from assize.web._dashboard.figures.resampling import Drawing
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.shown.answers import AnswersPicture
from assize.web._dashboard.shown.page import Row, choices, main_number, picture_with_bands, pictures

DASHBOARD = Dashboard("d", "D", main="Q1", drawing=Drawing(replicates=20))


def test_the_main_question_stands_first(view: View) -> None:
    found = pictures(view, DASHBOARD, Look(""))
    assert [one.question.id for one in found] == ["Q1", "Q0", "Q2"]


def test_questions_that_the_panel_did_not_answer_are_left_out(view: View) -> None:
    assert [one.question.id for one in pictures(view, DASHBOARD, Look("", panel="acts@local"))] == [
        "acts"
    ]


def test_bands_are_pending_until_they_were_asked_for(view: View) -> None:
    look = Look("Q2", "metadata.topic")
    assert all(one.pending for one in pictures(view, DASHBOARD, look))
    made = picture_with_bands(view, DASHBOARD, look)
    again = {one.question.id: one for one in pictures(view, DASHBOARD, look)}
    assert again["Q2"] == made
    assert again["Q1"].pending


def test_figures_have_n_interval_and_difference(view: View) -> None:
    rows = picture_with_bands(view, DASHBOARD, Look("Q0", "system")).rows
    new, old = (one for one in rows if isinstance(one, Row))
    assert [(one.name, one.n, one.unscored) for one in (new, old)] == [
        ("new", "30", "0"),
        ("old", "30", "0"),
    ]
    assert " to " in new.interval
    assert new.apart == "+0.000 (–)"
    assert old.apart.startswith("-")


def test_the_note_says_what_was_drawn(view: View) -> None:
    note = picture_with_bands(view, DASHBOARD, Look("Q0")).note
    assert note.startswith(
        "Bands hold 95% of 20 replicates that draw raters, conversations and the answers of 6"
        " predicted raters anew."
    )
    assert "Seed 0" in note


def test_a_nominal_question_has_a_chart_with_intervals_where_its_raters_are_looked_at(
    view: View,
) -> None:
    look = Look("", panel="people")
    (found,) = pictures(view, DASHBOARD, look)
    assert isinstance(found, AnswersPicture)
    assert found.pending
    made = picture_with_bands(view, DASHBOARD, Look("length", panel="people"))
    assert made.note.startswith(
        "Intervals hold 95% of 20 replicates that draw raters and conversations anew. Seed 0"
    )
    assert pictures(view, DASHBOARD, look) == (made,)


def test_the_first_question_with_numbers_orders_lists(view: View) -> None:
    assert main_number(view, DASHBOARD) == "Q1"
    assert main_number(view, replace(DASHBOARD, main="length")) == "Q0"


def test_choices_are_the_fields_and_panels(view: View) -> None:
    found = choices(view)
    assert "system" in found.fields
    assert found.panels[0] == "calibrated raters"
    values = dict(found.values)
    assert values["system"] == (("new", "system:new"), ("old", "system:old"))
    assert {one.id for one in QUESTIONS} <= {one.id for one in view.questions}
