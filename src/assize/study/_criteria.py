"""Ways to come by criteria and to choose them, compared on new conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assize.agreement.agree import agree
from assize.base.arguments import check_range, check_word, shown
from assize.base.errors import ConfigError, DataError
from assize.criteria._clusters import clusters_of
from assize.criteria._criterion import CriteriaSet
from assize.criteria._evaluations import evaluations_of
from assize.criteria._reading import load_criteria
from assize.criteria._select import CHOICE, judged_by
from assize.criteria._selecting import CriteriaChoice
from assize.criteria._selection import POLICIES
from assize.criteria._study import Method, compare
from assize.criteria._study_result import CriteriaStudy
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_beside, judgments_of, names_of
from assize.formats.labels import ItemLabels, labellers_of, labels_of
from assize.judgments import JudgmentTable
from assize.running.progress import progress
from assize.stats._statistics import Statistics

USUAL = Statistics(resamples=1_000, seed=0)


def criteria(
    judgments: JudgmentsLike,
    *,
    method: Mapping[str, str | Path | CriteriaSet],
    label: str | ItemLabels,
    scored: Mapping[str, str | Path] | None = None,
    items: ItemsLike | None = None,
    judges: str | Sequence[str] = (),
    policy: str | Sequence[str] = (),
    choice: CriteriaChoice = CHOICE,
    splits: int = 1,
    cluster: str = "item",
    statistics: Statistics = USUAL,
    quiet: bool = False,
) -> CriteriaStudy:
    """Compare methods that make criteria, and policies that select them, on new conversations.

    Half of the labelled conversations choose criteria, threshold and window; the other half
    measures them. Every method goes through the same selection. A set that fits the budgets is
    taken whole.

    Args:
        judgments: judgments of conversations by the criteria of all methods: the question is the
            criterion's id.
        method: named pool or set of criteria, for example RUBICON=pool.yaml (repeatable); the first
            is what others are compared with. In Python also a `CriteriaSet`.
        label: what counts as good and bad, for example thumbs:up=1,down=0, rating>=4,<=2, a yes/no
            field, or a file of ids and labels. In Python also a dict by id.
        scored: judgments of one method, for example SPUR=run/, if its criteria share ids with
            another method's (repeatable).
        items: files of the conversations, for the fields that `label` names (repeatable). Default:
            those among the judgments.
        judges: only these judges (repeatable, or separated by commas); several are averaged.
        policy: how to select criteria: rubicon, correctness, brute-force or ucb (repeatable).
            Default: rubicon. The first is what methods are compared by.
        choice: how many criteria, how they are weighed, and how precise labels must be; the
            weight is found on the training half.
        splits: number of random halves; figures are means over them.
        cluster: field whose conversations depend on each other and stay together in halves, folds
            and resamples, for example user, or item for none.
        statistics: how intervals are made, from resamples of test conversations; see
            `Statistics`.
        quiet: no progress and no notes.

    Returns:
        Each method with each policy: separation, yield, accuracy, precision, recall, F1 and
        correlation with intervals, and the paired difference to the first. A conversation with
        an unscored criterion has no NetSAT: it is counted, is labelled by no window, and is
        left out of the other measures.

    Raises:
        ConfigError: the label, a policy or a number is none of those allowed.
        DataError: a method has no judgments, too few conversations are labelled and scored by
            all methods, one class only, or nothing tells them apart.

    Source: RUBICON, section 4.
    """
    policies = names_of(policy) or ["rubicon"]
    for one in policies:
        check_word("policy", one, POLICIES)
    check_range("splits", splits, 1, 1000)
    drawing = statistics.settings(USUAL)
    sets = {name: _set(name, one) for name, one in method.items()}
    if not sets:
        raise ConfigError("no method is given; name one, as --method RUBICON=pool.yaml")
    own = dict(scored or {})
    for name in own:
        if name not in sets:
            raise ConfigError(
                f"scored names {name}, which is no method: {', '.join(sets)}", "scored"
            )
    _check_ids({name: one for name, one in sets.items() if name not in own})
    wanted = names_of(judges)
    table = judged_by(judgments_of(judgments), wanted)
    tables = {
        name: judged_by(judgments_of(place, argument="scored"), wanted)
        for name, place in own.items()
    }
    methods = [_method(name, one, tables.get(name, table)) for name, one in sets.items()]
    beside = list(items_beside(judgments, items))
    known = list(dict.fromkeys(item for one in methods for item in one.evaluations.items))
    labels = labels_of(beside or None, label, known=known)
    clusters = clusters_of(beside, cluster, [one for one in known if one in labels.good])
    total = len(methods) * len(policies) * splits
    with progress("selecting", total, quiet=quiet) as advance:
        found = compare(
            methods,
            labels,
            choice.selecting(seed=drawing.seed),
            policies=list(dict.fromkeys(policies)),
            splits=splits,
            resamples=drawing.interval.resamples,
            seed=drawing.seed,
            clusters=clusters,
            tick=advance,
        )
    return _with_agreement(found, labellers_of(label), drawing.seed)


def _with_agreement(found: CriteriaStudy, people: JudgmentTable | None, seed: int) -> CriteriaStudy:
    """The study with the agreement of those who labelled, where any conversation has two."""
    if people is None:
        return found
    kept = people.where(item=[one for one in people.items if one in found.labels.good])
    labelled = {(row.item, row.judge) for row in kept}
    if len(labelled) == len({item for item, _ in labelled}):
        alone = "each conversation was labelled by one person, so agreement cannot be told"
        return replace(found, notes=[*found.notes, alone])
    return replace(found, agreement=agree(kept, statistics=Statistics(seed=seed)))


def _set(name: str, given: str | Path | CriteriaSet) -> CriteriaSet:
    if isinstance(given, CriteriaSet):
        return given
    if isinstance(given, str | Path):
        return load_criteria(str(given))
    problem = f"received {shown(given)}; give a file of criteria or a CriteriaSet"
    raise DataError(problem, source=f"method {name}")


def _check_ids(sets: Mapping[str, CriteriaSet]) -> None:
    """Two methods may share a criterion, but not an id of two."""
    seen: dict[str, tuple[str, str, str]] = {}
    for name, one in sets.items():
        for criterion in one.criteria:
            other, text, polarity = seen.setdefault(
                criterion.id, (name, criterion.text, criterion.polarity)
            )
            if (text, polarity) != (criterion.text, criterion.polarity):
                raise DataError(
                    f"{other} and {name} both have a criterion {criterion.id}, and they are not"
                    f" the same; say which judgments are whose, as --scored {name}=run/"
                )


def _method(name: str, given: CriteriaSet, table: JudgmentTable) -> Method:
    try:
        said = evaluations_of(table, given.criteria)
    except DataError as error:
        raise DataError(f"method {name}: {error}") from error
    return Method(name, given, said)
