from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest
from tests.formats.conftest import write_text

import assize
from assize.base.errors import DataError, MissingExtra
from assize.formats import read
from assize.formats.reading import iter_records
from assize.formats.sources import HubName, dataset_rows, files_of, is_dataset


@pytest.mark.parametrize("pattern", ["", "part-*.jsonl*"])
def test_a_folder_or_a_pattern_is_read_in_order_packed_or_not(folder: Path, pattern: str) -> None:
    assert [one.id for one in read(str(folder / pattern))] == ["a", "b"]


def test_a_file_is_one_whatever_its_name_looks_like(tmp_path: Path) -> None:
    path = write_text(tmp_path / "log[1].jsonl", chat("a"))
    assert [one.id for one in read(path)] == ["a"]
    assert files_of("-") == ["-"]


def chat(name: str) -> str:
    return json.dumps({"id": name, "messages": [{"role": "user", "content": "Hi"}]}) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "logs"
    place.mkdir()
    (place / "part-2.jsonl").write_text(chat("b"))
    with gzip.open(place / "part-1.jsonl.gz", "wt") as stream:
        stream.write(chat("a"))
    for name in (".hidden.jsonl", "_SUCCESS", "part-3.jsonl.part", "README.md"):
        (place / name).write_text("not read")
    (place / "questions.json").write_text("[]")
    (place / "inner").mkdir()
    return place


@pytest.mark.parametrize(
    ("pattern", "words"),
    [("", "it holds 'notes.md'"), ("*.jsonl", "no file fits this pattern")],
)
def test_nothing_to_read_says_what_is_there(pattern: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("x")
    with pytest.raises(DataError, match=words):
        list(iter_records(str(tmp_path / pattern)))


@pytest.mark.usefixtures("library")
def test_the_rows_of_a_data_set_are_records() -> None:
    found = [one.id for one in read("hf://datasets/org/set/main:test")]
    assert found == ["main-test-0", "main-test-1"]
    with pytest.raises(DataError, match="no org/other on the hub"):
        list(iter_records("hf://datasets/org/other"))


def test_check_and_convert_take_folders(folder: Path, tmp_path: Path) -> None:
    told = assize.check(folder, quiet=True).to_json()["files"]
    assert [Path(one["file"]).name for one in told] == ["part-1.jsonl.gz", "part-2.jsonl"]
    assert assize.convert(folder, tmp_path / "all.jsonl", quiet=True).kinds == {"conversations": 2}


def test_a_run_over_a_folder_knows_when_a_shard_changes(folder: Path) -> None:
    from assize.judging.asking import in_session

    assert [Path(str(one)).name for one in in_session(read(folder)).files] == [
        "part-1.jsonl.gz",
        "part-2.jsonl",
    ]


# Stands in for the library, whose data sets are on the network.
LIBRARY = """
def load_dataset(path, config, *, split, streaming):
    if path != "org/set":
        raise FileNotFoundError(f"no {path} on the hub\\nand more")
    assert streaming
    for n in range(2):
        yield {"id": f"{config}-{split}-{n}", "messages": [{"role": "user", "content": "Hi"}]}
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "datasets.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "datasets", raising=False)


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("hf://datasets/org/set", HubName("org/set")),
        ("hf://datasets/org/set:test", HubName("org/set", None, "test")),
        ("hf://datasets/org/set/main:test[:5]", HubName("org/set", "main", "test[:5]")),
        ("hf://datasets/org/set/data/a.parquet", None),
        ("hf://datasets/org/set.csv", None),
        ("s3://bucket/set", None),
    ],
)
def test_a_data_set_is_told_from_a_file_in_one(location: str, name: HubName | None) -> None:
    assert HubName.of(location) == name
    assert is_dataset(location) == (name is not None)


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtra, match=r"'\.\[hub\]'"):
        dataset_rows("hf://datasets/org/set")
