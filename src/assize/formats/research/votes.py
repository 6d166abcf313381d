"""Pairs with a human label and many judges' votes: LLMBar, PandaLM, hh-rlhf harmless.

`{id, prompt_turns, a, b, label, judge, votes?, human_votes?}`. The label is gold, and
`judge`, which names who gave it, is kept in the metadata as `gold_by`. A vote is
`{judge, label, mode?, shown_first?}`; its label already means the real A and B.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from assize.formats.format import Format, Options
from assize.formats.records import Record, judgment, pair
from assize.formats.research.fields import optional, others, take
from assize.formats.research.scales import MISSING
from assize.formats.rows import Row, Sample
from assize.judgment import PREFERENCE, Judgment

_USED = {"id", "prompt_turns", "a", "b", "label", "judge", "votes", "human_votes"}
_ORDERS = {"A": "AB", "B": "BA"}


def recognise(sample: Sample) -> bool:
    """Whether the first row holds a prompt, two responses and a label."""
    return sample.has("prompt_turns", "a", "b", "label")


def read(row: Row, options: Options) -> Iterable[Record]:
    """The pair, then one judgment a vote.

    A model's judge is named `model/mode`. Annotators are positions in a list, so their
    votes are anonymous. A judge that votes more than once on a pair in one order gets
    `repeat` 0, 1, ...; a vote without a label is unscored with the reason `missing`.
    A response that the source turned into a truth value or a number (six of PandaLM's
    are `true`) is read as the word it was.
    """
    value = row.value
    item = take(value, "id", str)
    yield pair(
        {
            "id": item,
            "context": _texts(take(value, "prompt_turns", list)),
            "a": _texts(take(value, "a", list)),
            "b": _texts(take(value, "b", list)),
            "gold": value.get("label"),
            "metadata": others(value, _USED) | {"gold_by": value.get("judge")},
        }
    )
    seen: Counter[tuple[str, str | None]] = Counter()
    for vote in optional(value, "human_votes", list) or ():
        yield _vote(item, vote, "person", seen)
    for vote in optional(value, "votes", list) or ():
        yield _vote(item, vote, "model", seen)


def _texts(turns: Iterable[Any]) -> list[Any]:
    return [
        {**turn, "text": str(turn["text"])}
        if isinstance(turn, Mapping) and isinstance(turn.get("text"), bool | int | float)
        else turn
        for turn in turns
    ]


def _vote(
    item: str, vote: Mapping[str, Any], kind: str, seen: Counter[tuple[str, str | None]]
) -> Judgment:
    judge, mode = take(vote, "judge", str), optional(vote, "mode", str)
    name = judge if mode is None else f"{judge}/{mode}"
    order = _ORDERS.get(optional(vote, "shown_first", str) or "")
    repeat = seen[name, order]
    seen[name, order] += 1
    return judgment(
        {
            "item": item,
            "judge": name,
            "question": PREFERENCE.id,
            "order": order,
            "repeat": repeat,
            "kind": kind,
            "anonymous": kind == "person",
        }
        | answered(vote.get("label"))
    )


def answered(label: Any) -> dict[str, Any]:
    """A published preference as the fields of a judgment; `Fair` is a tie.

    >>> answered("Fair"), answered("B")
    ({'answer': 'tie'}, {'answer': 'B'})
    """
    if label is None:
        return {"unscored": {"reason": MISSING, "message": "the source holds no answer"}}
    answer = "tie" if label == "Fair" else label
    if answer in PREFERENCE.answers:
        return {"answer": answer}
    problem = f"the answer is {ascii(label)[:60]}; allowed are A, B, Fair and tie"
    return {"unscored": {"reason": "parse", "message": problem}}


VOTED_PAIRS = Format(
    name="voted-pairs",
    summary="pairs with a human label and the votes of many judges (LLMBar, PandaLM, hh-rlhf)",
    recognise=recognise,
    parse=read,
    questions=(PREFERENCE,),
)
