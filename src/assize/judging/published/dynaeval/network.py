"""The network of DynaEval: sentence vectors of a dialogue in, how coherent it is out.

Design choices
- One dialogue at a time: a dialogue has a dozen utterances, and what stands beside it in a batch
  cannot change its score.
- Sizes come from the tensors of a checkpoint (`weights.py`), so that networks of other sizes open.
- Without torch-geometric: the two graph layers are a few lines on dense matrices of at most some
  hundred utterances.

vectors ─► two linear layers ─► bidirectional LSTM ─► relational layer ─► graph layer ─┐
                                        └──────────────────────────────────────────────┴─► score
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from assize.judging.published.dynaeval.graph import ALL, Graph, graph_of

Aggregation = Literal["mean", "sum"]


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a network; the defaults are those of the release."""

    vector: int = 768  # of a sentence's vector
    reduced: int = 384
    context: int = 200  # both directions of the recurrent layers together
    graph: int = 100
    hidden: int = 100  # of the score
    speakers: int = 2
    bases: int = 16  # matrices that those of all kinds of edges are mixed of
    layers: int = 2
    gated: Literal["lstm", "gru"] = "lstm"

    @property
    def kinds(self) -> int:
        """Kinds of edges: two directions in time for each pair of speakers."""
        return 2 * self.speakers**2


class Network(nn.Module):
    """Scores a dialogue by the sentence vectors of its utterances.

    Args:
        sizes: of its layers.
        past, future: how far an utterance is joined to others; -1 to all of them.
        aggregation: whether messages of the relational layer are averaged or summed over the edges
            that reach an utterance.
        dropout: in training alone.

    Source: Zhang et al. (2021), sections 3.2 to 3.5, and its release. Differs: the last part, from
    utterances to a score, is as the paper has it (their mean, two linear layers, a sigmoid), for
    that file is not at hand; its tensors can be named (`weights.py`).
    """

    def __init__(
        self,
        sizes: Sizes,
        *,
        past: int = 4,
        future: int = 4,
        aggregation: Aggregation = "mean",
        dropout: float = 0.5,
    ) -> None:
        super().__init__()
        self.sizes, self.past, self.future = sizes, past, future
        self.aggregation = aggregation
        self.first = nn.Linear(sizes.vector, sizes.reduced)
        self.second = nn.Linear(sizes.reduced, sizes.context)
        recurrent = nn.LSTM if sizes.gated == "lstm" else nn.GRU
        self.context = recurrent(
            sizes.context, sizes.context // 2, num_layers=sizes.layers, bidirectional=True,
            dropout=dropout if sizes.layers > 1 else 0.0,
        )  # fmt: skip
        self.attention = nn.Parameter(_glorot(sizes.context, sizes.context))
        self.basis = nn.Parameter(
            torch.stack([_glorot(sizes.context, sizes.graph) for _ in range(sizes.bases)])
        )
        self.mix = nn.Parameter(_glorot(sizes.kinds, sizes.bases))
        self.root = nn.Parameter(_glorot(sizes.context, sizes.graph))
        self.bias = nn.Parameter(torch.zeros(sizes.graph))
        self.neighbours = nn.Parameter(_glorot(sizes.graph, sizes.graph))
        self.own = nn.Linear(sizes.graph, sizes.graph)
        self.hidden = nn.Linear(sizes.context + sizes.graph, sizes.hidden)
        self.out = nn.Linear(sizes.hidden, 1)
        self.drop = nn.Dropout(dropout)

    def forward(self, vectors: Tensor, speakers: list[int]) -> Tensor:
        """The score, a number in (0, 1), of a dialogue whose T utterances have these vectors
        (T, D) and speakers."""
        reduced = self.drop(self.second(self.drop(self.first(vectors))))  # (T, C)
        said, _ = self.context(reduced)  # (T, C)
        graph = graph_of(speakers, self.sizes.speakers, self.past, self.future)
        related = self.related(said, graph)  # (T, G)
        both = torch.cat([said, related], dim=1).mean(dim=0)  # (C + G,)
        hidden = self.drop(torch.relu(self.hidden(both)))
        return torch.sigmoid(self.out(hidden)).squeeze(0)

    def related(self, said: Tensor, graph: Graph) -> Tensor:
        """What the two graph layers make of utterances (T, C): (T, G)."""
        sources, targets = torch.from_numpy(graph.sources), torch.from_numpy(graph.targets)
        weights = self.attended(said, graph)[sources, targets]  # (E,)
        matrices = torch.einsum("rb,bcg->rcg", self.mix, self.basis)  # (kinds R, C, G)
        kinds = torch.from_numpy(graph.kinds)
        sent = torch.einsum("ec,ecg->eg", said[sources], matrices[kinds]) * weights[:, None]
        got = said.new_zeros(len(said), self.sizes.graph).index_add(0, targets, sent)
        if self.aggregation == "mean":
            got = got / torch.bincount(targets, minlength=len(said)).clamp(min=1)[:, None]
        nodes = got + said @ self.root + self.bias  # (T, G)
        passed = (nodes @ self.neighbours)[sources]  # (E, G)
        out: Tensor = self.own(nodes)
        return out.index_add(0, targets, passed)

    def attended(self, said: Tensor, graph: Graph) -> Tensor:
        """(T, T): how an utterance, a row, weighs those in its window; each row sums to 1."""
        scores = said @ (said @ self.attention.T).T  # row j, column k: h_j . (W h_k)
        joined = torch.zeros(scores.shape, dtype=torch.bool)
        joined[torch.from_numpy(graph.sources), torch.from_numpy(graph.targets)] = True
        return torch.softmax(scores.masked_fill(~joined, -torch.inf), dim=1)

    @torch.inference_mode()
    def score(self, vectors: Tensor, speakers: list[int]) -> float:
        """The score of one dialogue, without dropout."""
        self.eval()
        return float(self(vectors, speakers))


def coherence_loss(better: Tensor, worse: Tensor, margin: float = 0.1) -> Tensor:
    """How far scores (N,) of dialogues fail to exceed those of their disordered twins (N,) by the
    margin, on average. Source: Zhang et al. (2021), section 3.6. Differs: none."""
    return torch.relu(margin - (better - worse)).mean()


def _glorot(rows: int, columns: int) -> Tensor:
    found = torch.empty(rows, columns)
    return nn.init.xavier_uniform_(found)


__all__ = ["ALL", "Aggregation", "Network", "Sizes", "coherence_loss"]
