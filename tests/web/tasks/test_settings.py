from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.tasks.making import TALK, make_task

from assize.base.errors import DataError
from assize.web._tasks.definition import Settings, settings_of


class Few(Settings):
    least: int = 1
    names: list[str] = []  # noqa: RUF012


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"least": "many"}, r"task\.yaml:6: settings\.least: input should be a valid integer"),
        (
            {"most": 3},
            r"yaml:6: settings\.most: extra inputs.*; settings of 'rate' are least",
        ),
        ({"least": 1, "names": ["a", {}]}, r"task\.yaml:9: settings\.names\[1\]"),
    ],
)
def test_a_wrong_setting_names_its_line_and_what_is_allowed(
    tmp_path: Path, settings: dict[str, object], problem: str
) -> None:
    task = make_task(tmp_path, "rate", [TALK], settings=settings)
    with pytest.raises(DataError, match=problem):
        settings_of(task, Few)
