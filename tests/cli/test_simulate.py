from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pairs_answered as answered
from chat_server import ChatServer
from typer.testing import CliRunner

import assize
from assize.cli import app


def run(*command: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, list(map(str, command)))
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_pairs_are_made_estimated_and_chosen_from_again(tmp_path: Path) -> None:
    source, out = tmp_path / "chats.jsonl", tmp_path / "run"
    assize.write(source, [answered.talk(n) for n in range(5)])
    with ChatServer(answered.answer) as server:
        command: list[object] = ["simulate", "preferences", source, "-o", out, "--quiet"]
        command += ["-m", "openai:small", "-m", "openai:large", "-j", "dimensions@openai:judge-1"]
        command += ["--base-url", server.url, "--words", "-1", "--json"]
        told = json.loads(run(*command, "--dry-run").stdout)
        assert not server.seen
        assert told["by_model"]["openai:judge-1"]["calls"] == 10
        made = json.loads(run(*command, "--balance", "none").stdout)
    label = made["preferences"][-1]
    assert (label["judge"], label["tie"]) == ("label", 1)
    assert label["a"] + label["b"] + label["tie"] == 5
    kept = json.loads(
        run(
            "simulate",
            "select",
            out / "all-pairs.jsonl",
            "-v",
            out / "all-judgments.jsonl",
            "--balance",
            "1/1/1",
            "-o",
            tmp_path / "kept",
            "--json",
        ).stdout
    )
    label = kept["preferences"][-1]
    assert (label["a"], label["b"], label["tie"]) == (1, 1, 1)
    assert len(list(assize.read(tmp_path / "kept" / "pairs.jsonl"))) == 3


def test_its_tables_are_shown(tmp_path: Path) -> None:
    source = tmp_path / "chats.jsonl"
    assize.write(source, [answered.talk(n) for n in range(5)])
    with ChatServer(answered.answer) as server:
        said = run(
            "simulate",
            "preferences",
            source,
            "-o",
            tmp_path / "run",
            "--quiet",
            "--words",
            "-1",
            "-m",
            "openai:small",
            "-m",
            "openai:large",
            "--base-url",
            server.url,
        ).stdout
    assert "What each step left" in said
    assert "answered twice" in said
