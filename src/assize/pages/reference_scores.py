"""The page of `assize reference score`: metrics by source and along the conversation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.page import Section, Tile
from assize.reference.scores import MetricScores, ReferenceScores
from assize.results.numbers import counted, interval, number
from assize.results.types import Estimate
from assize.signature import sign

_TILES = {"cosine": "Cosine", "bertscore-f1": "BERTScore F1", "rougel-f1": "ROUGE-L F1"}
_MOST_SOURCES = 12  # drawn; tables have all


def write_reference(
    path: Location,
    scores: ReferenceScores,
    *,
    title: str = "Next turns against people's",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes."""
    tables = scores.tables
    shown = [one for one in scores.metrics if one.headline and not one.over_references]
    by_turn = page.join(page.table(tables.get("drift")), page.table(tables.get("turns")))
    sections = [
        Section("At a glance", _tiles(scores)),
        Section(
            "By source", page.join(_figures(_by_source(shown)), page.table(tables.get("sources")))
        ),
        Section("Along the conversation", page.join(_figures(_by_turn(shown)), by_turn)),
        Section("All metrics", page.table(tables["metrics"])),
        Section("Several references", page.table(tables.get("means"))),
    ]
    signature = sign(sorted({one.mean.signature for one in scores.metrics}))
    return page.write_page(
        path,
        title,
        [one for one in sections if one.body.strip()],
        signature=signature,
        subtitle=f"{counted(scores.continuations, 'continuation')}"
        f" in {counted(scores.conversations, 'conversation')}, which are the independent units",
        notes=_notes(scores),
        reproduce=reproduce,
    )


def _notes(scores: ReferenceScores) -> list[str]:
    missing, total = scores.missing
    return [f"{missing:,} of {total:,} judgments are unscored."] if missing else []


def _tiles(scores: ReferenceScores) -> Markup:
    found = [
        Tile(name, number(one.mean.estimate), interval(one.mean))
        for question, name in _TILES.items()
        for one in scores.metrics
        if one.question.id == question
    ]
    return page.tiles([*found, Tile("Continuations", f"{scores.continuations:,}")])


def _figures(drawn: Iterator[Markup]) -> Markup:
    found = list(drawn)
    return page.figures(*found) if found else page.EMPTY


def _by_source(shown: Sequence[MetricScores]) -> Iterator[Markup]:
    """A chart a metric: the mean of each source."""
    for one in shown:
        if len(one.sources) > 1:
            some = list(one.sources.items())[:_MOST_SOURCES]
            rows = [(name, mean.estimate, *mean.interval) for name, mean in some]
            spec = charts.means(rows, title=one.question.id)
            yield page.figure(spec, f"{one.question.text or one.question.id}, by source.")


def _by_turn(shown: Sequence[MetricScores]) -> Iterator[Markup]:
    """A chart a metric: its mean at each turn."""
    for one in shown:
        if len(one.turns) > 1:
            curve = _curve(one.turns)
            spec = charts.curves(
                {one.question.id: curve}, x_title="turn", y_title=one.question.id, dots=True
            )
            slope = number(one.slope.estimate, signed=True)
            said = f"{one.question.id}: {slope} a turn {interval(one.slope, signed=True)}".rstrip()
            yield page.figure(spec, f"{said}.")


def _curve(turns: Mapping[int, Estimate]) -> charts.Curve:
    each = list(turns.values())
    return charts.Curve(
        [float(turn) for turn in turns],
        [one.estimate for one in each],
        [one.interval[0] for one in each],
        [one.interval[1] for one in each],
    )
