"""Which rated items a calibrator was fitted on, by the hashes of `assize.judgments.learnt_from`.

Which items were rated counts as known to everybody where a fit is private (`private_training`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from assize.base.errors import ConfigError
from assize.judgments import Unit
from assize.judgments.learnt_from import hash_unit, hash_units

if TYPE_CHECKING:
    from assize.calibrate._data.forms import Forms
    from assize.calibrate._fitted import FittedCalibrator


def hash_rated(forms: Forms) -> frozenset[str]:
    """Return the hashes of the items that were rated, or chosen between."""
    rows = set(forms.item.tolist())
    if forms.choices is not None:
        rows |= {*forms.choices.a.tolist(), *forms.choices.b.tolist()}
    return hash_units(forms.features.units[row] for row in rows)


def count_seen(fitted: FittedCalibrator, forms: Forms, *, in_sample: bool) -> int:
    """Return how many of the rated items were learnt from, and refuse any but `in_sample`.

    Raises:
        ConfigError: there are some, and `in_sample` is not given.
    """
    rated = {forms.features.units[row] for row in forms.item.tolist()}
    seen = [unit for unit in rated if hash_unit(unit) in fitted.learnt_from]
    if seen and not in_sample:
        raise ConfigError(
            f"the calibrator was fitted on ratings of {len(seen):,} of the {len(rated):,} rated"
            f" items ({min(seen, key=str)[0]!r} is one): what is measured on them flatters; give"
            " ratings of other items, or in_sample to go on",
            "ratings",
            "in_sample",
        )
    return len(seen)


def note_in_sample(count: int) -> list[str]:
    """Return a line that says how many of the items were learnt from, if any."""
    return [f"{count:,} of the rated items were fitted on: the figures flatter"] if count else []


def mark_seen(fitted: FittedCalibrator, units: Iterable[Unit]) -> list[bool]:
    """Return of each item whether it was learnt from."""
    known = fitted.learnt_from
    return [bool(known) and hash_unit(unit) in known for unit in units]
