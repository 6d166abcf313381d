"""Libraries report to nobody, endpoints learn nothing of the machine, and a checkpoint's own code
never runs."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chat_server import ChatServer
from local_server import Handler, serving
from recorder import Recorded, recorder, recorders

from assize.base.errors import ConfigError, DataError, ServerError
from assize.base.privacy import AGENT, SWITCHES, no_telemetry
from assize.encoders import load_encoder
from assize.encoders.endpoint import Endpoint
from assize.models.anthropic import AnthropicModel
from assize.models.anthropic import connect as connect_anthropic
from assize.models.hf_engine import Engine
from assize.models.model import Request, messages
from assize.models.openai import OpenAIModel
from assize.models.openai_connection import connect as connect_openai
from assize.models.reward_engine import RewardEngine
from assize.models.reward_http import HTTPReward

EXAMPLES = Path(__file__).parents[2] / "examples" / "conversations.jsonl"
LEFT = ".cache/Microsoft"


def run(home: Path, code: str, **environment: str) -> list[str]:
    """Runs Python with a home folder of its own; the files that it has left there."""
    kept = {name: value for name, value in os.environ.items() if name not in SWITCHES}
    given = {**kept, "HOME": str(home), "ASSIZE_CACHE_DIR": str(home / "assize"), **environment}
    given.pop("XDG_CACHE_HOME", None)
    done = subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [str(one.relative_to(home)) for one in home.rglob("*") if one.is_file()]


def test_scoring_leaves_no_file_but_in_the_cache_of_assize(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    said = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    code = f"import assize; assize.score([{{'messages': {said}}}], quiet=True)"
    left = run(tmp_path, code)
    assert all(one.startswith("assize/") for one in left), left


def test_this_would_be_seen_where_the_library_reports(tmp_path: Path) -> None:
    """Else the test above could not fail."""
    pytest.importorskip("onnxruntime")
    code = "import onnxruntime, numpy\nonnxruntime.OrtValue.ortvalue_from_numpy(numpy.ones(1))\n"
    left = run(tmp_path, code)
    if not left:
        pytest.skip("this onnxruntime reports nothing by itself")
    assert any(one.startswith(LEFT) for one in left)


def test_what_the_user_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SWITCHES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DO_NOT_TRACK", "0")
    no_telemetry()
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
    assert os.environ["DO_NOT_TRACK"] == "0"


def set_config(folder: Path, **changed: object) -> None:
    """Write other values into a checkpoint's configuration."""
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changed))


