"""A whole study: every method, its figures, tests, and what the paper's tables and figures show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from assize.calibration.network.training import Job, train
from assize.calibration.study.data import Data, said
from assize.calibration.study.default import default_method
from assize.calibration.study.methods import GROUPS, chosen
from assize.calibration.study.saving import Saved, calls_saved
from assize.calibration.study.systems import Cell, Habits, by_system, habits
from assize.errors import ConfigError, MissingExtra
from assize.results import Result
from assize.signature import sign
from assize.stats import Calibration, smooth_calibration
from assize.studies import (
    MEASURES,
    Figure,
    MethodTable,
    Point,
    Predictions,
    Row,
    figures,
    method_tables,
    points,
    predictions,
    subsamples,
)
from assize.studies.compare_methods import figures_json
from assize.studies.learning_curve import SHARES, SUBSAMPLES

VERSION = 2
CURVE = ("rmse", "pearson", "log_loss")
BY_QUESTION = ("baselines", "network", "default")
RELIABLE = ("network", "default")  # rows whose reliability is drawn

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What a study looks at.

    Args:
        methods: names or groups of `METHODS`; () for all but the group `weights`.
        permutations: of each paired test.
        subsamples: of each point of the learning curve; 0 draws none.
        adaptive: also measures what an adaptive rubric saves.
        every_question: also predicts every other question, by baselines and the network.
        system_of: item id -> system, for the tables by system.
        by: what these tables are by, where it is not the system.
    """

    methods: tuple[str, ...] = ()
    permutations: int = 20_000
    subsamples: int = 0
    every_question: bool = False
    adaptive: bool = False
    system_of: Mapping[str, str] = field(default_factory=dict)
    by: str = "system"


