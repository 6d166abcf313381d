"""What commands on evaluators are given."""

from __future__ import annotations

from pathlib import Path

from assize.workflows.evaluator.given import folder_of, read_twice


def test_default_is_the_shipped_evaluator() -> None:
    assert folder_of("default") is None
    assert folder_of("mine") == "mine"
    assert folder_of(Path("default")) == Path("default")


def test_what_can_be_read_once_is_kept() -> None:
    assert read_twice(iter("ab")) == ["a", "b"]
    assert read_twice("chats.jsonl") == "chats.jsonl"
