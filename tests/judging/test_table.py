"""The table of judges."""

from __future__ import annotations

import pytest

from assize import Conversation, judge_function
from assize.base.errors import ConfigError
from assize.judging.judge import Judge, JudgeContext, Prepared
from assize.judging.method import Method
from assize.judging.table import JUDGES, offer, open_judge, open_judges
from assize.models import Models


@pytest.mark.parametrize("name", JUDGES)
def test_every_row_names_something_that_opens_judges(name: str) -> None:
    found = offer(name)
    assert found.about
    assert isinstance(found, Method) or callable(found.open)


def test_an_unknown_judge_lists_the_known() -> None:
    with pytest.raises(ConfigError, match="explained-fewshot"):
        offer("nobody")


def context(**options: object) -> JudgeContext:
    return JudgeContext(Models(), options=options)


@pytest.mark.parametrize("written", ["io", "io@", "@scripted:any"])
def test_a_judge_is_written_with_its_target(written: str) -> None:
    with pytest.raises(ConfigError, match="no judge"):
        open_judge(written, context())


def test_a_variant_is_for_judges_that_have_some() -> None:
    for written in ("io/kind@scripted:any", "debate/kind@scripted:any"):
        with pytest.raises(ConfigError, match=r"has no variants, such as 'kind'"):
            open_judge(written, context())
    assert open_judge("rubric/reasons@scripted:any", context()).name.startswith("rubric/reasons@")


def test_each_judge_gets_the_options_that_are_for_it() -> None:
    written = ["io@scripted:any", "rubric@scripted:any"]
    _, rubric = open_judges(written, context(rubric="information-seeking"))
    assert "Q0" in {one.id for one in rubric.questions}


@pytest.mark.parametrize(
    ("written", "name", "told"),
    [
        ("io@scripted:any", "corpus", "option corpus is for factscore and not for io@scripted:any"),
        (
            "rubric@scripted:any",
            "rubrik",
            "option rubrik is not known; did you mean 'rubric'",
        ),
    ],
)
def test_an_option_that_no_judge_takes_is_refused(written: str, name: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        open_judge(written, context(**{name: "x"}))
    with pytest.raises(ConfigError, match=told):
        open_judges([written], context(**{name: "x"}))


def test_a_judge_itself_stands_among_names() -> None:
    @judge_function
    def turns(item: Conversation) -> int:
        return len(item.turns)

    first, second = open_judges([turns, "io@scripted:any"], context())
    assert first is turns
    assert second.name == "io@scripted:any"


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


def test_what_is_no_judge_is_told_how_to_be_one() -> None:
    with pytest.raises(ConfigError, match=r"decorate it with @assize\.judge_function"):
        open_judges([len], context())  # type: ignore[list-item]
    with pytest.raises(ConfigError, match="received 3; expected a judge, or its name"):
        open_judge(3, context())  # type: ignore[arg-type]


def test_an_unknown_judge_is_told_of_ones_own() -> None:
    with pytest.raises(ConfigError, match=r"module:name, or prompt\.jinja@model"):
        open_judge("nobody@scripted:any", context())


def test_a_judge_that_its_paper_names_otherwise_opens_under_its_usual_name() -> None:
    one, other = (
        open_judge(f"{name}@scripted:any", context()) for name in ("w-expl", "explained-paper")
    )
    assert one.name == other.name == "explained-paper@scripted:any"
    assert one.signature == other.signature
