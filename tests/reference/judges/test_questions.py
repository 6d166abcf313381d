"""What the reference judges answer."""

from __future__ import annotations

from tests.reference.judges.asked import ANSWERS

from assize.formats.research.upheld import QUESTIONS
from assize.judging.table import offer
from assize.reference._judges.judge import ReferenceOffer
from assize.reference._judges.questions import yes_or_no


def test_ratings_on_the_raters_scale_answer_the_raters_own_questions() -> None:
    asked = {}
    for name in ANSWERS:
        found = offer(name)
        assert isinstance(found, ReferenceOffer)
        (asked[name],) = found.method.questions
    content, style, reasonableness = QUESTIONS
    assert asked["equivalence"] is asked["equivalence-explained"] is content
    assert asked["guidelines-content"] is content
    assert asked["guidelines-style"] is style
    assert asked["guidelines-reasonableness"] is reasonableness
    own = {one.id for one in asked.values() if one.kind == "binary"}
    assert own == {"equivalent", "natural", "reasonable"}


def test_yes_is_worth_one_and_better() -> None:
    question = yes_or_no("q", "Is it?")
    assert dict(zip(question.answers, question.values or (), strict=True)) == {"no": 0, "yes": 1}
    assert question.higher == "better"
