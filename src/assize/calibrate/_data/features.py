"""The calibrators' input: every answer probability of every question, one row an item.

A column belongs to a block, and a block to (judge, prompt variant, question), so that
several models and several ways of asking them can stand side by side. The variant is
what a judgment's `details` hold under `variant`; "" where they hold none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.judgment import NOT_APPLICABLE, PEOPLE_ASKED, Judgment, Question, QuestionKind
from assize.judgments import JudgmentTable, Unit
from assize.judgments.table import BoolArray, IntArray, appearing
from assize.judgments.values import not_applicable
from assize.results.numbers import name_some

FloatArray = NDArray[np.float64]

NotAsked = Literal["kept", "zeros"]
"""What becomes of a model's answer to a question that people were not asked about the item."""

LEAST = 1e-12  # of a probability, before its logarithm or a division
TEXTS = "texts@"  # what the judge of a block begins with that holds vectors of texts; its encoder
MASS = 1e-3  # by how much the probabilities of one answer may exceed 1 together


@dataclass(frozen=True, slots=True)
class Block:
    """The columns of one question asked of one model in one way.

    Args:
        judge, variant, question: what tells blocks apart.
        answers: one column each; () for columns that hold a score or a vector.
        values: one number an answer, for means; their places where the answers have none.
        ordered: whether means over the values say something.
        size: columns where there are no answers: 1 for a score, more for a vector.
        late: whether it stands beside the answers (a score, an embedding) and is only learnt
            from once these are: see `beside`.
    """

    judge: str
    variant: str
    question: str
    answers: tuple[str, ...]
    values: tuple[float, ...]
    ordered: bool
    size: int = 1
    late: bool = False

    def __post_init__(self) -> None:
        several = len(set(self.answers)) == len(self.answers) != 1
        sized = self.size == 1 or (self.size > 1 and not self.answers)
        if not several or not sized or len(self.values) != len(self.answers):
            raise DataError(f"the columns of {self.question!r} by {self.judge!r} do not fit")

    @property
    def key(self) -> tuple[str, str, str]:
        """Judge, variant, question."""
        return (self.judge, self.variant, self.question)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.answers) or self.size


