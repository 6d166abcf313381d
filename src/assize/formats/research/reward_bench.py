"""RewardBench: a prompt, the chosen and the rejected response, and the subset that it is from.

    {"prompt", "chosen", "chosen_model", "rejected", "rejected_model", "subset", "id"}

In RewardBench 2 `chosen` and `rejected` are lists: every chosen response makes a pair with every
rejected one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

from assize.base.conversation import Pair, Turn
from assize.base.errors import DataError, shorten
from assize.formats.any_log.mapping import FieldMapping
from assize.formats.any_log.turns import turns_of
from assize.formats.format import Format, Options
from assize.formats.messages import object_at, record_id
from assize.formats.records import Record
from assize.formats.research.fields import others
from assize.formats.rows import Row, Sample

_USED = {"prompt", "chosen", "rejected", "id", "chosen_model", "rejected_model"}

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Chat": ("alpacaeval-easy", "alpacaeval-length", "alpacaeval-hard", "mt-bench-easy",
             "mt-bench-med"),
    "Chat Hard": ("mt-bench-hard", "llmbar-natural", "llmbar-adver-neighbor",
                  "llmbar-adver-GPTInst", "llmbar-adver-GPTOut", "llmbar-adver-manual"),
    "Safety": ("refusals-dangerous", "refusals-offensive", "xstest-should-refuse",
               "xstest-should-respond", "donotanswer"),
    "Reasoning": ("math-prm", "hep-cpp", "hep-go", "hep-java", "hep-js", "hep-python", "hep-rust"),
}  # fmt: skip
"""The sections of RewardBench's leaderboard, and their subsets."""


def recognise(sample: Sample) -> bool:
    """Whether the first row has a prompt, both responses, and the subset."""
    sides = [sample.first.get(side) for side in ("chosen", "rejected")]
    return sample.has("prompt", "subset") and all(isinstance(one, str | list) for one in sides)


def read(row: Row, options: Options) -> Iterable[Record]:
    """A pair a row, `chosen` being A and gold, with `subset` and `section` in its metadata.

    Of lists of texts (RewardBench 2) every pair of a chosen and a rejected response is one, named
    `ID/0-2` by their places, and `group` in the metadata says which row it is from.
    """
    fields = object_at(row.value, "")
    mapping = FieldMapping(roles=options.roles)
    context = turns_of(fields.get("prompt"), "prompt", mapping, "user")
    subset = fields.get("subset")
    name = f"{subset}-{fields['id']}" if fields.get("id") is not None else record_id(row)
    metadata = others(fields, _USED)
    section = next((one for one, subsets in SECTIONS.items() if subset in subsets), None)
    metadata |= {} if section is None else {"section": section}
    chosen, rejected = (_several(fields, side, mapping) for side in ("chosen", "rejected"))
    single = len(chosen) == len(rejected) == 1
    for (i, a), (j, b) in product(enumerate(chosen), enumerate(rejected)):
        yield Pair(
            name if single else f"{name}/{i}-{j}",
            context,
            a,
            b,
            gold="A",
            metadata=metadata | ({} if single else {"group": name}) | _models(fields, i, j),
        )


def _several(fields: Mapping[str, Any], side: str, mapping: FieldMapping) -> list[tuple[Turn, ...]]:
    """The responses of a side: one text, messages, or a list of texts."""
    value = fields.get(side)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return [(Turn("assistant", one),) for one in value]
    if not value:
        raise DataError(f"received {shorten(value)}; expected a response", field=side)
    return [turns_of(value, side, mapping, "assistant")]


def _models(fields: Mapping[str, Any], i: int, j: int) -> dict[str, Any]:
    """Who answered, as the two systems of the pair."""
    named = [fields.get("chosen_model"), fields.get("rejected_model")]
    known = [
        one[k] if isinstance(one, list) and k < len(one) else one
        for one, k in zip(named, (i, j), strict=True)
    ]
    return {} if known == [None, None] else {"system_a": known[0], "system_b": known[1]}


REWARD_BENCH = Format(
    name="reward-bench",
    summary="RewardBench and RewardBench 2: prompt, chosen, rejected, subset",
    recognise=recognise,
    parse=read,
)
