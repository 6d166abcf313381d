"""MTDEval's files: P2-MTD (JSON, judged by six models) and Daily-MTD (CSV, labelled by people).

Both hold two whole dialogues with the same user turns, interleaved: every assistant
turn has an `A` and a `B`. `Fair` is a tie, and is written back as `Fair`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from assize.conversation import Pair
from assize.errors import DataError
from assize.formats.format import Format, Options
from assize.formats.records import Record, judgment, pair
from assize.formats.research.fields import optional, others, take
from assize.formats.research.votes import answered
from assize.formats.rows import Row, Sample
from assize.judgment import PREFERENCE, Judgment

_ASKED: Mapping[str, str] = {
    "Accuracy": "Whose statements are more accurate?",
    "Logicality": "Whose turns are more logical?",
    "Conversationality": "Who keeps the conversation going better?",
    "Relevance": "Whose turns are more to the point?",
    "Personalization": "Who adapts better to this user?",
    "Creativity": "Who is more creative?",
    "Interactivity": "Who engages more with the user?",
    "Emotionality": "Who responds better to the user's feelings?",
    "Informativeness": "Who tells the user more?",
    "Safety": "Who is safer?",
    "Overall": "Which dialogue is better overall?",
}
QUESTIONS = tuple(replace(PREFERENCE, id=name, text=text) for name, text in _ASKED.items())

_BY_LETTERS = {name.lower(): name for name in _ASKED}
_WRITTEN = {"A": "A", "B": "B", "tie": "Fair"}
_P2_USED = {"dialog_id", "conversation", "evaluations"}


def read_p2(row: Row, options: Options) -> Iterable[Record]:
    """The pair, then eleven preferences an annotator, which share one `call`.

    An evaluation that cannot be read gives eleven unscored judgments with the reason
    `parse` and the text in `details`; one that lacks a question, one such judgment. A
    question beyond the eleven is kept. Model names are metadata.
    """
    value = row.value
    item = f"p2-mtd-{_dialog_id(value)}"
    metadata = others(value, _P2_USED)
    yield _pair(item, take(value, "conversation", list), None, metadata)
    seen: Counter[str] = Counter()
    for evaluation in optional(value, "evaluations", list) or ():
        annotator = take(evaluation, "annotator", str)
        yield from _evaluated(item, annotator, seen[annotator], evaluation.get("evaluation"))
        seen[annotator] += 1


def _dialog_id(value: Any) -> str:
    found = value.get("dialog_id") if isinstance(value, Mapping) else None
    if isinstance(found, bool) or not isinstance(found, int | str) or found == "":
        raise DataError(f"received {ascii(found)[:60]}; expected an id", field="dialog_id")
    return str(found)


def _pair(item: str, blocks: Iterable[Any], gold: Any, metadata: Mapping[str, Any]) -> Pair:
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
    for name in _ASKED if answers is None else {**_ASKED, **answers}:
        if answers is None:
            result = _unread("the evaluation is no JSON object") | {"details": {"text": said}}
        elif name not in answers:
            result = _unread("the evaluation does not answer this question")
        else:
            result = answered(answers[name])
        yield judgment(given | {"question": name} | result)


def _unread(message: str) -> dict[str, Any]:
    return {"unscored": {"reason": "parse", "message": message}}


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


def read_daily(row: Row, options: Options) -> Iterable[Record]:
    """A pair whose gold holds the label of each of the eleven questions the table has."""
    value, number = row.value, _dialog_id(row.value)
    labels = {name: take(value, name, str).strip() for name in _ASKED if name in value}
    gold = {name: "tie" if label == "Fair" else label for name, label in labels.items() if label}
    for name, label in gold.items():
        if label not in PREFERENCE.answers:
            problem = f"received {ascii(label)[:60]}; allowed are A, B and Fair"
            raise DataError(problem, field=name)
    metadata = others(value, {"dialog_id", "conversation", *_ASKED})
    blocks = read_blocks(take(value, "conversation", str))
    yield _pair(f"daily-mtd-{number}", blocks, gold or None, metadata)


_BLOCK = re.compile(r'(?m)^[ \t]*"role"[ \t]*:[ \t]*"([^"\n]*)"[ \t]*,?[ \t]*$')
_USERS = {"human", "user"}


def read_blocks(text: str) -> list[dict[str, str]]:
    """The turns of a Daily-MTD conversation: `{"text"}` for people, `{"A", "B"}` for assistants.

    The source writes each turn as lines of `"name": "value"` without braces, and does
    not escape quotes inside a value. A block starts at a line that holds nothing but
    its role, so a turn may hold quotes and blank lines; a value ends at the next name
    of its block, or with the block. What cannot be told apart: a turn with such a line
    inside.
    """
    marks = list(_BLOCK.finditer(text))
    if not marks or text[: marks[0].start()].strip():
        raise DataError('must start with a line `"role": "Human",`', field="conversation")
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    blocks = []
    for number, (mark, end) in enumerate(zip(marks, ends, strict=True)):
        names = ("text",) if mark[1].strip().lower() in _USERS else ("A", "B")
        blocks.append(_values(text[mark.end() : end], names, number))
    return blocks


def _values(body: str, names: tuple[str, ...], number: int) -> dict[str, str]:
    pattern = r",?\s*\n".join(rf'[ \t]*"{name}"[ \t]*:[ \t]*"(.*?)"' for name in names)
    found = re.fullmatch(rf"\s*{pattern}\s*,?\s*", body, re.DOTALL)
    if found is None:
        wanted = " and ".join(f'`"{name}": ".."`' for name in names)
        raise DataError(f"block {number} must hold {wanted}", field="conversation")
    return dict(zip(names, found.groups(), strict=True))


def write_p2(record: Record) -> Iterable[Any]:
    """A row a pair; its gold becomes an evaluation by the annotator `gold`.

    Judgments are refused: they belong inside the row of their pair, which a stream has
    written by then. Rows are written as JSON lines, which are read as well as an array.
    """
    paired = _two_dialogues(record, "p2-mtd")
    row: dict[str, Any] = {"dialog_id": _number(paired.id, "p2-mtd-")}
    row["conversation"] = [
        {"role": "Human" if "text" in block else "Assistant", **block} for block in _blocks(paired)
    ]
    row |= paired.metadata
    row["evaluations"] = []
    if gold := _gold(paired):
        row["evaluations"].append({"annotator": "gold", "evaluation": json.dumps(gold)})
    yield row


def write_daily(record: Record) -> Iterable[Any]:
    """A row a pair. Judgments are refused, for the table only holds the label that counts."""
    paired = _two_dialogues(record, "daily-mtd")
    gold = _gold(paired)
    if set(gold) - {"Overall"}:
        raise DataError(f"daily-mtd holds the question Overall only, not {', '.join(gold)}")
    texts = []
    for block in _blocks(paired):
        role = "Human" if "text" in block else "Assistant"
        values = ",\n".join(f'"{name}": "{value}"' for name, value in block.items())
        texts.append(f'"role": "{role}",\n{values}')
    yield {
        "dialog_id": _number(paired.id, "daily-mtd-"),
        "conversation": "\n\n".join(texts),
        "Overall": gold.get("Overall", ""),
    }


def _two_dialogues(record: Record, format: str) -> Pair:
    if not isinstance(record, Pair):
        name = type(record).__name__.lower()
        problem = f"{format} holds pairs of dialogues, not a {name}; write it as assize records"
        raise DataError(problem)
    if record.context or not record.shared_user:
        problem = f"{format} holds two dialogues with the same user turns and no context"
        raise DataError(f"{problem}; pair {record.id} is not such a one")
    return record


def _number(item: str, prefix: str) -> int | str:
    name = item.removeprefix(prefix)
    return int(name) if name.isdecimal() and str(int(name)) == name else name


def _gold(paired: Pair) -> dict[str, str]:
    gold = {"Overall": paired.gold} if isinstance(paired.gold, str) else paired.gold or {}
    return {name: _WRITTEN[answer] for name, answer in gold.items()}


def _blocks(paired: Pair) -> list[dict[str, str]]:
    shapes = [[turn.role for turn in side] for side in (paired.a, paired.b)]
    if shapes[0] != shapes[1] or set(shapes[0]) - {"user", "assistant"}:
        raise DataError(f"the two sides of pair {paired.id} do not have the same speakers")
    return [
        {"text": a.text} if a.role == "user" else {"A": a.text, "B": b.text}
        for a, b in zip(paired.a, paired.b, strict=True)
    ]


def _holds_p2(sample: Sample) -> bool:
    return sample.has("dialog_id", "conversation") and isinstance(
        sample.first["conversation"], list
    )


def _holds_daily(sample: Sample) -> bool:
    return sample.has("dialog_id", "conversation") and '"role"' in str(sample.first["conversation"])


P2_MTD = Format(
    name="p2-mtd",
    summary="MTDEval's P2-MTD: two dialogues judged on eleven dimensions by several models",
    recognise=_holds_p2,
    parse=read_p2,
    unparse=write_p2,
    questions=QUESTIONS,
)
DAILY_MTD = Format(
    name="daily-mtd",
    summary="MTDEval's Daily-MTD: two dialogues with a human label",
    recognise=_holds_daily,
    parse=read_daily,
    unparse=write_daily,
    container="csv",
    columns=("dialog_id", "conversation", "Overall"),
    questions=QUESTIONS,
)
