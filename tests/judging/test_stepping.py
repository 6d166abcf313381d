"""A session of steps: what is stored is known again, and what it took."""

from __future__ import annotations

import asyncio
from pathlib import Path

from assize.errors import ServerError
from assize.formats import read
from assize.judging.calls import Asked
from assize.judging.session import Session
from assize.judging.stepping import (
    spent_on,
    stepping,
    stored_steps,
)
from assize.judging.steps import Steps
from assize.judging.usage_total import UsageTotal
from assize.judgment import Unscored, Usage
from assize.models import Models

DONE = Asked({"said": "yes"}, None, Usage(10, 2, 0.5), 1)
CACHED = Asked({"said": "no"}, None, Usage(10, 2, 0.0, True), 1)
UNPRICED = Asked({"said": "no"}, None, Usage(10, 2, None), 2)
DOWN = Asked(None, Unscored("server", "down"), Usage(), 1, error=ServerError("down"))


def session(folder: Path) -> Session:
    return Session(read([]), [], folder)


def take(folder: Path, **asked: Asked) -> tuple[Steps, list[str], bool]:
    """Steps of one session, what had to be asked, and whether it came to its end."""
    called: list[str] = []
    steps = Steps()

    async def go() -> bool:
        async with (
            Models() as models,
            stepping(
                session(folder), steps, models, command={"of": "a test"}, prompts={"p": "1 abc"}
            ) as opened,
        ):

            async def task(of: str, one: Asked) -> None:
                async def ask() -> Asked:
                    called.append(of)
                    return one

                await steps.take("stage", of, ["given"], ask)

            def bound(of: str, one: Asked):  # type: ignore[no-untyped-def]
                return lambda: task(of, one)

            await opened.do(bound(of, one) for of, one in asked.items())
            return await opened.settle()

    return steps, called, asyncio.run(go())


def test_a_second_session_asks_only_what_is_new(tmp_path: Path) -> None:
    assert take(tmp_path / "run", a=DONE)[1:] == (["a"], True)
    assert take(tmp_path / "run", a=DONE, b=CACHED)[1:] == (["b"], True)
    assert len(stored_steps(session(tmp_path / "run"))) == 2
    assert stored_steps(session(tmp_path / "none")) == {}


def test_what_failed_for_a_reason_that_passes_is_not_kept(tmp_path: Path) -> None:
    take(tmp_path / "run", a=DONE, b=DOWN)
    assert [one.of for one in stored_steps(session(tmp_path / "run")).values()] == ["a"]
    assert take(tmp_path / "run", a=DONE, b=DONE)[1] == ["b"]


def test_what_was_spent_is_counted_with_what_has_no_price(tmp_path: Path) -> None:
    steps, _, _ = take(tmp_path / "run", a=DONE, b=CACHED, c=UNPRICED)
    spent = spent_on(steps, 0.75)
    assert spent == UsageTotal(3, 1, 20, 4, 0.5, 1, 0.75)
    assert str(spent) == (
        "3 calls, 1 answers from the cache, 20 tokens in, 4 out, at least $0.5000 (the price of"
        " 1 answers is not known) ($0.7500 booked in all: some answers were lost or asked again)"
    )
