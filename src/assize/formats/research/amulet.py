"""AMULET's released judgments on HH-TEST: pairs, four GPT-4o judges, three reward models.

Everywhere A is the response that the annotator chose and B the one that was rejected,
so gold is always A; the order tells which one a judge was shown first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.errors import DataError
from assize.formats.format import Format, Options
from assize.formats.records import Record, judgment, pair
from assize.formats.research.fields import optional, take
from assize.formats.research.scales import MISSING
from assize.formats.rows import Row, Sample
from assize.judgment import PREFERENCE, Judgment

MODEL = "openai:gpt-4o-2024-08-06"

_JUDGES = {"da": "da", "maxim": "maxim", "io": "io", "w-expl": "explained"}
_ORDERS = {"chosen_first": "AB", "rejected_first": "BA"}
_SIDES = {"chosen": "A", "rejected": "B"}
_NO_OUTPUT = "the source holds no valid output for this judge and item"


def read_instances(row: Row, options: Options) -> Iterable[Record]:
    """One pair a row, with the last response as `a` (chosen) and `b` (rejected)."""
    value = row.value
    yield pair(
        {
            "id": take(value, "id", str),
            "context": take(value, "turns", list),
            "a": [{"role": "assistant", "text": take(value, "chosen", str)}],
            "b": [{"role": "assistant", "text": take(value, "rejected", str)}],
            "gold": "A",
        }
    )


def read_outputs(row: Row, options: Options) -> Iterable[Record]:
    """Eight judgments a row: four judges in both orders.

    `details` of `da` hold the raw text before its answer, those of `maxim` who
    satisfies each maxim. Where the source has no output both orders are unscored with
    the reason `missing`; the paper counts them as losses.
    """
    item = take(row.value, "id", str)
    for field, name in _JUDGES.items():
        votes = optional(row.value, field, dict)
        for shown, order in _ORDERS.items():
            given = {
                "item": item,
                "judge": f"{name}@{MODEL}",
                "question": PREFERENCE.id,
                "order": order,
                "kind": "model",
            }
            vote = None if votes is None else optional(votes, shown, dict)
            yield judgment(given | (_missing() if vote is None else _voted(vote)))


def _missing() -> dict[str, Any]:
    return {"unscored": {"reason": MISSING, "message": _NO_OUTPUT}}


def _voted(vote: Mapping[str, Any]) -> dict[str, Any]:
    details: dict[str, Any] = {
        key: part for key, part in vote.items() if key not in {"answer", "explanation", "maxims"}
    }
    if "maxims" in vote:
        details["maxims"] = {
            maxim: _SIDES.get(str(who), who) for maxim, who in take(vote, "maxims", dict).items()
        }
    return {
        "answer": _side(take(vote, "answer", str)),
        "explanation": vote.get("explanation"),
        "details": details or None,
    }


def _side(answer: str) -> str:
    if answer not in _SIDES:
        problem = f"received {ascii(answer)[:60]}; allowed are chosen and rejected"
        raise DataError(problem, field="answer")
    return _SIDES[answer]


def read_rewards(row: Row, options: Options) -> Iterable[Record]:
    """One preference a reward model: the higher reward wins, equal rewards tie.

    The two rewards stand in `details` as `{"scores": {"A": .., "B": ..}}`; they are not
    comparable between models, nor between items. A reward has no presentation order.
    """
    item = take(row.value, "id", str)
    for name in row.value:
        if name != "id":
            yield _rewarded(item, name, optional(row.value, name, dict))


def _rewarded(item: str, name: str, rewards: Mapping[str, Any] | None) -> Judgment:
    given: dict[str, Any] = {
        "item": item,
        "judge": f"reward@hf:{name}",
        "question": PREFERENCE.id,
        "kind": "model",
    }
    if rewards is None or rewards.get("chosen") is None or rewards.get("rejected") is None:
        return judgment(given | _missing())
    a, b = _reward(rewards, "chosen"), _reward(rewards, "rejected")
    more = {key: part for key, part in rewards.items() if key not in _SIDES}
    given["answer"] = "A" if a > b else "B" if b > a else "tie"
    given["details"] = {"scores": {"A": a, "B": b}} | more
    return judgment(given)


def _reward(rewards: Mapping[str, Any], which: str) -> float:
    reward = rewards[which]
    if isinstance(reward, bool) or not isinstance(reward, int | float):
        raise DataError(f"received {ascii(reward)[:60]}; expected a number", field=which)
    return reward


def _holds_rewards(sample: Sample) -> bool:
    models = [part for name, part in sample.first.items() if name != "id"]
    return (
        "id" in sample.first
        and bool(models)
        and all(isinstance(part, dict) and {"chosen", "rejected"} <= set(part) for part in models)
    )


def _holds_instances(sample: Sample) -> bool:
    return sample.has("id", "turns", "chosen", "rejected")


def _holds_outputs(sample: Sample) -> bool:
    return sample.has("id", *_JUDGES)


AMULET_PAIRS = Format(
    name="amulet-pairs",
    summary="AMULET's HH-TEST: a conversation, the chosen and the rejected response",
    recognise=_holds_instances,
    parse=read_instances,
    questions=(PREFERENCE,),
)
AMULET_OUTPUTS = Format(
    name="amulet-outputs",
    summary="AMULET's released judgments: four GPT-4o judges in both orders",
    recognise=_holds_outputs,
    parse=read_outputs,
    questions=(PREFERENCE,),
)
AMULET_REWARDS = Format(
    name="amulet-rewards",
    summary="AMULET's released rewards: the higher one of a pair is preferred",
    recognise=_holds_rewards,
    parse=read_rewards,
    questions=(PREFERENCE,),
)
