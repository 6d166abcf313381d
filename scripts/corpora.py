"""Published corpora with human labels, converted to assize's own records.

    python -m scripts.corpora NAME SOURCE OUT

NAME is one of `CORPORA`, SOURCE its file of JSON lines, plain or `.gz`, as docs/corpora.md
describes it. OUT gets `items.jsonl`, `judgments.jsonl` and `questions.json`.
"""

from __future__ import annotations

import argparse
import atexit
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assize.base.judgment import PREFERENCE, Question
from assize.formats.files import open_input
from assize.formats.research.fields import number, ordinal, others
from assize.formats.research.upheld import conversations
from assize.formats.writing import json_line, write_questions

Row = dict[str, Any]
Questions = Mapping[str, Question]
Converted = Iterator[tuple[Row, list[Row]]]  # an item, and the judgments of it

# -- the questions that people and programs answered; the words are ours ---------------------------

LIKERT = (1, 2, 3, 4, 5)


def in_words(id: str, text: str, answers: tuple[str, ...]) -> Question:
    """A question with ordered answers in words, lowest first, worth 0 to 1 in equal steps."""
    values = tuple(place / (len(answers) - 1) for place in range(len(answers)))
    return Question(id, text, "ordinal", answers, values, higher="better")


def worse(question: Question) -> Question:
    """The question, higher being worse."""
    return replace(question, higher="worse")


GPT4 = (  # GPT-4 answered these five times each
    number("coherence", "How well do the assistant's turns hang together?", 1, 5),
    number("diversity", "How varied are the assistant's turns?", 1, 5),
    number("engagingness", "How engaging is the assistant?", 1, 5),
    number("informativeness", "How much does the assistant tell?", 1, 5),
    number("overall", "How good is the conversation as a whole?", 1, 5),
)

USS = (ordinal("satisfaction", "How satisfied is the user at this point?", LIKERT),)

RELIABLE_EVAL = (  # higher is better in all: `robotic` and `repetitive` are reversed in the release
    number("interesting", "How interesting was the chatbot?", 0, 100),
    number("fun", "How much fun was it to chat?", 0, 100),
    number("consistent", "How free of contradictions was the chatbot?", 0, 100),
    number("fluent", "How fluent was the chatbot's language?", 0, 100),
    number("topic", "How well did the chatbot keep to the topic?", 0, 100),
    number("robotic", "How far was the chatbot from sounding like a machine?", 0, 100),
    number("repetitive", "How far was the chatbot from repeating itself?", 0, 100),
    *GPT4,
)

IEVAL = (
    ordinal("polite", "How polite was the chatbot?", LIKERT),
    ordinal("attentive", "How attentive was the chatbot?", LIKERT),
    ordinal("understood_emotions", "How well did the chatbot understand the feelings?", LIKERT),
    ordinal("responded_to_emotions", "How well did the chatbot respond to the feelings?", LIKERT),
    ordinal("likable", "How likable was the chatbot?", LIKERT),
    ordinal("sensible", "How much sense did the chatbot make?", LIKERT),
    worse(ordinal("insulting_statement", "How insulting was the chatbot?", LIKERT)),
    worse(ordinal("inattentive_statement", "How inattentive was the chatbot?", LIKERT)),
    worse(ordinal("repetitive", "How much did the chatbot repeat itself?", LIKERT)),
    ordinal("overall_rank", "Where does this dialogue rank among the four?", (1, 2, 3)),
    *GPT4,
)

