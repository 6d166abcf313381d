"""The nine judges of continuations that are prompts, and how such a prompt becomes a judge.

Judges of content, style and reasonableness on the raters' scale answer the raters' own questions,
`content`, `style` and `reasonableness`, so that `agree` compares them with people as they are.
Yes and no are questions of their own: `equivalent`, `natural` and `reasonable`.

Source: UPHELD, appendix H, for `equivalent`, `natural-explained` ("yes/no explain"), `equivalence`
and `equivalence-explained`; appendix C.2, the raters' instructions, for the guideline judges (C.3
is the experiment with them). The wording is ours.

Differs:
- The paper's two yes/no judges ask different questions: the one with an explanation asks whether a
  turn sounds natural and human. `equivalent-explained` is the control, which asks what `equivalent`
  asks. It and `equivalence-explained` differ from their siblings in nothing but the explanation;
  the published scale with explanation names no ends.
- What is to sound natural is the candidate, which people rated; the paper's prompt calls it the
  continuation, as it calls the reference.
- `reasonable` has no published prompt.
- The raters saw one reference; where there are several, all are shown, and the closest counts.
- Judging reasonableness by the guidelines, raters saw the reference and were told to leave it
  alone; a model is not shown it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from assize.base.conversation import Continuation
from assize.base.judgment import Question
from assize.formats.research.upheld import QUESTIONS
from assize.judging.judge import JudgeOffer
from assize.judging.method import Method, Said
from assize.judging.schemas import one_of, record, scale, words
from assize.reference._judges.judge import offer_judge

CONTENT, STYLE, REASONABLENESS = QUESTIONS

HOME = Path(__file__).parent.parent / "prompts"
_TOKENS, _EXPLAINED_TOKENS = 64, 512


def yes_or_no(id: str, text: str) -> Question:
    """A question answered by yes or no, yes being better."""
    return Question(id, text, "binary", ("no", "yes"), (0.0, 1.0), higher="better")


EQUIVALENT = yes_or_no("equivalent", "Does the candidate say the same as the reference?")
NATURAL = yes_or_no("natural", "Does the candidate sound natural, as if a person had written it?")
REASONABLE = yes_or_no("reasonable", "Is the candidate a reasonable thing to say here?")


def judge(
    name: str,
    about: str,
    question: Question,
    answer: Mapping[str, Any],
    *,
    prompt: str | None = None,
    explained: bool = False,
    referenced: bool = True,
) -> JudgeOffer:
    """A judge that answers one question about a continuation.

    Args:
        answer: the schema of its answer.
        prompt: the file's name in `prompts/`; as the judge's when None.
        explained: whether it first says why; the prompts are the same but for that.
        referenced: whether it needs a reference.
    """
    reasons = {"explanation": words()} if explained else {}
    method = Method(
        name=name,
        about=about,
        takes=(Continuation,),
        questions=(question,),
        prompt=name if prompt is None else prompt,
        schema=record(**reasons, answer=answer),
        read=partial(read, question),
        choice="answer",
        max_tokens=_EXPLAINED_TOKENS if explained else _TOKENS,
        home=HOME,
        values={"explained": explained},
    )
    return offer_judge(method, referenced=referenced)


def read(question: Question, value: Mapping[str, Any]) -> Iterable[Said]:
    """The answer, and its value in the question."""
    answer = str(value["answer"])
    values = dict(zip(question.answers, question.values or (), strict=True))
    yield Said(question.id, answer, values[answer], value.get("explanation"))


def points(*values: int) -> dict[str, Any]:
    """Some points of a scale."""
    return {"type": "integer", "enum": list(values)}


_YES_NO = one_of(("yes", "no"))

EQUIVALENT_JUDGE = judge(
    "equivalent",
    "whether a continuation says the same as its reference, yes or no",
    EQUIVALENT,
    _YES_NO,
)
EQUIVALENT_EXPLAINED = judge(
    "equivalent-explained",
    "as equivalent; reasons first",
    EQUIVALENT,
    _YES_NO,
    prompt="equivalent",
    explained=True,
)
NATURAL_EXPLAINED = judge(
    "natural-explained",
    "whether a continuation beside its reference sounds natural and human; reasons first",
    NATURAL,
    _YES_NO,
    prompt="natural",
    explained=True,
)
REASONABLE_JUDGE = judge(
    "reasonable",
    "whether a continuation is reasonable, yes or no; needs no reference",
    REASONABLE,
    _YES_NO,
    referenced=False,
)
EQUIVALENCE = judge(
    "equivalence", "how much of its reference a continuation says, 1 to 5", CONTENT, scale(1, 5)
)
EQUIVALENCE_EXPLAINED = judge(
    "equivalence-explained",
    "as equivalence; reasons first",
    CONTENT,
    scale(1, 5),
    prompt="equivalence",
    explained=True,
)
GUIDELINES_CONTENT = judge(
    "guidelines-content",
    "content of a continuation against its reference by the raters' guidelines, 1 to 5",
    CONTENT,
    scale(1, 5),
)
GUIDELINES_STYLE = judge(
    "guidelines-style",
    "style of a continuation against its reference by the raters' guidelines, 1, 3 or 5",
    STYLE,
    points(1, 3, 5),
)
GUIDELINES_REASONABLENESS = judge(
    "guidelines-reasonableness",
    "reasonableness of a continuation by the raters' guidelines, 1 or 5; needs no reference",
    REASONABLENESS,
    points(1, 5),
    referenced=False,
)
