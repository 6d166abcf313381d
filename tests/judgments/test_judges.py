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


@pytest.mark.parametrize(
    ("rows", "judges"),
    [
        (
            [row("a", "1" * 12), row("b", "2" * 12), row("a", "3" * 12, "brief"), row("d", None)],
            ["io@m#111111", "io@m#222222", "io@m#333333", "io@m"],
        ),
        ([row("a", "111111aaa"), row("b", "111111bbb")], ["io@m#111111aaa", "io@m#111111bbb"]),
        ([row("a", "1", kind="person"), row("b", "2", kind="person")], ["io@m", "io@m"]),
    ],
    ids=["every row of a divided judge", "signatures that begin alike in full", "people never"],
)
def test_rows_say_under_which_signature_they_stand(rows: list[Judgment], judges: list[str]) -> None:
    apart, _ = judges_apart(JudgmentTable.of(rows))
    assert [one.judge for one in apart] == judges


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


PAPER = ["da@m", "explained-paper@m"]
READ = ["da@m", "explained@m", "explained@n"]  # the paper's own answers
MODELS = ["da@openai:gpt-4o", "da@openai:gpt-4o-mini", "da@anthropic:claude-3"]


@pytest.mark.parametrize(
    ("name", "known", "model", "found"),
    [
        ("da", KNOWN, None, "da@openai:gpt-4o"),
        ("io", ["io#mine@m", "da@m"], None, "io#mine@m"),
        ("max", KNOWN, None, "maxim@openai:gpt-4o"),
        ("reward@hf:Y", KNOWN, None, "reward@hf:Y"),
        ("reward", KNOWN, "hf:X", "reward@hf:X"),
        ("w-expl", PAPER, None, "explained-paper@m"),
        ("w-expl@m", PAPER, None, "explained-paper@m"),
        ("w-expl", PAPER, "m", "explained-paper@m"),
        ("w-expl", READ, "n", "explained@n"),
        ("w-expl@n", READ, None, "explained@n"),
        ("da", MODELS, "claude", "da@anthropic:claude-3"),
        ("da", MODELS, "openai:gpt-4o", "da@openai:gpt-4o"),
    ],
)
def test_a_judge_is_found_by_enough_of_its_name_and_model(
    name: str, known: list[str], model: str | None, found: str
) -> None:
    assert resolve(name, known, model) == found


@pytest.mark.parametrize(
    ("name", "known", "model", "told"),
    [
        ("io", ["io@m#1", "io@m#2"], None, "could be io@m#1 or io@m#2"),
        ("reward", KNOWN, None, "could be reward@hf:X or reward@hf:Y"),
        ("io", KNOWN, None, "no judge 'io' among"),
        ("w-expl", ["da@m"], None, "no judge 'explained'"),
        ("da", MODELS, "gpt", "could be da@openai:gpt-4o or da@openai:gpt-4o-mini;"),
    ],
)
def test_a_name_that_could_be_several_or_none_lists_them(
    name: str, known: list[str], model: str | None, told: str
) -> None:
    with pytest.raises(ConfigError, match=told):
        resolve(name, known, model)
