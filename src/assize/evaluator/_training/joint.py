"""Network and reliabilities minimised together: minibatches, AdamW, held-out votes, checkpoints.

The method (MTDEval, section 4.3): draw a batch of pairs, run both sides through the network, take
the likelihood of the votes given the differences, and move the network's weights and the judges'
reliabilities along its gradient.

The order of an epoch's batches comes from the seed and the epoch alone, so that a state between two
epochs (weights, moments, reliabilities, counters) is all that going on needs, to the last bit.

Letters: M members, D dialogues, F features, N pairs, J judges, K questions, P parameters.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assize.base.signature import sign_text
from assize.evaluator._features.surface import FloatArray
from assize.evaluator._heads.network import Tower
from assize.evaluator._training.adamw import AdamW, share_of_rate
from assize.evaluator._training.checkpoint import State, load_state, save_state
from assize.evaluator._training.given_differences import Reliabilities
from assize.evaluator._training.lessons import Lessons
from assize.evaluator._training.objective import (
    cost_of_votes,
    for_members,
    logits_of,
    reliabilities_of,
)
from assize.evaluator._training.perceptrons import (
    Floats,
    Shape,
    backward,
    forward,
    initial,
    tower_of,
    views,
)
from assize.evaluator._training.ridge_start import ridge_weights
from assize.evaluator._training.settings import Settings
from assize.evaluator._training.signs import GOLD
from assize.results import to_json
from assize.stats._reliability import Votes, mixture

_SAVE_EVERY = 2.0  # seconds between checkpoints
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """One tower of networks, with what was learnt of the judges beside it.

    Args:
        fold: (D,) the member that did not learn from a dialogue; a number that is no member's
            where there is none.
        held_out: (N, K) differences in units of sigma by the member that did not learn from
            the pair; by all members where nothing was held out.
        likelihood: nats per pair and question with a vote for a side: of the training votes
            by epoch, and of those held out (NaN where there are none).
    """

    tower: Tower
    reliabilities: Reliabilities  # (J, K), the mean over members, on the logits
    by_member: FloatArray  # (2, M, J, K)
    held_out: FloatArray
    fold: NDArray[np.intp]
    likelihood: tuple[tuple[float, float], ...]
    epochs: tuple[int, ...]  # by member, after how many epochs it was best


@dataclass(slots=True, eq=False)
class JointTraining:
    """A training that can be run, interrupted, and gone on with.

    Args:
        lessons: what is learnt from.
        x: (D, F) its rows, standardised and multiplied by the gains.
        settings: how.
        gold: names of judges whose votes are taken as true.
        first: reliabilities (J, K) to begin with where `settings.start` is `votes`.
    """

    lessons: Lessons
    x: Floats
    settings: Settings
    gold: frozenset[str] = frozenset()
    first: Reliabilities | None = None
    shape: Shape = field(init=False)
    fold: NDArray[np.intp] = field(init=False)  # (D,) the member that holds a dialogue out

    def __post_init__(self) -> None:
        chosen, lessons = self.settings, self.lessons
        self.shape = Shape(
            chosen.members,
            self.x.shape[1],
            chosen.hidden,
            len(lessons.questions),
            chosen.activation,
            chosen.linear and bool(chosen.hidden),
        )
        # with one member a fifth is held out, otherwise each its own part
        self.fold = np.full(len(self.x), -1, np.intp)
        if chosen.held_out:
            rng = np.random.default_rng([chosen.seed, 1])
            self.fold = lessons.folds(max(chosen.members, 5 if chosen.members == 1 else 2), rng)
        self._prepare()

    _held: NDArray[np.bool_] = field(init=False)  # (M, N)
    _votes: Votes = field(init=False)  # of all members side by side

    def _prepare(self) -> None:
        places = np.arange(self.settings.members)[:, None]
        self._held = self.fold[self.lessons.a][None] == places
        self._votes = for_members(self.lessons.votes, self._held)

    # -- where it begins ---------------------------------------------------------------------

    def begin(self) -> State:
        """The state before the first step."""
        chosen = self.settings
        rngs = [np.random.default_rng([chosen.seed, 2, one]) for one in range(chosen.members)]
        flat = initial(self.shape, rngs)
        found = self._first_reliabilities()
        if chosen.ridge > 0:
            self._begin_with_ridge(flat, found)
        logits = np.repeat(logits_of(found)[:, :, None], chosen.members, axis=2)
        logits = logits.reshape(2, len(self.lessons.judges), -1)
        pairs = (len(self.lessons), len(self.lessons.questions))
        return State.of(flat, logits, chosen.members, pairs)

    def _first_reliabilities(self) -> Reliabilities:
        """Those that are given, or else `begin` for all."""
        rate = np.full(self.lessons.votes.shape[1:], self.settings.begin)
        found = Reliabilities(rate, rate)
        if self.settings.start == "votes" and self.first is not None:
            found = self.first
        gold = self._fixed[:, None]
        return Reliabilities(*(np.where(gold, GOLD, one) for one in (found.alpha, found.beta)))

    @property
    def _fixed(self) -> NDArray[np.bool_]:
        return np.array([name in self.gold for name in self.lessons.judges], dtype=bool)

    def _begin_with_ridge(self, flat: Floats, found: Reliabilities) -> None:
        """Sets the linear weights to a ridge solution, where there are any."""
        parts = views(self.shape, flat)
        weights = parts.get("linear", parts["weight.0"] if not self.shape.hidden else None)
        if weights is None:
            return
        members = self.settings.members
        nothing = np.zeros((len(self.lessons), weights.shape[2] * members))
        wide = Reliabilities(np.tile(found.alpha, members), np.tile(found.beta, members))
        posterior = mixture(self._votes, nothing, wide.alpha, wide.beta).posterior
        x = self.x[self.lessons.a] - self.x[self.lessons.b]
        weights[:] = ridge_weights(
            x, _by_member(posterior, members), self._held, self.settings.ridge
        )

    # -- steps -------------------------------------------------------------------------------

    @property
    def steps_an_epoch(self) -> int:
        """Batches that hold each pair once."""
        return ceil(len(self.lessons) / self.settings.batch)

    def run(self, folder: str | Path | None = None, *, progress: Progress | None = None) -> Trained:
        """Trains to the end; from a checkpoint in `folder` where there is one.

        A run that is killed and started again with the same lessons and settings gives the
        same numbers as one that was not, bit for bit.

        Raises:
            ConfigError: the checkpoint there is of other lessons or settings.
        """
        signature = self.signature
        state = None if folder is None else load_state(Path(folder), signature)
        if state is None:
            state = self.begin()
            if self.settings.held_out:
                self._look(state)  # what it begins with may be the best there is
        saved = time.monotonic()
        while not self._ended(state):
            self._epoch(state)
            self._look(state)
            if progress is not None:
                progress(self._said(state))
            ended = self._ended(state)
            if folder is not None and (ended or time.monotonic() - saved > _SAVE_EVERY):
                save_state(Path(folder), state, signature)
                saved = time.monotonic()
        return self._result(state)

    @property
    def signature(self) -> str:
        """Digits that stand for lessons and settings."""
        first = self._first_reliabilities()
        begin = [one.hex() for one in (first.alpha.tobytes(), first.beta.tobytes())]
        told = (self.lessons.signature, to_json(self.settings), sorted(self.gold), begin)
        return sign_text(repr(told))

    def _ended(self, state: State) -> bool:
        late = self.settings.held_out and state.epoch >= int(
            state.best_epoch.max() + self.settings.patience
        )
        return state.epoch >= self.settings.epochs or (late and state.epoch > 0)

    def _epoch(self, state: State) -> None:
        """Every pair once, in batches."""
        chosen, count = self.settings, self.steps_an_epoch
        rng = np.random.default_rng([chosen.seed, 3, state.epoch])
        pairs = np.array_split(rng.permutation(len(self.lessons)), count)
        total = 0.0
        for some in pairs:
            share = share_of_rate(state.step, count * chosen.epochs, chosen.warm_up)
            total += self._step(state, some, share)
        cells = float(self._votes.sided.sum())
        state.epoch += 1
        state.history.append((total / max(cells, 1.0), float("nan")))

    def _step(self, state: State, pairs: NDArray[np.intp], share: float) -> float:
        chosen, lessons, n = self.settings, self.lessons, len(pairs)
        rows = np.concatenate([lessons.a[pairs], lessons.b[pairs]])
        passed = forward(self.shape, state.flat, self.x[rows])
        delta = np.zeros(passed.outputs.shape)  # (M, 2 N, K)
        difference = _side_by_side(passed.outputs[:, :n] - passed.outputs[:, n:])
        size = 1.0 / n
        found = cost_of_votes(self._votes.take(pairs), difference, state.logits)
        by_member = _by_member(found.difference, chosen.members)
        delta[:, :n], delta[:, n:] = by_member, -by_member
        delta *= size
        gradient = backward(self.shape, state.flat, passed, delta.astype(np.float32))
        state.step += 1
        weights = AdamW(
            state.moments, state.squares, chosen.betas, chosen.decay, self.shape.decayed
        )
        weights.step(state.flat, gradient, rate=chosen.rate * share, number=state.step)
        self._move_reliabilities(state, found.logits * size, share)
        return found.value

    def _move_reliabilities(self, state: State, logits: FloatArray, share: float) -> None:
        """With a rate of their own, and no decay."""
        chosen = self.settings
        if chosen.tied:
            logits = np.repeat(logits.sum(axis=0, keepdims=True), 2, axis=0)
        logits[:, self._fixed] = 0.0
        rest, gradient = state.logits.ravel(), logits.ravel()
        optimiser = AdamW(state.rest_moments, state.rest_squares, chosen.betas)
        rate = chosen.reliability_rate * share
        optimiser.step(rest, gradient, rate=rate, number=state.step)
        state.logits[:] = rest.reshape(state.logits.shape)

    def _outputs(self, flat: Floats) -> FloatArray:
        """(M, D, K) of all dialogues, some at a time."""
        parts = [
            forward(self.shape, flat, self.x[start : start + 2048]).outputs
            for start in range(0, len(self.x), 2048)
        ]
        return np.concatenate(parts, axis=1).astype(np.float64)

    # -- looking at what was held out, and the end ----------------------------------------------

    def _look(self, state: State) -> None:
        """Keeps each member as it is now, if it likes its held-out votes better than before."""
        members = self.settings.members
        if not self.settings.held_out:
            state.best_flat[:], state.best_logits[:] = state.flat, state.logits
            state.best_epoch[:] = state.epoch
            return
        outputs = self._outputs(state.flat)
        questions = len(self.lessons.questions)
        by_member = state.logits.reshape(2, -1, members, questions)
        total = cells = 0.0
        for member in range(members):
            mine = np.flatnonzero(self._held[member])
            difference = (
                outputs[member, self.lessons.a[mine]] - outputs[member, self.lessons.b[mine]]
            )
            found = cost_of_votes(
                self.lessons.votes.take(mine), difference, by_member[:, :, member]
            )
            total += found.value
            cells += float(self.lessons.votes.take(mine).sided.sum())
            if found.value < state.best_value[member] - 1e-9:
                state.keep(self.shape, member, found.value)
                state.held_out[mine] = difference
        if state.history:
            state.history[-1] = (state.history[-1][0], total / max(cells, 1.0))

    def _said(self, state: State) -> str:
        seen, held = state.history[-1]
        told = "" if np.isnan(held) else f", held out {held:.4f}"
        return f"epoch {state.epoch}/{self.settings.epochs}: {seen:.4f} nats a label{told}"

    def _result(self, state: State) -> Trained:
        members, questions = self.settings.members, len(self.lessons.questions)
        found = reliabilities_of(state.best_logits)
        shape = (-1, members, questions)
        by_member = np.stack([found.alpha.reshape(shape), found.beta.reshape(shape)])
        mean = state.best_logits.reshape(2, -1, members, questions).mean(axis=2)
        outputs = self._outputs(state.best_flat)
        together = (outputs[:, self.lessons.a] - outputs[:, self.lessons.b]).mean(axis=0)
        somebody = np.asarray(self._held.any(axis=0))
        held_out = np.where(somebody[:, None], state.held_out, together)
        return Trained(
            tower_of(self.shape, state.best_flat),
            reliabilities_of(mean),
            by_member.swapaxes(1, 2),
            held_out,
            self.fold,
            tuple(state.history),
            tuple(int(one) for one in state.best_epoch),
        )


def _side_by_side(by_member: NDArray[np.floating]) -> FloatArray:
    """(M, N, K) as (N, M K)."""
    m, n, k = by_member.shape
    return np.asarray(by_member.swapaxes(0, 1).reshape(n, m * k), np.float64)


def _by_member(flat: FloatArray, members: int) -> FloatArray:
    """(N, M K) as (M, N, K)."""
    n = len(flat)
    return flat.reshape(n, members, -1).swapaxes(0, 1)
