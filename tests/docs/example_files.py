"""The files that a page's reader has already: small, made here, named as the page names them.

`FILES` says which page needs which. Conversations and pairs are those of `examples/`; votes,
ratings and a model's answers are drawn, so that there is something to find in them.
"""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from tests.docs.compared import compared
from tests.docs.guide_files import (
    Writer,
    builds,
    daily_logs,
    preference_pairs,
    rated_chats,
    rated_sheet,
    support_log,
    writer,
)
from tests.docs.pages import ROOT
from tests.formats.logs.agent_examples import OTEL
from tests.reference.study.simulate import Simulating, simulate
from tests.versions.drifting import SET as DRIFTING
from tests.versions.drifting import drifting
from tests.versions.two_versions import HELPFUL, two_versions

from assize import calibrate
from assize.base.conversation import Conversation, Pair
from assize.base.judgment import Judgment, Question
from assize.criteria._reading import criteria_text
from assize.formats import read, write

EXAMPLES = ROOT / "examples"
GRADES = ("1", "2", "3", "4")
RATERS = ("ann", "bob", "3", "17", "22")
JUDGES = ("da@openai:gpt-4o", "maxim@openai:gpt-4o", "explained@openai:gpt-4o", "io@hf:local")
PREFERENCE = Question("preference", kind="preference", answers=("A", "B", "tie"))


def graded(name: str) -> Question:
    """A question that four ordered answers have."""
    return Question(name, kind="ordinal", answers=GRADES, values=(1, 2, 3, 4))


@cache
def conversations() -> list[Conversation]:
    """Twelve of `examples/` that are soon embedded: the shortest, of at least five turns, but for
    the one in Chinese, which the shipped encoder cannot read."""
    long = [one for one in examples() if len(one.turns) >= 5 and one.id != "zh-hongshaorou"]
    return sorted(long, key=lambda one: sum(len(turn.text) for turn in one.turns))[:12]


def examples() -> list[Conversation]:
    """All of `examples/`."""
    found = read(EXAMPLES / "conversations.jsonl")
    return [one for one in found if isinstance(one, Conversation)]


def answered() -> list[Conversation]:
    """Five systems about twelve topics, as `V2_tides`."""
    found = []
    for number in range(60):
        chat = conversations()[number % 12]
        system, topic = 1 + number // 12, f"topic-{number % 6}"
        fields = {"topic": topic, "language": "de" if number % 3 == 0 else "en"}
        name = f"V{system}_{number % 12}"
        found.append(replace(chat, id=name, system=f"bot-{system}", metadata=fields))
    return found


def pairs(count: int = 8) -> list[Pair]:
    """Those of `examples/`, again and again, each with an id of its own."""
    found = [one for one in read(EXAMPLES / "pairs.jsonl") if isinstance(one, Pair)]
    return [
        replace(
            found[n % 8],
            id=f"p{n}",
            gold="B" if n % 2 else "A",
            metadata={"conversation": f"c{n // 2}"},
        )
        for n in range(count)
    ]


def chats(*names: str) -> Writer:
    """Files of the conversations of `examples/`."""
    return _each(names, lambda path: write(path, conversations()))


def first_chats(*names: str) -> Writer:
    """Files of the first twelve of `examples/`, where a page says what was found in them."""
    return _each(names, lambda path: write(path, examples()[:12]))


@writer
def thumbed_chats(folder: Path, name: str) -> None:
    """The sixty conversations that models answered questions about, each second one with a thumb
    down, the others up."""
    thumbs = ({"thumbs": "down" if place % 2 else "up"} for place in range(1_000))
    rated = zip(answered(), thumbs, strict=False)
    write(folder / name, [replace(one, metadata=thumb) for one, thumb in rated])


def answered_chats(*names: str) -> Writer:
    """Files of the sixty conversations that models and people answered questions about."""
    return _each(names, lambda path: write(path, answered()))


