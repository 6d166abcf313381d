from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.simulate.mining.planted_log import BySubject, clicks, pages

from assize.base.errors import ConfigError
from assize.results import to_json
from assize.simulate._mining.build import Topics, build
from assize.simulate._mining.mine import Mining
from assize.simulate._topics_file import read_topics

MINING = Mining(count=5)


def topics(out: Path | None) -> Topics:
    return Topics(clicks(), BySubject, MINING, pages(), out=out)


def test_topics_and_corpus_are_written_and_read_again(tmp_path: Path) -> None:
    found = build(topics(tmp_path / "t"))
    assert read_topics(tmp_path / "t" / "topics.jsonl") == list(found)
    lines = (tmp_path / "t" / "corpus.jsonl").read_text().splitlines()
    assert [json.loads(one)["id"] for one in lines] == [one.id for one in found.documents]
    assert build(topics(None)).signature == found.signature
    assert build(topics(None)).outputs == {}


def test_a_run_says_how_it_was_made_and_no_other_is_written_over(tmp_path: Path) -> None:
    given = replace(topics(tmp_path / "t"), about={"encoder": "by-subject"})
    build(replace(given, mining=replace(MINING, count=4)))
    found = build(given)  # costs nothing, so the folder may be made anew
    told = json.loads((tmp_path / "t" / "run.json").read_text())
    said = told["command"]
    assert (said["simulate"], said["seed"], said["encoder"]) == ("topics", 0, "by-subject")
    assert (said["count"], said["sites"]) == (5, [])
    assert told["made"]["steps"] == to_json(found.steps)
    assert told["made"]["signature"] == found.signature
    assert "assize" in told["versions"]
    (tmp_path / "t" / "steps.jsonl").write_text("")
    with pytest.raises(ConfigError, match="another command"):
        build(given)
