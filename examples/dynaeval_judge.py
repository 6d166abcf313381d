"""Judge the coherence of dialogues with DynaEval, a graph network over their utterances.

    DYNAEVAL=weights/dynaeval assize judge chats.jsonl --judge dynaeval_judge:dynaeval --out run/

The folder holds `model.safetensors`, with the tensors of DynaEval's release by their names there,
and `encoder`, the sentence encoder it was trained on. See docs/published-judges-methods.md.

Source: Zhang et al. (2021), "DynaEval: Unifying turn and dialogue level evaluation", sections 3.2
to 3.5. Differs: speakers are numbered in the order of their first turns, where the release goes by
position; the released code from utterances to the score was not at hand and follows the paper.
"""

from __future__ import annotations

import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from assize import Conversation, Judgment, Pair, Question, judge_function
from assize.base.judgment import NOT_APPLICABLE, PREFERENCE, Unscored
from assize.encoders import Encoder, load_encoder
from assize.judging.own.function import FunctionJudge

PAST, FUTURE = 4, 4  # utterances before and after an utterance that it is joined to
WORDS = 30  # of an utterance that are read
COHERENCE = Question("dynaeval", "How coherent is the dialogue?", range=(0, 1), higher="better")
EMPTY = Unscored("empty", "nobody says anything")


@torch.inference_mode()
def coherence(weights: dict[str, Tensor], vectors: Tensor, speakers: list[int]) -> float:
    """Return the score in (0, 1) of a dialogue of T utterances.

    Args:
        weights: the network's tensors. C is the size of a context, G that of a graph node.
        vectors: (T, D), one for each utterance.
        speakers: (T,) who speaks, 0 or 1.
    """

    def linear(name: str, values: Tensor) -> Tensor:
        return nn.functional.linear(values, weights[f"{name}.weight"], weights[f"{name}.bias"])

    states, _ = recurrent(weights)(linear("ds_2", linear("ds_1", vectors)))  # (T, C)
    turns, speaker = torch.arange(len(vectors)), torch.tensor(speakers)
    ahead = turns[None, :] - turns[:, None]  # row: source of a message, column: its target
    joined = (ahead >= -PAST) & (ahead <= FUTURE)
    similarity = states @ (states @ weights["edge_att.weight"].T).T
    attention = torch.softmax(similarity.masked_fill(~joined, -torch.inf), dim=1)  # (T, T)
    sources, targets = joined.nonzero(as_tuple=True)  # E edges
    # Eight kinds of edges: who speaks at the source, who at the target, which of them is earlier.
    kinds = 2 * (2 * speaker[sources] + speaker[targets]) + (sources >= targets)
    relations = torch.einsum("rb,bcg->rcg", weights["gcn.conv1.att"], weights["gcn.conv1.basis"])
    messages = torch.einsum("ec,ecg->eg", states[sources], relations[kinds])
    messages = messages * attention[sources, targets][:, None]  # (E, G)
    received = messages.new_zeros(len(vectors), messages.shape[1]).index_add(0, targets, messages)
    received = received / torch.bincount(targets)[:, None]  # the mean; each is joined to itself
    nodes = received + states @ weights["gcn.conv1.root"] + weights["gcn.conv1.bias"]  # (T, G)
    passed = (nodes @ weights["gcn.conv2.weight"])[sources]
    graph = linear("gcn.conv2.lin", nodes).index_add(0, targets, passed)
    dialogue = torch.cat([states, graph], dim=1).mean(dim=0)  # (C + G,)
    return float(torch.sigmoid(linear("clf.lin2", torch.relu(linear("clf.lin1", dialogue)))))


def recurrent(weights: dict[str, Tensor]) -> nn.RNNBase:
    """Return the bidirectional LSTM or GRU of the network."""
    prefix = "rnn.rnn."
    state = {name[len(prefix) :]: tensor for name, tensor in weights.items() if prefix in name}
    rows, half = state["weight_hh_l0"].shape
    layers = sum("weight_hh" in name for name in state) // 2  # one for each direction
    kind = nn.LSTM if rows == 4 * half else nn.GRU
    network = kind(state["weight_ih_l0"].shape[1], half, layers, bidirectional=True)
    network.load_state_dict(state)
    return network.eval()


def dynaeval_judge(folder: str | Path) -> FunctionJudge:
    """Return the judge of a checkpoint: a dialogue's score; of a pair the more coherent side."""
    file = Path(folder) / "model.safetensors"
    weights = {name: tensor.float() for name, tensor in load_file(file).items()}
    encoder = load_encoder(f"hf:{Path(folder) / 'encoder'}")
    digest = sha256(file.read_bytes() + encoder.signature.encode()).hexdigest()

    def score(item: Conversation) -> float | None:
        turns = [turn for turn in item.turns if turn.role in ("user", "assistant")]
        turns = [turn for turn in turns if turn.text.strip()]
        if not turns:
            return None
        texts = [" ".join(turn.text.split()[:WORDS]) for turn in turns]
        roles = [turn.role for turn in turns]
        return coherence(weights, embed(encoder, texts), [int(role != roles[0]) for role in roles])

    @judge_function(
        name="dynaeval",
        kind="evaluator",
        questions=[COHERENCE, PREFERENCE],
        version=int(digest[:8], 16),  # other weights, or another encoder: another judge
    )
    def judge(item: Conversation | Pair) -> list[Judgment]:
        """DynaEval: how coherent a dialogue is, by a graph network over its utterances."""
        row = Judgment(item.id, "dynaeval", "dynaeval")
        other = replace(row, question="preference", answer=NOT_APPLICABLE)
        if isinstance(item, Conversation):
            value = score(item)
            return [replace(row, score=value, unscored=EMPTY if value is None else None), other]
        pair, other = replace(row, question="preference"), replace(row, answer=NOT_APPLICABLE)
        a, b = (score(side) for side in item.sides())
        if a is None or b is None:
            return [replace(pair, unscored=EMPTY), other]
        answer = "tie" if a == b else "A" if a > b else "B"
        return [replace(pair, answer=answer, details={"scores": {"A": a, "B": b}}), other]

    return judge


def embed(encoder: Encoder, texts: list[str]) -> Tensor:
    """Return vectors (T, D): the mean of an utterance's token states, marks included."""
    tokens = encoder.encode(texts, tokens=True).tokens
    assert tokens is not None  # they were asked for
    means = [states.states.mean(axis=0, dtype=np.float64) for states in tokens]
    return torch.from_numpy(np.stack(means).astype(np.float32))


if "DYNAEVAL" in os.environ:
    dynaeval = dynaeval_judge(os.environ["DYNAEVAL"])
