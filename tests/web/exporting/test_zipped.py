from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from tests.web.exporting.test_folder import rated

from assize import read_judgments
from assize.web._exporting.folder import export_task, zip_task
from assize.web._storage import Store


def test_a_zip_file_holds_what_a_folder_would(store: Store, tmp_path: Path) -> None:
    task, whole = rated(store, tmp_path), BytesIO()
    folder = export_task(store, task, tmp_path / "out" / task.name)
    done = zip_task(store, task, whole)
    ZipFile(whole).extractall(tmp_path / "unpacked")
    names = sorted(one.name for one in folder.judgments.parent.iterdir())
    assert names == sorted(one.name for one in (tmp_path / "unpacked" / task.name).iterdir())
    assert (done.rows, done.items) == (folder.rows, folder.items)
    there = tmp_path / "unpacked" / done.judgments
    assert list(read_judgments(there)) == list(read_judgments(folder.judgments))


def test_the_form_and_what_goes_along_are_chosen(store: Store, tmp_path: Path) -> None:
    task, whole = rated(store, tmp_path), BytesIO()
    done = zip_task(store, task, whole, form="csv")
    assert done.judgments == Path(task.name) / "judgments.csv"
    assert f"{task.name}/judgments.csv" in ZipFile(whole).namelist()
