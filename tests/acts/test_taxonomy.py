"""Taxonomies: the shipped ones, extending, and what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assize.acts._taxonomy import FOLDER, load_taxonomy, taxonomy_from, taxonomy_in
from assize.base.errors import ConfigError
from assize.base.signature import content_hash

USED = 8
GENERAL = 19


def test_the_default_holds_what_the_paper_uses() -> None:
    taxonomy = load_taxonomy()
    assert len(taxonomy.functions) == 44
    assert len(taxonomy.dimensions) == USED + 2
    unused = [one.name for one in taxonomy.dimensions if not one.used]
    assert unused == ["Turn Management", "Contact Management"]
    general = [one for one in taxonomy.functions if one.dimension is None]
    assert len(general) == GENERAL
    assert len(taxonomy.acts) == USED * GENERAL + (44 - GENERAL)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_every_shipped_taxonomy_defines_all_it_names_and_is_written_down_whole(path: Path) -> None:
    taxonomy = load_taxonomy(path.stem)
    assert taxonomy.name == path.stem
    assert taxonomy.about
    assert all(one.definition for one in taxonomy.dimensions)
    assert all(one.definition for one in taxonomy.functions)
    again = taxonomy_from(json.loads(json.dumps(taxonomy.to_record())), Path("run.json"))
    assert again == taxonomy
    assert again.hash == taxonomy.hash


def test_the_intents_are_those_that_the_paper_observed() -> None:
    intents, requests = (
        ", ".join(one.name for one in load_taxonomy(name).functions)
        for name in ("intents", "requests")
    )
    assert intents == (
        "Social, Role-Playing, Perform Task, Seek Information, State Fact, "
        "Additional Information, Emotion, Technical or Error"
    )
    assert requests.startswith("Ask, Request, Clarify")


def test_repair_is_of_the_current_turn_and_a_first_turn_is_not_an_opening() -> None:
    taxonomy = load_taxonomy()
    means = {one.name: one.definition for one in taxonomy.dimensions}
    means |= {one.name: one.definition for one in taxonomy.functions}
    for name in ("Own Communication Management", "Self-Error", "Retraction", "Self-Correction"):
        assert "in this same turn" in means[name]
    assert "ready and willing" in means["Opening"]
    assert any("straight to its question or request is no Opening" in one for one in taxonomy.rules)
    assert "unsure" in means["Confirm"]  # not any answer that is yes


def test_definitions_have_changed_and_labels_have_not() -> None:
    assert content_hash("\n".join(sorted(load_taxonomy().acts)), digits=12) == "a7312f8b06b1"


def test_a_path_is_relative_to_where_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--prompts FOLDER` with a relative path looked inside the package."""
    for number in (1, 2):
        folder = tmp_path / str(number) / "mine"
        folder.mkdir(parents=True)
        (folder / "base.toml").write_text(f'extends = "requests"\nabout = "number {number}"\n')
        (folder / "taxonomy.toml").write_text('extends = "base.toml"\nname = "mine"\n')
        monkeypatch.chdir(tmp_path / str(number))
        assert taxonomy_in(Path("mine")).about == f"number {number}"
        assert load_taxonomy("mine/taxonomy.toml").about == f"number {number}"


def test_names_are_recognised_whatever_their_case_blanks_and_hyphens() -> None:
    taxonomy = load_taxonomy()
    assert taxonomy.function(" self_correction") == "Self-Correction"
    assert taxonomy.dimension("discourse / interaction structuring") == (
        "Discourse/Interaction Structuring"
    )
    assert taxonomy.function("Explain") is None


def test_a_file_extends_another_and_is_found_among_the_prompts(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('extends = "iso-24617-2"\nrules = ["Be brief."]\n')
    (tmp_path / "taxonomy.toml").write_text(
        'extends = "base.toml"\n'
        '[dimensions]\n"Turn Management" = "holds the floor"\n'
        '[functions."information providing"]\nExplain = "says why"\n'
        "[functions.floor]\n"
        'Keep = { definition = "keeps the floor", dimension = "Turn Management" }\n'
    )
    taxonomy = taxonomy_in(tmp_path)
    assert {"Task: Explain", "Turn Management: Keep"} <= set(taxonomy.acts)
    assert "Task: Keep" not in taxonomy.acts
    assert taxonomy.rules == ("Be brief.",)
    assert taxonomy.hash != load_taxonomy().hash


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[dimensions", "no TOML"),
        ("colour = 1", "unknown colour"),
        ('extends = "nowhere"', "known are intents"),
        ('extends = "taxonomy.toml"', "extend one another"),
        ("[functions.x]\ngeneral = true\nA = 'a'", "a used dimension and a function"),
        ('extends = "intents"\n[functions.x]\nA = "a"', "needs a dimension"),
        (
            'extends = "intents"\n[functions.x]\nA = { definition = "a", dimension = "No" }',
            "there are Intent",
        ),
        ('extends = "intents"\n[functions.x]\ngeneral = true\n"social" = "a"', "is there twice"),
        ('extends = "intents"\n[dimensions]\nX = 3', "tables of texts"),
        ('extends = "intents"\n[dimensions]\n"a: b" = "x"', "must not hold"),
        ("name = 3", "taxonomy name: Input should be"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_name(
    text: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / "taxonomy.toml").write_text(text)
    with pytest.raises(ConfigError, match=told) as caught:
        taxonomy_in(tmp_path)
    assert "taxonomy" in str(caught.value)
