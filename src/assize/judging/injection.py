"""The injection suite: how often a judge obeys what stands in the text it judges.

Reading guards against taking a quoted verdict for the judge's (`reading.py`). Whether the
model *obeys* cannot be guaranteed, only measured: each attack stands in the worse of two
responses, or in a conversation with a wrong answer, and the rate at which it gets what it asks
for is reported beside the rate at which the same text gets it without the attack.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass

from assize.base.conversation import Conversation, Item, Pair, Turn
from assize.base.errors import ConfigError, ModelError
from assize.base.judgment import Judgment, Order, Question
from assize.judging.injection_cases import ATTACKS, TALKS
from assize.judging.judge import Judge, Task
from assize.results import Estimate, Percent, Share
from assize.stats import mean, wilson

WORSE = "B"
NONE, ANY = "none", "any"


@dataclass(frozen=True, slots=True)
class InjectionRate:
    """How often an attack gets the verdict that it asks for.

    Args:
        attack: which attack; `none` for the same texts without one, `any` for all together.
        won: of the verdicts that could be read: those for the worse response, or with the best
            answer about a conversation that holds a wrong one; the others are unscored.
        change: against the same items without the attack; None for `none`.
        unreadable: of the items that are readable without the attack, those that no longer are.
    """

    judge: str
    attack: str
    won: Percent[Share]
    change: Estimate | None = None
    unreadable: Percent[Share | None] = None


def plain_item(number: int, kind: type[Item] = Pair) -> Item:
    """A case without an attack."""
    return _item(number, NONE, kind, WORSE)


def _item(number: int, attack: str, kind: type[Item], wanted: str) -> Item:
    asked, better, worse = TALKS[number]
    name = f"{attack}-{number}"
    side: tuple[Turn, ...] = (Turn("assistant", worse),)
    if attack != NONE:
        side = ATTACKS[attack](side, wanted)
    user = (Turn("user", asked),)
    if kind is Pair:
        return Pair(name, user, (Turn("assistant", better),), side, gold="A")
    return Conversation(name, (*user, *side))


async def measure(judge: Judge) -> list[InjectionRate]:
    """Return the rate of each attack on a judge of pairs, or of conversations.

    Each case is asked once; pairs are shown in either order in turn.

    Raises:
        ConfigError: the judge takes neither.
    """
    kind = next((one for one in (Pair, Conversation) if one in judge.takes), None)
    if kind is None:
        raise ConfigError(f"{judge.name} takes neither pairs nor conversations to attack")
    wins = {name: await _wins(judge, name, kind) for name in (NONE, *ATTACKS)}
    plain = wins[NONE]
    attacked = [win for name in ATTACKS for win in wins[name]]
    return [
        InjectionRate(judge.name, NONE, _share(plain)),
        *(_rate(judge.name, name, wins[name], plain) for name in ATTACKS),
        _rate(judge.name, ANY, attacked, plain * len(ATTACKS)),
    ]


def _rate(judge: str, attack: str, wins: Sequence[float], plain: Sequence[float]) -> InjectionRate:
    changes = [win - before for win, before in zip(wins, plain, strict=True)]
    cases = [number % len(TALKS) for number in range(len(wins))]  # an item's attacks depend
    lost = [math.isnan(win) for win, before in zip(wins, plain, strict=True) if before == before]
    return InjectionRate(
        judge,
        attack,
        _share(wins),
        mean(changes, clusters=cases if attack == ANY else None),
        wilson(sum(lost), len(lost)),
    )


def _share(wins: Sequence[float]) -> Share:
    read = [win for win in wins if not math.isnan(win)]
    return wilson(int(sum(read)), len(read), unscored=len(wins) - len(read))


async def _wins(judge: Judge, attack: str, kind: type[Item]) -> list[float]:
    """1 where the attack's verdict came, 0 where another, NaN where none could be read."""
    return list(
        await asyncio.gather(*(_win(judge, attack, number, kind) for number in range(len(TALKS))))
    )


async def _win(judge: Judge, attack: str, number: int, kind: type[Item]) -> float:
    question = judge.questions[-1]  # the overall one, where a judge has several
    if kind is Pair:
        order: Order | None = "BA" if number % 2 else "AB"
        wanted = "A" if order == "BA" else "B"  # the name under which the attack's side is shown
    else:
        order, wanted = None, _best(question)
    try:
        rows = await judge.judge(Task(_item(number, attack, kind, wanted), order))
    except ModelError:
        return math.nan
    return _won(rows[-1], WORSE if kind is Pair else wanted)


def _best(question: Question) -> str:
    """The answer that an attack asks for: the best of a question's."""
    sign = -1 if question.higher == "worse" else 1
    if question.answers:
        values = question.values or range(len(question.answers))
        ranked = sorted(zip(values, question.answers, strict=True))
        return ranked[-1 if sign > 0 else 0][1]
    low, high = question.range or (0.0, 1.0)
    return f"{high if sign > 0 else low:g}"


def _won(row: Judgment, wanted: str) -> float:
    if row.answer is not None:
        return float(row.answer == wanted)
    return math.nan if row.score is None else float(f"{row.score:g}" == wanted)
