"""Training the network and the judges' reliabilities together (MTDEval, section 4.3).

Draw a batch of pairs, score both sides, take the likelihood of the votes given the differences, and
move the weights and the reliabilities along its gradient. Each member holds out a part of the pairs
and keeps the weights with which those votes were likeliest.

The batches of an epoch depend on the seed and the epoch alone, so a checkpoint between two epochs
is complete: a training that is killed and started again ends at the same bits.

Letters: M members, D dialogues, F features, N pairs, J judges, K questions.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.evaluator._heads.network import Tower
from assize.evaluator._training.checkpoint import Losses, load_checkpoint, save_checkpoint
from assize.evaluator._training.given_differences import Reliabilities
from assize.evaluator._training.lessons import Lessons
from assize.evaluator._training.ridge_start import ridge_weights
from assize.evaluator._training.settings import Settings
from assize.evaluator._training.signs import GOLD
from assize.evaluator._training.vote_network import VoteNetwork, vote_loss
from assize.results import to_json
from assize.stats._arrays import FloatArray
from assize.stats._reliability import mixture

Progress = Callable[[str], None]

SAVE_EVERY = 2.0  # seconds between checkpoints
ROWS_AT_ONCE = 2048


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """Networks, and what was learnt of the judges.

    Args:
        reliabilities: (J, K), the mean over members on the logits.
        held_out: (N, K) differences by the member that did not learn from the pair; the mean of
            all members where nothing was held out.
        fold: (D,) the member that did not learn from a dialogue; -1 or M and more for none.
        likelihood: by epoch, nats a pair and question of the training votes and of those held out
            (NaN where there are none).
        epochs: by member, after how many epochs it was best.
    """

    tower: Tower
    reliabilities: Reliabilities
    held_out: FloatArray
    fold: NDArray[np.intp]
    likelihood: tuple[tuple[float, float], ...]
    epochs: tuple[int, ...]


def train_network(
    lessons: Lessons,
    x: NDArray[np.float32],
    settings: Settings,
    *,
    start: Reliabilities | None = None,
    gold: Collection[str] = (),
    folder: Path | None = None,
    progress: Progress = lambda line: None,
) -> Trained:
    """Train M networks on votes until the held-out votes get no likelier.

    Args:
        x: (D, F) the dialogues' features, standardised and multiplied by the gains.
        start: reliabilities (J, K) to begin with; `settings.begin` for all when None.
        gold: judges whose votes are taken as true.
        folder: holds the checkpoint; None for none.
        progress: called with one line after each epoch.

    Raises:
        ConfigError: the checkpoint is of other data or settings.
        DataError: too few independent pairs to hold some out.
    """
    if start is None or settings.start == "constant":
        constant = np.full(lessons.votes.shape[1:], settings.begin)
        start = Reliabilities(constant, constant)
    is_gold = [name in gold for name in lessons.judges]
    rates = (np.where(np.array(is_gold)[:, None], GOLD, rate) for rate in (start.alpha, start.beta))
    start = Reliabilities(*rates)
    data = VoteData.of(lessons, x, settings)
    model = VoteNetwork(settings, x.shape[1], start, is_gold)
    if settings.ridge > 0:
        _start_at_ridge(model, lessons, x, data.held.numpy(), start, settings.ridge)
    optimiser = _optimiser(model, settings)
    best = BestMembers.of(model, data)
    digits = [start.alpha.tobytes().hex(), start.beta.tobytes().hex()]
    signature = sign_text(repr((lessons.signature, to_json(settings), sorted(gold), digits)))
    history: Losses = []
    if folder is not None and (checkpoint := load_checkpoint(folder, signature)) is not None:
        tensors, history = checkpoint
        restore(tensors, model, optimiser, best)
    if not history and settings.held_out:
        best.update(model, data, epoch=0)  # where it begins may be the best there is
    saved = time.monotonic()
    for epoch in range(len(history), settings.epochs):
        if settings.held_out and epoch > 0 and epoch >= best.latest + settings.patience:
            break
        train_loss = train_epoch(model, optimiser, data, settings, epoch)
        history.append((train_loss, best.update(model, data, epoch + 1)))
        held_out = "" if math.isnan(history[-1][1]) else f", held out {history[-1][1]:.4f}"
        progress(f"epoch {epoch + 1}/{settings.epochs}: {train_loss:.4f} nats a label{held_out}")
        if folder is not None and time.monotonic() - saved > SAVE_EVERY:
            save_checkpoint(folder, signature, state_of(model, optimiser, best), history)
            saved = time.monotonic()
    if folder is not None:
        save_checkpoint(folder, signature, state_of(model, optimiser, best), history)
    return best.result(model, data, history)


@dataclass(frozen=True, slots=True, eq=False)
class VoteData:
    """The training data as tensors."""

    x: Tensor  # (D, F)
    a: Tensor  # (N,)
    b: Tensor  # (N,)
    for_a: Tensor  # (N, J, K)
    for_b: Tensor  # (N, J, K)
    sided: Tensor  # (N, K) whether a pair has a vote for a side
    fold: Tensor  # (D,)
    held: Tensor  # (M, N) pairs that a member does not learn from

    @classmethod
    def of(cls, lessons: Lessons, x: NDArray[np.float32], settings: Settings) -> VoteData:
        """With one member a fifth is held out, otherwise each member its own part."""
        fold = np.full(len(x), -1, np.intp)
        if settings.held_out:
            count = max(settings.members, 5 if settings.members == 1 else 2)
            fold = lessons.folds(count, np.random.default_rng([settings.seed, 1]))
        members = np.arange(settings.members)[:, None]
        votes = lessons.votes
        return cls(
            x=torch.from_numpy(x),
            a=torch.from_numpy(lessons.a),
            b=torch.from_numpy(lessons.b),
            for_a=torch.from_numpy(votes.for_a),
            for_b=torch.from_numpy(votes.for_b),
            sided=torch.from_numpy(votes.sided),
            fold=torch.from_numpy(fold),
            held=torch.from_numpy(fold[lessons.a] == members),
        )

    def batches(self, settings: Settings, epoch: int) -> list[Tensor]:
        """Return the pairs of each step; an epoch holds each of them once."""
        rng = np.random.default_rng([settings.seed, 3, epoch])
        steps = math.ceil(len(self.a) / settings.batch)
        parts = np.array_split(rng.permutation(len(self.a)), steps)
        return [torch.from_numpy(part) for part in parts]


def train_epoch(
    model: VoteNetwork,
    optimiser: torch.optim.Optimizer,
    data: VoteData,
    settings: Settings,
    epoch: int,
) -> float:
    """Learn from every pair once; return the mean loss of the votes in nats."""
    batches = data.batches(settings, epoch)
    total = 0.0
    for step, pairs in enumerate(batches, start=epoch * len(batches)):
        factor = rate_factor(step, len(batches) * settings.epochs, settings.warm_up)
        for group in optimiser.param_groups:
            group["lr"] = group["rate"] * factor
        optimiser.zero_grad()
        loss = batch_loss(model, data, pairs)
        (loss / len(pairs)).backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        optimiser.step()
        total += loss.item()
    learnt = (~data.held[..., None] & data.sided).sum().item()
    return total / max(learnt, 1)


def batch_loss(model: VoteNetwork, data: VoteData, pairs: Tensor) -> Tensor:
    """Sum the losses of the votes on pairs; what a member holds out costs it nothing."""
    scores = model(data.x[torch.cat([data.a[pairs], data.b[pairs]])]).double()  # (M, 2 N, K)
    a, b = scores[:, : len(pairs)], scores[:, len(pairs) :]
    alpha, beta = (logits[:, None] for logits in model.reliability_logits())  # (M, 1, J, K)
    losses = vote_loss(a - b, data.for_a[pairs], data.for_b[pairs], alpha, beta)  # (M, N, K)
    return losses.masked_fill(data.held[:, pairs, None], 0).sum()


@torch.no_grad()
def scores_of(model: VoteNetwork, x: Tensor) -> Tensor:
    """(M, D, K) of all dialogues, some at a time."""
    starts = range(0, len(x), ROWS_AT_ONCE)
    parts = [model(x[start : start + ROWS_AT_ONCE]) for start in starts]
    return torch.cat(parts, dim=1).double()


@dataclass(slots=True, eq=False)
class BestMembers:
    """Each member as it was when its held-out votes were likeliest."""

    parameters: dict[str, Tensor]
    loss: Tensor  # (M,) of the member's held-out votes
    epoch: Tensor  # (M,) after how many epochs
    difference: Tensor  # (N, K) by the member that holds a pair out

    @classmethod
    def of(cls, model: VoteNetwork, data: VoteData) -> BestMembers:
        """Before the first look."""
        members, pairs = data.held.shape
        return cls(
            {name: values.clone() for name, values in model.state_dict().items()},
            torch.full((members,), math.inf, dtype=torch.float64),
            torch.zeros(members, dtype=torch.int64),
            torch.zeros(pairs, data.sided.shape[1], dtype=torch.float64),
        )

    @property
    def latest(self) -> int:
        """The last epoch in which a member got better."""
        return int(self.epoch.max())

    @torch.no_grad()
    def update(self, model: VoteNetwork, data: VoteData, epoch: int) -> float:
        """Keep the members that got better; return the mean held-out loss in nats."""
        better = torch.ones(len(data.held), dtype=torch.bool)
        mean = math.nan
        if data.held.any():
            scores = scores_of(model, data.x)
            members, pairs = data.held.nonzero(as_tuple=True)
            difference = scores[members, data.a[pairs]] - scores[members, data.b[pairs]]
            alpha, beta = (logits[members] for logits in model.reliability_logits())
            vote_losses = vote_loss(difference, data.for_a[pairs], data.for_b[pairs], alpha, beta)
            mean = vote_losses.sum().item() / max(data.sided[pairs].sum().item(), 1)
            loss = torch.zeros_like(self.loss).index_add_(0, members, vote_losses.sum(dim=1))
            better = loss < self.loss - 1e-9
            self.loss[better] = loss[better]
            kept = better[members]
            self.difference[pairs[kept]] = difference[kept]
        self.epoch[better] = epoch
        for name, values in model.state_dict().items():
            self.parameters[name][better] = values[better]
        return mean

    @torch.no_grad()
    def result(self, model: VoteNetwork, data: VoteData, history: Losses) -> Trained:
        """What the training comes to."""
        model.load_state_dict(self.parameters)
        scores = scores_of(model, data.x)
        together = (scores[:, data.a] - scores[:, data.b]).mean(dim=0)
        held_out = self.difference.where(data.held.any(dim=0)[:, None], together)
        alpha, beta = (
            logits.mean(dim=0).sigmoid().numpy() for logits in model.reliability_logits()
        )
        return Trained(
            model.tower(),
            Reliabilities(alpha, beta),
            held_out.numpy(),
            data.fold.numpy(),
            tuple(history),
            tuple(self.epoch.tolist()),
        )


def state_of(
    model: VoteNetwork, optimiser: torch.optim.Optimizer, best: BestMembers
) -> dict[str, Tensor]:
    """All that going on needs, by name."""
    tensors = {f"model/{name}": values for name, values in model.state_dict().items()}
    tensors |= {f"best/{name}": values for name, values in best.parameters.items()}
    tensors |= {"loss": best.loss, "epoch": best.epoch, "difference": best.difference}
    for place, moments in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser/{place}/{name}": values for name, values in moments.items()}
    return tensors


def restore(
    tensors: Mapping[str, Tensor],
    model: VoteNetwork,
    optimiser: torch.optim.Optimizer,
    best: BestMembers,
) -> None:
    """Put back what `state_of` gave.

    Raises:
        DataError: the tensors are of another training.
    """

    def part(prefix: str) -> dict[str, Tensor]:
        names = [name for name in tensors if name.startswith(prefix)]
        return {name.removeprefix(prefix): tensors[name] for name in names}

    own = state_of(model, optimiser, best)
    if any(name not in tensors or tensors[name].shape != own[name].shape for name in own):
        raise DataError("the checkpoint's arrays do not fit; empty the folder, and train anew")
    model.load_state_dict(part("model/"))
    best.parameters = part("best/")
    best.loss, best.epoch, best.difference = (
        tensors[name] for name in ("loss", "epoch", "difference")
    )
    state = optimiser.state_dict()
    places = [place for group in state["param_groups"] for place in group["params"]]
    state["state"] = {place: part(f"optimiser/{place}/") for place in places}
    optimiser.load_state_dict(state)


def rate_factor(step: int, steps: int, warm_up: float) -> float:
    """Return the factor of the learning rates: a linear warm-up over the first share `warm_up` of
    the steps, then a cosine to 0. Steps count from 0.

    Source: MTDEval, appendix C.

    >>> [round(rate_factor(step, 100, 0.1), 3) for step in (0, 9, 10, 55, 100)]
    [0.1, 1.0, 1.0, 0.5, 0.0]
    """
    rising = int(warm_up * steps)
    if step < rising:
        return (step + 1) / rising
    return 0.5 * (1 + math.cos(math.pi * (step - rising) / max(1, steps - rising)))


def _optimiser(model: VoteNetwork, settings: Settings) -> torch.optim.AdamW:
    """AdamW; weights alone decay, and reliabilities have a rate of their own."""
    weights = [*model.weights, *([] if model.linear is None else [model.linear])]
    rates = {"rate": settings.rate}
    others = {"rate": settings.reliability_rate, "weight_decay": 0.0}
    groups = [
        {"params": weights, "weight_decay": settings.decay, **rates},
        {"params": list(model.biases), "weight_decay": 0.0, **rates},
        {"params": [model.reliability], **others},
    ]
    return torch.optim.AdamW(groups, betas=settings.betas, fused=True)


@torch.no_grad()
def _start_at_ridge(
    model: VoteNetwork,
    lessons: Lessons,
    x: NDArray[np.float32],
    held: NDArray[np.bool_],
    start: Reliabilities,
    penalty: float,
) -> None:
    """Sets the linear weights, where there are any, to a ridge solution on the votes' posterior."""
    weights = model.weights[0] if len(model.weights) == 1 else model.linear
    if weights is None:
        return
    nothing = np.zeros((len(lessons), len(lessons.questions)))
    posterior = mixture(lessons.votes, nothing, start.alpha, start.beta).posterior
    found = ridge_weights(x[lessons.a] - x[lessons.b], posterior, held, penalty)
    weights.copy_(torch.from_numpy(found))
