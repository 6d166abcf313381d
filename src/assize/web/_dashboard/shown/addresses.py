"""Addresses of a dashboard's pages and lists, and what a link to a list is called."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from assize.results.numbers import counted
from assize.web._dashboard.figures.charts import Look


def address(look: Look, **more: str) -> str:
    """What stands behind the `?` of an address: the look, and whatever else it needs.

    >>> address(Look("Q0", "system"), answer="yes & no")
    'judges=&question=Q0&by=system&answer=yes+%26+no'
    """
    asked = {
        "question": look.question,
        "by": look.by,
        "apart": "1" if look.disaggregated else "",
        "kind": look.kind,
        "where": look.where,
    }
    named = {name: value for name, value in (asked | more).items() if value}
    return urlencode({"judges": look.panel} | named)


def region_address(dashboard: str, look: Look, **region: str) -> str:
    """Where the list of a region or an answer is."""
    return f"/dashboards/{quote(dashboard)}/region?{address(look, **region)}"


def name_link(look: Look, count: int, value: str, curve: str) -> str:
    """What a part of a chart leads to.

    >>> name_link(Look("Q0", "system"), 3, "from 1 to 1.5", "old")
    '3 conversations with Q0 from 1 to 1.5, old'
    """
    what = counted(count, "answer" if look.disaggregated else "conversation")
    return f"{what} with {look.question} {value}{', ' if curve else ''}{curve}"
