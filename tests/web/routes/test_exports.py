"""What leads download."""

from __future__ import annotations

from io import BytesIO
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


@pytest.mark.parametrize("path", ["two/export?form=exe", "none/export", "..%2f..%2fetc/export"])
def test_what_is_not_there_is_not_found(worked: Worked, path: str) -> None:
    assert worked.client().get(f"/admin/tasks/{path}").status_code == 404
