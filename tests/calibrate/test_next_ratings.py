from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import assize
from assize import Conversation, JudgmentTable
from assize.base.errors import AssizeError, ConfigError
from assize.calibrate import FittedCalibrator, load_routing
from assize.calibrate._active.active_learning import RequestResult

RULES = """
# Everyone rates a little; only dora, who is new, reads German.
- who: everyone
  items: {metadata.language: en}
  at_most: 4
- who: dora
  questions: [Q0]
  items:
    metadata.language: de
  cost: 1.5
  at_most: 6
  not:
    items: [i0, i2, i99]
"""


@pytest.fixture
def both(fitted: FittedCalibrator, other: FittedCalibrator) -> list[FittedCalibrator]:
    return [fitted, other]


def routed(
    both: list[FittedCalibrator],
    said: JudgmentTable,
    chats: list[Conversation],
    folder: Path,
    text: str,
) -> RequestResult:
    (folder / "routing.yaml").write_text(text)
    rules = folder / "routing.yaml"
    return assize.calibrate.next_ratings(both, said, routing=rules, items=chats, count=30)


def test_ratings_worth_having_and_items_in_doubt_are_listed(
    said: JudgmentTable, rated: JudgmentTable, fitted: FittedCalibrator
) -> None:
    found = assize.calibrate.next_ratings(fitted, said, count=4)
    assert len(found.requests) == 4
    assert {one.rater for one in found.requests} <= {"ann", "bob"}
    assert [len(found.uncertain), len(found.controversial)] == [4, 4]
    assert assize.calibrate.next_ratings(fitted, said, ratings=rated).requests == ()
    assert "Q0: Controversial items" in str(found)


def test_the_routing_is_kept_and_what_it_excludes_is_told(
    both: list[FittedCalibrator], said: JudgmentTable, chats: list[Conversation], tmp_path: Path
) -> None:
    shown = routed(both, said, chats, tmp_path, RULES)
    found = shown.to_json()
    assert Counter(row["rater"] for row in found["requests"]) == {"ann": 4, "bob": 4, "dora": 10}
    for row in found["requests"]:
        german = int(row["item"][1:]) % 2 == 0
        assert not german or (row["rater"], row["question"]) == ("dora", "Q0")
        assert row["cost"] == (1.5 if german else 1)
        assert row["item"] not in ("i0", "i2")
    assert found["candidates"] == 60 * 2 * 3
    assert found["excluded"] == 60 * 2 * 3 - (30 * 2 * 3 + 28)
    assert set(found["at_limit"]) == {"ann", "bob", "dora"}
    assert found["new_raters"] == ["dora"]
    assert found["unknown_items"] == ["i99"]
    worth = [row["gain"] / row["cost"] for row in found["requests"]]
    assert worth == sorted(worth, reverse=True)
    assert "excluded by the routing: 152" in str(shown)
    assert "cost" in str(shown)
    notes = "\n".join(shown.notes)
    assert "dora: not known to every calibrator" in notes
    assert "i99: named in the routing, and none of the items" in notes
    plain = assize.calibrate.next_ratings(both, said, count=30).to_json()
    assert {row["rater"] for row in plain["requests"]} == {"ann", "bob"}
    assert (plain["excluded"], plain["candidates"]) == (0, 60 * 2 * 2)
    assert "cost" not in plain["requests"][0]
    assert found["signature"] != plain["signature"]


def test_the_example_of_the_docs_is_a_routing(
    fitted: FittedCalibrator, said: JudgmentTable, chats: list[Conversation], tmp_path: Path
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "label-next.md").read_text()
    (example,) = [part.split("```")[0] for part in page.split("```yaml\n")[1:] if "who:" in part]
    # With one calibrator, as the page's command has it, and about the conversations here.
    found = routed([fitted], said, chats, tmp_path, example.replace("chat-", "i"))
    assert {one.rater for one in found.requests} <= {"ann", "bob", "dora"}
    assert found.requests
    rules = load_routing(str(tmp_path / "routing.yaml"))
    assert [rule.at_most for rule in rules.rules] == [20, None, 0]
    assert rules.people == ("ann", "dora")
    assert rules.fields == ("metadata.language",)


@pytest.mark.parametrize("name", ["requests.jsonl", "requests.csv", "requests.parquet"])
def test_requests_are_written_and_not_made_twice(
    both: list[FittedCalibrator], said: JudgmentTable, tmp_path: Path, name: str
) -> None:
    out = tmp_path / name
    found = assize.calibrate.next_ratings(both, said, count=30, out=out)
    table = assize.read_judgments([out])
    asked = {(row.item, row.judge, row.question) for row in table}
    assert asked == {(one.item, one.rater, one.question) for one in found.requests}
    assert table.unscored == len(table) == len(found.judgments) == 30
    assert not table.inferred
    again = assize.calibrate.next_ratings(both, said, count=30, ratings=out)
    assert not {(row.item, row.judge, row.question) for row in again.judgments} & asked
    assert again.rated == 30


def test_items_are_written_in_the_order_of_the_requests(
    both: list[FittedCalibrator],
    said: JudgmentTable,
    chats: list[Conversation],
    tmp_path: Path,
) -> None:
    out = tmp_path / "queue.jsonl"
    found = assize.calibrate.next_ratings(both, said, items=chats, count=30, items_out=out)
    asked = list(dict.fromkeys(one.item for one in found.requests))
    rest = [one.id for one in chats if one.id not in asked]
    assert len(asked) < 30
    assert rest
    assert [one.id for one in assize.read(out)] == [*asked, *rest]


def test_items_to_be_written_are_given(
    fitted: FittedCalibrator, said: JudgmentTable, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="items_out: there are no items to write"):
        assize.calibrate.next_ratings(fitted, said, items_out=tmp_path / "queue.jsonl")


@pytest.mark.parametrize(
    ("text", "said_"),
    [
        (
            "- who: ann\n  asks: Q0\n",
            "routing.yaml:2: [0].asks: no such field; allowed are who",
        ),
        ("- who: ann\n- who: bob\n  questions: Q7\n", "routing.yaml:3: [1].questions: no"),
        ("- who: ann\n  at_most: few\n", "routing.yaml:2: [0].at_most: received 'few'"),
        ("- who: ann\n  items: [x1]\n", "routing.yaml:2: [0].items: this"),
        ("- who: ann\n  not: {who: [ann]}\n", "routing.yaml:2: [0].not: this leaves nobody"),
        ("who: ann\n", "routing.yaml:1: received {"),
        ("# nobody yet", "routing.yaml: the file is empty"),
        ("- who: [ann\n", "not YAML"),
        ("- who: ann\n  who: bob\n", "routing.yaml:2: 'who' stands twice"),
        ("- who: ann\n  items: {metadata.mood: x}\n", "none of the 60 items has a metadata.mood"),
    ],
)
def test_a_bad_routing_is_told_with_its_line(
    both: list[FittedCalibrator],
    said: JudgmentTable,
    chats: list[Conversation],
    tmp_path: Path,
    text: str,
    said_: str,
) -> None:
    with pytest.raises(AssizeError) as caught:
        routed(both, said, chats, tmp_path, text)
    assert said_ in str(caught.value)


@pytest.mark.parametrize("options", [{"count": 0}, {"per_item": 0}, {"per_rater": 0}])
def test_none_cannot_be_asked_for(
    fitted: FittedCalibrator, said: JudgmentTable, options: dict[str, Any]
) -> None:
    with pytest.raises(ConfigError, match="received 0, allowed is at least 1"):
        assize.calibrate.next_ratings(fitted, said, **options)
