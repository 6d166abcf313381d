"""What single judges may be told."""

from __future__ import annotations

from dataclasses import fields

import pytest

from assize.errors import ConfigError
from assize.judging.options import LEAST, OPTIONS, RubricOptions, known, own
from assize.judging.table import JUDGES


def test_every_option_is_of_a_judge_has_a_help_text_and_one_meaning() -> None:
    assert OPTIONS.keys() <= JUDGES.keys()
    declared = [one for kind in set(OPTIONS.values()) for one in fields(kind)]
    assert declared
    assert len({one.name for one in declared}) == len(declared)
    assert all(one.metadata["help"] for one in declared)


def test_options_are_found_by_the_judge_however_it_is_written() -> None:
    for written in ("rubric", "rubric@openai:m", "rubric/reasons@openai:m"):
        assert known(written) == ("rubric", "adaptive", "answered", "least")
    assert known("io@openai:m") == ()
    given = {"corpus": "c.jsonl", "rubric": "general"}
    assert own("factscore@openai:m", given) == {"corpus": "c.jsonl"}


@pytest.mark.parametrize("given", [{"answered": ("run",)}, {"least": 0.5}])
def test_what_goes_with_adaptive_is_refused_without_it(given: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="go with --adaptive"):
        RubricOptions(**given)  # type: ignore[arg-type]
    assert RubricOptions(adaptive="c", **given).adaptive == "c"  # type: ignore[arg-type]
    assert RubricOptions().least == LEAST
