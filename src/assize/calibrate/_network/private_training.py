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
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError, DataError
from assize.calibrate._data.binning import is_binned
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import NO_ANSWER, UNKNOWN, Forms, IntArray
from assize.calibrate._fit_options import DELTA
from assize.calibrate._network.calibrator import Networks
from assize.calibrate._network.inputs import Inputs, fit_inputs
from assize.calibrate._network.layers import Shape
from assize.calibrate._network.privacy_accountant import epsilon_of, noise_for
from assize.calibrate._network.settings import Setting
from assize.calibrate._network.trained_network import Network, softmax

Unit = Literal["form", "rater"]
SETTING = Setting(hidden1=5, hidden2=5, rate=0.04, initial=0.3)
STEPS = 150
RATE = 0.25  # chance of a unit to be in a step
CLIP = 1.0  # length of what a unit adds at most
BETAS, TINY = (0.9, 0.999), 1e-8  # of Adam


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
        DataError: no form answers the target.
    """
    if unit not in ("form", "rater"):
        raise ConfigError(f"privacy unit {unit}: allowed are form and rater")
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
    forms = forms.take((forms.y != NO_ANSWER) & (forms.rater != UNKNOWN))
    if len(forms) == 0:
        raise DataError(f"no form answers {forms.target.id!r}")
    public = replace(forms, x=forms.features.x, thinned=None)
    inputs = fit_inputs(public, np.flatnonzero(~forms.features.empty))
    noisy = np.random.default_rng() if rng is None else rng
    trained = _Training(forms, inputs, setting, unit, noisy)
    for _ in range(STEPS):
        trained.step(noise)
    raters = forms.trusted if own else ()
    blocks = forms.features.blocks
    return Networks(forms.target, blocks, raters, (trained.network(),)), spent


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
        self.forms, self.inputs, self.setting, self.rng = forms, inputs, setting, rng
        answers = tuple(len(scale) for scale in forms.scales)
        raters = len(forms.raters) if setting.personal[2] else 0
        sizes = (len(inputs), setting.hidden1, setting.hidden2, raters)
        self.shape = Shape(*sizes, answers, setting.personal)
        self.x = inputs.transform(forms.x)
        self.unit = np.arange(len(forms)) if unit == "form" else forms.rater
        self.units = int(self.unit.max()) + 1
        self.weights = [rng.normal(size=size) * setting.initial for size in self.shape.layers]
        self.own = np.zeros((raters, *self.shape.layers[2]))
        self.moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self._parts]
        self.steps = 0

    @property
    def _parts(self) -> list[FloatArray]:
        return [*self.weights, *([self.own] if len(self.own) else [])]

    def step(self, noise: float) -> None:
        """One step: sampled units, clipped, with noise."""
        self.steps += 1
        taken = self.rng.random(self.units) < RATE
        found = self.clipped(np.flatnonzero(taken[self.unit]))
        size = RATE * self.units
        for part, total, (first, second) in zip(self._parts, found, self.moments, strict=True):
            gradient = (total + noise * CLIP * self.rng.normal(size=total.shape)) / size
            first += (1 - BETAS[0]) * (gradient - first)
            second += (1 - BETAS[1]) * (gradient**2 - second)
            mean, spread = (
                one / (1 - beta**self.steps)
                for one, beta in zip((first, second), BETAS, strict=True)
            )
            part -= self.setting.rate * mean / (np.sqrt(spread) + TINY)

    def clipped(self, rows: IntArray) -> list[FloatArray]:
        """Sums over the units among the rows (n,) of their gradients, each at most CLIP long."""
        each = self._gradients(rows)  # (n, a, b) of each layer
        own = bool(len(self.own))
        if not own:  # a rater's is the mean of their forms'
            _, unit = np.unique(self.unit[rows], return_inverse=True)
            count = np.bincount(unit)[:, None, None]
            each = [_summed(one, unit, len(count)) / count for one in each]
        squares = [(one**2).sum(axis=(1, 2)) for one in each]
        length = np.sqrt(sum(squares) + (squares[2] if own else 0))
        share = np.minimum(1, CLIP / np.maximum(length, TINY))[:, None, None]
        each = [one * share for one in each]
        found = [one.sum(axis=0) for one in each]
        if own:
            found.append(_summed(each[2], self.forms.rater[rows], len(self.own)))
        return found

    def _gradients(self, rows: IntArray) -> list[FloatArray]:
        """Of each form's loss: half the target's log loss, half the mean of the others'."""
        layers = [_with_one(self.x[rows])]
        for weights in self.weights[:2]:
            layers.append(_with_one(1 / (1 + np.exp(-layers[-1] @ weights))))
        last = np.broadcast_to(self.weights[2], (len(rows), *self.weights[2].shape))
        if len(self.own):
            last = last + self.own[self.forms.rater[rows]]
        out = np.einsum("ni,nij->nj", layers[2], last)
        delta = self._output_gradient(out, rows)
        found = [layers[2][:, :, None] * delta[:, None, :]]
        for layer in (1, 0):
            back = np.einsum("nj,nij->ni", delta, last) if layer == 1 else delta @ self.weights[1].T
            z = layers[layer + 1][:, 1:]
            delta = back[:, 1:] * z * (1 - z)
            found.append(layers[layer][:, :, None] * delta[:, None, :])
        return found[::-1]

    def _output_gradient(self, out: FloatArray, rows: IntArray) -> FloatArray:
        y = self.forms.answers[rows]
        widest = self.shape.widest
        weight = (y != NO_ANSWER).astype(np.float64)
        others = weight[:, 1:].sum(axis=1, keepdims=True)
        weight[:, 1:] *= 0.5 / np.maximum(others, 1)
        weight[:, 0] = np.where(others[:, 0] > 0, 0.5, 1.0)
        found = np.zeros((len(rows), len(self.shape.answers), widest))
        for place, count in enumerate(self.shape.answers):
            logits = out[:, place * widest : place * widest + count]
            gap = softmax(logits) - np.eye(count)[np.maximum(y[:, place], 0)]
            found[:, place, :count] = weight[:, [place]] * gap
        return found.reshape(len(rows), len(self.shape.answers) * widest)

    def network(self) -> Network:
        """As it is now."""
        own: NDArray[np.float32] | None = self.own.astype(np.float32) if len(self.own) else None
        shared = tuple(one.astype(np.float32) for one in self.weights)
        return Network(self.setting, self.shape, shared, (None, None, own), self.inputs)


def _with_one(z: FloatArray) -> FloatArray:
    return np.hstack([np.ones((len(z), 1)), z])


def _summed(each: FloatArray, group: IntArray, count: int) -> FloatArray:
    found = np.zeros((count, *each.shape[1:]))
    np.add.at(found, group, each)
    return found
