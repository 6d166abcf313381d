"""What is wrong is said the same way everywhere: argument, place, remedy; never a traceback."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conversations import CHATS, votes
from with_asking import with_asking

import assize as package
from assize import Cascade, Conversation, Judgment, JudgmentTable, Question, Statistics, Turn
from assize.calibrate import FittedCalibrator
from assize.cli import main

assize: Any = package  # what a type checker would say is what is tried here

ANSWERS = ("1", "2", "3")
QUESTION = Question("q", kind="ordinal", answers=ANSWERS, values=(1, 2, 3))
VOTES = votes("p1", "io", "A", "A")
SAID = JudgmentTable.of(
    [
        Judgment(f"i{n}", "m", "q", distribution={"1": 0.2, "2": 0.3, "3": 0.5}, kind="model")
        for n in range(12)
    ],
    [QUESTION],
)
RATED = JudgmentTable.of(
    [
        Judgment(f"i{n}", name, "q", answer=ANSWERS[n % 3], kind="person")
        for n in range(12)
        for name in ("ann", "bob")
    ],
    [QUESTION],
)
RATING = "rating@scripted:first"


async def later() -> list[Any]:
    return list(CHATS)


def frame() -> Any:
    return pytest.importorskip("pandas").DataFrame({"colour": ["red", "blue"]})


CALLS: dict[str, Callable[[Any], Any]] = {
    "score": lambda given: assize.score(given, quiet=True),
    "iter_score": lambda given: list(assize.scoring.iter_score(given)),
    "judge": lambda given: assize.judge(given, RATING, quiet=True),
    "estimate": lambda given: assize.judge.plan(given, RATING).estimate(),
    "ask_rubric": lambda given: assize.rubric.ask(given, "scripted:first", quiet=True),
    "check": lambda given: assize.check(given, quiet=True),
    "train_evaluator": lambda given: assize.evaluator.train(given),
    "evaluate_evaluator": lambda given: assize.evaluator.evaluate(given),
    "jury": lambda given: assize.jury(given, Cascade("io")),
    "agree": lambda given: assize.agree(given),
    "acts": lambda given: assize.acts.show(given),
    "train_tagger": lambda given: assize.acts.train(given),
    "report": lambda given: assize.report(given, "page.html"),
    "fit_calibrator answers": lambda given: assize.calibrate.fit(given, RATED, target="q"),
    "fit_calibrator ratings": lambda given: assize.calibrate.fit(SAID, given, target="q"),
    "study_calibrators": lambda given: assize.study.calibration(SAID, given, target="q"),
}
FITTED: dict[str, Callable[[Any, Any], Any]] = {
    "predict_ratings": lambda fitted, given: assize.calibrate.predict(fitted, given),
    "predict": lambda fitted, given: fitted.predict(given),
    "audit_calibrator": lambda fitted, given: assize.calibrate.audit(fitted, SAID, given),
    "correct_calibrator": lambda fitted, given: assize.calibrate.correct(
        fitted, SAID, given, by="rater"
    ),
    "compare_systems": lambda fitted, given: assize.calibrate.compare(fitted, given),
    "next_ratings": lambda fitted, given: assize.calibrate.next_ratings(fitted, given),
    "question_importance": lambda fitted, given: assize.calibrate.importance(
        fitted, [fitted], given
    ),
    "select_best": lambda fitted, given: assize.calibrate.select(fitted, given, by="(i)"),
}
DATA: list[tuple[str, Callable[[], Any], tuple[str, ...]]] = [
    ("an empty list", list, ("received an empty list", "give")),
    ("mixed kinds", lambda: [CHATS[0], 5], ("[1]", "5", "give")),
    ("no roles", lambda: [{"messages": [{"content": "Hi"}]}], ("[0]", "role", "known names")),
    ("a frame without the columns", frame, ("colour", "choose a format with")),
    ("a function", lambda: later, ("received a function", "give")),
    ("a coroutine", later, ("not awaited yet", "give")),
    ("a path that is not there", lambda: "gone.jsonl", ("gone.jsonl", "no such file")),
    ("None", lambda: None, ("received None", "give")),
]


@pytest.fixture(scope="module")
def fitted() -> FittedCalibrator:
    return package.calibrate.fit(SAID, RATED, target="q", quiet=True)


def refused(call: Callable[[], Any]) -> str:
    """The message with which a call is refused; nothing is left unawaited."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(assize.AssizeError) as caught:
            call()
    return str(caught.value)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra `score`")
    monkeypatch.chdir(tmp_path)


def said_of(make: Callable[[], Any], parts: tuple[str, ...], call: Callable[[Any], Any]) -> None:
    given = make()
    message = refused(lambda: call(given))
    if inspect.iscoroutine(given):
        given.close()
    assert [part for part in parts if part not in message] == [], message