@writer
def watched(folder: Path, name: str) -> None:
    """Conversations of twelve weeks, `NAME.jsonl`, and a run that scored them, in the middle of
    which fixes stop working."""
    conversations, table = drifting(drop=2.0)
    write(folder / f"{name}.jsonl", conversations)
    _store(folder / f"{name}-run", table, DRIFTING.questions)
    (folder / "debugging.yaml").write_text(criteria_text(DRIFTING))


def paired(*names: str, count: int = 8) -> Writer:
    """Files of pairs with gold."""
    return _each(names, lambda path: write(path, pairs(count)))


def ratings(
    *names: str,
    questions: Sequence[str] = ("Q0",),
    seed: int = 0,
    part: Callable[[int], bool] = lambda number: True,
) -> Writer:
    """Files in which each rater answers questions about each conversation of a part."""
    rows = [
        row
        for question in questions
        for row in _rated(question, seed)
        if part(int(row.item.partition("_")[2]))
    ]
    asked = [graded(question) for question in questions]
    return _each(names, lambda path: write(path, rows, questions=asked))


def answers(*names: str) -> Writer:
    """Files, or runs, of a model's answers to Q0 and Q1, each a distribution."""
    return _each(names, lambda path: _store(path, _distributions(), [graded("Q0"), graded("Q1")]))


@writer
def calibrator(folder: Path, name: str) -> None:
    """The folder of a calibrator of Q0, fitted to `answers` and the ratings of `ratings`."""
    answers("fitted-run")(folder)
    ratings("fitted-ratings.jsonl", part=lambda number: number < 8)(folder)
    fitted = calibrate.fit(folder / "fitted-run", folder / "fitted-ratings.jsonl", target="Q0")
    fitted.save(folder / name)


@writer
def choices(folder: Path, name: str) -> None:
    """Whom people chose of the sides of each pair: mostly what gold says."""
    rng = np.random.default_rng(2)
    better = replace(PREFERENCE, id="better")
    rows = [
        Judgment(pair.id, rater, "better", answer=_vote(pair, rng), kind="person")
        for pair in pairs(40)
        for rater in RATERS
    ]
    write(folder / name, rows, questions=[better])


@writer
def yes_or_no(folder: Path, name: str, question: str) -> None:
    """What users did: each a click or none."""
    rng = np.random.default_rng(3)
    asked = Question(question, kind="binary", answers=("no", "yes"))
    rows = [
        Judgment(one.item, one.judge, question, answer=("no", "yes")[int(rng.random() < 0.5)])
        for one in _rated(question, 0)
    ]
    write(folder / name, rows, questions=[asked])


@writer
def scored(folder: Path, name: str) -> None:
    """A metric's number of each conversation."""
    number = Question("length", kind="number")
    rows = [
        Judgment(chat.id, "metric", "length", score=float(len(chat.turns)), kind="metric")
        for chat in answered()
    ]
    write(folder / name, rows, questions=[number])


@writer
def noted_answers(folder: Path, name: str) -> None:
    """A run of the same, with a note in free text about each conversation."""
    rows = _distributions()
    notes = {one.item: f"The answer is {('short', 'rude')[len(one.item) % 2]}." for one in rows}
    judge = rows[0].judge
    rows += [Judgment(item, judge, "note", answer=text) for item, text in notes.items()]
    _store(folder / name, rows, [graded("Q0"), graded("Q1"), Question("note", kind="text")])


@writer
def votes(folder: Path, *names: str, judges: Sequence[str] = JUDGES, count: int = 40) -> None:
    """Files, or runs, of judges' votes on pairs, in both orders; most agree with gold.

    Each has also said how helpful each conversation is.
    """
    rng = np.random.default_rng(1)
    rows = [
        Judgment(pair.id, judge, "preference", answer=_vote(pair, rng), order=order)
        for judge in judges
        for pair in pairs(count)
        for order in ("AB", "BA")
    ]
    grades = [one for one in _rated("helpful", 7) if one.judge == "ann"]
    rows += [replace(one, judge=judge, kind="model") for one in grades for judge in judges]
    for name in names:
        _store(folder / name, rows, [PREFERENCE, graded("helpful")])


