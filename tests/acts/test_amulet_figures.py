"""The figures of AMULET (arXiv 2505.20451, section 3, appendices I and K) on its own outputs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.acts.test_published import cells

from assize.acts._analysis import AS_PUBLISHED, LABELS, find_share
from assize.acts._published import ActsStudied
from assize.acts._study import ActStudy, study_all
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Pair
from assize.formats import read, read_judgments
from assize.stats import Estimate

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "amulet-hh-test"
pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the research data stand beside the project, and are not here"
)


@pytest.fixture(scope="module")
def study() -> ActStudy:
    pairs = {one.id: one for one in read(DATA / "instances.jsonl") if isinstance(one, Pair)}
    table = read_judgments([DATA / "outputs-gpt4o.jsonl.gz"])
    (found,) = study_all(table, pairs, load_taxonomy())
    return found


def percent(found: Estimate) -> float:
    return round(100 * found.estimate, 2)


def get(rows: Iterable[Any], **fields: object) -> Any:
    found: Any = find_share(rows, **fields)
    return found


def share(found: Estimate) -> float:
    return round(found.estimate, 3)


@pytest.mark.parametrize(
    ("who", "change", "function", "dimension"),
    [
        ("user", "from turn to turn", 0.795, 0.339),
        ("assistant", "from turn to turn", 0.792, 0.292),
        ("user", "at least once", 0.961, 0.637),
        ("assistant", "at least once", 0.917, 0.467),
        ("responses", "between the two", 0.772, 0.367),
    ],
)
def test_changes_are_those_of_the_paper(
    who: str, change: str, function: float, dimension: float, study: ActStudy
) -> None:
    levels = {"function": function, "dimension": dimension}
    for level, value in levels.items():
        assert share(get(study.changes, level=level, who=who, change=change)) == value


def test_one_label_in_a_thousand_is_hallucinated(study: ActStudy) -> None:
    assert round(get(study.labels, labels=LABELS["hallucinated"]).estimate, 3) == 0.001
    assert percent(get(study.labels, labels=LABELS["dimensions"])) == 99.97
    assert percent(get(study.labels, labels=LABELS["valid"])) == 99.12
    assert "Accept Offer" in study.hallucinated


def test_the_second_vote_varies_far_less_than_a_comparison_by_place_says(study: ActStudy) -> None:
    itself, by_place = (
        get(study.second_votes, level="function", what=what).estimate
        for what in ("responses, each with itself", "responses, by place as published")
    )
    assert itself < 0.4 < 0.8 < by_place


def test_all_turns_vary_as_table_12_says(study: ActStudy) -> None:
    functions, dimensions = (
        {row.what: row.share for row in study.second_votes if row.level == level}
        for level in ("function", "dimension")
    )
    turns = "all turns, by their set"
    # 605 turns of the context and 758 responses compared by place, of 4,746
    assert (functions[turns].count, functions[turns].n) == (605 + 758, 4746)
    assert percent(functions[AS_PUBLISHED]) == 28.72
    # printed as 13.3: all labels of a turn, as often as each dimension is named; sets give 11.1
    assert (percent(dimensions[AS_PUBLISHED]), percent(dimensions[turns])) == (13.32, 11.08)


@pytest.fixture(scope="module")
def published(study: ActStudy) -> ActsStudied:
    return ActsStudied({"gpt-4o-2024-08-06": study})


def texts(published: ActsStudied, start: str) -> list[list[str]]:
    (table,) = [one for title, one in published.tables.items() if title.startswith(start)]
    return cells(table)


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (
            "Table 1:",
            [
                ["Chosen satisfies more", "15.9", "59.1"],
                # printed as 15.3, so that the column adds up; 70 of 460 are 15.22
                ["Rejected satisfies more", "4.3", "15.2"],
                ["Both satisfy equally", "2.6", "2.8"],
                ["Total", "22.8", "77.2"],
            ],
        ),
        (
            "Table 12:",
            [
                ["instances", "460"],
                ["instances with valid acts and maxims", "460"],
                ["user turns", "2,143"],
                ["consecutive turns", "1,683"],
                ["% labels with valid dimensions", "100.0"],
                ["% labels with valid functions", "99.1"],
                ["% turns with different dimensions across votes", "13.3"],
                ["% turns with different functions across votes", "28.7"],
            ],
        ),
        (
            "Table 13:",
            [
                ["User turns", "Function", "0.96"],
                ["User turns", "Dimension", "0.64"],
                ["Assistant turns", "Function", "0.92"],
                ["Assistant turns", "Dimension", "0.47"],
            ],
        ),
        (
            "Table 14:",
            [
                ["User turns", "Function", "0.80"],
                ["User turns", "Dimension", "0.34"],
                ["Assistant turns", "Function", "0.79"],
                ["Assistant turns", "Dimension", "0.29"],
            ],
        ),
        ("Table 15:", [["gpt-4o-2024-08-06", "0.77", "0.37"]]),
        ("Table 16:", [["gpt-4o-2024-08-06", "6.20"]]),
        ("Table 17:", [["gpt-4o-2024-08-06", "49.8", "56.1", "48.3", "460"]]),
        ("Figures 3c and 3d:", [["gpt-4o-2024-08-06", "79.5", "82.7"]]),
    ],
)
def test_the_papers_figures_come_out(
    table: str, rows: list[list[str]], published: ActsStudied
) -> None:
    assert texts(published, table) == rows


@pytest.mark.parametrize("name", [f"Table {number}" for number in range(12, 18)])
def test_what_is_printed_of_hh_test_is_what_comes_out(name: str, published: ActsStudied) -> None:
    printed = replace(published, paper=True).tables[f"{name}, as printed"]
    heads, ours = [one.name for one in printed.columns], texts(published, f"{name}:")
    if "HH-TEST" in heads:
        at = heads.index("HH-TEST")
        assert [line[at] for line in cells(printed)] == [line[-1] for line in ours]
    else:
        (row,) = [line[1:] for line in cells(printed) if line[0] == "HH-TEST"]
        assert row == ours[0][1 : len(row) + 1]


def test_distinct_acts_are_those_of_figure_8(published: ActsStudied) -> None:
    found = {line[0]: line[1:] for line in texts(published, "Figures 3b and 8:")}
    assert found["≥ 3"][0] == "380 (82.61)"  # more than half have three or more
    assert (found["≥ 5"][0], found["≥ 4"][1]) == ("61 (13.26)", "83 (18.04)")
    rows: dict[tuple[str, int], Any] = {
        (row.what, row.at_least): row for one in published.studies.values() for row in one.distinct
    }
    assert percent(rows["function", 5].user) == 26.09
    assert percent(rows["function", 4].assistant) == 60.0


def test_figures_3a_4_and_7_hold_what_the_paper_says_of_them(published: ActsStudied) -> None:
    functions = [line[0] for line in texts(published, "Figures 3a and 6:")]
    assert functions[:2] == ["Inform", "Set Question"]
    dimensions = [line[0] for line in texts(published, "Figure 7:")]
    assert dimensions[:3] == ["Task", "Allo-Feedback", "Social Obligations Management"]
    maxims = {line[0]: line[1:] for line in texts(published, "Figure 4:")}
    assert len(maxims) == 12
    assert maxims["Transparency-3"][2] == "96.5"  # "since both seem to satisfy it equally"
    assert len(texts(published, "Table 5:")) == 10


def test_the_caution_stands_beside_tables_1_and_17(published: ActsStudied) -> None:
    for start in ("Table 1:", "Table 17:", "Figure 4:"):
        (table,) = [one for title, one in published.tables.items() if title.startswith(start)]
        assert any("first vote 75.0%, by the second 48.0%" in note for note in table.notes)
