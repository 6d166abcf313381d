"""What holds of every result, whatever its method."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

import assize
from assize import Cascade, Conversation, Judgment, Turn
from assize.results import Result
from assize.results.fields import hints_of
from assize.scoring.summary import ScoreSummary

ROOT = Path(assize.__file__).parent


def kinds_below(kind: type[Result]) -> Iterator[type[Result]]:
    for below in kind.__subclasses__():
        yield below
        yield from kinds_below(below)


def every_kind() -> list[type[Result]]:
    for path in ROOT.rglob("*.py"):
        if "(Result" in (text := path.read_text()) or "(Records[" in text or "(OfRun)" in text:
            import_module(".".join(("assize", *path.relative_to(ROOT).with_suffix("").parts)))
    kinds = {f"{kind.__module__}:{kind.__name__}": kind for kind in kinds_below(Result)}
    return [kind for name, kind in kinds.items() if name.startswith("assize.")]


KINDS = every_kind()


def test_there_are_results() -> None:
    assert len(KINDS) > 60


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_result_is_equal_to_itself_alone_and_its_fields_can_be_read(kind: type[Result]) -> None:
    assert kind.__eq__ is object.__eq__
    assert kind.__hash__ is object.__hash__
    if is_dataclass(kind):
        hints_of(kind)


def same_after_pickling(result: Result) -> Result:
    again: Result = pickle.loads(pickle.dumps(result))
    assert type(again) is type(result)
    assert str(again) == str(result)
    assert again.to_json() == result.to_json()
    return again


def test_agreement_and_juries_can_be_pickled() -> None:
    votes = [
        Judgment(f"p{item}", judge, "preference", answer=answer)
        for judge, answers in {"x": "AABB", "y": "ABAB", "gold": "AABA"}.items()
        for item, answer in enumerate(answers)
    ]
    same_after_pickling(assize.agree(votes, gold="gold"))
    same_after_pickling(assize.jury(votes, Cascade("x > y")))


def test_an_evaluator_and_its_scores_can_be_pickled() -> None:
    evaluator = assize.evaluator.load_evaluator()
    turns = (Turn("user", "How are you?"), Turn("assistant", "I am well, thank you. And you?"))
    summary = assize.scoring.summarise_scores([Conversation("c", turns)], evaluator=evaluator)
    assert isinstance(same_after_pickling(summary), ScoreSummary)
    same_after_pickling(evaluator)
