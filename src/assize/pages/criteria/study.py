"""The page of `assize criteria study`: the paper's tables and figures for one's own data."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from markupsafe import Markup

from assize.criteria.selected import Curves
from assize.criteria.selection import Objective
from assize.criteria.selection.pool import FEWEST
from assize.criteria.study.measures import Unseen
from assize.criteria.study.studied import CriteriaStudy, Studied
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.criteria.figures import cuts_at, netsat, precision, sentences
from assize.pages.page import Section
from assize.results import ResultTable

Make = Callable[[Unseen, CriteriaStudy], charts.Spec]

MOST_DRAWN = 12  # methods and policies
_MEASURES = {
    "delta_netsat": ("ΔNetSAT", "NetSAT of good conversations less that of bad ones."),
    "yield_test": (
        "YR@{wanted}",
        "Labelled at {wanted}% precision, window of the test half.",
    ),
    "yield_train": ("YR train", "Labelled by the window of the training half."),
    "accuracy": ("A", "Accuracy of the threshold."),
}


def write_criteria_study(
    path: Location,
    found: CriteriaStudy,
    *,
    title: str = "Study of criteria",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes."""
    tables = found.tables
    drawn = dict(list(drawn_of(found).items())[:MOST_DRAWN])
    sections = [
        _compared(found, "Methods", _by_method(found), lambda one: one.method, tables),
        _compared(found, "Policies", _by_policy(found), partial(policy_of, found), tables),
        Section("Precision by threshold", _curves(found, drawn)),
        Section("Scores by class", _distributions(found, drawn)),
        Section("Who labelled", page.table(tables.get("agreement of labels"))),
    ]
    good, bad = found.test
    subtitle = (
        f"{len(found.methods)} methods, {len(found.policies)} policies, {good:,} good and {bad:,}"
        " bad test conversations"
    )
    return page.write_page(
        path,
        title,
        [one for one in sections if one.body.strip()],
        signature=found.signature,
        subtitle=subtitle,
        notes=sentences(found.notes, found.methods),
        reproduce=reproduce,
    )


def _by_method(found: CriteriaStudy) -> list[Studied]:
    return [one for one in found.rows if one.policy == found.policies[0]]


def _by_policy(found: CriteriaStudy) -> list[Studied]:
    """Where there is something to choose, and several ways to do so."""
    return [one for one in found.rows if not one.whole] if len(found.policies) > 1 else []


def policy_of(found: CriteriaStudy, one: Studied) -> str:
    """The policy, with the method where several are chosen from."""
    several = len({row.method for row in found.rows if not row.whole}) > 1
    return f"{one.method}, {one.policy}" if several else one.policy


def drawn_of(found: CriteriaStudy) -> dict[str, Studied]:
    """By name, what is drawn: a set that is taken whole once, for policies make none of it."""
    named: dict[str, Studied] = {}
    for one in found.rows:
        plain = one.whole or len(found.policies) == 1
        named.setdefault(one.method if plain else f"{one.method}, {one.policy}", one)
    return named


def _compared(
    found: CriteriaStudy,
    title: str,
    rows: Sequence[Studied],
    of: Callable[[Studied], str],
    tables: Mapping[str, ResultTable],
) -> Section:
    """The table of all figures, the main ones as pictures, and the differences to the first."""
    name = title.lower()
    table = tables.get(name)
    if table is None:
        return Section(title, page.EMPTY)
    pictures = [
        page.figure(spec, f"{spec['description']} 95% intervals over test conversations.")
        for spec in measures_of(found, {of(one): one for one in rows}).values()
    ]
    less = page.table(tables.get(f"{name} less the first"))
    return Section(title, page.join(page.table(table), page.figures(*pictures), less))


def measures_of(found: CriteriaStudy, rows: Mapping[str, Studied]) -> dict[str, charts.Spec]:
    """A picture a measure: each method or policy, by its name, with its interval."""
    drawn = {}
    for name, (title, about) in _MEASURES.items():
        each = [
            (shown, one.figures[name].estimate, *one.figures[name].interval)
            for shown, one in rows.items()
            if not math.isnan(one.figures[name].estimate)
        ]
        if each:
            wanted = f"{100 * found.precision:g}"
            as_share = None if name == "delta_netsat" else "~%"
            spec = charts.means(each, title=title.format(wanted=wanted), format=as_share)
            drawn[name] = {**spec, "description": about.format(wanted=wanted)}
    return drawn


def scored_test(one: Studied) -> Unseen | None:
    """The scores of the first split's test half that are known; None where a class is missing."""
    if not one.tests:
        return None
    first = one.tests[0]
    known = first.rows(np.flatnonzero(~np.isnan(first.nets)))
    if min(known.good.sum(), (~known.good).sum()) < FEWEST or np.ptp(known.nets) == 0:
        return None
    return known


def figures_of(found: CriteriaStudy) -> dict[str, charts.Spec]:
    """`figures`: each measure with its interval; `curves`, `distributions`: a part a row."""
    rows = dict(list(drawn_of(found).items())[:MOST_DRAWN])
    makes: Mapping[str, Make] = {"curves": _curve, "distributions": _distribution}
    parts = {"figures": list(measures_of(found, rows).values())}
    for name, make in makes.items():
        parts[name] = [
            {"title": shown, **make(scores, found)}
            for shown, one in rows.items()
            if (scores := scored_test(one)) is not None
        ]
    return {
        name: {"description": f"{name.capitalize()} of each method and policy.", "vconcat": each}
        for name, each in parts.items()
        if each
    }


def _curve(scores: Unseen, found: CriteriaStudy) -> charts.Spec:
    curves = Curves.of(scores.nets, scores.good, Objective())
    return precision(curves, cuts_at(scores.threshold, scores.learnt), found.precision)


def _distribution(scores: Unseen, found: CriteriaStudy) -> charts.Spec:
    good = [bool(one) for one in scores.good]
    return netsat(scores.nets, good, cuts_at(scores.threshold, scores.learnt))


def _curves(found: CriteriaStudy, rows: Mapping[str, Studied]) -> Markup:
    lead = (
        "How often each label is right at every threshold (solid), and the tanh that sharpness"
        f" compares it with (dashed), on the test half{_which(found)}. The threshold, and the"
        " window that is left open (shaded), were learnt on the training half."
    )
    return _each(found, rows, lead, _curve)


def _distributions(found: CriteriaStudy, rows: Mapping[str, Studied]) -> Markup:
    return _each(found, rows, f"NetSAT on the test half{_which(found)}.", _distribution)


def _which(found: CriteriaStudy) -> str:
    return "" if found.splits == 1 else f" of the first of {found.splits} splits"


def _each(found: CriteriaStudy, rows: Mapping[str, Studied], lead: str, make: Make) -> Markup:
    """A picture a row of the study."""
    drawn = [
        page.figure(make(scores, found), _caption(shown, one, scores))
        for shown, one in rows.items()
        if (scores := scored_test(one)) is not None
    ]
    if not drawn:
        return page.EMPTY
    more = len(drawn_of(found)) - len(rows)
    left = page.paragraph(f"{more} more are not drawn.", kind="quiet") if more else page.EMPTY
    return page.join(page.paragraph(lead), page.figures(*drawn), left)


def _caption(name: str, one: Studied, scores: Unseen) -> str:
    good = int(scores.good.sum())
    lost = f", {one.tests[0].unscored:,} unscored" if one.tests[0].unscored else ""
    return f"{name}: {good:,} good and {len(scores.good) - good:,} bad conversations{lost}."
