"""Agreement between judges, from tables of judgments: the step between records and `stats`."""

from assize.agreement.columns import (
    PEOPLE,
    Column,
    Columns,
    as_one,
    columns,
    mixed_scales,
    probabilities,
    with_people,
)
from assize.agreement.items import Facts, cluster_labels, facts_of
from assize.agreement.measure import measure_agreement
from assize.agreement.options import AgreeOptions, Audit, CloserToGold
from assize.agreement.result import Agreement

__all__ = [
    "PEOPLE",
    "AgreeOptions",
    "Agreement",
    "Audit",
    "CloserToGold",
    "Column",
    "Columns",
    "Facts",
    "as_one",
    "cluster_labels",
    "columns",
    "facts_of",
    "measure_agreement",
    "mixed_scales",
    "probabilities",
    "with_people",
]
