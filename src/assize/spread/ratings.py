"""Judgments as arrays: one value a rater and conversation, kept on disk for pages that come back.

    spread.json        questions, raters, notes
    items.arrow        a row a conversation: id, time, prompt, record, first judgment, fields
    judgments.arrow    every judgment, by conversation
    values-N.npy ...   the answers to question N

Files are mapped into memory: opening them costs milliseconds, whatever their size.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError
from assize.base.fields import value_at, word_at
from assize.base.judgment import TRUTHS, Judgment, Question
from assize.base.signature import content_hash
from assize.formats.records import parse, to_json
from assize.formats.records import question as read_question
from assize.formats.sampling import prompt_of
from assize.formats.times import read_time
from assize.judgments import JudgmentTable
from assize.judgments.combine import combine
from assize.judgments.schema import to_rows
from assize.judgments.values import scale_of

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

PREDICTED = "calibration:"  # begins the names of predicted raters
NONE = "(none)"
"""What a conversation without a value of a field is called."""
MOST_VALUES = 50  # of a field that conversations are split by
MOST_ANSWERS = 30  # of a nominal question that has a chart
GROUPS = ("calibrated", "people", "models")


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The answers to one question: C columns, R raters, U conversations.

    A question with numbers has one column, a nominal one a column of 0 and 1 for each answer.

    Args:
        values: (C, R, U) what each rater answered, or is expected to; NaN for nothing.
        below: (L - 1, R, U) the probability, in 65,536ths, of an answer up to each level but the
            last; None where nobody's answers are drawn.
        levels: (C, L) what each answer that can be drawn is worth in each column.
        predicted: (R,) raters all of whose answers can be drawn.
        failed, needless: (R, U) asked without an answer; answered that it does not apply.
    """

    values: FloatArray
    below: NDArray[np.uint16] | None
    levels: FloatArray
    predicted: NDArray[np.bool_]
    failed: NDArray[np.bool_]
    needless: NDArray[np.bool_]


ARRAYS = ("values", "below", "levels", "predicted", "failed", "needless")


@dataclass(frozen=True, eq=False)
class Ratings:
    """The judgments of many conversations.

    Args:
        questions: those whose answers are numbers, or one of a few words.
        all_questions: every question, those without a chart too.
        raters: by name the group of each: calibrated, people, models, or "" for none.
        items: a row a conversation: id, at (seconds since 1970), prompt (0 for none), record,
            start (its first judgment), and a column a field that conversations are split by.
        judgments: by conversation.
        answers: by question.
        notes: what a reader should know about them.
    """

    questions: Sequence[Question]
    all_questions: Sequence[Question]
    raters: Mapping[str, str]
    items: pa.Table
    judgments: pa.Table
    answers: Mapping[str, Answers]
    notes: Sequence[str]

    @property
    def size(self) -> int:
        """How many conversations there are."""
        return len(self.items)

    @property
    def fields(self) -> Sequence[str]:
        """What conversations can be split by."""
        return list(self.items.column_names[5:])

    @cached_property
    def times(self) -> FloatArray:
        """(U,) when each conversation was, seconds since 1970; NaN for none."""
        return np.asarray(self.items["at"].to_numpy())

    def question(self, name: str) -> Question:
        """The question of that id; ConfigError where nobody answered it."""
        known = {question.id: question for question in self.questions}
        if name not in known:
            raise ConfigError(f"no question {name!r} here; there are {', '.join(known)}")
        return known[name]

    def values_of(self, field: str) -> tuple[IntArray, list[str]]:
        """The value of a field of each conversation (U,), as a place among its values."""
        if field not in self.fields:
            known = ", ".join(self.fields) or "none"
            raise ConfigError(f"no field {field!r} to split by; there are {known}")
        column = self.items[field].combine_chunks()
        return column.indices.to_numpy().astype(np.int64), column.dictionary.to_pylist()

    def position(self, id: str) -> int:
        """The row of a conversation; ConfigError where it was not judged."""
        row: int = pa.compute.index(self.items["id"], id).as_py()
        if row < 0:
            raise ConfigError(f"no conversation {id!r} was judged here")
        return row

    def item(self, position: int) -> Item | str:
        """The record of a conversation; its id where it was not given."""
        record = self.items["record"][position].as_py()
        if record is None:
            return str(self.items["id"][position].as_py())
        item = parse(json.loads(record))
        assert not isinstance(item, Judgment)
        return item

    def judgments_of(self, position: int) -> list[Judgment]:
        """Every judgment of a conversation, in the order in which they were read."""
        start = self.items["start"][position].as_py()
        stop = len(self.judgments)
        if position + 1 < self.size:
            stop = self.items["start"][position + 1].as_py()
        return list(to_rows(self.judgments.slice(start, stop - start)))


