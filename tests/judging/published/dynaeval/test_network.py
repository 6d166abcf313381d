"""DynaEval's network: against plain loops, its invariants, and that it learns order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.judging.published.dynaeval.graph import graph_of

torch = pytest.importorskip("torch")

from assize.judging.published.dynaeval.network import (  # noqa: E402  # needs torch
    Network,
    Sizes,
    coherence_loss,
)

SMALL = Sizes(vector=6, reduced=5, context=4, graph=3, hidden=12, bases=2)
SPEAKERS = [0, 1, 0, 1]


def made(seed: int = 0, **settings: Any) -> Network:
    torch.manual_seed(seed)
    return Network(replace(SMALL, **settings.pop("sizes", {})), **settings).eval()


def dialogue(turns: int = 4, seed: int = 0) -> Any:
    return torch.randn(turns, 6, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("aggregation", ["mean", "sum"])
def test_the_graph_layers_are_what_loops_over_edges_make(aggregation: Any) -> None:
    network = made(past=1, future=1, aggregation=aggregation)
    said = torch.randn(4, 4, generator=torch.Generator().manual_seed(1))
    graph = graph_of(SPEAKERS, 2, 1, 1)
    edges = list(zip(graph.sources, graph.targets, graph.kinds, strict=True))
    with torch.inference_mode():
        found = network.related(said, graph).numpy()
    weights = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    h = said.numpy()
    attended = np.zeros((4, 4))
    for j in range(4):
        near = [k for k in range(4) if abs(j - k) <= 1]
        scores = np.array([(weights["attention"] @ h[k]) @ h[j] for k in near])
        raised = np.exp(scores - scores.max())
        attended[j, near] = raised / raised.sum()
    nodes = np.zeros((4, 3))
    for k in range(4):
        into = [
            attended[j, k]
            * h[j]
            @ sum(weights["mix"][kind, b] * weights["basis"][b] for b in range(2))
            for j, target, kind in edges
            if target == k
        ]
        got = sum(into) / (len(into) if aggregation == "mean" else 1)
        nodes[k] = got + h[k] @ weights["root"] + weights["bias"]
    expected = np.zeros((4, 3))
    for k in range(4):
        near_sum = sum(nodes[j] @ weights["neighbours"] for j, target, _ in edges if target == k)
        expected[k] = near_sum + weights["own.weight"] @ nodes[k] + weights["own.bias"]
    assert found == pytest.approx(expected, abs=1e-5)


def test_attention_sums_to_one_within_the_window_and_is_nothing_outside() -> None:
    network = made(past=1, future=0)
    with torch.inference_mode():
        found = network.attended(dialogue()[:, :4], graph_of(SPEAKERS, 2, 1, 0))
    assert found.sum(dim=1).tolist() == pytest.approx([1.0] * 4)
    assert [[bool(one) for one in row] for row in found > 0] == [
        [True, False, False, False], [True, True, False, False],
        [False, True, True, False], [False, False, True, True],
    ]  # fmt: skip


def test_a_score_is_a_probability_and_the_same_each_time() -> None:
    network = made()
    network.train()  # `score` sees to it that nothing is dropped
    scores = [network.score(dialogue(turns), [n % 2 for n in range(turns)]) for turns in (1, 2, 9)]
    assert all(0 < one < 1 for one in scores)
    assert [network.score(dialogue(turns), [n % 2 for n in range(turns)])
            for turns in (1, 2, 9)] == scores  # fmt: skip
    assert made(1).score(dialogue(), SPEAKERS) != scores[0]


def test_who_speaks_and_in_which_order_counts() -> None:
    network, said = made(), dialogue()
    one = network.score(said, SPEAKERS)
    assert network.score(said, [0, 0, 1, 1]) != pytest.approx(one, abs=1e-7)
    assert network.score(said.flip(0), SPEAKERS) != pytest.approx(one, abs=1e-7)


def test_a_gru_and_other_sizes_do_as_well() -> None:
    network = made(sizes={"gated": "gru", "speakers": 3, "layers": 1}, past=-1, future=-1)
    assert 0 < network.score(dialogue(), [0, 1, 2, 0]) < 1


def test_the_loss_is_what_the_margin_lacks() -> None:
    better, worse = torch.tensor([0.9, 0.5]), torch.tensor([0.2, 0.45])
    assert float(coherence_loss(better, worse)) == pytest.approx((0 + 0.05) / 2)


def stories(count: int, seed: int) -> list[Any]:
    """Made-up dialogues of six turns that go from an opening to a closing, with much noise."""
    rng = torch.Generator().manual_seed(seed)
    opening, closing = torch.eye(6)[0], torch.eye(6)[1]
    place = torch.linspace(0, 1, 6)[:, None]
    path = 2 * (1 - place) * opening + 2 * place * closing
    return [path + 0.7 * torch.randn(6, 6, generator=rng) for _ in range(count)]


def shuffled(said: Any, rng: Any) -> Any:
    return said[torch.randperm(len(said), generator=rng)]


@pytest.mark.nightly
def test_it_learns_to_tell_dialogues_from_their_shuffled_twins() -> None:
    torch.manual_seed(1)
    sizes = Sizes(vector=6, reduced=8, context=16, graph=8, hidden=8, bases=2, layers=1)
    network, rng = Network(sizes, dropout=0.0), torch.Generator().manual_seed(9)
    speakers = [n % 2 for n in range(6)]
    held_out = stories(60, seed=2)
    twins = [shuffled(one, rng) for one in held_out]

    def right() -> float:
        found = [
            network.score(one, speakers) > network.score(other, speakers)
            for one, other in zip(held_out, twins, strict=True)
        ]
        return sum(found) / len(found)

    before = right()
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-2)
    talk = stories(32, seed=1)
    network.train()
    for _ in range(5):
        for start in range(0, len(talk), 16):
            batch = talk[start : start + 16]
            better = torch.stack([network(one, speakers) for one in batch])
            worse = torch.stack([network(shuffled(one, rng), speakers) for one in batch])
            optimiser.zero_grad()
            coherence_loss(better, worse).backward()  # type: ignore[no-untyped-call]  # of torch
            optimiser.step()
    assert before < 0.6
    assert right() >= 0.85
