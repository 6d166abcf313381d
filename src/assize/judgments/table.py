"""A table of judgments: columns, with the questions that they answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assize.base.arguments import listed
from assize.base.errors import ConfigError, MissingExtra
from assize.base.judgment import NOT_APPLICABLE, Judgment, Question, infer_question
from assize.judgments.questions import Questions
from assize.judgments.reading import conform, occurring, problem_of
from assize.judgments.schema import NAME, SCHEMA, from_rows, to_rows
from assize.results import ResultTable
from assize.results.columns import columns
from assize.results.escape import printable_line
from assize.results.numbers import counted

if TYPE_CHECKING:
    import pandas as pd

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Unit = tuple[str, int | None]
"""What is judged: an item, or one turn of it."""

_MANY = 10_000  # rows in which the few names of a column have most likely all been seen


@dataclass(frozen=True, slots=True, eq=False)
class JudgmentTable:
    """Judgments with the questions they answer.

    Make one with `JudgmentTable.of(rows)`, `from_arrow`, `from_pandas`, or
    `assize.read_judgments(files)`. Statistics read its columns; iterating gives a
    `Judgment` a row, made when asked for.

    Args:
        arrow: (N rows) in `assize.judgments.schema.SCHEMA`, in the order in which they
            were read; duplicates are kept.
        questions: by id; every question that a row answers is here.
        inferred: ids of the questions whose scale was guessed from the answers seen.
        source: the `Items` that `read_judgments` read them from, whose `rejects` hold what was
            left out; None for a table that was made in another way.
    """

    arrow: pa.Table
    questions: Mapping[str, Question] = field(default_factory=dict)
    inferred: frozenset[str] = frozenset()
    source: Any = None

    def __post_init__(self) -> None:
        self._keep(self.arrow.columns)

    def _keep(self, columns: Sequence[Any]) -> None:
        object.__setattr__(self, "arrow", pa.Table.from_arrays(columns, schema=SCHEMA))

    def _column(self, name: str) -> Any:
        """A column as one array; its pieces are put together when it is first asked for."""
        column = self.arrow[name]
        if column.num_chunks != 1:
            column = pa.chunked_array([column.combine_chunks()], column.type)
            self._keep([column if one == name else self.arrow[one] for one in SCHEMA.names])
        return column.chunk(0)

    @classmethod
    def of(cls, rows: Iterable[Judgment], questions: Iterable[Question] = ()) -> JudgmentTable:
        """A table of judgments; questions that are not given are inferred.

        Raises:
            DataError: one of the rows is no judgment.
        """
        given = listed(rows, Judgment, "rows", "a list of judgments")
        asked = listed(questions, Question, "questions", "a list of questions")
        return cls._asked(cls(from_rows(given)), asked)

    @classmethod
    def from_arrow(cls, table: pa.Table, questions: Iterable[Question] = ()) -> JudgmentTable:
        """A table from columns named as the fields of a judgment.

        Columns that no judgment has are kept with each row (`Judgment.extra`).

        Raises:
            DataError: `item`, `judge` or `question` is missing, or a column cannot be read
                as what it should be.
        """
        columns = conform(table)
        problem = problem_of(columns)
        if problem is not None:
            raise problem
        return cls._asked(cls(columns), questions)

    @classmethod
    def _asked(cls, bare: JudgmentTable, questions: Iterable[Question]) -> JudgmentTable:
        """The table with the questions given, and the others as its answers tell."""
        known = {one.id: one for one in questions}
        guessed = {
            name: infer_question(name, answers)
            for name, answers in bare.answers_seen().items()
            if name not in known
        }
        return cls(bare.arrow, known | guessed, frozenset(guessed))

    def stated(self, questions: Iterable[Question]) -> JudgmentTable:
        """The same rows; a question whose scale was guessed has the one that is given here.

        The guess stays where an answer that was seen is not among the given ones, and of
        scores alone.
        """
        given = {one.id: one for one in questions if one.id in self.inferred}
        seen = self.answers_seen(known=self.questions.keys() - given.keys())
        found = {
            name: one
            for name, one in given.items()
            if seen.get(name) and seen[name] <= {*one.answers, NOT_APPLICABLE}
        }
        guessed = self.inferred - found.keys()
        return JudgmentTable(self.arrow, {**self.questions, **found}, guessed)

    @property
    def stated_questions(self) -> tuple[Question, ...]:
        """The questions whose scale was not guessed."""
        return tuple(one for name, one in self.questions.items() if name not in self.inferred)

    @classmethod
    def from_pandas(cls, frame: pd.DataFrame, questions: Iterable[Question] = ()) -> JudgmentTable:
        """A table from a data frame; a distribution is a dict a row. Raises as `from_arrow`."""
        return cls.from_arrow(pa.Table.from_pandas(frame, preserve_index=False), questions)

    def to_pandas(self) -> pd.DataFrame:
        """A data frame of the columns that hold anything; a distribution is a dict a row.

        Raises:
            MissingExtra: pandas is not installed.
        """
        try:
            import pandas as pd  # noqa: F401  (what Arrow makes the frame of)
        except ImportError as error:
            raise MissingExtra("a data frame", extra="notebook", missing="pandas") from error
        held = [name for name in SCHEMA.names if self.arrow[name].null_count < max(1, len(self))]
        frame = self.arrow.select(held).to_pandas()
        if "distribution" in held:
            frame["distribution"] = [
                None if one is None else {share["answer"]: share["p"] for share in one}
                for one in frame["distribution"]
            ]
        return frame

    def __len__(self) -> int:
        return int(self.arrow.num_rows)

    def __iter__(self) -> Iterator[Judgment]:
        return to_rows(self.arrow)

    def rows(self) -> list[Judgment]:
        """Every row as a `Judgment`."""
        return list(self)

    def __repr__(self) -> str:
        about = f"{counted(len(self.items), 'item')} by {counted(len(self.judges), 'judge')}"
        questions = printable_line(", ".join(self.asked))
        return f"<{counted(len(self), 'judgment')} of {about}: {questions}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>{self.tables['judgments'].to_html()}"

    @property
    def tables(self) -> dict[str, ResultTable]:
        """`judgments`: how many each judge gave to each question, and how many are unscored."""
        judge, judges = self.codes("judge")
        asked, questions = self.codes("question")
        pair, first = appearing(judge * len(questions) + asked)
        counts = np.bincount(pair, minlength=len(first)).tolist()
        missing = np.bincount(pair[self.present("unscored")], minlength=len(first)).tolist()
        rows = [
            (judges[judge[at]], questions[asked[at]], n, lost)
            for at, n, lost in zip(first.tolist(), counts, missing, strict=True)
        ]
        named = columns("words", "judge", "question") + columns("count", "n", "unscored")
        return {"judgments": ResultTable("Judgments", named, rows)}

    def to_latex(self) -> str:
        """A `tabular` of `tables`."""
        return self.tables["judgments"].to_latex()

    def report(self, path: str, **told: Any) -> None:
        """Writes the page of the judgments.

        Args:
            told: as of `assize.report`, such as `items`, or `criteria`.
        """
        import_module("assize").report(self, path, **told)

    def where(self, **wanted: str | int | Collection[Any] | None) -> JudgmentTable:
        """The rows whose columns are what is wanted, in the same order.

        Args:
            wanted: by column, a value, several of which any will do, or None for absent.

        Raises:
            ConfigError: there is no such column.

        >>> table = JudgmentTable.of([Judgment("i", j, "q", answer="1") for j in "ab"])
        >>> table.where(judge="b", turn=None).judges
        ('b',)
        """
        mask: Any = None
        for name, value in wanted.items():
            if name not in SCHEMA.names:
                raise ConfigError(f"judgments have no column {name!r}; {', '.join(SCHEMA.names)}")
            one = self._is(name, value)
            mask = one if mask is None else mask & one
        return self if mask is None else self.filter(mask)

    def _is(self, name: str, value: Any) -> BoolArray:
        column = self.arrow[name]
        several = isinstance(value, Collection) and not isinstance(value, str)
        options = list(value) if several else [value]
        if column.type == NAME:
            codes, known = self.codes(name)
            among = set(options)
            return np.array([one in among for one in (*known, None)], dtype=bool)[codes]
        found = np.zeros(len(self), dtype=bool)
        for option in options:
            one = pc.is_null(column) if option is None else pc.equal(column, option)
            found |= one.fill_null(False).to_numpy().astype(bool)
        return found

    def filter(self, mask: BoolArray) -> JudgmentTable:
        """The rows at which `mask` (N,) is true, in the same order."""
        if mask.all():
            return self
        return replace(self, arrow=self.arrow.filter(pa.array(mask)))

    @classmethod
    def concat(cls, tables: Iterable[JudgmentTable]) -> JudgmentTable:
        """The rows of several tables, one after the other.

        Questions of sets whose scales differ, such as NetSAT of two sets of criteria, get names
        of their own.

        Raises:
            DataError: two tables give one question different scales.
        """
        merged, parts = Questions(), list[pa.Table]()
        for number, table in enumerate(tables, start=1):
            before, now = merged.merge(f"table {number}", table.stated_questions)
            parts = [renamed_rows(part, before) for part in parts]
            renamed = table.renamed(now)
            merged.add_table(renamed)
            parts.append(renamed.arrow)
        questions, inferred = merged.result()
        arrow = pa.concat_tables(parts) if parts else SCHEMA.empty_table()
        return cls(arrow, questions, inferred)

    def renamed(self, names: Mapping[str, str]) -> JudgmentTable:
        """The table with other names of some questions."""
        if not names:
            return self
        questions = {
            names.get(name, name): replace(one, id=names.get(name, name))
            for name, one in self.questions.items()
        }
        guessed = frozenset(names.get(one, one) for one in self.inferred)
        return JudgmentTable(renamed_rows(self.arrow, names), questions, guessed)

    def replaced(self, columns: Mapping[str, Any]) -> pa.Table:
        """The columns with some of them exchanged."""
        arrays = [columns.get(name, self.arrow[name]) for name in SCHEMA.names]
        return pa.Table.from_arrays(arrays, schema=SCHEMA)

    def codes(self, name: str) -> tuple[IntArray, list[str]]:
        """A column of names as codes (N,), -1 where it is absent, and what each stands for."""
        column = self._column(name)
        codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return codes.astype(np.int64), column.dictionary.to_pylist()

    def numeric(self, name: str) -> NDArray[np.float64]:
        """A column of numbers (N,), NaN where it is absent."""
        column = self._column(name).cast(pa.float64(), safe=False)
        return np.array(column.to_numpy(zero_copy_only=False), dtype=np.float64)

    def repeats(self) -> IntArray:
        """(N,) the repeat of each row, as a place among the different ones by rising number."""
        column = self._column("repeat").fill_null(0).to_numpy(zero_copy_only=False)
        return np.unique(column, return_inverse=True)[1].astype(np.int64)

    def present(self, name: str) -> BoolArray:
        """(N,) whether a row has this field."""
        return np.asarray(pc.is_valid(self.arrow[name]).to_numpy(), dtype=bool)

    def mentions(self, name: str, text: str) -> BoolArray:
        """(N,) whether a text column has these characters."""
        found = pc.match_substring(self.arrow[name], text).fill_null(False)
        return np.asarray(found.to_numpy(), dtype=bool)

    def shares(self) -> tuple[IntArray, IntArray, NDArray[np.float64], list[str]]:
        """The distributions laid end to end.

        Returns:
            Row, code of the answer, and probability of each share, (S,) each; and what the
            codes stand for.
        """
        column = self._column("distribution")
        flat = column.flatten()
        sizes = column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
        answers = flat.field("answer")
        return (
            np.repeat(np.arange(len(self)), sizes),
            answers.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64),
            flat.field("p").to_numpy(zero_copy_only=False),
            answers.dictionary.to_pylist(),
        )

    def units(self) -> tuple[IntArray, tuple[Unit, ...]]:
        """What each row is about (N,), as a place among the units; these in order of appearance."""
        items, names = self.codes("item")
        turn = self._column("turn")
        turns = np.full(len(self), -1)
        if turn.null_count < len(turn):
            turns = turn.fill_null(-1).to_numpy(zero_copy_only=False)
        place, first = appearing(items * (int(turns.max(initial=-1)) + 2) + turns + 1)
        kept = zip(items[first].tolist(), turns[first].tolist(), strict=True)
        return place, tuple((names[code], None if at < 0 else at) for code, at in kept)

    def answers_seen(self, known: Collection[str] = ()) -> dict[str, set[str]]:
        """By question, every answer that a row gives or has in its distribution.

        Args:
            known: questions whose answers need not be looked for; these get none.
        """
        found: dict[str, set[str]] = {name: set() for name in self.asked}
        if found.keys() <= set(known):
            return found
        wanted = [name for name in found if name not in known]
        rows = self if len(wanted) == len(found) else self.where(question=wanted)
        for batch in rows.arrow.select(["question", "answer", "distribution"]).to_batches():
            asked, shares = batch["question"], batch["distribution"]
            sizes = shares.value_lengths().fill_null(0).to_numpy()
            for question, answer in (
                *_answered(asked, 1, batch["answer"]),
                *_answered(asked, sizes, shares.flatten().field("answer")),
            ):
                found[question].add(answer)
        return found

    @property
    def judges(self) -> tuple[str, ...]:
        """Names of the judges, in order of appearance."""
        return self._appearing("judge")

    @property
    def items(self) -> tuple[str, ...]:
        """Ids of the items, in order of appearance."""
        return self._appearing("item")

    @property
    def asked(self) -> tuple[str, ...]:
        """Ids of the questions that rows answer, in order of appearance."""
        return self._appearing("question")

    def _appearing(self, name: str) -> tuple[str, ...]:
        codes, known = self.codes(name)
        if occurring(codes[:_MANY], len(known)).all():
            codes = codes[:_MANY]  # nothing new comes after
        return tuple(known[code] for code in codes[appearing(codes)[1]].tolist())

    def _keys(self) -> IntArray:
        """(N,) the item, turn, judge, question, order and repeat of each row, as one code that
        counts the different ones in order of appearance."""
        key, _ = self.units()
        for name in ("judge", "question", "order"):
            codes, known = self.codes(name)
            key, _ = appearing(key * (len(known) + 1) + codes + 1)
        repeats = self.repeats()
        return appearing(key * (int(repeats.max(initial=0)) + 1) + repeats)[0]

    @property
    def duplicates(self) -> int:
        """Rows whose item, judge, question, order, turn and repeat an earlier row already had."""
        keys = self._keys()
        return len(keys) - len(np.unique(keys))

    def without_repeated_blanks(self) -> JudgmentTable:
        """The rows without the blank cells of people that stand in another row as well.

        A sheet for several raters comes back in several copies, in each of which the cells of
        the others are blank. A blank cell stays where no row of the same item, turn, judge,
        question, order and repeat has anything else, and then once.
        """
        reasons = pc.struct_field(self.arrow["unscored"], "reason")
        missing = pc.equal(reasons, "missing").fill_null(False).to_numpy()
        blank = missing.astype(bool) & self._is("kind", "person")
        if not blank.any():
            return self
        keys = self._keys()
        first = np.zeros(len(self), dtype=bool)
        first[appearing(keys)[1]] = True
        return self.filter(~blank | (first & ~np.isin(keys, keys[~blank])))

    @property
    def unscored(self) -> int:
        """Rows that could not be judged."""
        return int(len(self) - self.arrow["unscored"].null_count)


def _answered(asked: Any, sizes: Any, answers: Any) -> Iterator[tuple[str, str]]:
    """The different pairs of a question and an answer; each row has as many of these as `sizes`."""
    questions, names = asked.dictionary.to_pylist(), answers.dictionary.to_pylist()
    none = len(names)
    pairs = answers.indices.fill_null(none).to_numpy(zero_copy_only=False)
    if len(questions) > 1:
        about = asked.indices.to_numpy().astype(np.int64)
        pairs = np.repeat(about, sizes) * (none + 1) + pairs
    for pair in np.flatnonzero(occurring(pairs, len(questions) * (none + 1))).tolist():
        question, answer = divmod(pair, none + 1)
        if answer != none:
            yield questions[question], names[answer]


def appearing(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Codes as places among the different ones, in order of appearance.

    Returns:
        (N,) the place of each, and where in `codes` each place was first seen.

    >>> appearing(np.array([7, 3, 7]))
    (array([0, 1, 0]), array([0, 1]))
    """
    size = int(codes.max(initial=-1)) + 1
    if size > 4 * len(codes) + 1000 or codes.min(initial=0) < 0:  # no place for each
        codes = pa.array(codes).dictionary_encode().indices.to_numpy().astype(np.int64)
        size = int(codes.max()) + 1
    first = np.full(size, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    first = np.sort(first[first < len(codes)])
    place = np.empty(size, dtype=np.int64)
    place[codes[first]] = np.arange(len(first))
    return place[codes], first


def renamed_rows(arrow: pa.Table, names: Mapping[str, str]) -> pa.Table:
    """Rows of judgments with other names of some questions."""
    if not names:
        return arrow
    table = JudgmentTable(arrow)
    codes, known = table.codes("question")
    if not names.keys() & set(known):
        return arrow
    return table.replaced({"question": names_array([names.get(one, one) for one in known], codes)})


def names_array(values: Sequence[str], codes: IntArray) -> pa.Array:
    """A column of names from what they are and which one each row has, -1 for none."""
    indices = pa.array(codes.astype(np.int32), mask=codes < 0)
    whole = pa.DictionaryArray.from_arrays(indices, pa.array(list(values), pa.string()))
    if len(set(values)) == len(values):
        return whole
    return whole.cast(pa.string()).dictionary_encode()  # two codes of one name are one
