"""A study: what sits, what is tested, what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.juries.study.conftest import PAIRS, data_set, rows

from assize.base.errors import ConfigError, DataError
from assize.judgments import JudgmentTable
from assize.juries.decide import decide
from assize.juries.study import DataSet, JuryStudy, Place, StudySettings, study_juries


def test_a_sitting_is_what_the_one_decider_says(study: JuryStudy) -> None:
    data = data_set()
    for place, one in study.grid.sittings.items():
        if one.result is None:
            continue
        alone = decide(data.table, one.result.composition, pairs=data.pairs)
        assert alone.to_json() == one.result.to_json(), place


def test_all_pairs_of_juries_are_tested_on_the_same_pairs(study: JuryStudy) -> None:
    juries = {name for one in study.comparisons for name in (one.first, one.second)}
    known = [one for one in study.grid.sittings.values() if one.result is not None]
    assert len(juries) == len(known)
    assert len(study.comparisons) == len(known) * (len(known) - 1) // 2


def test_several_data_sets_are_compared_each_by_itself() -> None:
    sets = [data_set("one"), data_set("two", **{"da@x": "BBBB"})]
    found = study_juries(sets, cascades=["da"], models=["x"])
    assert [one.share().estimate for one in found.grid.sittings.values()] == [0.5, 0.0]
    assert {row.set for row in found.juries} == {"one", "two"}


def test_a_jury_to_compare_with_is_named_as_it_is_written_or_nearly() -> None:
    settings = StudySettings(against="da>maxim")
    found = study_juries([data_set()], cascades=["da > maxim"], models=["x"], settings=settings)
    assert {one.first for one in found.comparisons} == {"da > maxim"}


NOTHING = DataSet("none", JudgmentTable.of(rows("da@x", "AAAA")), {})
IO_FIRST = StudySettings(against="io")


@pytest.mark.parametrize(
    ("sets", "more", "error", "message"),
    [
        ([], {}, ConfigError, "name at least one data set"),
        ([data_set()], {"models": ["z"]}, ConfigError, "no model is called 'z'; there are x, y"),
        ([DataSet("none", JudgmentTable.of(()))], {}, DataError, "there is no vote among these"),
        ([NOTHING], {"cascades": ["da"]}, DataError, "nothing can be compared: no judged item is"),
        (
            [data_set()],
            {"cascades": ["da > maxim"], "models": ["x"], "settings": IO_FIRST},
            ConfigError,
            "no jury 'io' to compare with; there are da, maxim",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(
    sets: list[DataSet], more: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        study_juries(sets, **more)


def test_the_jury_with_most_unscored_decides_the_exit_code() -> None:
    found = study_juries([data_set(**{"da@x": "AAxx"})], cascades=["da"])
    assert found.missing == (2, 4)


def test_json_has_every_sitting_and_one_signature_that_changes_with_a_vote() -> None:
    def said(votes: str) -> dict[str, object]:
        found = study_juries(
            [data_set(**{"da@x": votes, "maxim@x": "AAAA"})], cascades=["da > maxim"]
        )
        text: dict[str, object] = json.loads(json.dumps(found.to_json()))
        return text

    one = said("AtBA")
    assert [row["jury"] for row in one["juries"]] == ["da", "maxim", "da > maxim"]  # type: ignore[attr-defined]
    assert one["juries"][2]["paths"]["tie-win"]["count"] == 1  # type: ignore[index]
    assert len(str(one["signature"])) == 12
    assert one == said("AtBA")


def test_with_one_model_chosen_no_other_model_s_judge_stands_in() -> None:
    said = {"da@x": "AAAA", "io@x": "AAAA", "maxim@x": "AAAA", "da@y": "AAAB"}
    found = study_juries([data_set(**said)], cascades=["da > io", "da > maxim"], models=["y"])
    assert found.grid.at(Place("chats", "da", "y")).share().estimate == 0.75
    for method in ("io", "da > io"):
        assert found.grid.at(Place("chats", method, "y")).reason == "there is no judgment by io@y"


def test_judges_that_are_left_out_and_names_that_are_nobody_s_own_are_said() -> None:
    people = [replace(one, kind="person") for one in rows("ann", "AAAA")]
    machines = [row for name in ("da@x", "explained-paper@x") for row in rows(name, "AAAA")]
    rated = [replace(one, judge="rating@x", question="tone") for one in machines[:8]]
    data = DataSet("chats", JudgmentTable.of([*people, *machines, *rated]), PAIRS)
    notes = study_juries([data]).notes
    assert notes[-1].startswith("not compared: ann, rating@x (people")
    found = study_juries([data], cascades=["da > w-expl"])
    assert found.juries[-1].judges == ("da@x", "explained-paper@x")
    assert found.grid.at(Place("chats", "da > w-expl", "x")).share().estimate == 1


def test_models_are_named_as_they_are_printed_or_by_a_part() -> None:
    names = ("openai:gpt-4o", "openai:gpt-4o-mini", "hf:Qwen/Qwen2.5-32B-Instruct")
    given = [row for name in names for row in rows(f"da@{name}", "AAtB")]
    data = DataSet("chats", JudgmentTable.of(given), data_set().pairs)
    study = study_juries([data], cascades=["da"], models=["QWEN", "GPT-4O"])
    assert study.models == (names[2], names[0])
    with pytest.raises(ConfigError, match="several models are called 'gpt'; there are openai"):
        study_juries([data], cascades=["da"], models=["gpt"])
    with pytest.raises(ConfigError, match="no model is called 'llama'; there are openai"):
        study_juries([data], cascades=["da"], models=["llama"])


def test_a_cascade_of_several_models_takes_short_names() -> None:
    given = [
        *rows("da@anthropic:claude-3-5-sonnet", "AAtB"),
        *rows("maxim@hf:Qwen/Qwen2.5", "BAAB"),
    ]
    data = DataSet("chats", JudgmentTable.of(given), data_set().pairs)
    study: Any = study_juries([data], cascades=["da@claude > maxim@QWEN"])
    (jury,) = (row for row in study.juries if ">" in row.jury)
    assert jury.judges == ("da@anthropic:claude-3-5-sonnet", "maxim@hf:Qwen/Qwen2.5")
    assert jury.win.estimate == 0.75
