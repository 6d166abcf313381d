"""Addresses hold any name, and links say what they lead to."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from tests.web.dashboard.project import ATTACK

from assize.web._dashboard.figures.charts import Look
from assize.web._dashboard.shown.addresses import address, name_link, region_address

HOSTILE = f"{ATTACK}&judges=eve#?/../%00 ü"


def test_an_address_holds_the_whole_look_and_hostile_names_stay_values() -> None:
    look = Look(HOSTILE, HOSTILE, HOSTILE, True, "bars", f"x:{HOSTILE}")
    found = urlsplit(region_address("quality", look, answer=HOSTILE, curve=""))
    assert found.path == "/dashboards/quality/region"
    assert found.fragment == ""
    assert parse_qs(found.query) == {
        "judges": [HOSTILE],
        "question": [HOSTILE],
        "by": [HOSTILE],
        "apart": ["1"],
        "kind": ["bars"],
        "where": [f"x:{HOSTILE}"],
        "answer": [HOSTILE],
    }


def test_what_is_not_said_is_not_in_an_address() -> None:
    assert address(Look("Q0")) == "judges=&question=Q0"


def test_a_link_says_what_it_leads_to() -> None:
    assert name_link(Look("Q0"), 1, "from 1 to 2", "") == "1 conversation with Q0 from 1 to 2"
    apart = Look("length", disaggregated=True)
    assert name_link(apart, 1_200, "right", "new") == "1,200 answers with length right, new"
