"""Judgments by metrics and by people made into the data sets of a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.base.conversation import Continuation, Item
from assize.base.errors import ConfigError, DataError
from assize.judgments import JudgmentTable
from assize.judgments.values import scale_of
from assize.reference._ensemble.columns import LOCAL, Columns, Source
from assize.reference._ensemble.sample import conversations_of, stored_conversations
from assize.reference._metrics.table import MEAN, METRICS
from assize.reference._ratings import Asked, Ratings, read_ratings
from assize.reference._study.data import Column, DataSet, Scale

SCALES: Mapping[str, Scale] = {"number": "number", "ordinal": "ordinal", "binary": "binary"}
"""By the kind of a question what its values are; others are no metric."""

EMBEDDINGS, OVERLAP, SURFACE = "Embeddings", "Token overlap", "Surface"
MODELS, LEARNT, OTHER = "Language models", "Learnt judges", "Others"
GROUPS = (EMBEDDINGS, OVERLAP, SURFACE, MODELS, LEARNT, OTHER)
"""The parts of a table of metrics, in the order in which they stand."""

UNREFERENCED = ("reasonable", "guidelines-reasonableness")
"""Judges of ours that are shown no reference."""

_BY_FAMILY = {
    "cosine": EMBEDDINGS,
    "bertscore": EMBEDDINGS,
    "rouge": OVERLAP,
    "surface": SURFACE,
}
_BY_KIND = {"model": MODELS, "evaluator": LEARNT}


@dataclass(frozen=True, slots=True)
class Target:
    """What people were asked.

    Args:
        name: as tables show it.
        asked: a question, or the mean of several; where data sets were asked differently, one of
            these each.
    """

    name: str
    asked: tuple[Asked, ...]

    @property
    def questions(self) -> set[str]:
        """All ids."""
        return {question for one in self.asked for question in one.questions}


def parsed(written: Sequence[str]) -> list[Target]:
    """Targets from `content`, `a+b` for a mean, or `NAME=a+b`; a name that stands several times
    is one target, which other data sets were asked in other words.

    >>> [(one.name, len(one.asked)) for one in parsed(["style", "all=a+b", "all=c"])]
    [('style', 1), ('all', 2)]
    """
    found: dict[str, list[Asked]] = {}
    for text in written:
        name, equals, rest = text.partition("=")
        if equals and not name.strip():
            raise ConfigError(f"question {text!r}: no name before =; write NAME=QUESTION")
        asked = Asked.of(rest if equals else name)
        found.setdefault(name.strip() if equals else str(asked), []).append(asked)
    return [Target(name, tuple(each)) for name, each in found.items()]


def targets_of(wanted: Sequence[str], people: JudgmentTable) -> list[Target]:
    """The targets that are asked for; else every question of the people that has an order.

    Raises:
        ConfigError: no judgment by a person answers one of them.
    """
    usable = [one for one in people.asked if people.questions[one].kind in SCALES]
    found = parsed(wanted) or parsed(usable)
    if not found:
        asked = ", ".join(people.asked)
        raise ConfigError(f"people answer no question with ordered answers or numbers ({asked})")
    for target in found:
        for question in sorted(target.questions):
            if question not in usable:
                known = ", ".join(usable) or "none"
                raise ConfigError(
                    f"question {question!r}: no person gives ordered answers or numbers to it;"
                    f" there are {known}"
                )
    return found


def data_sets(
    metrics: JudgmentTable,
    people: JudgmentTable,
    items: Iterable[Item],
    targets: Sequence[Target],
    names: Mapping[str, str],
) -> list[DataSet]:
    """The data sets, in the order in which their ratings appear.

    Args:
        metrics: judgments by whoever is studied.
        people: judgments by raters.
        items: what was judged; tells conversations and sources.
        targets: what people were asked.
        names: by item the data set that it is in; items without one are in `all`.

    Raises:
        DataError: nobody rated, nothing that was rated was measured, or two scales meet in one
            target of a data set.
    """
    rated = _rated(people, targets)
    if not rated:
        raise DataError("no rating has a value; look at the unscored judgments of your raters")
    known = {one.id: one for one in items if isinstance(one, Continuation)}
    conversations = stored_conversations(metrics) | conversations_of(known.values())
    asked, unordered = _columns(metrics)
    measured = set(metrics.items)
    if not measured & rated.keys():
        raise DataError(
            f"none of the {len(rated):,} rated items is among the {len(measured):,} measured ones"
            f" (rated: {next(iter(rated))!r}, measured: {next(iter(measured), 'none')!r}); give"
            " metrics and ratings of the same continuations"
        )
    by_set: dict[str, list[str]] = {}
    for item in rated:
        by_set.setdefault(names.get(item, "all"), []).append(item)
    unrated = Counter(names.get(item, "all") for item in measured - rated.keys())
    found = [
        _data_set(name, held, people, targets, asked, known, conversations, unrated[name])
        for name, held in by_set.items()
    ]
    if unordered:
        note = (
            f"left out, for their answers have no order: {', '.join(unordered)}; where that is not"
            " so, give the runs themselves, which know their questions"
        )
        found[0] = replace(found[0], notes=(*found[0].notes, note))
    return found


def _rated(people: JudgmentTable, targets: Sequence[Target]) -> dict[str, None]:
    """The items with a rating on any target, in order of appearance."""
    wanted = {question for target in targets for question in target.questions}
    kept = people.where(question=wanted, unscored=None, turn=None)
    return dict.fromkeys(kept.items)


def _columns(
    metrics: JudgmentTable,
) -> tuple[list[tuple[Column, tuple[str, ...]]], list[str]]:
    """Every judge with every question that has an order, over all items that it was asked of; and
    the names of those whose question has none."""
    columns = Columns.of(metrics, learnt=True)
    kinds = _kinds(metrics)
    found, unordered = [], []
    for at, short in enumerate(short_names(columns.names, columns.sources)):
        source = columns.sources[at]
        question = metrics.questions[source.question]
        if question.kind in SCALES:
            answers = tuple(sorted(set(scale_of(question).values())))
            group = group_of(source.question, kinds[source.judge])
            # What is learnt predicts means, which lie between the answers of its question.
            scale = "number" if group == LEARNT else SCALES[question.kind]
            values, referenced = columns.values[:, at], reads_reference(source)
            found.append(Column(short, group, scale, answers, values, referenced))
        else:
            unordered.append(short)
    found.sort(key=lambda one: GROUPS.index(one.group))
    return [(one, columns.items) for one in found], unordered


def short_names(names: Sequence[str], sources: Sequence[Source]) -> list[str]:
    """What tables call the columns of an ensemble: local metrics by their question, a judge with
    one question by its name.

    >>> sources = [Source("metrics@x", "cosine"), Source("likert@a:m", "same")]
    >>> short_names(["metrics:cosine", "likert:same"], sources)
    ['cosine', 'likert']
    """
    asked = Counter(source.judge for source in sources)
    found = []
    for name, source in zip(names, sources, strict=True):
        judge = name.removesuffix(f":{source.question}")
        if judge == LOCAL:
            found.append(source.question)
        else:
            found.append(judge if asked[source.judge] == 1 else name)
    again = Counter(found)
    return [short if again[short] == 1 else name for short, name in zip(found, names, strict=True)]


def _kinds(table: JudgmentTable) -> dict[str, str | None]:
    """By judge, the kind that its first judgment says."""
    codes, judges = table.codes("judge")
    kinds, known = table.codes("kind")
    _, first = np.unique(codes, return_index=True)
    return {judges[codes[at]]: None if kinds[at] < 0 else known[kinds[at]] for at in first.tolist()}


def group_of(question: str, kind: str | None) -> str:
    """The part of a table that a judge with a question stands in."""
    own = METRICS.get(question.removesuffix(MEAN))
    if kind in (None, "metric") and own is not None:
        return _BY_FAMILY[own.family]
    return _BY_KIND.get(kind or "", OTHER)


def reads_reference(source: Source) -> bool:
    """Whether a judge reads the reference for a question; of judges of others it is held so.

    >>> reads_reference(Source("metrics", "length")), reads_reference(Source("metrics", "cosine"))
    (False, True)
    """
    metric = METRICS.get(source.question.removesuffix(MEAN)) if source.base == LOCAL else None
    return metric.references if metric is not None else source.base not in UNREFERENCED


def _data_set(
    name: str,
    held: Sequence[str],
    people: JudgmentTable,
    targets: Sequence[Target],
    asked: Sequence[tuple[Column, tuple[str, ...]]],
    known: Mapping[str, Continuation],
    conversations: Mapping[str, str],
    unrated: int,
) -> DataSet:
    place = {item: at for at, item in enumerate(held)}
    at = np.array([place.get(item, -1) for item in asked[0][1]]) if asked else np.empty(0, int)
    every = []
    for one, _ in asked:
        values = np.full(len(held), np.nan)
        values[at[at >= 0]] = one.values[at >= 0]
        every.append(replace(one, values=values))
    columns = [one for one in every if not np.isnan(one.values).all()]
    absent = [one.name for one in every if np.isnan(one.values).all()]
    ratings = {one.name: _ratings(one, people, place, name) for one in targets}
    facts = [known.get(item) for item in held]
    return DataSet(
        name=name,
        items=list(held),
        conversations=np.array([conversations.get(item, item) for item in held]),
        sources=np.array(["" if one is None else one.source or "" for one in facts]),
        columns=columns,
        ratings={target: one for target, one in ratings.items() if one is not None},
        simulated=any(one is not None and one.metadata.get("simulated") is True for one in facts),
        notes=_notes(name, held, conversations, columns, absent, unrated),
    )


def _ratings(
    target: Target, people: JudgmentTable, place: Mapping[str, int], name: str
) -> Ratings | None:
    """What raters said of these items; None where nobody was asked."""
    rows = people.where(item=list(place), turn=None)
    given = set(rows.asked)
    asked = [one for one in target.asked if given >= set(one.questions)]
    if not asked:
        return None
    if len(asked) > 1:
        several = " and ".join(map(str, asked))
        raise DataError(
            f"target {target.name!r}: in the data set {name!r} people were asked {several}, and it"
            " is to be one of them; keep them apart, as two targets or as two data sets"
        )
    return read_ratings(rows, asked[0], place, target.name)


def _notes(
    name: str,
    held: Sequence[str],
    conversations: Mapping[str, str],
    columns: Sequence[Column],
    absent: Sequence[str],
    unrated: int,
) -> tuple[str, ...]:
    """What a reader should know of the items of a data set."""
    total = f"{len(held):,}"
    found = []
    if unrated:
        found.append(f"{name}: {unrated:,} measured items are rated by nobody, and left out")
    if not columns:
        found.append(f"{name}: none of its {total} rated items is measured")
    elif absent:
        found.append(f"{name}: no rated item has a value of {', '.join(absent)}")
    if columns:
        nothing = int(np.isnan(np.stack([one.values for one in columns])).all(axis=0).sum())
        if nothing:
            found.append(f"{name}: {nothing:,} of {total} rated items have no metric at all")
    lost = sum(item not in conversations for item in held)
    if lost:
        found.append(
            f"{name}: the conversation of {lost:,} of {total} rated items is not known, so that"
            " each counts as its own; give the continuations as items"
        )
    return tuple(found)
