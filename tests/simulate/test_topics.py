from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.simulate.mining.planted_log import BySubject, clicks, pages
from typer.testing import CliRunner

import assize
from assize.base.errors import ConfigError
from assize.cli import app
from assize.results import to_json
from assize.simulate import Corpus
from assize.simulate._mining.mined import SimulatedTopics
from assize.simulate._topics_file import read_topics

LOG = [{"query": one.text, "address": one.address, "dwell": one.dwell} for one in clicks()]


def test_a_log_of_clicks_becomes_topics_and_a_corpus_to_retrieve_from(tmp_path: Path) -> None:
    lines = [
        {"address": key, "text": one.body, "title": one.title, "status": one.status}
        for key, one in pages().items()
    ]
    place = tmp_path / "pages.jsonl"
    place.write_text("".join(json.dumps(one) + "\n" for one in lines))
    found = assize.simulate.topics(
        LOG,
        count=5,
        site="forum.org",
        corpus=Corpus(place),
        encoder=BySubject(),
        out=tmp_path / "t",
    )
    assert (len(found), len(found.documents)) == (5, 9)
    assert read_topics(tmp_path / "t" / "topics.jsonl") == list(found)


def test_the_command_draws_with_the_shipped_encoder_and_says_every_step(tmp_path: Path) -> None:
    queries = (
        "how do I rotate storage keys\nstorage key rotation how to\nportal login\n"
        "why is my bread so dense\nwhat do hedgehogs eat\nmail anna@x.org why is it so\n"
    )
    told, again = (
        json.loads(command(tmp_path, "-n", "3", "--scrub", "--json", queries=queries).stdout)
        for _ in range(2)
    )
    assert [one["left"] for one in told["steps"]] == [6, 6, 5, 4, 3]
    assert told["scrubbed"] == {"MAIL": 1}
    assert "anna" not in (tmp_path / "t" / "topics.jsonl").read_text()
    assert again["signature"] == told["signature"]


def command(folder: Path, *more: object, queries: str = "how do I rotate storage keys\n") -> Any:
    """What the command says of these queries."""
    (folder / "q.txt").write_text(queries)
    words = ["simulate", "topics", folder / "q.txt", "-o", folder / "t", *more]
    return CliRunner().invoke(app, list(map(str, words)))


def test_what_is_not_allowed_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="count: received 0"):
        assize.simulate.topics(LOG, count=0)
    assert "name --pages" in command(tmp_path, "--allowed", tmp_path / "q.txt").output
    said = command(tmp_path, "--pages", tmp_path / "q.txt", "--least-words", "-1")
    assert str(said.exception).startswith("--least-words: received -1")


def test_terms_alone_scrub_too(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("Blackthorn\n")
    queries = "how do I rotate Blackthorn keys\nwhy is my bread so dense\n"
    said = command(tmp_path, "--terms", tmp_path / "terms.txt", "--json", queries=queries)
    assert json.loads(said.stdout)["scrubbed"] == {"TERM": 1}


def made(out: Path | None, count: int = 5) -> SimulatedTopics:
    return assize.simulate.topics(LOG, count=count, encoder=BySubject(), out=out)


def test_a_run_says_how_it_was_made_and_no_other_is_written_over(tmp_path: Path) -> None:
    made(tmp_path / "t", 4)
    found = made(tmp_path / "t")  # costs nothing, so the folder may be made anew
    assert made(None).signature == found.signature
    told = json.loads((tmp_path / "t" / "run.json").read_text())
    asked = {"simulate": "topics", "seed": 0, "encoder": "by-subject", "count": 5, "sites": []}
    assert asked.items() <= told["command"].items()
    assert told["made"]["steps"] == to_json(found.steps)
    assert told["made"]["signature"] == found.signature
    (tmp_path / "t" / "steps.jsonl").write_text("")
    with pytest.raises(ConfigError, match="another command"):
        made(tmp_path / "t")
