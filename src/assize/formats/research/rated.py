"""Published conversations with ratings: `{id, turns, ratings: [{judge, kind, dimension, score}]}`.

One reader serves them all; a corpus states its scales, whether its raters are people
who can be followed from one conversation to the next, and how it names the assistant.
The rows of a corpus are recognised by what only they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from assize.formats.format import Format, Options
from assize.formats.records import Record, conversation
from assize.formats.research.fields import others, take, with_roles
from assize.formats.research.scales import number, ordinal, rated
from assize.formats.rows import Row, Sample
from assize.judgment import Question

_LIKERT = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class Corpus:
    """What the reader must know about one corpus."""

    # the scales of its dimensions; a dimension that is not here is read as a bare number and its
    # scale is left to be inferred
    questions: tuple[Question, ...] = ()
    # whether a person's id means the same person in every conversation; otherwise people's ratings
    # are marked `anonymous`
    stable: bool = False
    # the corpus's names of the roles, where they differ
    roles: Mapping[str, str] = field(default_factory=dict)
    system: str = "bot"  # the field that names the assistant


def reader(corpus: Corpus) -> Callable[[Row, Options], Iterable[Record]]:
    """Reads a row into its conversation, followed by one judgment a rating."""
    scales = {question.id: question for question in corpus.questions}

    def parse(row: Row, options: Options) -> Iterable[Record]:
        value, ratings = row.value, take(row.value, "ratings", list)
        item = take(value, "id", str)
        yield conversation(
            {
                "id": item,
                "turns": with_roles(take(value, "turns", list), corpus.roles),
                "system": value.get(corpus.system),
                "metadata": others(value, {"id", "turns", "ratings", corpus.system}),
            }
        )
        for rating in ratings:
            question = take(rating, "dimension", str)
            yield rated(item, rating, scales, question=question, anonymous=not corpus.stable)

    return parse


def recogniser(*fields: str, dimension: str | None = None) -> Callable[[Sample], bool]:
    """Recognises rated conversations with these fields and, if given, this dimension."""

    def recognise(sample: Sample) -> bool:
        if not sample.has("turns", "ratings", *fields):
            return False
        ratings = sample.first["ratings"]
        if not isinstance(ratings, list) or not all(isinstance(one, Mapping) for one in ratings):
            return False
        return dimension is None or any(one.get("dimension") == dimension for one in ratings)

    return recognise


def _gpt4() -> tuple[Question, ...]:
    """The five dimensions that GPT-4 scored, five times each, on three of the corpora."""
    asked: Mapping[str, str] = {
        "coherence": "How well do the assistant's turns hang together?",
        "diversity": "How varied are the assistant's turns?",
        "engagingness": "How engaging is the assistant?",
        "informativeness": "How much does the assistant tell?",
        "overall": "How good is the conversation as a whole?",
    }
    return tuple(number(name, text, 1, 5) for name, text in asked.items())


def _ordinals(answers: tuple[int, ...], asked: Mapping[str, str]) -> tuple[Question, ...]:
    return tuple(ordinal(name, text, answers) for name, text in asked.items())


def _format(name: str, summary: str, corpus: Corpus, known: Callable[[Sample], bool]) -> Format:
    return Format(
        name=name,
        summary=summary,
        recognise=known,
        parse=reader(corpus),
        questions=corpus.questions,
    )


_SATISFACTION = ordinal("satisfaction", "How satisfied is the user at this point?", _LIKERT)

USS = _format(
    "uss",
    "user satisfaction in task dialogues, 1-5 after each user turn and overall",
    Corpus(questions=(_SATISFACTION,)),
    recogniser("corpus", dimension="satisfaction"),
)

# All seven are oriented higher = better as released; robotic and repetitive were reversed there.
_RELIABLE: Mapping[str, str] = {
    "interesting": "How interesting was the chatbot?",
    "fun": "How much fun was it to chat?",
    "consistent": "How free of contradictions was the chatbot?",
    "fluent": "How fluent was the chatbot's language?",
    "topic": "How well did the chatbot keep to the topic?",
    "robotic": "How far was the chatbot from sounding like a machine?",
    "repetitive": "How far was the chatbot from repeating itself?",
}

RELIABLE_EVAL = _format(
    "reliable-eval",
    "human-bot dialogues with 0-100 ratings by people who can be followed",
    Corpus(
        questions=(*(number(one, text, 0, 100) for one, text in _RELIABLE.items()), *_gpt4()),
        stable=True,
    ),
    recogniser("bot", "rater_passed_qc"),
)

_IEVAL_GOOD: Mapping[str, str] = {
    "polite": "How polite was the chatbot?",
    "attentive": "How attentive was the chatbot?",
    "understood_emotions": "How well did the chatbot understand the feelings?",
    "responded_to_emotions": "How well did the chatbot respond to the feelings?",
    "likable": "How likable was the chatbot?",
    "sensible": "How much sense did the chatbot make?",
}
_IEVAL_BAD: Mapping[str, str] = {
    "insulting_statement": "How insulting was the chatbot?",
    "inattentive_statement": "How inattentive was the chatbot?",
    "repetitive": "How much did the chatbot repeat itself?",
}

IEVAL = _format(
    "ieval",
    "empathetic human-bot dialogues rated 1-5 by the person who chatted",
    Corpus(
        questions=(
            *_ordinals(_LIKERT, _IEVAL_GOOD),
            *(ordinal(one, text, _LIKERT, "worse") for one, text in _IEVAL_BAD.items()),
            ordinal("overall_rank", "Where does this dialogue rank among the four?", (1, 2, 3)),
            *_gpt4(),
        ),
        stable=True,
    ),
    recogniser("bot", "scenario"),
)

_CONTURE_TURN: Mapping[str, str] = {
    "interesting": "How interesting is the turn?",
    "relevance": "How relevant is the turn?",
    "specificity": "How specific is the turn?",
    "understandability": "How easy is the turn to understand?",
}
_CONTURE_DIALOGUE: Mapping[str, str] = {
    "coherent": "How coherent was the chatbot?",
    "diverse": "How varied were its turns?",
    "error_recovery": "How well did it recover from errors?",
    "flexible": "How well did it adapt to the user?",
    "informative": "How informative was it?",
    "inquisitive": "How much did it ask about the user?",
    "likeable": "How likeable was it?",
    "topic_depth": "How deep did it go into the topics?",
    "understanding": "How well did it understand the user?",
}

FED_CONTURE = _format(
    "fed-conture",
    "human-bot dialogues with labels of single turns",
    Corpus(
        questions=(
            ordinal("overall_impression", "How good is this turn?", (0, 1, 2)),
            *(number(one, text, 1, 5) for one, text in _CONTURE_TURN.items()),
            *_ordinals((1, 2, 3), _CONTURE_DIALOGUE),
            Question(
                id="consistent",
                text="Did the chatbot keep to what it had said?",
                kind="binary",
                answers=("0", "1"),
                values=(0.0, 1.0),
                higher="better",
            ),
            *_gpt4(),
        )
    ),
    recogniser(dimension="overall_impression"),
)

TOPICAL_CHAT = _format(
    "topical-chat",
    "long human-human dialogues, turns rated by the partner",
    Corpus(
        questions=(
            ordinal("turn_quality", "How good is this message?", _LIKERT),
            ordinal("conversation_quality", "How good was the conversation?", _LIKERT),
        ),
        roles={"human1": "user", "human2": "assistant"},
    ),
    recogniser("split", dimension="conversation_quality"),
)

RATED = _format(
    "rated",
    "any conversations with a list of ratings; scales inferred, raters anonymous",
    Corpus(),
    recogniser(),
)
