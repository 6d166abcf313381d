"""The page of `assize agree`: who agrees with whom, with pictures of how they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from assize import stats
from assize.agreement import Columns, Findings, PairOf, Study, probabilities
from assize.agreement.result import AgreementResult
from assize.formats.files import Location
from assize.judgments import JudgmentTable
from assize.judgments.values import scale_of
from assize.pages import charts, page
from assize.pages.charts.lines import reliability
from assize.pages.page import Section, Tile
from assize.results.numbers import NONE, interval, number, with_interval
from assize.stats.arrays import FloatArray

PICTURES = 6
"""Pairs of judges that are drawn on a question; the table holds all."""

MATRIX = {
    "ordinal": "alpha",
    "number": "spearman",
    "binary": "kappa",
    "nominal": "kappa",
    "preference": "kappa",
}
"""The figure of the matrix, by the kind of question."""


def write_agreement(
    path: Location,
    result: AgreementResult,
    *,
    title: str = "Agreement between judges",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes.

    Args:
        reproduce: command lines that lead to this page.
    """
    table, findings = result.judgments, result.findings
    sections = [section for one in findings for section in _sections(one, table)]
    judges = {name for one in findings for name in one.study.found.by_judge}
    subtitle = f"{len(judges):,} judges, {len(findings):,} question(s), {len(table):,} judgments"
    lines = [*reproduce, *(f"# {one}" for one in result.lines)]
    return page.write_page(
        path,
        title,
        sections,
        signature=result.signature,
        subtitle=subtitle,
        notes=_notes(table),
        reproduce=lines,
    )


def _notes(table: JudgmentTable) -> list[str]:
    notes = []
    if table.inferred:
        names = ", ".join(sorted(table.inferred))
        notes.append(f"The scale of {names} was guessed from the answers seen.")
    if table.duplicates:
        notes.append(f"{table.duplicates:,} rows repeat an earlier one; they count like any other.")
    return notes


def _sections(findings: Findings, table: JudgmentTable) -> list[Section]:
    study, tables = findings.study, findings.tables
    name = study.found.question.id
    judges, overall, pairs, groups, gold = (
        page.table(tables.get(key)) for key in ("judges", "overall", "pairs", "by", "comparison")
    )
    audits = [page.table(one) for key, one in tables.items() if key.startswith("audit ")]
    parts = [
        Section(name, page.join(_headline(study), judges, overall, _matrix(study))),
        Section(f"{name}: each two judges", page.join(pairs, _pictures(study, table))),
        Section(f"{name}: by field", groups),
        Section(f"{name}: which judge is closer to gold", gold),
        Section(f"{name}: audits", page.join(*audits)),
    ]
    return [part for part in parts if part.body.strip()]


def _headline(study: Study) -> Markup:
    found = study.found
    unscored = sum(one.unscored for one in found.by_judge.values())
    scored = sum(one.scored for one in found.by_judge.values())
    tiles = [
        Tile("Judged", f"{len(found.units):,}", f"by {len(found.by_judge):,} judges"),
        Tile("Judgments with an answer", f"{scored:,}", f"{unscored:,} unscored"),
    ]
    for name, one in list(study.overall.items())[:1]:
        ends = interval(one) or one.reason or NONE
        tiles.append(Tile(f"All judges: {name}", number(one.estimate), ends))
    text = [page.paragraph(found.question.text)] if found.question.text else []
    return page.join(*text, page.tiles(tiles))


def _matrix(study: Study) -> Markup:
    statistic = MATRIX.get(study.found.question.kind)
    cells: dict[tuple[str, str], float | None] = {}
    names: dict[str, None] = {}
    for pair in study.pairs:
        one = None if statistic is None else pair.figures.get(statistic)
        if one is not None and not np.isnan(one.estimate):
            cells[pair.first, pair.second] = cells[pair.second, pair.first] = one.estimate
            names |= {pair.first: None, pair.second: None}
    if len(names) < 3 or statistic is None:
        return page.EMPTY
    spec = charts.agreement_matrix(cells, judges=list(names)[:20], statistic=statistic)
    return page.figure(
        spec, f"{statistic} of each two judges; the stronger the colour, the closer they are."
    )


def _pictures(study: Study, table: JudgmentTable) -> Markup:
    drawn = []
    for pair in study.pairs[:PICTURES]:
        drawn += _picture(study.found, pair)
        if pair.second == study.gold:
            drawn += _reliability(study, pair, table)
    return page.figures(*drawn) if drawn else page.EMPTY


def _picture(found: Columns, pair: PairOf) -> list[Markup]:
    """A confusion of answers, or a scatter where there are too many values for one."""
    x, y = found.by_judge[pair.second].values, found.by_judge[pair.first].values
    both = ~(np.isnan(x) | np.isnan(y))
    x, y = x[both], y[both]
    if len(x) == 0:
        return []
    scale = scale_of(found.question)
    caption = f"{pair.first} against {pair.second}, {len(x):,} judged by both."
    if found.question.kind != "number" and np.isin([*x, *y], list(scale.values())).all():
        names = {value: answer for answer, value in scale.items()}
        counts = Counter((names[b], names[a]) for a, b in zip(x.tolist(), y.tolist(), strict=True))
        spec = charts.confusion(
            counts, answers=list(scale), x_title=pair.second, y_title=pair.first
        )
    else:
        ends = found.question.range
        spec = charts.scatter(
            x.tolist(), y.tolist(), x_title=pair.second, y_title=pair.first, range=ends
        )
    return [page.figure(spec, caption)]


def _reliability(study: Study, pair: PairOf, table: JudgmentTable) -> list[Markup]:
    """Where the judge gives probabilities: are they true?"""
    predicted = probabilities(table, study.found, pair.first)
    if predicted is None:
        return []
    outcome = _share_of_gold(study.found, pair.second)
    rng = np.random.default_rng(0)
    found = stats.smooth_calibration(
        predicted, outcome, clusters=np.asarray(study.found.items), rng=rng, points=100
    )
    if np.isnan(found.error.estimate):
        return []
    spec = reliability(
        found, x_title=f"probability by {pair.first}", y_title=f"share by {pair.second}"
    )
    error = with_interval(found.error)
    return [page.figure(spec, f"Reliability of {pair.first}: smooth calibration error {error}.")]


def _share_of_gold(found: Columns, gold: str) -> FloatArray:
    """Gold answers as shares of the positive one, a tie one half."""
    values = found.by_judge[gold].values
    scale = list(scale_of(found.question).values())
    low, high = min(scale), max(scale)
    return np.asarray(np.clip((values - low) / (high - low), 0, 1))
