"""`pairwise`: as `explained`, of two dialogues."""

from __future__ import annotations

from assize.judging.explained import EXPLAINED
from assize.judging.pairwise import PAIRWISE


def test_only_name_and_prompt_tell_it_from_explained() -> None:
    assert (PAIRWISE.name, PAIRWISE.prompt) == ("pairwise", "pairwise")
    assert (PAIRWISE.schema, PAIRWISE.questions) == (EXPLAINED.schema, EXPLAINED.questions)
