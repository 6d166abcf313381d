"""Rubrics as they are listed and shown."""

from __future__ import annotations

import json

from assize.rubric import load_rubric, shipped
from assize.rubric._reading import rubric_text
from assize.rubric._shown import RubricList, ShownRubric


def test_the_list_has_a_row_a_rubric_and_the_json_the_same() -> None:
    found = RubricList.of([load_rubric(name) for name in shipped()])
    assert [row[0] for row in found.tables["rubrics"].rows] == list(shipped())
    described = json.loads(json.dumps(found.to_json()))["rubrics"]
    assert all(one["questions"] > 0 for one in described)


def test_a_rubric_is_shown_as_a_form_or_as_its_file() -> None:
    rubric, text = load_rubric("information-seeking"), rubric_text("information-seeking")[1]
    form = "\n".join(ShownRubric.of(rubric, text).lines)
    assert form.startswith(f"{rubric.title} (information-seeking, version")
    assert all(one.text in form for one in rubric.questions)
    assert ShownRubric.of(rubric, text, yaml=True).lines == [text.rstrip("\n")]
    assert ShownRubric.of(rubric, text).to_json()["rubric"]["hash"] == rubric.hash