FED_CONTURE = (
    ordinal("overall_impression", "How good is this turn?", (0, 1, 2)),
    number("interesting", "How interesting is the turn?", 1, 5),
    number("relevance", "How relevant is the turn?", 1, 5),
    number("specificity", "How specific is the turn?", 1, 5),
    number("understandability", "How easy is the turn to understand?", 1, 5),
    ordinal("coherent", "How coherent was the chatbot?", (1, 2, 3)),
    ordinal("diverse", "How varied were its turns?", (1, 2, 3)),
    ordinal("error_recovery", "How well did it recover from errors?", (1, 2, 3)),
    ordinal("flexible", "How well did it adapt to the user?", (1, 2, 3)),
    ordinal("informative", "How informative was it?", (1, 2, 3)),
    ordinal("inquisitive", "How much did it ask about the user?", (1, 2, 3)),
    ordinal("likeable", "How likeable was it?", (1, 2, 3)),
    ordinal("topic_depth", "How deep did it go into the topics?", (1, 2, 3)),
    ordinal("understanding", "How well did it understand the user?", (1, 2, 3)),
    Question(
        id="consistent",
        text="Did the chatbot keep to what it had said?",
        kind="binary",
        answers=("0", "1"),
        values=(0.0, 1.0),
        higher="better",
    ),
    *GPT4,
)

TOPICAL_CHAT = (
    ordinal("turn_quality", "How good is this message?", LIKERT),
    ordinal("conversation_quality", "How good was the conversation?", LIKERT),
)

DEGREES = ("No", "To some extent", "Yes")
MRBENCH = (
    in_words("mistake_identification", "Does the tutor notice the student's mistake?", DEGREES),
    in_words("mistake_location", "Does the tutor point to where the mistake is?", DEGREES),
    in_words("providing_guidance", "Does the tutor give correct and useful guidance?", DEGREES),
    in_words("actionability", "Is it clear what the student should do next?", DEGREES),
    in_words("coherence", "Does the response follow from what the student said?", DEGREES),
    in_words("humanlikeness", "Does the response sound like a person?", DEGREES),
    in_words("tutor_tone", "What is the tone?", ("Offensive", "Neutral", "Encouraging")),
    Question(
        id="revealing_of_the_answer",
        text="Does the response give the solution away?",
        kind="nominal",
        answers=("No", "Yes (and the answer is correct)", "Yes (but the answer is incorrect)"),
    ),
)

REFERENCE_TURNS = (
    ordinal("grade-coherence", "How coherent is the response?", LIKERT),
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
    Question(
        "unieval-engagingness", "UniEval's engagingness, a sum over sentences.", higher="better"
    ),
    Question("unieval-overall", "UniEval's mean over its dimensions.", higher="better"),
)


# -- from the rows of a corpus to items and judgments ----------------------------------------------

ROLES = {"human1": "user", "human2": "assistant"}  # of two people the one who responds


def rated_dialogues(rows: Iterable[Row], questions: Questions) -> Converted:
    """Convert dialogues whose raters are positions in a list, not people to follow."""
    for row in rows:
        yield conversation(row), ratings(row, questions, anonymous=True)


def dialogues_of_known_raters(rows: Iterable[Row], questions: Questions) -> Converted:
    """Convert dialogues rated by people who can be followed from one to the next."""
    for row in rows:
        yield conversation(row), ratings(row, questions, anonymous=False)


def tutor_responses(rows: Iterable[Row], questions: Questions) -> Converted:
    """Convert responses with adjudicated labels, which become judgments by `gold`."""
    for row in rows:
        judgments = [
            {
                "item": row["id"],
                "judge": "gold" if label["judge"] == "human_gold" else label["judge"],
                "question": label["dimension"],
                "kind": "person",
                **answer(label["label"], questions[label["dimension"]]),
            }
            for label in row["labels"]
        ]
        yield continuation(row, row["group"]), judgments


def responses_with_references(rows: Iterable[Row], questions: Questions) -> Converted:
    """Convert responses of several corpora, which rate the same words on different scales.

    A question is named after its corpus (`grade-coherence` 1-5, `usr-coherence` 1-3), and a score
    by a program after the program. Contexts without a group belong to one conversation where one
    continues the other.
    """
    table = list(rows)
    histories = [[(turn["role"], turn["text"]) for turn in row["turns"]] for row in table]
    for row, group in zip(table, conversations(histories, "context"), strict=True):
        judgments = []
        for rating in row["ratings"]:
            source = row["id"] if rating["kind"] == "human" else rating["judge"]
            question = questions[f"{source.split('-')[0]}-{rating['dimension']}"]
            judgments.append(judgment(row["id"], rating, question, anonymous=True))
        yield continuation(row, row.get("group", group)), judgments