@pytest.fixture
def poisoned(tiny_llama: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A checkpoint that brings code, and the file that the code would leave."""
    folder, mark = tmp_path / "model", tmp_path / "ran"
    shutil.copytree(tiny_llama, folder)
    (folder / "own.py").write_text(
        f"open({str(mark)!r}, 'w').close()\n"
        "from transformers import LlamaConfig, LlamaForCausalLM, LlamaModel\n"
        "class OwnConfig(LlamaConfig):\n    model_type = 'own'\n"
        "class Own(LlamaForCausalLM):\n    config_class = OwnConfig\n"
        "class OwnModel(LlamaModel):\n    config_class = OwnConfig\n"
    )
    own = {"AutoConfig": "OwnConfig", "AutoModel": "OwnModel", "AutoModelForCausalLM": "Own"}
    auto_map = {name: f"own.{kind}" for name, kind in own.items()}
    set_config(folder, model_type="own", auto_map=auto_map)
    return folder, mark


def test_code_of_a_checkpoint_is_refused_and_never_run_whatever_stdin_says(
    poisoned: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, mark = poisoned
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" * 9))
    for opening in openings(folder):
        with pytest.raises((ConfigError, DataError), match=r"trust_remote_code|own"):
            opening()
    assert not mark.exists()


def test_a_known_family_is_read_by_its_plain_class_whatever_code_comes_with_it(
    poisoned: tuple[Path, Path],
) -> None:
    folder, mark = poisoned
    set_config(folder, model_type="llama")
    assert type(Engine(str(folder)).model).__name__ == "LlamaForCausalLM"
    assert load_encoder(f"hf:{folder}").details["architecture"] == "LlamaModel"
    assert not mark.exists()


def test_a_checkpoint_cannot_ask_for_code_from_the_hub(tiny_llama: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_llama, folder)
    set_config(folder, attn_implementation="kernels-community/any")
    for opening in openings(folder):
        with pytest.raises(ConfigError, match="asks for code from the hub"):
            opening()


def test_weights_that_are_a_pickle_are_not_opened(tiny_llama: Path, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file

    folder = tmp_path / "model"
    shutil.copytree(tiny_llama, folder)
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    for opening in openings(folder):
        with pytest.raises((ConfigError, DataError), match="safetensors"):
            opening()


def openings(folder: Path) -> list[Callable[[], object]]:
    """Every way in which a checkpoint is opened."""
    return [
        lambda: Engine(str(folder)),
        lambda: RewardEngine(str(folder)),
        lambda: load_encoder(f"hf:{folder}"),
    ]


NEEDED = {
    "accept",
    "accept-encoding",
    "anthropic-version",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "host",
    "user-agent",
    "x-api-key",
}
Ask = Callable[[str], object]


@pytest.fixture
def listener() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """An address, and the headers of what arrived there; it answers with an error."""
    seen: list[dict[str, str]] = []

    class Refusing(Handler):
        def do_POST(self) -> None:
            seen.append({name.lower(): value for name, value in self.headers.items()})
            self.body()
            self.send(b"", 500, {"connection": "close"})

    with serving(Refusing) as url:
        yield url, seen


def asked_openai(url: str) -> None:
    asyncio.run(OpenAIModel("m", connect_openai(url, timeout=9)).ask(ASK))


def asked_anthropic(url: str) -> None:
    pytest.importorskip("anthropic", reason="the extra `anthropic` is not installed")
    os.environ["ANTHROPIC_BASE_URL"] = url
    asyncio.run(AnthropicModel("m", connect_anthropic(timeout=9)).ask(ASK))


def asked_embeddings(url: str) -> None:
    Endpoint("m", base_url=url, retries=0).encode(["Hello"])


def asked_reward(url: str) -> None:
    asyncio.run(HTTPReward(url, timeout=9).ask(ASK))


ASK = Request(messages(("user", "Hello")))


@pytest.mark.parametrize("ask", [asked_openai, asked_anthropic, asked_embeddings, asked_reward])
def test_headers_say_what_is_needed_and_nothing_of_the_machine(
    ask: Ask, listener: tuple[str, list[dict[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "")  # so that it is put back
    url, seen = listener
    with pytest.raises(ServerError):
        ask(url)
    assert seen
    for headers in seen:
        assert headers.keys() <= NEEDED
        assert headers["user-agent"] == AGENT


ASSIZE = [sys.executable, "-c", "from assize.cli import main; main()"]
MODEL = "io@openai:m"
COMMANDS = {
    "score": ["score", "{few}", "--out", "s.jsonl", "--report", "s.html"],
    "judge": ["judge", "{in}/pairs.jsonl", "--judge", MODEL, "--out", "run", "--base-url", "{url}"],
    "anthropic": ["judge", "{in}/pairs.jsonl", "--judge", "io@anthropic:m", "--out", "run"],
    "embeddings": [
        "calibrate",
        "fit",
        "-a",
        "{in}/answers.jsonl",
        "-r",
        "{in}/ratings.jsonl",
        "-t",
        "helpful",
        "--out",
        "c",
        "--embed",
        "minilm",
        "--items",
        "{in}/conversations.jsonl",
    ],
    "calibrate": [
        "study",
        "calibration",
        "-a",
        "{in}/answers.jsonl",
        "-r",
        "{in}/ratings.jsonl",
        "-t",
        "helpful",
        "--report",
        "study.html",
    ],
    "train": [
        "evaluator",
        "train",
        "{in}/conversations.jsonl",
        "-j",
        "{in}/ratings.jsonl",
        "--out",
        "mine",
    ],
    "page": [
        "report",
        "{in}/ratings.jsonl",
        "--items",
        "{in}/conversations.jsonl",
        "--out",
        "page.html",
    ],
    "help": ["--help"],
}
SOON = {"score", "judge", "help"}  # the others take as long and use the same parts


def traced(
    tmp_path: Path, command: list[str], how: str = "", **more: str
) -> tuple[Recorded, list[str]]:
    """Runs a command in a folder and a home of its own; what it did, and what it wrote outside
    of its outputs, the folder for temporary files, and the cache of assize."""
    places = {name: tmp_path / name for name in ("out", "home", "tmp", "cache")}
    for place in places.values():
        place.mkdir()
    dropped = (*SWITCHES, "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "COVERAGE_PROCESS_START")
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    environment |= {
        "HOME": str(places["home"]),
        "TMPDIR": str(places["tmp"]),
        "ASSIZE_CACHE_DIR": str(places["cache"]),
        "PYTHONDONTWRITEBYTECODE": "1",
        **more,
    }
    found = recorder(how)(command, environment, places["out"])
    allowed = [str(places[name]) for name in ("out", "tmp", "cache")]
    devices = ("/dev/null", "/dev/tty", "/dev/shm/", "/dev/pts/", "/proc/self/")
    outside = [
        one
        for one in sorted(found.written)
        if not one.startswith(devices)
        and not any(one == place or one.startswith(place + "/") for place in allowed)
    ]
    return found, outside


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=pytest.mark.slow("traces every system call of a command")
            if name in SOON
            else pytest.mark.nightly("traces every system call of a command"),
        )
        for name in COMMANDS
    ],
)
def test_a_command_connects_to_the_given_endpoint_and_writes_where_it_may(
    name: str, tmp_path: Path
) -> None:
    pytest.importorskip("onnxruntime")
    if name == "anthropic":
        pytest.importorskip("anthropic", reason="the extra `anthropic` is not installed")
    few = tmp_path / "few.jsonl"
    few.write_text("".join(EXAMPLES.read_text().splitlines(keepends=True)[:5]))
    with ChatServer() as server:
        given = {"in": str(EXAMPLES.parent), "few": str(few), "url": server.url}
        command = [*ASSIZE, *(one.format(**given) for one in COMMANDS[name])]
        endpoint = {"ANTHROPIC_BASE_URL": server.root, "ANTHROPIC_API_KEY": "k"}
        found, outside = traced(tmp_path, command, **(endpoint if name == "anthropic" else {}))
        asked = {("127.0.0.1", server.port)} if server.seen else set()
    assert found.code == 0, found.output
    assert bool(asked) == (name in ("judge", "anthropic"))
    assert found.connections == asked
    assert not found.lookups
    assert not outside
    assert found.written or name == "help"


NATIVE = """
import ctypes, socket, struct
libc = ctypes.CDLL(None)
to = struct.pack("=HH4s8x", socket.AF_INET, socket.htons({port}), socket.inet_aton("127.0.0.1"))
libc.connect(libc.socket(socket.AF_INET, socket.SOCK_STREAM, 0), to, len(to))
libc.sendto(libc.socket(socket.AF_INET, socket.SOCK_DGRAM, 0), b"x", 1, 0, to, len(to))
libc.open(b"left", 0o101, 0o600)
libc.mkdir(b"made", 0o700)
"""


@pytest.mark.parametrize("how", ["strace", "preload"])
def test_what_a_native_library_does_is_recorded(how: str, tmp_path: Path) -> None:
    """An audit hook of Python sees none of this."""
    found, outside = traced(tmp_path, [sys.executable, "-c", NATIVE.format(port=9)], how)
    assert found.code == 0, found.output
    assert found.connections == {("127.0.0.1", 9)}
    home = tmp_path / "out"
    assert {str(home / "left"), str(home / "made")} <= found.written
    assert not outside


NAMED = """
import sys, assize
from assize.base.artefacts import open_artefact, save
from assize.base.errors import ConfigError
from assize.evaluator._artefact import EVALUATOR
assize.evaluator.load_evaluator().save("e")
found = open_artefact(EVALUATOR, "e")
for name in ("hf:evil/model", "openai:embed"):
    facts = {**found.facts, "encoder": {**found.facts["encoder"], "spec": name}}
    save(EVALUATOR, found.folder, facts, found.arrays(), "")
    try:
        assize.load("e")
    except ConfigError as error:
        assert "encoders that a file names are not asked" in str(error)
    else:
        sys.exit(1)
    found = open_artefact(EVALUATOR, "e")
"""


@pytest.mark.slow("traces every system call of a command")
def test_a_folder_that_names_another_encoder_reaches_nothing(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    endpoint = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "k"}
    found, outside = traced(tmp_path, [sys.executable, "-c", NAMED], **endpoint)
    assert found.code == 0, found.output
    assert not found.connections
    assert not found.lookups
    assert not outside


REPORTING = """
import time, numpy, onnxruntime
onnxruntime.OrtValue.ortvalue_from_numpy(numpy.ones(1))
time.sleep({seconds})
"""


@pytest.mark.slow("traces every system call of a command")
@pytest.mark.parametrize(
    "seconds",
    [0, pytest.param(20, marks=pytest.mark.nightly("waits until the library reports"))],
)
def test_a_library_that_reports_is_caught(seconds: int, tmp_path: Path) -> None:
    """Else the tests above could not fail: onnxruntime as it comes, which assize keeps silent."""
    pytest.importorskip("onnxruntime")
    found, outside = traced(tmp_path, [sys.executable, "-c", REPORTING.format(seconds=seconds)])
    if not outside:
        pytest.skip("this onnxruntime reports nothing by itself")
    assert any("onnxruntime.db" in one for one in outside)
    assert found.connections or found.lookups or not seconds


def test_there_is_a_way_to_record_on_linux() -> None:
    """So that the tests above are not all skipped where they are meant to run."""
    if sys.platform != "linux":
        pytest.skip("strace and preloading are Linux's")
    if not recorders() and "CI" not in os.environ:
        pytest.skip("neither strace nor a C compiler is installed")
    assert recorders()
