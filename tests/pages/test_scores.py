"""The page of scores and of any judgments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from elements import Elements
from tests.pages.conftest import conversation, page_of, score

from assize.base.errors import OutputError
from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.pages.result_page import write_result
from assize.pages.scores import draw_scores
from assize.scoring import ScoreCounter, summarise_judgments

ASKED = [
    Question("overall", kind="number", range=(0, 1)),
    Question("kind", kind="number", range=(0, 1)),
    Question("Q", text="How clear?", kind="ordinal", answers=("1", "2"), values=(1, 2)),
]


def counted(*questions: str) -> ScoreCounter:
    counter = ScoreCounter([one for one in ASKED if one.id in questions])
    for n in range(6):
        rows = [
            Judgment(f"c{n}", "j", name, answer="12"[n % 2])
            if name == "Q"
            else Judgment(f"c{n}", "j", name, score=n / 6)
            for name in questions
        ]
        counter.add(f"c{n}", rows)
    return counter


def test_one_number_has_a_histogram_and_no_means() -> None:
    piece = draw_scores(counted("overall").summary())["at a glance"][0]
    assert piece[1] == "Distribution of overall over the items."


def test_numbers_on_one_scale_have_their_means_side_by_side() -> None:
    captions = [
        piece[1] for piece in draw_scores(counted("overall", "kind").summary())["at a glance"]
    ]
    assert "Means with their 95% intervals." in captions


def test_answers_of_a_scale_are_bars_with_the_question_below() -> None:
    (piece,) = draw_scores(counted("overall", "Q").summary())["answers by question"]
    spec = piece[0]
    assert piece[1] == "Q: How clear?"
    assert isinstance(spec, dict)
    assert [row["n"] for row in spec["data"]["values"]] == [3, 3]


def test_coded_answers_are_counted_by_their_labels_apart_where_these_differ() -> None:
    codes = {"kind": "binary", "answers": ("1", "2"), "values": (1, 2)}
    words = {"solved": {"1": "no", "2": "yes"}, "polite": {"1": "no", "2": "yes"}, "side": {}}
    asked = [Question(name, labels=labels, **codes) for name, labels in words.items()]  # type: ignore[arg-type]
    rows = [Judgment(f"c{n}", "j", one.id, answer="12"[n > 1]) for one in asked for n in range(6)]
    summary = summarise_judgments(JudgmentTable.of(rows, asked))
    specs = [piece[0] for piece in draw_scores(summary)["answers by question"]]
    values = [spec["data"]["values"] for spec in specs if isinstance(spec, dict)]
    counts = [[(row["name"], row["answer"], row["n"]) for row in rows] for rows in values]
    assert counts == [
        [
            *(("solved", "1: no", 2), ("solved", "2: yes", 4)),
            *(("polite", "1: no", 2), ("polite", "2: yes", 4)),
        ],
        [("side", "1", 2), ("side", "2", 4)],
    ]


def test_text_of_conversations_is_escaped_and_shown_as_it_is(tmp_path: Path) -> None:
    evil = (
        "</li></details><script>document.title='pwned'</script>\" onclick=\"x \u202eevil {{ 7*7 }}"
    )
    item = conversation(evil, evil, evil, system=evil, metadata={evil: evil})
    row = replace(score(evil, 0.1, explanation=evil, signature=evil), judge=evil)
    failed = score(evil, unscored=Unscored(evil, evil), question=evil)
    summary = summarise_judgments(JudgmentTable.of([row, failed]), [item])
    text = page_of(summary, tmp_path, title=evil, reproduce=[evil])
    parsed = Elements(text)
    assert not {tag for tag, _ in parsed.found} & {"script", "img", "iframe"}
    assert not [name for _, found in parsed.found for name in found if name.startswith("on")]
    assert "\u202e" not in text
    assert "49" not in [word.strip() for word in parsed.words]
    assert "</li></details><script>document.title='pwned'</script>" in "".join(parsed.words)


def test_a_huge_text_is_abridged_and_the_page_says_by_how_much(tmp_path: Path) -> None:
    counter = ScoreCounter()
    counter.add(conversation("a", "x" * 1_000_000, "y"), [score("a", 0.1)])
    text = page_of(counter.summary(), tmp_path)
    assert len(text) < 60_000
    assert "994,000 characters not shown" in text


def test_of_very_many_judgments_of_an_item_the_first_are_shown_and_the_others_counted(
    tmp_path: Path,
) -> None:
    counter = ScoreCounter()
    counter.add("a", [score("a", 0.5, judge=f"rater-{n}") for n in range(100)])
    words = " ".join(" ".join(Elements(page_of(counter.summary(), tmp_path)).words).split())
    assert "judgments not shown: 20" in words


def test_what_failed_stands_in_a_table_with_its_reason(tmp_path: Path) -> None:
    failed = Unscored("too_long", "9,000 tokens where 8,192 fit")
    counter = ScoreCounter()
    counter.add(conversation("c7", "hi", "ho"), [score("c7", unscored=failed)])
    words = " ".join(" ".join(Elements(page_of(counter.summary(), tmp_path)).words).split())
    assert "c7 j overall too_long 9,000 tokens where 8,192 fit" in words


def test_an_earlier_page_survives_a_failure(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        write_result(tmp_path / "missing" / "r.html", ScoreCounter().summary())
