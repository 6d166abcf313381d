"""Seconds that a judge takes for one conversation and for one pair, asked one at a time.

What is timed is the whole answer: prompts, features, encoding, the model. The first instance of
each kind is asked once before, so that opening a model does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter

from assize import stats
from assize.base.conversation import Conversation, Item, Pair
from assize.base.errors import ModelError
from assize.judging.judge import Judge, JudgeContext, Prepared, Task
from assize.judging.table import open_judges
from assize.models import Models, ModelSettings
from assize.running import run_sync
from assize.stats import Estimate

INSTANCES = 50


@dataclass(frozen=True, slots=True)
class Runtime:
    """Seconds an instance.

    Args:
        conversation, pair: mean seconds of a conversation and of a pair in one order, with a 95%
            interval; NaN with a reason where there is none. What failed is `unscored`.
    """

    judge: str
    conversation: Estimate
    pair: Estimate


def runtimes(
    judges: Sequence[str | Judge | Prepared],
    items: Iterable[Item],
    *,
    most: int = INSTANCES,
    settings: ModelSettings | None = None,
) -> list[Runtime]:
    """Times each judge on the first conversations and pairs.

    Args:
        judges: as written, such as `rating@hf:PATH`, or opened.
        most: instances of each kind.
        settings: of the models; answers are never taken from the cache.

    Source: MTDEval (Tang et al.), table 4. Differs: an interval, and n.
    """
    known = list(items)
    singles = [item for item in known if isinstance(item, Conversation)][:most]
    pairs = [item for item in known if isinstance(item, Pair)][:most]
    chosen = ModelSettings(use_cache=False) if settings is None else settings
    return run_sync(lambda: _all(judges, singles, pairs, chosen))


async def _all(
    judges: Sequence[str | Judge | Prepared],
    singles: Sequence[Conversation],
    pairs: Sequence[Pair],
    settings: ModelSettings,
) -> list[Runtime]:
    async with Models(settings) as models:
        opened = open_judges(judges, JudgeContext(models))
        return [
            Runtime(one.name, await _seconds(one, singles), await _seconds(one, pairs))
            for one in opened
        ]


async def _seconds(judge: Judge, items: Sequence[Item]) -> Estimate:
    asked = [item for item in items if isinstance(item, tuple(judge.takes))]
    if asked:
        await _once(judge, asked[0])
    return stats.mean([await _once(judge, item) for item in asked])


async def _once(judge: Judge, item: Item) -> float:
    """Seconds of one answer; NaN where there is none."""
    task = Task(item, "AB" if isinstance(item, Pair) else None)
    start = perf_counter()
    try:
        rows = await judge.judge(task)
    except ModelError:
        return float("nan")
    found = perf_counter() - start
    return found if any(row.unscored is None for row in rows) else float("nan")
