"""Criteria distilled into an evaluator, so that new conversations are scored with no model.

Letters: N conversations, M criteria. Every figure of the evaluator is of conversations that it has
not learnt from; the line, threshold and window that a fold is measured with come from the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assize.base.arguments import check_range
from assize.base.artefacts import attach_record, open_artefact
from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.base.signature import sign
from assize.criteria._clusters import clusters_of
from assize.criteria._criterion import NETSAT, CriteriaSet, Criterion, Labelling
from assize.criteria._evaluations import Evaluations, evaluations_of
from assize.criteria._heads import ROLE, Head, Heads, Line, fit_line
from assize.criteria._judge import DistilledJudge
from assize.criteria._select import Criteria, judged_by, pool_of
from assize.criteria._selected import window_sentence
from assize.criteria._selecting import labelling_of
from assize.criteria._selection.objective import threshold
from assize.criteria._selection.probability import logistic
from assize.criteria._selection.window import Wanted, window
from assize.encoders import load_encoder
from assize.evaluator._artefact import EVALUATOR, save
from assize.evaluator._distilling import Fidelity, distil
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_beside, judgments_of, names_of
from assize.formats.files import make_folder
from assize.formats.labels import ItemLabels, Labels, labels_of
from assize.judgments import JudgmentTable
from assize.results import Column, Hidden, Result, Table
from assize.results.numbers import number
from assize.running.progress import progress
from assize.stats import pearson, spearman
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies.splits import dealt_in_classes

if TYPE_CHECKING:
    from assize.formats import ItemsLike

_NAN = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilledCriteria(Result):
    """Criteria that an evaluator scores, with what was measured on conversations held out.

    Args:
        n: conversations that it learnt from.
        unscored: conversations among them with a criterion without a score.
        unread: conversations among them whose text cannot be scored.
        reproduced: how well every criterion is reproduced, NetSAT last.
        folds: of the figures.
        labels: what good and bad were.
        labelling: that was learnt for the evaluator's scores.
        signature: of the evaluator's scores and what they are compared with.
        judge: scores conversations, in memory.
    """

    heading: ClassVar[str] = "Criteria distilled"

    n: Annotated[int, Column("conversations")]
    unscored: int
    unread: Annotated[int, Column("that cannot be scored")]
    reproduced: Annotated[
        Sequence[Fidelity],
        Table(
            "How well it reproduces the evaluations",
            "Correlations with the evaluations that it learnt from, on folds held out.",
        ),
    ]
    folds: Hidden[int]
    labels: Labels | None
    labelling: Labelling | None
    notes: Sequence[str] = ()
    out: str | None = None
    signature: str
    settings: Mapping[str, object] = field(repr=False)
    judge: DistilledJudge = field(repr=False)

    @property
    def criteria(self) -> CriteriaSet:
        """The set, with the labelling of the evaluator's scores."""
        return self.judge.criteria

    def predict(self, items: ItemsLike, **options: Any) -> JudgmentTable:
        """Score conversations: NetSAT, with its label, and each criterion; no model is asked.

        Args:
            items: paths, URLs, records, dicts, tables.
            options: as of `assize.judge`.
        """
        table: JudgmentTable = import_module("assize").judge(items, self.judge, **options)
        return table

    @property
    def sentence(self) -> str:
        """What was learnt, and how well NetSAT is reproduced."""
        return (
            f"{len(self.reproduced) - 1} criteria, learnt from {self.n:,} conversations: on folds"
            f" held out NetSAT correlates with that of the evaluations by"
            f" {number(self.reproduced[-1].pearson.estimate, 2)} (Pearson)."
        )

    @property
    def missing(self) -> tuple[int, int]:
        """Conversations with a criterion without a score or without text, and all."""
        return self.unscored + self.unread, max(1, self.n)


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
    """Make an evaluator that scores criteria from the text alone, without a model.

    It learns from the scores that a model (or people) gave on a few hundred conversations. How well
    it reproduces them is measured on held-out conversations. With `label`, threshold and window are
    learnt anew for its scores, which vary less. `criteria score --model evaluator:FOLDER` then
    scores new conversations.

    Args:
        criteria: file of the criteria. In Python also a `CriteriaSet`.
        judgments: judgments of conversations by each criterion, as `criteria score` wrote them
            (repeatable).
        items: files of the conversations (repeatable). Default: those among the judgments.
        label: what counts as good and bad, for example thumbs:up=1,down=0, rating>=4,<=2, or a file
            of ids and labels. Without it scores are not labelled. In Python also a dict by id.
        judges: only these judges (repeatable, or separated by commas); several are averaged.
        cluster: field whose conversations depend on each other and stay together in folds and
            resamples, for example user, or item for none.
        precision: precision that the labels must reach.
        prevalence: share of good conversations where the evaluator will be used. Default: that of
            the labels.
        folds: number of folds of conversations, each held out once.
        out: folder to write the new evaluator to, which also gives its name.
        seed: random seed.
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
    pool = pool_of(criteria)
    if out is not None:
        make_folder(Path(out))  # before minutes of work that would be lost
    evaluations = evaluations_of(
        judged_by(judgments_of(judgments), names_of(judges)), pool.criteria
    )
    records = list(items_beside(judgments, items))
    labels = None if label is None else labels_of(records, label, known=evaluations.items)
    chats, notes = find_scored(records, evaluations)
    names = [chat.id for chat in chats]
    clusters = clusters_of(records, cluster, names)
    if clusters is not None:
        notes.append(clusters.line(names))
    groups = None if clusters is None else clusters.labels(names)
    values = evaluations.of(names, pool.criteria)
    good = np.full(len(names), np.nan) if labels is None else labels.column(names)
    fold = deal_folds(good, names if groups is None else groups.tolist(), folds, seed, labels)
    table = teach(names, values, fold, pool.criteria)
    with progress("folds", folds + 1, quiet=quiet) as advance:
        distilled = distil(
            chats,
            table,
            load_encoder("minilm", cached=True),
            name="criteria" if out is None else Path(out).resolve().name,
            folds=folds,
            rng=np.random.default_rng(seed),
            raw=True,
            tick=advance,
            fold_of=dict(zip(names, fold.tolist(), strict=True)),
        )
    raw = np.full(values.shape, np.nan)
    for column, criterion in enumerate(pool.criteria):
        held = distilled.held.get(criterion.id, {})
        raw[:, column] = [held.get((name, None), np.nan) for name in names]
    lines = fit_lines(raw, values, pool.criteria)
    scores = held_out_scores(raw, values, fold, pool.criteria)
    nets, taught = net_scores(scores, pool.criteria), net_scores(values, pool.criteria)
    reproduced = [
        compare(criterion.text, scores[:, column], values[:, column], groups)
        for column, criterion in enumerate(pool.criteria)
    ]
    reproduced.append(compare(NETSAT, nets, taught, groups))
    flat = [row.id for row, line in zip(pool.criteria, lines, strict=True) if line.slope == 0]
    if flat:
        notes.append(
            f"{len(flat)} criteria cannot be told from the text here, so every conversation gets"
            f" their mean: {', '.join(flat[:3])}"
        )
    if not reproduced[-1].pearson.interval[0] > 0:
        notes.append(
            f"NetSAT cannot be told from the text of these {len(names):,} conversations: its"
            " correlation may be 0; go on with a model, or distil from more conversations"
        )
    heads = Heads(
        [
            Head(row.id, row.polarity, row.text, line)
            for row, line in zip(pool.criteria, lines, strict=True)
        ]
    )
    if labels is not None:
        wanted = Wanted(precision, prevalence)
        labelling = learn_labelling(nets, good, pool.wording, wanted)
        heads = replace(heads, labelling=labelling)
        notes = [*labels.notes, *notes, window_sentence(labelling)]
    scored, line_of = heads.apply(pool, "it")
    evaluator = distilled.evaluator
    judge = DistilledJudge(
        criteria=scored,
        name=f"criteria@{pool.name}@{evaluator.judge}",
        lines=line_of,
        evaluator=evaluator,
    )
    unread = np.isnan(raw).all(axis=1)
    notes = [*evaluations.notes, *notes]
    if out is not None:
        save(evaluator, Path(out))
        attach_record(open_artefact(EVALUATOR, out), ROLE, heads)
        notes.append(
            f"{out}: {len(pool.criteria)} criteria, learnt from {len(names):,} conversations"
        )
    return DistilledCriteria(
        n=len(names),
        unscored=int((np.isnan(values).any(axis=1) & ~unread).sum()),
        unread=int(unread.sum()),
        reproduced=reproduced,
        folds=folds,
        labels=labels,
        labelling=scored.labelling,
        notes=notes,
        out=None if out is None else str(out),
        signature=sign(judge.signature, np.nan_to_num(values, nan=-1).tolist(), fold.tolist()),
        settings={
            "distill": "criteria",
            "criteria": len(pool.criteria),
            "n": len(names),
            "folds": folds,
            "seed": seed,
        },
        judge=judge,
    )


def find_scored(
    records: Sequence[object], evaluations: Evaluations
) -> tuple[list[Conversation], list[str]]:
    """Return the conversations that are scored, each once, and how many others there are."""
    known = set(evaluations.items)
    chats: dict[str, Conversation] = {}
    unscored = set()
    for record in records:
        if isinstance(record, Conversation) and record.id in known:
            chats.setdefault(record.id, record)
        elif isinstance(record, Conversation):
            unscored.add(record.id)
    notes = []
    if unscored:
        notes.append(f"{len(unscored):,} conversations are not scored, and left out")
    if missing := len(known) - len(chats):
        notes.append(f"{missing:,} scored conversations are not among the items, and left out")
    if not chats:
        raise DataError(
            f"none of the {len(known):,} scored conversations is among the items; give the"
            " conversations that were scored (--items)"
        )
    return list(chats.values()), notes


def deal_folds(
    good: FloatArray, groups: Sequence[Any], folds: int, seed: int, labels: Labels | None
) -> IntArray:
    """Return the fold of each conversation (N,), labels as even as clusters allow.

    Args:
        good: (N,) 1 good, 0 bad, NaN without a label.
        groups: (N,) what stays together.

    Raises:
        DataError: too few conversations, clusters or labels for the folds.
    """
    count = len(set(groups))
    if count < 2 * folds:
        raise DataError(
            f"{folds} folds of {count} conversations, or clusters: at least {2 * folds} are needed;"
            " score more conversations, or ask for fewer folds"
        )
    rng = np.random.default_rng([seed, 1])
    fold = dealt_in_classes(np.nan_to_num(good, nan=-1.0).tolist(), groups, folds, rng)
    if labels is None:
        return fold
    for kind, label in (("good", 1.0), ("bad", 0.0)):
        counts = np.bincount(fold[good == label], minlength=folds)
        if counts.sum() < 2 * folds or counts.min() < 1:
            raise DataError(
                f"{counts.sum()} {kind} conversations for {folds} folds: {2 * folds} are needed,"
                f" and one in each fold; label more, ask for fewer folds, or leave label out and"
                f" nothing is labelled; {labels.line}"
            )
    return fold


def teach(
    items: Sequence[str], values: FloatArray, fold: IntArray, criteria: Sequence[Criterion]
) -> JudgmentTable:
    """Return evaluations (N, M) as judgments to learn from, where they vary outside each fold.

    Raises:
        DataError: a criterion is scored nowhere, or all are scored the same everywhere.
    """
    scored = set(np.flatnonzero(np.isfinite(values).any(axis=0)).tolist())
    nowhere = [row.id for number, row in enumerate(criteria) if number not in scored]
    if nowhere:
        raise DataError(
            f"{len(nowhere)} of the {len(criteria)} criteria are scored on none of these"
            f" conversations: {', '.join(nowhere[:3])}; score them first (assize criteria score),"
            " or leave them out of the file"
        )
    rows, questions = [], []
    for criterion, column in zip(criteria, values.T, strict=True):
        rest = [column[(fold != held) & ~np.isnan(column)] for held in np.unique(fold)]
        if not all(part.size > 1 and np.ptp(part) > 0 for part in rest):
            continue
        higher: Any = "better" if criterion.sat else "worse"
        questions.append(Question(criterion.id, criterion.text, range=(0.0, 10.0), higher=higher))
        for item, value in zip(items, column.tolist(), strict=True):
            row = Judgment(item, "evaluations", criterion.id, score=value, anonymous=True)
            if np.isnan(value):
                row = replace(row, score=None, unscored=Unscored("unscored"))
            rows.append(row)
    if not rows:
        raise DataError(
            "each criterion is scored the same on all conversations, so that there is nothing to"
            " learn; look at how they were scored"
        )
    return JudgmentTable.of(rows, questions)


def fit_lines(raw: FloatArray, values: FloatArray, criteria: Sequence[Criterion]) -> list[Line]:
    """Return each criterion's line from raw numbers (N, M) to evaluations (N, M)."""
    return [
        fit_line(raw[:, column], values[:, column], sat=criterion.sat)
        for column, criterion in enumerate(criteria)
    ]


