"""AMULET's released judgments on HH-TEST: pairs, a model's four judges, three reward models.

Everywhere A is the response that the annotator chose and B the one that was rejected,
so gold is always A; the order tells which one a judge was shown first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

from assize.base.errors import DataError, shorten
from assize.base.judgment import PREFERENCE, Judgment
from assize.formats.format import Format, Options
from assize.formats.preferences import read_preference
from assize.formats.records import Record, judgment, pair
from assize.formats.research.fields import optional, take, unscored
from assize.formats.rows import Row, Sample

MODEL = "openai:gpt-4o-2024-08-06"

_JUDGES = {"da": "da", "maxim": "maxim", "io": "io", "w-expl": "explained"}
_ORDERS = {"chosen_first": "AB", "rejected_first": "BA"}
_SIDES = {"chosen": "A", "rejected": "B"}
_BLANKS = "key_matched_by_whitespace_only"
_NOT_FOUND = (
    "the source keeps this reward under a text that differs in blanks, and its authors' look-up"
    " did not find it; keys=repaired reads it"
)
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
    """Two judgments a judge and row: its votes in both orders.

    `details` of `da` hold the raw text before its answer, those of `maxim` who
    satisfies each maxim. Where the source has no output both orders are unscored with
    the reason `missing`; the paper counts them as losses. A judge that the row does not
    name at all was not asked. The model is that of the option `model`, else what the
    file's name says after `outputs-`, else GPT-4o.
    """
    item = take(row.value, "id", str)
    model = options.values.get("model") or _model_of(row.source)
    for field, name in _JUDGES.items():
        if field not in row.value:
            continue
        votes = optional(row.value, field, dict)
        for side, order in _ORDERS.items():
            given = {
                "item": item,
                "judge": f"{name}@{model}",
                "question": PREFERENCE.id,
                "order": order,
                "kind": "model",
            }
            vote = None if votes is None else optional(votes, side, dict)
            absent = vote is None or vote.get("answer") is None
            yield judgment(
                given | (unscored(_NO_OUTPUT) if absent or vote is None else _voted(vote))
            )


def _model_of(source: str) -> str:
    """The model that a file's name tells: `outputs-NAME.jsonl.gz`.

    >>> _model_of("data/outputs-qwen2.5-32b.jsonl.gz"), _model_of("outputs-gpt4o.jsonl") == MODEL
    ('qwen2.5-32b', True)
    """
    stem = PurePath(source).name.split(".json", 1)[0]
    before, mark, name = stem.partition("outputs-")
    return MODEL if before or not mark or name in ("", "gpt4o") else name


def _voted(vote: Mapping[str, Any]) -> dict[str, Any]:
    answer, explanation = take(vote, "answer", str), vote.get("explanation")
    side = _SIDES.get(answer) or read_preference(answer)
    if side is None:
        raise DataError(
            f"received {shorten(answer)}; allowed are chosen, rejected and tie", field="answer"
        )
    details: dict[str, Any] = {
        key: part for key, part in vote.items() if key not in {"answer", "explanation", "maxims"}
    }
    if vote.get("maxims") is not None:
        details["maxims"] = {
            maxim: _SIDES.get(str(who), who) for maxim, who in take(vote, "maxims", dict).items()
        }
    return {
        "answer": side,
        "explanation": None if explanation is None else str(explanation),
        "details": details or None,
    }


def read_rewards(row: Row, options: Options) -> Iterable[Record]:
    """One preference a reward model: the higher reward wins, equal rewards tie.

    The two rewards stand in `details` as `{"scores": {"A": .., "B": ..}}`; they are not
    comparable between models, nor between items. A reward has no presentation order.

    A reward that the authors' look-up did not find, for its key differs from the item in
    blanks, is unscored (`missing`), as it was for them; its scores stand in `details`. The
    option `keys=repaired` reads it.
    """
    item = take(row.value, "id", str)
    repaired = options.values.get("keys") == "repaired"
    for name in row.value:
        if name != "id":
            yield _rewarded(item, name, optional(row.value, name, dict), repaired)


def _rewarded(item: str, name: str, rewards: Mapping[str, Any] | None, repaired: bool) -> Judgment:
    given: dict[str, Any] = {
        "item": item,
        "judge": f"reward@hf:{name}",
        "question": PREFERENCE.id,
        "kind": "model",
    }
    if rewards is None or rewards.get("chosen") is None or rewards.get("rejected") is None:
        return judgment(given | unscored(_NO_OUTPUT))
    a, b = _reward(rewards, "chosen"), _reward(rewards, "rejected")
    more = {key: part for key, part in rewards.items() if key not in ("chosen", "rejected")}
    given["details"] = {"scores": {"A": a, "B": b}} | more
    if rewards.get(_BLANKS) and not repaired:
        return judgment(given | unscored(_NOT_FOUND))
    return judgment(given | {"answer": "A" if a > b else "B" if b > a else "tie"})


def _reward(rewards: Mapping[str, Any], which: str) -> float:
    reward = rewards[which]
    if isinstance(reward, bool) or not isinstance(reward, int | float):
        raise DataError(f"received {shorten(reward)}; expected a number", field=which)
    return reward


def _holds_rewards(sample: Sample) -> bool:
    models = [part for name, part in sample.first.items() if name != "id"]
    return (
        "id" in sample.first
        and bool(models)
        and all(isinstance(part, dict) and {"chosen", "rejected"} <= set(part) for part in models)
    )


def _holds_outputs(sample: Sample) -> bool:
    judged = [sample.first[name] for name in _JUDGES if name in sample.first]
    votes = [one for one in judged if isinstance(one, dict)]
    return (
        sample.has("id")
        and bool(votes)
        and len(votes) + judged.count(None) == len(judged)
        and all(set(_ORDERS) & set(one) for one in votes)
    )


AMULET_PAIRS = Format(
    name="amulet-pairs",
    summary="AMULET's HH-TEST: a conversation, the chosen and the rejected response",
    recognise=lambda sample: sample.has("id", "turns", "chosen", "rejected"),
    parse=read_instances,
    questions=(PREFERENCE,),
)
AMULET_OUTPUTS = Format(
    name="amulet-outputs",
    summary="AMULET's released judgments: a model's four judges in both orders",
    recognise=_holds_outputs,
    parse=read_outputs,
    questions=(PREFERENCE,),
    options={"model": "the model that was asked; by default the file's name says it"},
)
AMULET_REWARDS = Format(
    name="amulet-rewards",
    summary="AMULET's released rewards: the higher one of a pair is preferred",
    recognise=_holds_rewards,
    parse=read_rewards,
    questions=(PREFERENCE,),
    options={"keys": "repaired also reads rewards that the authors' look-up did not find"},
)
