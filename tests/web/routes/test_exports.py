"""What leads download."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.web.monitor.worked import Worked, two, write_project

from assize.web._exporting.task_export import FORMS


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Worked:
    folder = tmp_path_factory.mktemp("project")
    write_project(folder, items=4)
    found = Worked(folder)
    found.rate("ann", lambda *_: two("1", "2"))
    return found


def test_the_task_page_leads_to_every_form(worked: Worked) -> None:
    lead = worked.client()
    text = lead.get("/admin/tasks/two").text
    assert 'action="/admin/tasks/two/export"' in text
    for form in FORMS:
        assert f'<option value="{form}">' in text
        answer = lead.get(f"/admin/tasks/two/export?form={form}")
        assert answer.headers["content-type"] == "application/zip"
        assert answer.headers["content-disposition"] == 'attachment; filename="two.zip"'
        assert f"two/judgments.{form}" in ZipFile(BytesIO(answer.content)).namelist()


def test_a_download_has_every_answer(worked: Worked, tmp_path: Path) -> None:
    answer = worked.client().get("/admin/tasks/two/export")
    ZipFile(BytesIO(answer.content)).extractall(tmp_path)
    lines = (tmp_path / "two" / "judgments.jsonl").read_text(encoding="utf-8").splitlines()
    said = {(one["item"], one["question"], one["answer"]) for one in map(json.loads, lines)}
    assert {(question, answer) for _, question, answer in said} == {
        (question, answer) for question, answer in two("1", "2").items()
    }
    assert len({item for item, _, _ in said}) == 4


@pytest.mark.parametrize("path", ["two/export?form=exe", "none/export", "..%2f..%2fetc/export"])
def test_what_is_not_there_is_not_found(worked: Worked, path: str) -> None:
    assert worked.client().get(f"/admin/tasks/{path}").status_code == 404


def test_raters_download_nothing(worked: Worked) -> None:
    assert worked.client("ann", "rater").get("/admin/tasks/two/export").status_code == 404


def test_a_pilot_stands_in_a_file_of_its_own(tmp_path: Path) -> None:
    write_project(tmp_path, items=2, more="pilot: true\n")
    worked = Worked(tmp_path)
    worked.rate("ann", lambda *_: two("1", "2"))
    content = ZipFile(BytesIO(worked.client().get("/admin/tasks/two/export").content))
    assert content.read("two/judgments.jsonl") == b""
    assert len(content.read("two/pilot.jsonl").splitlines()) == 4
