"""From pairs and judgments to what a network learns from.

A vote is a judgment of a question of kind `preference` on a pair. Both orders of a judge are two
votes; several votes of a judge in one order share the weight of one. `preference` and `overall`
count as `Overall`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Item, Pair
from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE
from assize.encoders import UNREADABLE, Encoder
from assize.evaluator._examples import joined_by, read_views
from assize.evaluator._features.featuriser import Featuriser, feature_rows
from assize.evaluator._features.views import View
from assize.evaluator._training.lessons import IntArray, Lessons
from assize.judging.aspects import ASPECTS, OVERALL, spelt
from assize.judgments import JudgmentTable
from assize.judgments.table import appearing
from assize.judgments.values import votes
from assize.stats._arrays import FloatArray
from assize.stats._reliability import Votes

GOLD_JUDGE = "gold"
FEW = 30  # votes for a side on a question, below which a line says so
_SKIPPED = {
    "too_long": "a side that is longer than the encoder's window, and teach nothing",
    UNREADABLE: "a side that the encoder cannot read, and teach nothing",
}


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What was read, and what a reader of the result should know.

    Args:
        lessons: for the network.
        pairs: ids, in the order of the lessons' pairs.
        notes: what was left out, and what is thin.
        windows: how many texts were longer than the encoder's window and read in several.
    """

    lessons: Lessons
    pairs: tuple[str, ...]
    notes: tuple[str, ...]
    windows: int


def read_lessons(
    items: Iterable[Item],
    table: JudgmentTable,
    encoder: Encoder,
    featuriser: Featuriser,
    *,
    dimensions: Collection[str] | None = None,
    gold: bool = False,
) -> Read:
    """Pairs with their votes.

    Args:
        items: those that are pairs are read.
        table: holds the votes; other rows are passed over.
        dimensions: questions to learn, `Overall` among them; None for all that were voted on.
        gold: whether judgments by `gold` count as votes; left out otherwise.

    Raises:
        DataError: no vote for a side is about a pair that is given, no question is left, or the
            encoder gave what is no finite number.
    """
    pairs: dict[str, Pair] = {}
    for item in items:
        if isinstance(item, Pair):
            pairs.setdefault(item.id, item)
    read = read_views(pairs.values(), encoder, featuriser)
    places = {name: place for place, name in enumerate(read.sides)}
    counted, judges, questions, notes = _votes(table, places, dimensions, gold)
    reasons = [why.reason if why.reason in _SKIPPED else "" for why in read.unread.values()]
    for reason, count in sorted(Counter(reasons).items()):
        told = _SKIPPED.get(reason, "a side without any assistant's text")
        notes.insert(0, f"{count} of {len(pairs)} pairs have {told}")
    every, at = _distinct([view for sides in read.sides.values() for view in sides])
    long: set[str] = set()
    rows = feature_rows(every, encoder, featuriser, long)
    a, b = np.array(at[0::2], np.intp), np.array(at[1::2], np.intp)
    groups = _groups(every, a, b)
    lessons = Lessons(rows, a, b, counted, questions, judges, groups)
    return Read(lessons, tuple(places), tuple(notes), len(long))


def _distinct(views: Sequence[View]) -> tuple[list[View], list[int]]:
    """Return the distinct views, and the index of each input among them."""
    known: dict[tuple[tuple[str, str], ...], int] = {}
    distinct: list[View] = []
    index = []
    for view in views:
        key = tuple((turn.role, turn.text) for turn in view.turns)
        if key not in known:
            known[key] = len(distinct)
            distinct.append(view)
        index.append(known[key])
    return distinct, index


def _votes(
    table: JudgmentTable,
    places: dict[str, int],
    dimensions: Collection[str] | None,
    gold: bool,
) -> tuple[Votes, tuple[str, ...], tuple[str, ...], list[str]]:
    """Counts (N, J, K), judges, questions, and notes."""
    kinds = [name for name, one in table.questions.items() if one.kind == PREFERENCE.kind]
    rows = table.where(question=[name for name in kinds if _wanted(name, dimensions)])
    if not gold:
        rows = rows.where(judge=[name for name in rows.judges if name != GOLD_JUDGE])
    about, units = rows.units()
    pair = np.array([places.get(item, -1) for item, _ in units], dtype=np.intp)[about]
    given = votes(rows)
    use = (pair >= 0) & ~np.isnan(given)
    if not use.any():
        raise _nothing_fits(kinds, rows, pair, dimensions)
    judge_codes, judges = rows.codes("judge")
    question_codes, asked = rows.codes("question")
    names = _ordered({spelt(asked[code]) for code in question_codes[use].tolist()})
    question = np.array(
        [names.index(spelt(one)) if spelt(one) in names else -1 for one in asked], dtype=np.intp
    )[question_codes]
    weight, contradicted = _weights(rows, given, use)
    counts = np.zeros((3, len(places), len(judges), len(names)))
    side = np.select([given > 0, given < 0], [0, 1], 2)
    cells = (side[use], pair[use], judge_codes[use], question[use])
    np.add.at(counts, cells, weight[use])
    return _told(counts, judges, names, contradicted)


