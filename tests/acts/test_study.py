"""A study of acts and maxims: which judges, which rows, what it is signed with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from acts_voted import ISO, PAIR, Q, T, held, ours, row

from assize.acts._study import study, study_all
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable


def test_the_first_of_repeated_rows_counts_and_the_rest_are_told() -> None:
    rows = [row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]))] * 2
    (found,) = study_all(JudgmentTable.of(rows), {"p": PAIR}, ISO)
    assert (found.items["acts"], found.duplicates) == (1, 1)


def test_judges_of_the_same_model_are_studied_together() -> None:
    acts = ours([Q], [T], [Q], a=[T], b=[Q])
    rows = [
        row("da@x", acts),
        row("da@y", acts),
        row("maxim@y", {"maxims": held()}),
        row("maxim@z", {"maxims": held()}),
    ]
    table = JudgmentTable.of(rows)
    assert [one.name for one in study_all(table, {"p": PAIR}, ISO)] == [
        "da@x",
        "da@y + maxim@y",
        "maxim@z",
    ]
    (chosen,) = study_all(table, {"p": PAIR}, ISO, judges=["da@x"])
    assert chosen.name == "da@x"
    assert [one.name for one in study_all(table, {"p": PAIR}, ISO, judges=["da"])] == [
        "da@x",
        "da@y",
    ]
    with pytest.raises(ConfigError, match=r"'io' gave no .* who did are da@x, da@y"):
        study_all(table, {"p": PAIR}, ISO, judges=["io"])


def test_later_runs_of_a_judge_are_left_out_and_told() -> None:
    once = row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]))
    table = JudgmentTable.of([once, replace(once, repeat=1), replace(once, repeat=2)])
    (found,) = study_all(table, {"p": PAIR}, ISO)
    assert (found.items["acts"], found.repeats) == (1, 2)
    assert "2 rows of later repeats are left out: the first run is analysed" in found.notes


def test_judgments_without_acts_or_maxims_are_refused() -> None:
    with pytest.raises(DataError, match="da-paper"):
        study_all(JudgmentTable.of([row("io@m", None)]), {"p": PAIR}, ISO)


def test_the_signature_stands_for_data_and_rules_not_for_the_order_of_rows() -> None:
    rows = [row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]), item=name) for name in ("p", "q")]
    items = {name: Pair(name, PAIR.context, PAIR.a, PAIR.b) for name in ("p", "q")}

    def signed(rows: list[Judgment], taxonomy: str = "iso-24617-2") -> str:
        names = load_taxonomy(taxonomy)
        table = JudgmentTable.of(rows)
        return study(table, items, names, acts="da@m", maxims=None).signature

    assert signed(rows) == signed(rows[::-1])
    assert signed(rows) != signed(rows[:1])
    assert signed(rows) != signed(rows, "intents")
