"""LLM-Rubric's released tables: model distributions, people's answers, real dialogues.

Decisions, with what was measured on the released files (the figures are in
`docs/datasets.md` and held by the tests):

* Q8 has three answers that are not ordered. People's released answers to it have 2
  and 3 exchanged against the questionnaire: exchanged back, the answer that goes with
  satisfied people (mean Q0 3.35 against 2.41 and 2.40) is 3, as the questionnaire has
  it. The model's columns follow the questionnaire already and stay: with them the
  people's answers have mean log-likelihood -1.07 exchanged and -1.24 as released.
* Q1 and Q2 are exchanged in the released questionnaires on real dialogues: there Q1 is NA for all
  dialogues without references, though naturalness always applies, and Q2 has answers, whose means
  by system are Q1's of the paper's table 5. The synthetic ones have them right. A table shows by
  itself which it is (`_exchanged`), so what is exchanged is exchanged back, and the log says so.
* Q2 to Q5 are about references. Where a dialogue has none people answer NA to all four
  (147 of the 149 accepted questionnaires on such dialogues, 2 of the 586 on others), yet
  the model's tables hold distributions, which tell of the dialogue all the same: they are kept,
  and their `details` say that people were not asked (`people_asked`: false).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from assize.base.errors import DataError, shorten
from assize.base.judgment import NOT_APPLICABLE, PEOPLE_ASKED, Question
from assize.formats.format import Format, Options
from assize.formats.records import Record, conversation, judgment
from assize.formats.research.fields import optional, ordinal, take, unscored
from assize.formats.rows import Row, open_rows
from assize.formats.transcripts import split_at_marks
from assize.results.log import log

JUDGE = "rubric@openai:gpt-3.5-turbo-16k"
DIALOGUES = "real_dialogues.jsonl"

_FOUR = (1, 2, 3, 4)
_ASKED: Mapping[str, str] = {
    "Q0": "Overall, how satisfied would a user be with this conversation?",
    "Q1": "How naturally does the assistant write?",
    "Q2": "How far could the given references answer what the user asks?",
    "Q3": "How many of the assistant's claims are followed by a citation?",
    "Q4": "How far do the cited references support the claims?",
    "Q5": "How far are the best of the given references the ones that are cited?",
    "Q6": "How free of repetition is the assistant?",
    "Q7": "How concise is the assistant?",
}
_CITATIONS = frozenset({"Q2", "Q3", "Q4", "Q5"})
_ACCEPTED = Question(
    id="DQQ0",
    text="Can the dialogue be judged at all?",
    kind="nominal",
    answers=("1", "2"),
    labels={"1": "yes", "2": "no, it was rejected"},
    audience="people",
)
_EXCHANGES = Question(
    id="Q8",
    text="Was the number of exchanges right?",
    kind="nominal",
    answers=("1", "2", "3"),
    labels={"1": "fewer would have been enough", "2": "more were needed", "3": "about right"},
)
QUESTIONS = (
    *(
        replace(
            ordinal(name, text, _FOUR), applies="has_references" if name in _CITATIONS else "always"
        )
        for name, text in _ASKED.items()
    ),
    _EXCHANGES,
)
PEOPLE_QUESTIONS = (
    *QUESTIONS,
    _ACCEPTED,
    *(
        replace(ordinal(name, f"Dialogue quality, {place} scale.", _FOUR), audience="people")
        for name, place in (("DQQ1", "first"), ("DQQ2", "second"))
    ),
)
_PEOPLE = {question.id: question for question in PEOPLE_QUESTIONS}
_EXCHANGED = {"2": "3", "3": "2"}
_OTHER = {"Q1": "Q2", "Q2": "Q1"}
_SYNTHETIC = re.compile(r"V(\d+)_\d+")


def read_answers(row: Row, options: Options) -> Iterable[Record]:
    """The distribution of one question about one dialogue; p4 of Q8, always 0, is no answer of it.

    The answer that the authors drew and their list of dialogues stay in `details`.
    For `real_llm.csv` the dialogues that have no references are looked up in
    `real_dialogues.jsonl` beside it.
    """
    value = row.value
    item, name = take(value, "dialogue_id", str), take(value, "question", str)
    shares = {str(one): _share(value, f"p{one}") for one in _FOUR}
    details: dict[str, Any] = {
        "sampled_answer": take(value, "sampled_answer", str),
        "in_id_list": value.get("in_id_list") == "1",
    }
    given: dict[str, Any] = {"item": item, "judge": JUDGE, "question": name, "kind": "model"}
    if name in _CITATIONS and _lacks_references(item, row.source):
        details[PEOPLE_ASKED] = False
    if name == _EXCHANGES.id:
        given["outside"] = shares.pop("4")
    yield judgment(given | {"distribution": shares, "details": details})


def _share(value: Mapping[str, Any], name: str) -> float:
    text = take(value, name, str)
    try:
        return float(text)
    except ValueError:
        raise DataError(f"received {shorten(text)}; expected a probability", field=name) from None


def _lacks_references(item: str, source: str) -> bool:
    """Synthetic dialogues say it in their id (system 1); real ones in the dialogues' file."""
    if (synthetic := _SYNTHETIC.fullmatch(item)) is not None:
        return synthetic.group(1) == "1"
    folder, slash, _ = source.rpartition("/")
    path = f"{folder}{slash}{DIALOGUES}"
    known = _have_references(path)
    if item not in known:
        raise DataError(f"is not among the dialogues of {path}", field="dialogue_id")
    return not known[item]