def _nothing_fits(
    kinds: Sequence[str],
    rows: JudgmentTable,
    pair: IntArray,
    dimensions: Collection[str] | None,
) -> DataError:
    """Why no vote can be learnt from."""
    if dimensions is not None and kinds and not len(rows):
        asked = ", ".join(sorted(dimensions))
        return DataError(f"no votes are on {asked}; voted on are {', '.join(kinds)}")
    if (pair >= 0).any():
        known = rows.filter(pair >= 0).codes("answer")[1]
        said = ", ".join(ascii(one)[:40] for one in sorted(known)[:5]) or "none"
        return DataError(f"the answers about these pairs are {said}; allowed are A, B and tie")
    return DataError(
        "no vote is about a pair that is given: check that the judgments' items are the pairs'"
        " ids, and that their questions are preferences"
    )


def _wanted(question: str, dimensions: Collection[str] | None) -> bool:
    return dimensions is None or spelt(question) in {spelt(one) for one in dimensions}


def _ordered(found: Collection[str]) -> list[str]:
    """`Overall` first, then the ten dimensions, then others by name."""
    known = [OVERALL, *ASPECTS]
    return [*(one for one in known if one in found), *sorted(set(found) - set(known))]


def _weights(
    table: JudgmentTable, given: FloatArray, use: NDArray[np.bool_]
) -> tuple[FloatArray, int]:
    """(rows,) one over how many votes a judge has in one order on one pair and question, and how
    many such slots hold votes for both sides."""
    slot, _ = table.units()
    for name in ("judge", "question", "order"):
        codes, known = table.codes(name)
        slot, _ = appearing(slot * (len(known) + 1) + codes + 1)
    slot = np.where(use, slot, -1)
    size = int(slot.max()) + 1
    count = np.bincount(slot[use], minlength=size)
    both = (np.bincount(slot[use & (given > 0)], minlength=size) > 0) & (
        np.bincount(slot[use & (given < 0)], minlength=size) > 0
    )
    weight = np.where(use, 1.0 / np.maximum(count[slot], 1), 0.0)
    return weight, int(both.sum())


def _told(
    counts: FloatArray, judges: Sequence[str], names: Sequence[str], contradicted: int
) -> tuple[Votes, tuple[str, ...], tuple[str, ...], list[str]]:
    """Without judges and questions that have no vote for a side; notes say which those are."""
    sided = counts[:2].sum(axis=(0, 1))  # (J, K)
    of_judge, of_question = sided.sum(axis=1), sided.sum(axis=0)
    fair = (counts.sum(axis=(0, 1, 3)) > 0) & (of_judge == 0)
    notes = [
        f"{judges[judge]} votes Fair on every pair: nothing is learnt from it"
        for judge in np.flatnonzero(fair).tolist()
    ]
    notes += [
        f"{names[question]}: no vote for A or B, so it is not learnt"
        for question in np.flatnonzero(of_question == 0).tolist()
    ]
    if not of_question.any():
        raise DataError("every vote is Fair: there is no vote for A or B to learn from")
    notes += [
        f"{names[question]}: {of_question[question]:g} votes for A or B are few; do not rely on it"
        for question in np.flatnonzero((of_question > 0) & (of_question < FEW)).tolist()
    ]
    if contradicted:
        notes.append(
            f"{contradicted} times a judge voted for both sides in one order; each vote counts"
            " for its share"
        )
    with_judge, with_question = np.flatnonzero(of_judge), np.flatnonzero(of_question)
    kept = tuple(judges[judge] for judge in with_judge.tolist())
    asked = tuple(names[question] for question in with_question.tolist())
    return Votes(*counts[:, :, with_judge][..., with_question]), kept, asked, notes


def _groups(views: Sequence[View], a: IntArray, b: IntArray) -> IntArray:
    """(D,) dialogues that are held out together: the sides of a pair, and pairs that ask the
    same or show the same dialogue."""
    keys: list[list[object]] = []
    for view in views:
        asked = tuple(turn.text for turn in view.turns if turn.role == "user")
        keys.append([asked] if asked else [])
    for pair, sides in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        for side in sides:
            keys[side].append(pair)
    return joined_by(keys)
