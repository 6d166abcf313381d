"""What stored labels show, and a tagger learnt from them."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from acts_taught import ASK, FIRST, ITEMS, TELL
from acts_voted import row

import assize
from assize import Judgment, Pair, Turn, acts
from assize.acts import load_tagger
from assize.acts._analysis import find_share
from assize.acts._maxims import MAXIMS
from assize.acts._tagger import KIND, local_folder
from assize.base.errors import AssizeError, ConfigError, DataError
from assize.base.judgment import Order, Unscored
from assize.formats import write
from assize.judging.session import fingerprint
from assize.results import to_json

HOSTILE = "\x1b[31mHi\x1b[0m <script>alert(1)</script>"
CONTEXT = (Turn("user", HOSTILE), Turn("assistant", "Yes?"), Turn("user", "Go on."))
ORDERS: tuple[Order, ...] = ("AB", "BA")


def pair(id: str) -> Pair:
    return Pair(id, CONTEXT, (Turn("assistant", "one"),), (Turn("assistant", "two"),), gold="A")


def rows(id: str, order: Order, model: str = "m") -> list[Judgment]:
    tell, ask = ["Task", "Inform"], ["Task", f"Ask {HOSTILE}"]
    found = {"context": [[ask], [tell], [tell]], "a": [[tell]], "b": [[ask]]}
    said: dict[str, Any] = {"da": {"acts": found}, "maxim": {"maxims": dict.fromkeys(MAXIMS, "A")}}
    return [
        Judgment(id, f"{judge}@{model}", "preference", answer="A", order=order, details=details)
        for judge, details in said.items()
    ]


PAIRS = [pair(f"p{n}") for n in range(4)]
VOTES = [row for n in range(4) for order in ORDERS for row in rows(f"p{n}", order)]


def test_a_study_has_tables_shares_and_signatures() -> None:
    result = acts.show(VOTES, items=PAIRS)
    found = result.to_json()
    (study,) = found["studies"]
    assert found["signature"] == result.signature
    assert study["signature"] == result.studies[0].signature
    assert study["items"] == {"acts": 4, "maxims": 4}
    responses = {(row["acts"], row["more"]): row["share"] for row in study["responses"]}
    assert (responses["different", "chosen"]["count"], study["asymmetry"]["estimate"]) == (4, 12)
    assert responses["different", "chosen"]["interval"][0] == pytest.approx(0.5101, abs=1e-4)
    change = study["changes"][0]
    assert (change["who"], change["share"]["count"], change["share"]["estimate"]) == ("user", 4, 1)
    labels = {row["labels"]: row["share"]["count"] for row in study["labels"]}
    assert labels["function unknown (hallucinated)"] == 8
    assert result.tables.keys() == result.studies[0].tables.keys()
    assert str(result).startswith("da@m + maxim@m\n\nitems with a chosen response: 4")


def test_each_model_has_a_study_and_tables_of_its_name() -> None:
    result = acts.show([*VOTES, *rows("p0", "AB", "n")], items=PAIRS)
    assert [one.name for one in result.studies] == ["da@m + maxim@m", "da@n + maxim@n"]
    assert "da@n + maxim@n: judged" in result.tables


def test_judges_and_taxonomy_can_be_chosen(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    name = json.dumps(f"Ask {HOSTILE}")
    own.write_text(f'extends = "iso-24617-2"\n[functions.x]\ngeneral = true\n{name} = "x"\n')
    (study,) = acts.show(VOTES, items=PAIRS, judges="da@m", taxonomy=str(own)).studies
    assert not study.sides
    assert not study.hallucinated


def test_items_may_stand_among_the_judgments(tmp_path: Path) -> None:
    write(tmp_path / "both.jsonl", [pair("p0"), *rows("p0", "AB")])
    assert acts.show(tmp_path / "both.jsonl").studies[0].gold == 1


def test_gold_can_be_a_judge() -> None:
    bare = [Pair(f"p{n}", CONTEXT, PAIRS[0].a, PAIRS[0].b) for n in range(4)]
    gold = Judgment("p1", "anna", "preference", answer="B", kind="person")
    (study,) = acts.show([*VOTES, gold], items=bare, gold="anna").studies
    assert study.gold == 1
    crossed: Any = find_share(study.responses, acts="different", more="rejected")
    assert crossed.count == 1


def test_votes_without_valid_labels_are_missing() -> None:
    failed = Judgment("p9", "da@m", "preference", order="AB", unscored=Unscored("refused", ""))
    assert acts.show([*VOTES, failed], items=[*PAIRS, pair("p9")]).missing == (1, 9)


def test_what_is_missing_is_a_share_of_what_was_asked() -> None:
    # of four judged pairs one is asked about: as for a jury, nothing is missing
    result = acts.show(VOTES, items=PAIRS[:1])
    assert result.missing == (0, 2)
    (study,) = result.studies
    assert study.items == {"acts": 1, "maxims": 1}
    assert study.notes[0] == "da@m: 3 judged items are not among those given, and are left out"
    with pytest.raises(DataError, match="judged none of these items, but 8 others"):
        acts.show(VOTES, items=[pair("elsewhere")])


def test_maxims_can_count_only_where_both_votes_agree() -> None:
    second = [one for one in VOTES if one.order == "BA" and one.judge == "maxim@m"]
    other = [
        replace(one, details={"maxims": {**dict.fromkeys(MAXIMS, "A"), "Quality": "both"}})
        for one in second
    ]
    votes = [*(one for one in VOTES if one not in second), *other]
    (first,), (agreed,) = (
        acts.show(votes, items=PAIRS, agreed_votes=way).studies for way in (False, True)
    )
    one, both = ({row.maxim: row.shares for row in study.sides} for study in (first, agreed))
    assert "votes differ" not in one["Quality"]
    assert both["Quality"]["votes differ"].estimate == 1
    assert both["Quality"]["chosen"].estimate == 0
    assert both["Manner-1"]["chosen"].estimate == 1
    assert first.signature != agreed.signature
    notes = agreed.tables["responses"].notes
    assert "by the first vote 100.0%, by the second 100.0%" in notes[-1]


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """A live cascade that asked maxim only about the tie of da."""
    write(tmp_path / "pairs.jsonl", PAIRS)
    folder = tmp_path / "run"
    folder.mkdir()
    asked = [one for one in VOTES if one.judge == "da@m" or one.item == "p0"]
    write(folder / "judgments.jsonl", asked)
    command = {
        "files": {str(tmp_path / "pairs.jsonl"): fingerprint(str(tmp_path / "pairs.jsonl"))},
        "judges": {"da@m": "x", "maxim@m": "y"},
        "jury": "da@m > maxim@m",
        "asked": "in turn",
    }
    (folder / "run.json").write_text(json.dumps({"command": command, "format": 2}))
    return folder


def test_what_a_cascade_selected_is_refused_until_it_is_wanted(run_folder: Path) -> None:
    with pytest.raises(DataError, match=r"of 4 items .* maxim@m was asked about 1; .* or go on"):
        acts.show(run_folder)
    study: Any
    (study,) = acts.show(run_folder, selected=True).studies
    assert study.selected in study.notes
    (alone,) = acts.show(run_folder, judges="da@m").studies  # it was asked about all of them
    assert alone.items["acts"] == 4
    assert alone.gold == 4
    assert alone.selected is None


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"items": None}, "give what was judged as items"),
        (
            {"judgments": [Judgment("p0", "io@m", "preference", answer="A", order="AB")]},
            "no judgment here holds dialogue acts",
        ),
        (
            {"items": [*PAIRS, Pair("p0", CONTEXT[:1], PAIRS[0].b, PAIRS[0].a)]},
            "two items have the id 'p0'",
        ),
        ({"taxonomy": "none"}, "no taxonomy"),
    ],
)
def test_what_cannot_be_is_said(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(AssizeError, match=problem):
        acts.show(**{"judgments": VOTES, "items": PAIRS, **given})


def taught(judge: str = "da@m") -> list[Judgment]:
    sides = {"a": [[list(TELL)]], "b": [[list(ASK)]]}
    return [
        row(judge, {"acts": {"context": to_json(one.context), **sides}}, item=name)
        for name, one in FIRST.items()
    ]


TAUGHT = list(ITEMS.values())


def test_a_tagger_is_learnt_and_shows_its_figures(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "assize")
    tagger = assize.acts.train(taught(), items=TAUGHT)
    found = tagger.to_json()
    scores = {row["who"]: row["f1"] for row in found["figures"]["scores"]}
    assert scores["the tagger, acts"] > 0.9
    assert scores["the judge's own second vote"] is None
    assert (found["about"]["judge"], found["signature"]) == ("da@m", tagger.signature)
    assert f"{local_folder()}: the tagger is written; use it as acts@local" in caplog.messages
    again = load_tagger("local")
    assert again.to_json() == found
    assert str(again) == str(tagger)
    assert tagger.tables["scores"].rows[0] == ["the tagger, acts", scores["the tagger, acts"]]
    assert "20 conversations labelled by da@m" in tagger.lines[0]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"least": 0}, "least"),
        ({"least": 1, "out": "file/x"}, "cannot be made"),  # before training
        ({"judgments": taught()[:9]}, "at least 10"),
    ],
)
def test_what_cannot_be_learnt_is_said(
    given: dict[str, Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("")
    with pytest.raises(AssizeError, match=said):
        acts.train(**{"judgments": taught(), "items": TAUGHT, **given})


def test_whose_acts_are_learnt_must_be_clear(tmp_path: Path) -> None:
    several = [*taught(), *taught("da@n")]
    with pytest.raises(ConfigError, match="here are: da@m, da@n"):
        assize.acts.train(several, items=TAUGHT, out=tmp_path / "t")
    assize.acts.train(several, items=TAUGHT, out=str(tmp_path / "t"), judge="da@n", least=20)
    assert (tmp_path / "t" / KIND.manifest).is_file()
