from __future__ import annotations

import json

import pytest
from elements import Elements

from assize.base.judgment import PREFERENCE, Question
from assize.web._forms import END, Field, Form, FormSection, FormView, When, view, words
from assize.web._rendering import environment

SCALE = Question("q", "How good?", "ordinal", ("1", "2"), labels={"1": "bad", "2": "good"})
FREE = Question("free", "Why?", "text")
LIST = Question(
    "acts", "Which?", "nominal", ("Task: Inform", "Task: Offer"), labels={"Task: Inform": "tells"}
)


def form(*fields: Field, **more: object) -> Form:
    return Form((FormSection("Part", fields, "A *definition*."),), **more)  # type: ignore[arg-type]


def drawn(one: FormView) -> str:
    template = environment().from_string(
        '{% from "forms/questions.html" import questions %}{{ questions(view) }}'
    )
    return template.render(view=one)


def test_answers_are_shown_in_words_with_letters_that_choose_them() -> None:
    asked = view(form(Field("q", SCALE)))
    html = drawn(asked)
    assert [one.text for one in asked.sections[0].fields[0].options] == ["bad", "good"]
    assert ">1<" not in html
    keys = [(one["value"], one["data-key"]) for one in Elements(html).all("input")]
    assert keys == [("1", "a"), ("2", "b")]
    assert "<em>definition</em>" in html


def test_an_answer_that_is_a_word_keeps_it_beside_its_meaning() -> None:
    asked = Question("q", answers=("yes", "no"), labels={"yes": "it is", "no": "no, it is not"})
    assert [words(asked, one) for one in ("yes", "no", "NA")] == [
        "yes: it is",
        "no, it is not",
        "does not apply",
    ]


def test_suggestions_stand_in_the_form_until_somebody_answered() -> None:
    asked = form(Field("q", SCALE))
    fresh = view(asked, None, suggestion={"q": "1"}).sections[0].fields[0]
    assert [(one.chosen, one.suggested) for one in fresh.options] == [(True, True), (False, False)]
    answered = view(asked, {"q": "2"}, suggestion={"q": "1"}).sections[0].fields[0]
    assert [(one.chosen, one.suggested) for one in answered.options] == [
        (False, True),
        (True, False),
    ]


@pytest.mark.parametrize(
    ("when", "answers", "values"),
    [
        (None, None, ("as it was",)),
        (None, {}, ()),
        (None, {"t": "new"}, ("new",)),
        (When("q", ("2",)), {"q": "1"}, ("as it was",)),
        (When("q", ("2",)), {"q": "2"}, ()),
    ],
    ids=["untouched", "emptied", "edited", "not asked after", "asked after and emptied"],
)
def test_a_text_to_be_edited_stands_there_until_it_was_emptied(
    when: When | None, answers: dict[str, str] | None, values: tuple[str, ...]
) -> None:
    text = Field("t", FREE, "lines", required=False, initial=("as it was",), when=when)
    asked = form(Field("q", SCALE), text)
    assert view(asked, answers).sections[0].fields[1].values == values


def test_fields_of_a_turn_stand_beside_it_and_not_in_the_section() -> None:
    found = view(form(Field("q", SCALE), Field("t", SCALE, turn=3)))
    assert [one.name for one in found.sections[0].fields] == ["q"]
    assert [one.name for one in found.beside(3)] == ["t"]
    assert found.beside(2) == ()


def test_lists_with_the_same_answers_are_written_once() -> None:
    found = view(form(*(Field(name, LIST, "pick") for name in "ab")))
    assert len(found.lists) == 1
    assert {one.list_id for one in found.sections[0].fields} == set(found.lists)


def test_what_may_be_left_out_is_said_in_words() -> None:
    asked = form(
        Field("q", SCALE),
        Field("r", SCALE),
        Field("t", FREE, "text", when=When("q", ("2",))),
        skips={"q": {"1": END, "2": "r"}},
    )
    fields = view(asked).sections[0].fields
    assert (
        fields[0].goes
        == "After “bad” leave out all that follows. After “good” go on with “How good?”."
    )
    assert fields[2].goes == "It counts only after “good”."


def test_a_folded_section_opens_where_something_is_wrong() -> None:
    folded = Form((FormSection("More", (Field("t", FREE, "lines"),), folded=True),))
    assert [view(folded, {}).sections[0].open, view(folded, {}, {"t": "?"}).sections[0].open] == [
        False,
        True,
    ]


def test_each_question_is_a_group_with_a_legend() -> None:
    html = Elements(drawn(view(form(Field("q", SCALE), Field("r", PREFERENCE)))))
    groups = html.all("fieldset")
    assert [one["data-field"] for one in groups] == ["q", "r"]
    assert all(one["role"] == "radiogroup" for one in groups)
    assert len(html.all("legend")) == 2


def test_a_problem_stands_beside_its_field_and_describes_it() -> None:
    html = drawn(
        view(
            form(Field("q", SCALE), Field("t", FREE, "lines")), {}, {"q": "Choose.", "t": "Write."}
        )
    )
    found = Elements(html)
    assert found.all("fieldset")[0]["aria-describedby"] == "f-q-problem"
    assert found.all("textarea")[0]["aria-describedby"] == "f-t-problem"
    assert found.all("textarea")[0]["aria-invalid"] == "true"
    ids = {attrs["id"] for _, attrs in found.found if "id" in attrs}
    assert {"f-q-problem", "f-t-problem"} <= ids


def test_every_description_and_label_points_at_something() -> None:
    asked = form(
        Field("rating:Accuracy", SCALE, note="Small print."),
        Field("t", FREE, "text"),
        Field("n", Question("n", "How many?", range=(1, 10)), "number"),
        Field("a", LIST, "pick", initial=("Task: Offer",)),
        skips={"rating:Accuracy": {"1": END}},
    )
    found = Elements(drawn(view(asked)))
    ids = {attrs["id"] for _, attrs in found.found if "id" in attrs}
    for _, attrs in found.found:
        for name in ("aria-describedby", "for", "list"):
            assert set(attrs.get(name, "").split()) <= ids, attrs


def test_rules_are_data_that_a_script_can_read() -> None:
    asked = form(
        Field("q", SCALE), Field("t", FREE, "text", when=When("q", ("2",))), skips={"q": {"1": END}}
    )
    made = view(asked)
    assert json.loads(made.skips) == {"q": {"1": "end"}}
    box = next(one for one in Elements(drawn(made)).all("div") if one.get("data-field") == "t")
    assert (box["data-when"], json.loads(box["data-when-answers"])) == ("q", ["2"])


@pytest.mark.parametrize("widget", ["text", "lines", "pick"])
def test_what_people_wrote_is_text_and_never_markup(widget: str) -> None:
    bad = '</textarea><script>alert(1)</script>"onfocus="x'
    html = drawn(view(form(Field("t", FREE, widget)), {"t": bad}, {"t": bad}))  # type: ignore[arg-type]
    found = Elements(html)
    assert not found.all("script")
    assert not any("onfocus" in attrs for _, attrs in found.found)


def test_long_rules_are_folded_and_short_definitions_are_not() -> None:
    sections = (
        FormSection("Short", (Field("q", SCALE),), "Brief."),
        FormSection("Long", (Field("r", SCALE),), "Rule. " * 80),
    )
    assert drawn(view(Form(sections))).count('<details class="definition">') == 1
    assert [one.folds for one in view(Form(sections)).sections] == [False, True]
