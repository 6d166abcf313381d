"""A head that is a network, and a featuriser of its own: the smallest of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from letters import Letters
from tests.evaluator.talks import Talk

from assize.base.conversation import Item, Pair, Turn
from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.encoders import ENCODERS, EncoderKind, Encoding
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._artefact import save
from assize.evaluator._features.featuriser import FEATURISERS, Features
from assize.evaluator._features.views import View
from assize.evaluator._heads.head import HEADS
from assize.evaluator._heads.scored_question import MonotoneMap, ScoredQuestion
from assize.evaluator._scoring import score
from assize.stats._arrays import FloatArray


@dataclass(frozen=True)
class Means:
    """A featuriser that gives the mean vector of the turns of one role, (D,)."""

    role: str = "assistant"

    name: ClassVar[str] = "means"
    version: ClassVar[int] = 1

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"role": self.role}

    def widths(self, dimension: int) -> dict[str, int]:
        return {"mean": dimension}

    def texts(self, view: View) -> Iterable[str]:
        return (turn.text for turn in view.turns if turn.role == self.role)

    def reader(self, texts: Sequence[str], encoding: Encoding) -> Callable[[View], Features]:
        vectors = dict(zip(texts, encoding.vectors, strict=True))
        return lambda view: np.mean([vectors[text] for text in self.texts(view)], axis=0)


@dataclass(frozen=True, eq=False)
class Network:
    """One hidden layer, one output a question."""

    questions: tuple[str, ...]
    hidden: FloatArray  # (D, K)
    output: FloatArray  # (K, H)
    slope: float = 1.0

    kind: ClassVar[str] = "network"

    @property
    def width(self) -> int:
        return len(self.hidden)

    def raw(self, rows: Sequence[Features] | FloatArray) -> FloatArray:
        return np.tanh(self.slope * np.asarray(rows) @ self.hidden) @ self.output


MAP = MonotoneMap(np.array([-1.0, 1.0]), np.array([0.25, 0.75]))
QUESTIONS = ("overall", "vowels")


def network(slope: float = 1.0) -> Evaluator:
    """Reads `a` and `e` as good; half as much for the first question as for the second."""
    hidden = np.zeros((6, 2))
    hidden[[0, 4], [0, 1]] = 1.0
    output = np.array([[0.5, 1.0], [0.5, 1.0]])
    scored = {
        name: ScoredQuestion(Question(name), {"conversation": MAP, "turn": MAP})
        for name in QUESTIONS
    }
    head = Network(QUESTIONS, hidden, output, slope)
    return Evaluator("net", Letters(), Means(), head, scored)


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """One row in each table is all that a new part needs."""
    encoder = EncoderKind("letters:Letters", "letters", frozenset(), named=False)
    for table, name, row in (
        (HEADS, "network", f"{__name__}:Network"),
        (FEATURISERS, "means", f"{__name__}:Means"),
        (ENCODERS, "letters", encoder),
    ):
        monkeypatch.setitem(table, name, row)


def test_a_network_on_mean_vectors_scores(talk: Talk) -> None:
    # `ab` has the vector (1, 1, 0, ...) / sqrt 2; what is made of its `a` is halved for `overall`
    raw = np.tanh(np.sqrt(0.5)) / 2
    scores = [row.score for row in score([talk("c", "u: aaa", "a: ab")], evaluator=network())]
    assert scores == pytest.approx(MAP([raw, 2 * raw]).tolist(), abs=1e-6)


def test_what_is_kept_is_loaded_again_and_scores_alike(talk: Talk, tmp_path: Path) -> None:
    evaluator = network(slope=0.5)
    save(evaluator, tmp_path)
    again = load_evaluator(tmp_path, encoder="letters")
    assert again.signature == evaluator.signature
    assert (again.head.kind, again.featuriser) == ("network", Means())
    said = (Turn("user", "hi"),)
    items: list[Item] = [
        talk("c", "u: aaa", "a: ab", "u: cc", "a: ee"),
        Pair("p", said, (Turn("assistant", "ae"),), (Turn("assistant", "bf"),)),
    ]
    rows = list(score(items, evaluator=again, turns=True))
    assert rows == list(score(items, evaluator=evaluator, turns=True))
    assert rows[-1].answer == "A"


def test_settings_are_part_of_the_signature() -> None:
    assert network().signature != network(slope=2.0).signature


def test_a_head_or_featuriser_that_is_not_known_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(network(), tmp_path)
    monkeypatch.delitem(HEADS, "network")
    with pytest.raises(DataError, match="head: kind 'network' is not known; known: linear"):
        load_evaluator(tmp_path, encoder="letters")
    monkeypatch.delitem(FEATURISERS, "means")
    with pytest.raises(DataError, match="featuriser 'means' is not known to this version"):
        load_evaluator(tmp_path, encoder="letters")
