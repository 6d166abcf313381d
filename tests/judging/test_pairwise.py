"""`pairwise`: which of two dialogues."""

from __future__ import annotations

from assize.judging.explained import EXPLAINED
from assize.judging.pairwise import PAIRWISE
from assize.judging.prompting import load_prompt


def test_it_is_explained_with_a_prompt_of_its_own() -> None:
    assert (PAIRWISE.schema, PAIRWISE.read) == (EXPLAINED.schema, EXPLAINED.read)
    mine, other = (load_prompt(one.prompt, None, one.home) for one in (PAIRWISE, EXPLAINED))
    assert mine.hash != other.hash
