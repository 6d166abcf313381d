"""The response cache: keys, durability, sharing, eviction."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.errors import ConfigError
from assize.base.judgment import Usage
from assize.models import Cache, CallId, Reply, Request, Token, messages
from assize.models.cache import key_of
from assize.models.model import from_value, to_text

ASK = Request(messages(("user", "Hi")))


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "answers.sqlite")


def test_every_part_that_changes_the_answer_changes_the_key() -> None:
    variants = [
        ASK,
        replace(ASK, messages=messages(("system", "Hi"))),
        replace(ASK, messages=messages(("user", "Ho"))),
        replace(ASK, messages=messages(("user", "H"), ("user", "i"))),
        replace(ASK, schema={"type": "object"}),
        replace(ASK, temperature=1.0),
        replace(ASK, temperature=None),
        replace(ASK, seed=1),
        replace(ASK, max_tokens=3),
        replace(ASK, top_logprobs=5),
        replace(ASK, sample=1),
    ]
    keys = {key_of("openai:a", one) for one in variants} | {key_of("openai:b", ASK)}
    assert len(keys) == len(variants) + 1


def test_the_boundary_and_the_place_are_no_part_of_the_key() -> None:
    def fenced(mark: str) -> Request:
        return Request(messages(("user", f"[{mark}] text [{mark}]")), boundary=mark)

    assert key_of("m", fenced("abc")) == key_of("m", fenced("xyz"))
    assert key_of("m", replace(ASK, call_id=CallId("i", "j"))) == key_of("m", ASK)


@given(
    st.text(),
    st.lists(
        st.tuples(st.text(), st.floats(-50, 0), st.lists(st.tuples(st.text(), st.floats(-9, 0))))
    ),
)
def test_a_reply_survives_storage(text: str, tokens: list[tuple[str, float, list[object]]]) -> None:
    reply = Reply(
        text,
        "length",
        tuple(Token(t, p, tuple(top)) for t, p, top in tokens),  # type: ignore[arg-type]
        Usage(3, 4),
        "m-1",
        ("seed",),
    )
    assert from_value(json.loads(to_text(reply))) == reply


WRITER = """
import asyncio, sys
from pathlib import Path
from assize.models import Cache
async def go():
    cache = Cache(Path(sys.argv[1]))
    for n in range(10**6):
        await cache.put(f"{sys.argv[2]}-{n}".encode(), "reply")
        print(n, flush=True)
asyncio.run(go())
"""


@pytest.mark.slow("three processes that are killed")
def test_what_was_reported_stored_survives_kill_9_of_several_writers(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [
        subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, text=True) for n in range(3)
    ]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.readline()
    time.sleep(0.3)
    for writer in writers:
        os.kill(writer.pid, signal.SIGKILL)
    cache = Cache(path)
    reported = 0
    for n, writer in enumerate(writers):
        assert writer.stdout is not None
        rest = writer.stdout.read()
        whole = rest[: rest.rfind("\n") + 1].split()
        reported += len(whole)
        assert all(cache.get(f"{n}-{line}".encode()) == "reply" for line in ["0", *whole])
        writer.wait()
        writer.stdout.close()
    assert reported > 0
    cache.close()


def test_info_counts_and_clear_removes(cache: Cache) -> None:
    asyncio.run(cache.put(b"k", "v"))
    cache.learn("m", "seed")
    assert (cache.info().entries, cache.facts("m")) == (1, frozenset({"seed"}))
    assert cache.clear(unused_days=1) == 0
    assert cache.clear() == 1
    assert (cache.info().entries, cache.facts("m")) == (0, frozenset())


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"text": "a", "tokens": 3}', "{}"])
def test_a_stored_text_that_is_no_reply_is_missing(cache: Cache, text: str) -> None:
    cache.put_now([(b"k", text), (b"l", to_text(Reply("yes")))])
    assert cache.reply(b"k") is None
    assert cache.reply(b"l") == Reply("yes")


def test_what_a_damaged_file_knew_of_a_model_is_learnt_again(tmp_path: Path) -> None:
    said: list[str] = []
    cache = Cache(tmp_path / "answers.sqlite", note=said.append)
    with cache._kept.transaction() as connection:
        connection.execute("DROP TABLE learnt")
    cache.learn("m", "seed")
    assert cache.facts("m") == frozenset()
    assert len(said) == 1
    assert "is damaged" in said[0]


def test_a_size_is_given_or_read_from_the_environment_where_it_must_be_a_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Cache(tmp_path / "c.sqlite", max_bytes=7).info().max_bytes == 7
    monkeypatch.setenv("ASSIZE_CACHE_BYTES", "lots")
    with pytest.raises(ConfigError, match="ASSIZE_CACHE_BYTES is 'lots'"):
        Cache(tmp_path / "c.sqlite")