@writer
def sure(folder: Path, name: str) -> None:
    """What the evaluator said of pairs: the surer, the more often right."""
    rng = np.random.default_rng(4)
    rows = []
    for pair in pairs(40):
        margin = float(rng.random())
        right = rng.random() < 0.6 + 0.4 * margin
        answer = str(pair.gold) if right else "AB".replace(str(pair.gold), "")
        details = {"margin": margin}
        rows.append(
            Judgment(pair.id, "evaluator@default", "preference", answer=answer, details=details)
        )
    write(folder / name, rows, questions=[PREFERENCE])


@writer
def intents(folder: Path, name: str) -> None:
    """A question with many answers, as people answered it."""
    kinds = [f"intent {letter}" for letter in "abcdefghijklmnop"]
    asked = Question("intent", kind="nominal", answers=tuple(kinds))
    rows = [
        replace(one, question="intent", answer=kinds[4 * (int(str(one.answer)) - 1) + n % 4])
        for n, one in enumerate(_rated("intent", 5))
    ]
    write(folder / name, rows, questions=[asked])


@writer
def gold(folder: Path, name: str) -> None:
    """The answers that are right."""
    rows = [Judgment(one.id, "gold", "preference", answer=str(one.gold)) for one in pairs(40)]
    write(folder / name, rows, questions=[PREFERENCE])


def _vote(pair: Pair, rng: np.random.Generator) -> str:
    return str(pair.gold) if rng.random() < 0.8 else "AB"[int(rng.integers(2))]


@writer
def copied(folder: Path, name: str, source: str = "conversations.jsonl") -> None:
    """A file of `examples/`."""
    shutil.copy(EXAMPLES / source, folder / name)


@writer
def text(folder: Path, name: str, content: str) -> None:
    """A file of that text, compressed where its name says so."""
    opened = gzip.open if name.endswith(".gz") else open
    (folder / name).parent.mkdir(exist_ok=True)
    with opened(folder / name, "wt") as file:
        file.write(content)


def _each(names: Sequence[str], written: Callable[[Path], object]) -> Writer:
    def all_of(folder: Path) -> None:
        for name in names:
            written(folder / name)

    return all_of


def _store(path: Path, rows: Iterable[Judgment], questions: Sequence[Question]) -> None:
    """As a file, or as the folder of a run where the path has no suffix."""
    if path.suffix:
        write(path, rows, questions=questions)
        return
    path.mkdir(exist_ok=True)
    write(path / "judgments.jsonl", rows, questions=questions)


def _quality() -> np.ndarray:
    """(conversations, answers): how probable each grade is."""
    return np.random.default_rng(0).dirichlet(np.ones(4), size=60)


def _distributions() -> list[Judgment]:
    return [
        Judgment(
            chat.id,
            "rubric@openai:gpt-4o",
            question,
            distribution=dict(zip(GRADES, row.tolist(), strict=True)),
            kind="model",
        )
        for chat, row in zip(answered(), _quality(), strict=True)
        for question in ("Q0", "Q1")
    ]


def _rated(question: str, seed: int) -> list[Judgment]:
    rng = np.random.default_rng(seed)
    return [
        Judgment(
            chat.id,
            rater,
            question,
            answer=str(max(1, int(rng.choice(4, p=row)) + 1 - number % 2)),
            kind="person",
        )
        for chat, row in zip(answered(), _quality(), strict=True)
        for number, rater in enumerate(RATERS)
    ]


