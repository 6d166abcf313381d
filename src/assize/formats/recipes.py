"""Cleaning recipes: which pairs of a public data set a study uses, step by step.

A recipe looks at pairs one at a time and keeps those that pass all its steps, in order;
what each step left is counted, beside what the paper reports. To add one, add a row to
`RECIPES`.

AMULET (arXiv 2505.20451, appendix D): conversations of at least four human turns, with two
different responses. Where the appendix leaves a rule open, the released loading code
decides; the docstring of the step says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from assize.base.arguments import check_range
from assize.base.conversation import Pair
from assize.base.errors import ConfigError
from assize.formats.items import ItemsLike
from assize.formats.records import Record

_LONGER = 7  # human turns of the paper's second subset
_WORDS = 300


@dataclass(frozen=True, slots=True)
class Recipe:
    """Which pairs a study takes, beside those that all of them take.

    Args:
        about: which data it is for.
        paper: pairs after all steps, of at least 4 human turns and of at least 7.
        short: whether a turn of the context may have 300 words at most.
        first: how many pairs of the source are looked at; None for all.
        against: whether pairs of another file (HH-train) are left out.
    """

    about: str
    paper: Mapping[int, str]
    short: bool = False
    first: int | None = None
    against: bool = False


@dataclass(frozen=True)
class StudyPairs:
    """The pairs that a study of a public data set uses, step by step.

    Args:
        recipe: keep only the pairs that a study uses: amulet-hh, amulet-wildfeedback or
            amulet-nectar.
        human_turns: with `recipe`, number of human turns that a pair must have.
        against: with `recipe`, files of pairs to leave out (repeatable).
    """

    recipe: str
    human_turns: int = 4
    against: ItemsLike | None = None

    def __post_init__(self) -> None:
        check_range("human_turns", self.human_turns, 1)


def humans(pair: Pair) -> int:
    """Human turns of the context, with the markers `Human:` inside texts, as released."""
    return _marked(pair, "user", "Human:")


def _marked(pair: Pair, role: str, marker: str) -> int:
    return sum((turn.role == role) + turn.text.count(marker) for turn in pair.context)


def well_formed(pair: Pair) -> bool:
    """Human and assistant take turns, the human first and last, then one response each; markers
    of speakers in a context must balance, as in the released code."""
    roles = [turn.role for turn in pair.context]
    alternate = roles == ["user", "assistant"] * (len(roles) // 2) + ["user"]
    single = all(len(side) == 1 and side[0].role == "assistant" for side in (pair.a, pair.b))
    if not alternate or not single:
        return False
    quoted = ("Human:", "Assistant:", "\n\nHuman\n\n")
    if any(marker in side[0].text for side in (pair.a, pair.b) for marker in quoted):
        return False
    return humans(pair) == _marked(pair, "assistant", "Assistant:") + 1


def differ(pair: Pair) -> bool:
    """The responses are not the same, blanks at the ends aside."""
    first, second = ([turn.text.strip() for turn in side] for side in (pair.a, pair.b))
    return first != second


def short(pair: Pair) -> bool:
    """No turn of the context has more than 300 words (the released code's reading)."""
    return all(len(turn.text.split()) <= _WORDS for turn in pair.context)


RECIPES: dict[str, Recipe] = {
    "amulet-hh": Recipe(
        "Anthropic's hh-rlhf, helpful-base, train or test",
        {4: "460 (test), 8,210 (train)", 7: "548 (train)"},
    ),
    "amulet-wildfeedback": Recipe(
        "WildFeedback's preference pairs", {4: "4,684", 7: "1,867"}, short=True
    ),
    "amulet-nectar": Recipe(
        "Nectar as pairs (tulu-2.5-preference-data), without what HH-train holds",
        {4: "6,531", 7: "335"},
        first=100_000,
        against=True,
    ),
}


@dataclass(frozen=True, slots=True)
class StepCount:
    """How many pairs a step of a recipe leaves, and how many it left in the paper."""

    step: str
    pairs: int
    paper: str = ""


class RecipeRun:
    """A recipe at work: `keep` each pair in turn, then read `counts`."""

    def __init__(self, name: str, least: int = 4, against: Iterable[Record] | None = None) -> None:
        if name not in RECIPES:
            raise ConfigError(f"no recipe {name!r}; known are {', '.join(RECIPES)}")
        self.name, self.recipe, self.least = name, RECIPES[name], least
        if self.recipe.against and against is None:
            raise ConfigError(f"{name} leaves out what HH-train holds: give that file as against")
        self.steps: dict[str, Callable[[Pair], bool]] = {
            f"at least {least} human turns": lambda pair: humans(pair) >= least,
            "well formed: turns alternate, one response each": well_formed,
            "responses differ": differ,
        }
        if self.recipe.short:
            self.steps = {f"every turn of at most {_WORDS} words": short, **self.steps}
        if against is not None:
            known = {key for pair in against if isinstance(pair, Pair) for key in _keys(pair)}
            self.steps["not in against, in either order"] = lambda pair: known.isdisjoint(
                _keys(pair)[:1]
            )
        self._left = Counter[str]()
        self.seen = 0
        self.others = 0

    @property
    def full(self) -> bool:
        """Whether as many pairs were seen as the recipe looks at."""
        return self.recipe.first is not None and self.seen >= self.recipe.first

    def keep(self, record: Record) -> bool:
        """Whether a record is a pair that passes every step; counts it."""
        if not isinstance(record, Pair):
            self.others += 1
            return False
        self.seen += 1
        for name, test in self.steps.items():
            if not test(record):
                return False
            self._left[name] += 1
        self._left["longer"] += humans(record) >= _LONGER
        return True

    @property
    def notes(self) -> list[str]:
        """What the recipe could not look at."""
        left = f"{self.others:,} records that are no pairs were left out"
        return [left] if self.others else []

    def counts(self) -> list[StepCount]:
        """What each step left."""
        paper, first = self.recipe.paper, self.recipe.first
        limit = "" if first is None else f", the first {first:,}"
        rows = [StepCount(f"pairs read{limit}", self.seen)]
        rows += [StepCount(name, self._left[name]) for name in self.steps]
        rows[-1] = replace(rows[-1], paper=paper.get(self.least, ""))
        if self.least < _LONGER:
            longer = f"of these, at least {_LONGER} human turns"
            rows.append(StepCount(longer, self._left["longer"], paper[_LONGER]))
        return rows


def _keys(pair: Pair) -> list[tuple[tuple[str, ...], str, str]]:
    """What tells a pair from others: as it stands, and with its sides exchanged."""
    context = tuple(turn.text.strip() for turn in pair.context)
    first, second = ("\n".join(turn.text for turn in side).strip() for side in (pair.a, pair.b))
    return [(context, first, second), (context, second, first)]
