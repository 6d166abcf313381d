"""Rubric files: what is read, and what every mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.base.errors import AssizeError, ConfigError, DataError
from assize.formats.research.llm_rubric import QUESTIONS
from assize.rubric import CONDITIONS, load_rubric, parse_rubric, shipped
from assize.rubric._checking import RESERVED

DOCS = Path(__file__).parents[2] / "docs"


def test_answers_that_yaml_takes_for_truth_values_or_numbers_stay_as_written(text: str) -> None:
    rubric = parse_rubric(text, "r.yaml")
    assert rubric.question("talk").answers == ("no", "yes")
    assert rubric.question("talk").labels == {"no": "it is not", "yes": "it is"}


def test_values_are_given_or_the_answers_numbers_or_their_places(text: str) -> None:
    rubric = parse_rubric(text.replace("[none, some, all]", "[0, 5, 10]"), "r.yaml")
    assert rubric.question("overall").values == (-1.0, 2.5)
    assert rubric.question("sourced").values == (0.0, 5.0, 10.0)
    assert rubric.question("talk").values == (1.0, 2.0)
    assert rubric.question("length").values is None


def test_the_hash_follows_the_text(text: str) -> None:
    one, other = parse_rubric(text, "a"), parse_rubric(text + "# more\n", "a")
    assert one.hash != other.hash
    assert one == parse_rubric(text, "b")


def test_answers_that_only_look_like_numbers_have_their_places_as_values(text: str) -> None:
    new = text.replace("answers: [none, some, all]", "answers: [-1, 0, inf]")
    assert parse_rubric(new, "r").question("sourced").values == (1, 2, 3)


@pytest.mark.parametrize("text", ["", "just text", "- a\n- b\n"])
def test_what_is_no_rubric_at_all_is_a_data_error(text: str) -> None:
    with pytest.raises(DataError, match=r"^r\.yaml"):
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
        assert (ours.kind, ours.answers, ours.values, ours.range, ours.applies) == (
            released.kind,
            released.answers,
            released.values,
            released.range,
            released.applies,
        )
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