def gather_ratings(
    table: JudgmentTable,
    items: Iterable[Item] = (),
    *,
    fields: Sequence[str] | None = None,
    time: str = "",
) -> Ratings:
    """Put judgments and the items that they judge into arrays.

    Repeats and orders are put together as everywhere (`judgments.combine`). Where nothing was said
    of whole conversations, a conversation has the mean of its turns.

    Args:
        items: read once; those that nobody judged are left out, and counted.
        fields: what conversations can be split by; None takes `system` and all of the metadata
            with 2 to 50 values.
        time: field that says when a conversation was.

    Raises:
        DataError: no question has numbers or answers to choose from.
    """
    ids = {name: position for position, name in enumerate(table.items)}
    raters = group_raters(table)
    answers, questions = {}, []
    for name in table.asked:
        question = table.questions[name]
        if not has_chart(question):
            continue
        arrays = arrange_answers(table.where(question=name), question, list(raters), ids)
        if not np.isnan(arrays.values).all():
            answers[name] = arrays
            questions.append(question)
    if not questions:
        raise DataError("no judgment here is a number or an answer that a question names")
    judgments, starts = sort_judgments(table, ids)
    columns, notes = read_items(items, ids, fields, time)
    others = [name for name in table.asked if name not in answers]
    if others:
        notes.insert(0, f"no chart of {', '.join(others)}: free text, or too many answers")
    if table.inferred:
        notes.append(f"scales guessed from the answers seen: {', '.join(sorted(table.inferred))}")
    rows = pa.table({"id": list(ids), **columns}).add_column(4, "start", pa.array(starts))
    all_questions = [table.questions[name] for name in table.asked]
    return Ratings(questions, all_questions, raters, rows, judgments, answers, notes)


def has_chart(question: Question) -> bool:
    """Whether the answers to a question are numbers, or a few words."""
    if question.kind == "nominal":
        return 0 < len(question.answers) <= MOST_ANSWERS
    return question.kind != "text"


def group_raters(table: JudgmentTable) -> dict[str, str]:
    """Return whoever judged, in groups: predicted raters, people, models, and who is in none.

    Gold and the prediction for a rater who is not known are in no group.
    """
    people = set(table.where(kind="person").judges)
    models = set(table.where(kind="model").judges)
    groups = {}
    for name in sorted(table.judges):
        if name in TRUTHS or name == f"{PREDICTED}unknown":
            groups[name] = ""
        elif name.startswith(PREDICTED):
            groups[name] = "calibrated"
        elif name in people or not (name in models or "@" in name):
            groups[name] = "people"
        else:
            groups[name] = "models"
    return groups


def arrange_answers(
    table: JudgmentTable, question: Question, raters: Sequence[str], ids: Mapping[str, int]
) -> Answers:
    """Return the answers to one question, which all rows of the table are about."""
    whole = table.where(turn=None)
    table = whole if len(whole) else table
    combined = combine(table, question)
    shape = len(raters), len(ids)
    rater = np.array([raters.index(name) for name in combined.judges])[combined.judge]
    unit = np.array([ids[item] for item, _ in combined.units])[combined.unit]
    cell = rater * len(ids) + unit
    known = ~np.isnan(combined.values)
    count = np.bincount(cell[known], minlength=shape[0] * shape[1])
    columns = [combined.values]
    if question.kind == "nominal":
        columns = [combined.values == position for position in range(len(question.answers))]
    with np.errstate(invalid="ignore"):
        sums = [np.bincount(cell[known], column[known], len(count)) for column in columns]
        values = np.stack(sums).reshape(len(columns), *shape) / count.reshape(shape)
    scale = scale_of(question)
    levels = np.array(sorted(set(scale.values())))
    mass = chances(table, combined.cell, cell, scale, len(count), levels)
    mass = mass.reshape(*shape, len(levels))
    total = mass.sum(axis=2)
    scored = count.reshape(shape) > 0
    predicted = np.array([name.startswith(PREDICTED) for name in raters])
    predicted &= ((total > 0) | ~scored).all(axis=1) & scored.any(axis=1)
    below = None
    if predicted.any() and len(levels) > 1:
        share = np.cumsum(mass, axis=2)[..., :-1] / np.maximum(total, 1e-300)[..., None]
        below = np.moveaxis(np.rint(np.minimum(share * 65_536, 65_535)), 2, 0).astype(np.uint16)
        if question.kind == "nominal":  # what a rater is expected to answer
            expected = np.moveaxis(mass / np.maximum(total, 1e-300)[..., None], 2, 0)
            values[:, predicted] = np.where(scored, expected, np.nan)[:, predicted]
    failed, needless = (
        (np.bincount(cell[mask], minlength=len(count)).reshape(shape) > 0) & ~scored
        for mask in (combined.unscored, combined.not_applicable)
    )
    worth = np.eye(len(levels)) if question.kind == "nominal" else levels[None]
    return Answers(values, below, worth, predicted, failed, needless)


