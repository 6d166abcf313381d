"""Judgments by metrics and by people made into the data sets of a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from assize.base.conversation import Continuation, Item
from assize.base.errors import ConfigError, DataError
from assize.judgments import JudgmentTable
from assize.judgments.values import scale_of
from assize.reference._ensemble.columns import LOCAL, Columns, Source
from assize.reference._ensemble.sample import conversations_of, stored_conversations
from assize.reference._metrics.table import MEAN, METRICS
from assize.reference._ratings import Ratings, Target, read_ratings
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


Targets = Mapping[str, Sequence[Target]]
"""By name what people were asked; where data sets were asked differently, one of these each."""


def parsed(written: Sequence[str]) -> Targets:
    """Targets from `content`, `a+b` for a mean, or `NAME=a+b`; a name that stands several times
    is one target, which other data sets were asked in other words.

    >>> {name: len(asked) for name, asked in parsed(["style", "all=a+b", "all=c"]).items()}
    {'style': 1, 'all': 2}
    """
    targets: dict[str, list[Target]] = {}
    for text in written:
        name, equals, rest = text.partition("=")
        if equals and not name.strip():
            raise ConfigError(f"question {text!r}: no name before =; write NAME=QUESTION")
        asked = Target.of(rest if equals else name)
        targets.setdefault(name.strip() if equals else str(asked), []).append(asked)
    return targets


def questions_of(targets: Targets) -> set[str]:
    """The ids of all questions."""
    return {question for asked in targets.values() for one in asked for question in one.questions}


def targets_of(wanted: Sequence[str], people: JudgmentTable) -> Targets:
    """The targets that are asked for; else every question of the people that has an order.

    Raises:
        ConfigError: no judgment by a person answers one of them.
    """
    usable = [name for name in people.asked if people.questions[name].kind in SCALES]
    targets = parsed(wanted) or parsed(usable)
    if not targets:
        asked = ", ".join(people.asked)
        raise ConfigError(f"people answer no question with ordered answers or numbers ({asked})")
    for question in sorted(questions_of(targets) - set(usable)):
        known = ", ".join(usable) or "none"
        raise ConfigError(
            f"question {question!r}: no person gives ordered answers or numbers to it;"
            f" there are {known}"
        )
    return targets


def data_sets(
    metrics: JudgmentTable,
    people: JudgmentTable,
    items: Iterable[Item],
    targets: Targets,
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
    answered = people.where(question=questions_of(targets), unscored=None, turn=None)
    rated = list(dict.fromkeys(answered.items))
    if not rated:
        raise DataError("no rating has a value; look at the unscored judgments of your raters")
    known = {item.id: item for item in items if isinstance(item, Continuation)}
    conversations = stored_conversations(metrics) | conversations_of(known.values())
    columns = Columns.of(metrics, learnt=True)
    described, unordered = describe_columns(columns, metrics)
    measured = set(columns.items)
    if not measured & set(rated):
        raise DataError(
            f"none of the {len(rated):,} rated items is among the {len(measured):,} measured ones"
            f" (rated: {rated[0]!r}, measured: {next(iter(measured), 'none')!r}); give"
            " metrics and ratings of the same continuations"
        )
    by_set: dict[str, list[str]] = {}
    for item in rated:
        by_set.setdefault(names.get(item, "all"), []).append(item)
    unrated = Counter(names.get(item, "all") for item in measured - set(rated))
    sets = []
    for name, held in by_set.items():
        values = columns.of_items(held).values
        every = [replace(column, values=values[:, place]) for place, column in described]
        of_set = [column for column in every if not np.isnan(column.values).all()]
        absent = [column.name for column in every if np.isnan(column.values).all()]
        facts = [known.get(item) for item in held]
        ratings = {
            target: _ratings(target, asked, people, held, name) for target, asked in targets.items()
        }
        sets.append(
            DataSet(
                name=name,
                items=held,
                conversations=np.array([conversations.get(item, item) for item in held]),
                sources=np.array(["" if one is None else one.source or "" for one in facts]),
                columns=of_set,
                ratings={target: one for target, one in ratings.items() if one is not None},
                simulated=any(
                    one is not None and one.metadata.get("simulated") is True for one in facts
                ),
                notes=_notes(name, held, conversations, of_set, absent, unrated[name]),
            )
        )
    if unordered:
        note = (
            f"left out, for their answers have no order: {', '.join(unordered)}; where that is not"
            " so, give the runs themselves, which know their questions"
        )
        sets[0] = replace(sets[0], notes=(*sets[0].notes, note))
    return sets


def describe_columns(
    columns: Columns, metrics: JudgmentTable
) -> tuple[list[tuple[int, Column]], list[str]]:
    """Every judge with every question that has an order, by its place in the columns, and as a
    column of a study; and the names of those whose question has none."""
    codes, judges = metrics.codes("judge")
    kinds, known = metrics.codes("kind")
    _, first = np.unique(codes, return_index=True)
    kind_of = {judges[codes[row]]: [*known, None][kinds[row]] for row in first.tolist()}
    described, unordered = [], []
    for place, short in enumerate(short_names(columns.names, columns.sources)):
        source = columns.sources[place]
        question = metrics.questions[source.question]
        if question.kind in SCALES:
            answers = tuple(sorted(set(scale_of(question).values())))
            group = group_of(source.question, kind_of[source.judge])
            # What is learnt predicts means, which lie between the answers of its question.
            scale = "number" if group == LEARNT else SCALES[question.kind]
            values, referenced = columns.values[:, place], reads_reference(source)
            described.append((place, Column(short, group, scale, answers, values, referenced)))
        else:
            unordered.append(short)
    described.sort(key=lambda column: GROUPS.index(column[1].group))
    return described, unordered


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


def _ratings(
    target: str, asked: Sequence[Target], people: JudgmentTable, held: Sequence[str], name: str
) -> Ratings | None:
    """What raters said of these items; None where nobody was asked."""
    rows = people.where(item=list(held), turn=None)
    there = [one for one in asked if set(rows.asked) >= set(one.questions)]
    if len(there) > 1:
        several = " and ".join(map(str, there))
        raise DataError(
            f"target {target!r}: in the data set {name!r} people were asked {several}, and it"
            " is to be one of them; keep them apart, as two targets or as two data sets"
        )
    place = {item: row for row, item in enumerate(held)}
    return read_ratings(rows, there[0], place, target) if there else None


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
    measured = np.array([~np.isnan(column.values) for column in columns], dtype=bool)
    empty = len(held) - int(measured.any(axis=0).sum()) if columns else 0
    lost = sum(item not in conversations for item in held)
    notes = {
        f"{unrated:,} measured items are rated by nobody, and left out": unrated,
        f"none of its {total} rated items is measured": not columns,
        f"no rated item has a value of {', '.join(absent)}": columns and absent,
        f"{empty:,} of {total} rated items have no metric at all": empty,
        f"the conversation of {lost:,} of {total} rated items is not known, so that each counts as"
        " its own; give the continuations as items": lost,
    }
    return tuple(f"{name}: {note}" for note, holds in notes.items() if holds)
