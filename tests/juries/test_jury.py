"""Juries from Python: over stored votes in memory, or live."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conversations import pair, votes
from with_asking import with_asking

import assize
from assize import Cascade, Panel
from assize.base.errors import AssizeError, ConfigError, DataError
from assize.formats import Items, read_any
from assize.juries.jury import jury, list_path

DA, IO = Cascade("da"), Cascade("io")
PAIRS = [pair(f"p{n}") for n in range(1, 4)]
VOTES = [
    *votes("p1", "da@m", "A", "A"),
    *votes("p2", "da@m", "A", "B"),
    *votes("p3", "da@m", "B", "B"),
    *votes("p1", "maxim@m", "B", "B"),
    *votes("p2", "maxim@m", "A", "A"),
    *votes("p3", "maxim@m", "A", "A"),
]


def test_a_tie_passes_on_and_gold_is_read_from_the_pairs() -> None:
    result = assize.jury(VOTES, Cascade("da > maxim"), items=PAIRS)
    assert result.outcome.verdicts.answers == ["A", "A", "B"]
    found = result.to_json()
    assert (found["win"]["count"], found["loss"]["count"], found["n"]) == (2, 1, 3)
    assert result.missing == (0, 3)
    assert "Jury" in str(result) or "win" in str(result)


def test_verdicts_are_written_as_judgments(tmp_path: Path) -> None:
    assize.jury(VOTES, Cascade("da > maxim"), items=PAIRS, out=tmp_path / "v.jsonl")
    table = assize.read_judgments([tmp_path / "v.jsonl"])
    assert table.judges == ("jury:da > maxim",)
    assert not table.inferred


def test_pairs_alone_are_judged_now_each_judge_only_where_needed(tmp_path: Path) -> None:
    out = tmp_path / "run"
    result: Any = assize.jury(PAIRS, Cascade("io > explained", "scripted:any"), out=out)
    assert result.live.asked["io@scripted:any"] == 3
    assert result.to_json()["live"]["out"] == str(out)
    assert len(assize.read_judgments([out / "verdicts.jsonl"])) == 3
    stored = assize.jury(out, Cascade("io > explained"), items=PAIRS)
    assert stored.to_json()["paths"] == result.to_json()["paths"]


def test_what_a_live_jury_would_take_is_an_upper_bound() -> None:
    found = jury.plan(PAIRS, Cascade("io > explained", "scripted:any")).estimate()
    assert found.by_model["scripted:any"].calls == 2 * 2 * 3
    assert "At most" in str(found)


def test_the_items_of_a_path_are_listed_with_their_texts() -> None:
    found = list_path(jury.plan(VOTES, Cascade("da > maxim"), items=PAIRS), "tie-win")
    assert [one["item"] for one in found.to_json()["items"]] == ["p2"]
    assert any("What of p2?" in line for line in found.lines)
    with pytest.raises(ConfigError, match="the paths are"):
        list_path(jury.plan(VOTES, Cascade("da > maxim"), items=PAIRS), "tie-tie")


@pytest.mark.parametrize(
    ("given", "who", "how", "said"),
    [
        (VOTES, "da", {}, "jury: received 'da' .str.; say who sits"),
        (VOTES, DA, {"unscored": "win"}, "unscored win: allowed are skip and loss"),
        (VOTES, DA, {"max_cost": 1.0}, "max_cost: this is for asking judges now"),
        (VOTES, DA, {"votes": 1}, "votes: this is for asking judges now"),
        (PAIRS, Cascade("io", "scripted:any"), {}, "name the folder out"),
        (PAIRS, IO, {"out": "x"}, "io needs a model"),
        (PAIRS, Cascade("reward"), {"out": "x"}, "name the reward model"),
        (PAIRS, Panel("io"), {"out": "x"}, "asked in turn by a cascade"),
        (PAIRS, IO, {"items": PAIRS, "out": "x"}, "leave items out"),
        (PAIRS, IO, {"gold": "people", "out": "x"}, "leave gold out"),
        (PAIRS, IO, {"repeat": 0, "out": "x"}, "repeat is for stored judgments"),
        (VOTES, DA, {"items": [*PAIRS, pair("p1", gold="B")]}, "two pairs have the id 'p1'"),
    ],
)
def test_what_cannot_be_is_said(given: Any, who: Any, how: Any, said: str) -> None:
    with pytest.raises(AssizeError, match=said):
        assize.jury(given, who, **with_asking(**how))


def test_votes_and_pairs_are_told_apart(tmp_path: Path) -> None:
    run, file = tmp_path / "run", tmp_path / "pairs.jsonl"
    run.mkdir()
    assize.write(run / "judgments.jsonl", VOTES)
    assize.write(file, PAIRS)
    table = assize.JudgmentTable.of(VOTES)
    for pairs in (PAIRS, str(file)):
        assert isinstance(read_any(pairs), Items)
    for judgments in (VOTES, table, [table], str(run)):
        assert not isinstance(read_any(judgments), Items)


def test_a_run_s_folder_names_its_pairs_so_that_gold_is_known(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "assize")
    assize.write(tmp_path / "pairs.jsonl", PAIRS)
    out = tmp_path / "run"
    assize.judge(str(tmp_path / "pairs.jsonl"), "io@scripted:any", out=out, quiet=True)
    found = assize.jury(str(out), Cascade("io"))
    assert found.win is not None
    assert found.to_json() == assize.jury(str(out), Cascade("io"), items=PAIRS).to_json()
    assert "names what was judged" in caplog.text
    assize.write(tmp_path / "pairs.jsonl", PAIRS[:1])
    assert assize.jury(str(out), Cascade("io")).win is None
    assert "has changed since" in caplog.text


def test_one_of_several_repeats_is_taken_by_its_number() -> None:
    again = [replace(row, repeat=1, answer="B") for row in votes("p1", "da@m", "A", "A")]
    first, second = (
        assize.jury([*VOTES, *again], Cascade("da"), items=PAIRS[:1], repeat=number)
        for number in (0, 1)
    )
    assert [one.outcome.verdicts.answers[0] for one in (first, second)] == ["A", "B"]
    with pytest.raises(DataError, match=r"no repeat 2 of da@m: da@m has 0, 1"):
        assize.jury([*VOTES, *again], Cascade("da"), items=PAIRS, repeat=2)
