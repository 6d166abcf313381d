from __future__ import annotations

import json
from pathlib import Path

import pytest

from assize.simulate._mining.seeking import why_not_seeking


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("how do I rotate azure storage keys", None),
        ("cosmos db pricing", None),
        ("where can I buy a used bike?", None),
        ("Hello there!", "trivial"),
        ("portal.azure.com", "an address"),
        ("https://x.org/a b", None),
        ("azure portal login", "the way to a page"),
        ("buy azure credits", "a purchase or download"),
        ("please write me a poem about clouds", "an order to produce something"),
        ("could you compose a short mail to my boss", "an order to produce something"),
        ("create a poem of four lines", "an order to produce something"),
        ("translate hello there to french", "an order to produce something"),
        ("old bicycles for sale", "a purchase or download"),
        ("azure portal slow", None),
        ("azure portal ui framework", None),
        ("block access to azure portal", None),
        ("cheapest azure database", None),
        ("convert azure ad registered to hybrid joined", None),
        ("create storage account azure", None),
        ("create an email alert", None),
        ("generate sas token azure", None),
        ("implement rbac azure", None),
        ("write logs to a storage account", None),
        ("rewrite url front door", None),
        ("calculate azure costs", None),
        ("login page not loading", None),
        ("azure", "one word"),
        ("word " * 61, "too long"),
    ],
)
def test_the_rule_says_what_seeks_no_information(text: str, why: str | None) -> None:
    assert why_not_seeking(text) == why


RUBRIC = Path(__file__).parents[3].parent / "shared/data/llm-rubric/real_dialogues.jsonl"


@pytest.mark.skipif(
    not RUBRIC.is_file(), reason="needs LLM-Rubric's data, which assize does not ship"
)
def test_the_topics_that_llm_rubric_took_from_queries_are_kept() -> None:
    topics = {json.loads(line)["topic"] for line in RUBRIC.read_text().splitlines()}
    assert len(topics) == 210
    assert [one for one in topics if why_not_seeking(one) is not None] == []