@dataclass(frozen=True, slots=True, eq=False)
class Study(Result):
    """All that a study found."""

    tables_from = "assize.calibration.study.tables:tables_of"

    data: Data
    options: Options
    rows: Sequence[Row]
    parts: Sequence[MethodTable]
    reliability: Mapping[str, Sequence[Calibration]]
    systems: Sequence[Cell]
    habits: Sequence[Habits]
    curve: Sequence[Point]
    questions: Mapping[str, Mapping[str, Mapping[str, Figure]]]
    saved: Sequence[Saved]
    left_out: Mapping[str, str] = field(default_factory=dict)  # what needs a part that is not here

    @property
    def notes(self) -> Sequence[str]:
        """What is counted twice, left out, or held out together."""
        told: Sequence[str] = self.made("notes")
        return told

    @property
    def signature(self) -> str:
        """Of everything that could change a number but the data."""
        settings = asdict(self.data.setting)
        options = (self.options.permutations, self.options.subsamples)
        names = [row.name for row in self.rows]
        folds = self.data.folds
        grid = [asdict(self.data.grid)] if self.data.searches and self.data.grid else []
        parts = [{"study": VERSION}, settings, *grid, folds.seeds, folds.count, options, names]
        return sign(*parts, *([folds.to_json()] if folds.by is not None else []))

    def to_json(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        forms, folds = self.data.forms, self.data.folds
        return {
            "target": forms.target.id,
            "forms": len(forms),
            "items": len(np.unique(forms.item)),
            "raters": len(forms.raters),
            "duplicates": forms.duplicates,
            "unmatched": dict(forms.unmatched or {}),
            "not_applicable": forms.not_applicable,
            "unscored": forms.unscored,
            "folds": folds.count,
            "held_out": folds.to_json(),
            "seeds": list(folds.seeds),
            "setting": asdict(self.data.setting),
            "grid": asdict(self.data.grid) if self.data.searches and self.data.grid else None,
            "sets": {part.name: {"forms": part.count} | part.to_json() for part in self.parts},
            "reliability": {
                name: {
                    answer: one.error.to_json()
                    for answer, one in zip(forms.target.question.answers, found, strict=True)
                }
                for name, found in self.reliability.items()
            },
            "systems": [cell.to_json() for cell in self.systems],
            "rater_answers": {one.rater: list(one.counts) for one in self.habits},
            "learning_curve": [point.to_json("forms") for point in self.curve],
            "adaptive": [one.to_json() for one in self.saved],
            "left_out": dict(self.left_out),
            "questions": {
                question: {name: figures_json(found) for name, found in rows.items()}
                for question, rows in self.questions.items()
            },
            "signature": self.signature,
        }


def study(data: Data, options: Options | None = None, note: Note = lambda _: None) -> Study:
    """Runs every chosen method and measures it.

    Args:
        data: see `data_of`.
        options: see `Options`.
        note: told what is being done.

    Raises:
        ConfigError: a method is not known; an adaptive rubric for answers without an order.
        MissingExtra: nothing that was asked for can be done without torch; else what needs it
            is left out.
    """
    asked = Options() if options is None else options
    target = data.forms.target
    if asked.adaptive and not target.ordered:
        raise ConfigError(
            f"an adaptive rubric asks what makes a mean surer, and the answers to {target.id}"
            " have no mean: they are not ordered; leave `adaptive` out"
        )
    rows, left_out = _rows(data, asked.methods, note)
    try:
        curve = _curve(data, asked.subsamples, note)
    except MissingExtra as error:
        curve, left_out["learning curve"] = [], str(error)
    parts = method_tables(rows, data.truth, data.test, permutations=asked.permutations)
    return Study(
        data,
        asked,
        rows,
        parts,
        {row.name: _reliability(data, row.predicted) for row in rows if row.name in RELIABLE},
        by_system(data.forms, asked.system_of),
        habits(data.forms),
        curve,
        _questions(data, note) if asked.every_question else {},
        _saved(data, note) if asked.adaptive else [],
        left_out,
    )


def _rows(data: Data, methods: tuple[str, ...], note: Note) -> tuple[list[Row], dict[str, str]]:
    """The rows, and which methods need a part that is not installed."""
    order = {group: place for place, group in enumerate(GROUPS)}
    rows: list[Row] = []
    left_out: dict[str, str] = {}
    missing: MissingExtra | None = None
    for name, method in chosen(methods).items():
        note(name)
        try:
            found = method.run(data)
        except MissingExtra as error:
            left_out[name], missing = str(error), error
            continue
        rows += [Row(row, said, method.group, method.about) for row, said in found.items()]
    if missing is not None and not rows:
        raise missing
    return sorted(rows, key=lambda row: order[row.group]), left_out


def _reliability(data: Data, predicted: Predictions) -> list[Calibration]:
    """One smooth reliability diagram an answer, over the cross-validated forms of all seeds."""
    if predicted.p is None:
        return []
    kept = data.known & ~data.test
    seeds, width = len(data.folds.seeds), predicted.p.shape[2]
    items = np.tile(data.forms.item[kept], seeds)
    y = np.tile(data.forms.y[kept], seeds)
    p = np.clip(predicted.p[:, kept].reshape(-1, width), 0, 1)
    return [
        smooth_calibration(
            p[:, code],
            (y == code).astype(float),
            clusters=items,
            points=100,
            rng=np.random.default_rng([code, 4]),
        )
        for code in range(width)
    ]


def _curve(data: Data, count: int, note: Note) -> list[Point]:
    """Of `network`, all of a size trained side by side, and of `default` (figure 4)."""
    if count == 0:
        return []
    note("learning curve")
    return learning_curve(data, count=count)


def learning_curve(
    data: Data, shares: Sequence[float] = SHARES, count: int = SUBSAMPLES
) -> list[Point]:
    """Of `network`, all trained side by side, and of `default`; see `assize.studies`.

    A network has the setting that was searched for its split with all forms that this has."""
    forms, truth = data.forms, data.truth
    drawn = subsamples(data.folds, truth, shares, count)
    splits = [split for same in drawn for split in same]
    whole = list(data.folds.splits(data.known, data.known))
    settings = data.settings(forms, whole, data.setting)
    found = {one.held.tobytes(): made for one, made in zip(whole, settings, strict=True)}
    jobs = [Job(found[one.held.tobytes()], one.fitted, one.seed) for one in splits]
    networks = train(forms, jobs)
    measures = {name: MEASURES[name] for name in CURVE}
    return [
        *points("network", drawn, said(forms, splits, networks), truth, measures),
        *points("default", drawn, predictions(default_method, forms, splits), truth, measures),
    ]


def _saved(data: Data, note: Note) -> list[Saved]:
    note("adaptive rubric")
    return calls_saved(data)


def _questions(data: Data, note: Note) -> dict[str, dict[str, dict[str, Figure]]]:
    """Every other question as the target, on the cross-validated forms."""
    found = {}
    for scale in data.forms.scales[1:]:
        note(f"question {scale.id}")
        other = data.with_target(scale.id)
        rows, _ = _rows(other, BY_QUESTION, lambda _: None)
        found[scale.id] = {
            row.name: figures(row.predicted, other.truth, ~data.test) for row in rows
        }
    return found
