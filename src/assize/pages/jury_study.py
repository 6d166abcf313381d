"""The page of `assize jury study`: who is right how often, and whether juries differ."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from markupsafe import Markup

from assize.formats.files import Location
from assize.juries.outcome import RESULTS, Standing
from assize.juries.study import JuryStudy, Place, Sitting
from assize.juries.study.published import TABLES
from assize.pages import charts, page
from assize.pages.drawing import Spec
from assize.pages.page import Section, Tile
from assize.results.escape import shortened
from assize.results.numbers import counted, percent, percents

MOST_ROWS = 40
"""Juries that are drawn below each other; the tables hold all."""
LONGEST = 48  # characters of a name beside an axis,
PIXELS = 290  # which it has
WIDTH = 230  # of a plot beside such names
_COLOURS = (charts.SERIES[2], charts.SERIES[5], charts.SERIES[3], charts.RAMP[0])
_REWARD = "reward@hf:"
_PRINTED = [f"table_{number}" for number in TABLES]


def write_jury_study(
    path: Location,
    study: JuryStudy,
    *,
    title: str = "Juries compared",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes."""
    tables = study.tables

    def shown(*names: str) -> Markup:
        return page.join(*(page.table(tables.get(one)) for one in names))

    sections = [
        Section("At a glance", _tiles(study)),
        Section("Who is right how often", page.join(_right(study), shown("accuracy", "models"))),
        Section("AMULET's tables", shown(*_PRINTED)),
        Section("Against the printed figures", shown("printed")),
        Section("Win, tie and loss", page.join(_results(study), shown("results"))),
        Section("Whether juries differ", _differences(study)),
        Section("What becomes of ties", shown("ties")),
        Section("Asked again", page.join(_runs(study), shown("reruns", "runs"))),
    ]
    subtitle = "; ".join(
        [
            ", ".join(one.name for one in study.sets),
            study.settings.question,
            *([", ".join(study.models)] if study.models else []),
        ]
    )
    return page.write_page(
        path,
        title,
        [one for one in sections if one.body.strip()],
        signature=study.signature,
        subtitle=subtitle,
        notes=_notes(study),
        reproduce=reproduce,
    )


def _notes(study: JuryStudy) -> list[str]:
    notes = ["A judge decides where its votes in both orders agree; a tie passes on."]
    if study.settings.paper:
        notes.append(
            "As AMULET counts: an absent judge is a loss alone and at the end of a cascade."
        )
    return notes + [f"{one[0].upper()}{one[1:]}." for one in study.notes]


def axis_names(study: JuryStudy) -> Callable[[str], str]:
    """Juries' labels as an axis has room for them: models and reward models by their first words,
    as far as these tell them apart."""
    judges = {name for one in study.methods for name in one.names if name.startswith(_REWARD)}
    models = {f"({name})": f"({brief})" for name, brief in abbreviated(study.models).items()}
    whole = {**abbreviated(sorted(judges)), **models}
    longest_first = sorted(whole, key=len, reverse=True)

    def short(label: str) -> str:
        for name in longest_first:
            label = label.replace(name, whole[name])
        return shortened(label, LONGEST)

    return short


def abbreviated(names: Sequence[str]) -> dict[str, str]:
    """Names by their first words, two at least and as many as tell them apart.

    >>> abbreviated(["reward@hf:org/INF-ORM-Llama3.1-70B", "reward@hf:org/QRM-Gemma-2-27B"])
    {'reward@hf:org/INF-ORM-Llama3.1-70B': 'INF-ORM', 'reward@hf:org/QRM-Gemma-2-27B': 'QRM-Gemma'}
    """
    words = {name: re.split(r"[:/]", name)[-1].split("-") for name in names}
    most = max(map(len, words.values()), default=0)
    for count in range(2, most + 1):
        found = {name: "-".join(each[:count]) for name, each in words.items()}
        if len(set(found.values())) == len(found):
            return found
    return {name: name for name in names}


def _named(spec: Spec) -> Spec:
    """The chart with room for juries' names at its side."""
    encoding = dict(spec["encoding"])
    axis = {"labelLimit": PIXELS}
    encoding["y"] = {**encoding["y"], "axis": axis}
    return {**spec, "encoding": encoding, "width": WIDTH}


