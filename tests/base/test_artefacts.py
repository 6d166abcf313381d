"""What is learnt comes back as it was, whole or not at all, and nothing else is opened."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from assize.base import artefacts
from assize.base.artefacts import Artefact, Kind, attach, open_artefact, save, write_whole
from assize.base.errors import ConfigError, DataError, OutputError
from assize.base.line_checksum import unseal_record
from assize.base.record_parts import to_parts

KIND = Kind("almanac", "almanac.json", "tides", 2, "make one with `assize tide`")
ARRAYS: dict[str, Any] = {
    "high": np.array([[1.5, np.nan], [np.inf, -0.0]]),
    "days": np.arange(6).reshape(2, 3).T,  # not contiguous
    "spring": np.array(True),
    "low": np.zeros((0, 4), np.float32),
}
FACTS = {"harbour": "Brest", "levels": [1, 2.5], "nothing": None}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "made"


@pytest.fixture
def saved(folder: Path) -> Artefact:
    return save(KIND, folder, FACTS, ARRAYS, "a1b2", {"notes": (".txt", b"ebb")})


def manifest(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / KIND.manifest).read_text()))


def rewrite(folder: Path, **changed: Any) -> None:
    given = unseal_record(manifest(folder)) | changed
    (folder / KIND.manifest).write_text(json.dumps(given))


def renamed(folder: Path, name: str) -> None:
    """The manifest's arrays stand in another place."""
    files = manifest(folder)["files"]
    files["tides"]["name"] = name
    rewrite(folder, files=files)


def test_facts_arrays_and_files_come_back_as_they_were(saved: Artefact, folder: Path) -> None:
    found = open_artefact(KIND, folder)
    assert found == saved
    assert (found.signature, found.facts) == ("a1b2", FACTS)
    assert found.read("notes") == b"ebb"
    arrays = found.arrays()
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(arrays[name], array)


def test_the_same_artefact_is_the_same_bytes(saved: Artefact, folder: Path, tmp_path: Path) -> None:
    save(KIND, tmp_path / "other", FACTS, ARRAYS, "a1b2", {"notes": (".txt", b"ebb")})
    mine, other = (
        {path.name: path.read_bytes() for path in one.iterdir()}
        for one in (folder, tmp_path / "other")
    )
    assert len(mine) == 3
    assert mine == other


def test_a_later_save_leaves_nothing_of_the_earlier_one(saved: Artefact, folder: Path) -> None:
    (folder / "README").write_text("mine")
    made = save(KIND, folder, FACTS, {"high": np.zeros(2)}, "c3d4")
    names = {path.name for path in folder.iterdir()}
    assert names == {KIND.manifest, made.files["tides"].name, "README"}
    assert open_artefact(KIND, folder).arrays()["high"].shape == (2,)


