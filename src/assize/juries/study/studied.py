"""A study of juries: judges alone and together, on data sets, by models, tested in pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

from assize.base.errors import ConfigError, DataError
from assize.base.signature import sign
from assize.juries.names import parse_cascade
from assize.juries.study.grid import Grid, StudySettings
from assize.juries.study.in_shape import (
    PrintedTable,
    ShapedCell,
    models_called,
    paper_tables,
    printed_notes,
    printed_tables,
    shaped_cells,
)
from assize.juries.study.methods import methods_of, models_of, usual_of
from assize.juries.study.paired import JuryPair, compare_juries, right_on
from assize.juries.study.reruns import rerun
from assize.juries.study.rows import (
    JuryRow,
    RerunRow,
    RunRow,
    SetRow,
    TieRow,
    jury_rows,
    rerun_row,
    run_rows,
    set_rows,
    tie_rows,
)
from assize.juries.study.sitting import DataSet, every_judge, judges_of, sit_all, voters
from assize.juries.study.tables import cross_tables, reason_notes
from assize.results import Result, ResultTable, Table
from assize.results.numbers import counted, percent

LEVEL = 0.05  # of a Holm-corrected p below which a difference is sure
VERSION = 1  # rises when the same judgments give other figures


@dataclass(frozen=True)
class JuryStudy(Result):
    """Judges and juries compared.

    Args:
        comparisons: each two juries of a data set; without `settings.against` the better one
            first, and the best one's before all others.
        models: the language models whose judges sat.
        left_out: judges that are there and were not looked at, none being named.
        cells: of AMULET's tables, ours beside what is printed; with `paper` only.
        grid: what each came to.
    """

    heading: ClassVar[str] = "Juries compared"

    juries: Annotated[
        Sequence[JuryRow], Table("Win, tie and loss", "How often each jury is right.", group="set")
    ]
    ties: Annotated[
        Sequence[TieRow],
        Table(
            "What the last judge of a cascade decides",
            "What becomes of ties.",
            group="set",
            notes=(
                "Won, left, lost: of all pairs, where all judges before the last one tied or were"
                " unscored. Right alone: the last judge is right by itself where the jury loses.",
            ),
        ),
    ]
    comparisons: Annotated[
        Sequence[JuryPair],
        Table(
            "Differences on the same pairs",
            "Whether juries differ: the jury above each group less the one in the row.",
            group="first",
            most=40,
        ),
    ]
    reruns: Annotated[
        Sequence[RerunRow],
        Table(
            "Asked again: how far runs agree",
            "Whether a judge asked again says the same.",
            group="set",
            notes=(
                "Same: pairs on which all runs say the same (A, B or tie). alpha: Krippendorff's,"
                " of these decisions. Deviation: between the runs' wins, in points.",
            ),
        ),
    ]
    runs: Annotated[Sequence[RunRow], Table("Run by run", "How far one run is from another.")]
    printed: Annotated[
        Sequence[PrintedTable],
        Table("Against the printed figures", "Whether AMULET's figures come out as printed."),
    ]
    sets: Annotated[Sequence[SetRow], Table("Data sets", "How many pairs figures rest on.")]
    models: tuple[str, ...]
    left_out: tuple[str, ...]
    cells: Sequence[ShapedCell]
    study: StudySettings
    signature: str
    grid: Grid = field(repr=False)

    @property
    def sentence(self) -> str:
        """Who is right most often, and of how many differences one can be sure."""
        parts = []
        for data in self.grid.sets:
            name = self.grid.best_of(data.name)
            if name is not None:
                share = max(
                    (row.win for row in self._first_rows(data.name) if row.win is not None),
                    key=lambda win: win.estimate,
                )
                parts.append(
                    f"on {data.name} {name} is right most often ({percent(share.estimate)} of"
                    f" {share.n:,})"
                )
        sure = sum(row.p_holm < LEVEL for row in self.comparisons)
        differ = f"{sure:,} of {counted(len(self.comparisons), 'difference')} are sure"
        text = "; ".join([*parts, differ] if self.comparisons else parts)
        return f"{text[:1].upper()}{text[1:]}."

    def _first_rows(self, data: str) -> list[JuryRow]:
        least = self.study.least[0] or None
        return [row for row in self.juries if (row.set, row.least_turns) == (data, least)]

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """Why figures are missing, and how tests are corrected."""
        juries = ["Both votes of a judge must agree; a tie is no win.", *reason_notes(self.grid)]
        if any(method.jury.unscored == "loss" for method in self.grid.methods):
            juries.append("What is unscored is among the losses.")
        fixed = self.study.against is not None
        return {
            "juries": juries,
            "comparisons": [
                "Only first, only second: pairs that one of the two has right. p: McNemar's exact"
                f" test, corrected by Holm for {counted(len(self.comparisons), 'comparison')}"
                f"{'' if fixed else ', all pairs of juries'}. Difference: in points of right"
                " pairs, with the interval of a paired bootstrap."
            ],
            "printed": printed_notes(self.cells, self.models),
        }

    def paper_tables(self) -> Mapping[str, ResultTable]:
        """Juries by data set and by model; with `paper` AMULET's tables as printed."""
        return paper_tables(self.cells) if self.study.paper else cross_tables(self.grid)

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored verdicts and all, of the jury that has the largest share of them."""
        return self.grid.missing

    @property
    def notes(self) -> Sequence[str]:
        """How many pairs and judges there are, who sat, and who was not compared."""
        notes = []
        several = len(self.sets) > 1 or self.study.paper
        for data in self.grid.sets:
            n = max((row.n or 0 for row in self._first_rows(data.name)), default=0)
            judges = counted(len(judges_of(data.table, self.study.gold)), "judge")
            judged = counted(n, "pair") if n else "nothing that can be compared"
            notes.append(f"{judged}{f' of {data.name}' if several else ''}, {judges}")
        if len(self.models) > 1:
            notes.append(f"models: {', '.join(self.models)}")
        if self.left_out:
            notes.append(
                f"not compared: {', '.join(self.left_out)} (people, juries, and who has no vote on"
                f" {self.study.question!r}); name who shall be"
            )
        return notes


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
    grid = Grid(sets, methods, there, sittings, settings)
    again = {
        place: runs
        for place in sittings
        for data in sets
        for method in methods
        if (data.name, method.written) == (place.data, place.method)
        and place.least == settings.least[0]
        and (runs := rerun(data, method, place, known, question=settings.question, gold=gold))
    }
    cells = shaped_cells(grid) if settings.paper else ()
    return JuryStudy(
        juries=jury_rows(grid),
        ties=tie_rows(grid),
        comparisons=_compared(grid, settings),
        reruns=[rerun_row(grid, place, runs) for place, runs in again.items()],
        runs=[row for place, runs in again.items() for row in run_rows(grid, place, runs)],
        printed=printed_tables(cells),
        sets=set_rows(sets),
        models=there,
        left_out=left_out,
        cells=cells,
        study=settings,
        signature=_signature(grid),
        grid=grid,
    )


def _signature(grid: Grid) -> str:
    """Of every jury's signature, and of how they were compared."""
    signed = [
        [place.data, place.least, sitting.result.signature, sitting.result.n]
        for place, sitting in grid.sittings.items()
        if sitting.result is not None
    ]
    how = {"against": grid.settings.against, "seed": grid.settings.seed}
    return sign({"jury-study": VERSION}, signed, how)


