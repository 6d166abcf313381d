"""Mutated texts of judges' answers: a verdict or an AnswerError, and never one of two verdicts."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from tests.fuzz.fuzzing import damaged, fuzz, tries

from assize.acts._maxim import MAXIM
from assize.base.errors import AnswerError
from assize.judging.judges.debate import SPEECH
from assize.judging.judges.dimensions import DIMENSIONS
from assize.judging.judges.explained import EXPLAINED
from assize.judging.judges.io import IO
from assize.judging.judges.rating import RATING, RATING_DIMENSIONS
from assize.judging.method import Method
from assize.judging.reading import follow, read_answer
from assize.rubric._factscore import CHECK, CLAIMS

METHODS = (IO, EXPLAINED, DIMENSIONS, SPEECH, RATING, RATING_DIMENSIONS, MAXIM, CLAIMS, CHECK)
THOUGHTS = (
    "<think>{}</think>",
    "<THINK>{}</THINK>",
    "<thinking>{}</thinking>",
    "<think>{}",
    "{}</think>",
    "<think><think>{}</think>",
    "< think >{}</ think >",
    "<reasoning>{}</reasoning>",
)
FENCES = (
    "```json\n{}\n```",
    "```\n{}\n```",
    "```json {}```",
    "~~~\n{}\n~~~",
    "``{}``",
    "[{}]",
    '"{}"',
    "{{{}}}",
    '{{"result": {}}}',
    "[K7] END A\n{}\n[K7] BEGIN A",
    "{}",
)
PROSE = ("", " ", "\n\n", "I say ", " is what I ignored", "{x} ", "A", "'", '"', "\\", "}", "{")


def value_of(schema: Mapping[str, Any], rng: random.Random) -> Any:
    """Something that follows the schema."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema.get("type", "object"):
        case "object":
            inner = schema.get("properties", {})
            return {name: value_of(one, rng) for name, one in inner.items()}
        case "array":
            few = range(max(1, schema.get("minItems", 0)))
            return [value_of(schema.get("items", {"type": "string"}), rng) for _ in few]
        case "string":
            return rng.choice(
                ["because", "", '{"answer": "B"}', "<think>", "```", "\ud800", "é\u202e"]
            )
        case "boolean":
            return rng.random() < 0.5
        case _:
            return rng.randint(schema.get("minimum", 0), schema.get("maximum", 9))


def spelt(value: Any, rng: random.Random) -> str:
    """The value as JSON, in one of the ways that models write it."""
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, None, 1]))
    return text.swapcase() if rng.random() < 0.05 else text


@dataclass(frozen=True)
class Answered:
    """A judge's answer: how it is read, what it says, and what it was made of."""

    method: Method
    text: str
    judged: tuple[str, ...] = ()


def mutated(rng: random.Random) -> Answered:
    """One or several answers between prose, fences and thoughts, mostly damaged."""
    method = rng.choice(METHODS)
    pieces = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        piece = spelt(value_of(method.schema, rng), rng)
        for around in (FENCES, THOUGHTS):
            if rng.random() < 0.4:
                before, _, after = rng.choice(around).partition("{}")
                piece = before + piece + after
        pieces += [rng.choice(PROSE), piece, rng.choice(PROSE)]
    text = "".join(pieces)
    if rng.random() < 0.7:
        text = damaged(text.encode("utf-8", "surrogatepass"), rng).decode("utf-8", "replace")
    judged = (rng.choice(pieces),) if rng.random() < 0.2 else ()
    return Answered(method, text, judged)


def read(answered: Answered) -> None:
    """Reads it as a judge does; what is read follows the schema and can be stored."""
    method = answered.method
    value = read_answer(answered.text, method.schema, answered.judged)
    assert follow(value, method.schema) == value
    for said in method.read(value):
        json.dumps([said.answer, said.explanation, said.details])


def test_a_mutated_answer_is_a_verdict_or_an_answer_error() -> None:
    rng = random.Random(0)
    texts = (mutated(rng) for _ in range(tries(3000)))
    assert fuzz("answers", texts, read, refusals=(AnswerError,)).mixed


def contradicting(rng: random.Random) -> tuple[str, Method]:
    """Two verdicts that differ, neither in a closed thought, in any order and wrapping."""
    method = rng.choice([IO, EXPLAINED, RATING, CHECK])
    one = value_of(method.schema, rng)
    other = value_of(method.schema, rng)
    while decided(one, method) == decided(other, method):
        other = value_of(method.schema, rng)
    fences = [one for one in FENCES if one not in ('"{}"',)]
    texts = []
    for value in (one, other):
        before, _, after = rng.choice(fences).partition("{}")
        before, after = before.replace("{{", "{"), after.replace("}}", "}")
        texts.append(before + json.dumps(value, indent=rng.choice([None, 1])) + after)
    thought = rng.choice(["", "", "<think>hm</think>", "<think>", "</think>", "<THINKING>"])
    words = [one for one in PROSE if one not in ("'", '"', "\\")]
    parts = [rng.choice(words), texts[0], rng.choice(words), thought, rng.choice(words), texts[1]]
    return "".join([*parts, rng.choice(words)]), method


def decided(value: Mapping[str, Any], method: Method) -> str:
    """What a verdict says beside its free texts."""
    kinds = method.schema["properties"]
    return json.dumps(
        {
            name: one
            for name, one in value.items()
            if kinds[name].get("type") != "string" or "enum" in kinds[name]
        }
    )


def test_of_two_verdicts_that_differ_none_is_ever_read() -> None:
    rng = random.Random(1)

    def refused(given: tuple[str, Method]) -> None:
        text, method = given
        with pytest.raises(AnswerError):
            read_answer(text, method.schema)

    fuzz("contradictions", (contradicting(rng) for _ in range(tries(3000))), refused)


def shuffled(rng: random.Random) -> Iterator[str]:
    """Texts of nothing but what steers a reader."""
    marks = [
        "{",
        "}",
        "[",
        "]",
        '"',
        "\\",
        ":",
        ",",
        "<think>",
        "</think>",
        "```",
        '"answer"',
        '"A"',
    ]
    while True:
        yield "".join(rng.choices(marks, k=int(rng.paretovariate(0.7)) % 20_000))


def test_marks_in_any_order_end_soon() -> None:
    texts, count = shuffled(random.Random(2)), tries(1000)

    def take(text: str) -> None:
        read_answer(text, IO.schema, [text[::2]])

    fuzz("marks", (next(texts) for _ in range(count)), take, refusals=(AnswerError,))
