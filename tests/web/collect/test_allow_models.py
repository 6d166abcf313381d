"""A project's systems ask what is built in, and what whoever starts the app allows."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.web.collect.conftest import make_project

import assize
from assize.base.errors import ConfigError
from assize.web._collect.allow_models import asked_lines, check_models, models_of
from assize.web._collect.opened import Opened
from assize.web._opening import opened

OWN = {"name": "own", "model": "openai:m", "base_url": "http://me:secret-secret@127.0.0.1:1/v1"}
BUILT_IN = {"name": "demo", "model": "scripted:quote"}


def test_a_task_that_names_a_model_is_refused_with_all_that_would_have_to_be_allowed(
    tmp_path: Path,
) -> None:
    task = make_project(tmp_path, [BUILT_IN, {"name": "x", "model": "hf:some/model"}, OWN])
    allow = ["hf:some/model", "openai:m@http://127.0.0.1:1/v1"]
    for some in ([], allow[:1], ["openai:m", *allow[:1]]):
        with pytest.raises(ConfigError) as caught:
            check_models([task], some)
        assert f"--allow {allow[0]} --allow {allow[1]}" in str(caught.value)
        assert "secret-secret" not in str(caught.value)
    check_models([task], allow)
    assert models_of(task) == ("scripted:quote", *allow)
    assert asked_lines([task]) == [f"task help: raters talk with {', '.join(models_of(task))}"]


@pytest.mark.parametrize("system", [OWN, {"name": "x", "model": "http://127.0.0.1:1/rate"}])
def test_neither_the_app_nor_a_task_read_again_asks_it(
    tmp_path: Path, system: dict[str, Any]
) -> None:
    task = make_project(tmp_path, [system])
    with pytest.raises(ConfigError, match="start assize web with --allow"):
        assize.web.serve(tmp_path, port=0, allow="openai:m")
    with pytest.raises(ConfigError, match="start assize web with --allow"):
        asyncio.run(Opened().open(task))
    with opened(tmp_path, open=True, allow=models_of(task)) as app:
        assert any(models_of(task)[0] in line for line in app.greeting)
