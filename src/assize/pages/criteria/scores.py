"""The page of `assize criteria score`: NetSAT, uncertain conversations first, two side by side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from markupsafe import Markup

from assize.base.conversation import Item
from assize.base.judgment import Judgment
from assize.criteria._criterion import NETSAT, CriteriaSet
from assize.criteria._scores import CriteriaScores
from assize.criteria._scoring import label_of
from assize.judgments.values import number_of
from assize.pages import charts, page
from assize.pages.criteria.figures import cuts_of, netsat
from assize.pages.criteria.scored import Scored
from assize.pages.excerpt import items_by_id
from assize.pages.result_page import Charts
from assize.pages.scores import item_pieces
from assize.results import Column, ResultTable
from assize.results.abridge import one_line
from assize.results.columns import columns
from assize.results.numbers import counted, number, with_interval
from assize.scoring.summary import ListedItem
from assize.stats import mean

MOST_LISTED = 20
MOST_COMPARED = 60  # criteria of two conversations side by side
LONGEST = 400  # characters of a criterion
_LEVELS = {"good": "high", "open": "middle", "bad": "low"}


def draw_scores(result: CriteriaScores, items: Iterable[Item] = ()) -> Charts:
    """Return charts of NetSAT, and the conversations: two side by side, uncertain ones first.

    Args:
        items: the conversations, read once, so that their text is shown.

    Raises:
        DataError: the judgments hold no NetSAT.
    """
    given = replace(result.given, labelling=result.labelling)
    scored = Scored.of(result.judgments, given)
    two = scored.extremes()
    first = scored.uncertain_first()[:MOST_LISTED]
    ids = [scored.items[place] for place in dict.fromkeys([*first, *(two or ())])]
    texts = items_by_id(items, ids)
    names = [NETSAT, *(criterion.id for criterion in given.criteria)]
    rows: dict[str, list[Judgment]] = {name: [] for name in ids}
    for row in result.judgments.where(item=ids, question=names):
        rows[row.item].append(row)
    listed = [
        ListedItem(
            texts.get(scored.items[place], scored.items[place]),
            float(scored.nets[place]),
            rows[scored.items[place]],
        )
        for place in first
    ]
    order = "Lowest" if scored.middle is None else "Uncertain"
    lists = {
        "two conversations side by side": [] if two is None else [_sides(given, two, scored, rows)],
        f"{order} conversations first": [_list(given, listed, scored, bool(texts))],
    }
    return {**_figures(scored, given), **(lists if listed else {})}


def _list(given: CriteriaSet, listed: Sequence[ListedItem], scored: Scored, texts: bool) -> Markup:
    """The conversations to look at first, each with what was said of each criterion."""
    window = given.labelling
    questions = {criterion.id: criterion.question(given.scale) for criterion in given.criteria}
    questions[NETSAT] = given.questions[0]
    pieces = item_pieces(
        listed,
        questions,
        main=NETSAT,
        several=False,
        level=lambda net: "" if window is None else _LEVELS[label_of(net, window)],
        shown=lambda net: number(net, 1),
    )
    lead = f"{len(listed):,} of {counted(scored.known.size, 'scored conversation')}."
    if not texts:
        lead += " Give the conversations (items) to read their text here."
    return page.join(page.paragraph(lead, kind="quiet"), page.browsed(pieces, noun="conversations"))


def _sides(
    given: CriteriaSet, two: tuple[int, int], scored: Scored, said: dict[str, list[Judgment]]
) -> Markup:
    """How far each criterion holds for two conversations, those that tell them apart first."""
    names = [scored.items[place] for place in two]
    rows: list[tuple[str, str, float, float]] = []
    for criterion in given.criteria:
        question = criterion.question(given.scale)
        values = []
        for name in names:
            numbers = [
                number_of(row, question) for row in said[name] if row.question == question.id
            ]
            known = [value for value in numbers if value is not None]
            values.append(math.fsum(known) / len(known) if known else math.nan)
        text = one_line(criterion.text, LONGEST)
        rows.append((criterion.polarity.upper(), text, values[0], values[1]))
    rows.sort(key=lambda row: (row[0] != "SAT", -abs(row[2] - row[3]) if row[2] - row[3] else 0.0))
    shown = [Column("kind"), Column("criterion"), *columns("number", *names, digits=1)]
    return page.table(ResultTable("Criteria", shown, rows, most=MOST_COMPARED))


def _figures(scored: Scored, given: CriteriaSet) -> dict[str, list[tuple[charts.Spec, str]]]:
    """How NetSAT is spread."""
    if not scored.known.size:
        return {"netsat": []}
    learnt = given.labelling
    spread = f"Distribution of NetSAT; its mean is {with_interval(mean(scored.nets), 1)}."
    if learnt is not None:
        precision = f"{100 * learnt.precision:g}%"
        spread += f" Shaded: left open, because no label there reaches {precision} precision."
    unlabelled = [None] * len(scored.items)
    return {"netsat": [(netsat(scored.nets, unlabelled, cuts_of(learnt)), spread)]}
