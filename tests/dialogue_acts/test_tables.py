"""The findings of a study as tables, on examples small enough to count by hand."""

from __future__ import annotations

import pytest
from acts_voted import ISO, PAIR, Q, T, held, ours, row

from assize.conversation import Pair
from assize.dialogue_acts.study import ActStudy, study_all
from assize.dialogue_acts.tables import MOST_ACTS, most_next, tables_of
from assize.judgment import Judgment, Unscored
from assize.judgments import JudgmentTable
from assize.results import ResultTable


def studied(*rows: Judgment, items: tuple[str, ...] = ("p",)) -> ActStudy:
    """Of items that are all the same pair."""
    pairs = {name: Pair(name, PAIR.context, PAIR.a, PAIR.b, gold="A") for name in items}
    (found,) = study_all(JudgmentTable.of(rows), pairs, ISO)
    return found


def shown(table: ResultTable) -> list[list[str]]:
    """The first text of every cell."""
    return [[first for first, _ in row] for row in table.texts()[1]]


ACTS = row("da@x", ours([Q], [T], [Q], a=[T], b=[Q]))
MAXIMS = row("maxim@x", {"maxims": held(better=2, worse=1, both=3)})


def test_a_study_has_the_tables_of_what_it_holds() -> None:
    acts, maxims = set(tables_of(studied(ACTS))), set(tables_of(studied(MAXIMS)))
    both = set(tables_of(studied(ACTS, MAXIMS)))
    crossed = {"Do the two responses differ, and which satisfies more maxims?"}
    assert acts & maxims == {"What is analysed", "How far the second vote differs"}
    assert both == acts | maxims | crossed
    assert "Who keeps to each maxim" in maxims
    assert "Are labels the taxonomy's?" in acts


def test_what_is_left_out_is_counted_with_its_reasons() -> None:
    lost = row("da@x", None, item="q", unscored=Unscored("timeout"))
    table = studied(ACTS, lost, items=("p", "q")).tables["What is analysed"]
    ((judge, labels, valid, left_out, why),) = shown(table)
    assert (judge, labels, valid, left_out) == ("da@x", "acts", "1", "1")
    assert why == "unscored: timeout: 1"
    assert "Gold prefers a response in 2 items." in table.notes[0]


def test_nothing_left_out_is_a_dash() -> None:
    assert shown(studied(ACTS).tables["What is analysed"])[0][3:] == ["0", "–"]


def test_frequencies_are_percents_of_each_roles_turns() -> None:
    # user: question and question; assistant: inform; responses: inform, question
    table = studied(ACTS).tables["Frequency of functions"]
    assert shown(table) == [
        ["Set Question", "100.00", "0.00", "50.00"],
        ["Inform", "0.00", "100.00", "50.00"],
    ]
    (note,) = table.notes
    assert note == "Percent of turns: 2 of the users, 1 of the assistants, 2 of the responses."


def test_rarer_acts_than_a_table_holds_are_counted() -> None:
    names = [one.name for one in ISO.functions[: MOST_ACTS + 2]]
    acts = [["Task", name] for name in names]
    rows = row("da@x", {"acts": {"context": [acts, [T], acts], "a": [[T]], "b": [[T]]}})
    table = studied(rows).tables["Frequency of functions"]
    found = len({*names, "Inform"})
    assert len(table.rows) == MOST_ACTS
    assert table.notes[0].endswith(f" {found - MOST_ACTS} rarer ones are left out.")


def test_what_follows_an_act_is_a_percent_of_its_own_turns() -> None:
    # the user asks twice; inform follows the first, the second is the context's last turn
    table = studied(ACTS).tables["What follows an act of the user"]
    assert [one.name for one in table.columns] == ["User", "Turns", "Inform"]
    (only,) = table.rows
    assert only[:2] == ("Set Question", 1)
    assert only[2] == pytest.approx(1.0)


def test_what_follows_most_stands_first_and_equals_by_name() -> None:
    rows = {
        "Inform": {"": 9, "Answer": 2, "Thanking": 3},
        "Offer": {"": 4, "Answer": 2, "Apology": 3},
    }
    assert most_next(rows) == ["Answer", "Apology", "Thanking"]  # 4, 3 and 3


def test_a_share_stands_with_its_interval_and_how_many_it_is_of() -> None:
    # the responses differ; better in 2 maxims and both in 3 against worse in 1 and both in 3
    table = studied(ACTS, MAXIMS).tables[
        "Do the two responses differ, and which satisfies more maxims?"
    ]
    found = {cells[0].strip(): cells[1:] for cells in shown(table)}
    assert found["same acts"][0] == "0.00"
    assert found["different acts"][0] == "100.00"
    told = [cells[:2] for cells in shown(table)]
    assert told[4:] == [
        ["different acts", "100.00"],
        ["  chosen satisfies more maxims", "100.00"],
        ["  rejected satisfies more maxims", "0.00"],
        ["  equally many maxims", "0.00"],
    ]


def test_each_maxim_has_the_percents_of_who_keeps_to_it() -> None:
    table = studied(MAXIMS).tables["Who keeps to each maxim"]
    rows = shown(table)
    chosen, rejected, both, neither = ([float(one[at]) for one in rows] for at in (1, 2, 3, 4))
    assert [sum(one) for one in (chosen, rejected, both, neither)] == [200, 100, 300, 600]
    assert "On average 3.00" in table.notes[0]  # 2 and 1 are satisfied better by one


def test_hallucinated_functions_are_named() -> None:
    table = studied(row("da@x", ours([["Task", "Explain"]], [T], [Q], a=[T], b=[Q]))).tables[
        "Are labels the taxonomy's?"
    ]
    found = {cells[0]: cells[1] for cells in shown(table)}
    assert found["function unknown (hallucinated)"] == "20.00"  # 1 of 5 labels
    assert table.notes[0].startswith("Hallucinated: Explain 1.")
