"""Criteria distilled into an evaluator, so that new conversations are scored with no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from assize.base.arguments import check_range
from assize.base.artefacts import attach_record, open_artefact
from assize.base.conversation import Conversation
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE
from assize.base.signature import sign
from assize.criteria._clusters import clusters_of
from assize.criteria._criterion import CriteriaSet, Criterion
from assize.criteria._distilled.card import card
from assize.criteria._distilled.heads import ROLE, Head, Heads
from assize.criteria._distilled.lessons import dealt, learnable, lessons_of, unlearnt
from assize.criteria._distilled.measuring import (
    Given,
    held_evaluations,
    learnt_labelling,
    lines_of,
    lost,
    nets_of,
    reproduced,
)
from assize.criteria._distilled.result import DistilledCriteria
from assize.criteria._evaluations import Evaluations, evaluations_of
from assize.criteria._local import judge_of
from assize.criteria._select import Criteria, judged_by, pool_of
from assize.criteria._selection.window import Wanted
from assize.encoders import load_encoder
from assize.evaluator._artefact import CARD, EVALUATOR, save
from assize.evaluator._distilling import Distilled, distil
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_beside, judgments_of, names_of
from assize.formats.files import make_folder, open_output
from assize.formats.labels import ItemLabels, Labels, labels_of
from assize.running.progress import progress
from assize.stats._arrays import FloatArray


def distill(
    criteria: Criteria,
    judgments: JudgmentsLike,
    *,
    items: ItemsLike | None = None,
    label: str | ItemLabels | None = None,
    judges: str | Sequence[str] = (),
    cluster: str = "item",
    precision: float = 0.9,
    prevalence: float | None = None,
    folds: int = 5,
    out: str | Path | None = None,
    seed: int = 0,
    quiet: bool = False,
) -> DistilledCriteria:
    """Makes an evaluator that scores criteria from the text alone, with no model.

    It learns from the scores that a model (or people) gave to the criteria on some hundred
    conversations. How well it reproduces them is measured on conversations held out. With
    `label` threshold and window are learnt anew for its scores, which vary less. Then
    `criteria score --model evaluator:FOLDER` scores new conversations.

    Args:
        criteria: the set, a file of criteria. In Python also a `CriteriaSet`.
        judgments: what was said about conversations by each criterion, as `criteria score`
            wrote it (repeatable).
        items: the conversations, by default those that stand among the judgments (repeatable).
        label: what is good and bad, as thumbs:up=1,down=0, rating>=4,<=2, or a file of ids
            and labels. Without it scores are not labelled. In Python also a dict by id.
        judges: only these judges (repeatable, or with commas); several are averaged.
        cluster: field of the conversations, such as user, that says which stay together in
            folds and resamples, `item` for none.
        precision: wanted of the labels given.
        prevalence: share of good conversations where it will be used, by default that of
            the labels.
        folds: parts of the conversations held out in turn.
        out: folder of the new evaluator, which it is named by.
        seed: seed of every random choice.
        quiet: no progress and no notes.

    Returns:
        The evaluator as a judge (`.predict(items)`), the set with its new labelling, and how
        much is lost: correlations by criterion and of NetSAT, and what both label.

    Raises:
        ConfigError: an argument is not allowed.
        DataError: no judgment is about a criterion, a criterion is scored nowhere, or there
            are too few conversations or labels for the folds.
        MissingExtra: a part of the extra `score` is not installed.
    """
    check_range("precision", precision, 0.5, 1)
    check_range("prevalence", prevalence, 0, 1)
    check_range("folds", folds, 2)
    wanted = Wanted(precision, prevalence)
    whole = pool_of(criteria)
    if out is not None:
        make_folder(Path(out))  # before minutes of work that would be lost
    table = judged_by(judgments_of(judgments), names_of(judges))
    said = evaluations_of(table, whole.criteria)
    beside = list(items_beside(judgments, items))
    labels = None if label is None else labels_of(beside, label, known=said.items)
    chats, told = _read(beside, said)
    values = said.of([one.id for one in chats], whole.criteria)
    _check(values, whole.criteria)
    clusters = clusters_of(beside, cluster, [one.id for one in chats])
    given = dealt(chats, values, labels, clusters, folds, seed)
    if clusters is not None:
        told.append(clusters.line(given.items))
    found, given = _learnt(chats, given, whole, folds, _name(out), seed, quiet)
    result = _result(found, given, whole, labels, wanted, folds, seed, [*said.notes, *told])
    if out is None:
        return result
    save(found.evaluator, Path(out))
    attach_record(open_artefact(EVALUATOR, out), ROLE, result.heads)
    written = f"{out}: {len(whole.criteria)} criteria, learnt from {result.n:,} conversations"
    result = replace(result, out=str(out), notes=[*result.notes, written])
    with open_output(Path(out) / CARD) as stream:
        stream.write(card(found.evaluator.name, result).encode())
    return result


def _name(out: str | Path | None) -> str:
    """Return the evaluator's name: its folder's."""
    return "criteria" if out is None else Path(out).resolve().name


def _read(beside: Sequence[object], said: Evaluations) -> tuple[list[Conversation], list[str]]:
    """The conversations that are scored, each once, and what a reader should know of others."""
    known = set(said.items)
    found: dict[str, Conversation] = {}
    silent = 0
    for one in beside:
        if not isinstance(one, Conversation) or one.id in found:
            continue
        if one.id in known:
            found[one.id] = one
        else:
            silent += 1
    told = []
    if silent:
        told.append(f"{silent:,} conversations are not scored, and left out")
    if lacking := len(known) - len(found):
        told.append(f"{lacking:,} scored conversations are not among the items, and left out")
    if not found:
        raise DataError(
            f"none of the {len(known):,} scored conversations is among the items; give the"
            " conversations that were scored (--items)"
        )
    return list(found.values()), told


def _check(values: FloatArray, criteria: Sequence[Criterion]) -> None:
    nowhere = [
        one.id for one, column in zip(criteria, values.T, strict=True) if np.isnan(column).all()
    ]
    if nowhere:
        raise DataError(
            f"{len(nowhere)} of the {len(criteria)} criteria are scored on none of these"
            f" conversations: {', '.join(nowhere[:3])}; score them first (assize criteria score),"
            " or leave them out of the file"
        )
    if any(one.id == PREFERENCE.id for one in criteria):
        raise ConfigError(
            f"an evaluator cannot learn a criterion called {PREFERENCE.id}; rename it"
        )


def _learnt(
    chats: Sequence[Conversation],
    given: Given,
    whole: CriteriaSet,
    folds: int,
    name: str,
    seed: int,
    quiet: bool,
) -> tuple[Distilled, Given]:
    """The evaluator, and its raw numbers of conversations that it had not learnt from."""
    taught = learnable(given)
    if not taught:
        raise DataError(
            "each criterion is scored the same on all conversations, so that there is nothing to"
            " learn; look at how they were scored"
        )
    table = lessons_of(given, whole, taught)
    with progress("folds", folds + 1, quiet=quiet) as advance:
        found = distil(
            chats,
            table,
            load_encoder("minilm", cached=True),
            name=name,
            folds=folds,
            rng=np.random.default_rng(seed),
            raw=True,
            tick=advance,
            fold_of=dict(zip(given.items, given.fold.tolist(), strict=True)),
        )
    raw = np.full(given.values.shape, np.nan)
    for at in taught:
        by_unit = found.held[whole.criteria[at].id]
        raw[:, at] = [by_unit.get((item, None), np.nan) for item in given.items]
    return found, replace(given, raw=raw)


def _result(
    found: Distilled,
    given: Given,
    whole: CriteriaSet,
    labels: Labels | None,
    wanted: Wanted,
    folds: int,
    seed: int,
    told: Sequence[str],
) -> DistilledCriteria:
    criteria = whole.criteria
    lines = lines_of(given, criteria)
    held = held_evaluations(given, criteria)
    rows = reproduced(given, held, criteria)
    nets, taught = nets_of(held, criteria), nets_of(given.values, criteria)
    heads = Heads(
        [
            Head(one.id, one.polarity, one.text, line)
            for one, line in zip(criteria, lines, strict=True)
        ]
    )
    shown = [*told, *unlearnt(criteria, lines)]
    if not rows[-1].pearson.interval[0] > 0:
        shown.append(
            f"NetSAT cannot be told from the text of these {len(given.items):,} conversations: its"
            " correlation may be 0; go on with a model, or distil from more conversations"
        )
    beside = None
    if labels is not None:
        own = learnt_labelling(nets, given.good, whole, wanted)
        heads = replace(heads, labelling=own)
        rng = np.random.default_rng([seed, 2])
        beside = lost(given, nets, taught, wanted, rng)
        for word, cut in (("bad", own.low), ("good", own.high)):
            if cut is None:
                shown.append(
                    f"no score can be labelled {word} with {100 * wanted.precision:g}% precision"
                )
    judge = judge_of(
        whole, f"criteria@{whole.name}@{found.evaluator.judge}", found.evaluator, heads, "it"
    )
    unread = np.isnan(given.raw).all(axis=1)
    settings = {
        "distill": "criteria",
        "criteria": len(criteria),
        "n": len(given.items),
        "folds": folds,
        "seed": seed,
    }
    return DistilledCriteria(
        n=len(given.items),
        unscored=int((np.isnan(given.values).any(axis=1) & ~unread).sum()),
        unread=int(unread.sum()),
        alike=None if beside is None else beside.alike,
        reproduced=rows,
        labelled=() if beside is None else (beside.taught, beside.local, beside.difference),
        folds=folds,
        evaluator=judge.made_of,
        labels=labels,
        labelling=judge.given.labelling,
        notes=[*([] if labels is None else labels.notes), *shown],
        signature=_signature(judge.signature, given, folds, seed),
        settings=settings,
        criteria=judge.given,
        judge=judge,
        heads=heads,
    )


def _signature(made_of: str, given: Given, folds: int, seed: int) -> str:
    of: Mapping[str, object] = {
        "judge": made_of,
        "values": np.nan_to_num(given.values, nan=-1).tolist(),
        "good": np.nan_to_num(given.good, nan=-1).tolist(),
        "fold": given.fold.tolist(),
    }
    return sign(of, folds, seed)
