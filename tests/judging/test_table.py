"""The table of judges."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.judging.judge import Judge, JudgeContext, Prepared
from assize.judging.method import Method
from assize.judging.table import JUDGES, offer, open_judge, open_judges
from assize.models import Models


@pytest.mark.parametrize(
    ("written", "options", "told"),
    [
        ("io", {}, "no judge"),
        ("io@", {}, "no judge"),
        ("@scripted:any", {}, "no judge"),
        ("nobody@scripted:any", {}, r"explained-fewshot.* module:name, or prompt\.jinja@model"),
        ("io/kind@scripted:any", {}, "has no variants, such as 'kind'"),
        ("debate/kind@scripted:any", {}, "has no variants, such as 'kind'"),
        ("autoj/Safety@scripted:any", {}, "has no variants"),
        ("autoj-pairwise/Safety@scripted:any", {}, "has no variants"),
        ("prometheus/Wit@scripted:any", {}, r"no rubric 'Wit'; write prometheus/NAME@.*Accuracy"),
        ("reward@openai:gpt-4o", {}, r"hf:\.\.\., http:\.\.\., .*stored, evaluator"),
        ("armorm@openai:gpt-4o", {}, "write armorm@hf:PATH-or-id"),
        ("armorm@hf:", {}, "write armorm@hf:PATH-or-id"),
        ("armorm@http://127.0.0.1:9", {}, "write armorm@hf:PATH-or-id"),
        (len, {}, r"decorate it with @assize\.judge_function"),
        (3, {}, "received 3; expected a judge, or its name"),
        ("io@scripted:any", {"corpus": "x"}, "corpus is for factscore and not for io@scripted:any"),
        ("rubric@scripted:any", {"rubrik": "x"}, "rubrik is not known; did you mean 'rubric'"),
    ],
)
def test_what_is_no_judge_or_no_option_of_it_is_told_how_to_be_one(
    written: Any, options: dict[str, str], told: str
) -> None:
    for opening in (
        lambda: open_judge(written, context(**options)),
        lambda: open_judges([written], context(**options)),
    ):
        with pytest.raises(ConfigError, match=told):
            opening()


def test_each_judge_gets_the_options_and_the_variant_that_are_for_it() -> None:
    written = ["io@scripted:any", "rubric/reasons@scripted:any"]
    _, rubric = open_judges(written, context(rubric="information-seeking"))
    assert rubric.name.startswith("rubric/reasons@")
    assert "Q0" in {one.id for one in rubric.questions}


@pytest.mark.parametrize("name", JUDGES)
def test_every_row_names_something_that_opens_judges(name: str) -> None:
    found = offer(name)
    assert found.about
    assert isinstance(found, Method) or callable(found.open)


def context(**options: object) -> JudgeContext:
    return JudgeContext(Models(), options=options)


def test_a_prepared_judge_is_opened_with_the_options_that_are_for_its_name() -> None:
    seen: list[JudgeContext] = []

    def opened(given: JudgeContext) -> Judge:
        seen.append(given)
        return open_judge("io@scripted:any", context())

    prepared = Prepared("rubric@memory", opened)
    told = context(rubric="general", corpus="x.jsonl")
    judges = open_judges([prepared, "factscore@scripted:any"], told)
    assert [one.name for one in judges] == ["io@scripted:any", "factscore@scripted:any"]
    assert seen[0].options == {"rubric": "general"}
    with pytest.raises(ConfigError, match="option corpus is for factscore and not for rubric@mem"):
        open_judge(prepared, context(corpus="x.jsonl"))


def test_a_judge_that_its_paper_names_otherwise_opens_under_its_usual_name() -> None:
    one, other = (
        open_judge(f"{name}@scripted:any", context()) for name in ("w-expl", "explained-paper")
    )
    assert one.name == other.name == "explained-paper@scripted:any"
    assert one.signature == other.signature
