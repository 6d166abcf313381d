"""What each kind's template shows beside its form, drawn by the real environment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from elements import Elements
from tests.web.tasks.making import PAIR, TALK, USER, first, form_of, lines, make_task
from tests.web.tasks.test_check_labels import VOTE as ACTS_VOTE
from tests.web.tasks.test_continuation import ONE
from tests.web.tasks.test_maxims import VOTE as MAXIMS_VOTE
from tests.web.tasks.test_proofread import WRITTEN
from tests.web.tasks.test_write import BRIEF

from assize.base.judgment import Order
from assize.web._forms import view
from assize.web._rendering import environment
from assize.web._tasks import Task, kind_of

BAD = '<script>alert(1)</script><img src=x onerror=alert(1)>"onclick="x [go](javascript:x)'
CHECKED = {"judgments": ["judged.jsonl"]}
KINDS: dict[str, tuple[Mapping[str, Any], dict[str, Any]]] = {
    "rate": (TALK, {"rubric": "information-seeking-people", "information_need": "topic"}),
    "compare": (PAIR, {}),
    "continuation": (ONE, {}),
    "contrast": ({**ONE, "source": "a"}, {"sources": ["a", "b"]}),
    "check": (PAIR, {**CHECKED, "judge": "da@openai:m"}),
    "check maxims": (PAIR, {**CHECKED, "labels": "maxims", "judge": "maxim@openai:m"}),
    "write": (BRIEF, {"least": 2}),
    "proofread": (WRITTEN, {}),
}


def task_of(folder: Path, kind: str, record: Mapping[str, Any] | None = None) -> Task:
    known, settings = KINDS[kind]
    lines(folder / "judged.jsonl", [ACTS_VOTE, MAXIMS_VOTE])
    one = known if record is None else record
    records = [one, {**one, "id": "k2", "source": "b"}] if kind == "contrast" else [one]
    return make_task(folder, kind.split()[0], records, settings=settings)


def drawn(task: Task, order: Order | None = None) -> str:
    kind, item = kind_of(task), first(task)
    template = environment().from_string(
        '{% from "forms/questions.html" import questions %}'
        '{% include "items/" ~ kind.template %}{{ questions(view) }}'
    )
    return template.render(
        kind=kind, shown=kind.shown(task, item, order), view=view(kind.form(task, item))
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_the_form_is_on_the_page_once(tmp_path: Path, kind: str) -> None:
    task = task_of(tmp_path, kind)
    shown = [
        attrs["data-field"] for _, attrs in Elements(drawn(task)).found if "data-field" in attrs
    ]
    assert sorted(shown) == sorted(one.name for one in form_of(task).fields)


@pytest.mark.parametrize("kind", KINDS)
def test_ids_on_a_page_differ_and_every_control_is_of_the_form(tmp_path: Path, kind: str) -> None:
    found = Elements(drawn(task_of(tmp_path, kind))).found
    ids = [attrs["id"] for _, attrs in found if "id" in attrs]
    assert len(set(ids)) == len(ids)
    controls = [attrs for tag, attrs in found if tag in ("input", "textarea")]
    assert controls
    assert {attrs["form"] for attrs in controls} == {"answers"}


@pytest.mark.parametrize("kind", KINDS)
def test_text_of_strangers_is_never_markup(tmp_path: Path, kind: str) -> None:
    text = json.dumps(KINDS[kind][0])
    for said in (
        "How do I rotate keys?",
        "Choose Regenerate key [1].",
        "Rotate keys",
        "Like so.",
        "As an AI, I cannot.",
        "rotate keys",
        "A parcel is late.",
        "impatient",
        "where is it",
    ):
        text = text.replace(json.dumps(said), json.dumps(BAD))
    html = drawn(task_of(tmp_path, kind, json.loads(text)))
    assert "alert(1)" in html
    for tag, attrs in Elements(html).found:
        assert tag not in ("script", "img", "a", "iframe", "style")
        assert not any(name.startswith("on") or name in ("style", "href", "src") for name in attrs)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_tells_which_system_spoke(tmp_path: Path, kind: str) -> None:
    secret = {"metadata": {"model": "secret-model", "topic": "keys"}, "system": "secret-system"}
    known = dict(KINDS[kind][0])
    record = {**known, **(secret if "turns" in known else {"metadata": secret["metadata"]})}
    html = drawn(task_of(tmp_path, kind, record))
    assert "secret" not in html
    assert "gpt-4o" not in html


def test_each_turns_sources_stand_beside_it_and_the_information_need_above_all(
    tmp_path: Path,
) -> None:
    need, _, turns = drawn(task_of(tmp_path, "rate")).partition('class="turns"')
    answer = turns.partition('<li class="turn assistant"')[2]
    assert "What the user wants to know" in need
    assert '<div class="sources" role="group" aria-label="Sources of this turn">' in answer
    assert "Rotate keys" in answer


def test_calls_of_tools_and_what_they_answer_are_folded(tmp_path: Path) -> None:
    calls = {
        "role": "assistant",
        "text": "",
        "tool_calls": [{"id": "t", "name": "search", "arguments": {"query": "keys"}}],
    }
    result = {"role": "tool", "text": "3 hits", "tool_call_id": "t", "name": "search"}
    html = drawn(task_of(tmp_path, "proofread", {"id": "c", "turns": [USER, calls, result]}))
    assert "<details" in html[: html.index("&#34;query&#34;")]
    assert "<pre>3 hits</pre>" in html


@pytest.mark.parametrize(("order", "last"), [("AB", False), ("BA", True)])
def test_exchanged_sides_do_not_say_that_they_are(tmp_path: Path, order: Order, last: bool) -> None:
    html = drawn(task_of(tmp_path, "compare"), order)
    heads = [html.index(f">Response {name}<") for name in "AB"]
    assert heads == sorted(heads)
    assert (html.index("Choose Regenerate key") > heads[1]) is last
    assert "BA" not in html


def test_the_judges_acts_stand_beside_each_turn_with_what_they_mean(tmp_path: Path) -> None:
    html = drawn(task_of(tmp_path, "check"))
    assert "<strong>Task: Answer</strong>" in html
    assert html.count("The judge’s acts") == 3
