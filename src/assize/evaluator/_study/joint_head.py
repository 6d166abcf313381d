"""The linear head and the judges' reliabilities learnt together, as MTDEval learns its network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assize.base.errors import DataError
from assize.evaluator._study.linear_head import LinearHead, design
from assize.evaluator._study.targets import learnt_from
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.evaluator._training.given_differences import Reliabilities
from assize.stats._arrays import IntArray

if TYPE_CHECKING:
    from torch import Tensor

UNKNOWN, EDGE = 0.7, 0.02  # where a judge of whom nothing is known begins; how near 0 and 1
CURVATURE = 1 / np.pi  # of -log Phi(d / sqrt 2) by d, at d = 0


def joint(data: VotedPairs, rows: IntArray) -> LinearHead:
    """The head that, with the best reliabilities, makes the votes most probable."""
    return fit_joint(data, rows)[0]


def fit_joint(data: VotedPairs, rows: IntArray) -> tuple[LinearHead, Reliabilities]:
    """The head, and alpha and beta (J, 1) of the judges.

    Reliabilities begin where the votes alone put them, which settles which side is up, and are not
    penalised.

    Raises:
        DataError: no vote is for a side.

    Source: MTDEval (Tang et al.), equations 1-9. Differs: a linear head, L-BFGS on all pairs, and
    the start.
    """
    import torch

    from assize.evaluator._training.vote_network import vote_loss

    voted = data.votes.take(rows).sided[:, 0]
    if not voted.any():
        raise DataError("no vote is for A or B; nothing can be learnt from these judges")
    votes = data.votes.take(rows[voted])
    for_a, for_b = torch.from_numpy(votes.for_a), torch.from_numpy(votes.for_b)

    def loss(difference: Tensor, logits: Tensor) -> Tensor:
        alpha, beta = logits.reshape(2, -1, 1)
        return vote_loss(difference[:, None], for_a, for_b, alpha, beta).sum()

    known = learnt_from(votes)
    rates = np.stack([known.alpha, known.beta])  # (2, J, 1) where votes alone put the judges
    rates = np.where(np.isnan(rates), UNKNOWN, np.clip(rates, EDGE, 1 - EDGE))
    start = torch.from_numpy(rates).logit().numpy()
    minimum = design(data, rows[voted]).minimise(loss, start.ravel(), CURVATURE)
    alpha, beta = torch.from_numpy(minimum.more).reshape(2, -1, 1).sigmoid().numpy()
    return minimum.head, Reliabilities(alpha, beta)