def voted_pairs(rows: Iterable[Row], questions: Questions) -> Converted:
    """Convert pairs with gold and the votes of annotators, who are positions, and of models."""
    for row in rows:
        used = {"id", "prompt_turns", "a", "b", "label", "judge", "votes", "human_votes"}
        item = {
            "id": row["id"],
            "context": row["prompt_turns"],
            "a": with_texts(row["a"]),
            "b": with_texts(row["b"]),
            "gold": row["label"],
            "metadata": others(row, used) | {"gold_by": row["judge"]},
        }
        repeats: Counter[tuple[str, str | None]] = Counter()
        judgments = [vote(row["id"], one, "person", repeats) for one in row.get("human_votes", ())]
        judgments += [vote(row["id"], one, "model", repeats) for one in row.get("votes", ())]
        yield item, judgments


def turns_of(row: Row) -> list[Row]:
    """The turns of a row; where two people talk, each turn keeps the name of its `speaker`."""
    turns = []
    for turn in row["turns"]:
        role = turn["role"]
        turns.append({**turn, "role": ROLES[role], "speaker": role} if role in ROLES else turn)
    return turns


def conversation(row: Row) -> Row:
    """The dialogue of a row; what has no place of its own is metadata."""
    return {
        "id": row["id"],
        "turns": turns_of(row),
        "system": row.get("bot"),
        "metadata": others(row, {"id", "turns", "ratings", "bot"}),
    }


def continuation(row: Row, group: str) -> Row:
    """The response of a row, with the conversation that it continues."""
    used = {"id", "turns", "response", "references", "system", "labels", "ratings", "group"}
    return {
        "id": row["id"],
        "context": turns_of(row),
        "candidate": row["response"],
        "references": row["references"],
        "conversation": group,
        "turn": len(row["turns"]),
        "source": row["system"],
        "metadata": others(row, used),
    }


def ratings(row: Row, questions: Questions, *, anonymous: bool) -> list[Row]:
    """All ratings of a dialogue and of its turns as judgments."""
    return [
        judgment(row["id"], rating, questions[rating["dimension"]], anonymous=anonymous)
        for rating in row["ratings"]
    ]


def judgment(item: str, rating: Row, question: Question, *, anonymous: bool) -> Row:
    """The judgment of one rating; a program's `run`, from 1, is its `repeat`, from 0."""
    is_person = rating["kind"] == "human"
    return {
        "item": item,
        "judge": rating["judge"],
        "question": question.id,
        "turn": rating.get("turn"),
        "repeat": rating.get("run", 1) - 1,
        "anonymous": anonymous and is_person,
        "kind": "person" if is_person else "model",
        **answer(rating["score"], question),
    }


def vote(item: str, row: Row, kind: str, repeats: Counter[tuple[str, str | None]]) -> Row:
    """The judgment of one vote; a model is named `model/mode`. A vote in the same order as an
    earlier one is a repeat."""
    judge = f"{row['judge']}/{row['mode']}" if "mode" in row else row["judge"]
    order = {"A": "AB", "B": "BA"}.get(row.get("shown_first", ""))
    repeat = repeats[judge, order]
    repeats[judge, order] += 1
    return {
        "item": item,
        "judge": judge,
        "question": PREFERENCE.id,
        "order": order,
        "repeat": repeat,
        "kind": kind,
        "anonymous": kind == "person",
        **answer("tie" if row["label"] == "Fair" else row["label"], PREFERENCE),
    }


