"""Single responses with human references and labels: MRBench, and three dialogue corpora.

`{id, turns, response, references, system, labels | ratings}`: a continuation, then one
judgment a label. The references are what people said in the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from assize.formats.format import Format, Options
from assize.formats.records import Record, continuation, judgment
from assize.formats.research.fields import others, take, with_roles
from assize.formats.research.prefixes import conversations
from assize.formats.research.scales import number, ordinal, rated, scored
from assize.formats.rows import Row, Sample
from assize.judgment import Question

_USED = {"id", "turns", "response", "references", "system", "labels", "ratings", "group"}
_ROLES = {"human1": "user", "human2": "assistant"}
_DEGREES = ("No", "To some extent", "Yes")


def _candidate(value: Any, group: str) -> Record:
    turns = with_roles(take(value, "turns", list), _ROLES)
    return continuation(
        {
            "id": take(value, "id", str),
            "context": turns,
            "candidate": take(value, "response", str),
            "references": take(value, "references", list),
            "conversation": group,
            "turn": len(turns),
            "source": value.get("system"),
            "metadata": others(value, _USED),
        }
    )


MRBENCH_QUESTIONS = (
    *(
        ordinal(name, text, _DEGREES)
        for name, text in {
            "mistake_identification": "Does the tutor notice the student's mistake?",
            "mistake_location": "Does the tutor point to where the mistake is?",
            "providing_guidance": "Does the tutor give correct and useful guidance?",
            "actionability": "Is it clear what the student should do next?",
            "coherence": "Does the response follow from what the student said?",
            "humanlikeness": "Does the response sound like a person?",
        }.items()
    ),
    ordinal("tutor_tone", "What is the tone?", ("Offensive", "Neutral", "Encouraging")),
    Question(
        id="revealing_of_the_answer",
        text="Does the response give the solution away?",
        kind="nominal",
        answers=("No", "Yes (and the answer is correct)", "Yes (but the answer is incorrect)"),
    ),
)
_MRBENCH = {question.id: question for question in MRBENCH_QUESTIONS}


def read_mrbench(row: Row, options: Options) -> Iterable[Record]:
    """A continuation, then its adjudicated labels as judgments by `gold`."""
    value = row.value
    yield _candidate(value, take(value, "group", str))
    for label in take(value, "labels", list):
        name = take(label, "dimension", str)
        judge = take(label, "judge", str)
        given = {
            "item": value["id"],
            "judge": "gold" if judge == "human_gold" else judge,
            "question": name,
            "kind": "person",
        }
        said, question = label.get("label"), _MRBENCH.get(name)
        bare = question is None and said is not None
        yield judgment(given | ({"answer": said} if bare else scored(said, question)))


REFERENCE_QUESTIONS = (
    ordinal("grade-coherence", "How coherent is the response?", (1, 2, 3, 4, 5)),
    number("gupta-appropriateness", "How appropriate is the response?", 1, 5),
    number("usr-understandability", "Can the response be understood here?", 0, 1),
    number("usr-naturalness", "Would a person say this?", 1, 3),
    number("usr-coherence", "Does the response continue the conversation?", 1, 3),
    number("usr-engagingness", "Is the response interesting?", 1, 3),
    number("usr-groundedness", "Does the response use the knowledge given?", 0, 1),
    number("usr-overall", "How good is the response overall?", 1, 5),
    number("unieval-understandability", "UniEval's understandability.", 0, 1),
    number("unieval-naturalness", "UniEval's naturalness.", 0, 1),
    number("unieval-coherence", "UniEval's coherence.", 0, 1),
    number("unieval-groundedness", "UniEval's groundedness.", 0, 1),
    number("unieval-engagingness", "UniEval's engagingness, a sum over sentences.", 0, None),
    number("unieval-overall", "UniEval's mean over its dimensions.", 0, None),
)
_REFERENCE = {question.id: question for question in REFERENCE_QUESTIONS}


def gather_references(rows: Iterator[Row]) -> Iterator[Row]:
    """Names the conversation of every row; holds the whole table, for that needs all contexts."""
    table = list(rows)
    known = conversations([_history(row.value) for row in table], "context")
    for row, name in zip(table, known, strict=True):
        given = dict(row.value) if isinstance(row.value, Mapping) else {}
        yield replace(row, value={"group": name} | given)


def _history(value: Any) -> list[tuple[str, str]]:
    turns = value.get("turns") if isinstance(value, Mapping) else None
    if not isinstance(turns, list) or not all(isinstance(turn, Mapping) for turn in turns):
        return []
    return [(str(turn.get("role")), str(turn.get("text"))) for turn in turns]


def read_references(row: Row, options: Options) -> Iterable[Record]:
    """A continuation, then its ratings.

    The corpora rate the same words on different scales, so a question is named after
    its corpus (`grade-coherence` 1-5, `usr-coherence` 1-3), and the scores of a program
    after the program. `slotN` are positions and `mean_human` is a mean: both anonymous.
    """
    value = row.value
    item = take(value, "id", str)
    yield _candidate(value, take(value, "group", str))
    corpus = item.split("-")[0]
    for rating in take(value, "ratings", list):
        human = take(rating, "kind", str) == "human"
        prefix = corpus if human else take(rating, "judge", str).split("-")[0]
        question = f"{prefix}-{take(rating, 'dimension', str)}"
        yield rated(item, rating, _REFERENCE, question=question, anonymous=True)


def _holds_mrbench(sample: Sample) -> bool:
    return sample.has("turns", "response", "references", "labels", "group")


def _holds_references(sample: Sample) -> bool:
    return sample.has("turns", "response", "references", "ratings")


MRBENCH = Format(
    name="mrbench",
    summary="tutor responses with human references and adjudicated labels",
    recognise=_holds_mrbench,
    parse=read_mrbench,
    questions=MRBENCH_QUESTIONS,
)
REFERENCE_TURNS = Format(
    name="reference-turns",
    summary="dialogue responses with human references and ratings; reads the whole table",
    recognise=_holds_references,
    parse=read_references,
    gather=gather_references,
    questions=REFERENCE_QUESTIONS,
)