def _chosen(wanted: Sequence[str], there: tuple[str, ...]) -> tuple[str, ...]:
    """The models that are named, in the order in which they are."""
    found: list[str] = []
    for name in wanted:
        full = models_called(name, there)
        if len(full) != 1:
            problem = "several models are" if full else "no model is"
            raise ConfigError(f"{problem} called {name!r}; there are {', '.join(there) or 'none'}")
        found += full
    return tuple(dict.fromkeys(found)) if wanted else there


def _compared(grid: Grid, settings: StudySettings) -> list[JuryPair]:
    """Paired tests of juries, a family a data set."""
    rows: list[JuryPair] = []
    seen: dict[str, None] = {}
    several = len(grid.sets) > 1
    for data in grid.sets:
        right = {
            grid.label(place): items
            for place, sitting in grid.first_of(data.name)
            if sitting.result is not None and (items := right_on(sitting.result))
        }
        seen |= dict.fromkeys(right)
        against = settings.against
        if against is not None:
            against = _named(against, right)
        if against is None or against in right:
            pairs = compare_juries(right, against=against, seed=settings.seed)
            ordered = pairs if against is not None else _best_first(grid, data.name, pairs)
            rows += [replace(pair, set=data.name if several else None) for pair in ordered]
    if settings.against is not None and not rows:
        known = ", ".join(seen) or "none with gold"
        raise ConfigError(f"no jury {settings.against!r} to compare with; there are {known}")
    return rows


def _best_first(grid: Grid, data: str, pairs: Sequence[JuryPair]) -> list[JuryPair]:
    """The pairs with the better jury first, those of the best jury before the others."""
    shares = {grid.label(place): sitting.share().estimate for place, sitting in grid.first_of(data)}
    names = sorted(shares, key=lambda name: -shares[name])  # of equal ones the first
    ranks = {name: rank for rank, name in enumerate(names)}
    turned = [
        pair if ranks[pair.first] < ranks[pair.second] else pair.exchanged() for pair in pairs
    ]
    return sorted(turned, key=lambda pair: (ranks[pair.first], ranks[pair.second]))


def _named(name: str, juries: Iterable[str]) -> str:
    """The jury as it is called, however blanks and arrows are set."""
    if name in juries:
        return name
    written, bracket, model = name.partition(" (")
    return f"{' > '.join(parse_cascade(written))}{bracket}{model}"
