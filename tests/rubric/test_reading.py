"""Rubric files: what is read, and what every mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.base.errors import AssizeError, ConfigError, DataError
from assize.formats.research.llm_rubric import QUESTIONS
from assize.rubric import CONDITIONS, load_rubric, parse_rubric, shipped
from assize.rubric._checking import RESERVED

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("answers", "question", "values"),
    [
        ("[0, 5, 10]", "overall", (-1.0, 2.5)),
        ("[0, 5, 10]", "sourced", (0.0, 5.0, 10.0)),
        ("[0, 5, 10]", "talk", (1.0, 2.0)),
        ("[0, 5, 10]", "length", None),
        ("[-1, 0, inf]", "sourced", (1, 2, 3)),  # they only look like numbers
    ],
)
def test_values_are_given_or_the_answers_numbers_or_their_places(
    text: str, answers: str, question: str, values: object
) -> None:
    rubric = parse_rubric(text.replace("[none, some, all]", answers), "r.yaml")
    assert rubric.question(question).values == values
    # that YAML takes for truth values
    assert rubric.question("talk").labels == {"no": "it is not", "yes": "it is"}


def test_the_hash_follows_the_text(text: str) -> None:
    one, other = parse_rubric(text, "a"), parse_rubric(text + "# more\n", "a")
    assert one.hash != other.hash
    assert one == parse_rubric(text, "b")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"^r\.yaml: the file is empty"),
        ("just text", r"^r\.yaml:1: .*expected fields with values"),
        ("- a\n- b\n", r"^r\.yaml:1: .*expected fields with values"),
    ],
)
def test_what_is_no_rubric_at_all_is_a_data_error(text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        parse_rubric(text, "r.yaml")


def test_an_unknown_name_lists_the_shipped_and_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="shipped are agent, general, good-or-bad, information"):
        load_rubric("nothing")
    with pytest.raises(AssizeError, match="gone"):
        load_rubric(str(tmp_path / "gone.yaml"))


def test_a_file_is_read_from_where_it_stands(tmp_path: Path, text: str) -> None:
    (tmp_path / "small.yaml").write_text(text)
    assert load_rubric(str(tmp_path / "small.yaml")).name == "small"
    (tmp_path / "latin.yaml").write_bytes("rubric: \xe4".encode("latin-1"))
    with pytest.raises(DataError, match="not UTF-8"):
        load_rubric(str(tmp_path / "latin.yaml"))


@pytest.mark.parametrize("name", shipped())
def test_shipped_rubrics_explain_every_answer_and_show_examples_of_every_question(
    name: str,
) -> None:
    rubric = load_rubric(name)
    assert rubric.name == name
    for one in rubric.questions:
        assert set(one.labels) == set(one.answers)
    applicable = {one.id for one in rubric.asked("models") if one.applies != "has_references"}
    for example in rubric.examples:
        assert applicable <= set(example.answers)
        assert set(example.reasons) == set(example.answers)


def test_the_information_seeking_rubric_has_the_scales_of_the_released_answers() -> None:
    rubric = load_rubric("information-seeking")
    assert len(rubric.questions) == len(QUESTIONS) == 9
    for released in QUESTIONS:
        ours = rubric.question(released.id)
        assert ours.text != released.text
        for field in ("kind", "answers", "values", "range", "applies"):
            assert getattr(ours, field) == getattr(released, field)
    assert sum(len(one.answers) for one in rubric.questions) == 35


def test_the_file_in_the_docs_is_a_rubric() -> None:
    page = (DOCS / "rubric-files.md").read_text("utf-8")
    block = page.split("```yaml\n")[1].split("```")[0]
    rubric = parse_rubric(block, "docs/rubric-files.md")
    assert rubric.passed_over("conversation", "no") == ("grounded", "solved", "remark")
    assert rubric.question("solved").values == (0, 1, 3)


def test_every_condition_and_variant_stands_in_the_docs() -> None:
    pages = "".join((DOCS / name).read_text("utf-8") for name in ("rubric.md", "rubric-files.md"))
    for name in (*CONDITIONS, *RESERVED, *shipped()):
        assert f"`{name}`" in pages