def held_out_scores(
    raw: FloatArray, values: FloatArray, fold: IntArray, criteria: Sequence[Criterion]
) -> FloatArray:
    """Return the evaluator's evaluations (N, M), each fold by the lines of the others.

    Args:
        raw: (N, M) raw numbers by folds; a row of NaN where the text cannot be scored, a column of
            NaN where a criterion has no head, so that its mean counts.
    """
    scores = np.full(raw.shape, _NAN)
    readable = ~np.isnan(raw).all(axis=1)
    for number_of in np.unique(fold):
        held = fold == number_of
        lines = fit_lines(raw[~held], values[~held], criteria)
        for column, line in enumerate(lines):
            scores[held, column] = line(np.nan_to_num(raw[held, column]))
    scores[~readable] = _NAN
    return scores


def net_scores(values: FloatArray, criteria: Sequence[Criterion]) -> FloatArray:
    """Return NetSAT (N,) of evaluations (N, M); NaN where one is missing."""
    signs = np.array([1.0 if criterion.sat else -1.0 for criterion in criteria])
    return np.asarray(values @ signs)


def compare(
    name: str, scores: FloatArray, values: FloatArray, clusters: NDArray[Any] | None
) -> Fidelity:
    """Return how scores (N,) correlate with the evaluations (N,) that they reproduce."""
    return Fidelity(
        name,
        pearson(scores, values, clusters=clusters),
        spearman(scores, values, clusters=clusters),
    )


def learn_labelling(nets: FloatArray, good: FloatArray, wording: str, wanted: Wanted) -> Labelling:
    """Return threshold, window and probability for NetSAT (N,) that was held out."""
    known = ~np.isnan(nets) & ~np.isnan(good)
    seen, labels = nets[known], good[known] == 1
    middle = float(threshold(seen[None], labels)[0])
    cuts = window(seen, labels, middle, wanted)
    return labelling_of(cuts, logistic(seen, labels, wanted.prevalence), middle, labels, wording)
