"""Claims: one holder a question, free again after a release, an end or a kill."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assize.models import claims
from assize.models.claims import Claims

KEY, OTHER = b"0123456789", b"9876543210"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "answers.sqlite-asking"


def test_a_question_has_one_holder_until_it_is_released(place: Path) -> None:
    first, second = Claims(place), Claims(place)
    assert first.take(KEY)
    assert not first.take(KEY)
    assert not second.take(KEY)
    assert second.take(OTHER)
    second.release(KEY)  # not its own
    assert not second.take(KEY)
    first.release(KEY)
    assert second.take(KEY)
    first.close()
    second.close()
    assert place.stat().st_size == 0


def test_what_a_closed_session_held_is_free(place: Path) -> None:
    first, second = Claims(place), Claims(place)
    assert first.take(KEY)
    first.close()
    assert second.take(KEY)
    assert not first.take(KEY)  # it is opened again
    second.close()
    first.close()


HOLDER = """
import sys, time
from collections.abc import Iterator
from pathlib import Path
from assize.models.claims import Claims
claims = Claims(Path(sys.argv[1]))
print(claims.take(b"0123456789"), flush=True)
time.sleep(600)
"""


@pytest.fixture
def holder(place: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has claimed the question."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(place)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        yield process
        process.kill()


def test_a_kill_frees_what_was_claimed_at_once(place: Path, holder: subprocess.Popen[str]) -> None:
    mine = Claims(place)
    assert not mine.take(KEY)
    holder.kill()
    holder.wait()
    assert mine.take(KEY)
    mine.close()


def _child(held: Claims, answers: Any) -> None:
    answers.put((held.take(KEY), held.take(OTHER)))
    held.release(KEY)  # not the child's
    held.close()


def test_a_forked_child_claims_for_itself(place: Path) -> None:
    held = Claims(place)
    assert held.take(KEY)
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    child = context.Process(target=_child, args=(held, answers))
    child.start()
    assert answers.get() == (False, True)
    child.join()
    assert not Claims(place).take(KEY)
    held.close()


def test_where_there_are_no_locks_every_question_is_free(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = Claims(place / "no-folder")
    assert below.take(KEY)
    below.release(KEY)
    assert below.take(KEY)
    below.close()

    def refused(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(claims, "_lock", refused)
    held = Claims(place)
    assert held.take(KEY)
    held.release(KEY)
    held.close()


@pytest.mark.usefixtures("holder")
def test_systems_without_locks_of_an_open_file_use_those_of_a_process(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "_OF_FILE", None)
    mine = Claims(place)
    assert not mine.take(KEY)
    assert mine.take(OTHER)
    mine.release(OTHER)
    mine.close()


def test_the_file_can_be_read_by_its_owner_only(place: Path) -> None:
    held = Claims(place)
    held.take(KEY)
    assert os.stat(place).st_mode & 0o077 == 0
    held.close()
