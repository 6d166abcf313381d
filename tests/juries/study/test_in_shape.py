"""Ours in the shape of AMULET's tables: every figure that HH-TEST's stored votes determine."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.juries.study.conftest import data_set, rows

from assize.base.conversation import Turn
from assize.base.judgment import Unscored
from assize.judgments import JudgmentTable
from assize.juries.study import DataSet, JuryStudy, StudySettings, study_juries
from assize.juries.study.in_shape import ShapedCell, is_model, is_paper_s, printed_notes, rounded
from assize.juries.study.published import TABLES
from assize.results import to_json

# by table, the cells that GPT-4o's votes and the three rewards on HH-TEST determine
DETERMINED = {2: 12, 3: 9, 4: 3, 18: 5, 19: 0, 20: 0, 25: 3, 26: 3, 30: 5}


@pytest.mark.parametrize("number", TABLES)
def test_every_figure_that_hh_test_determines_is_as_printed(
    number: int, hh_test: JuryStudy
) -> None:
    found = cells(hh_test, number)
    known = [one for one in found if one.ours]
    assert len(known) == DETERMINED[number]
    assert [(one.row, one.column, rounded(one.ours)) for one in known] == [
        (one.row, one.column, one.printed) for one in known
    ]
    for one in found:
        assert (one.reason is None) == bool(one.ours)


def test_the_command_s_table_counts_them_all(hh_test: JuryStudy) -> None:
    found = hh_test.tables
    assert [(row.determined_here, row.as_printed) for row in hh_test.printed] == [
        (n, n) for n in DETERMINED.values()
    ]
    assert "exchanged" in found["table_3"].notes[0]
    (row,) = (row for row in found["table_4"].rows if row[0] == "HH-TEST")
    assert row[1:] == ("59.8 / 15.9 / 24.3", "62.6 / 9.1 / 28.3", "64.1 / 5.0 / 30.9")
    (qrm,) = (one for one in cells(hh_test, 26) if (one.row, one.column) == ("GPT-4O", "QRM"))
    assert (qrm.ours[0].count, rounded(qrm.ours), qrm.printed) == (20, (4.3,), (4.3,))


def small(*, model: str = "openai:gpt-4o", name: str = "HH-TEST", extra: str = "") -> JuryStudy:
    """Four pairs with the paper's name; what differs from it is said."""
    said = {f"da@{model}": "AAtB", f"maxim@{model}": "AAAB", "reward@hf:QRM-Gemma-2-27B": "BAAA"}
    judges = {**said, extra: "AAAA"} if extra else said
    table = JudgmentTable.of([row for one in judges for row in rows(one, judges[one])])
    settings = StudySettings(least=(0, 4), paper=True)
    return study_juries([DataSet(name, table, data_set().pairs)], settings=settings)


def cells(study: JuryStudy, number: int) -> list[ShapedCell]:
    return [one for one in study.cells if one.table == number]


def cell(study: JuryStudy, number: int, row: str, column: str) -> tuple[object, str | None]:
    (found,) = (one for one in cells(study, number) if (one.row, one.column) == (row, column))
    return rounded(found.ours), found.reason


def test_cells_that_cannot_be_known_say_why_and_are_never_invented() -> None:
    study = small()
    assert cell(study, 3, "AMULET-DA", "CLAUDE")[1] == "there are no judgments by CLAUDE"
    assert cell(study, 3, "DA-then-MAXIM-then-INF-ORM", "GPT-4O")[1] == (
        "there are no judgments by INF-ORM"
    )
    assert cell(study, 2, "QRM", "NECTAR ≥ 7")[1] == "there are no judgments of NECTAR"
    assert cell(study, 19, "CHATEVAL", "accuracy")[1] == "there are no judgments by debate"
    # the four pairs have no turn of the user at all
    assert cell(study, 2, "AMULET-DA (GPT-4o)", "HH-TEST") == (
        (),
        "no pair has 4 user turns or more",
    )


def test_reasons_of_one_kind_stand_in_one_note() -> None:
    notes = small().tables["table_25"].notes
    assert "– (9 cells): there are no judgments of WILDFEEDBACK, NECTAR, HH-TRAIN." in notes


def test_a_figure_that_is_not_as_printed_is_named(hh_test: JuryStudy) -> None:
    (first, *_) = cells(hh_test, 26)
    assert first.same is True
    other = replace(first, printed=(9.9,), same=False)
    (note,) = printed_notes([other], [])
    assert note == "Not as printed: table 26, GPT-4O, SKYWORK: 4.3, printed 9.9."
    assert to_json(other)["same"] is False


def with_judges(*judges: str, said: str = "AAtB") -> JuryStudy:
    """Four pairs of four turns that these judges say the same of."""
    turns = (Turn("user", "And?"),) * 4
    given = data_set().pairs or {}
    pairs = {name: replace(one, context=turns) for name, one in given.items()}
    table = JudgmentTable.of([row for one in judges for row in rows(one, said)])
    settings = StudySettings(least=(4,), paper=True)
    return study_juries([DataSet("HH-TEST", table, pairs)], settings=settings)


