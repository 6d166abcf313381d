"""A whole study: every method run and measured, and what the paper's tables and figures show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

from assize.base.arguments import check_range
from assize.base.errors import ConfigError, MissingExtra
from assize.base.signature import sign
from assize.calibrate._study.baselines import default_method
from assize.calibrate._study.data import Data, network_predictions
from assize.calibrate._study.methods import GROUPS, chosen
from assize.calibrate._study.result import PartTests, Reliability, Study, choose_base, question_rows
from assize.calibrate._study.saving import calls_saved
from assize.calibrate._study.systems import by_system, count_answers
from assize.results import to_json
from assize.stats import Calibration, smooth_calibration
from assize.stats._studies import (
    MEASURES,
    Figure,
    Point,
    Predictions,
    Row,
    figures,
    method_tables,
    points,
    predictions,
    subsamples,
)
from assize.stats._studies.compare_methods import CROSS_VALIDATED, TEST_SET, method_rows
from assize.stats._studies.learning_curve import SHARES, SUBSAMPLES

VERSION = 2
CURVE = ("rmse", "pearson", "log_loss")
BY_QUESTION = ("baselines", "network", "default")
RELIABLE = ("network", "default")  # rows whose reliability is drawn

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class StudyTables:
    """What a study measures beside its main tables.

    Args:
        curve: subsamples per point of a learning curve, 0 for no curve.
        every_question: also predict every other question.
        adaptive: also measure how many questions an adaptive rubric would save.
        by: also show every question by group, as in `folds_by`. Default: by system, if `items` has
            systems.

    Raises:
        ConfigError: a number is outside its range.
    """

    curve: int = 0
    every_question: bool = False
    adaptive: bool = False
    by: str | None = None

    def __post_init__(self) -> None:
        check_range("curve", self.curve, 0)


@dataclass(frozen=True, slots=True)
class Options:
    """What a study looks at.

    Args:
        methods: names or groups of `METHODS`; () for all.
        permutations: of each paired test.
        tables: what is measured beside the main tables.
        system_of: item id -> system, or what `tables.by` says, for the tables by system.
    """

    methods: tuple[str, ...] = ()
    permutations: int = 20_000
    tables: StudyTables = StudyTables()
    system_of: Mapping[str, str] = field(default_factory=dict)


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
    target, tables = data.forms.target, asked.tables
    if tables.adaptive and not target.ordered:
        raise ConfigError(
            f"an adaptive rubric asks what makes a mean surer, and the answers to {target.id}"
            " have no mean: they are not ordered; leave `adaptive` out"
        )
    rows, left_out = _rows(data, asked.methods, note)
    curve: list[Point] = []
    if tables.curve:
        note("learning curve")
        try:
            curve = learning_curve(data, count=tables.curve)
        except MissingExtra as error:
            left_out["learning curve"] = str(error)
    parts = method_tables(rows, data.truth, data.folds.test, permutations=asked.permutations)
    answers = target.question.answers
    base, loss = choose_base(parts), "squared error" if target.ordered else "log loss"
    shown = {part.name: method_rows(part, base, loss) for part in parts}
    diagrams = {row.name: _reliability(data, row.predicted) for row in rows if row.name in RELIABLE}
    forms, grid = data.forms, data.grid if data.searches else None
    questions = _questions(data, note) if tables.every_question else {}
    saved = []
    if tables.adaptive:
        note("adaptive rubric")
        saved = calls_saved(data)
    return Study(
        target=target.id,
        forms=len(forms),
        items=len(np.unique(forms.item)),
        raters=len(forms.raters),
        cross_validated=shown.get(CROSS_VALIDATED, []),
        test_set=shown.get(TEST_SET, []),
        reliability=[
            Reliability(name, dict(zip(answers, (one.error for one in diagram), strict=True)))
            for name, diagram in diagrams.items()
            if diagram
        ],
        curve=curve,
        adaptive=saved,
        questions=question_rows(questions.get(CROSS_VALIDATED, {})),
        test_questions=question_rows(questions.get(TEST_SET, {})),
        rater_answers=count_answers(forms),
        systems=by_system(forms, asked.system_of),
        tests={part.name: PartTests(part.count, part.tests) for part in parts},
        folds=data.folds.count,
        held_out=data.folds,
        duplicates=forms.duplicates,
        not_applicable=forms.not_applicable,
        unscored=forms.unscored,
        unmatched=dict(forms.unmatched or {}),
        setting=data.setting,
        grid=grid,
        left_out=left_out,
        signature=_sign(data, asked, [row.name for row in rows]),
        by="system" if tables.by is None else tables.by,
        parts=parts,
        diagrams=diagrams,
        data=data,
    )


def _sign(data: Data, options: Options, names: Sequence[str]) -> str:
    """Sign everything that could change a number but the data."""
    grid = [asdict(data.grid)] if data.searches and data.grid else []
    parts = [{"study": VERSION}, asdict(data.setting), *grid, to_json(data.folds), data.folds.count]
    return sign(*parts, (options.permutations, options.tables.curve), names)


def _rows(data: Data, methods: tuple[str, ...], note: Note) -> tuple[list[Row], dict[str, str]]:
    """The rows, and which methods need a part that is not installed."""
    order = {group: place for place, group in enumerate(GROUPS)}
    rows: list[Row] = []
    left_out: dict[str, str] = {}
    missing: MissingExtra | None = None
    for name, method in chosen(methods).items():
        if method.group == "oracles" and len(data.forms.scales) == 1:
            continue  # people were asked nothing else
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
    kept = data.known & ~data.folds.test
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


def learning_curve(
    data: Data, shares: Sequence[float] = SHARES, count: int = SUBSAMPLES
) -> list[Point]:
    """Of `network`, all trained side by side, and of `default` (figure 4).

    A network has the setting that was searched for its split with all forms that this has."""
    forms, truth = data.forms, data.truth
    drawn = subsamples(data.folds, truth, shares, count)
    splits = [split for same in drawn for split in same]
    whole = list(data.folds.splits(data.known, data.known))
    settings = data.settings(forms, whole, data.setting)
    found = {one.held.tobytes(): made for one, made in zip(whole, settings, strict=True)}
    each = [found[split.held.tobytes()] for split in splits]
    names = CURVE if forms.target.ordered else ("log_loss",)
    measures = {name: MEASURES[name] for name in names}
    networks = network_predictions(forms, splits, each)
    return [
        *points("network", drawn, networks, truth, measures),
        *points("default", drawn, predictions(default_method, data, splits), truth, measures),
    ]


def _questions(data: Data, note: Note) -> dict[str, dict[str, dict[str, dict[str, Figure]]]]:
    """Return by part of the forms how every other question is predicted as the target."""
    parts = {CROSS_VALIDATED: ~data.folds.test, TEST_SET: data.folds.test}
    parts = {name: where for name, where in parts.items() if where.any()}
    found: dict[str, dict[str, dict[str, dict[str, Figure]]]] = {name: {} for name in parts}
    for scale in data.forms.scales[1:]:
        note(f"question {scale.id}")
        other = data.with_target(scale.id)
        rows, _ = _rows(other, BY_QUESTION, lambda _: None)
        for name, where in parts.items():
            found[name][scale.id] = {
                row.name: figures(row.predicted, other.truth, where) for row in rows
            }
    return found
