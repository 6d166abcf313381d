"""The page of `assize criteria score`: NetSAT, uncertain conversations first, two side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from markupsafe import Markup

from assize.base.conversation import Item
from assize.criteria._criterion import CriteriaSet
from assize.criteria._scores import CriteriaScores
from assize.judgments import JudgmentTable
from assize.pages import charts, page
from assize.pages.criteria.conversations import verdicts
from assize.pages.criteria.figures import cuts_of, netsat
from assize.pages.criteria.listed import heading, listed, shown_of, sides
from assize.pages.criteria.quotes import fitted, wanted
from assize.pages.criteria.scored import Scored
from assize.pages.result_page import Charts
from assize.pages.scores.groups import Failures
from assize.results.numbers import with_interval
from assize.stats import mean

MOST_LISTED = 20
MOST_UNSCORED = 30


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
    places = dict.fromkeys([*(two or ()), *first])
    ids = [scored.items[place] for place in places]
    texts = wanted(items, ids)
    shown_set = replace(given, criteria=tuple(map(fitted, given.criteria)))
    answers = verdicts(result.judgments, shown_set, ids)
    shown = {place: shown_of(scored, place, given, texts, answers) for place in places}
    pieces = {
        "two conversations side by side": sides(two, shown, answers, scored),
        heading(scored): listed(scored, [shown[place] for place in first]),
        "not scored": _unscored(result.judgments),
    }
    if pieces[heading(scored)] and not texts:
        hint = page.paragraph(
            "Give the conversations (items) to read their text here.", kind="quiet"
        )
        pieces[heading(scored)] = page.join(hint, pieces[heading(scored)])
    lists = {name: [piece] for name, piece in pieces.items() if piece.strip()}
    return {**_figures(scored, given), **lists}


def _figures(scored: Scored, given: CriteriaSet) -> dict[str, list[tuple[charts.Spec, str]]]:
    """How NetSAT is spread."""
    if not scored.known.size:
        return {"netsat": []}
    learnt = given.labelling
    spread = f"How NetSAT is spread; its mean is {with_interval(mean(scored.nets), 1)}."
    if learnt is not None:
        spread += (
            f" Shaded: left open, for no label there has {100 * learnt.precision:g}% precision."
        )
    unlabelled = [None] * len(scored.items)
    return {"netsat": [(netsat(scored.nets, unlabelled, cuts_of(learnt)), spread)]}


def _unscored(judgments: JudgmentTable) -> Markup:
    failures = Failures(MOST_UNSCORED)
    for row in judgments.filter(judgments.present("unscored")):
        failures.add(row)
    return page.join(*map(page.table, failures.tables(len(judgments)).values()))
