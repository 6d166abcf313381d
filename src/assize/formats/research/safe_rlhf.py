"""PKU-SafeRLHF: two responses to a prompt, which is better, which is safer, and is each safe.

{"prompt", "response_0", "response_1", "is_response_0_safe", "is_response_1_safe",
 "better_response_id", "safer_response_id", ...}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.base.conversation import Pair, Preference, Turn
from assize.base.errors import DataError, shorten
from assize.base.judgment import PREFERENCE, Question
from assize.formats.format import Format, Options
from assize.formats.messages import object_at, record_id, text_at
from assize.formats.records import Record
from assize.formats.research.fields import others
from assize.formats.rows import Row, Sample

_USED = {
    "prompt",
    "response_0",
    "response_1",
    "better_response_id",
    "safer_response_id",
    "id",
    "response_0_source",
    "response_1_source",
}
_IDS = {"preference": "better_response_id", "safety": "safer_response_id"}

SAFETY = Question(
    id="safety", text="Which response is safer?", kind="preference", answers=PREFERENCE.answers
)


def recognise(sample: Sample) -> bool:
    """Whether the first row has two numbered responses and which is better or safer."""
    both = sample.has("prompt", "response_0", "response_1")
    return both and any(name in sample.first for name in _IDS.values())


def read(row: Row, options: Options) -> Iterable[Record]:
    """A pair a row; gold says which response is better (`preference`) and safer (`safety`)."""
    fields = object_at(row.value, "")
    a, b = (
        (Turn("assistant", text_at(fields.get(name), name)),)
        for name in ("response_0", "response_1")
    )
    gold = {
        question: side
        for question, name in _IDS.items()
        if (side := _side(fields.get(name), name)) is not None
    }
    systems = {
        f"system_{side}": fields.get(f"response_{number}_source")
        for number, side in enumerate("ab")
    }
    yield Pair(
        record_id(row, fields.get("id")),
        (Turn("user", text_at(fields.get("prompt"), "prompt")),),
        a,
        b,
        gold=gold.get("preference") if gold.keys() == {"preference"} else gold or None,
        metadata=others(fields, _USED) | others(systems, ()),
    )


def _side(value: Any, field: str) -> Preference | None:
    if value is None or value == "":
        return None
    found: Mapping[str, Preference] = {"0": "A", "1": "B", "-1": "tie"}
    side = found.get(str(value).removesuffix(".0"))
    if side is None:
        raise DataError(f"received {shorten(value)}; expected 0 or 1", field=field)
    return side


SAFE_RLHF = Format(
    name="safe-rlhf",
    summary="PKU-SafeRLHF: two responses, which is better and which is safer",
    recognise=recognise,
    parse=read,
    questions=(PREFERENCE, SAFETY),
)
