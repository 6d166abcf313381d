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
    folder = export_task(store, task, tmp_path / "out" / task.name, form="csv")
    zip_task(store, task, whole, form="csv")
    ZipFile(whole).extractall(tmp_path / "unpacked")
    there = tmp_path / "unpacked" / task.name
    names = sorted(one.name for one in Path(folder.file).parent.iterdir())
    assert names == sorted(one.name for one in there.iterdir())
    assert list(read_judgments(there / "judgments.csv")) == list(read_judgments(folder.file))