def test_a_model_is_the_paper_s_by_all_of_its_name() -> None:
    fit = ("openai:gpt-4o", "openrouter:openai/gpt-4o-2024-08-06", "azure:gpt-4o#1f0c9a")
    assert all(is_model(one, "GPT-4O") for one in fit)
    assert not is_model("openai:gpt-4o-mini", "GPT-4O")
    assert is_model("bedrock:anthropic.claude-3-5-sonnet-20241022-v2:0", "CLAUDE")
    assert not is_model("anthropic:claude-3-haiku", "CLAUDE")
    assert is_model("vllm:Qwen/Qwen2.5-32B-Instruct", "QWEN")
    assert not is_model("vllm:Qwen/Qwen2.5-7B-Instruct", "QWEN")


def test_a_smaller_model_fills_no_cell_and_two_that_fit_leave_a_dash() -> None:
    own = with_judges("da@openai:gpt-4o-mini", "da@openai:gpt-4o")
    assert cell(own, 3, "AMULET-DA", "GPT-4O") == ((50.0,), None)
    small = with_judges("da@openai:gpt-4o-mini")
    assert cell(small, 3, "AMULET-DA", "GPT-4O")[1] == "there are no judgments by GPT-4O"
    assert small.tables["printed"].notes[-1].endswith("other models: openai:gpt-4o-mini.")
    two = with_judges("da@openai:gpt-4o-2024-08-06", "da@azure:gpt-4o")
    said = "GPT-4O could be any of openai:gpt-4o-2024-08-06, azure:gpt-4o"
    assert cell(two, 3, "AMULET-DA", "GPT-4O") == ((), said)


def test_a_reward_model_of_another_base_is_not_the_paper_s() -> None:
    study = with_judges("reward@hf:Skywork-Reward-Gemma-2-27B-v0.2", "reward@hf:QRM-Llama3.1-8B")
    for row in ("SKY-LLAMA", "QRM"):
        assert cell(study, 2, row, "HH-TEST")[1] == f"there are no judgments by {row}"


def test_judges_that_ask_as_the_paper_does_come_first_and_who_sat_is_said() -> None:
    model = "openai:gpt-4o"
    study = with_judges(
        *(
            f"{one}@{model}"
            for one in ("io", "io-paper", "da-paper", "maxim", "explained-paper-fewshot")
        )
    )
    assert cell(study, 2, "I/O (GPT-4o)", "HH-TEST")[0] == (50.0,)
    (found,) = (one for one in cells(study, 3) if (one.row, one.column) == ("I/O", "GPT-4O"))
    assert found.judges == (f"io-paper@{model}",)
    assert cell(study, 2, "DA-then-MAXIM (GPT-4o)", "HH-TEST")[0] == (50.0,)
    assert cell(study, 19, "Fewshot-W-EXPL", "accuracy")[0] == (50.0,)
    notes = study.tables["table_3"].notes
    assert f"Votes by da-paper@{model}, io-paper@{model}, maxim@{model}." in notes
    plain = " ".join(with_judges(f"io@{model}").tables["table_3"].notes)
    assert "io: AMULET's own answers where these were imported" in plain
    assert "AMULET's own" not in " ".join(notes)


def test_names_of_the_paper_s_sets_are_known_in_any_case() -> None:
    assert is_paper_s("hh-test")
    assert not is_paper_s("chats")


def test_cells_of_broken_ties_count_judges_without_a_valid_output() -> None:
    """Tables 26 and 30: who has no valid output passes on, as a tie does; an absent last judge
    loses, as the paper has it."""
    said = {
        "da@openai:gpt-4o": "tttA",
        "maxim@openai:gpt-4o": "tttB",
        "reward@hf:QRM-Gemma-2-27B": "AABA",
    }
    given = [row for one in said for row in rows(one, said[one])]
    absent = {("da@openai:gpt-4o", "p1"), ("maxim@openai:gpt-4o", "p2")}
    votes = [
        replace(row, answer=None, unscored=Unscored("parse"))
        if (row.judge, row.item) in absent
        else row
        for row in given
    ]
    user = tuple(Turn("user", "Hi") for _ in range(4))
    pairs = {name: replace(pair, context=user) for name, pair in (data_set().pairs or {}).items()}
    settings = StudySettings(least=(4,), paper=True)
    data = DataSet("HH-TEST", JudgmentTable.of(votes), pairs)
    study = study_juries([data], unscored="loss", settings=settings)
    assert cell(study, 26, "GPT-4O", "QRM") == ((50.0,), None)
    assert cell(study, 30, "DA-then-MAXIM, Tie-Win", "HH-TEST") == ((0.0,), None)
    assert cell(study, 30, "DA-then-MAXIM, Tie-Loss", "HH-TEST") == ((25.0,), None)
