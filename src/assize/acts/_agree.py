"""A judge's dialogue acts and maxims held to those of a person, or of another judge."""

from __future__ import annotations

from collections.abc import Sequence

from assize.acts._agreement import ActsAgreement, compare_labels, labels_of
from assize.acts._annotations import act_judges, maxim_judges
from assize.acts._show import judged, kept_beside, taxonomy_named
from assize.base.errors import ConfigError, DataError
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import judgments_of, names_of
from assize.judgments import JudgmentTable


def agree(
    judgments: JudgmentsLike,
    *,
    items: ItemsLike | None = None,
    gold: str | None = None,
    judges: str | Sequence[str] = (),
    taxonomy: str | None = None,
) -> ActsAgreement:
    """Compare a judge's dialogue acts and maxims with a person's, or another judge's.

    For acts, turn by turn: the share of turns with the same functions, and which are missing, wrong
    or invented. For maxims: the share of labels that agree, kappa, and how often the judge is too
    harsh. First votes are compared.

    Args:
        judgments: folders of runs, or files of judgments. In Python also records, dicts,
            and tables. A person's hold `acts` or `maxims` in their details, as a judge's do.
        items: files of the judged pairs or conversations (repeatable). Default: those that the runs
            name.
        gold: judge whose labels count as true. Default: the only person who gave any.
        judges: only compare these judges with gold (repeatable, or separated by commas). Default:
            all others.
        taxonomy: taxonomy to check labels against: a name or a file. Default: that of the run, else
            AMULET's.

    Raises:
        DataError: nobody else has labelled what the reference has.
        ConfigError: a judge that is named gave no labels, or it is not clear who is right.

    Source: AMULET (arXiv 2505.20451), section 3, where its authors find 84% of turns and 96%
    of maxims right.
    """
    table = judgments_of(judgments)
    known = judged(judgments, items)
    usual, kept = taxonomy_named(taxonomy), kept_beside(judgments, taxonomy)
    labelling = list(dict.fromkeys([*act_judges(table), *maxim_judges(table)]))
    right = _reference(table, labelling, gold)
    others = _others(labelling, right, names_of(judges))
    taxonomies = {name: kept.get(name, usual) for name in (right, *others)}
    reference, *labels = (labels_of(table, known, name, own) for name, own in taxonomies.items())
    by_judge = dict(zip(others, labels, strict=True))
    found = compare_labels(right, reference, by_judge, taxonomies)
    if not found.turns and not found.maxims:
        raise DataError(
            f"{' and '.join(others)} labelled nothing that {right} has labelled; give judgments of"
            " the same items"
        )
    return found


def _reference(table: JudgmentTable, labelling: Sequence[str], gold: str | None) -> str:
    """Who counts as right: who is named, else the one person with labels."""
    if gold is not None:
        if gold not in labelling:
            raise ConfigError(f"gold: {gold!r} gave no acts or maxims; {_here(labelling)}")
        return gold
    people = [name for name in table.where(kind="person").judges if name in labelling]
    if len(people) != 1:
        count = "several people" if people else "no person"
        raise ConfigError(
            f"{count} gave acts or maxims; say whose labels count as right with gold=;"
            f" {_here(labelling)}"
        )
    return people[0]


def _others(labelling: Sequence[str], right: str, wanted: Sequence[str] | None) -> list[str]:
    for name in wanted or ():
        if name not in labelling or name == right:
            why = "is the one held to" if name == right else "gave no acts or maxims"
            raise ConfigError(f"judges: {name!r} {why}; {_here(labelling)}")
    found = [name for name in labelling if name != right and (wanted is None or name in wanted)]
    if not found:
        raise ConfigError(f"nobody but {right} gave acts or maxims")
    return found


def _here(labelling: Sequence[str]) -> str:
    return f"those who did: {', '.join(labelling) or 'nobody'}"
