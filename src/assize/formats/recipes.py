"""Cleaning recipes: which pairs of a public data set a study uses, step by step.

A recipe looks at pairs one at a time and keeps those that pass all its steps, in order;
what each step left is counted, beside what the paper reports. To add one, add a row to
`RECIPES`.

AMULET (arXiv 2505.20451, appendix D): conversations of at least four human turns, with two
different responses. Where the appendix leaves a rule open, the released loading code
decides; the docstring of the step says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from assize.base.arguments import check_range
from assize.base.conversation import Pair
from assize.base.errors import ConfigError
from assize.formats.items import ItemsLike
from assize.formats.records import Record

_LONGER = 7  # human turns of the paper's second subset

Test = Callable[[Pair], bool]
Key = tuple[tuple[str, ...], str, str]


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what is left after it has passed `keeps`."""

    name: str  # what the step asks for
    keeps: Test  # whether a pair passes
    paper: str = ""  # how many pairs the paper has after this step, in words; "" where not said


@dataclass(frozen=True, slots=True)
class Recipe:
    """A named list of steps."""

    name: str  # as in `--recipe`
    about: str  # which data it is for
    steps: Callable[[int], tuple[Step, ...]]  # made from the least number of human turns
    first: int | None = None  # how many pairs of the source are looked at; None for all
    # pairs after all steps, of at least 4 human turns and of at least 7
    paper: Mapping[int, str] | None = None
    against: bool = False  # whether pairs of another file (HH-train) are left out


@dataclass(frozen=True)
class StudyPairs:
    """The pairs that a study of a public data set uses, step by step.

    Args:
        recipe: keep the pairs that a study uses: amulet-hh, amulet-wildfeedback,
            amulet-nectar.
        human_turns: human turns that `recipe` asks for.
        against: pairs that `recipe` must leave out (repeatable).
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


def short(pair: Pair, words: int = 300) -> bool:
    """No turn of the context has more than 300 words (the released code's reading)."""
    return all(len(turn.text.split()) <= words for turn in pair.context)


def _common(least: int) -> tuple[Step, ...]:
    return (
        Step(f"at least {least} human turns", lambda pair: humans(pair) >= least),
        Step("well formed: turns alternate, one response each", well_formed),
        Step("responses differ", differ),
    )


def _wild(least: int) -> tuple[Step, ...]:
    return (Step("every turn of at most 300 words", short), *_common(least))


RECIPES: dict[str, Recipe] = {
    "amulet-hh": Recipe(
        "amulet-hh",
        "Anthropic's hh-rlhf, helpful-base, train or test",
        _common,
        paper={4: "460 (test), 8,210 (train)", 7: "548 (train)"},
    ),
    "amulet-wildfeedback": Recipe(
        "amulet-wildfeedback",
        "WildFeedback's preference pairs",
        _wild,
        paper={4: "4,684", 7: "1,867"},
    ),
    "amulet-nectar": Recipe(
        "amulet-nectar",
        "Nectar as pairs (tulu-2.5-preference-data), without what HH-train holds",
        _common,
        first=100_000,
        paper={4: "6,531", 7: "335"},
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

    def __init__(
        self, recipe: str, least: int = 4, against: Iterable[Record] | None = None
    ) -> None:
        if recipe not in RECIPES:
            raise ConfigError(f"no recipe {recipe!r}; known are {', '.join(RECIPES)}")
        self.recipe = RECIPES[recipe]
        self.least = least
        if self.recipe.against and against is None:
            raise ConfigError(f"{recipe} leaves out what HH-train holds: give that file as against")
        steps = list(self.recipe.steps(least))
        if against is not None:
            known = {key for one in against if isinstance(one, Pair) for key in _keys(one)}
            steps.append(Step("not in against, in either order", lambda p: _key(p) not in known))
        self.steps: Sequence[Step] = steps
        self._left = [0] * len(steps)
        self._longer = 0
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
        for place, step in enumerate(self.steps):
            if not step.keeps(record):
                return False
            self._left[place] += 1
        self._longer += humans(record) >= _LONGER
        return True

    @property
    def notes(self) -> list[str]:
        """What the recipe could not look at."""
        left = f"{self.others:,} records that are no pairs were left out"
        return [left] if self.others else []

    def counts(self) -> list[StepCount]:
        """What each step left."""
        paper = self.recipe.paper or {}
        limit = "" if self.recipe.first is None else f", the first {self.recipe.first:,}"
        rows = [StepCount(f"pairs read{limit}", self.seen)]
        last = len(self.steps) - 1
        for place, (step, left) in enumerate(zip(self.steps, self._left, strict=True)):
            published = paper.get(self.least, "") if place == last else step.paper
            rows.append(StepCount(step.name, left, published))
        if self.least < _LONGER:
            name = f"of these, at least {_LONGER} human turns"
            rows.append(StepCount(name, self._longer, paper[_LONGER]))
        return rows


def _key(pair: Pair) -> Key:
    context = tuple(turn.text.strip() for turn in pair.context)
    first, second = ("\n".join(turn.text for turn in side).strip() for side in (pair.a, pair.b))
    return context, first, second


def _keys(pair: Pair) -> tuple[Key, Key]:
    context, first, second = _key(pair)
    return (context, first, second), (context, second, first)
