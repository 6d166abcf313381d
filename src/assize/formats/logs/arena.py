"""Preference arenas (Chatbot Arena, MT-bench's human judgments): two conversations and a winner.

{"question_id", "model_a", "model_b", "winner", "judge", "turn",
 "conversation_a": [{"role", "content"}], "conversation_b": [...]}

The release of 140,000 battles has an `id` in the place of `question_id`, no judge, content in
parts, `both_bad` as a winner and the whole session in `full_conversation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assize.base.conversation import Pair, Turn
from assize.base.errors import DataError, shorten
from assize.base.judgment import PREFERENCE
from assize.base.signature import json_hash
from assize.formats.chat_messages import read_messages
from assize.formats.format import Format, Options
from assize.formats.messages import RoleNames, common_start, object_at
from assize.formats.preferences import read_preference
from assize.formats.records import Record, judgment
from assize.formats.rows import Row, Sample, parse_json_text

_SIDES = ("conversation_a", "conversation_b")
# The session holds other models' answers, and is as long as all its battles together.
_USED = {*_SIDES, "winner", "judge", "judge_hash", "turn", "full_conversation"}
_PROGRAM = re.compile(r"gpt-?\d")  # MT-bench's split of GPT-4's verdicts: `gpt4_pair`


@dataclass(frozen=True, slots=True)
class Vote:
    """One row with what only the rows before it tell."""

    fields: Mapping[str, Any]
    id: str  # of the pair
    first: bool  # whether no row before was about this pair
    repeat: int  # how many rows before are this judge's on this pair


def recognise(sample: Sample) -> bool:
    """Whether the first row has two conversations and a winner."""
    return sample.has(*_SIDES, "winner")


def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """Numbers the votes on each pair; ids of pairs stay in memory."""
    seen: set[str] = set()
    votes: dict[tuple[str, str], int] = {}
    for row in rows:
        fields = row.value if isinstance(row.value, Mapping) else {}
        name = _id(fields)
        judge = str(fields.get("judge", fields.get("judge_hash")))
        repeat = votes.get((name, judge), 0)
        votes[name, judge] = repeat + 1
        yield replace(row, value=Vote(fields, name, name not in seen, repeat))
        seen.add(name)


def _id(fields: Mapping[str, Any]) -> str:
    """The question, and a hash of what was compared: several pairs answer one question."""
    compared = json_hash([fields.get(name) for name in (*_SIDES, "turn")], digits=8)
    asked = fields.get("question_id", fields.get("id", "arena"))
    return f"{asked}-{compared}"


def read(row: Row, options: Options) -> Iterable[Record]:
    """The pair where its first vote stands, and the vote as a judgment by a person.

    The turns that both sides share are the context. `turn` says which of the user's turns the
    vote is about; what comes after its answer was not judged and is left out. A judge that is
    a list, or named after a prompt for pairs, is a program: MT-bench's judgments by GPT-4.
    `tie (bothbad)` and `tie (inconsistent)` are ties, and stand in `details`. `shared_user` is
    true where the user's later turns are the same.
    """
    voted: Vote = row.value
    fields = object_at(voted.fields, "")
    if voted.first:
        a, b = (_judged(fields, side, options.roles) for side in _SIDES)
        shared = common_start(a, b)
        yield Pair(
            voted.id,
            a[:shared],
            a[shared:],
            b[shared:],
            _one_user(a[shared:], b[shared:]),
            metadata={key: one for key, one in fields.items() if key not in _USED},
        )
    judge: Any = fields.get("judge", fields.get("judge_hash"))
    program = isinstance(judge, list) or bool(_PROGRAM.match(str(judge)))
    yield judgment(
        {
            "item": voted.id,
            "judge": "/".join(map(str, judge))
            if isinstance(judge, list)
            else str(judge or "arena"),
            "question": PREFERENCE.id,
            "repeat": voted.repeat,
            "kind": "model" if program else "person",
            "anonymous": judge is None,
            **_read_winner(fields.get("winner")),
        }
    )


def _one_user(a: Sequence[Turn], b: Sequence[Turn]) -> bool:
    """Whether both sides hold turns of the user, and the same ones."""
    said = [[turn.text for turn in side if turn.role == "user"] for side in (a, b)]
    return bool(said[0]) and said[0] == said[1]


def _judged(fields: Mapping[str, Any], side: str, names: RoleNames) -> tuple[Turn, ...]:
    """The turns of a side up to the answer to the user's turn that was judged."""
    turns = tuple(read_messages(parse_json_text(fields.get(side)), side, names))
    last = fields.get("turn")
    if not isinstance(last, int) or isinstance(last, bool):
        return turns
    asked = [place for place, turn in enumerate(turns) if turn.role == "user"]
    return turns if last < 1 or last >= len(asked) else turns[: asked[last]]


def _read_winner(winner: Any) -> dict[str, Any]:
    """The fields of a judgment that hold a winner; of a tie that says more, its own word too."""
    answer = read_preference(winner)
    if answer is None:
        raise DataError(
            f"received {shorten(winner)}; allowed are model_a, model_b, tie, tie (bothbad),"
            " both_bad and tie (inconsistent)",
            field="winner",
        )
    is_plain = winner in ("model_a", "model_b", "tie")
    return {"answer": answer, "details": None if is_plain else {"winner": winner}}


ARENA = Format(
    name="arena",
    summary="preference arenas (Chatbot Arena, MT-bench): two conversations, a winner, a judge",
    recognise=recognise,
    parse=read,
    gather=gather,
    questions=(PREFERENCE,),
)
