from __future__ import annotations

import pytest

from assize.base.judgment import PREFERENCE, Question
from assize.web._forms import Field, Widget, keys
from assize.web._forms.letters import LETTERS


def labelled(*answers: str, **more: str) -> Question:
    return Question("q", kind="nominal", answers=answers, labels=dict.fromkeys(answers, "words"))


def test_numbers_that_are_shown_are_their_own_keys() -> None:
    scale = Question("q", answers=tuple(map(str, range(1, 11))))
    assert keys(Field("q", scale))["10"] == "0"
    told = Question("q", answers=("1", "3"), labels={"1": "1: no", "3": "3: so so"})
    assert keys(Field("q", told)) == {"1": "1", "3": "3"}


def test_na_has_the_key_n() -> None:
    assert keys(Field("q", PREFERENCE, not_applicable=True))["NA"] == "n"


def test_no_letter_is_one_that_the_page_is_worked_with() -> None:
    assert not set(LETTERS) & set("jksfuin?")


@pytest.mark.parametrize("count", [2, 7, 19, 30])
def test_keys_differ_within_a_field(count: int) -> None:
    found = keys(Field("q", labelled(*map(str, range(100, 100 + count))), not_applicable=True))
    assert len(set(found.values())) == len(found) == min(count, len(LETTERS)) + 1


@pytest.mark.parametrize("widget", ["text", "lines", "number", "pick"])
def test_fields_that_are_typed_into_have_no_keys(widget: Widget) -> None:
    assert keys(Field("q", labelled("a"), widget)) == {}
