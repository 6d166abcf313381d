"""A rubric asked from Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conversations import CHATS

import assize
from assize.base.errors import ConfigError, DataError

ASKED = CHATS[:2]


def test_every_question_is_asked_of_every_conversation() -> None:
    rubric = assize.rubric.show("general").rubric
    table = assize.rubric.ask(ASKED, "scripted:any")
    assert set(table.asked) == {one.id for one in rubric.asked("models")}
    assert table.judges == ("rubric@scripted:any",)
    assert not table.inferred


def test_variants_and_models_are_judges_of_their_own() -> None:
    table = assize.rubric.ask(ASKED, ["scripted:any"], variant=["plain", "reasons"], samples=1)
    assert set(table.judges) == {"rubric@scripted:any", "rubric/reasons@scripted:any"}
    with pytest.raises(ConfigError, match="no variant 'loud'"):
        assize.rubric.ask(ASKED, "scripted:any", variant="loud")


def test_a_run_an_estimate_and_a_prompt(tmp_path: Path) -> None:
    plan = assize.rubric.ask.plan(
        ASKED, "scripted:any", out=tmp_path / "run", samples=1, quiet=True
    )
    assert plan.estimate().by_model["scripted:any"].calls > 0
    assert plan.outcome().summary.n == len(assize.read_judgments([tmp_path / "run"]))
    shown = plan.first_prompt(assize.rubric.show("general").rubric.main)
    assert "Where is the station?" in "".join(shown.lines)


def test_an_adaptive_rubric_reads_its_calibrator() -> None:
    with pytest.raises(DataError, match="folder"):
        assize.rubric.ask(ASKED, "scripted:any", adaptive=assize.rubric.Adaptive("folder"))


def test_rubrics_are_listed_where_none_is_named() -> None:
    assert {one.rubric for one in assize.rubric.show().rubrics} >= {
        "general",
        "information-seeking",
    }
    with pytest.raises(ConfigError, match="yaml prints one rubric; name it: agent, general"):
        assize.rubric.show(None, yaml=True)  # type: ignore[call-overload]
