"""Judges and juries by data set, model and length: what a study's tables are read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assize.juries.study.methods import Method
from assize.juries.study.paired import best
from assize.juries.study.sitting import DataSet, Place, Sitting


@dataclass(frozen=True, slots=True)
class StudySettings:
    """How juries are compared.

    Args:
        least: user turns that pairs must have; each number is a column, 0 for all pairs.
        question, gold: as of `decide`.
        against: the jury that the others are tested against; all pairs of juries when None.
        seed: of the bootstrap.
        paper: whether figures are shown as AMULET's tables, beside what is printed there.
    """

    least: tuple[int, ...] = (0,)
    question: str = "preference"
    gold: str = "gold"
    against: str | None = None
    seed: int = 0
    paper: bool = False


@dataclass(frozen=True)
class Grid:
    """Every judge and jury on every data set.

    Args:
        sets: what they were compared on.
        methods: judges alone, then juries.
        models: the language models whose judges sat.
        sittings: by place; see `sit_all`.
    """

    sets: Sequence[DataSet]
    methods: Sequence[Method]
    models: tuple[str, ...]
    sittings: Mapping[Place, Sitting]
    settings: StudySettings = field(default_factory=StudySettings)

    def at(self, place: Place) -> Sitting:
        """A sitting; one that did not take place says so."""
        return self.sittings.get(place, Sitting(None, "this was not asked for"))

    def models_at(self, method: str) -> list[str | None]:
        """The models whose judges a method has sat with; [None] where it has no model's."""
        found = (place.model for place in self.sittings if place.method == method)
        return list(dict.fromkeys(found))

    def label(self, place: Place) -> str:
        """The jury's name, with its model where several are compared."""
        several = place.model is not None and len(self.models) > 1
        return f"{place.method} ({place.model})" if several else place.method

    def best_of(self, name: str) -> str | None:
        """Of a data set, the jury that is right most often."""
        return best({self.label(place): one.share() for place, one in self.first_of(name)})

    def first_of(self, name: str) -> list[tuple[Place, Sitting]]:
        """The sittings on a data set, of the first length that was asked for."""
        least = self.settings.least[0]
        return [
            (place, one)
            for place, one in self.sittings.items()
            if place.data == name and place.least == least
        ]

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored verdicts and all, of the jury that has the largest share of them."""
        each = [one.result.missing for one in self.sittings.values() if one.result is not None]
        return max(each, key=lambda one: one[0] / one[1] if one[1] else 0, default=(0, 0))