# A log that is in no known format, in the shapes in which services keep them.
_SUPPORT = "".join(
    json.dumps(
        {
            "chat_id": name,
            "bot_version": version,
            "thumbs": thumbs,
            "log": [
                {"author": {"kind": kind}, "payload": {"text": said}}
                for kind, said in (("client", asked), ("helper", answer))
            ],
        }
    )
    + "\n"
    for name, version, thumbs, asked, answer in (
        ("c1", "v1", "up", "When does the library open?", "At nine, and at ten on Sundays."),
        ("c2", "v2", "down", "Can I renew a book online?", "Please ask at the desk."),
        ("c3", "v2", "up", "Is there a reading room?", "Yes, on the second floor."),
    )
)
_TICKETS = """ticket,sent_at,who,said
t1,2026-01-05T10:00,Client,My card is lost.
t2,2026-01-05T10:01,Client,Are you open today?
t1,2026-01-05T10:02,Helper,I have blocked it; a new one is on its way.
t2,2026-01-05T10:03,Helper,Until six.
"""
_COMPARED = "".join(
    json.dumps({"question": asked, "one": a, "two": b, "liked": liked}) + "\n"
    for asked, a, b, liked in (
        ("2+2?", "4", "5", 0),
        ("Who wrote Emma?", "Dickens.", "Jane Austen.", 1),
    )
)


def _openai(*chats: Sequence[tuple[str, str]]) -> str:
    """Conversations as OpenAI's messages, a line each."""
    told = ([{"role": role, "content": said} for role, said in turns] for turns in chats)
    return "".join(json.dumps({"messages": turns}) + "\n" for turns in told)


_LIBRARY = [("user", "When does the library open?"), ("assistant", "At nine [1].")]
_NOBODY = [("user", "Hello?"), ("user", "Is anybody there?")]
_ROBOT = [("robot", "Beep.")]
_THANKS = [("user", "Thank you."), ("assistant", "You are welcome.")]
_HEAD = "item,judge,question,answer\n"
_OVERALL = "chats-1,ann,overall,4\nchats-2,ann,overall,1\nchats-1,bob,overall,3\n"


_FILLED = "item,rater,Q0\n" + "".join(
    f"{one.id},{rater},{1 + (place + len(rater)) % 4}\n"
    for place, one in enumerate(answered())
    for rater in ("ann", "robert")
)


@writer
def simulated_ratings(folder: Path, *names: str) -> None:
    """Files of simulated metrics, ratings and continuations, in this order."""
    made = simulate(Simulating(conversations=25, turns=4, seed=2))
    scores, rated, chats = names
    write(folder / scores, made.metrics)
    write(folder / rated, made.ratings)
    write(folder / chats, made.items)


def two_bots(folder: Path) -> None:
    """Two versions of a bot: judgments, conversations, and each of both in one file."""
    both, judged = [], []
    for one in two_versions():
        chats = list(one.items.values())
        write(folder / f"{one.name}.jsonl", list(one.table), questions=[HELPFUL])
        write(folder / f"{one.name}-chats.jsonl", chats)
        items = [replace(chat, id=f"{one.name}-{chat.id}") for chat in chats]
        write(folder / f"{one.name}-items.jsonl", items)
        both += items
        judged += [replace(row, item=f"{one.name}-{row.item}") for row in one.table]
    write(folder / "chats.jsonl", both)
    write(folder / "judgments.jsonl", judged, questions=[HELPFUL])


@writer
def acting(folder: Path, name: str) -> None:
    """Twelve conversations of an assistant that looks orders up, some of them done wrong."""
    rows = (json.dumps(_order(number)) + "\n" for number in range(12))
    (folder / name).write_text("".join(rows))


def _order(number: int) -> dict[str, object]:
    order = 4470 + number
    right = [{"name": "get_order", "arguments": {"order": order}}]
    asked = order + 6 if number % 4 == 1 else order
    called: list[dict[str, object]] = [_called("c1", "get_order", {"order": asked})]
    if number % 3 == 2:
        called.append(_called("c2", "get_time", {}))
    results = [{"role": "tool", "tool_call_id": one["id"], "content": "{}"} for one in called]
    results[0]["content"] = json.dumps({"order": asked, "at": "depot", "due": "Friday"})
    return {
        "id": f"order-{number}",
        "metadata": {"expected_tool_calls": right},
        "messages": [
            {"role": "user", "content": f"Where is my order {order}, and when does it come?"},
            {"role": "assistant", "content": None, "tool_calls": called},
            *results,
            {"role": "assistant", "content": "It is at the depot and will come on Friday."},
        ],
    }


