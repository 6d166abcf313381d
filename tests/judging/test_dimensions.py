"""`dimensions`: eleven answers in one call."""

from __future__ import annotations

from assize.judging.aspects import ASPECTS, OVERALL
from assize.judging.dimensions import DIMENSIONS


def test_every_aspect_and_the_overall_one_is_a_preference_of_its_own() -> None:
    names = [*ASPECTS, OVERALL]
    assert [one.id for one in DIMENSIONS.questions] == names
    value = dict.fromkeys(names, "tie") | {"Safety": "B", "explanation": "So."}
    said = list(DIMENSIONS.read(value))
    assert {one.question: one.answer for one in said} == {
        name: "B" if name == "Safety" else "tie" for name in names
    }
    assert [one.explanation for one in said] == ["So.", *[None] * 10]
