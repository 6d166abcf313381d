"""What labels say of themselves."""

from __future__ import annotations

import numpy as np

from assize.formats.labels.labels import LabelledValue, Labels

FEW = Labels(
    "thumbs:up=1,down=0",
    {**{f"c{n}": True for n in range(9)}, "d": False},
    [
        LabelledValue("up", "good", 9),
        LabelledValue("none", "missing", 2),
        LabelledValue("meh", "not mapped", 2),
        LabelledValue("down", "bad", 1),
    ],
    mixed=1,
    unknown=("x", "y", "z", "w"),
    total=15,
)


def test_counts_and_their_line() -> None:
    assert (FEW.counts, FEW.unlabelled, len(FEW)) == ((9, 1), 5, 10)
    assert FEW.line == "labels by thumbs:up=1,down=0: 9 good (90%), 1 bad, 5 without a label"


def test_what_was_left_out_and_an_imbalance_are_told() -> None:
    assert FEW.notes[1:] == [
        "values that the label does not map: meh (2)",
        "without a label, for values say both good and bad: 1",
        "4 labels name no conversation that is here: x, y, z",
        "bad are only 1 of 10: separation weighs both classes alike, precision takes them as they"
        " are unless a prevalence is given",
    ]
    assert FEW.values[2] == LabelledValue("meh", "not mapped", 2)


def test_a_column_has_no_number_where_there_is_no_label() -> None:
    found = FEW.column(["d", "none", "c0"])
    assert found[[0, 2]].tolist() == [0, 1]
    assert np.isnan(found[1])


def test_as_judgments_they_are_gold() -> None:
    table = FEW.to_judgments("NetSAT")
    assert (table.judges, table.asked, len(table)) == (("gold",), ("NetSAT",), 10)
    assert table.questions["NetSAT"].values == (0.0, 1.0)