def columns_of(blocks: Sequence[Block]) -> list[slice]:
    """Where each of some blocks stands in a row."""
    ends = np.cumsum([0, *(block.width for block in blocks)]).tolist()
    return [slice(start, end) for start, end in pairwise(ends)]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Items by columns.

    Args:
        units: (N,) what each row is about.
        blocks: in the order of their columns.
        x: (N, D) probabilities as given, not normalised; scores as given. All 0 in a
            block that does not apply (NA), NaN in one that is missing.
        duplicates: rows beyond the first for one cell; their distributions are averaged.
        unscored: rows without an answer; their cells are missing unless another row fills them.
    """

    units: tuple[Unit, ...]
    blocks: tuple[Block, ...]
    x: FloatArray
    duplicates: int = 0
    unscored: int = 0

    @property
    def columns(self) -> list[slice]:
        """Where each block stands in `x`."""
        return columns_of(self.blocks)

    @property
    def empty(self) -> NDArray[np.bool_]:
        """(N,) items about which no answer is known, whatever stands beside."""
        return ~self.has([not block.late for block in self.blocks])

    def has(self, blocks: Sequence[bool]) -> NDArray[np.bool_]:
        """(N,) items about which any of the marked blocks is known."""
        columns = np.repeat(np.asarray(blocks, dtype=bool), [one.width for one in self.blocks])
        return np.asarray(~np.isnan(self.x[:, columns]).all(axis=1))

    def aligned(self, blocks: Sequence[Block]) -> Features:
        """The same items with the columns of `blocks`; a block that is not here is missing.

        Raises:
            DataError: no block is here at all, or one has other answers.
        """
        mine = {
            block.key: (block, place)
            for block, place in zip(self.blocks, self.columns, strict=True)
        }
        if not any(block.key in mine for block in blocks):
            raise DataError(
                f"no answers that this calibrator reads; it reads {_named(blocks)},"
                f" received were {_named(self.blocks)}"
            )
        parts = []
        for wanted in blocks:
            if wanted.key not in mine:
                parts.append(np.full((len(self.x), wanted.width), np.nan))
                continue
            block, place = mine[wanted.key]
            if block.size != wanted.size:
                raise DataError(
                    f"{wanted.question!r} of {wanted.judge!r} has {block.size} numbers an item;"
                    f" fitted were {wanted.size}"
                )
            if block.answers != wanted.answers:
                raise DataError(
                    f"question {wanted.question!r} of {wanted.judge!r} has the answers"
                    f" {', '.join(block.answers)}; fitted were {', '.join(wanted.answers)}"
                )
            parts.append(self.x[:, place])
        return replace(self, blocks=tuple(blocks), x=np.hstack(parts))

    def beside(self, extra: Features) -> Features:
        """The same items with the columns of `extra` put after their own, as late ones.

        Items that `extra` lacks have them missing; items that only `extra` has are left out.

        Raises:
            DataError: a column is in both, or `extra` has none of the items.
        """
        twice = {block.key for block in self.blocks} & {block.key for block in extra.blocks}
        if twice:
            judge, _, question = min(twice)
            problem = (
                f"question {question!r} by {judge!r} is both among the answers and beside them"
            )
            raise DataError(f"{problem}; give it once")
        place = {unit: line for line, unit in enumerate(extra.units)}
        rows = np.array([place.get(unit, -1) for unit in self.units], dtype=np.int64)
        if len(rows) and (rows < 0).all():
            raise DataError(
                f"what stands beside the answers is about none of their items"
                f" (theirs is {self.units[0][0]!r}, for instance); check the ids"
            )
        theirs = np.where((rows < 0)[:, None], np.nan, extra.x[rows])
        late = tuple(replace(block, late=True) for block in extra.blocks)
        return replace(self, blocks=(*self.blocks, *late), x=np.hstack([self.x, theirs]))

    def take(self, rows: IntArray) -> Features:
        """Some of the items, by place."""
        units = tuple(self.units[row] for row in rows.tolist())
        return replace(self, units=units, x=self.x[rows])


def _named(blocks: Iterable[Block]) -> str:
    names = [f"{b.question} by {b.judge}{f' ({b.variant})' if b.variant else ''}" for b in blocks]
    return name_some(names, 4)


def features_of(table: JudgmentTable, *, na: NotAsked = "kept") -> Features:
    """Make the table of features of judgments by models, metrics or evaluators.

    A distribution stands as given; an answer counts as probability 1; "NA" as zeros; a
    score alone as one column; free text is left out (`texts.py` reads it). Several rows of one
    cell (repeats, orders, duplicates) are averaged and counted. A distribution without any mass
    on the answers says nothing of them: it is missing, and counted as unscored. Rows by people
    are ratings, not features, and are refused.

    Args:
        na: a question that people were not asked about an item (its `details` hold `people_asked`:
            false) is another thing than one that the model found not applicable: the model's answer
            is kept; `zeros` takes it for NA, as the paper does.

    Raises:
        DataError: there are no rows; a probability is negative, above 1 or NaN; the
            probabilities of a row exceed 1 together; an answer is not the question's.
    """
    people = table.where(kind="person")
    if len(people):
        row = next(iter(people))
        raise DataError(f"{place_of(row)}: this is a person's rating; give it with the ratings")
    place, units = table.units()
    scored = ~table.present("unscored")
    unscored, duplicates = int((~scored).sum()), 0
    scored &= ~written(table)
    found: list[tuple[int, Block, FloatArray]] = []
    for block, at, rows in _blocks(table.filter(scored), table.questions):
        values, said = _values(rows, block, na)
        unscored += int((~said).sum())
        if not said.any():
            continue
        about = place[scored][at][said]
        count = np.bincount(about, minlength=len(units))
        total = [np.bincount(about, column, len(units)) for column in values[said].T]
        with np.errstate(invalid="ignore"):
            found.append((int(at[said][0]), block, np.stack(total, axis=1) / count[:, None]))
        duplicates += len(about) - int((count > 0).sum())
    if not found:
        raise DataError(_nothing(table))
    found.sort(key=lambda one: one[0])
    blocks = tuple(block for _, block, _ in found)
    return Features(units, blocks, np.hstack([part for *_, part in found]), duplicates, unscored)


def normalised(p: FloatArray) -> FloatArray:
    """Return probabilities (N, K) divided by their mass; NaN where there is none."""
    mass = p.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(p, mass, out=np.full_like(p, np.nan), where=mass > 0))


def questions_of(blocks: Iterable[Block]) -> list[Question]:
    """The scales that blocks were read on, one a question."""
    found: dict[str, Question] = {}
    for block in blocks:
        kind: QuestionKind = "ordinal" if block.ordered else "nominal"
        if block.answers:
            one = Question(block.question, kind=kind, answers=block.answers, values=block.values)
        else:
            free = block.size > 1 and block.judge.startswith(TEXTS)
            one = Question(block.question, kind="text" if free else "number")
        found.setdefault(block.question, one)
    return list(found.values())


def written(table: JudgmentTable) -> BoolArray:
    """(N,) rows about a question whose answers are free text."""
    codes, names = table.codes("question")
    free = [table.questions[name].kind == "text" for name in names]
    return np.asarray(np.array([*free, False])[codes])


def place_of(row: Judgment) -> str:
    """Where a row stands, for messages."""
    turn = "" if row.turn is None else f", turn {row.turn}"
    return f"item {_short(row.item)}{turn}, judge {_short(row.judge)}, question {row.question!r}"


def _nothing(table: JudgmentTable) -> str:
    """What is wrong with answers that hold nothing to learn from."""
    if written(table).any():
        return "the answers hold free text only; at least one question with answers or a score too"
    return "the answers hold no judgment with an answer, a distribution or a score"


def _short(name: str) -> str:
    """Quoted, its middle left out where it is long."""
    return repr(name if len(name) <= 80 else f"{name[:60]}...{name[-17:]}")


def _blocks(
    table: JudgmentTable, questions: Mapping[str, Question]
) -> Iterator[tuple[Block, IntArray, JudgmentTable]]:
    """Each block of scored judgments, where its rows stand, and the rows."""
    judges, names = table.codes("judge")
    asked, ids = table.codes("question")
    variants, known = variants_of(table)
    key, first = appearing((judges * len(ids) + asked) * len(known) + variants)
    for number, row in enumerate(first.tolist()):
        mine = key == number
        judge, question = names[judges[row]], questions[ids[asked[row]]]
        block = _block(judge, known[variants[row]], question)
        yield block, np.flatnonzero(mine), table.filter(mine)


def variants_of(table: JudgmentTable) -> tuple[IntArray, list[str]]:
    """The prompt variant of each row (N,), as a place among the names."""
    named = np.flatnonzero(table.mentions("details", '"variant"'))
    texts = table.arrow["details"].take(named).to_pylist()
    names = {"": 0}
    found = np.zeros(len(table), dtype=np.int64)
    for at, text in zip(named.tolist(), texts, strict=True):
        variant = str(json.loads(text).get("variant", ""))
        found[at] = names.setdefault(variant, len(names))
    return found, list(names)


def _block(judge: str, variant: str, question: Question) -> Block:
    values = question.values
    if values is None:
        values = tuple(float(place) for place in range(len(question.answers)))
    ordered = question.kind in ("ordinal", "binary", "preference", "number")
    return Block(judge, variant, question.id, question.answers, values, ordered)


def _not_asked(rows: JudgmentTable) -> BoolArray:
    """(N,) rows about what people were not asked."""
    named = np.flatnonzero(rows.mentions("details", f'"{PEOPLE_ASKED}"'))
    found = np.zeros(len(rows), dtype=bool)
    texts = rows.arrow["details"].take(named).to_pylist()
    found[named] = [json.loads(text).get(PEOPLE_ASKED) is False for text in texts]
    return found


def _values(rows: JudgmentTable, block: Block, na: NotAsked) -> tuple[FloatArray, BoolArray]:
    """The columns (N, width) that rows fill, and which rows say anything (N,)."""
    skipped = not_applicable(rows)
    values = np.zeros((len(rows), block.width))
    row, share, p, shared = rows.shares()
    mass = np.bincount(row, np.abs(p), len(rows))
    _refuse(
        rows,
        skipped & (mass != 0),
        lambda one: f"{NOT_APPLICABLE} and a distribution; give one of the two",
    )
    if na == "zeros":
        skipped |= _not_asked(rows)
    if not block.answers:
        score = rows.numeric("score")
        _refuse(rows, ~skipped & ~np.isfinite(score), _no_score)
        values[:, 0] = np.where(skipped, 0.0, score)
        return values, np.ones(len(rows), dtype=bool)
    place = {answer: at for at, answer in enumerate(block.answers)}
    codes, names = rows.codes("answer")
    own = np.array([*(place.get(name, -1) for name in names), -1])[codes]
    alone = ~skipped & ~rows.present("distribution")
    _refuse(
        rows,
        alone & (codes < 0),
        lambda one: "a score, but the question has answers; give an answer or a distribution",
    )
    column = np.array([*(place.get(name, -1) for name in shared), -1])[share]
    stray = np.bincount(row[column < 0], minlength=len(rows)) > 0
    _refuse(rows, (alone & (own < 0)) | (~skipped & stray), partial(_no_answer, block))
    odd = np.bincount(row[~((p >= 0) & (p <= 1 + MASS))], minlength=len(rows)) > 0  # NaN too
    _refuse(rows, ~skipped & odd, _no_probability)
    _refuse(
        rows,
        ~skipped & (mass > 1 + MASS),
        lambda one: (
            f"the probabilities sum to {sum((one.distribution or {}).values()):.6g};"
            " at most 1 is allowed; mend the row"
        ),
    )
    values[np.flatnonzero(alone), own[alone]] = 1.0
    kept = ~skipped[row]
    values[row[kept], column[kept]] = p[kept]
    return values, skipped | values.any(axis=1)


def _refuse(rows: JudgmentTable, bad: BoolArray, problem: Callable[[Judgment], str]) -> None:
    """Raises DataError about the first bad row."""
    if bad.any():
        row = next(iter(rows.filter(np.arange(len(rows)) == int(bad.argmax()))))
        raise DataError(f"{place_of(row)}: {problem(row)}")


def _no_score(row: Judgment) -> str:
    problem = f"received score {row.score!r}; expected a finite number"
    if row.answer is not None:
        problem += "; the question has no answers: define them in questions.json"
    return problem


def _no_answer(block: Block, row: Judgment) -> str:
    given = [row.answer] if row.distribution is None else list(row.distribution)
    stray = next((one for one in given if one not in block.answers), given[0])
    allowed = ", ".join((*block.answers, NOT_APPLICABLE))
    return (
        f"answer {ascii(stray)[:60]} is none of {allowed};"
        " mend the row, or the question in questions.json"
    )


def _no_probability(row: Judgment) -> str:
    shares = (row.distribution or {}).items()
    answer, share = next(one for one in shares if not 0 <= one[1] <= 1 + MASS)
    return f"probability {share!r} of answer {answer!r}; expected 0 to 1; mend the row"
