"""An evaluator trained, in memory and in a folder."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evaluator.conftest import BAD, GOOD, Given, asked
from typer.testing import CliRunner

import assize
from assize import Conversation, Judgment, JudgmentTable, Pair, score
from assize.base.conversation import Turn
from assize.base.errors import ConfigError, OutputError
from assize.cli import app
from assize.evaluator import Evaluator, FromLabel, FromRatings, FromVotes, load_evaluator
from assize.formats import write
from assize.judging.aspects import compared_on


def test_what_was_learnt_in_memory_scores_and_is_measured(
    given: Given, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "assize")
    items, ratings = given
    learnt = assize.evaluator.train(iter(items), FromRatings(ratings))
    assert (learnt.judge, list(learnt.scored)) == ("evaluator@trained", ["overall", "nice"])
    assert [row[0] for row in learnt.tables["scored"].rows] == ["overall", "nice"]
    assert caplog.messages[-1] == "evaluator@trained with overall, nice, from 20 judgments"

    found = assize.evaluator.evaluate(
        items, judgments=ratings, evaluator=learnt, in_sample=True
    ).to_json()
    (figure,) = found["figures"]
    assert (figure["question"], figure["spearman"]["n"]) == ("nice", 20)
    assert "head" not in figure  # it is the question's own
    assert figure["spearman"]["estimate"] > 0.5


def test_labels_of_conversations_teach_a_head_of_their_own(given: Given) -> None:
    items, _ = given
    labels = {one.id: number % 2 == 0 for number, one in enumerate(items)}
    learnt = assize.evaluator.train(iter(items), FromLabel(labels))
    assert (list(learnt.scored), learnt.about["judgments"]) == (["overall", "label"], 20)


def test_a_folder_gives_the_name_and_holds_the_same_evaluator(given: Given, tmp_path: Path) -> None:
    items, ratings = given
    learnt = assize.evaluator.train(items, FromRatings(ratings), out=str(tmp_path / "mine"))
    assert (learnt.judge, learnt.about["judgments"]) == ("evaluator@mine", 20)
    assert assize.evaluator.train(items, FromRatings(ratings), name="own").judge == "evaluator@own"
    card = assize.evaluator.card(tmp_path / "mine")
    assert (card.name, card.signature) == ("mine", learnt.signature)
    assert str(card).startswith("# mine")
    assert load_evaluator(tmp_path / "mine").signature == learnt.signature


def test_each_file_is_a_corpus_and_may_hold_its_own_judgments(given: Given, tmp_path: Path) -> None:
    items, ratings = given
    (tmp_path / "more").mkdir()
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "more" / "a.jsonl"]
    for start, file in enumerate(files):
        write(file, [*items[start::3], *list(ratings)[start::3]])
    learnt = assize.evaluator.train(files)
    corpora = (str(files[0]), "b.jsonl", str(files[2]))
    assert learnt.scored["nice"].trained_on == corpora
    rows = assize.evaluator.evaluate(files, evaluator=learnt, in_sample=True).figures
    assert sum(row.figures["spearman"].n for row in rows) == 20


def test_a_folder_that_cannot_be_written_is_said_before_training(
    given: Given, tmp_path: Path
) -> None:
    items, ratings = given
    (tmp_path / "file").write_text(json.dumps(""))
    with pytest.raises(OutputError, match="cannot be made"):
        assize.evaluator.train(items, FromRatings(ratings), out=tmp_path / "file" / "x")


QUICK: dict[str, Any] = {"epochs": 2, "members": 2}


def test_votes_teach_a_network_and_the_reliabilities_of_the_judges(
    voted: tuple[list[Pair], JudgmentTable], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pairs, votes = voted
    caplog.set_level(logging.INFO, "assize")
    folder = tmp_path / "mine"
    learnt = assize.evaluator.train(pairs, FromVotes(votes, **QUICK), out=folder, quiet=True)
    assert (list(learnt.scored), learnt.head.kind) == (["Overall"], "network")
    judges = [row.judge for row in learnt.reliabilities]
    assert judges == ["ann", "bob"]  # gold says nothing, unless it is an anchor
    assert caplog.messages[-1].endswith("evaluator@mine with Overall, from 240 judgments")
    answers = [row.answer for row in score(pairs, evaluator=folder) if row.question == "preference"]
    assert sum(one == "AB"[number % 2] for number, one in enumerate(answers)) > 35
    assert "| Overall | ann |" in str(assize.evaluator.card(folder))


def test_how_votes_are_learnt_from_can_be_chosen(
    voted: tuple[list[Pair], JudgmentTable], tmp_path: Path
) -> None:
    pairs, votes = voted
    states = tmp_path / "states"
    chosen: dict[str, Any] = {"dimensions": "Overall", "preset": "linear", "encoder": "minilm"}
    how = FromVotes(votes, anchor="gold", tied=True, seed=1, checkpoints=states, **chosen, **QUICK)
    about = assize.evaluator.train(pairs, how, quiet=True).about
    assert about["anchors"] == ["gold"]
    kept = ("hidden", "tied", "seed", "epochs", "members")
    assert [about["settings"][name] for name in kept] == [[], True, 1, 2, 2]
    assert (states / "tower-0" / "training.json").exists()


ASKED = ("Overall", "Accuracy", "Safety")
TRUTHS = ("A", "B", "tie")


@pytest.fixture(scope="module")
def dimensions() -> tuple[list[Pair], Evaluator]:
    """Ninety pairs, every third one of equal sides, and what votes on three questions teach."""
    rng = np.random.default_rng(0)
    pairs, votes = [], []
    for number in range(90):
        good, bad = Turn("assistant", GOOD[number % 3]), Turn("assistant", BAD[number % 3])
        truth = TRUTHS[number % 3]
        a, b = {"A": (good, bad), "B": (bad, good), "tie": (good, good)}[truth]
        pairs.append(Pair(f"p{number}", (asked(number),), (a,), (b,)))
        for name in ASKED:
            for judge, right in (("ann", 0.9), ("bob", 0.8)):
                said = truth if rng.random() < right else str(rng.choice(["A", "B", "tie"]))
                votes.append(Judgment(f"p{number}", judge, name, answer=said, kind="model"))
    told = JudgmentTable.of(votes, map(compared_on, ASKED))
    learnt = assize.evaluator.train(pairs, FromVotes(told, epochs=2, members=3), quiet=True)
    return pairs, learnt


def test_votes_on_dimensions_teach_what_pairs_are_asked(
    dimensions: tuple[list[Pair], Evaluator],
) -> None:
    pairs, mine = dimensions
    assert [one.id for one in mine.pair_questions] == ["preference", *ASKED]
    rules = [one.ties for one in mine.scored.values()]
    assert all(one is not None and one.n == 90 and one.accuracy > 0.6 for one in rules)
    scored = score(pairs, evaluator=mine)
    for name in ASKED:
        answers = [row.answer for row in scored if row.question == name]
        assert sum(one == TRUTHS[at % 3] for at, one in enumerate(answers)) > 80
    talks = [Conversation(one.id, (*one.context, *one.a)) for one in pairs[:4]]
    rows = list(score(talks, evaluator=mine))
    assert {row.question for row in rows} == set(ASKED)
    assert all(row.score is not None and row.answer is None for row in rows)


def test_what_nothing_can_be_learnt_from_is_refused(given: Given) -> None:
    with pytest.raises(ConfigError, match=r"learn_from: received .*; give FromRatings\(\.\.\.\)"):
        assize.evaluator.train(given[0], given[1])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (("--preset", "linear"), "name --votes"),
        (("--votes", "v", "--label", "good"), "--label and --votes do not go together"),
        (("--tied", "-j", "r"), "--judgments and --tied do not go together"),
    ],
)
def test_flags_of_two_kinds_are_refused(typed: tuple[str, ...], message: str) -> None:
    done = CliRunner().invoke(app, ["evaluator", "train", "pairs.jsonl", "--out", "e", *typed])
    assert message in done.output + str(done.exception)
