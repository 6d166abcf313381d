"""The few criteria of a pool that tell good conversations from bad ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assize.base.arguments import check_range, check_word, shown
from assize.base.errors import ConfigError, DataError
from assize.criteria._clusters import clusters_of
from assize.criteria._criterion import CriteriaSet
from assize.criteria._evaluations import evaluations_of
from assize.criteria._reading import criteria_text, file_of, load_criteria
from assize.criteria._scored_by import as_scored
from assize.criteria._selected import SelectedCriteria
from assize.criteria._selecting import CriteriaChoice, choose_criteria
from assize.criteria._selection import POLICIES
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_beside, judgments_of, names_of
from assize.formats.files import open_output
from assize.formats.labels import ItemLabels, labels_of
from assize.judgments import JudgmentTable
from assize.judgments.judges import resolve

Criteria = str | Path | CriteriaSet
"""A file of criteria, or a set of them."""

CHOICE = CriteriaChoice()


def select(
    criteria: Criteria,
    judgments: JudgmentsLike,
    *,
    label: str | ItemLabels,
    items: ItemsLike | None = None,
    judges: str | Sequence[str] = (),
    policy: str = "rubicon",
    choice: CriteriaChoice = CHOICE,
    prevalence: float | None = None,
    stability: int = 0,
    cluster: str = "item",
    out: str | Path | None = None,
    seed: int = 0,
) -> SelectedCriteria:
    """Select the few criteria of a pool that best tell good conversations from bad ones.

    It needs the pool scored on labelled conversations, by `criteria score`, people or an evaluator.
    `out` gets the criteria with a threshold, the scores that can be labelled precisely enough, a
    curve for the probability of good, and the model and scale by which the pool was scored.

    Args:
        criteria: file of the pool of criteria. In Python also a `CriteriaSet`.
        judgments: judgments of conversations by each criterion: the question is the criterion's id
            (repeatable).
        label: what counts as good and bad, for example thumbs:up=1,down=0, rating>=4,<=2, a yes/no
            field, or a file of ids and labels. In Python also a dict by id.
        items: files of the conversations, for the fields that `label` names (repeatable). Default:
            those among the judgments.
        judges: only these judges (repeatable, or separated by commas); several are averaged.
        policy: how to select criteria: rubicon, correctness, brute-force or ucb.
        choice: how many criteria, how they are weighed, and how precise labels must be.
        prevalence: share of good conversations where the criteria will be used. Default: that of
            the labels.
        stability: bootstrap samples to repeat the selection on, to show how often each criterion is
            kept.
        cluster: field whose conversations depend on each other and stay together in folds and
            resamples, for example user, or item for none.
        out: file to write the criteria to, as YAML.
        seed: random seed.

    Returns:
        The criteria in the order of choice and what they tell apart; `.criteria` is the set,
        `.curves` precision by threshold, `.held_out.nets` NetSATs from criteria chosen without.

    Raises:
        ConfigError: the label, the policy or a number is none of those allowed.
        DataError: too few labelled conversations are scored, one class only, or nothing tells
            them apart.
    """
    _check_out(criteria, out)
    check_word("policy", policy, POLICIES)
    check_range("prevalence", prevalence, 0, 1)
    check_range("stability", stability, 0)
    whole = pool_of(criteria)
    table = judged_by(judgments_of(judgments), names_of(judges))
    whole = as_scored(whole, table)
    said = evaluations_of(table, whole.criteria)
    beside = list(items_beside(judgments, items))
    labels = labels_of(beside or None, label, known=said.items)
    scored = [one for one in said.items if one in labels.good]
    how = choice.selecting(policy, prevalence=prevalence, samples=stability, seed=seed)
    found = choose_criteria(whole, said, labels, how, clusters_of(beside, cluster, scored))
    if out is None:
        return found
    with open_output(out) as stream:
        stream.write(criteria_text(found.criteria).encode())
    written = f"{out}: {len(found.chosen)} criteria"
    return replace(found, out=str(out), notes=[*found.notes, written])


def pool_of(criteria: Criteria) -> CriteriaSet:
    """The set that is given, or that a file holds."""
    if isinstance(criteria, str | Path):
        return load_criteria(str(criteria))
    if isinstance(criteria, CriteriaSet):
        return criteria
    problem = f"received {shown(criteria)}; give a file of criteria or a CriteriaSet"
    raise DataError(problem, source="criteria")


def _check_out(criteria: Criteria, out: str | Path | None) -> None:
    """The pool is not written over: what is left out of the set would be lost."""
    if out is None or not isinstance(criteria, str | Path):
        return
    pool = file_of(str(criteria))
    if Path(out).resolve() == Path(pool).resolve():
        raise ConfigError(
            f"out is the pool itself, {pool}; name another file for what is chosen", "out"
        )


def judged_by(table: JudgmentTable, judges: Sequence[str] | None) -> JudgmentTable:
    """The judgments of these judges; None is all of them."""
    if judges is None:
        return table
    return table.where(judge=[resolve(one, table.judges) for one in judges])
