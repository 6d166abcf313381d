from __future__ import annotations

from typing import get_args

from assize.web._exchange import ExportedRatings
from assize.web._exporting.task_export import FORMS, Form, TaskExport


def test_every_form_is_listed() -> None:
    assert set(FORMS) == set(get_args(Form))


def test_an_export_says_what_stands_apart() -> None:
    tasks = {"a": TaskExport(1, 2, 0, 3, 0, "out/a"), "b": TaskExport(1, 2, 0, 3, 4, "out/b")}
    written_a, written_b, apart = ExportedRatings("out", tasks).notes
    assert (written_a, written_b) == ("written to out/a", "written to out/b")
    assert apart.startswith("b: 4 judgments of pilots")
