"""Files of criteria: one line by hand, everything there is and back, and what is no such file."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.base.errors import DataError
from assize.criteria._criterion import CriteriaSet, Criterion, Domain, Labelling, Merged
from assize.criteria._reading import (
    criteria_text,
    id_of,
    load_criteria,
    load_domain,
    parse_criteria,
)

WHOLE = CriteriaSet(
    "debugger",
    (
        Criterion(
            "s1",
            "The assistant: names “the” failing line.",
            "sat",
            "assistant",
            "Relevance",
            2,
            ("c1", "c2"),
            ("c1/1", "c2/3"),
            (Merged("s4", "It says where it fails.", ("c9/1",)),),
            "learnt",
        ),
        Criterion("d1", "用户重复同一个问题。", "dsat", "user"),
    ),
    Domain("Finding out why a program fails", outcome="The user knows the cause."),
    "openai:gpt-4o",
    "likert",
    Labelling(1.25, None, 7.5, 0.9, 0.3, -0.4, 50, 25, "abc"),
)


def test_a_criterion_by_hand_is_one_line() -> None:
    found = parse_criteria("criteria:\n- sat: It helps.\n- dsat: It repeats itself.\n", "c.yaml")
    first, second = found.criteria
    assert (first.text, first.polarity, first.author) == ("It helps.", "sat", "person")
    assert first.id == id_of("sat", "It helps.")
    assert second.polarity == "dsat"
    assert found.scale == "likert"


def test_a_folder_is_read_by_its_criteria(tmp_path: Path) -> None:
    (tmp_path / "criteria.yaml").write_text(criteria_text(WHOLE), "utf-8")
    assert load_criteria(str(tmp_path)) == WHOLE
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"empty/criteria\.yaml: there is no such file"):
        load_criteria(str(tmp_path / "empty"))


def test_a_domain_needs_a_task_alone(tmp_path: Path) -> None:
    path = tmp_path / "domain.yaml"
    path.write_text("task: Booking trains\nuser: |\n  Says where to.\n")
    assert load_domain(str(path)) == Domain("Booking trains", user="Says where to.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("criteria: []", "at least one"),
        ("criteria:\n- sat: A.\n  dsat: B.\n", r"c\.yaml:2: .*either sat: or dsat:"),
        ("criteria:\n- about: user\n", "either sat: or dsat:"),
        ("criteria:\n- sat: A.\n- sat: A.\n", r"c\.yaml:3: .*stands there twice"),
        ("criteria:\n- sat: A b.\n- sat: A  b.\n", r"c\.yaml:3: .*stands there twice"),
        ("criterias:\n- sat: A.\n", r"c\.yaml:1: criterias: no such field; .*criteria"),
        (
            "labelling: {threshold: 2, low: 5, high: 1}\ncriteria:\n- sat: A.\n",
            r"c\.yaml:1: labelling\.low: low is 5 and high 1; low is at most high",
        ),
        ("criteria:\n- {sat: A., id: x}\n- {sat: B., id: x}\n", "'x' is taken"),
        ("criteria:\n- {sat: A., id: NetSAT}\n", "'NetSAT' is taken"),
        ("criteria:\n- {sat: A., maxim: Quiet}\n", "Quantity"),
        ("criteria:\n- {sat: A., weight: 2}\n", "about"),
        ("criteria:\n- {sat: A.}\nlabelling: {threshold: .nan}\n", "valid number"),
    ],
)
def test_what_is_no_set_of_criteria_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        parse_criteria(text, "c.yaml")


def test_a_statement_is_bounded_in_length() -> None:
    text = "criteria:\n- sat: It helps.\n- dsat: " + "x" * 1_001 + "\n"
    with pytest.raises(DataError, match=r"criteria\[1\].*1,001 characters; .*at most 1,000"):
        parse_criteria(text, "c.yaml")
