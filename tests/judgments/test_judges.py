"""Judges of one name: divided by signature, found by a short name."""

from __future__ import annotations

import logging
from typing import Any

import pytest

import assize
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.judgments.judges import judges_apart, resolve

KNOWN = ["da@openai:gpt-4o", "maxim@openai:gpt-4o", "reward@hf:X", "reward@hf:Y"]


def row(item: str, signature: str | None, question: str = "clear", **more: Any) -> Judgment:
    return Judgment(item, "io@m", question, answer="1", signature=signature, **more)


def test_one_name_with_two_signatures_is_two_judges() -> None:
    table = JudgmentTable.of([row("a", "1" * 12), row("b", "2" * 12), row("c", "1" * 12)])
    apart, named = judges_apart(table)
    assert named == {"io@m": ("io@m#111111", "io@m#222222")}
    assert [one.judge for one in apart] == ["io@m#111111", "io@m#222222", "io@m#111111"]


def test_questions_that_were_asked_apart_stay_one_judges() -> None:
    table = JudgmentTable.of([row("a", "1" * 12), row("a", "2" * 12, "brief")])
    assert judges_apart(table) == (table, {})


def test_all_rows_of_a_divided_judge_say_under_which_signature_they_stand() -> None:
    given = [row("a", "1" * 12), row("b", "2" * 12), row("a", "3" * 12, "brief"), row("d", None)]
    apart, _ = judges_apart(JudgmentTable.of(given))
    assert [one.judge for one in apart] == ["io@m#111111", "io@m#222222", "io@m#333333", "io@m"]


def test_signatures_that_begin_alike_are_written_in_full() -> None:
    apart, _ = judges_apart(JudgmentTable.of([row("a", "111111aaa"), row("b", "111111bbb")]))
    assert apart.judges == ("io@m#111111aaa", "io@m#111111bbb")


def test_people_are_who_they_are_whatever_form_they_filled_in() -> None:
    table = JudgmentTable.of([row("a", "1", kind="person"), row("b", "2", kind="person")])
    assert judges_apart(table)[0].judges == ("io@m",)


def test_agreement_does_not_pool_two_prompts_of_one_name(caplog: Any) -> None:
    said = [
        Judgment(f"i{n}", "io@m", "clear", score=float(n * way), kind="model", signature=f"s{way}")
        for way in (1, -1)
        for n in range(8)
    ]
    people = [Judgment(f"i{n}", "ann", "clear", score=float(n), kind="person") for n in range(8)]
    with caplog.at_level(logging.WARNING):
        found = assize.agree([*said, *people], gold="ann")
    assert {counts.judge for counts in found.judges} == {"io@m#s1", "io@m#s-1", "ann"}
    assert "io@m answered with 2 prompts, models or settings" in caplog.text


def test_a_short_name_is_found_with_its_model_or_its_signature() -> None:
    assert resolve("da", KNOWN) == "da@openai:gpt-4o"
    assert resolve("io", ["io#mine@m", "da@m"]) == "io#mine@m"
    with pytest.raises(ConfigError, match="could be io@m#1 or io@m#2"):
        resolve("io", ["io@m#1", "io@m#2"])


def test_a_name_is_found_by_its_beginning() -> None:
    assert resolve("maxim", KNOWN) == "maxim@openai:gpt-4o"
    assert resolve("reward@hf:Y", KNOWN) == "reward@hf:Y"
    assert resolve("reward", KNOWN, "hf:X") == "reward@hf:X"
    assert resolve("max", KNOWN) == "maxim@openai:gpt-4o"


def test_a_name_that_could_be_several_or_none_lists_them() -> None:
    with pytest.raises(ConfigError, match="could be reward@hf:X or reward@hf:Y"):
        resolve("reward", KNOWN)
    with pytest.raises(ConfigError, match="no judge 'io' among"):
        resolve("io", KNOWN)


def test_a_judge_is_found_by_the_name_that_its_paper_has_for_it() -> None:
    known = ["da@m", "explained-paper@m"]
    assert resolve("w-expl", known) == resolve("w-expl@m", known) == "explained-paper@m"
    assert resolve("w-expl", known, "m") == "explained-paper@m"
    read = ["da@m", "explained@m", "explained@n"]  # the paper's own answers
    assert resolve("w-expl", read, "n") == resolve("w-expl@n", read) == "explained@n"
    with pytest.raises(ConfigError, match="no judge 'explained'"):
        resolve("w-expl", ["da@m"])


def test_enough_of_a_model_s_name_tells_its_judge() -> None:
    known = ["da@openai:gpt-4o", "da@openai:gpt-4o-mini", "da@anthropic:claude-3"]
    assert resolve("da", known, "claude") == "da@anthropic:claude-3"
    assert resolve("da", known, "openai:gpt-4o") == "da@openai:gpt-4o"
    with pytest.raises(ConfigError, match="could be da@openai:gpt-4o or da@openai:gpt-4o-mini;"):
        resolve("da", known, "gpt")
