"""Every jury on every data set, and why a figure is missing."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.juries.study.conftest import PAIRS, data_set, rows

from assize.base.conversation import Pair, Turn
from assize.base.errors import DataError
from assize.judgments import JudgmentTable
from assize.juries.study.methods import methods_of
from assize.juries.study.sitting import DataSet, Place, judges_of, sit_all, user_turns

HI, YES = Turn("user", "Hi"), Turn("assistant", "Yes?")


def test_each_model_sits_with_its_own_judges_and_what_is_missing_is_said() -> None:
    data = data_set()
    methods = methods_of(["da > maxim"], [], judges_of(data.table))
    found = sit_all([data], methods, ("x", "y"))
    assert found[Place("chats", "da > maxim", "x")].share().estimate == 0.75
    assert found[Place("chats", "da", "y")].share().estimate == 0.75
    missing = found[Place("chats", "da > maxim", "y")]
    assert math.isnan(missing.share().estimate)
    assert missing.share().reason == "there is no judgment by maxim@y"
    assert missing.result is None


def test_turns_of_the_user_are_counted_in_the_context_or_in_a_whole_dialogue() -> None:
    assert user_turns(Pair("p", (HI, YES, HI), (YES,), (YES,))) == 2
    assert user_turns(Pair("p", (), (HI, YES, HI, YES, HI, YES), (HI, YES))) == 3


def test_a_set_has_the_pairs_that_are_long_enough() -> None:
    long = {"p1": replace(PAIRS["p1"], context=(HI, YES, HI))}
    data = replace(data_set(), pairs={**PAIRS, **long})
    assert list(data.of_length(2) or ()) == ["p1"]
    assert len(data.of_length(0) or ()) == 4
    with pytest.raises(DataError, match="no pair has 9 user turns or more"):
        data.of_length(9)
    with pytest.raises(DataError, match="the pairs are not known"):
        replace(data, pairs=None).of_length(2)


def test_a_judge_that_a_cascade_asked_about_ties_alone_has_no_figure_of_its_own() -> None:
    # da decides p1, p3 and p4; maxim was asked about p2 only
    later = [row for row in rows("maxim@x", "tAtt") if row.item == "p2"]
    asked = JudgmentTable.of([*rows("da@x", "AtBA"), *later])
    data = DataSet("live", asked, PAIRS)
    methods = methods_of(["da > maxim"], [], judges_of(asked))
    found = sit_all([data], methods, ("x",))
    assert found[Place("live", "da > maxim", "x")].share().estimate == 0.75
    alone = found[Place("live", "maxim", "x")]
    assert alone.result is None
    assert alone.reason == "maxim@x was not asked about 3 of 4 pairs that were left to it"
