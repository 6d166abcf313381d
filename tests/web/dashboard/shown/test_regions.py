"""A region's rows say which conversation, whose, and how it begins."""

from __future__ import annotations

from tests.web.dashboard.project import ATTACK

from assize.web._dashboard.figures.charts import Look
from assize.web._dashboard.figures.selection import PAGE, Region
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.shown.regions import GIST, listed


def test_rows_name_the_conversation_its_group_and_how_it_begins(view: View) -> None:
    found = listed(view, Look("Q0", "system"), Region(1, 4), page=1)
    assert (found.pages, found.before, found.after) == (3, None, 2)
    assert len(found.rows) == PAGE
    one = next(row for row in found.rows if row.item != "c/000")
    assert one.gist == f"How do I renew plot {int(one.item[2:]) // 2}? I **need** it."
    assert one.group == ("old", "new")[int(one.item[2:]) % 2]


def test_the_last_page_has_none_after_it(view: View) -> None:
    found = listed(view, Look("Q0"), Region(1, 4), page=3)
    assert (len(found.rows), found.before, found.after) == (10, 2, None)


def test_pairs_are_counted_as_answers_about_conversations(view: View) -> None:
    assert listed(view, Look("Q0"), Region(1, 4)).heading == "60 conversations"
    apart = listed(view, Look("Q0", disaggregated=True), Region(1, 4))
    assert apart.heading == "360 answers about 60 conversations"
    assert apart.rows[0].rater.startswith("calibration:")


def test_a_long_beginning_is_cut(view: View) -> None:
    rows = [
        row for page in (1, 2, 3) for row in listed(view, Look("Q0"), Region(1, 4), page=page).rows
    ]
    first = next(row for row in rows if row.item == "c/000")
    assert first.gist == " ".join(ATTACK.split())[:GIST]


def test_a_list_of_an_answer_says_it_and_the_number_that_orders_it(view: View) -> None:
    look = Look("length", panel="ann")
    found = listed(view, look, Region(0, 0), main="Q0")
    assert (found.answer, found.said) == ("short", "short: too short")
    assert found.heading == "20 conversations"
    assert {one.value for one in found.rows} == {"short: too short"}
    ranked = [float(one.ranked) for one in found.rows]  # by the predicted raters: ann said nothing
    assert ranked == sorted(ranked)
    assert (listed(view, Look("Q0"), Region(1, 4)).answer, found.found.by) == ("", "Q0")
