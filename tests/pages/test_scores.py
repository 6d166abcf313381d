"""The page of scores and of any judgments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from elements import Elements
from tests.pages.conftest import conversation, page_of, score

from assize.base.conversation import Conversation
from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
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


@pytest.mark.parametrize(
    ("questions", "captions"),
    [
        (("overall",), ["Distribution of overall over the items."]),
        (
            ("overall", "kind"),
            ["Distribution of overall over the items.", "Means with their 95% intervals."],
        ),
    ],
)
def test_one_number_has_a_histogram_and_several_on_one_scale_their_means(
    questions: tuple[str, ...], captions: list[str]
) -> None:
    *pieces, _ = draw_scores(counted(*questions).summary())["at a glance"]
    assert [piece[1] for piece in pieces] == captions


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


@pytest.mark.parametrize(
    ("item", "rows", "said"),
    [
        (
            conversation("a", "x" * 1_000_000, "y"),
            [score("a", 0.1)],
            "994,000 characters not shown",
        ),
        (
            "a",
            [score("a", 0.5, judge=f"rater-{n}") for n in range(100)],
            "judgments not shown: 20",
        ),
        (
            conversation("c7", "hi", "ho"),
            [score("c7", unscored=Unscored("too_long", "9,000 tokens where 8,192 fit"))],
            "c7 j overall too_long 9,000 tokens where 8,192 fit",
        ),
    ],
    ids=["a huge text", "very many judgments of an item", "what failed, with its reason"],
)
def test_what_a_page_leaves_out_or_lacks_it_says(
    item: Conversation | str, rows: list[Judgment], said: str, tmp_path: Path
) -> None:
    counter = ScoreCounter()
    counter.add(item, rows)
    text = page_of(counter.summary(), tmp_path)
    assert len(text) < 60_000
    assert said in " ".join(" ".join(Elements(text).words).split())
