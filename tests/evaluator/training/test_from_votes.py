"""Evaluators learnt from votes, on an encoder small enough to check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from letters import Letters
from tests.evaluator.talks import scores_of

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE, Judgment
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._artefact import save
from assize.evaluator._heads.network import Network
from assize.evaluator._scoring import score
from assize.evaluator._training.from_votes import learn_from_votes
from assize.evaluator._training.settings import settings_of
from assize.judgments import JudgmentTable

QUICK = settings_of("linear", members=2, epochs=3)
KNOWN = {"good": 0.9, "fair": 0.7, "liar": 0.2}
GIVEN = [replace(PREFERENCE, id=name) for name in ("preference", "Safety")]


def pairs(count: int = 160, seed: int = 0) -> tuple[list[Pair], list[bool]]:
    """The better side has letters a to c, the other d to f."""
    rng = np.random.default_rng(seed)
    found, is_a = [], []
    for number in range(count):
        words = ["".join(rng.choice(list(part), 8)) for part in ("aabbcd", "cddeff")]
        is_a.append(bool(rng.random() < 0.5))
        a, b = words if is_a[-1] else words[::-1]
        user = Turn("user", f"question {number}")
        first, second = ((user, Turn("assistant", one)) for one in (a, b))
        found.append(Pair(f"p{seed}-{number}", (), first, second))
    return found, is_a


def votes_on(items: list[Pair], is_a: list[bool], seed: int = 1) -> JudgmentTable:
    """By three judges, on overall and on Safety."""
    rng = np.random.default_rng(seed)
    rows = []
    for item, better in zip(items, is_a, strict=True):
        for judge, rate in KNOWN.items():
            for question in ("preference", "Safety"):
                says_a = (rng.random() < rate) == better
                rows.append(Judgment(item.id, judge, question, answer="A" if says_a else "B"))
    return JudgmentTable.of(rows, GIVEN)


def learnt(**more: Any) -> Evaluator:
    items, is_a = pairs()
    given: dict[str, Any] = {"items": items, "table": votes_on(items, is_a), "settings": QUICK}
    return learn_from_votes(encoder=Letters(), name="mine", **{**given, **more})


@pytest.mark.parametrize("apart", [False, True], ids=["one network", "two models"])
def test_it_compares_pairs_that_it_has_not_seen_and_scores_each_alone(apart: bool) -> None:
    evaluator = learnt(settings=replace(QUICK, apart=apart))
    assert isinstance(evaluator.head, Network)
    assert len(evaluator.head.towers) == 1 + apart
    items, is_a = pairs(40, seed=5)
    rows = [row for row in score(items, evaluator=evaluator) if row.question == "preference"]
    right = [(row.answer == "A") == better for row, better in zip(rows, is_a, strict=True)]
    assert np.mean(right) > 0.85
    user = Turn("user", "Letters?")
    talks = [Conversation(text, (user, Turn("assistant", text))) for text in ("aabb", "eeff")]
    for question in ("Overall", "Safety"):
        first, second = scores_of(evaluator, talks, question)
        assert 1 > first > 0.5 > second > 0


def reliabilities(evaluator: Evaluator) -> dict[tuple[str, str], tuple[float, float]]:
    """Alpha and beta by judge and question."""
    return {
        (row.judge, row.question): (row.alpha.estimate, row.beta.estimate)
        for row in evaluator.reliabilities
    }


def test_the_judges_reliabilities_are_learnt_and_kept(tmp_path: Path, known_letters: None) -> None:
    evaluator = learnt(settings=settings_of("linear", members=2, epochs=10))
    known = reliabilities(evaluator)
    for judge, rate in KNOWN.items():
        assert list(known[judge, "Overall"]) == pytest.approx([rate, rate], abs=0.12)
    save(evaluator, tmp_path)
    again = load_evaluator(tmp_path, encoder="letters")
    assert again.about == evaluator.about
    assert list(again.reliabilities) == list(evaluator.reliabilities)
    assert again.signature == evaluator.signature


def test_a_trusted_liar_turns_everything_round() -> None:
    """Whoever is trusted is believed: the sides are exchanged, and the others come out wrong."""
    told = reliabilities(learnt(anchors=["liar"]))
    assert sum(told["liar", "Overall"]) > 1 > sum(told["good", "Overall"])


ONE_VOTE = JudgmentTable.of([Judgment("p0-0", "ann", "preference", answer="A")], GIVEN[:1])


@pytest.mark.parametrize(
    ("more", "kind", "message"),
    [
        ({"anchors": ["eve"]}, ConfigError, "'eve' has no vote for a side; judges here: good"),
        (
            {"items": pairs(3)[0], "table": ONE_VOTE, "settings": settings_of("small")},
            DataError,
            "independent pairs are too few to hold out 5 parts",
        ),
    ],
)
def test_what_nothing_can_be_learnt_from_is_refused(
    more: dict[str, Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        learnt(**more)


@pytest.mark.parametrize(("held_out", "notes"), [(False, 1), (True, 0)])
def test_reliabilities_that_are_not_learnt_again_from_few_pairs_carry_a_note(
    held_out: bool, notes: int
) -> None:
    told = learnt(settings=replace(QUICK, held_out=held_out, members=2)).about["notes"]
    assert len([note for note in told if "learnt reliabilities from 160 pairs" in note]) == notes
