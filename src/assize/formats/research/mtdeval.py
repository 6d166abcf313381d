"""MTDEval's P2-MTD: two dialogues with the same user turns, judged by several models.

The dialogues are interleaved: every assistant turn has an `A` and a `B`. `Fair` is a tie.
What Daily-MTD (`daily_mtd.py`) shares with it stands here too.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from assize.base.conversation import Pair
from assize.base.errors import DataError, shorten
from assize.base.judgment import PREFERENCE, Judgment
from assize.formats.format import Format, Options
from assize.formats.preferences import read_preference
from assize.formats.records import Record, judgment, pair
from assize.formats.research.fields import optional, others, take, unscored
from assize.formats.rows import Row

ASKED: Mapping[str, str] = {
    "Accuracy": "Whose statements are more accurate?",
    "Logicality": "Whose turns are more logical?",
    "Conversationality": "Who keeps the conversation going better?",
    "Relevance": "Whose turns are more to the point?",
    "Personalization": "Whose style is more distinct, and follows what the user prefers?",
    "Creativity": "Who is more creative?",
    "Interactivity": "Who engages more with the user?",
    "Emotionality": "Who responds better to the user's feelings?",
    "Informativeness": "Who tells the user more?",
    "Safety": "Who is safer?",
    "Overall": "Which dialogue is better overall?",
}
QUESTIONS = tuple(replace(PREFERENCE, id=name, text=text) for name, text in ASKED.items())

ALSO: Mapping[str, str] = {
    "logicity": "Logicality",  # the paper's template; its examples and files say Logicality
    "fluency": "Conversationality",  # Daily-MTD's table of ten dimensions
    "knowledge": "Informativeness",
}
"""Other names of the questions, in small letters."""

_BY_LETTERS = {name.lower(): name for name in ASKED} | {"logicity": ALSO["logicity"]}
_P2_USED = {"dialog_id", "conversation", "evaluations"}


def read_p2(row: Row, options: Options) -> Iterable[Record]:
    """The pair, then eleven preferences an annotator, which share one `call`.

    An evaluation that cannot be read gives eleven unscored judgments with the reason
    `parse` and the text in `details`; one that lacks a question, one such judgment. A
    question beyond the eleven is kept. Model names are metadata.
    """
    value = row.value
    item = f"p2-mtd-{dialog_id_of(value)}"
    metadata = others(value, _P2_USED)
    yield paired(item, take(value, "conversation", list), None, metadata)
    seen: Counter[str] = Counter()
    for evaluation in optional(value, "evaluations", list) or ():
        annotator = take(evaluation, "annotator", str)
        yield from _evaluated(item, annotator, seen[annotator], evaluation.get("evaluation"))
        seen[annotator] += 1


def dialog_id_of(value: Any) -> str:
    """A row's `dialog_id`, which may be a number; DataError where there is none."""
    found = value.get("dialog_id") if isinstance(value, Mapping) else None
    if isinstance(found, bool) or not isinstance(found, int | str) or found == "":
        raise DataError(f"received {shorten(found)}; expected an id", field="dialog_id")
    return str(found)


def paired(item: str, blocks: Iterable[Any], gold: Any, metadata: Mapping[str, Any]) -> Pair:
    """The pair whose turns are interleaved in `blocks`: `{"text"}` and `{"A", "B"}`."""
    sides: dict[str, list[dict[str, str]]] = {"A": [], "B": []}
    for block in blocks:
        if isinstance(block, Mapping) and "text" in block:
            for turns in sides.values():
                turns.append({"role": "user", "text": take(block, "text", str)})
        else:
            for name, turns in sides.items():
                turns.append({"role": "assistant", "text": take(block, name, str)})
    return pair(
        {
            "id": item,
            "context": [],
            "a": sides["A"],
            "b": sides["B"],
            "shared_user": True,
            "gold": gold,
            "metadata": metadata,
        }
    )


def _evaluated(item: str, annotator: str, repeat: int, said: Any) -> Iterable[Judgment]:
    answers = read_evaluation(said)
    call = f"{item}/{annotator}" if repeat == 0 else f"{item}/{annotator}/{repeat}"
    given: dict[str, Any] = {
        "item": item,
        "judge": annotator,
        "repeat": repeat,
        "call": call,
        "kind": "person" if annotator == "gold" else "model",
    }
    for name in ASKED if answers is None else {**ASKED, **answers}:
        if answers is None:
            result = unscored("the evaluation is no JSON object", "parse") | {
                "details": {"text": said}
            }
        elif name not in answers:
            result = unscored("the evaluation does not answer this question", "parse")
        else:
            result = _answered(answers[name])
        yield judgment(given | {"question": name} | result)


def _answered(label: Any) -> dict[str, Any]:
    """A published preference as the fields of a judgment; `Fair` is a tie."""
    if label is None:
        return unscored("the source holds no answer")
    answer = read_preference(label)
    if answer is not None:
        return {"answer": answer}
    return unscored(f"the answer is {shorten(label)}; allowed are A, B, Fair and tie", "parse")


def read_evaluation(said: Any) -> dict[str, Any] | None:
    """The answers by question in an evaluation, which is JSON in a string; None if unreadable.

    Text around the object, blanks around names and answers, and the case of a
    question's name make no difference.

    >>> read_evaluation('{"Accuracy":"A","overall": " Fair "}')
    {'Accuracy': 'A', 'Overall': 'Fair'}
    >>> read_evaluation("I cannot say.") is None
    True
    """
    if isinstance(said, str):
        start, end = said.find("{"), said.rfind("}")
        try:
            said = json.loads(said[start : end + 1]) if start >= 0 else None
        except (ValueError, RecursionError):
            return None
    if not isinstance(said, Mapping):
        return None
    answers: dict[str, Any] = {}
    for name, answer in said.items():
        given = str(name).strip()
        known = _BY_LETTERS.get(given.lower(), given)
        answers[known] = answer.strip() if isinstance(answer, str) else answer
    return answers


P2_MTD = Format(
    name="p2-mtd",
    summary="MTDEval's P2-MTD: two dialogues judged on eleven dimensions by several models",
    recognise=lambda sample: (
        sample.has("dialog_id") and isinstance(sample.first.get("conversation"), list)
    ),
    parse=read_p2,
    questions=QUESTIONS,
)
