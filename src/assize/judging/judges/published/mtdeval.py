"""`mtdeval-rating`, `mtdeval-pairwise`: how MTDEval asks a general language model.

Source: Tang et al., "Learning an efficient multi-turn dialogue evaluator from multiple LLM judges",
appendix G: one rating from 1 to 10 in four bands, with the ten dimensions in view, or A, B or equal
overall; the verdict first and reasons after it. Differs: the sentences are ours, answers are JSON
in both, and "Fair" is called a tie.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from assize.base.conversation import Pair
from assize.judging.aspects import OVERALL
from assize.judging.judges.published.graded import preference_question
from assize.judging.judges.rating import HIGHEST, LOWEST, RATING
from assize.judging.method import Method, Said
from assize.judging.schemas import preference, record, scale, words


def read_overall(value: Mapping[str, Any]) -> Iterable[Said]:
    """The one answer with its reasons."""
    yield Said(OVERALL, value[OVERALL], explanation=value["explanation"])


MTDEVAL_RATING = replace(
    RATING,
    name="mtdeval-rating",
    about="a dialogue, 1 to 10 in MTDEval's four bands; the rating first, then reasons",
    prompt="mtdeval-rating",
    schema=record(rating=scale(LOWEST, HIGHEST), explanation=words()),
    max_tokens=512,
)
MTDEVAL_PAIRWISE = Method(
    name="mtdeval-pairwise",
    about="the better of two dialogues overall, as MTDEval asks; the answer first, then reasons",
    takes=(Pair,),
    questions=(preference_question(OVERALL),),
    prompt="mtdeval-pairwise",
    schema=record(**{OVERALL: preference()}, explanation=words()),
    read=read_overall,
    choice=OVERALL,
    max_tokens=512,
)