def _known(study: JuryStudy, data: str) -> list[tuple[Place, Sitting]]:
    """The sittings with gold on a data set, most often right first."""
    found = [
        (place, one) for place, one in study.first_of(data) if not math.isnan(one.share().estimate)
    ]
    return sorted(found, key=lambda one: -one[1].share().estimate)


def _tiles(study: JuryStudy) -> Markup:
    name = axis_names(study)
    tiles = []
    for data in study.sets:
        known = _known(study, data.name)
        if not known:
            continue
        place, best = known[0]
        share = best.share()
        said = f"{name(study.label(place))}; {percents(share)} of {share.n:,}"
        tiles.append(Tile(f"Best on {data.name}", percent(share.estimate), said))
        alone = [one for one in known if len(_judges(one[1])) == 1]
        if alone and alone[0][0] != place:
            said = f"{name(study.label(alone[0][0]))}; {percents(alone[0][1].share())}"
            tiles.append(Tile("Best judge alone", percent(alone[0][1].share().estimate), said))
        tests = study.tests.get(data.name, ())
        sure = sum(one.p_holm < _LEVEL for one in tests)
        if tests:
            said = f"of {counted(len(tests), 'comparison')}, Holm-corrected at {_LEVEL:g}"
            tiles.append(Tile("Differences that are sure", f"{sure:,}", said))
    if study.reruns:
        first = study.reruns[0]
        said = f"{name(study.label(first.place))}, {counted(len(first.runs), 'run')}"
        tiles.append(Tile("Same when asked again", percent(first.same.estimate), said))
    return page.tiles(tiles)


_LEVEL = 0.05


def _judges(one: Sitting) -> tuple[str, ...]:
    return () if one.result is None else one.result.judges


def _right(study: JuryStudy) -> Markup:
    """Shares of wins with their intervals, a figure a data set."""
    name = axis_names(study)
    drawn = []
    for data in study.sets:
        rows = [
            (name(study.label(place)), one.share().estimate, *one.share().interval)
            for place, one in _known(study, data.name)[:MOST_ROWS]
        ]
        if rows:
            spec = charts.means(rows, title="pairs decided rightly", format="%")
            drawn.append(
                page.figure(_named(spec), f"{data.name}: share of all pairs, with 95% intervals.")
            )
    return page.figures(*drawn) if drawn else page.EMPTY


def _results(study: JuryStudy) -> Markup:
    name = axis_names(study)
    drawn = []
    for data in study.sets:
        rows = []
        for place, one in _known(study, data.name)[:MOST_ROWS]:
            rows += [
                (name(study.label(place)), what, one.share(what).count)
                for what in (*RESULTS, "unscored")
            ]
        if rows:
            spec = charts.shares(
                rows, answers=[*RESULTS, "unscored"], title="pairs", colours=_COLOURS
            )
            drawn.append(page.figure(_named(spec), f"{data.name}: what each came to."))
    return page.figures(*drawn) if drawn else page.EMPTY


def _differences(study: JuryStudy) -> Markup:
    """Each jury less the one that all are held against, with the table, a data set."""
    name = axis_names(study)
    pieces = []
    for key, table in study.tables.items():
        if not key.startswith("tests"):
            continue
        rows = [(name(row[0]), row[2].estimate, *row[2].interval) for row in table.rows]
        spec = charts.means(rows[:MOST_ROWS], title="right more often by", format="+%", mark=0.0)
        caption = f"{table.title}: differences with intervals of a paired bootstrap."
        pieces += [page.figure(_named(spec), caption), page.table(table)]
    return page.join(*pieces)


def _runs(study: JuryStudy) -> Markup:
    """Every run's share of wins, a judge or jury below the other."""
    name = axis_names(study)
    rows = [
        (f"{name(study.label(one.place))}, run {run}", *_share(one.standing(run)))
        for one in study.reruns
        if one.wins
        for run in one.runs
    ]
    if not rows:
        return page.EMPTY
    spec = charts.means(rows[:MOST_ROWS], title="pairs decided rightly", format="%")
    return page.figure(_named(spec), "Each run by itself, with 95% intervals over pairs.")


def _share(standing: Standing) -> tuple[float, float, float]:
    found = standing.share("win")
    return found.estimate, *found.interval