@pytest.mark.parametrize(("make", "parts"), [one[1:] for one in DATA], ids=[one[0] for one in DATA])
@pytest.mark.parametrize("name", CALLS)
def test_of_items_and_judgments(name: str, make: Callable[[], Any], parts: tuple[str, ...]) -> None:
    if name == "check" and {"role", "colour", "gone.jsonl"} & set(parts):
        pytest.skip("what cannot be read is what `check` reports")
    said_of(make, parts, CALLS[name])


@pytest.mark.parametrize(("make", "parts"), [one[1:] for one in DATA], ids=[one[0] for one in DATA])
@pytest.mark.parametrize("name", FITTED)
def test_of_what_calibrators_are_given(
    name: str, make: Callable[[], Any], parts: tuple[str, ...], fitted: FittedCalibrator
) -> None:
    said_of(make, parts, lambda given: FITTED[name](fitted, given))


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (lambda fitted: fitted.predict(SAID, raters=["zoe"]), ("'zoe'", "ann, bob", "unknown")),
        (lambda fitted: assize.agree(RATED, gold="zoe"), ("'zoe'", "ann, bob")),
        (lambda fitted: assize.agree(RATED, judges=["zoe", "ann"]), ("'zoe'", "ann, bob")),
        (lambda fitted: assize.jury(VOTES, Cascade("zoe")), ("'zoe'", "there are io")),
        (lambda fitted: assize.calibrate.fit(SAID, RATED, target="z"), ("'z'", "q")),
        (lambda fitted: assize.report(RATED, "p.html", question="z"), ("'z'", "asked were q")),
        (lambda fitted: assize.plot(None), ("result: received None", "give")),
        (
            lambda fitted: assize.evaluator.load_evaluator(precision="x"),
            ("precision", "'x'", "fp32"),
        ),
        (lambda fitted: assize.read(CHATS, format="x"), ("'x'", "known are")),
        (lambda fitted: assize.read(CHATS, on_error="x"), ("'x'", "skip")),
        (
            lambda fitted: assize.judge(CHATS, RATING, **with_asking(timeout="x")),
            ("timeout: received 'x'",),
        ),
        (lambda fitted: assize.judge(CHATS, []), ("name at least one judge",)),
        (lambda fitted: assize.judge(CHATS, later), ("judge", "later")),
        (lambda fitted: assize.judge_function(later), ("async function", "write `def`")),
        (lambda fitted: assize.write("v.jsonl", [VOTES[0], 5]), ("received 5", "give")),
        (lambda fitted: assize.write("v.jsonl", {}), ("records: received", "give")),
        (lambda fitted: assize.JudgmentTable.of([VOTES[0], {}]), ("rows[1]: received", "give")),
        (lambda fitted: assize.calibrate.predict([], SAID), ("calibrator: received", "give")),
        (lambda fitted: assize.agree(RATED, statistics=Statistics(confidence=2)), ("confidence",)),
    ],
)
def test_of_names_and_choices(
    call: Callable[[Any], Any], parts: tuple[str, ...], fitted: FittedCalibrator
) -> None:
    message = refused(lambda: call(fitted))
    assert [part for part in parts if part not in message] == [], message


@pytest.mark.parametrize("nonsense", ["maybe", 7, [1, 2], {"other": "yes"}, object()])
def test_of_a_judge_that_returns_nonsense(nonsense: Any) -> None:
    asked = Question("short", kind="binary", answers=("no", "yes"))

    @package.judge_function(questions=asked)
    def short(item: Conversation) -> Any:
        return nonsense

    assert "judge short, item kind" in refused(lambda: assize.judge(CHATS, short, quiet=True))


@pytest.mark.parametrize(
    ("words", "call"),
    [
        (["score", "gone.jsonl"], lambda: assize.score("gone.jsonl")),
        (["agree", "gone.jsonl"], lambda: assize.agree("gone.jsonl")),
        (["score", "bad.jsonl"], lambda: assize.score("bad.jsonl")),
        (
            ["agree", "rated.jsonl", "--gold", "zoe"],
            lambda: assize.agree("rated.jsonl", gold="zoe"),
        ),
        (
            ["judge", "chats.jsonl", "--judge", "zoe", "--out", "run"],
            lambda: assize.judge("chats.jsonl", "zoe", out="run"),
        ),
        (
            ["jury", "votes.jsonl", "--cascade", "zoe"],
            lambda: assize.jury("votes.jsonl", Cascade("zoe")),
        ),
    ],
)
def test_the_command_line_says_the_same_and_exits_with_2(
    words: list[str],
    call: Callable[[], Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    turns = (Turn("user", "Hi"), Turn("assistant", "Hello"))
    assize.write("chats.jsonl", [Conversation("c", turns)])
    assize.write("rated.jsonl", RATED)
    assize.write("votes.jsonl", VOTES)
    Path("bad.jsonl").write_text('{"messages": [{"content": "Hi"}]}\n')
    message = refused(call)
    monkeypatch.setattr(sys, "argv", ["assize", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert " ".join(message.split()) in " ".join(capsys.readouterr().err.split())
