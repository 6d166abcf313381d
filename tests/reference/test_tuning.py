from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from with_asking import with_asking

from assize import Continuation, Conversation, Turn, read, reference
from assize.base.errors import ConfigError, DataError
from assize.models import Request

METRICS = ("rouge1-f1", "length-ratio")


def knows(request: Request) -> str:
    """Says what a person would have said."""
    return f"It is {request.messages[-1].text.split()[-1]}"


def evades(request: Request) -> str:
    """Says the same everywhere."""
    return "Nobody can tell"


KNOWS, EVADES = (f"scripted:{__name__}:{name}" for name in ("knows", "evades"))


def chat(n: int) -> Conversation:
    return Conversation(f"c{n}", (Turn("user", f"What is {n}"), Turn("assistant", f"It is {n}")))


CHATS = [chat(n) for n in range(8)]


def study(**given: Any) -> Any:
    asked: dict[str, Any] = {
        "base": EVADES,
        "tuned": KNOWS,
        "metrics": METRICS,
        "quiet": True,
    } | given
    return reference.tuning(asked.pop("items", CHATS), **with_asking(**asked))


def test_what_a_tuned_model_gains_is_measured_where_it_was_not_tuned(tmp_path: Path) -> None:
    found = study(tuned_on=CHATS[:2], out=tmp_path / "said.jsonl")
    assert (found.conversations, found.left_out) == (6, 2)
    change = found.changes[0]
    assert (change.metric, change.base.estimate, change.tuned.estimate) == ("rouge1-f1", 0, 1)
    assert change.p == pytest.approx(2 / 2**6)  # all or none of six flipped
    said = list(read(tmp_path / "said.jsonl"))
    assert said == found.continuations
    assert [one.source for one in said[:2] if isinstance(one, Continuation)] == ["base", "tuned"]


def test_a_context_that_was_tuned_on_is_left_out_of_other_conversations_too() -> None:
    from dataclasses import replace

    twin = replace(CHATS[0], id="elsewhere")
    assert study(tuned_on=[twin]).left_out == 1
    with pytest.raises(DataError, match="split first"):
        study(tuned_on=CHATS)


def test_the_files_that_were_tuned_on_are_known_as_well(tmp_path: Path) -> None:
    reference.export(CHATS[:3], out=tmp_path / "train.jsonl")
    assert study(tuned_on=tmp_path / "train.jsonl").left_out == 3


def test_the_same_study_has_the_same_signature() -> None:
    assert study().signature == study().signature != study(seed=1).signature


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"tuned": EVADES}, "nothing can have changed"),
        ({"tuned": "nothing"}, "write provider:name"),
        ({"metrics": ["rouge9"]}, "rouge9"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"temperature": 9}, "temperature"),
    ],
)
def test_what_is_not_allowed_is_said(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        study(**given)


def test_without_references_there_is_nothing_to_compare() -> None:
    with pytest.raises(DataError, match="a context and a reference"):
        study(items=[Continuation("k", (Turn("user", "Hi"),), "x")])
