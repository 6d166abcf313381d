"""`assize simulate` as users call it."""

from __future__ import annotations

from pathlib import Path

import pairs_answered as answered
from chat_server import ChatServer
from command_line import read_json, run

import assize


def test_pairs_are_made_estimated_and_chosen_from_again(tmp_path: Path) -> None:
    source, out = tmp_path / "chats.jsonl", tmp_path / "run"
    assize.write(source, [answered.talk(n) for n in range(5)])
    with ChatServer(answered.answer) as server:
        command: list[object] = ["simulate", "preferences", source, "-o", out, "--words", "-1"]
        command += ["-m", "openai:small", "-m", "openai:large", "-j", "dimensions@openai:judge-1"]
        command += ["--base-url", server.url, "--balance", "none"]
        estimate = read_json(*command, "--dry-run")
        assert not server.seen
        assert estimate["by_model"]["openai:judge-1"]["calls"] == 10
        shown = run(*command).stdout
        made = read_json(*command)
    assert "What each step left" in shown
    assert "answered twice" in shown
    label = made["preferences"][-1]
    assert (label["judge"], label["tie"]) == ("label", 1)
    assert label["a"] + label["b"] + label["tie"] == 5
    files = (out / "all-pairs.jsonl", "-v", out / "all-judgments.jsonl")
    kept = read_json("simulate", "select", *files, "--balance", "1/1/1", "-o", tmp_path / "kept")
    label = kept["preferences"][-1]
    assert (label["a"], label["b"], label["tie"]) == (1, 1, 1)
    assert len(list(assize.read(tmp_path / "kept" / "pairs.jsonl"))) == 3
