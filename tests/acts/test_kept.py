"""The taxonomies that runs keep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import labelling
import pytest
from acts_asked import PAIR

from assize import acts, judge
from assize.acts._analysis import find_share
from assize.acts._kept import kept_taxonomies
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Pair, Turn
from assize.base.errors import AssizeError
from assize.formats import write
from assize.judging.asking import Asking
from assize.models import Request

OWN = """extends = "requests"
examples = ""
name = "moods"
[functions.requests]
Muse = "thinks aloud"
"""


REQUESTS = load_taxonomy("requests").to_record()


def musing(request: Request) -> str:
    """Every turn muses."""
    turns = labelling.turns_of(request.messages[-1].text)
    for turn in turns:
        turn["acts"] = ["Intent: Muse"]
    return json.dumps({"turns": turns, "explanation": "", "answer": "A"})


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run by a taxonomy that stands in a folder named by a relative path."""
    monkeypatch.setattr(labelling, "musing", musing, raising=False)  # where `scripted:` finds it
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("mine/taxonomy.toml").write_text(OWN)
    other = Pair("p2", (Turn("user", "So?"),), PAIR.b, PAIR.a)
    write("pairs.jsonl", [PAIR, other])
    judge(
        "pairs.jsonl",
        "da@scripted:labelling:musing",
        out="run",
        votes=1,
        asking=Asking(prompts="mine"),
    )
    return tmp_path / "run"


def test_acts_are_checked_against_the_taxonomy_of_their_run(run: Path) -> None:
    """A custom taxonomy had to be named again at `acts`."""
    Path("mine/taxonomy.toml").unlink()  # what the run keeps is all that is needed
    (study,) = acts.show(run, items="pairs.jsonl").studies
    (named,) = acts.show(run, items="pairs.jsonl", taxonomy="iso-24617-2").studies
    shares: list[Any] = [
        find_share(one.labels, labels="function and dimension as in the taxonomy")
        for one in (study, named)
    ]
    assert [share.estimate for share in shares] == [1, 0]  # what is named comes first
    assert study.signature != named.signature


def test_a_judge_is_found_by_its_name_and_signature(run: Path) -> None:
    found = kept_taxonomies([run, run.parent / "none", "pairs.jsonl"])
    signature = json.loads((run / "run.json").read_text())["command"]["judges"]
    (name,) = signature
    assert found[name].name == found[f"{name}#{signature[name][:6]}"].name == "moods"
    assert "Intent: Muse" in found[name].acts


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("[]", "no record of a run"),
        ("{", "no record of a run"),
        ('{"facts": {"da@m": 3}}', "no record of a run"),
        (
            json.dumps({"facts": {"da@m": {"taxonomy": {**REQUESTS, "dimensions": 3}}}}),
            "taxonomy dimensions",
        ),
    ],
)
def test_a_damaged_record_says_where(tmp_path: Path, told: str, said: str) -> None:
    (tmp_path / "run.json").write_text('{"command": {"judges": {"da@m": "1f"}}, "format": 2}')
    assert kept_taxonomies([tmp_path]) == {}  # it keeps none
    (tmp_path / "run.json").write_text(told)
    with pytest.raises(AssizeError, match=rf"run\.json.*{said}"):
        kept_taxonomies([tmp_path])
