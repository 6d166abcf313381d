"""What noisy training on random samples tells about one unit of the data: epsilon and delta.

A step takes each unit with probability q, bounds what each adds to 1 and adds normal noise of
standard deviation sigma. Its Renyi divergence of order a, whether a unit was there or not, is

    log E[((1 - q) + q exp((2 z - 1) / (2 sigma^2)))^a] / (a - 1),    z normal (0, sigma^2)

steps add up, and the best order gives epsilon.

Sources: Mironov, Talwar and Zhang (2019) for the divergence of the sampled Gaussian mechanism;
Canonne, Kamath and Steinke (2020), proposition 12, from divergence to epsilon. Differs: the mean
is taken by quadrature at any order, not by two series.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from assize.base.errors import ConfigError
from assize.calibrate._data.features import FloatArray

ORDERS = (*(1 + n / 10 for n in range(1, 100)), *range(11, 65), 80, 96, 128, 256, 512)
POINTS = 4_001  # of the quadrature
REACH = 12.0  # standard deviations beyond both middles that it goes
WIDEST = 1e4  # noise that is tried


def renyi(order: float, rate: float, noise: float) -> float:
    """Renyi divergence of one step, in nats."""
    if rate == 1:
        return order / (2 * noise**2)
    # The integrand peaks somewhere between 0, where there is no unit, and the order.
    z = np.linspace(-REACH * noise, max(order, 1.0) + REACH * noise, POINTS)
    with_unit = np.log(rate) + (2 * z - 1) / (2 * noise**2)
    ratio = np.logaddexp(np.log1p(-rate), with_unit)
    height = order * ratio - 0.5 * (z / noise) ** 2
    top = height.max()
    mass = np.trapezoid(np.exp(height - top), z) / (noise * np.sqrt(2 * np.pi))
    return max(0.0, float((top + np.log(mass)) / (order - 1)))


@cache
def _divergences(rate: float, noise: float) -> FloatArray:
    return np.array([renyi(order, rate, noise) for order in ORDERS])


def epsilon_of(rate: float, noise: float, steps: int, delta: float) -> float:
    """Epsilon of some steps at a delta.

    Args:
        rate: q, the chance of each unit to be in a step; above 0, at most 1.
        noise: sigma, over the bound of what a unit adds.

    >>> round(epsilon_of(1.0, 10.0, 1, 1e-5), 2)  # one Gaussian mechanism
    0.38
    """
    orders = np.array(ORDERS)
    total = steps * _divergences(rate, noise)
    found = total + np.log1p(-1 / orders) - (np.log(delta) + np.log(orders)) / (orders - 1)
    return max(0.0, float(found.min()))


def noise_for(epsilon: float, delta: float, rate: float, steps: int) -> float:
    """The least noise, to a thousandth, with which steps keep within epsilon and delta.

    Raises:
        ConfigError: epsilon is not above 0, delta not in (0, 1), or no noise is enough.
    """
    if not epsilon > 0 or not 0 < delta < 1:
        raise ConfigError(
            f"privacy {epsilon:g}, delta {delta:g}: epsilon must be above 0, delta in (0, 1)"
        )
    low, high = 0.2, 1.0
    while epsilon_of(rate, high, steps, delta) > epsilon:
        low, high = high, 2 * high
        if high > WIDEST:
            raise ConfigError(f"privacy {epsilon:g}: no noise up to {WIDEST:g} keeps within it")
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        if epsilon_of(rate, middle, steps, delta) > epsilon:
            low = middle
        else:
            high = middle
    return high
