"""A study of juries: judges alone and together, on data sets, by models, tested in pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assize.errors import ConfigError, DataError
from assize.juries.names import parse_cascade
from assize.juries.study.methods import Method, expanded, methods_of, models_of, usual_of
from assize.juries.study.paired import JuryPair, best, compare_juries, right_on
from assize.juries.study.reruns import Reruns, reruns
from assize.juries.study.sitting import (
    DataSet,
    Place,
    Sitting,
    every_judge,
    judges_of,
    sit_all,
    voters,
)
from assize.results import Result
from assize.signature import sign

VERSION = 1  # rises when the same judgments give other figures


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
class JuryStudy(Result):
    """Judges and juries compared.

    Args:
        sets: what they were compared on.
        methods: judges alone, then juries.
        models: the language models whose judges sat.
        sittings: by place; see `sit_all`.
        tests: by data set, paired tests between juries.
        reruns: judges and juries that were asked several times.
        left_out: judges that are there and were not looked at, none being named.
    """

    tables_from = "assize.juries.study.tables:tables_of"

    sets: Sequence[DataSet]
    methods: Sequence[Method]
    models: tuple[str, ...]
    sittings: Mapping[Place, Sitting] = field(repr=False)
    tests: Mapping[str, Sequence[JuryPair]] = field(repr=False)
    reruns: Sequence[Reruns] = field(repr=False)
    settings: StudySettings = field(default_factory=StudySettings)
    left_out: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """Of every jury's signature, and of how they were compared."""
        signed = [
            [place.data, place.least, one.result.signature, one.result.outcome.n]
            for place, one in self.sittings.items()
            if one.result is not None
        ]
        how = {"against": self.settings.against, "seed": self.settings.seed}
        return sign({"jury-study": VERSION}, signed, how)

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
        each = [one.unscored for one in self.sittings.values() if one.result is not None]
        return max(each, key=lambda one: one[0] / one[1] if one[1] else 0, default=(0, 0))

    @property
    def notes(self) -> Sequence[str]:
        """What could not be compared, and why."""
        found: Sequence[str] = self.made("notes_of")
        return found

    def to_json(self) -> dict[str, Any]:
        """Every sitting, every test, every rerun; with `paper` the printed tables too."""
        found: dict[str, Any] = self.made("as_json")
        return found


def study_juries(
    sets: Sequence[DataSet],
    *,
    cascades: Sequence[str] = (),
    panels: Sequence[str] = (),
    models: Sequence[str] = (),
    unscored: str = "skip",
    settings: StudySettings | None = None,
) -> JuryStudy:
    """Compares judges and juries on stored judgments.

    Args:
        cascades, panels: as written; the usual ones when there are none, and with `paper`
            (`methods.usual_of`).
        models: only these, by name or enough of it to tell; all when empty.
        unscored: `skip` or `loss`; see `sit`.

    Raises:
        ConfigError: a judge or model is not there, or there is no data set.
        DataError: nothing could be compared.
    """
    settings = StudySettings() if settings is None else settings
    if not sets:
        raise ConfigError("name at least one data set")
    gold = settings.gold
    known = every_judge(sets, gold)
    if not known:
        raise DataError("there is no vote among these judgments; `assize judge` asks for them")
    voting = voters(sets, settings.question, gold)
    usual = settings.paper or not (cascades or panels)
    if usual:
        cascades = list(dict.fromkeys([*usual_of(voting), *cascades]))
    left_out = tuple(name for name in known if name not in voting) if usual and voting else ()
    how: Any = unscored
    methods = methods_of(cascades, panels, known, unscored=how)
    there = _chosen(models, models_of(methods, known))
    sittings = sit_all(
        sets, methods, there, least=settings.least, question=settings.question, gold=gold
    )
    if all(one.result is None for one in sittings.values()):
        raise DataError(f"nothing can be compared: {next(iter(sittings.values())).reason}")
    again = [
        found
        for place in sittings
        for data in sets
        for method in methods
        if (data.name, method.written) == (place.data, place.method)
        and place.least == settings.least[0]
        and (found := reruns(data, method, place, known, question=settings.question, gold=gold))
    ]
    study = JuryStudy(sets, methods, there, sittings, {}, again, settings, left_out)
    return _tested(study, settings)


def _chosen(wanted: Sequence[str], there: tuple[str, ...]) -> tuple[str, ...]:
    """The models that are named, in the order in which they are."""
    found: list[str] = []
    for name in wanted:
        full = [one for one in there if one == name] or [one for one in there if name in one]
        if len(full) != 1:
            problem = "several models are" if full else "no model is"
            raise ConfigError(f"{problem} called {name!r}; there are {', '.join(there) or 'none'}")
        found += full
    return tuple(dict.fromkeys(found)) if wanted else there


def _tested(study: JuryStudy, settings: StudySettings) -> JuryStudy:
    """The study with its paired tests, a family a data set."""
    tests: dict[str, Sequence[JuryPair]] = {}
    seen: dict[str, None] = {}
    for data in study.sets:
        right = {
            study.label(place): found
            for place, one in study.first_of(data.name)
            if one.result is not None and (found := right_on(one.result))
        }
        seen |= dict.fromkeys(right)
        against = settings.against
        if against is not None:
            against = _named(against, right, judges_of(data.table, settings.gold))
        there = against is None or against in right
        tests[data.name] = (
            compare_juries(right, against=against, seed=settings.seed) if there else ()
        )
    if settings.against is not None and not any(tests.values()):
        known = ", ".join(seen) or "none with gold"
        raise ConfigError(f"no jury {settings.against!r} to compare with; there are {known}")
    return replace(study, tests=tests)


def _named(name: str, juries: Iterable[str], known: Sequence[str]) -> str:
    """The jury as it is called, however blanks and arrows are set."""
    if name in juries:
        return name
    spelt = " > ".join(parse_cascade(name))
    several = [one for one in map(" > ".join, expanded(name, known)) if one in juries]
    return several[0] if len(several) == 1 else spelt
