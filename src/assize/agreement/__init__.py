"""Agreement between judges, from tables of judgments: the step between records and `stats`."""

from assize.agreement.audit import Audit, audit
from assize.agreement.columns import (
    PEOPLE,
    Column,
    Columns,
    as_one,
    columns,
    probabilities,
    with_people,
)
from assize.agreement.findings import AgreeOptions, Findings, find
from assize.agreement.items import Facts, cluster_labels, facts_of
from assize.agreement.study import PairOf, Settings, Study, compare_judges, study

__all__ = [
    "PEOPLE",
    "AgreeOptions",
    "Audit",
    "Column",
    "Columns",
    "Facts",
    "Findings",
    "PairOf",
    "Settings",
    "Study",
    "as_one",
    "audit",
    "cluster_labels",
    "columns",
    "compare_judges",
    "facts_of",
    "find",
    "probabilities",
    "study",
    "with_people",
]
