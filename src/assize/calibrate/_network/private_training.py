"""Training a published network so that its weights tell little about any one form, or rater.

Each step takes every unit (a form, or all forms of a rater) with the same chance, bounds the
length of the gradient that each adds, adds normal noise that no unit's share stands out of, and
moves by Adam. How much all steps together tell is counted by `privacy_accountant`. Settings are
not searched, and nothing stops early: either would read the ratings without being counted.

What counts as known to everybody: the model's answers, which items were rated, how many forms
and raters there are; with the form as unit also the raters' ids. With the rater as unit there
are no weights of anyone's own, and the calibrator knows nobody. The scale of answers must be
stated with the ratings, not guessed from them.

Sources: Abadi et al. (2016) for the algorithm; McMahan et al. (2018) for people as units; Hashemi
et al. (2024), ethics statement, asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from assize.base.arguments import check_word
from assize.base.errors import ConfigError
from assize.base.torch_extra import one_thread
from assize.calibrate._data.binning import is_binned
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import NO_ANSWER, Forms, IntArray
from assize.calibrate._fit_options import DELTA
from assize.calibrate._network.batched_training import adam_step, shape_of
from assize.calibrate._network.calibrator import Networks
from assize.calibrate._network.inputs import Inputs, fit_inputs
from assize.calibrate._network.layers import log_probabilities
from assize.calibrate._network.privacy_accountant import epsilon_of, noise_for
from assize.calibrate._network.settings import Setting
from assize.calibrate._network.trained_network import Network
from assize.stats._arrays import sum_rows

if TYPE_CHECKING:
    from torch import Tensor

Unit = Literal["form", "rater"]
SETTING = Setting(hidden1=5, hidden2=5, rate=0.04, initial=0.3)
STEPS = 150
RATE = 0.25  # chance of a unit to be in a step
CLIP = 1.0  # length of what a unit adds at most
TINY = 1e-8  # of a length that divides


@dataclass(frozen=True, slots=True)
class Privacy:
    """What training tells about one unit at most, and how that was kept."""

    epsilon: float  # spent
    delta: float
    unit: Unit
    noise: float  # standard deviation, over `clip`
    clip: float = CLIP
    steps: int = STEPS
    rate: float = RATE
    mechanism: str = "sampled Gaussian on clipped gradients, Renyi accountant"


def fit_privately(
    forms: Forms,
    epsilon: float,
    *,
    delta: float = DELTA,
    unit: Unit = "form",
    setting: Setting = SETTING,
    rng: np.random.Generator | None = None,
) -> tuple[Networks, Privacy]:
    """Trains one network of which nobody can tell, beyond (epsilon, delta), whether a unit was in.

    Args:
        epsilon: of differential privacy against one unit more or less.
        unit: `form`, all of one person's answers about one item; `rater`, all of one person's.
        setting: sizes, rate and start; raters' own weights are of the last layer, or nobody's.
        rng: of samples and noise. None takes the machine's entropy: with a seed that is known the
            noise could be taken away again.

    Raises:
        ConfigError: epsilon or delta is out of range; there are choices, helpers or weights.
    """
    check_word("privacy unit", unit, ("form", "rater"))
    if forms.choices is not None or forms.helpers or forms.weight is not None:
        raise ConfigError("privacy goes without choices, helpers and ratings that were sampled")
    if forms.thinned is not None or is_binned(forms.target.question):
        raise ConfigError(
            "privacy goes without thinned ratings, and without a number as target: its intervals"
            " are cut by the ratings; state a scale of answers"
        )
    noise = noise_for(epsilon, delta, RATE, STEPS)
    spent = Privacy(epsilon_of(RATE, noise, STEPS, delta), delta, unit, noise)
    own = unit == "form"
    setting = replace(setting, personal=(False, False, own))
    forms = forms.take(forms.y != NO_ANSWER)
    public = replace(forms, x=forms.features.x, thinned=None)
    inputs = fit_inputs(public, np.flatnonzero(~forms.features.empty))
    noisy = np.random.default_rng() if rng is None else rng
    with one_thread():
        trained = _Training(forms, inputs, setting, unit, noisy)
        for _ in range(STEPS):
            trained.step(noise)
    raters = forms.trusted if own else ()
    networks = Networks(forms.target, forms.features.blocks, raters, (trained.network(),))
    return networks, spent


class _Training:
    """Weights, and Adam's moments of them."""

    def __init__(
        self,
        forms: Forms,
        inputs: Inputs,
        setting: Setting,
        unit: Unit,
        rng: np.random.Generator,
    ) -> None:
        import torch

        self.forms, self.inputs, self.setting, self.rng = forms, inputs, setting, rng
        self.shape = shape_of(setting, forms)
        self.x = inputs.transform(forms.x)
        self.unit = np.arange(len(forms)) if unit == "form" else forms.rater
        self.units = int(self.unit.max()) + 1
        self.weights = [rng.normal(size=size) * setting.initial for size in self.shape.layers]
        self.own = np.zeros((self.shape.raters, *self.shape.layers[2]))
        parts = [*self.weights, *([self.own] if len(self.own) else [])]
        self.parts = [torch.from_numpy(part) for part in parts]  # the same numbers
        self.moments, self.squares = (
            [torch.zeros_like(part) for part in self.parts] for _ in range(2)
        )
        self.steps = 0

    def step(self, noise: float) -> None:
        """One step: sampled units, clipped, with noise."""
        import torch

        self.steps += 1
        taken = self.rng.random(self.units) < RATE
        gradients = [
            torch.from_numpy(total + noise * CLIP * self.rng.normal(size=total.shape))
            / (RATE * self.units)
            for total in self.clipped(np.flatnonzero(taken[self.unit]))
        ]
        rates = [(slice(None), self.setting.rate)]
        adam_step(self.parts, gradients, self.moments, self.squares, step=self.steps, rates=rates)

    def clipped(self, rows: IntArray) -> list[FloatArray]:
        """Sums over the units among the rows (n,) of their gradients, each at most CLIP long."""
        each = self._gradients(rows)  # (n, a, b) of each layer
        own = bool(len(self.own))
        if not own:  # a rater's is the mean of their forms'
            _, unit = np.unique(self.unit[rows], return_inverse=True)
            count = np.bincount(unit)[:, None, None]
            each = [sum_rows(one, unit, len(count)) / count for one in each]
        squares = [(one**2).sum(axis=(1, 2)) for one in each]
        length = np.sqrt(sum(squares) + (squares[2] if own else 0))
        share = np.minimum(1, CLIP / np.maximum(length, TINY))[:, None, None]
        each = [one * share for one in each]
        found = [one.sum(axis=0) for one in each]
        if own:
            found.append(sum_rows(each[2], self.forms.rater[rows], len(self.own)))
        return found

    def _gradients(self, rows: IntArray) -> list[FloatArray]:
        """Of each form's loss: half the target's log loss, half the mean of the others'."""
        import torch

        last = np.broadcast_to(self.weights[2], (len(rows), *self.weights[2].shape))
        if len(self.own):
            last = last + self.own[self.forms.rater[rows]]
        y = self.forms.answers[rows]
        weight = (y != NO_ANSWER).astype(np.float64)
        others = weight[:, 1:].sum(axis=1, keepdims=True)
        weight[:, 1:] *= 0.5 / np.maximum(others, 1)
        weight[:, 0] = np.where(others[:, 0] > 0, 0.5, 1.0)

        def loss(
            first: Tensor, second: Tensor, last: Tensor, z: Tensor, y: Tensor, weight: Tensor
        ) -> Tensor:
            for matrix in (first, second):
                z = torch.sigmoid(matrix[0] + z @ matrix[1:])
            logs = log_probabilities(last[0] + z @ last[1:], self.shape.answers)
            return -(weight * logs.gather(1, y[:, None])[:, 0]).sum()

        each = torch.func.vmap(torch.func.grad(loss, (0, 1, 2)), (None, None, 0, 0, 0, 0))
        read = (last, self.x[rows], np.maximum(y, 0), weight)
        found = each(*self.parts[:2], *(torch.tensor(part) for part in read))
        return [part.numpy() for part in found]

    def network(self) -> Network:
        """As it is now."""
        shape = replace(self.shape, answers=self.shape.answers[:1])
        *first, last = (part.astype(np.float32) for part in self.weights)
        last = last[:, : shape.widest]
        own = self.own[..., : shape.widest].astype(np.float32) if len(self.own) else None
        return Network(self.setting, shape, (*first, last), (None, None, own), self.inputs)
