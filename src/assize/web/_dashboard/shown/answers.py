"""What a page shows of a nominal question: a bar and a cell for each answer and group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from assize.base.judgment import Question
from assize.pages.drawing import INK, SERIES, Link, Spec
from assize.results.numbers import NONE, number, percent
from assize.stats._estimate import nullable
from assize.web._dashboard.figures.shares import SPLIT, Answered, AnswerShares
from assize.web._dashboard.shown.addresses import name_link, region_address
from assize.web._dashboard.shown.pictures import LINK_MARK
from assize.web._rendering import drawn

_ROW = 18  # pixels of one group's bar
_GAP = 8
_ALONE = 28
_WIDTH = 230  # pixels of the plot; names stand beside it


@dataclass(frozen=True, slots=True)
class ShareCell:
    """One group's share of an answer, as words; `interval` and `apart` are "" until they are there.

    Args:
        listed: how many conversations, or answers of a rater, a list of it holds.
    """

    group: str
    share: str
    listed: str
    interval: str = ""
    apart: str = ""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer as it is stored and as it is said, with a cell a group."""

    answer: str
    said: str
    cells: tuple[ShareCell, ...]


@dataclass(frozen=True, slots=True)
class GroupTotal:
    """What a group's shares are of."""

    name: str
    n: str
    unscored: str


@dataclass(frozen=True, slots=True)
class AnswersPicture:
    """A nominal question's chart and figures.

    Args:
        drawing: the chart; its bars are links.
        pending: whether its intervals are still to be asked for.
        note: what the intervals are, "" while they are not there.
    """

    question: Question
    drawing: Markup
    rows: tuple[AnswerRow, ...]
    groups: tuple[GroupTotal, ...]
    pending: bool
    note: str
    left_out: str
    unscored: int
    skipped: int


def answer_said(question: Question, place: int) -> str:
    """An answer with its label, by its place; the place after the last is that of split raters."""
    if place == len(question.answers):
        return SPLIT
    answer = question.answers[place]
    label = question.labels.get(answer, "")
    return f"{answer}: {label}" if label else answer


def answers_picture(
    found: AnswerShares, bands: Mapping[str, Any] | None, note: str, dashboard: str
) -> AnswersPicture:
    """The chart of the shares, with intervals where `bands` (`share_bands_to_json`) are there.

    Args:
        dashboard: its name, for the links.
    """
    return AnswersPicture(
        found.question,
        drawn(answers_spec(found, bands), answer_links(found, dashboard)),
        tuple(_rows(found, bands)),
        tuple(GroupTotal(one.name, f"{one.n:,}", f"{one.unscored:,}") for one in found.groups),
        bands is None,
        note,
        ", ".join(found.left_out),
        found.unscored,
        found.skipped,
    )


def _rows(found: AnswerShares, bands: Mapping[str, Any] | None) -> Sequence[AnswerRow]:
    rows = []
    for place, answer in enumerate(found.question.answers):
        cells = [
            _cell(one, place, None if bands is None else bands["bands"][at], found.groups[0])
            for at, one in enumerate(found.groups)
        ]
        rows.append(AnswerRow(answer, answer_said(found.question, place), tuple(cells)))
    split = len(found.question.answers)
    if any(one.listed[split] for one in found.groups):
        told = [ShareCell(one.name, NONE, f"{int(one.listed[split]):,}") for one in found.groups]
        rows.append(AnswerRow(SPLIT, SPLIT, tuple(told)))
    return rows


def _cell(one: Answered, place: int, band: Mapping[str, Any] | None, first: Answered) -> ShareCell:
    share, listed = percent(float(one.share[place])), f"{int(one.listed[place]):,}"
    if band is None:
        return ShareCell(one.name, share, listed)
    apart = ""
    if one is not first and (difference := one.share[place] - first.share[place]) == difference:
        ends = _ends(*band["apart"][place], signed=True)
        apart = f"{number(100 * difference, 1, signed=True)} {ends}".rstrip()
    return ShareCell(one.name, share, listed, _ends(band["low"][place], band["high"][place]), apart)


