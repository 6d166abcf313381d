"""The experiment: its judge, its places."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError
from assize.formats import read
from assize.judging.session import RunFacts, RunSettings, Session
from assize.judging.steps import Steps
from assize.models import Models
from assize.reference._samples.experiment import Experiment, equivalence_judge

TALKS = [
    Conversation(f"c{n}", (Turn("user", f"{n}?"), Turn("assistant", "So.")) * 3) for n in range(9)
]


def under_way(seed: int) -> Experiment:
    run = RunSettings(seed=seed)
    session = Session(read([]), ["equivalent@scripted:any"], Path("-"), run=run)
    work = Experiment(session, TALKS, "scripted:any", ("Why?",), 4)
    work.open(Models(), Steps(), dry=True)
    return work


def test_places_are_questions_first_turns_and_random_turns_of_the_seed() -> None:
    places = under_way(0).places()
    groups = [one.metadata["set"] for one in places]
    assert groups == ["open-ended", *["first turn"] * 4, *["random turn"] * 4]
    assert ([turn.text for turn in places[0].context], places[0].turn) == (["Why?"], 1)
    assert [one.id for one in places] == [one.id for one in under_way(0).places()]
    assert [one.id for one in places] != [one.id for one in under_way(1).places()]


def test_what_was_not_reached_has_no_answer() -> None:
    stopped = RunFacts(interrupted=True)
    found = asyncio.run(under_way(0).result([], stopped)).trials
    assert len(found) == 9
    assert {one.row.unscored.reason for one in found if one.row.unscored} == {"not_asked"}


def test_the_judge_must_say_whether_texts_are_equivalent() -> None:
    for name in ("equivalence@scripted:any", "io@scripted:any"):
        session = Session(read([]), [name], None)  # type: ignore[arg-type]
        with pytest.raises(ConfigError, match="give equivalent@MODEL or equivalent-explained"):
            equivalence_judge(session, Models())
    session = Session(read([]), ["equivalent-explained@scripted:any"], None)  # type: ignore[arg-type]
    assert equivalence_judge(session, Models()).name == "equivalent-explained@scripted:any"
