"""Taxonomies: the shipped ones, extending, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.dialogue_acts.taxonomy import FOLDER, load_taxonomy, taxonomy_in
from assize.errors import ConfigError

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
def test_every_shipped_taxonomy_defines_all_it_names(path: Path) -> None:
    taxonomy = load_taxonomy(path.stem)
    assert taxonomy.name == path.stem
    assert taxonomy.about
    assert all(one.definition for one in taxonomy.dimensions)
    assert all(one.definition for one in taxonomy.functions)


def test_there_are_eight_intents() -> None:
    assert len(load_taxonomy("intents").functions) == 8


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
    assert "Task: Explain" in taxonomy.acts
    assert "Turn Management: Keep" in taxonomy.acts
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
        ('extends = "intents"\n[dimensions]\nX = 3', "must be a table"),
        ('extends = "intents"\n[dimensions]\n"a: b" = "x"', "must not hold"),
        ("name = 3", "used dimension"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_name(
    text: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / "taxonomy.toml").write_text(text)
    with pytest.raises(ConfigError, match=told) as caught:
        taxonomy_in(tmp_path)
    assert "taxonomy" in str(caught.value)


def test_every_promised_name_can_be_imported() -> None:
    import assize.dialogue_acts as package

    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        package.nothing  # noqa: B018