def _ends(low: float | None, high: float | None, *, signed: bool = False) -> str:
    """In percent; "" where there is none."""
    if low is None or high is None:
        return ""
    return f"[{number(100 * low, 1, signed=signed)}, {number(100 * high, 1, signed=signed)}]"


def answers_spec(
    found: AnswerShares,
    bands: Mapping[str, Any] | None = None,
) -> Spec:
    """A bar for each answer and group, with its interval, and over it a mark for each of
    `answer_links`.

    Args:
        bands: of these very shares.
    """
    names = [one.name for one in found.groups]
    said = [answer_said(found.question, at) for at in range(len(found.question.answers))]
    several = len(names) > 1
    down = {
        "field": "said",
        "type": "nominal",
        "title": None,
        "sort": None,
        "scale": {"domain": said},
        "axis": {"labelLimit": 140, "ticks": False},
    }
    across = {
        "type": "quantitative",
        "title": "share",
        "scale": {"zero": True},
        "axis": {"format": "%", "tickCount": 5},
    }
    spots: Spec = {"y": down}
    if several:
        spots["yOffset"] = {"field": "name", "type": "nominal", "scale": {"domain": names}}
    colour = {
        "field": "name",
        "type": "nominal",
        "scale": {"domain": names, "range": list(SERIES[: len(names)])},
        "legend": None,  # the table beside the chart has the colours
    }
    bar = {
        "mark": {"type": "bar", "opacity": 0.75},
        "encoding": {**spots, "x": {**across, "field": "x"}, "color": colour},
    }
    rule = {
        "mark": {"type": "rule", "color": INK["ink"], "strokeWidth": 1.5},
        "encoding": {**spots, "x": {**across, "field": "low"}, "x2": {"field": "high"}},
    }
    link = {
        "mark": LINK_MARK,
        "transform": [{"filter": "datum.link != null"}],
        "encoding": {
            **spots,
            "x": {"value": 0},
            "x2": {"value": "width"},
            "href": {"field": "link"},
        },
    }
    counted = sum(one.n for one in found.groups)
    groups = f" by {len(names)} groups" if several else ""
    height = _ROW * len(names) + _GAP if several else _ALONE
    return {
        "description": f"How {found.question.id} is answered{groups}, {counted:,} answers.",
        "width": _WIDTH,
        "height": height * len(said),
        "data": {"name": "answers", "values": _points(found, said, bands)},
        "layer": [bar, link] if bands is None else [bar, rule, link],
    }


def _listed(found: AnswerShares) -> list[tuple[int, int]]:
    """The groups and answers of which there is a list."""
    return [
        (at, place)
        for at, one in enumerate(found.groups)
        for place in range(len(found.question.answers))
        if one.listed[place]
    ]


def answer_links(found: AnswerShares, dashboard: str) -> list[Link]:
    """Where the bars lead, in the order of `_listed`."""
    several, links = len(found.groups) > 1, []
    for at, place in _listed(found):
        group = found.groups[at]
        said = answer_said(found.question, place)
        name = name_link(found.look, int(group.listed[place]), said, group.name if several else "")
        answer, curve = found.question.answers[place], group.name if several else ""
        links.append(Link(region_address(dashboard, found.look, answer=answer, curve=curve), name))
    return links


def _points(
    found: AnswerShares, said: Sequence[str], bands: Mapping[str, Any] | None
) -> list[Spec]:
    """A row an answer and group; with bands also `low` and `high`, with a list also `link`."""
    links = {pair: at for at, pair in enumerate(_listed(found))}
    rows = []
    for at, one in enumerate(found.groups):
        if not one.n:
            continue
        for place, answer in enumerate(found.question.answers):
            row: Spec = {
                "name": one.name,
                "answer": answer,
                "said": said[place],
                "x": nullable(float(f"{one.share[place]:.5g}")),
            }
            if bands is not None:
                band = bands["bands"][at]
                row |= {"low": band["low"][place], "high": band["high"][place]}
            if (at, place) in links:
                row["link"] = f"#{links[at, place]}"
            rows.append(row)
    return rows
