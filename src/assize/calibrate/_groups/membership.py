"""Which group each rating belongs to: a field of the conversations, or its rater."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assize.base.conversation import Item
from assize.calibrate._data.forms import Forms
from assize.judgments.membership import RATER, Labels, unit_labels


def form_labels(fields: Sequence[str], forms: Forms, items: Iterable[Item]) -> Labels:
    """The groups of every form (N,), by its item and its rater; raises as `unit_labels` does."""
    by_unit = unit_labels(fields, forms.features.units, items)
    raters = tuple(forms.raters[place] for place in forms.rater)
    return {
        field: raters if field == RATER else tuple(by_unit[field][place] for place in forms.item)
        for field in dict.fromkeys(fields)
    }
