"""The settings of a task that collects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.collect.conftest import SYSTEMS, make_project

from assize.base.errors import DataError
from assize.web._collect.settings import collect_settings


def test_the_example_of_its_docstring_is_read(tmp_path: Path) -> None:
    import yaml

    from assize.web._collect import settings as module

    _, _, example = str(module.__doc__).partition("\n\n")
    said = yaml.safe_load(example)["settings"]
    found = collect_settings(make_project(tmp_path, **said))
    assert [one.retrieval for one in found.systems] == ["none", "topic", "bm25-topic"]


@pytest.mark.parametrize(
    ("changed", "sides", "problem"),
    [
        ({"systems": []}, 1, "systems"),
        ({"systems": SYSTEMS * 2}, 1, "two systems have one name"),
        ({"systems": SYSTEMS}, 2, "at least two"),
        ({"systems": [SYSTEMS[0] | {"retrieval": "bm25-topic"}], "documents": []}, 1, "folder"),
        ({"systems": [SYSTEMS[0] | {"weight": 2}]}, 1, r"systems\[0\].weight"),
        ({"systems": [SYSTEMS[0] | {"retrieval": "web"}]}, 1, "bm25-dialogue"),
        ({"systems": [SYSTEMS[0] | {"key": "sk"}]}, 1, r"systems\[0\].key"),
        ({"systems": SYSTEMS, "least_exchanges": 9, "most_exchanges": 3}, 1, "more than"),
        ({"systems": [SYSTEMS[0] | {"model": "scripted:os:remove"}]}, 1, "cannot name code"),
    ],
)
def test_a_wrong_setting_is_named(
    tmp_path: Path, changed: dict[str, Any], sides: int, problem: str
) -> None:
    task = make_project(tmp_path, **changed)
    with pytest.raises(DataError, match=problem):
        collect_settings(task, sides)


def test_topics_must_be_named(tmp_path: Path) -> None:
    from dataclasses import replace

    with pytest.raises(DataError, match="topics"):
        collect_settings(replace(make_project(tmp_path, SYSTEMS), items=()))
