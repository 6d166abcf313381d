"""Which rows are held out together: by item, by group, one group at a time; a test set apart.

Every row is predicted by something that has seen no row about the same item, nor, where items
are grouped, about any of its group: rows of fold k by what was fitted on the other folds, rows
of the test set by what was fitted on all others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError, DataError
from assize.base.signature import sign_text
from assize.stats._arrays import FloatArray, IntArray

Mask = NDArray[np.bool_]
Labels = Sequence[Hashable] | NDArray[Any]

TEST = -1  # the fold of what is never fitted on
FEWEST_ITEMS = 2  # in a fold
NO_GROUP = "(none)"


class Split(NamedTuple):
    """What is fitted on, and what is then predicted; places of rows."""

    seed: int
    fitted: IntArray
    held: IntArray


def dealt(groups: Labels, count: int, rng: np.random.Generator | None = None) -> IntArray:
    """Deal rows (N,) to folds 0..count-1 of even size, keeping the rows of a group together.

    Args:
        groups: (N,) item of each row, or any label whose rows stay together.
        count: number of folds.
        rng: shuffles the groups; None deals them in turn, in sorted order.

    Raises:
        DataError: there are fewer groups than folds.

    >>> dealt(["b", "a", "c", "b"], 2).tolist()
    [1, 0, 0, 1]
    """
    names = list(dict.fromkeys(groups))
    if not 2 <= count <= len(names):
        raise DataError(
            f"{count} folds of {len(names)} items or groups: each fold needs one, and at least 2"
            " folds are needed; ask for fewer folds, or give ratings of more items"
        )
    if rng is None:
        names.sort()
    order = np.arange(len(names)) if rng is None else rng.permutation(len(names))
    fold = dict(zip(names, (order % count).tolist(), strict=True))
    return np.array([fold[group] for group in groups], dtype=np.int64)


def dealt_in_classes(
    classes: Labels,
    groups: Labels,
    count: int,
    rng: np.random.Generator,
    shares: Sequence[float] | None = None,
) -> IntArray:
    """A fold 0..count-1 of each row (N,): groups together, each class as even as they allow.

    Args:
        classes: (N,) what is to be spread evenly, such as labels.
        groups: (N,) rows that must stay together, such as users.
        rng: shuffles groups of one size.
        shares: (count,) of the rows that each fold is to have, above 0; alike when None.

    Raises:
        DataError: there are fewer groups than folds, or fewer than two folds.

    Groups come in turn, the largest first; each goes to the fold that has least of its classes
    so far for what it is to have, a class counted as a share of all its rows. So the sum of
    squared shares over folds and classes grows least at every step. Groups of one row deal each
    class evenly.

    >>> rng = np.random.default_rng(0)
    >>> fold = dealt_in_classes("ggggbbbb", [0, 0, 1, 1, 2, 2, 3, 3], 2, rng)
    >>> [sorted(fold[:4].tolist()), sorted(fold[4:].tolist())]
    [[0, 0, 1, 1], [0, 0, 1, 1]]
    """
    kinds = {name: place for place, name in enumerate(dict.fromkeys(classes))}
    names = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    if not 2 <= count <= len(names):
        raise DataError(
            f"{count} folds of {len(names)} groups: each fold needs one, and at least 2 folds are"
            " needed; ask for fewer folds"
        )
    whose = np.array([names[one] for one in groups])
    what = np.array([kinds[one] for one in classes])
    each = np.bincount(whose * len(kinds) + what, minlength=len(names) * len(kinds))
    parts = each.reshape(len(names), len(kinds)) / np.bincount(what)
    weight = np.ones(count) if shares is None else count * np.asarray(shares, dtype=float)
    sizes = np.bincount(whose)
    order = rng.permutation(len(names))
    held, rows = np.zeros((count, len(kinds))), np.zeros(count)
    fold = np.empty(len(names), dtype=np.int64)
    for group in order[np.argsort(-sizes[order], kind="stable")]:
        least = np.lexsort((rows / weight, (held @ parts[group] / weight).round(12)))[0]
        fold[group] = least
        held[least] += parts[group]
        rows[least] += sizes[group]
    found: IntArray = fold[whose]
    return found


def one_out(groups: Labels) -> IntArray:
    """Return a fold per group (N,): leave one topic, one system, one rater out."""
    names = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    return np.array([names[group] for group in groups], dtype=np.int64)


def drawn(name: str, share: float, salt: str) -> bool:
    """Tell whether an item belongs to a random share of all, decided by its id alone.

    Adding or removing other items changes nothing.

    Args:
        name: the item's id.
        share: in [0, 1].
        salt: another text draws another share.
    """
    said = json.dumps((name, salt, None, 0))  # this form draws what it always drew
    return int(sign_text(said, 16), 16) / 2**64 < share


@dataclass(frozen=True, slots=True, eq=False)
class Folds:
    """Who is held out when, once a seed.

    Args:
        fold: (S, N) fold of each row for each seed; TEST in the test set.
        seeds: (S,) numbers that draw folds, and whatever a method draws.
        by: what items are grouped by, as the user calls it; None where each stands alone.
        leave_out: a fold is one group; else groups are dealt to the folds.
        groups: how many groups of items that are fitted on.
        ungrouped: items that are in no group; they are held out together, as one.
    """

    fold: IntArray = field(repr=False)
    seeds: tuple[int, ...] = (0,)
    by: str | None = None
    leave_out: bool = False
    groups: int = 0
    ungrouped: int = 0

    def __str__(self) -> str:
        if self.by is None:
            return f"{self.count} folds by item"
        if self.leave_out:
            return f"one of {self.groups} groups by {self.by} left out at a time"
        return f"{self.count} folds by {self.by}, {self.groups} groups"

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.fold[0])

    @property
    def count(self) -> int:
        """How many folds there are beside the test set."""
        return int(self.fold.max()) + 1

    @property
    def test(self) -> Mask:
        """(N,) rows of the test set."""
        return np.asarray(self.fold[0] == TEST)

    def of(self, seed: int) -> IntArray:
        """(N,) the folds of one seed."""
        return np.asarray(self.fold[self.seeds.index(seed)])

    def splits(self, fit: Mask | None = None, ask: Mask | None = None) -> Iterator[Split]:
        """All splits that have something to predict, seed after seed.

        Args:
            fit, ask: (N,) rows that can be fitted on, and that are predicted; None for all.
        """
        usable = ~self.test if fit is None else ~self.test & fit
        for seed, fold in zip(self.seeds, self.fold, strict=True):
            for one in np.unique(fold).tolist():
                fitted = usable if one == TEST else usable & (fold != one)
                held = fold == one if ask is None else (fold == one) & ask
                if held.any():
                    yield Split(seed, np.flatnonzero(fitted), np.flatnonzero(held))

    def gathered(self, splits: Iterable[Split], said: Iterable[FloatArray]) -> FloatArray:
        """Held-out predictions (S, N, ...) from those of each split (held, ...); NaN elsewhere."""
        found = None
        for split, values in zip(splits, said, strict=True):
            if found is None:
                found = np.full((*self.fold.shape, *values.shape[1:]), np.nan)
            found[self.seeds.index(split.seed), split.held] = values
        return np.full(self.fold.shape, np.nan) if found is None else found


def folds_of(
    items: Labels,
    *,
    folds: int = 5,
    seeds: int = 3,
    test: Mask | None = None,
    groups: Sequence[str | None] | None = None,
    by: str = "group",
    leave_out: bool = False,
) -> Folds:
    """Deal rows to folds, by item or by groups of items, anew for each seed.

    Args:
        items: (N,) what each row is about; all rows about an item are in one fold.
        folds: how many; not used with `leave_out`.
        seeds: how often all is repeated.
        test: (N,) rows that are never fitted on.
        groups: (N,) of each row's item; all items of a group are in one fold, and so are all
            those of none.
        by: what the groups are called where folds are spoken of.
        leave_out: each group is a fold, the same for every seed.

    Raises:
        ConfigError: fewer than two folds or no seed; one is to be left out of no groups.
        DataError: too few items, or groups, for so many folds.
    """
    if folds < 2 or seeds < 1:
        raise ConfigError(
            f"a study needs two folds and a seed; received {folds} and {seeds}", "folds", "seed"
        )
    if leave_out and groups is None:
        raise ConfigError("one group at a time is left out of groups: give them")
    kept = np.ones(len(items), bool) if test is None else ~test
    about = [item for item, keep in zip(items, kept.tolist(), strict=True) if keep]
    together: Labels = about
    ungrouped = 0
    if groups is not None:
        given = [group for group, keep in zip(groups, kept.tolist(), strict=True) if keep]
        together = [NO_GROUP if group is None else group for group in given]
        alone = (item for item, group in zip(about, given, strict=True) if group is None)
        ungrouped = len(set(alone))
        _check_groups(set(together), by, folds, leave_out)
    if not leave_out:
        _check_items(len(set(about)), folds)
    fold = np.full((seeds, len(items)), TEST, dtype=np.int64)
    for seed in range(seeds):
        rng = np.random.default_rng([seed, 1])
        fold[seed, kept] = one_out(together) if leave_out else dealt(together, folds, rng)
    numbers = tuple(range(seeds))
    if groups is None:
        return Folds(fold, numbers)
    return Folds(fold, numbers, by, leave_out, len(set(together)), ungrouped)


def _check_groups(kinds: set[Hashable], by: str, folds: int, leave_out: bool) -> None:
    if len(kinds) < (2 if leave_out else folds):
        wanted = "2, so that one can be left out" if leave_out else f"{folds}, one a fold"
        wanted += "" if leave_out or len(kinds) < 2 else f": take {len(kinds)} folds at most"
        shown = ", ".join(sorted(map(str, kinds))[:5])
        raise DataError(
            f"the rated items are of {len(kinds)} groups by {by} ({shown}); needed are {wanted}"
        )


def _check_items(count: int, folds: int) -> None:
    if count < FEWEST_ITEMS * folds:
        most = count // FEWEST_ITEMS
        instead = f"take {most} at most, or rate more" if most > 1 else "rate more"
        raise DataError(
            f"{count} rated items are too few for {folds} folds;"
            f" {FEWEST_ITEMS * folds} are needed: {instead}"
        )


D = TypeVar("D")

Predict = Callable[[D, IntArray], FloatArray]
"""`predict(data, rows)`: values (n,), or probabilities (n, K) of the answers; NaN for none."""

Method = Callable[[D, IntArray, int], Predict[D]]
"""`fit(data, rows, seed)`: learns from these rows alone and returns what predicts others.

The data are whatever the method reads, rows are places in them; what is random comes from the
seed.
"""


def predictions(method: Method[D], data: D, splits: Iterable[Split]) -> Iterator[FloatArray]:
    """What each split's fit says of the rows held from it (held, ...), split after split."""
    for split in splits:
        yield method(data, split.fitted, split.seed)(data, split.held)


def cross_fit(
    method: Method[D], data: D, folds: Folds, *, fit: Mask | None = None, ask: Mask | None = None
) -> FloatArray:
    """Predict every row by a fit that has not seen the row's fold.

    A method that trains many fits side by side does the same with `Folds.splits` and
    `Folds.gathered`.

    Args:
        method: learns from some rows, and returns a function that predicts others.
        data: whatever the method reads, N rows.
        folds: S seeds.
        fit, ask: (N,) rows that may be fitted on, and rows to predict; None for all.

    Returns:
        (S, N), or (S, N, K) for a method that predicts K numbers; NaN where `ask` is False.
    """
    splits = list(folds.splits(fit, ask))
    return folds.gathered(splits, predictions(method, data, splits))
