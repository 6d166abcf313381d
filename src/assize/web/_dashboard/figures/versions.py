"""Two versions side by side: `assize.compare`, over what a view holds.

Each conversation counts with the mean of the panel's numbers. `assize.compare` pairs, and takes
the raters as they are. Where raters or predicted answers vary (`resampling`), the intervals of
both means and of the difference, and the test, are those of replicates that draw them too: the
same raters and answers for both versions, pairs as pairs, conversations within each version.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from assize.base.conversation import Conversation, Item, Turn
from assize.base.errors import ConfigError
from assize.base.signature import sign
from assize.judgments import JudgmentTable
from assize.judgments.schema import table_of
from assize.judgments.table import names_array
from assize.stats import detectable
from assize.versions.compare_result import Difference, VersionsCompared
from assize.versions.comparing import Comparing, compare_all, with_verdicts
from assize.versions.matching import Pairing
from assize.versions.version import Version
from assize.web._dashboard.figures.estimates import by_replicates, difference_test, standard_error
from assize.web._dashboard.figures.panels import aggregated, panel_of
from assize.web._dashboard.figures.replicates import drawn_means, drawn_pairs
from assize.web._dashboard.figures.resampling import Drawing, Drawn, Resampler
from assize.web._dashboard.prepared.view import FloatArray, IntArray, View

_METHOD = 1  # rises when numbers can change
_JUDGE = "raters' mean"


@dataclass(frozen=True, slots=True)
class GroupsCompared:
    """Two versions side by side.

    Args:
        comparison: shares of better and worse are over conversations alone.
        drawn: what the intervals and tests draw, of the question that draws most; None where
            they are `assize.compare`'s own.
    """

    comparison: VersionsCompared
    drawn: Drawn | None


def compare_groups(
    view: View,
    by: str,
    first: str,
    second: str,
    *,
    panel: str = "",
    questions: Sequence[str] = (),
    main: str = "",
    pairing: Pairing = "auto",
    keep: int = 10,
    where: str = "",
    how: Drawing = Drawing(),  # noqa: B008  (frozen)
    seed: int = 0,
) -> GroupsCompared:
    """How conversations of one value of a field differ from those of another.

    Conversations are paired where their first prompts are the same and `assize.compare` would.

    Args:
        by: the field, such as `system`.
        first: the value that the second is compared with.
        questions: only these, with numbers; () for all.
        main: by which conversations to read are ordered; "" for the first.
        keep: how many conversations to read.
        where: only conversations with one value of another field, `field:value`.
        how: what the intervals draw.
        seed: with the question it decides every draw.

    Raises:
        ConfigError: there is no such field, value or question.
        DataError: nothing can be compared.
    """
    place = view.fields.place(by)
    words = list(view.fields.words[place])
    for name in (first, second):
        if name not in words:
            raise ConfigError(f"{by} is never {name!r}; it is {', '.join(words[:8])}")
    if first == second:
        raise ConfigError(f"both versions are {first!r}; choose two")
    numbered = [one.id for one in view.numbered]
    asked = list(questions) or numbered
    for name in asked:
        if view.question(name).id not in numbered:
            raise ConfigError(
                f"the answers to {name} have no order, and so no mean to compare: their shares"
                f" stand in its chart's table, split by {by}, with the differences"
            )
    if not asked:
        raise ConfigError(
            "no question here has numbers to compare; shares of answers stand in the charts'"
            f" tables, split by {by}, with their differences"
        )
    codes = view.fields.codes[place]
    if where:
        codes = np.where(view.fields.having(where), codes, -1)
    versions = [
        _version(view, name, np.flatnonzero(codes == words.index(name)), panel, asked)
        for name in (first, second)
    ]
    asking = Comparing(pairing=pairing, main=main or asked[0], keep=keep, seed=seed)
    found = compare_all(versions, how=asking)
    sides = _sides(view, codes, [words.index(one) for one in (first, second)], found, second)
    said = {"by": by, "first": first, "second": second, "panel": panel, "where": where}
    drawn = [_drawn(view, row, sides, how, seed, said) for row in found.differences]
    varying = [told for _, told in drawn if not told.conversations_alone]
    if not varying:
        return GroupsCompared(found, None)
    rows = with_verdicts([row for row, _ in drawn], found.level)
    signature = sign(found.signature, [told.signature for _, told in drawn])
    most = max(varying, key=lambda one: (len(one.sources), one.answers))
    return GroupsCompared(replace(found, differences=rows, signature=signature), most)


def _version(view: View, name: str, units: Any, panel: str, asked: Sequence[str]) -> Version:
    every = view.ids.all()
    ids = [every[one] for one in units.tolist()]
    raters = panel_of(view, panel)
    rows: list[IntArray] = []
    about: list[IntArray] = []
    score: list[FloatArray] = []
    for question in asked:
        value = aggregated(view.cells(question), raters, view.size)[units]
        there = np.flatnonzero(~np.isnan(value))
        rows.append(there)
        about.append(np.full(len(there), len(about)))
        score.append(value[there])
    size = sum(map(len, rows))
    columns = {
        "item": names_array(ids, np.concatenate(rows)),
        "judge": names_array([_JUDGE], np.zeros(size, dtype=np.int64)),
        "question": names_array(list(asked), np.concatenate(about)),
        "score": pa.array(np.concatenate(score)),
    }
    known = [view.question(one) for one in asked]
    prompts = view.prompts[units].tolist()
    items: dict[str, Item] = {
        one: Conversation(one, (Turn("user", str(prompt)),))
        for one, prompt in zip(ids, prompts, strict=True)
        if prompt
    }
    return Version(name, JudgmentTable.from_arrow(table_of(columns, size), known), items)


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """Which conversations are compared.

    Args:
        before, after: (U,) the pair that each conversation is on that side of, 0 for all where
            there are no pairs; -1 for one that is not on that side.
    """

    paired: bool
    before: IntArray
    after: IntArray


def _sides(
    view: View, codes: NDArray[np.integer], values: list[int], found: VersionsCompared, second: str
) -> _Sides:
    matching = found.matchings[second]
    if not matching.paired:
        before, after = (np.where(codes == value, 0, -1) for value in values)
        return _Sides(False, before, after)
    places, sides = view.ids.places, np.full((2, view.size), -1, dtype=np.int64)
    for at, pair in enumerate(matching.units.values()):
        for side, ids in enumerate(pair):
            sides[side, [places[one] for one in ids]] = at
    return _Sides(True, sides[0], sides[1])


def _drawn(
    view: View, row: Difference, sides: _Sides, how: Drawing, seed: int, said: Mapping[str, str]
) -> tuple[Difference, Drawn]:
    """A question's row with the intervals and the test of its replicates, and what they draw."""
    panel = panel_of(view, said["panel"])
    rng = np.random.default_rng([seed, int(sign(row.question, said), 16)])
    draws = Resampler(view.cells(row.question), panel, view.size, how, rng)
    told = draws.told(seed, _METHOD, view.made_of, row.question, said)
    if told.conversations_alone:
        return row, told
    if sides.paired:
        means, n = drawn_pairs(draws, sides.before, sides.after), row.difference.n
    else:
        code = np.where(sides.after >= 0, 1, sides.before)
        means, n = drawn_means(draws, code, 2), min(row.before.n, row.after.n)
    apart = means[:, 1] - means[:, 0]
    test, error = difference_test(row.difference.estimate, apart, n, told), standard_error(apart, n)
    changed = replace(
        row,
        test=test,
        p_value=test.p_value,
        before=by_replicates(row.before, means[:, 0], n, told),
        after=by_replicates(row.after, means[:, 1], n, told),
        difference=by_replicates(row.difference, apart, n, told),
        detectable=detectable(error, n - 1) if error > 0 else math.nan,
    )
    return changed, told
