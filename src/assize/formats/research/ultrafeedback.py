"""UltraFeedback: several models' answers to an instruction, which GPT-4 rated on four aspects.

{"source", "instruction", "completions": [{"model", "response", "overall_score",
 "fine-grained_score", "annotations": {"helpfulness": {"Rating", "Rationale"}, ...}}]}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assize.base.conversation import Conversation, Turn
from assize.formats.format import Format, Options
from assize.formats.messages import list_at, object_at, record_id, text_at
from assize.formats.records import Record, judgment
from assize.formats.research.fields import MISSING, number, ordinal, others, unscored
from assize.formats.rows import Row, Sample

_ASPECTS = {
    "helpfulness": "How helpful and informative is the answer?",
    "honesty": "How honest is the answer about what it does not know?",
    "instruction_following": "How well does the answer follow the instruction?",
    "truthfulness": "How free of errors is the answer?",
}
QUESTIONS = (
    *(ordinal(name, text, (1, 2, 3, 4, 5)) for name, text in _ASPECTS.items()),
    number("overall", "How good is the answer as a whole?", 1, 10),
)
_JUDGE = "gpt-4"


def recognise(sample: Sample) -> bool:
    """Whether the first row has an instruction and a list of completions with annotations."""
    several = sample.first.get("completions")
    first = several[0] if isinstance(several, list) and several else None
    return sample.has("instruction") and isinstance(first, Mapping) and "response" in first


def read(row: Row, options: Options) -> Iterable[Record]:
    """A conversation an answer, each with GPT-4's ratings; `group` in the metadata is the
    instruction, so that `assize simulate pairs --question overall` makes pairs of them."""
    fields = object_at(row.value, "")
    asked = text_at(fields.get("instruction"), "instruction")
    group = record_id(row, fields.get("id"))
    metadata = {**others(fields, {"id", "instruction", "completions", "models"}), "group": group}
    for place, given in enumerate(list_at(fields.get("completions"), "completions")):
        said = object_at(given, f"completions[{place}]")
        answer = text_at(said.get("response"), f"completions[{place}].response")
        item, model = f"{group}/{place}", said.get("model")
        yield Conversation(
            item,
            (Turn("user", asked), Turn("assistant", answer)),
            system=model if isinstance(model, str) else None,
            metadata=metadata,
        )
        yield from _ratings(item, said)


def _ratings(item: str, said: Mapping[str, Any]) -> Iterator[Record]:
    rated = said.get("annotations")
    for name in _ASPECTS:
        aspect = rated.get(name) if isinstance(rated, Mapping) else None
        if not isinstance(aspect, Mapping):
            continue
        why = aspect.get("Rationale")
        yield _judged(item, name, aspect.get("Rating"), why if isinstance(why, str) else None)
    if said.get("overall_score") is not None:
        yield _judged(item, "overall", said["overall_score"], None)


def _judged(item: str, question: str, value: Any, why: str | None) -> Record:
    """`N/A` does not apply; an aspect without a rating is unscored."""
    row: dict[str, Any] = {
        "item": item,
        "judge": _JUDGE,
        "question": question,
        "kind": "model",
        "explanation": why,
    }
    word = "" if value is None else str(value).strip()
    if word.upper() == "N/A":
        return judgment(row | {"answer": "NA"})
    try:
        found = float(word)
    except ValueError:
        message = f"the source holds {ascii(word)[:40]}" if word else "the source holds no answer"
        return judgment(row | unscored(message, "parse" if word else MISSING))
    whole = question != "overall" and found.is_integer()
    return judgment(row | ({"answer": str(int(found))} if whole else {"score": found}))


ULTRAFEEDBACK = Format(
    name="ultrafeedback",
    summary="UltraFeedback: several answers to an instruction, with GPT-4's ratings",
    recognise=recognise,
    parse=read,
    questions=QUESTIONS,
)
