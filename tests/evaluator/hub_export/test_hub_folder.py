from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from dialogue_evaluator import evaluator_on
from letters import Letters

from assize.evaluator import load_evaluator
from assize.evaluator._hub_export.hub_folder import page, write_hub_folder


def facts(text: str) -> dict[str, object]:
    """What the hub reads: YAML between the first two lines of dashes."""
    found = yaml.safe_load(text.split("---\n")[1])
    assert isinstance(found, dict)
    return found


def test_the_folder_is_the_evaluator_with_its_card_as_the_page(tmp_path: Path) -> None:
    shipped = load_evaluator()
    files = write_hub_folder(shipped, tmp_path, "# The card\n")
    assert {"README.md", "MODEL_CARD.md", "evaluator.json"} <= set(files)
    assert load_evaluator(tmp_path).signature == shipped.signature
    text = (tmp_path / "README.md").read_text()
    assert facts(text)["library_name"] == "assize"
    assert "\n# The card\n" in text
    assert 'evaluator="hub:OWNER/NAME")' in text


def test_what_is_known_of_licence_language_and_base_is_told() -> None:
    about = {"licence": "apache-2.0", "language": ["zh"]}

    class Large(Letters):
        name = "hf:RLHFlow/ArmoRM-Llama3-8B-v0.1"

    evaluator = replace(evaluator_on(Letters()), about=about, encoder=Large())
    text = page(evaluator, "# talks")
    known = facts(text)
    assert (known["license"], known["language"]) == ("apache-2.0", ["zh"])
    assert known["base_model"] == "RLHFlow/ArmoRM-Llama3-8B-v0.1"
    assert 'encoder="hf:RLHFlow/ArmoRM-Llama3-8B-v0.1")' in text


@pytest.mark.parametrize("place", ["/models/mine", "./mine", "mine", "~/a"])
def test_a_place_on_this_machine_is_no_base_model(place: str) -> None:
    class Local(Letters):
        name = f"hf:{place}"

    text = page(replace(evaluator_on(Letters()), encoder=Local()), "# talks")
    assert "base_model" not in facts(text)