def answer(value: Any, question: Question) -> Row:
    """The fields that hold a published answer: `answer`, `score` or, for none, `unscored`.

    Raises:
        ValueError: it is outside the question's scale.
    """
    if value is None:
        return {"unscored": {"reason": "missing", "message": "the source holds no answer"}}
    low, high = question.range or (float("-inf"), float("inf"))
    if not question.answers and low <= value <= high:
        return {"score": value}
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    if text in question.answers:
        return {"answer": text}
    raise ValueError(f"{text} is outside the scale of question {question.id}")


def with_texts(turns: Iterable[Row]) -> list[Row]:
    """Turns whose texts are texts: six of PandaLM's became `true` in its release."""
    return [{**turn, "text": str(turn["text"])} for turn in turns]


# -- the table of corpora, and the program ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus: its file in a folder of research data, its questions, and how it is converted."""

    file: str
    questions: tuple[Question, ...]
    convert: Callable[[Iterable[Row], Questions], Converted]


PAIRS = "judge-pairs-single-turn"
CORPORA = {
    "fed-conture": Corpus("fed-conture/conture_dialogues.jsonl", FED_CONTURE, rated_dialogues),
    "hh-harmless": Corpus("hh-harmless/pairs.jsonl.gz", (PREFERENCE,), voted_pairs),
    "ieval": Corpus("ieval/dialogues.jsonl.gz", IEVAL, dialogues_of_known_raters),
    "llmbar": Corpus(f"{PAIRS}/llmbar_votes.jsonl.gz", (PREFERENCE,), voted_pairs),
    "mrbench": Corpus("mrbench/responses.jsonl.gz", MRBENCH, tutor_responses),
    "pandalm": Corpus(f"{PAIRS}/pandalm_votes.jsonl", (PREFERENCE,), voted_pairs),
    "reference-turns": Corpus(
        "reference-turns/reference_turns.jsonl.gz", REFERENCE_TURNS, responses_with_references
    ),
    "reliable-eval": Corpus(
        "reliable-eval/dialogues.jsonl.gz", RELIABLE_EVAL, dialogues_of_known_raters
    ),
    "topical-chat": Corpus("topical-chat/dialogues.jsonl.gz", TOPICAL_CHAT, rated_dialogues),
    "uss": Corpus("uss/dialogues.jsonl.gz", USS, rated_dialogues),
}


def convert(name: str, source: Path, out: Path) -> None:
    """Write the items of a corpus, their judgments, and the questions that these answer."""
    corpus = CORPORA[name]
    questions = {question.id: question for question in corpus.questions}
    converted = list(corpus.convert(read_rows(source), questions))
    judgments = [row for _, rows in converted for row in rows]
    out.mkdir(parents=True, exist_ok=True)
    write_rows(out / "items.jsonl", [item for item, _ in converted])
    if judgments:
        write_rows(out / "judgments.jsonl", judgments)
    answered = dict.fromkeys(row["question"] for row in judgments) or questions
    write_questions(out / "judgments.jsonl", [questions[name] for name in answered])


def read_rows(source: Path) -> Iterator[Row]:
    """The rows of a file of JSON lines."""
    with open_input(source) as lines:
        yield from map(json.loads, lines)


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as JSON lines, without fields that hold nothing."""
    with path.open("wb") as stream:
        for row in rows:
            stream.write(json_line({key: part for key, part in row.items() if part is not None}))


@cache
def converted(name: str, data: Path) -> Path:
    """Convert a corpus of a folder of research data once a program; return its folder, which is
    deleted when the program ends."""
    folder = TemporaryDirectory(prefix="assize-corpora-")
    atexit.register(folder.cleanup)
    convert(name, data / CORPORA[name].file, Path(folder.name) / name)
    return Path(folder.name) / name


def main() -> None:
    """Convert the corpus that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=CORPORA)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path, help="folder to write to")
    given = parser.parse_args()
    convert(given.name, given.source, given.out)


if __name__ == "__main__":
    main()
