"""The recipe on an encoder of one's own: what is kept in a folder scores as what was trained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import assize
from hub_server import hub_of
from scripts.default_evaluator.corpora import Corpora, Reader
from scripts.default_evaluator.study import train
from tests.scripts.default_evaluator.conftest import dimension
from tiny_bert import WORDS, make_bert

from assize.base.conversation import Conversation, Role, Turn
from assize.base.judgment import Judgment
from assize.encoders import load_encoder
from assize.evaluator import Evaluator
from assize.evaluator._artefact import save
from assize.evaluator._scoring import score

ROLES: tuple[Role, ...] = ("user", "assistant", "user", "assistant")


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of an encoder that is not the embedded one."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    return f"hf:{make_bert(tmp_path_factory.mktemp('bert') / 'tiny')}"


@pytest.fixture(scope="module")
def talks() -> list[Conversation]:
    """Forty conversations of four turns in words that the encoder knows."""
    rng = np.random.default_rng(3)
    return [
        Conversation(
            f"c{number}",
            tuple(
                Turn(role, " ".join(rng.choice(WORDS, 2 + (number + place) % 5)))
                for place, role in enumerate(ROLES)
            ),
        )
        for number in range(40)
    ]


@pytest.fixture
def trained(bert: str, talks: list[Conversation]) -> Evaluator:
    """As the script trains it, with an encoder that keeps what it read."""
    encoder = load_encoder(bert, cached=True)
    rows = [
        Judgment(talk.id, f"r{number % 5}", "good", score=float(len(talk.turns[1].text)))
        for number, talk in enumerate(talks)
    ]
    reader = Reader(encoder)
    rated = {name: reader.conversations(talks, rows) for name in ("reliable-eval", "ieval")}
    turns = {name: reader.turns(talks, ()) for name in rated}
    return train(Corpora(rated, turns, {}), encoder, [dimension("overall")])


def records(talks: list[Conversation]) -> str:
    return "".join(
        json.dumps({"id": talk.id, "turns": [{"role": t.role, "text": t.text} for t in talk.turns]})
        + "\n"
        for talk in talks
    )


def scores(path: Path) -> dict[tuple[str, int | None], Any]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return {(row["item"], row.get("turn")): row["score"] for row in rows}


def test_a_folder_and_a_hub_score_as_what_was_trained(
    trained: Evaluator,
    bert: str,
    talks: list[Conversation],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    save(trained, tmp_path / "mine")
    (tmp_path / "talks.jsonl").write_text(records(talks))
    expected = {
        (row.item, row.turn): row.score for row in score(talks, evaluator=trained, turns=True)
    }
    assert len(set(expected.values())) > 20  # the encoder tells these conversations apart
    with hub_of({"me/mine@main": tmp_path / "mine"}) as (address, _):
        monkeypatch.setenv("HF_ENDPOINT", address)
        # read when the client is imported, which the encoder's maker did
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_TELEMETRY", True)
        for name, place in (("folder", tmp_path / "mine"), ("hub", "hub:me/mine")):
            out = tmp_path / f"{name}.jsonl"
            done = assize(
                *("score", tmp_path / "talks.jsonl", "--evaluator", place, "--turns"),
                *("--encoder", bert, "--out", out),
            )
            assert done.returncode == 0, done.stderr
            # arrays are kept in seven digits, and a score map may be steep
            assert scores(out) == pytest.approx(expected, abs=1e-4)
            refused = assize("score", tmp_path / "talks.jsonl", "--evaluator", place)
            assert refused.returncode != 0
            assert f"--encoder {bert}" in refused.stderr
    assert scores(tmp_path / "folder.jsonl") == scores(tmp_path / "hub.jsonl")