@pytest.mark.parametrize("step", range(6))
def test_a_save_that_is_killed_leaves_an_artefact_whole(
    step: int, saved: Artefact, folder: Path
) -> None:
    """The process kills itself at a write's start (even steps) or after it (odd ones)."""
    code = f"""
import os, signal, numpy, pathlib
from assize.base import artefacts
whole, steps = artefacts.write_whole, iter(range(99))
def die(): next(steps) == {step} and os.kill(os.getpid(), signal.SIGKILL)
def written(path, data):
    die(); whole(path, data); die()
artefacts.write_whole = written
kind = artefacts.Kind("almanac", "almanac.json", "tides", 2)
artefacts.save(kind, pathlib.Path({str(folder)!r}), {{}}, {{"new": numpy.ones(3)}}, "new",
               {{"notes": (".txt", b"flood")}})
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
    found = open_artefact(KIND, folder)
    new = step == 5  # the manifest is the last to be written
    assert found.signature == ("new" if new else "a1b2")
    assert found.arrays().keys() == ({"new"} if new else ARRAYS.keys())
    assert found.read("notes") == (b"flood" if new else b"ebb")


def test_a_later_save_removes_nothing_that_it_did_not_write(saved: Artefact, folder: Path) -> None:
    notes = folder / "notes.txt"
    notes.write_text("mine")
    manifest = json.loads(saved.place.read_text())
    digest = hashlib.sha256(b"mine").hexdigest()
    manifest["files"]["notes"] = {"name": "notes.txt", "sha256": digest}
    saved.place.write_text(json.dumps(manifest))
    save(KIND, folder, FACTS, ARRAYS, "c3d4")
    assert notes.read_text() == "mine"


def test_a_failed_write_leaves_the_earlier_file_and_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "file"
    write_whole(place, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"file: cannot write: No space left.*unchanged"):
        write_whole(place, b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert place.read_bytes() == b"old"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="this folder cannot be made"):
        save(KIND, tmp_path / "file", {}, {}, "")


def test_objects_are_not_kept(folder: Path) -> None:
    with pytest.raises(DataError, match="names holds <U1"):
        save(KIND, folder, {}, {"names": np.array(["a"])}, "")


def test_a_file_is_attached_in_one_step_and_replaced(saved: Artefact, folder: Path) -> None:
    attach(saved, "notes", ".txt", b"flood")
    again = attach(open_artefact(KIND, folder), "moon", ".bin", b"\0")
    found = open_artefact(KIND, folder)
    assert found == again
    assert (found.read("notes"), found.read("moon")) == (b"flood", b"\0")
    assert len(list(folder.iterdir())) == 4
    assert found.arrays().keys() == ARRAYS.keys()


class Trap:
    def __reduce__(self) -> Any:
        return (exec, ("raise SystemExit('unpickled')",))


def test_nothing_is_unpickled(saved: Artefact) -> None:
    stream = io.BytesIO()
    np.savez(stream, high=np.array([Trap()], object))
    for suffix, data in ((".npz", stream.getvalue()), (".pkl", pickle.dumps(Trap()))):
        broken = attach(saved, "tides", suffix, data)
        with pytest.raises(DataError, match="damaged"):
            broken.arrays()


def test_what_is_too_large_is_refused_before_it_is_read(
    saved: Artefact, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artefacts, "MOST_FILE", 100)
    with pytest.raises(DataError, match="larger than 100 bytes"):
        saved.arrays()
    monkeypatch.setattr(artefacts, "MOST_MANIFEST", 100)
    with pytest.raises(DataError, match=r"almanac\.json: larger than 100 bytes"):
        open_artefact(KIND, folder)


@dataclass(frozen=True, eq=False)
class Tides:
    """What the arrays make: heights at low and high water, of as many harbours."""

    high: NDArray[np.float64]
    low: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.high.shape != self.low.shape:
            raise ConfigError("a harbour has high and low water")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"low": None}, "almanac.json: not what .*low: there is no array 'low'.*; make one with"),
        ({"more": np.zeros(1)}, "array 'more' is unknown"),
        ({"high": np.zeros(4)}, "a harbour has high and low water"),
        ({"low": np.array([0, np.nan, 0])}, "array 'low' holds what is no finite number"),
        ({"low": np.array([-1e300, 0, 0])}, "array 'low' holds what is no finite number"),
        ({"low": np.zeros(3, np.float16)}, r"tides-\w+\.\w+: damaged .*'low' holds float16"),
    ],
)
def test_arrays_must_make_the_record(changed: dict[str, Any], told: str, folder: Path) -> None:
    facts, given = to_parts(Tides(np.ones(3), np.zeros(3)))
    found = save(KIND, folder, {"tides": facts}, given, "").record(Tides, "tides")
    assert (found.high.tolist(), found.low.tolist()) == ([1, 1, 1], [0, 0, 0])
    arrays = {name: one for name, one in (given | changed).items() if one is not None}
    with pytest.raises(DataError, match=told):
        save(KIND, folder, {"tides": facts}, arrays, "").record(Tides, "tides")


def test_a_record_that_the_facts_do_not_hold_is_refused(saved: Artefact) -> None:
    with pytest.raises(DataError, match="KeyError: 'tides'"):
        saved.record(Tides, "tides")


def test_what_facts_are_made_into_fails_as_one_error_of_ours(saved: Artefact) -> None:
    for error in (
        KeyError("x"),
        IndexError("x"),
        TypeError("x"),
        OverflowError("x"),
        AttributeError("x"),
        MemoryError("x"),
        RecursionError("x"),
    ):
        refused = pytest.raises(DataError, match=r"not what it must be .*; make one")
        with refused as caught, saved.understood():
            raise error
        assert caught.value.source == str(saved.place)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"artefact": None}, "format None of artefacts"),
        ({"artefact": 2}, "format 2 of artefacts; this version reads 1"),
        ({"kind": "tagger"}, "this is a tagger, and no almanac"),
        ({"format": 3}, "format 3 of almanac; this version reads 2"),
        ({"format": None}, "format None of almanac"),
        ({"files": {}}, "names no tides"),
        ({"files": []}, "cannot be read"),
        ({"facts": 3}, "cannot be read"),
        ({"facts": json.loads("[" * 300 + "]" * 300)}, "more than 100 deep in each other"),
    ],
)
def test_what_is_not_known_is_refused(
    changed: dict[str, Any], told: str, saved: Artefact, folder: Path
) -> None:
    rewrite(folder, **changed)
    with pytest.raises(DataError, match=told) as caught:
        open_artefact(KIND, folder)
    assert caught.value.source == str(folder / KIND.manifest)


@pytest.mark.parametrize("text", ["[1]", "[" * 100_000], ids=["a list", "deep"])
def test_a_manifest_that_is_none_is_refused(text: str, saved: Artefact) -> None:
    saved.place.write_text(text)
    with pytest.raises(DataError, match="cannot be read"):
        open_artefact(KIND, saved.place.parent)


def test_without_a_manifest_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"an almanac is a folder .* make one with `assize tide`"):
        open_artefact(KIND, tmp_path)


@pytest.mark.parametrize("name", ["/etc/passwd", "../tides", "a/b", "..", ".", "", "a\\b", "a\0b"])
def test_a_path_that_leaves_the_folder_is_refused(name: str, saved: Artefact, folder: Path) -> None:
    renamed(folder, name)
    with pytest.raises(DataError, match="is no plain name"):
        open_artefact(KIND, folder)


def test_a_link_is_followed_inside_the_folder_only(saved: Artefact, folder: Path) -> None:
    place = folder / saved.files["tides"].name
    renamed(folder, "link")
    (folder / "link").symlink_to(place.name)
    assert open_artefact(KIND, folder).arrays().keys() == ARRAYS.keys()
    place.rename(folder.parent / place.name)
    (folder / "link").unlink()
    (folder / "link").symlink_to(folder.parent / place.name)
    with pytest.raises(DataError, match="a link that leaves the folder"):
        open_artefact(KIND, folder).arrays()
    (folder / "link").unlink()
    (folder / "link").symlink_to("link")
    with pytest.raises(DataError, match=r"cannot be read|no such file"):
        open_artefact(KIND, folder).arrays()


def test_a_folder_that_is_a_link_opens(saved: Artefact, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    assert open_artefact(KIND, tmp_path / "link").arrays().keys() == ARRAYS.keys()


def test_a_pipe_is_not_waited_for(saved: Artefact, folder: Path) -> None:
    place = folder / saved.files["tides"].name
    place.unlink()
    os.mkfifo(place)
    with pytest.raises(DataError, match="no such file"):
        saved.arrays()


def test_damage_is_told_with_its_file_and_remedy(saved: Artefact, folder: Path) -> None:
    place = folder / saved.files["tides"].name
    whole = place.read_bytes()
    place.write_bytes(whole[:-1])
    with pytest.raises(DataError, match=r"damaged, or not the file .* make one") as caught:
        saved.arrays()
    assert caught.value.source == str(place)
    place.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(DataError, match=r"almanac\.json was written with"):
        saved.arrays()
    place.unlink()
    with pytest.raises(DataError, match="no such file"):
        saved.arrays()
    with pytest.raises(DataError, match="names no moon"):
        saved.read("moon")


@pytest.mark.parametrize("data", [b"", b"\xff" * 64, b"\x02\0\0\0\0\0\0\0{}extra"])
def test_arrays_that_are_none_are_refused_though_their_hash_is_right(
    data: bytes, saved: Artefact, folder: Path
) -> None:
    broken = attach(saved, "tides", ".safetensors", data)
    with pytest.raises(DataError, match="damaged"):
        broken.arrays()
