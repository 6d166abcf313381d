"""`examples/dynaeval_judge.py`: a tiny random checkpoint, scored alone and by the commands."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from published_asked import PAIR, TALK
from tiny_bert import make_bert

import assize
from assize import Conversation, Pair, Turn
from assize.base.conversation import Role
from assize.base.errors import ConfigError
from assize.judging.judge import JudgeContext
from assize.judging.table import open_judge
from assize.models import Models

EXAMPLES = Path(__file__).parent.parent / "examples"
CATS = Conversation("cats", (Turn("user", "the cat sat on the mat"), Turn("assistant", "it ran")))
ROLES: tuple[Role, ...] = (
    "system",
    "assistant",
    "user",
    "user",
    "assistant",
    "tool",
    "user",
    "assistant",
    "user",
)
# The first turn is empty, the last have more than the thirty words that are read.
LONG = Conversation(
    "long",
    tuple(
        Turn(role, "the dog ran over the deep river and the bank lends money " * count)
        for count, role in enumerate(ROLES)
    ),
)
# The release's names; vectors of 16 numbers, a context of 6, nodes of 4.
SHAPES: dict[str, tuple[int, ...]] = {
    "ds_1.weight": (8, 16),
    "ds_1.bias": (8,),
    "ds_2.weight": (6, 8),
    "ds_2.bias": (6,),
    "edge_att.weight": (6, 6),
    "gcn.conv1.basis": (2, 6, 4),
    "gcn.conv1.att": (8, 2),
    "gcn.conv1.root": (6, 4),
    "gcn.conv1.bias": (4,),
    "gcn.conv2.weight": (4, 4),
    "gcn.conv2.lin.weight": (4, 4),
    "gcn.conv2.lin.bias": (4,),
    "clf.lin1.weight": (4, 10),
    "clf.lin1.bias": (4,),
    "clf.lin2.weight": (1, 4),
    "clf.lin2.bias": (1,),
}

pytestmark = pytest.mark.slow("loads a model")


def checkpoint(folder: Path, *, gates: int) -> Path:
    """Random weights, with an LSTM (4 gates) or a GRU (3), and a BERT for the sentences."""
    torch: Any = pytest.importorskip("torch")
    from safetensors.torch import save_file

    shapes = dict(SHAPES)
    for end in ("l0", "l0_reverse", "l1", "l1_reverse"):
        shapes[f"rnn.rnn.weight_ih_{end}"] = (3 * gates, 6)
        shapes[f"rnn.rnn.weight_hh_{end}"] = (3 * gates, 3)
        shapes[f"rnn.rnn.bias_ih_{end}"] = (3 * gates,)
        shapes[f"rnn.rnn.bias_hh_{end}"] = (3 * gates,)
    rng = np.random.default_rng(3)
    arrays = {name: rng.normal(scale=0.5, size=shape) for name, shape in shapes.items()}
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: torch.from_numpy(array).float() for name, array in arrays.items()}
    save_file(tensors, folder / "model.safetensors")
    make_bert(folder / "encoder")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint(tmp_path_factory.mktemp("dynaeval"), gates=4)


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The example as a module; the judge `dynaeval` is not in it, for no folder is named."""
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.delenv("DYNAEVAL", raising=False)
    pytest.importorskip("torch")
    yield importlib.import_module("dynaeval_judge")
    del sys.modules["dynaeval_judge"]


# Expected scores: those of DynaEval's runner that assize had of its own, on these checkpoints.
SCORES = {
    4: {"talk": 0.5955445, "cats": 0.6289445, "long": 0.5159985, "a": 0.6352167, "b": 0.6349315},
    3: {"talk": 0.5968674, "cats": 0.6673393, "long": 0.4018312, "a": 0.6728966, "b": 0.6636130},
}


@pytest.mark.parametrize("gates", [4, 3])
def test_scores_are_those_of_the_network(example: Any, tmp_path: Path, gates: int) -> None:
    judge = example.dynaeval_judge(checkpoint(tmp_path, gates=gates))
    scores = SCORES[gates]
    for item, name in ((TALK, "talk"), (CATS, "cats"), (LONG, "long")):
        row, other = judge(item)
        assert (row.question, row.score) == ("dynaeval", pytest.approx(scores[name], abs=1e-5))
        assert (other.question, other.answer) == ("preference", "NA")
    row, other = judge(PAIR)
    sides = {"A": scores["a"], "B": scores["b"]}
    assert row.details["scores"] == pytest.approx(sides, abs=1e-5)
    assert (row.question, row.answer) == ("preference", "A")
    assert (other.question, other.answer) == ("dynaeval", "NA")


def test_speakers_and_windows_count_alone_on_given_vectors(example: Any, folder: Path) -> None:
    import torch
    from safetensors.torch import load_file

    weights = load_file(folder / "model.safetensors")
    vectors = np.random.default_rng(7).normal(size=(9, 16)).astype(np.float32)
    speakers = [0, 1, 0, 1, 1, 0, 0, 1, 0]
    # Computed with the dropped runner, as above.
    score = example.coherence(weights, torch.from_numpy(vectors), speakers)
    assert score == pytest.approx(0.5395179, abs=1e-6)
    alone = example.coherence(weights, torch.from_numpy(vectors[:1]), [0])
    assert alone == pytest.approx(0.6448159, abs=1e-6)


def test_equal_sides_tie_and_silence_is_unscored(example: Any, folder: Path) -> None:
    judge = example.dynaeval_judge(folder)
    assert judge(Pair("same", PAIR.context, PAIR.a, PAIR.a))[0].answer == "tie"
    silent, _ = judge(Conversation("none", (Turn("system", "the dog"),)))
    assert silent.unscored.reason == "empty"


def test_other_weights_are_another_judge(example: Any, folder: Path, tmp_path: Path) -> None:
    other = checkpoint(tmp_path, gates=3)
    signature = example.dynaeval_judge(folder).signature
    assert example.dynaeval_judge(folder).signature == signature
    assert example.dynaeval_judge(other).signature != signature


def test_it_stands_among_the_judges_of_the_commands(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setenv("DYNAEVAL", str(folder))
    rows = assize.judge([CATS, PAIR], "dynaeval_judge:dynaeval", quiet=True).rows()
    assert {(row.item, row.question, row.answer) for row in rows} == {
        ("cats", "dynaeval", None),
        ("cats", "preference", "NA"),
        ("p1", "preference", "A"),
        ("p1", "dynaeval", "NA"),
    }
    found = assize.evaluator.evaluate(
        [CATS, PAIR],
        judgments=[*rows, assize.Judgment("p1", "gold", "preference", answer="A")],
        timed="dynaeval_judge:dynaeval",
    )
    assert [row.judge for row in found.runtimes] == ["evaluator@assize-small-2", "dynaeval"]
    assert found.runtimes[1].conversation.n == found.runtimes[1].pair.n == 1
    assert "dynaeval" in {row.judge for row in found.figures}
    sys.modules.pop("dynaeval_judge")


def test_without_a_folder_the_judge_is_not_there(example: Any) -> None:
    with pytest.raises(ConfigError, match="module dynaeval_judge has no 'dynaeval'"):
        open_judge("dynaeval_judge:dynaeval", JudgeContext(Models()))