def chances(
    table: JudgmentTable,
    cell_of_row: IntArray,
    cell: IntArray,
    scale: Mapping[str, float],
    cells: int,
    levels: FloatArray,
) -> FloatArray:
    """Return the probability of each level in each cell (cells, L); 0 where several rows are one
    cell, or none says."""
    mass: FloatArray = np.zeros(cells * len(levels))
    if len(levels) and table.present("distribution").any():
        row, share, p, answers = table.shares()
        level = np.array([np.searchsorted(levels, scale.get(entry, np.nan)) for entry in answers])
        labelled = np.array([entry in scale for entry in answers])[share]
        alone = np.bincount(cell[cell_of_row], minlength=cells) == 1
        chosen = labelled & alone[cell[cell_of_row[row]]]
        position = cell[cell_of_row[row[chosen]]] * len(levels) + level[share[chosen]]
        mass = np.bincount(position, p[chosen], cells * len(levels)).astype(np.float64)
    return mass.reshape(cells, len(levels))


def sort_judgments(table: JudgmentTable, ids: Mapping[str, int]) -> tuple[pa.Table, IntArray]:
    """Return the rows by conversation, and where those of each begin."""
    codes, names = table.codes("item")
    position = np.array([ids.get(name, -1) for name in names], dtype=np.int64)[codes]
    order = np.argsort(position, kind="stable")
    rows = table.arrow if (np.diff(position) >= 0).all() else table.arrow.take(pa.array(order))
    return rows, np.searchsorted(position[order], np.arange(len(ids)))


def read_items(
    items: Iterable[Item], ids: Mapping[str, int], fields: Sequence[str] | None, time: str
) -> tuple[dict[str, Any], list[str]]:
    """Return columns of the conversations: when, prompt, record, fields; and what is lacking."""
    moments = np.full(len(ids), np.nan)
    prompts = np.zeros(len(ids), dtype=np.uint64)
    records: list[str | None] = [None] * len(ids)
    words: dict[str, dict[int, str]] = {}
    unjudged = 0
    for item in items:
        position = ids.get(item.id)
        if position is None:
            unjudged += 1
            continue
        records[position] = json.dumps(to_json(item))
        prompt = prompt_of(item).encode(errors="surrogatepass")
        if prompt:
            prompts[position] = int(content_hash(prompt, digits=16), 16)
        moment = read_time(value_at(item, time)) if time else None
        if moment is not None:
            moments[position] = moment[0]
        names = fields
        if names is None:
            names = ["system", *(f"metadata.{name}" for name in item.metadata)]
        for name in names:
            word = word_at(item, name)
            if word is not None:
                words.setdefault(name, {})[position] = word
    columns: dict[str, Any] = {
        "at": moments,
        "prompt": prompts,
        "record": pa.array(records, pa.string()),
    }
    notes = []
    for name in words if fields is None else fields:
        values = sorted(set(words.get(name, {}).values()))
        if fields is None and (len(values) < 2 or name == time or len(values) > MOST_VALUES):
            continue
        if not values or len(values) > MOST_VALUES:
            many = f"has more than {MOST_VALUES} values" if values else "stands in no conversation"
            notes.append(f"{name} {many} and splits nothing")
            continue
        if len(words[name]) < len(ids):
            values.append(NONE)
        codes = {word: code for code, word in enumerate(values)}
        indices = [codes[words[name].get(row, NONE)] for row in range(len(ids))]
        columns[name] = pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), values)
    for count, message in (
        (records.count(None), "items judged are not among those given"),
        (unjudged, "items given were not judged, and are left out"),
        (int(np.isnan(moments).sum()) if time else 0, f"conversations have no time under {time}"),
    ):
        if count:
            notes.append(f"{count:,} {message}")
    return columns, notes


def save_ratings(ratings: Ratings, folder: Path) -> None:
    """Write ratings into a folder that `open_ratings` opens."""
    folder.mkdir(parents=True)
    for name, rows in (("items", ratings.items), ("judgments", ratings.judgments)):
        with pa.ipc.new_file(str(folder / f"{name}.arrow"), rows.schema) as writer:
            writer.write_table(rows.combine_chunks())
    for number, question in enumerate(ratings.questions):
        for name in ARRAYS:
            array = getattr(ratings.answers[question.id], name)
            if array is not None:
                np.save(folder / f"{name}-{number}.npy", array)
    facts = {
        "questions": [to_json(question) for question in ratings.questions],
        "all_questions": [to_json(question) for question in ratings.all_questions],
        "raters": dict(ratings.raters),
        "notes": list(ratings.notes),
    }
    (folder / "spread.json").write_text(json.dumps(facts), encoding="utf-8")


def open_ratings(folder: Path) -> Ratings:
    """Open a folder that `save_ratings` wrote; OSError or ValueError where it is none."""
    facts = json.loads((folder / "spread.json").read_text(encoding="utf-8"))
    questions = [read_question(row) for row in facts["questions"]]
    answers = {}
    for number, question in enumerate(questions):
        paths = {name: folder / f"{name}-{number}.npy" for name in ARRAYS}
        arrays = {name: np.load(path, "r") for name, path in paths.items() if path.exists()}
        answers[question.id] = Answers(**{"below": None, **arrays})
    items, judgments = (
        pa.ipc.open_file(pa.memory_map(str(folder / f"{name}.arrow"))).read_all()
        for name in ("items", "judgments")
    )
    all_questions = [read_question(row) for row in facts["all_questions"]]
    return Ratings(
        questions, all_questions, facts["raters"], items, judgments, answers, facts["notes"]
    )
