"""How often judges prefer what gold prefers, by a field of the items.

Where the field's values are RewardBench's subsets, its sections and their mean follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from assize.agreement.result import SECTIONS_MEAN
from assize.agreement.rows import GroupAccuracy
from assize.base.errors import DataError
from assize.base.fields import names_in, word_at
from assize.base.signature import sign
from assize.formats.research.public_pairs import SECTIONS
from assize.judgments.answers import Columns
from assize.judgments.item_fields import Facts
from assize.stats import Estimate, pairwise_accuracy

MATH = "math-prm"
Z = 1.959964  # of a two-sided interval of 95%


def accuracy_by_group(
    answers: Columns, gold: str, facts: Mapping[str, Facts], field: str
) -> tuple[list[GroupAccuracy], int]:
    """Return each judge's accuracy in each group, and how many judged items have no group.

    Raises:
        DataError: no judged item has the field.
    """
    groups = [word_at(facts[item].item, field) if item in facts else None for item in answers.items]
    names = sorted({name for name in groups if name is not None})
    if not names:
        known = ", ".join(names_in(one.item for one in facts.values())) or "none"
        raise DataError(
            f"none of the judged items has a {field}; give the items that have it as items (fields"
            f" there: {known})"
        )
    rows = []
    for judge in answers.by_judge:
        if judge == gold:
            continue
        accuracy = {
            name: _accuracy(answers, judge, gold, np.array([group == name for group in groups]))
            for name in names
        }
        accuracy |= dict(sections(accuracy))
        rows += [
            GroupAccuracy(answers.question.id, judge, *group_figure)
            for group_figure in accuracy.items()
        ]
    return rows, sum(group is None for group in groups)


def _accuracy(answers: Columns, judge: str, gold: str, keep: np.ndarray) -> Estimate:
    one, two = answers.by_judge[judge], answers.by_judge[gold]
    asked = one.asked & two.asked & keep
    items = np.asarray(answers.items)[asked]
    return pairwise_accuracy(one.values[asked], two.values[asked], clusters=items).without_tie


def sections(accuracy: Mapping[str, Estimate]) -> Iterator[tuple[str, Estimate]]:
    """Yield RewardBench's sections of these subsets, and their mean; nothing for other groups.

    A section counts its subsets by their items, Reasoning math as much as code; the mean counts
    each section once. Only subsets that are there enter.

    Source: Lambert et al. (2024), RewardBench, section 4 (weights); the leaderboard then also
    averages prior sets, which are left out here.
    """
    subsets = {name for names in SECTIONS.values() for name in names}
    if not accuracy or not set(accuracy) <= subsets:
        return
    means = []
    for section, names in SECTIONS.items():
        weights = {
            name: float(accuracy[name].n) for name in names if name in accuracy and accuracy[name].n
        }
        if not weights:
            continue
        code = sum(weight for name, weight in weights.items() if name != MATH)
        if MATH in weights and code:
            weights[MATH] = code
        shares = {name: weight / sum(weights.values()) for name, weight in weights.items()}
        means.append(shares)
        yield section, stratified(accuracy, shares)
    if len(means) > 1:
        whole = {name: share / len(means) for shares in means for name, share in shares.items()}
        yield SECTIONS_MEAN, stratified(accuracy, whole)


def stratified(accuracy: Mapping[str, Estimate], shares: Mapping[str, float]) -> Estimate:
    """Return the weighted mean of strata, with a normal interval.

    The variance is the sum of w² p (1 - p) / n, with p drawn towards one half by one success and
    one failure, so that a perfect subset has some.
    """
    strata = [(share, accuracy[name]) for name, share in shares.items()]
    value = sum(share * one.estimate for share, one in strata)
    variance = 0.0
    for share, one in strata:
        p = (one.estimate * one.n + 1) / (one.n + 2)
        variance += share**2 * p * (1 - p) / one.n
    n = sum(one.n for _, one in strata)
    method = "mean of strata, normal interval of 95%"
    signature = sign("weighted accuracy", 1, method, sorted(shares.items()))
    ends = (value - Z * variance**0.5, value + Z * variance**0.5)
    return Estimate(
        value,
        ends,
        n,
        sum(one.unscored for _, one in strata),
        method=method,
        signature=signature,
        clusters=n,
    ).within((0, 1))
