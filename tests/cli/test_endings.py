"""How commands end when they are interrupted, or when what they write to is full: in one line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from chat_server import ChatServer
from hostile_server import HostileServer

GUARD = 60.0  # seconds; only a hang takes them
MAIN = [sys.executable, "-m", "assize"]
TURNS = [{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Hello"}]
SIGNALLED = """
import os, signal, sys

class Signalling:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Signalling())
from assize.__main__ import main
main()
"""


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    path = tmp_path / "chats.jsonl"
    path.write_text("".join(json.dumps({"id": f"c{n}", "turns": TURNS}) + "\n" for n in range(9)))
    return path


@pytest.mark.parametrize(
    "name", ["typer", "assize.cli", "assize.cli.check", "assize.formats", "assize._doors.check"]
)
def test_ctrl_c_while_a_command_is_imported_is_one_line(name: str, chats: Path) -> None:
    script = [sys.executable, "-c", SIGNALLED.format(name=name), "check", str(chats)]
    done = subprocess.run(script, capture_output=True, text=True, timeout=GUARD)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


ASKING = {
    "judge": "judge {chats} --judge rating@openai:tiny --out run",
    "rubric": "rubric ask {chats} --rubric information-seeking --model openai:tiny --out run",
    "criteria": "criteria learn {chats} --label id:c1=1,c2=0 --model openai:tiny --out run",
    "simulate": "simulate candidates {chats} --model openai:tiny --out run",
}


@pytest.mark.slow("starts each command")
@pytest.mark.parametrize("command", ASKING)
def test_one_ctrl_c_ends_a_command_whatever_its_server_does(
    command: str, chats: Path, tmp_path: Path
) -> None:
    with ChatServer(latency=600) as server:
        arguments = ASKING[command].format(chats=chats).split()
        process = subprocess.Popen(
            [*MAIN, *arguments, "--base-url", server.url],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while not server.seen and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said, error = process.communicate(timeout=GUARD)  # the server would take ten times as long
    assert process.returncode == 130, said + error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    "command",
    ["--help", "--version", "check {}", "check {} --json", "convert {} -", "cache info"],
)
def test_a_full_stdout_is_one_line(command: str, chats: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*MAIN, *command.format(chats).split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=GUARD,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("assize: error: stdout")
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_full_stderr_costs_no_result(chats: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*MAIN, "convert", str(chats), "-"],
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
            timeout=GUARD,
        )
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 9


def test_a_full_device_is_named_and_stays_a_device(chats: Path, tmp_path: Path) -> None:
    device = tmp_path / "full.jsonl"
    device.symlink_to("/dev/full")
    done = subprocess.run(
        [*MAIN, "convert", str(chats), str(device)],
        capture_output=True,
        text=True,
        timeout=GUARD,
    )
    assert done.returncode == 2
    assert f"{device}: cannot write: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert Path("/dev/full").is_char_device()
    assert device.is_symlink()


def judging(chats: Path, out: Path, url: str, timeout: str) -> subprocess.Popen[str]:
    words = ["rubric", "ask", chats, "-m", "openai:m", "--out", out, "--base-url", f"{url}/v1"]
    return subprocess.Popen(
        [*MAIN, *map(str, words), "--timeout", timeout, "--concurrency", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"OPENAI_API_KEY": "none"},
    )


def asked(server: HostileServer, process: subprocess.Popen[str]) -> None:
    ends = time.monotonic() + GUARD
    while not server.asked and process.poll() is None and time.monotonic() < ends:
        time.sleep(0.05)
    assert server.asked


def hung_up(server: HostileServer) -> bool:
    """Whether nobody listens to the server any more."""
    ends = time.monotonic() + GUARD
    while server.hung_up < server.asked and time.monotonic() < ends:
        time.sleep(0.05)
    return server.hung_up == server.asked <= 2


def interrupt(server: HostileServer, process: subprocess.Popen[str]) -> None:
    """One Ctrl-C once the server was asked; the command ends as it should, and so do its calls."""
    asked(server, process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=GUARD)
    assert process.returncode == 130
    assert "interrupted; answers so far are kept" in said
    assert "Traceback" not in said
    assert hung_up(server)  # no reply was read to its end, and none asked for again


def test_ctrl_c_waits_for_calls_in_flight_as_long_as_one_may_take(
    chats: Path, tmp_path: Path
) -> None:
    with HostileServer("dripping") as server:
        process = judging(chats, tmp_path / "run", server.url, "1")
        interrupt(server, process)


def test_a_second_ctrl_c_ends_at_once(chats: Path, tmp_path: Path) -> None:
    with HostileServer("dripping") as server:
        process = judging(chats, tmp_path / "run", server.url, "600")
        asked(server, process)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=GUARD)
        assert process.returncode == 130
        assert said.splitlines()[-1] == "interrupted"
        assert "Traceback" not in said
        assert hung_up(server)


def test_ctrl_c_in_scoring_says_what_is_kept(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    out = tmp_path / "scores.jsonl"
    process = subprocess.Popen(
        [*MAIN, "score", "-", "--out", str(out)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    for number in range(400):
        process.stdin.write(json.dumps({"id": f"c{number}", "turns": TURNS}) + "\n")
    process.stdin.flush()
    ends = time.monotonic() + GUARD
    while not out.with_name("scores.jsonl.part").exists() and time.monotonic() < ends:
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=GUARD)
    assert process.returncode == 130
    assert f"kept in {out}.part; the same command begins anew" in said
    assert said.splitlines()[-1] == "interrupted"
    assert "Traceback" not in said


def test_ctrl_c_ends_the_submission_of_a_batch_that_nobody_answers(tmp_path: Path) -> None:
    pair = {"id": "p", "context": TURNS[:1], "a": [TURNS[1]], "b": [TURNS[1] | {"text": "No."}]}
    (tmp_path / "pairs.jsonl").write_text(json.dumps(pair))
    with HostileServer("dripping") as server:
        words = ["judge", tmp_path / "pairs.jsonl", "--judge", "io@openai:m", "--batch"]
        words += ["--out", tmp_path / "run", "--base-url", f"{server.url}/v1"]
        process = subprocess.Popen(
            [*MAIN, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"OPENAI_API_KEY": "none"},
        )
        interrupt(server, process)