@lru_cache(maxsize=4)
def _have_references(path: str) -> Mapping[str, bool]:
    try:
        with open_rows(path) as (_, rows):
            return {row.value["id"]: row.value["references"] is not None for row in rows}
    except (DataError, KeyError, TypeError) as error:
        raise DataError(
            f"which dialogues have references is read from {path}, which cannot be read"
            f" ({error}); put it beside this table"
        ) from error


def gather_ratings(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """Counts how often a judge has rated the same dialogue before (`repeat`), and marks the rows
    in which Q1 and Q2 are exchanged."""
    whole = list(rows)
    turned = [kind for kind in (True, False) if _exchanged(whole, synthetic=kind)]
    seen: Counter[tuple[str, str]] = Counter()
    for row in whole:
        value = row.value if isinstance(row.value, Mapping) else {}
        key = (str(value.get("judge_id")), str(value.get("dialogue_id")))
        marks = {"repeat": seen[key], "exchanged": _is_synthetic(value) in turned}
        yield replace(row, value={**value, **marks})
        seen[key] += 1


def _is_synthetic(value: Mapping[str, Any]) -> bool:
    return _SYNTHETIC.fullmatch(str(value.get("dialogue_id"))) is not None


def _exchanged(rows: Sequence[Row], *, synthetic: bool) -> bool:
    """Whether these forms have Q1 for Q2: of those on dialogues without references, most have
    Q1 as NA and not Q2. The log says so."""
    bare = [
        one
        for row in rows
        if isinstance(one := row.value, Mapping)
        and _is_synthetic(one) == synthetic
        and all(one.get(name) == NOT_APPLICABLE for name in ("Q3", "Q4", "Q5"))
        and one.get("Q0") != NOT_APPLICABLE
    ]
    turned, right = (
        sum(one.get(empty) == NOT_APPLICABLE != one.get(filled) for one in bare)
        for empty, filled in (("Q1", "Q2"), ("Q2", "Q1"))
    )
    if turned <= right:
        return False
    log.info(
        "Q1 and Q2 are exchanged in %s (Q1 is NA in %s of %s questionnaires without references):"
        " read as the questionnaire has them",
        rows[0].source,
        turned,
        len(bare),
    )
    return True


def read_ratings(row: Row, options: Options) -> Iterable[Record]:
    """One judgment a question and questionnaire: Q0 to Q8, then DQQ0 to DQQ2.

    `NA` (and 0 for DQQ1 and DQQ2) is the answer NA; a cell that the source left empty
    is unscored with the reason `missing`. The second questionnaire of a judge on the
    same dialogue has `repeat` 1. `row` and `round` stay in `details`.
    """
    value = row.value
    column = _OTHER if value["exchanged"] else {}
    for name, question in _PEOPLE.items():
        cell = take(value, column.get(name, name), str).strip()
        if question is _EXCHANGES:
            cell = _EXCHANGED.get(cell, cell)
        yield judgment(
            {
                "item": take(value, "dialogue_id", str),
                "judge": take(value, "judge_id", str),
                "question": name,
                "repeat": value["repeat"],
                "kind": "person",
                "details": {"row": value.get("row"), "round": value.get("round")},
            }
            | _cell(cell, question)
        )


def _cell(cell: str, question: Question) -> dict[str, Any]:
    if cell in {"", "missing"}:
        return unscored("the source's cell is empty")
    if cell in {NOT_APPLICABLE, "0"}:
        return {"answer": NOT_APPLICABLE}
    if cell not in question.answers:
        allowed = ", ".join((*question.answers, NOT_APPLICABLE, "missing"))
        raise DataError(
            f"answer {shorten(cell)} is not allowed; allowed are {allowed}", field=question.id
        )
    return {"answer": cell}


_REFERENCE = re.compile(r"(?m)^\[(\d+)\]: URL: (\S+) --- Title: (.*?) --- Body: ")


def read_dialogues(row: Row, options: Options) -> Iterable[Record]:
    """A conversation with its references.

    The release has one list of references a dialogue and does not say where they were
    shown. They are put on the assistant's first turn after the user's first one, where
    84% of the dialogues that cite an address first do so. Other fields are metadata.
    """
    value = row.value
    turns = [{"role": take(turn, "role", str), **turn} for turn in take(value, "turns", list)]
    released = optional(value, "references", str)
    references = [] if released is None else parse_references(released)
    if references:
        turns[_first_answer(turns)]["references"] = references
    version = take(value, "dialogue_version", int)
    yield conversation(
        {
            "id": take(value, "id", str),
            "turns": turns,
            "system": f"DS{version}",
            "metadata": {
                "topic": value.get("topic"),
                "dialogue_version": version,
                "openai_model": value.get("openai_model"),
                "reference_urls": value.get("reference_urls"),
            },
        }
    )


def _first_answer(turns: list[dict[str, Any]]) -> int:
    roles = [turn.get("role") for turn in turns]
    asked = roles.index("user") if "user" in roles else 0
    if "assistant" not in roles[asked:]:
        raise DataError("references need an assistant's turn after the user's", field="references")
    return roles.index("assistant", asked)


def parse_references(released: str) -> list[dict[str, str]]:
    """The sources of a released block of text, with id, title, text and url.

    >>> parse_references("Sources:\\n[1]: URL: http://a.org --- Title: A --- Body: Text\\n")
    [{'id': '1', 'title': 'A', 'text': 'Text', 'url': 'http://a.org'}]
    """
    _, start, block = released.partition("[1]: URL: ")
    parts = split_at_marks(start + block, _REFERENCE)
    if not parts:
        raise DataError("no `[n]: URL: .. --- Title: .. --- Body:` in it", field="references")
    return [
        {"id": mark[1], "title": mark[3].strip(), "text": text.strip(), "url": mark[2]}
        for mark, text in parts
    ]


LLM_RUBRIC_ANSWERS = Format(
    name="llm-rubric-answers",
    summary="LLM-Rubric's answer distributions by GPT-3.5 (synth_llm.csv, real_llm.csv)",
    recognise=lambda sample: sample.has("dialogue_id", "question", "p1", "p4", "sampled_answer"),
    parse=read_answers,
    questions=QUESTIONS,
)
LLM_RUBRIC_RATINGS = Format(
    name="llm-rubric-ratings",
    summary="LLM-Rubric's questionnaires answered by people (synth_human.csv)",
    recognise=lambda sample: sample.has("judge_id", "dialogue_id", "Q0", "Q8", "DQQ0"),
    parse=read_ratings,
    gather=gather_ratings,
    questions=PEOPLE_QUESTIONS,
)
LLM_RUBRIC_DIALOGUES = Format(
    name="llm-rubric-dialogues",
    summary="LLM-Rubric's 223 real conversations with the references shown",
    recognise=lambda sample: sample.has("turns", "dialogue_version", "reference_urls"),
    parse=read_dialogues,
)
