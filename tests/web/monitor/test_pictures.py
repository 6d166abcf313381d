from __future__ import annotations

import asyncio

import pytest
from tests.web.monitor.simulated import Rater, Study, answers, collect, crowd

from assize.base.judgment import Question
from assize.web._monitor import pictures
from assize.web._monitor.figures import Figures, figures
from assize.web._monitor.progress import progress


@pytest.fixture(scope="module")
def found() -> Figures:
    return figures(collect(Study(crowd(3, odd=Rater(later=-2)), items=150)))


def test_bars_say_how_many_items_have_how_many_ratings() -> None:
    now = progress(
        collect(Study(crowd(2), items=4, overlap=2)).work, [f"i{n}" for n in range(5)], 2
    )
    made = asyncio.run(pictures.drawn_progress(now))
    assert "0 of 2 1 (20.0%)" in made
    assert "2 of 2 4 (80.0%)" in made


def test_a_chart_is_drawn_once() -> None:
    kept: dict[str, str] = {}
    spec = pictures.alphas([])
    assert pictures.drawn(kept, "a", lambda: spec) == ""
    assert pictures.drawn(kept, "a", lambda: pytest.fail("drawn again")) == ""


def test_agreement_has_a_point_a_question_and_a_rater(found: Figures) -> None:
    assert "clear, kind" in str(pictures.alphas(found.agreement))
    named = pictures.raters(list(found.raters.values()))
    assert named is not None
    assert next(row["name"] for row in named["data"]["values"]) == "odd"


def test_confusion_is_of_answers_that_are_few(found: Figures) -> None:
    asked = found.asked["clear"][0]
    assert pictures.confused(asked, "odd", None) is not None
    assert pictures.confused(asked, "nobody", None) is None
    many = Question("q", kind="ordinal", answers=tuple(map(str, range(20))))
    rows = {("i", "a"): "1", ("i", "b"): "2"}
    assert pictures.confused(answers(rows, many).answered("q"), "a", None) is None
