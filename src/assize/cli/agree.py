"""`assize agree`: agreement and correlation between judges."""

from __future__ import annotations

from collections.abc import Mapping

from assize.agreement import Audit, CloserToGold, report_raters
from assize.agreement.agree import agree
from assize.base.errors import ConfigError
from assize.cli.command import Mode, from_function
from assize.stats._compare import Measure


def _compare(
    compare: tuple[str, str] | None = None, measure: Measure | None = None
) -> CloserToGold | None:
    """Two judges, and by what they are compared.

    Args:
        compare: which of two judges agrees better with gold.
        measure: what `compare` compares, by default spearman for scores, else accuracy.
    """
    if compare is None:
        if measure is not None:
            raise ConfigError("measure: nothing is compared; name two judges by --compare")
        return None
    return CloserToGold(*compare, measure=measure)


def _audit(
    audit: bool = False, own: Mapping[str, str] | None = None, subgroup: str = "system"
) -> bool | Audit:
    """Whether to audit, and by what.

    Args:
        audit: position, length, self-preference, repeats, unscored.
        own: the system that a judge itself is (repeatable).
        subgroup: field of the items by which `audit` counts unscored.
    """
    if not audit and own:
        raise ConfigError("own: this is for an audit; give --audit too")
    return Audit(own or {}, subgroup) if audit else False


command = from_function(
    agree,
    "assize agree people.jsonl run/ --gold people --report agree.html",
    arguments=["judgments"],
    metavars={"same": "Q1=Q2", "own": "JUDGE=SYSTEM", "compare": "J1 J2", "label": "SPEC|FILE"},
    makers={"compare": _compare, "audit": _audit},
    modes=[Mode("--raters", "Each rater beside the others: agreement, time, gold.", report_raters)],
    report=True,
    unscored=True,
)
