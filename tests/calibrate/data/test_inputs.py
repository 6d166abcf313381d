from __future__ import annotations

import assize
from assize.calibrate import Beside, RaterRoles
from assize.cli.settings import settings_of

FLAGS = {"scores": "--beside", "metadata": "--metadata", "group": "--group"}


def test_what_is_typed_becomes_the_values() -> None:
    settings = settings_of(assize.calibrate.fit)
    typed = {"scores": "scores.jsonl", "metadata": ["system"], "group": {"a": ["x", "y"]}}
    assert settings["beside"].make(typed, FLAGS) == Beside("scores.jsonl", metadata=["system"])
    assert settings["raters"].make(typed, FLAGS) == RaterRoles(group={"a": ["x", "y"]})
    assert settings["beside"].make({}, FLAGS) == Beside()
