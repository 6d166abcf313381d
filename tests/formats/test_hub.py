from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assize.base.errors import DataError, MissingExtra
from assize.formats import read
from assize.formats.hub import HubName, dataset_rows, is_dataset
from assize.formats.reading import iter_records

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


@pytest.mark.usefixtures("library")
def test_the_rows_of_a_data_set_are_records() -> None:
    found = [one.id for one in read("hf://datasets/org/set/main:test")]
    assert found == ["main-test-0", "main-test-1"]


@pytest.mark.usefixtures("library")
def test_an_unknown_data_set_is_an_error_that_says_so() -> None:
    with pytest.raises(DataError, match="no org/other on the hub"):
        list(iter_records("hf://datasets/org/other"))


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtra, match=r"'\.\[hub\]'"):
        dataset_rows("hf://datasets/org/set")