def _called(id: str, name: str, arguments: dict[str, object]) -> dict[str, object]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": id, "type": "function", "function": function}


FILES: dict[str, tuple[Writer, ...]] = {
    "guides/support-chats": (support_log("support.jsonl"),),
    "guides/preference-pairs": (preference_pairs("pairs.parquet"),),
    "guides/ratings-spreadsheet": (
        rated_chats("chats.jsonl"),
        rated_sheet("ratings.csv"),
        rated_sheet("check.csv", first=60, last=100),
    ),
    "guides/ci-gate": (builds,),
    "guides/nightly": (daily_logs("logs"),),
    "compare": (two_bots,),
    "compare-figures": (two_bots,),
    "dashboard": (answered_chats("chats.jsonl"), ratings("ratings.jsonl")),
    "dashboard-methods": (answered_chats("chats.jsonl"), ratings("ratings.jsonl")),
    "monitor": (ratings("ratings.jsonl"),),
    "collect": (text("pages/keys.md", "Open Access keys and choose Regenerate key."),),
    "task-kinds": (copied("pairs.jsonl", "pairs.jsonl"),),
    "judging-runs": (copied("pairs.jsonl", "pairs.jsonl"),),
    "judged-text": (copied("pairs.jsonl", "pairs.jsonl"),),
    "judge-reliability-methods": (votes("votes.jsonl"),),
    "gate": (two_bots,),
    "index": (chats("chats.jsonl"),),
    "adapting-figures": (answered_chats("chats.jsonl"), ratings("ratings.jsonl")),
    "ratings-figures": (
        answered_chats("chats.jsonl"),
        answers("run"),
        ratings("ratings.jsonl"),
        scored("scores.jsonl"),
    ),
    "adapting": (answered_chats("chats.jsonl"), ratings("ratings.jsonl")),
    "judging": (copied("pairs.jsonl", "pairs.jsonl"),),
    "jury": (
        votes("run"),
        sure("scores.jsonl"),
        votes("rewards.jsonl", judges=["reward@hf:reward-model"]),
        paired("pairs.jsonl", "labelled.jsonl", count=40),
    ),
    "jury-study": (votes("run"), paired("pairs.jsonl", count=40)),
    "reference-study": (simulated_ratings("scores.jsonl", "ratings.jsonl", "continuations.jsonl"),),
    "agreement": (
        ratings("people.jsonl", questions=["helpful"]),
        votes("run", "run-a", judges=JUDGES[:1]),
        votes("run-b", judges=["io@hf:local"]),
        gold("gold.jsonl"),
        paired("pairs.jsonl", count=40),
    ),
    "judgments": (votes("run", judges=JUDGES[:1]), ratings("ratings.csv")),
    "acts": (paired("pairs.jsonl", count=12), chats("conversations.jsonl")),
    "acts-amulet": (paired("pairs.jsonl", count=12),),
    "amulet-prompts": (copied("pairs.jsonl", "pairs.jsonl"),),
    "amulet-judges": (copied("pairs.jsonl", "pairs.jsonl"), first_chats("conversations.jsonl")),
    "report": (
        chats("chats.jsonl"),
        ratings("people.jsonl", questions=["helpful"]),
        votes("run"),
        votes("scores.jsonl"),
    ),
    "rubric": (chats("chats.jsonl"),),
    "rubric-files": (chats("chats.jsonl"),),
    "labels": (answers("run"), thumbed_chats("chats.jsonl")),
    "spreadsheets": (
        answered_chats("chats.jsonl"),
        answers("run"),
        text("filled.csv", _FILLED),
    ),
    "agents": (acting("chats.jsonl"), text("spans.json", json.dumps(OTEL))),
    "criteria-methods": (thumbed_chats("chats.jsonl"),),
    "criteria-score": (chats("chats.jsonl"),),
    "over-time": (watched("spring"),),
    "reference-judges": (first_chats("chats.jsonl"), compared),
    "rating-sheets": (compared,),
    "formats": (
        text("chats.jsonl", _openai(_LIBRARY, _NOBODY)),
        text("log.jsonl", _openai(_LIBRARY, _NOBODY, _ROBOT)),
        text("day1.jsonl", _openai(_LIBRARY)),
        text("day2.jsonl.gz", _openai(_THANKS)),
        text("votes.csv", _HEAD + _OVERALL),
        text(
            "judgments.jsonl",
            '{"item": "chats-1", "judge": "ann", "question": "overall", "answer": "4"}\n',
        ),
        chats("chats.parquet"),
    ),
    "formats-reference": (text("chats.jsonl", _openai(_LIBRARY, _NOBODY)),),
    "own-log": (
        text("support.jsonl", _SUPPORT),
        text("tickets.csv", _TICKETS),
        text("answers.jsonl", _COMPARED),
        text("logs/part-1.jsonl", _openai(_LIBRARY)),
        text("logs/part-2.jsonl", _openai(_THANKS)),
    ),
    "evaluator": (answered_chats("chats.jsonl"),),
    "evaluator-train": (
        answered_chats("chats.jsonl", "other.jsonl"),
        ratings("ratings.jsonl", questions=["overall"], part=lambda number: number < 8),
        ratings(
            "other-ratings.jsonl", questions=["overall"], seed=1, part=lambda number: number >= 8
        ),
        chats("more.jsonl"),
    ),
    "evaluator-study": (votes("run"), paired("pairs.jsonl", count=40)),
    "own-judges": (first_chats("chats.jsonl"),),
    "published-judges": (chats("chats.jsonl"), copied("pairs.jsonl", "pairs.jsonl")),
    "calibration": (
        answered_chats("chats.jsonl"),
        chats("new-chats.jsonl"),
        ratings("ratings.jsonl", part=lambda number: number < 8),
        ratings("held.jsonl", seed=1, part=lambda number: number >= 10),
        answers("answers.jsonl", "run", "new-run"),
    ),
    "calibration-sets": (
        answered_chats("chats.jsonl"),
        answers("run", "old-run", "new-run", "newer-run"),
        ratings("ratings.jsonl", part=lambda number: number < 8),
        ratings("few.jsonl", seed=3, part=lambda number: number < 2),
        calibrator("mine"),
    ),
    "label-next": (
        answered_chats("chats.jsonl"),
        answers("run"),
        ratings("ratings.jsonl", part=lambda number: number < 8),
        calibrator("mine"),
    ),
    "calibration-groups": (
        answered_chats("chats.jsonl"),
        answers("run"),
        ratings("held.jsonl", seed=1, part=lambda number: number >= 10),
        ratings("split.jsonl", seed=2, part=lambda number: 8 <= number < 10),
        calibrator("mine"),
    ),
    "calibration-use": (
        answered_chats("chats.jsonl"),
        chats("new-chats.jsonl"),
        answers("run"),
        calibrator("mine"),
    ),
    "calibration-methods": (
        answers("run"),
        ratings("ratings.jsonl", questions=("Q0", "Q1", "Q6"), part=lambda number: number < 8),
    ),
    "calibration-more-figures": (answers("run"), ratings("all-ratings.jsonl")),
    "calibration-more": (
        answered_chats("chats.jsonl"),
        answers("run"),
        ratings("ratings.jsonl", questions=("Q0", "Q1")),
    ),
    "calibration-study": (
        answered_chats("chats.jsonl"),
        answers("run", "whole"),
        ratings("ratings.jsonl"),
        chats("new.jsonl"),
    ),
    "ratings": (
        answered_chats("chats.jsonl"),
        paired("pairs.jsonl", count=40),
        answers("run"),
        noted_answers("noted"),
        ratings("ratings.jsonl"),
        choices("choices.jsonl"),
        yes_or_no("clicks.jsonl", "click"),
        intents("intents.jsonl"),
        scored("scores.jsonl"),
    ),
}


def write_files(page: str, folder: Path) -> None:
    """Writes what a page's reader has; `examples/` is there on every page."""
    (folder / "examples").symlink_to(EXAMPLES)
    for written in FILES.get(page, ()):
        written(folder)
