"""An encoder small enough to check by hand, and conversations written in a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from letters import Letters

from assize import Pair
from assize.base.conversation import Conversation, Item, Turn
from assize.base.judgment import PREFERENCE, Judgment
from assize.encoders import ENCODERS, EncoderKind
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._distilled_result import DistilledResult
from assize.evaluator._distilling import BesidePeople, Fidelity, Teacher
from assize.evaluator._learning import learn
from assize.formats.records import judgment
from assize.judgments import JudgmentTable
from assize.stats import compare, pearson, spearman


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture(scope="session")
def talk() -> Callable[..., Conversation]:
    """`talk("id", "u: hi", "a: hello")`."""
    roles = {"u": "user", "a": "assistant", "s": "system", "t": "tool"}

    def make(name: str, *lines: str) -> Conversation:
        turns = (Turn(roles[line[0]], line[3:]) for line in lines)  # type: ignore[arg-type]
        return Conversation(name, tuple(turns))

    return make


@pytest.fixture(scope="session")
def spelt() -> Callable[[bool, np.random.Generator], str]:
    """A word of six letters: a good one is mostly a to c, a bad one d to f."""

    def make(good: bool, rng: np.random.Generator) -> str:
        return "".join(rng.choice(list("abc" if good else "def"), 6))

    return make


@pytest.fixture
def items(
    talk: Callable[..., Conversation], spelt: Callable[[bool, np.random.Generator], str]
) -> list[Item]:
    """Sixty conversations; every other one is good."""
    rng = np.random.default_rng(1)
    return [
        talk(str(number), f"u: {spelt(True, rng)}", f"a: {spelt(number % 2 == 0, rng)}")
        for number in range(60)
    ]


@pytest.fixture
def small(letters: Any, talk: Callable[..., Conversation]) -> Evaluator:
    """An evaluator that tells a from e."""
    items = [talk(str(n), "u: abc", f"a: {'aab' if n % 2 else 'eef'}{n}") for n in range(12)]
    rows = [Judgment(str(n), "ann", "Q0", score=float(n % 2)) for n in range(12)]
    return learn({"mine": items}, JudgmentTable.of(rows), letters, name="small")


@pytest.fixture(scope="session")
def shipped() -> Evaluator:
    return load_evaluator()


@pytest.fixture
def known_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """The encoder of letters opens by its name."""
    kind = EncoderKind("letters:Letters", "letters", frozenset(), named=False)
    monkeypatch.setitem(ENCODERS, "letters", kind)


@pytest.fixture
def distilled(small: Evaluator) -> DistilledResult:
    """An evaluator that was distilled from one calibrator."""
    rng = np.random.default_rng(0)
    x = np.arange(20.0)
    y, z = x + rng.normal(0, 5, 20), x + rng.normal(0, 9, 20)
    people = compare(y, z, x, rng=rng)
    y[[3, 4]] = np.nan
    return DistilledResult(
        evaluator=small,
        labels=JudgmentTable.of(()),
        fidelity=[Fidelity("Q0", pearson(x, y), spearman(x, y))],
        people=[BesidePeople("Q0", people.first, people.second, people.difference, 0.5)],
        teachers=(Teacher("Q0", "abc123", ("3", "17"), True, 18, 2),),
        conversations=20,
        label_count=144,
        samples=8,
        seed=5,
        folds=4,
        answered_elsewhere=3,
        out="mine",
        labels_out="labels.jsonl",
    )


GOOD = ("Left at the church.", "The train leaves at nine.", "Boil it for eight minutes.")
BAD = ("no", "I like turtles.", "whatever")


def asked(number: int) -> Turn:
    return Turn("user", f"Question {number}: can you help me?")


Given = tuple[Sequence[Conversation], JudgmentTable]


@pytest.fixture
def given() -> Given:
    """Twenty conversations, and a rating of each."""
    items, ratings = [], []
    for number in range(20):
        good = number % 2 == 0
        turns = (asked(number), Turn("assistant", (GOOD if good else BAD)[number % 3]))
        items.append(Conversation(str(number), turns))
        ratings.append(Judgment(str(number), "ann", "nice", score=5.0 * good, kind="person"))
    return items, JudgmentTable.of(ratings)


@pytest.fixture
def voted() -> tuple[list[Pair], JudgmentTable]:
    """Forty pairs of a good and a bad answer, and the votes of three judges in both orders."""
    rng = np.random.default_rng(0)
    pairs, votes = [], []
    for number in range(40):
        better, other = "AB" if number % 2 == 0 else "BA"
        texts = {better: GOOD[number % 3], other: BAD[number % 3]}
        a, b = ((Turn("assistant", texts[side]),) for side in "AB")
        pairs.append(Pair(f"p{number}", (asked(number),), a, b))
        for judge, rate in (("ann", 0.9), ("bob", 0.8), ("gold", 1.0)):
            for order in ("AB", "BA"):
                answer = better if rng.random() < rate else other
                row = {"item": f"p{number}", "judge": judge, "question": "preference"}
                votes.append(judgment({**row, "answer": answer, "order": order}))
    return pairs, JudgmentTable.of(votes, [PREFERENCE])
