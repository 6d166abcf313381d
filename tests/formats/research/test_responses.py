from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assize.conversation import Continuation
from assize.formats import parse, read, to_json
from assize.judgment import Judgment

TUTOR = {
    "id": "m1",
    "turns": [{"role": "assistant", "text": "Two plus two?"}, {"role": "user", "text": "Five."}],
    "group": "g1",
    "response": "Count again.",
    "references": ["Nearly."],
    "system": "Phi3",
    "human_written": False,
    "solution": "4",
    "source_corpus": None,
    "labels": [
        {"judge": "human_gold", "dimension": "actionability", "label": "To some extent"},
        {"judge": "human_gold", "dimension": "revealing_of_the_answer", "label": "No"},
        {"judge": "human_gold", "dimension": "tutor_tone", "label": None},
    ],
}


def rated(item: str, *texts: str, **more: Any) -> dict[str, Any]:
    turns = [{"role": f"human{1 + place % 2}", "text": text} for place, text in enumerate(texts)]
    return {
        "id": item,
        "corpus": "dailydialog",
        "turns": turns,
        "response": "Yes.",
        "references": ["No.", "Never."],
        "system": "ranker",
        "ratings": [{"judge": "slot0", "kind": "human", "dimension": "coherence", "score": 3}],
        **more,
    }


def split(tmp_path: Path, *rows: dict[str, Any]) -> tuple[list[Continuation], list[Judgment]]:
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = list(read(path))
    assert all(parse(to_json(one)) == one for one in found)
    return (
        [one for one in found if isinstance(one, Continuation)],
        [one for one in found if isinstance(one, Judgment)],
    )


def test_a_tutor_s_response_is_a_continuation_of_its_group(tmp_path: Path) -> None:
    (item,), _ = split(tmp_path, TUTOR)
    assert (item.conversation, item.turn, item.source) == ("g1", 2, "Phi3")
    assert (item.candidate, item.references) == ("Count again.", ("Nearly.",))
    assert item.metadata == {"human_written": False, "solution": "4"}


def test_adjudicated_labels_are_gold_and_an_empty_one_is_unscored(tmp_path: Path) -> None:
    _, labels = split(tmp_path, TUTOR)
    assert {row.judge for row in labels} == {"gold"}
    assert {row.question: row.answer for row in labels} == {
        "actionability": "To some extent",
        "revealing_of_the_answer": "No",
        "tutor_tone": None,
    }
    assert [row.unscored is not None for row in labels] == [False, False, True]


def test_one_word_on_two_scales_is_two_questions(tmp_path: Path) -> None:
    model = {"judge": "unieval-dialog", "kind": "model", "dimension": "coherence", "score": 0.9}
    mean = {"judge": "mean_human", "kind": "human", "dimension": "coherence", "score": 2.3333}
    _, rows = split(
        tmp_path, rated("grade-1", "Hi"), rated("usr-topical-1", "Hey", ratings=[mean, model])
    )
    assert [(row.question, row.answer, row.score) for row in rows] == [
        ("grade-coherence", "3", None),
        ("usr-coherence", None, 2.3333),
        ("unieval-coherence", None, 0.9),
    ]
    assert [row.anonymous for row in rows] == [True, True, False]


def test_contexts_where_one_continues_the_other_are_one_conversation(tmp_path: Path) -> None:
    items, _ = split(
        tmp_path,
        rated("grade-1", "Hi", "Hello", "How are you?"),
        rated("grade-2", "Hi"),
        rated("grade-3", "Good day"),
        rated("gupta-1", "Hi", group="gupta-7"),
    )
    first, second, third, grouped = (item.conversation for item in items)
    assert first == second
    assert third != first
    assert grouped == "gupta-7"


def test_the_responder_is_the_assistant(tmp_path: Path) -> None:
    (item,), _ = split(tmp_path, rated("grade-1", "Hi", "Hello"))
    assert [(turn.role, turn.extra["speaker"]) for turn in item.context] == [
        ("user", "human1"),
        ("assistant", "human2"),
    ]
