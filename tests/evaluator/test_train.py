"""An evaluator trained, in memory and in a folder."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import assize
from assize import Conversation, Judgment, JudgmentTable, Pair, score
from assize.base.conversation import Turn
from assize.base.errors import ConfigError, DataError, OutputError
from assize.cli import app
from assize.evaluator import FromLabel, FromRatings, FromVotes, load_evaluator
from assize.formats import write
from assize.judging.aspects import compared_on

Given = tuple[Sequence[Conversation], JudgmentTable]
GOOD = ("Left at the church.", "The train leaves at nine.", "Boil it for eight minutes.")
BAD = ("no", "I like turtles.", "whatever")


def test_what_was_learnt_in_memory_scores_and_is_measured(
    given: Given, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "assize")
    items, ratings = given
    learnt = assize.evaluator.train(iter(items), FromRatings(ratings))
    assert (learnt.judge, list(learnt.scored)) == ("evaluator@trained", ["overall", "nice"])
    assert caplog.messages[-1] == "evaluator@trained with overall, nice, from 20 judgments"

    (figure,) = assize.evaluator.evaluate(
        items, judgments=ratings, evaluator=learnt, in_sample=True
    ).to_json()["figures"]
    assert (figure["question"], figure["spearman"]["n"]) == ("nice", 20)
    assert "head" not in figure  # it is the question's own
    assert figure["spearman"]["estimate"] > 0.5
    assert set(score(items, evaluator=learnt).questions) >= {"overall", "nice"}


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
    found = assize.evaluator.evaluate(
        items, judgments=ratings, evaluator=tmp_path / "mine", in_sample=True
    )
    again = assize.evaluator.evaluate(items, judgments=ratings, evaluator=learnt, in_sample=True)
    assert found.signature == again.signature


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


def test_an_evaluator_shows_its_heads(given: Given) -> None:
    items, ratings = given
    learnt = assize.evaluator.train(items, FromRatings(ratings))
    assert [row[0] for row in learnt.tables["scored"].rows] == ["overall", "nice"]
    assert learnt.signature in str(learnt)
    assert list(learnt.to_json()["scored"]) == ["overall", "nice"]


def test_judgments_that_fit_nothing_are_explained(given: Given) -> None:
    items, _ = given
    other = [Judgment("elsewhere", "ann", "q", score=1.0)]
    with pytest.raises(DataError, match="no judgment fits an item"):
        assize.evaluator.train(items, FromRatings(other))


def test_votes_teach_a_network_and_the_reliabilities_of_the_judges(
    voted: tuple[list[Pair], JudgmentTable], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pairs, votes = voted
    caplog.set_level(logging.INFO, "assize")
    quick: dict[str, Any] = {"epochs": 2, "members": 2}
    learnt = assize.evaluator.train(
        pairs, FromVotes(votes, **quick), out=tmp_path / "mine", quiet=True
    )
    assert (list(learnt.scored), learnt.head.kind) == (["Overall"], "network")
    judges = [row.judge for row in learnt.reliabilities]
    assert judges == ["ann", "bob"]  # gold says nothing, unless it is an anchor
    assert caplog.messages[-1].endswith("evaluator@mine with Overall, from 240 judgments")
    again = score(pairs, evaluator=tmp_path / "mine")
    right = [
        row.answer == "AB"[number % 2]
        for number, row in enumerate(row for row in again if row.question == "preference")
    ]
    assert sum(right) > 35
    assert "| Overall | ann |" in str(assize.evaluator.card(tmp_path / "mine"))

    more = assize.evaluator.train(
        pairs,
        FromVotes(
            votes,
            anchor="gold",
            tied=True,
            seed=1,
            checkpoints=tmp_path / "states",
            dimensions="Overall",
            preset="linear",
            encoder="minilm",
            **quick,
        ),
        quiet=True,
    )
    assert more.about["anchors"] == ["gold"]
    assert (tmp_path / "states" / "tower-0" / "training.json").exists()


def test_votes_on_dimensions_teach_what_pairs_are_asked_and_measured_by(tmp_path: Path) -> None:
    """From votes to a folder, and from there to scores of pairs and dialogues, and figures."""
    asked, rng = ("Accuracy", "Safety", "Overall"), np.random.default_rng(0)
    pairs, votes, gold = [], [], []
    for number in range(90):
        turn = Turn("user", f"Question {number}: can you help me?")
        good, bad = Turn("assistant", GOOD[number % 3]), Turn("assistant", BAD[number % 3])
        truth = ("A", "B", "tie")[number % 3]
        a, b = {"A": (good, bad), "B": (bad, good), "tie": (good, good)}[truth]
        pairs.append(Pair(f"p{number}", (turn,), (a,), (b,)))
        for name in asked:
            gold.append(Judgment(f"p{number}", "gold", name, answer=truth))
            for judge, right in (("ann", 0.9), ("bob", 0.8)):
                said = truth if rng.random() < right else str(rng.choice(["A", "B", "tie"]))
                votes.append(Judgment(f"p{number}", judge, name, answer=said, kind="model"))
    told = JudgmentTable.of(votes, map(compared_on, asked))
    assize.evaluator.train(
        pairs, FromVotes(told, epochs=2, members=3), out=tmp_path / "mine", quiet=True
    )
    mine = load_evaluator(tmp_path / "mine")
    assert [one.id for one in mine.pair_questions] == [
        "preference",
        "Overall",
        "Accuracy",
        "Safety",
    ]
    rules = [one.ties for one in mine.scored.values()]
    assert all(one is not None and one.n == 90 and one.accuracy > 0.6 for one in rules)

    scored = score(pairs, evaluator=mine)
    for name in asked:
        answers = [row.answer for row in scored if row.question == name]
        assert sum(one == ("A", "B", "tie")[at % 3] for at, one in enumerate(answers)) > 80
    talks = [Conversation(one.id, (*one.context, *one.a)) for one in pairs[:4]]
    rows = list(score(talks, evaluator=mine))
    assert {row.question for row in rows} == set(asked)
    assert all(row.score is not None and row.answer is None for row in rows)

    truths = JudgmentTable.of(gold, map(compared_on, asked))
    found = assize.evaluator.evaluate(
        [*pairs, *talks],
        judgments=truths,
        evaluator=mine,
        statistics=assize.Statistics(permutations=100),
        in_sample=True,
    )
    figures = {
        row.question: row.figures["with_tie"] for row in found.figures if row.judge == mine.judge
    }
    assert set(figures) == {"Accuracy", "Safety", "preference"}
    assert all(one.estimate > 0.85 and one.n == 90 for one in figures.values())
    (mean,) = (row.accuracy for row in found.averages if row.judge == mine.judge)
    assert mean.estimate == pytest.approx(
        (figures["Accuracy"].estimate + figures["Safety"].estimate) / 2
    )


def test_an_anchor_without_votes_is_refused(voted: tuple[list[Pair], JudgmentTable]) -> None:
    with pytest.raises(ConfigError, match="anchor 'eve' has no vote"):
        assize.evaluator.train(voted[0], FromVotes(voted[1], anchor="eve"))


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


def test_p2_mtd_files_hold_pairs_and_votes(tmp_path: Path) -> None:
    records = []
    for number in range(30):
        better = "AB"[number % 2]
        texts = (GOOD[number % 3], BAD[number % 3])
        a, b = texts if better == "A" else texts[::-1]
        asked = {"role": "Human", "text": f"Question {number}?"}
        talk = [asked, {"role": "Assistant", "A": a, "B": b}]
        said = json.dumps({"Accuracy": better, "Safety": "Fair", "Overall": better})
        votes = [{"annotator": judge, "evaluation": said} for judge in ("x", "y")]
        records.append({"dialog_id": number, "conversation": talk, "evaluations": votes})
    file = tmp_path / "p2.json"
    file.write_text(json.dumps(records))
    learnt = assize.evaluator.train(file, FromVotes(file, epochs=2, members=2), quiet=True)
    assert list(learnt.scored) == ["Overall", "Accuracy"]
    assert any(note.startswith("Safety: no vote for A or B") for note in learnt.about["notes"])
