"""Encodings kept on disk: found again to the last bit, by their encoder alone, and bounded."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from letters import Letters
from tests.encoders.token_states import states_of

from assize.base.errors import ConfigError
from assize.encoders import CachedEncoder, Encoding, cached, load_encoder, remembering, uncached
from assize.encoders.cached import FILE, InMemory, open_encodings
from assize.encoders.minilm import MiniLM

TEXTS = ["abc", "dead", "abc", "", "caf\u00e9 \ud800\0", "f" * 2500]


def same(one: Encoding, two: Encoding) -> None:
    np.testing.assert_array_equal(one.vectors, two.vectors, strict=True)
    np.testing.assert_array_equal(one.windows, two.windows)


def test_what_is_found_again_is_what_the_encoder_gave() -> None:
    letters = Letters()
    fresh = letters.encode(TEXTS)
    same(CachedEncoder(letters).encode(TEXTS), fresh)
    asked = len(letters.seen)
    same(CachedEncoder(letters).encode(TEXTS), fresh)
    assert len(letters.seen) == asked  # another object, which found it on disk
    (tokens, *_), (expected, *_) = (
        states_of(one.encode(TEXTS, tokens=True)) for one in (CachedEncoder(letters), letters)
    )
    np.testing.assert_array_equal(tokens.states, expected.states)


@given(st.lists(st.text(alphabet="abcx\ud800\0", max_size=4)))
def test_any_order_and_repetition_is_kept(texts: list[str]) -> None:
    encoder = CachedEncoder(Letters(), InMemory())
    encoder.encode(texts[::2])
    same(encoder.encode(texts), Letters().encode(texts))


def test_another_signature_finds_nothing() -> None:
    class Other(Letters):
        signature = "other"

    CachedEncoder(Letters()).encode(["abc"])
    other = Other()
    CachedEncoder(other).encode(["abc"])
    assert other.seen == ["abc"]


def test_it_is_the_encoder_but_for_what_it_keeps() -> None:
    letters = Letters()
    encoder = CachedEncoder(letters)
    for name in ("name", "dimension", "signature", "details"):
        assert getattr(encoder, name) == getattr(letters, name)
    assert uncached(encoder) is letters
    assert uncached(letters) is letters
    assert remembering(encoder) is encoder


def test_what_only_remembers_writes_nothing() -> None:
    letters = Letters()
    encoder = remembering(letters)
    encoder.encode(["abc", "b"])
    encoder.encode(["b", "abc"])
    assert letters.seen == ["abc", "b"]
    assert open_encodings().info().entries == 0


def test_load_encoder_keeps_encodings_where_asked_to(minilm: MiniLM) -> None:
    load_encoder("minilm").encode(["abc"])
    assert open_encodings().info().entries == 0
    load_encoder("minilm", cached=True).encode(["abc"])
    assert open_encodings().info().entries == 1


def test_a_long_list_is_kept_a_chunk_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(Letters):
        def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
            if "stop" in texts:
                raise KeyboardInterrupt
            return super().encode(texts, tokens=tokens)

    monkeypatch.setattr(cached, "CHUNK_TEXTS", 2)
    with pytest.raises(KeyboardInterrupt):
        CachedEncoder(Failing()).encode(["a", "b", "c", "stop"])
    assert open_encodings().info().entries == 2


def test_the_file_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSIZE_ENCODINGS_BYTES", "200000")
    for start in range(0, 4000, 1000):
        encoder = CachedEncoder(Letters())
        encoder.encode([str(number) for number in range(start, start + 1000)])
    assert open_encodings().info().bytes < 400_000
    monkeypatch.setenv("ASSIZE_ENCODINGS_BYTES", "lots")
    with pytest.raises(ConfigError, match="ASSIZE_ENCODINGS_BYTES is 'lots'"):
        CachedEncoder(Letters())


def test_a_cache_that_cannot_be_used_costs_time_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    monkeypatch.setenv("ASSIZE_CACHE_DIR", str(file))
    letters = Letters()
    encoder = CachedEncoder(letters)
    same(encoder.encode(TEXTS), Letters().encode(TEXTS))
    encoder.encode(TEXTS)
    assert len(letters.seen) == len(set(TEXTS))


def test_a_cache_that_fails_later_costs_time_only() -> None:
    store = open_encodings()
    encoder = CachedEncoder(Letters(), store)
    encoder.encode(["abc"])
    with sqlite3.connect(store.path) as other:
        other.execute("DROP TABLE encodings")
    same(encoder.encode(TEXTS), Letters().encode(TEXTS))


WORKER = """
import sys
sys.path.insert(0, sys.argv[1])
from letters import Letters
from assize.encoders.cached import CachedEncoder
encoder = CachedEncoder(Letters())
for start in range(0, 10**6, 50):
    encoder.encode([f"abc {number}" for number in range(start, start + 100)])
    print(start, flush=True)
"""


def test_processes_that_share_it_and_are_killed_leave_it_whole() -> None:
    servers = Path(__file__).parents[1] / "servers"
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(servers)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    for worker in workers:
        assert worker.stdout is not None
        for _ in range(5):
            worker.stdout.readline()
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        worker.stdout.close()
    letters = Letters()
    texts = [f"abc {number}" for number in range(200)]
    same(CachedEncoder(letters).encode(texts), Letters().encode(texts))
    assert letters.seen == []
    store = open_encodings()
    assert store.path.name == FILE
    assert store.read("PRAGMA integrity_check") == [("ok",)]
