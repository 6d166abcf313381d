"""The corpora that become assize's own records, on small rows, and on the data where it is."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripts.corpora import CORPORA, convert

from assize import read_judgments
from assize.base.conversation import Continuation, Conversation, Item, Pair
from assize.base.judgment import Judgment
from assize.formats import read_questions
from assize.formats.reading import iter_records

ROOT = Path(__file__).parents[2]
TURNS = [{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Hello!"}]
TALK = [
    {"role": "human1", "text": "Hi", "sentiment": "Happy"},
    {"role": "human2", "text": "Hello"},
]


def rating(dimension: str, score: Any, judge: str = "slot0", **more: Any) -> dict[str, Any]:
    return {"judge": judge, "kind": "human", "dimension": dimension, "score": score, **more}


def dialogue(*ratings: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "d1", "turns": TURNS, "ratings": list(ratings), **more}


def gpt4(score: float, run: int) -> dict[str, Any]:
    return {"judge": "gpt-4", "kind": "llm", "dimension": "overall", "score": score, "run": run}


def response(item: str, *texts: str, **more: Any) -> dict[str, Any]:
    turns = [{"role": f"human{1 + place % 2}", "text": text} for place, text in enumerate(texts)]
    return {
        "id": item,
        "corpus": "dailydialog",
        "turns": turns,
        "response": "Yes.",
        "references": ["No.", "Never."],
        "system": "ranker",
        "ratings": [rating("coherence", 3)],
        **more,
    }


TUTOR = {
    "id": "m1",
    "turns": [{"role": "assistant", "text": "Two plus two?"}, {"role": "user", "text": "Five."}],
    "group": "g1",
    "response": "Count again.",
    "references": ["Nearly."],
    "system": "Phi3",
    "human_written": False,
    "source_corpus": None,
    "labels": [
        {"judge": "human_gold", "dimension": "actionability", "label": "To some extent"},
        {"judge": "human_gold", "dimension": "revealing_of_the_answer", "label": "No"},
        {"judge": "human_gold", "dimension": "tutor_tone", "label": None},
    ],
}
PAIR: dict[str, Any] = {
    "id": "p1",
    "prompt_turns": [{"role": "user", "text": "Two plus two?"}],
    "a": [{"role": "assistant", "text": "Four."}],
    "b": [{"role": "assistant", "text": "Five."}],
    "label": "A",
    "judge": "human:majority3",
    "subset": "sums",
}
VOTES = [
    {"judge": "m", "mode": "CoT", "shown_first": "A", "label": "B"},
    {"judge": "m", "mode": "CoT", "shown_first": "B", "label": "A"},
    {"judge": "m", "mode": "CoT", "shown_first": "B", "label": "A"},
]
ROWS: dict[str, dict[str, Any]] = {
    "fed-conture": dialogue(
        rating("overall_impression", 2, "majority3", turn=1), rating("consistent", 0)
    ),
    "hh-harmless": PAIR,
    "ieval": dialogue(rating("repetitive", 5, "worker1"), gpt4(4.5, 3), bot="Pink", group="g"),
    "llmbar": PAIR | {"votes": VOTES},
    "mrbench": TUTOR,
    "pandalm": PAIR
    | {
        "votes": [{"judge": "pandalm-7b", "label": "Fair"}],
        "human_votes": [{"judge": "annotator1", "label": "A"}],
    },
    "reference-turns": response("grade-1", "Hi", "Hello"),
    "reliable-eval": dialogue(rating("fun", 49, "rater1"), bot="E", rater_passed_qc=True, hit="h"),
    "topical-chat": dialogue(
        rating("turn_quality", 4, turn=0), rating("conversation_quality", 5, "human1")
    )
    | {"turns": TALK},
    "uss": dialogue(rating("satisfaction", 4, turn=0), rating("satisfaction", 3.0), corpus="SGD"),
}


def read_converted(
    folder: Path, name: str, *rows: dict[str, Any]
) -> tuple[list[Item], list[Judgment]]:
    """Convert rows of a corpus, by default its own, and read what was written."""
    source = folder / "source.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows or [ROWS[name]]))
    convert(name, source, folder / name)
    records = list(iter_records(folder / name))
    judgments = [one for one in records if isinstance(one, Judgment)]
    return [one for one in records if not isinstance(one, Judgment)], judgments


def test_every_corpus_has_a_row_here() -> None:
    assert ROWS.keys() == CORPORA.keys()


@pytest.mark.parametrize("name", CORPORA)
def test_a_row_becomes_an_item_judgments_and_the_questions_that_they_answer(
    name: str, tmp_path: Path
) -> None:
    (item,), judgments = read_converted(tmp_path, name)
    assert item.id == ROWS[name]["id"]
    assert {row.item for row in judgments} <= {item.id}
    asked = [question.id for question in read_questions(tmp_path / name / "questions.json")]
    assert asked == list(dict.fromkeys(row.question for row in judgments) or ["preference"])
    table = read_judgments(tmp_path / name / f"{'judgments' if judgments else 'items'}.jsonl")
    assert table.inferred == frozenset()


def test_the_bot_is_the_system_and_other_fields_are_metadata(tmp_path: Path) -> None:
    (talk,), _ = read_converted(tmp_path, "reliable-eval")
    assert isinstance(talk, Conversation)
    assert (talk.system, talk.metadata) == ("E", {"rater_passed_qc": True, "hit": "h"})


def test_a_turn_s_rating_keeps_its_turn_and_a_run_is_a_repeat(tmp_path: Path) -> None:
    _, (label, whole) = read_converted(tmp_path, "fed-conture")
    assert (label.turn, label.answer, label.score, label.anonymous) == (1, "2", None, True)
    assert (whole.turn, whole.answer) == (None, "0")
    _, (_, run) = read_converted(tmp_path, "ieval")
    assert (run.repeat, run.score, run.kind, run.anonymous) == (2, 4.5, "model", False)


@pytest.mark.parametrize(
    ("name", "anonymous"),
    [
        ("ieval", False),
        ("reliable-eval", False),
        ("uss", True),
        ("fed-conture", True),
        ("topical-chat", True),
        ("reference-turns", True),
    ],
)
def test_people_are_named_where_they_can_be_followed(
    name: str, anonymous: bool, tmp_path: Path
) -> None:
    _, judgments = read_converted(tmp_path, name)
    assert {row.anonymous for row in judgments if row.kind == "person"} == {anonymous}


def test_a_scale_says_which_way_is_better() -> None:
    higher = {question.id: question.higher for question in CORPORA["ieval"].questions}
    assert [name for name, way in higher.items() if way == "worse"] == [
        "insulting_statement",
        "inattentive_statement",
        "repetitive",
    ]
    reliable = {question.id: question for question in CORPORA["reliable-eval"].questions}
    assert (reliable["repetitive"].higher, reliable["repetitive"].range) == ("better", (0, 100))
    tone = next(one for one in CORPORA["mrbench"].questions if one.id == "tutor_tone")
    assert tone.values == (0.0, 0.5, 1.0)


def test_of_two_people_the_one_who_responds_is_the_assistant(tmp_path: Path) -> None:
    (talk,), _ = read_converted(tmp_path, "topical-chat")
    assert isinstance(talk, Conversation)
    assert [turn.role for turn in talk.turns] == ["user", "assistant"]
    assert talk.turns[0].extra == {"speaker": "human1", "sentiment": "Happy"}


def test_a_whole_score_is_an_answer_however_it_is_written_and_null_is_unscored(
    tmp_path: Path,
) -> None:
    _, (_, whole) = read_converted(tmp_path, "uss")
    assert (whole.answer, whole.score) == ("3", None)
    _, (empty,) = read_converted(tmp_path, "uss", dialogue(rating("satisfaction", None)))
    assert empty.unscored is not None
    assert empty.unscored.reason == "missing"


@pytest.mark.parametrize(
    ("name", "dimension", "score"), [("uss", "satisfaction", 9), ("reliable-eval", "fun", 101)]
)
def test_an_answer_outside_its_scale_is_an_error(
    name: str, dimension: str, score: int, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=f"{score} is outside the scale of question {dimension}"):
        read_converted(tmp_path, name, dialogue(rating(dimension, score)))


def test_a_tutor_s_response_is_a_continuation_of_its_group(tmp_path: Path) -> None:
    (item,), _ = read_converted(tmp_path, "mrbench")
    assert isinstance(item, Continuation)
    assert (item.conversation, item.turn, item.source) == ("g1", 2, "Phi3")
    assert (item.candidate, item.references) == ("Count again.", ("Nearly.",))
    assert item.metadata == {"human_written": False}


def test_adjudicated_labels_are_gold_and_an_empty_one_is_unscored(tmp_path: Path) -> None:
    _, labels = read_converted(tmp_path, "mrbench")
    assert {(row.judge, row.kind, row.anonymous) for row in labels} == {("gold", "person", False)}
    assert {row.question: row.answer for row in labels} == {
        "actionability": "To some extent",
        "revealing_of_the_answer": "No",
        "tutor_tone": None,
    }
    assert [row.unscored is not None for row in labels] == [False, False, True]


def test_one_word_on_two_scales_is_two_questions(tmp_path: Path) -> None:
    model = {"judge": "unieval-dialog", "kind": "model", "dimension": "coherence", "score": 0.9}
    mean = {"judge": "mean_human", "kind": "human", "dimension": "coherence", "score": 2.3333}
    _, rows = read_converted(
        tmp_path,
        "reference-turns",
        response("grade-1", "Hi"),
        response("usr-topical-1", "Hey", ratings=[mean, model]),
    )
    assert [(row.question, row.answer, row.score) for row in rows] == [
        ("grade-coherence", "3", None),
        ("usr-coherence", None, 2.3333),
        ("unieval-coherence", None, 0.9),
    ]
    assert [row.anonymous for row in rows] == [True, True, False]


def test_contexts_where_one_continues_the_other_are_one_conversation(tmp_path: Path) -> None:
    items, _ = read_converted(
        tmp_path,
        "reference-turns",
        response("grade-1", "Hi", "Hello", "How are you?"),
        response("grade-2", "Hi"),
        response("grade-3", "Good day"),
        response("gupta-1", "Hi", group="gupta-7", ratings=[rating("appropriateness", 2.5)]),
    )
    first, second, third, grouped = (
        item.conversation for item in items if isinstance(item, Continuation)
    )
    assert first == second
    assert third != first
    assert grouped == "gupta-7"


def test_a_pair_s_label_is_gold_and_the_rest_is_metadata(tmp_path: Path) -> None:
    (pair, bare), _ = read_converted(
        tmp_path, "hh-harmless", PAIR, PAIR | {"id": "p2", "label": None}
    )
    assert isinstance(pair, Pair)
    assert isinstance(bare, Pair)
    assert (pair.gold, bare.gold) == ("A", None)
    assert pair.metadata == {"subset": "sums", "gold_by": "human:majority3"}


def test_a_vote_names_its_mode_and_the_order_in_which_it_was_cast(tmp_path: Path) -> None:
    _, rows = read_converted(tmp_path, "llmbar")
    assert [(row.judge, row.order, row.answer, row.repeat) for row in rows] == [
        ("m/CoT", "AB", "B", 0),
        ("m/CoT", "BA", "A", 0),
        ("m/CoT", "BA", "A", 1),
    ]


def test_annotators_votes_come_first_and_are_anonymous(tmp_path: Path) -> None:
    _, rows = read_converted(tmp_path, "pandalm")
    assert [(row.judge, row.kind, row.anonymous, row.answer) for row in rows] == [
        ("annotator1", "person", True, "A"),
        ("pandalm-7b", "model", False, "tie"),
    ]


def test_a_response_that_became_a_truth_value_is_the_word_it_was(tmp_path: Path) -> None:
    (pair,), _ = read_converted(
        tmp_path, "pandalm", PAIR | {"a": [{"role": "assistant", "text": True}]}
    )
    assert isinstance(pair, Pair)
    assert pair.a[0].text == "True"


def test_the_program_converts_a_packed_file(tmp_path: Path) -> None:
    source = tmp_path / "dialogues.jsonl.gz"
    source.write_bytes(gzip.compress(json.dumps(ROWS["uss"]).encode()))
    command = [sys.executable, "-m", "scripts.corpora", "uss", str(source), str(tmp_path / "uss")]
    subprocess.run(command, cwd=ROOT, check=True)
    assert sorted(path.name for path in (tmp_path / "uss").iterdir()) == [
        "items.jsonl",
        "judgments.jsonl",
        "questions.json",
    ]


# items, judgments, and people who can be followed from item to item (MRBench's one is `gold`; the
# README of reliable-eval says 676, for it counts a part that is held out)
COUNTS = {
    "fed-conture": (119, 11921, 0),
    "hh-harmless": (2303, 0, 0),
    "ieval": (1920, 1920 * 10 + 499 * 25, 240),
    "llmbar": (326, 32210, 0),
    "mrbench": (1926, 12480, 1),
    "pandalm": (999, 3 * 999 + 1973, 0),
    "reference-turns": (1160, 7810, 0),
    "reliable-eval": (3552, 3552 * 7 + 9050, 474),
    "topical-chat": (2156, 50754, 0),
    "uss": (2500, 117362, 0),
}


@pytest.mark.parametrize("name", CORPORA)
def test_the_published_corpora_are_converted_whole(
    name: str, corpus: Callable[[str], Path]
) -> None:
    records = list(iter_records(corpus(name)))
    judgments = [one for one in records if isinstance(one, Judgment)]
    people = {row.judge for row in judgments if row.kind == "person" and not row.anonymous}
    counted = len(records) - len(judgments), len(judgments), len(people)
    assert counted == COUNTS[name]
    assert len({row.key for row in judgments}) == len(judgments)
    assert not any(row.unscored for row in judgments)


def test_votes_on_llmbar_agree_with_gold_as_the_source_says(
    corpus: Callable[[str], Path],
) -> None:
    gold, right, seen = {}, Counter[str](), Counter[str]()
    for record in iter_records(corpus("llmbar")):
        if isinstance(record, Pair):
            gold[record.id] = record.gold
        elif isinstance(record, Judgment) and record.judge.endswith("/Vanilla"):
            seen[record.judge] += 1
            right[record.judge] += record.answer == gold[record.item]
    rates = {judge.split("/")[0]: right[judge] / seen[judge] for judge in seen}
    # the README's shares include two subsets that are held out
    stated = {"GPT-4": 0.85, "PaLM2": 0.71, "Falcon": 0.56, "LLaMA2": 0.44, "ChatGPT": 0.4}
    for judge, share in stated.items():
        assert rates[judge] == pytest.approx(share, abs=0.03)


def test_references_and_groups_of_the_response_corpora_are_counted_right(
    corpus: Callable[[str], Path],
) -> None:
    tutor = [one for one in iter_records(corpus("mrbench")) if isinstance(one, Continuation)]
    assert len({one.conversation for one in tutor}) == 229
    assert Counter(len(one.references) for one in tutor) == {1: 1283, 2: 479, 0: 164}
    turns = [
        one for one in iter_records(corpus("reference-turns")) if isinstance(one, Continuation)
    ]
    assert len({one.conversation for one in turns if one.id.startswith("gupta")}) == 100
