"""Conversations as the page of scores shows them: in a list, and two side by side."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from assize.base.conversation import Item
from assize.criteria._criterion import CriteriaSet
from assize.criteria._scoring import label_details
from assize.pages import page
from assize.pages.criteria.conversations import Verdict
from assize.pages.criteria.scored import Scored
from assize.pages.excerpt import Excerpt, excerpt
from assize.results.numbers import counted, number, percent

MOST_VERDICTS = 24  # of a conversation that is listed
MOST_COMPARED = 60  # of two side by side
_LEVELS = {"good": "high", "open": "middle", "bad": "low"}
LABELS = {"good": "good", "open": "left open", "bad": "bad", "unscored": "unscored"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A conversation as listed: its text, what was said of it, and of how many criteria not."""

    text: Excerpt
    label: str
    level: str
    facts: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    left_out: int


def shown_of(
    scored: Scored,
    at: int,
    given: CriteriaSet,
    texts: Mapping[str, Item],
    said: Mapping[str, Sequence[Verdict]],
) -> Shown:
    """A conversation with what was said of it.

    Args:
        at: its place.
        texts, said: by its id.
    """
    id, net = scored.items[at], float(scored.nets[at])
    label = "" if scored.labels is None else scored.labels[at]
    found = said[id]
    kept = _clearest(found)
    text = excerpt(texts.get(id, id), net, (), ())
    return Shown(
        text,
        LABELS.get(label, ""),
        _LEVELS.get(label, ""),
        tuple(_facts(scored, at, given)),
        tuple(kept),
        len(found) - len(kept),
    )


def _facts(scored: Scored, at: int, given: CriteriaSet) -> Iterable[str]:
    net = float(scored.nets[at])
    if scored.middle is not None and not math.isnan(net):
        side = "above" if net > scored.middle else "below"
        yield f"{number(abs(net - scored.middle), 1)} {side} the threshold"
    if given.labelling is not None and not math.isnan(net):
        chance = label_details(net, given.labelling).get("probability")
        if chance is not None:
            yield f"probability of good {percent(chance, 0)}"


def _clearest(found: Sequence[Verdict]) -> list[Verdict]:
    """Those that speak most clearly, and those that are unscored, in the order of the set."""
    if len(found) <= MOST_VERDICTS:
        return list(found)
    clear = sorted(found, key=_clarity)[:MOST_VERDICTS]
    among = {one.criterion.id for one in clear}
    return [one for one in found if one.criterion.id in among]


def _clarity(one: Verdict) -> tuple[bool, float]:
    return not math.isnan(one.value), -abs(one.speaks)


def heading(scored: Scored) -> str:
    """What is listed, in which order."""
    first = "Lowest" if scored.middle is None else "Uncertain"
    return f"{first} conversations first"


def listed(scored: Scored, shown: Sequence[Shown]) -> Markup:
    """The conversations to look at first."""
    if not shown:
        return page.EMPTY
    n = scored.known.size
    lead = f"{len(shown):,} of {counted(n, 'scored conversation')}"
    if scored.labels is not None:
        lead += f"; {Counter(scored.labels)['open']:,} are left open, and stand before the others"
    if scored.middle is not None:
        lead += ", each nearest to the threshold first"
    return page.render("criteria/conversations.html", lead=f"{lead}.", shown=shown, text=_text)


def _text(value: float) -> str:
    return number(value, 1)


def sides(
    two: tuple[int, int] | None,
    shown: Mapping[int, Shown],
    said: Mapping[str, Sequence[Verdict]],
    scored: Scored,
) -> Markup:
    """Two conversations, the criteria that tell them apart most first."""
    if two is None:
        return page.EMPTY
    first, second = (said[scored.items[at]] for at in two)
    rows = sorted(zip(first, second, strict=True), key=_apart)
    return page.render(
        "criteria/sides.html",
        sides=[shown[at] for at in two],
        rows=rows[:MOST_COMPARED],
        rest=max(0, len(rows) - MOST_COMPARED),
        text=_text,
    )


def _apart(both: tuple[Verdict, Verdict]) -> tuple[bool, float]:
    """SAT before DSAT, and the criteria that tell two apart most before others."""
    one, other = both
    difference = one.value - other.value
    return not one.criterion.sat, 0.0 if math.isnan(difference) else -abs(difference)
