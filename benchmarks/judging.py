"""The judging run against a bare loop on one shared AsyncOpenAI client, same requests, same mock.

Prints ratios: calls a second, CPU a judgment, calls in flight; then cached replay.
Peers on such a mock (50 ms, 20 in flight): ragas 220/s, verdict 79/s, inspect_ai 52/s,
deepeval 38/s against 256/s for the bare client.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from assize.formats import read

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "servers"))

from fast_server import fast_server, stats_of

from assize.base.conversation import Pair, Turn
from assize.formats import write
from assize.judging.judge import JudgeContext, Task, presented
from assize.judging.prompt_judge import PromptJudge
from assize.judging.run import judge_async
from assize.judging.session import RunSettings, Session
from assize.judging.table import open_judge
from assize.models import Limits, Models, ModelSettings
from assize.models.model import wire

ITEMS = 2_000
ROUNDS = 3
LATENCY = 0.05
JUDGE = "io@openai:mock"
WORDS = "the assistant said that one can take the train or walk along the river instead "


@dataclass(frozen=True)
class Speed:
    """Calls a second, CPU milliseconds a call, calls in flight."""

    rate: float
    cpu: float
    mean: float
    peak: float


def pairs(count: int) -> list[Pair]:
    """Pairs whose conversations have 8 messages: 7 of context and the response."""
    made = []
    for number in range(count):
        context = tuple(
            Turn("user" if turn % 2 == 0 else "assistant", f"{number}.{turn} {WORDS * 3}")
            for turn in range(7)
        )
        sides = [(Turn("assistant", f"{side} {number} {WORDS * 4}"),) for side in "AB"]
        made.append(Pair(f"p{number}", context, sides[0], sides[1]))
    return made


def cpu() -> float:
    """CPU seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(url: str, calls: int, began: float, used: float) -> Speed:
    seconds, spent = time.perf_counter() - began, cpu() - used
    seen = stats_of(url)
    assert seen["served"] == calls, seen
    return Speed(calls / seconds, 1000 * spent / calls, seen["mean"], seen["peak"])


async def bodies_for(items: Sequence[Pair], url: str) -> list[dict[str, Any]]:
    """The very requests that the run makes."""
    async with Models(ModelSettings(base_url=url, use_cache=False)) as models:
        judge = open_judge(JUDGE, JudgeContext(models))
        assert isinstance(judge, PromptJudge)
        made = []
        for item in items:
            request = judge.request(presented(item, "AB"), Task(item, "AB"))
            form = {"name": "answer", "schema": request.schema, "strict": True}
            made.append(
                {
                    "model": "mock",
                    "messages": wire(request.messages),
                    "max_tokens": request.max_tokens,
                    "temperature": 0.0,
                    "seed": 0,
                    "logprobs": True,
                    "top_logprobs": request.top_logprobs,
                    "response_format": {"type": "json_schema", "json_schema": form},
                }
            )
        return made


async def bare(bodies: Sequence[dict[str, Any]], url: str, concurrency: int) -> Speed:
    """A loop of workers on one shared client, reading the answers and nothing else."""
    import openai

    client = openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
    waiting = iter(bodies)
    answers = []

    async def work() -> None:
        for body in waiting:
            done = await client.chat.completions.create(**body)
            answers.append(json.loads(done.choices[0].message.content or "")["answer"])

    began, used = time.perf_counter(), cpu()
    await asyncio.gather(*(work() for _ in range(concurrency)))
    speed = measured(url, len(bodies), began, used)
    await client.close()
    assert len(answers) == len(bodies)
    return speed


async def ours(file: Path, count: int, url: str, concurrency: int, folder: Path) -> Speed:
    """The whole run: reading, cache, limits, folder; nothing left out."""
    session = Session(
        read([str(file)]),
        [JUDGE],
        folder / "run",
        run=RunSettings(votes=1, concurrency=concurrency),
        models=ModelSettings(
            base_url=url, limits=Limits(concurrency), cache=folder / "answers.sqlite"
        ),
    )
    began, used = time.perf_counter(), cpu()
    outcome = await judge_async(session)
    speed = measured(url, count, began, used)
    assert outcome.summary.n == count
    assert outcome.summary.unscored == 0
    return speed


def middle_of(speeds: Sequence[Speed]) -> Speed:
    """The median of each part."""
    parts = zip(*((one.rate, one.cpu, one.mean, one.peak) for one in speeds), strict=True)
    return Speed(*map(median, parts))


def compare(url: str, concurrency: int, place: Path) -> None:
    items = pairs(ITEMS)
    file = place / "pairs.jsonl"
    write(file, items)
    bodies = asyncio.run(bodies_for(items, url))
    speeds: dict[str, list[Speed]] = {"bare": [], "assize": []}
    for number in range(ROUNDS):
        speeds["bare"].append(asyncio.run(bare(bodies, url, concurrency)))
        folder = place / f"{concurrency}-{number}"
        folder.mkdir()
        speeds["assize"].append(asyncio.run(ours(file, ITEMS, url, concurrency, folder)))
    middle = {name: middle_of(all) for name, all in speeds.items()}
    for name, one in middle.items():
        print(
            f"  {name:7} {one.rate:6.1f} calls/s  {one.cpu:5.2f} ms CPU a call"
            f"  in flight {one.mean:5.1f} mean {one.peak:3.0f} most"
        )
    print(
        f"  ratio   {middle['assize'].rate / middle['bare'].rate:.2f} of its calls a second (aim"
        f" 0.97), {middle['assize'].cpu / middle['bare'].cpu:.2f} of its CPU a call"
    )


def replay(url: str, place: Path, judge: str, items: int = 3_000) -> None:
    """A second run over the same items, in both orders: every answer comes from the cache."""
    file = place / "many.jsonl"
    write(file, pairs(items))
    folder = place / judge
    folder.mkdir()
    first = Session(
        read([str(file)]),
        [judge],
        folder / "first",
        run=RunSettings(concurrency=64),
        models=ModelSettings(base_url=url, limits=Limits(64), cache=folder / "answers.sqlite"),
    )
    asyncio.run(judge_async(first))
    stats_of(url)
    rates, used = [], []
    for number in range(ROUNDS):
        again = replace(first, out=folder / f"again-{number}")
        began, spent = time.perf_counter(), cpu()
        outcome = asyncio.run(judge_async(again))
        rates.append(outcome.summary.n / (time.perf_counter() - began))
        used.append(outcome.summary.n / (cpu() - spent))
        assert outcome.summary.spent.cached == 2 * items
        assert outcome.summary.unscored == 0
    assert stats_of(url)["served"] == 0
    print(
        f"  cached replay, {judge}: {median(rates):,.0f} judgments/s (aim 5,000),"
        f" {median(used):,.0f} a CPU second"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as name, fast_server(LATENCY) as url:
        place = Path(name)
        os.environ["ASSIZE_CACHE_DIR"] = str(place / "home")
        for concurrency in (20, 64):
            print(f"{ITEMS:,} conversations of 8 messages, {LATENCY * 1000:.0f} ms, {concurrency}:")
            compare(url, concurrency, place)
        replay(url, place, JUDGE)
        replay(url, place, "dimensions@openai:mock")


if __name__ == "__main__":
    main()
