"""A Python function as a judge: declared, run, checked, signed."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from run_work import judge_session as judge
from tests.judging.conftest import rows_of

import assize
from assize import Conversation, Judgment, Pair, Question, Turn, judge_function
from assize.base.errors import ConfigError
from assize.formats import read, write
from assize.judging.judge import is_local
from assize.judging.outcome import Outcome
from assize.judging.own.function import FunctionJudge
from assize.judging.session import RunSettings, Session

SHORT = Question("short", kind="binary", answers=("no", "yes"))


def talk(name: str, *texts: str) -> Conversation:
    roles: Any = ("user", "assistant")
    return Conversation(name, tuple(Turn(roles[at % 2], text) for at, text in enumerate(texts)))


def run(path: Path, *judges: Any, items: Any = None, **settings: Any) -> Outcome:
    file = path / "items.jsonl"
    if not file.exists():
        write(file, [talk(f"c{n}", "x" * (n + 1)) for n in range(5)] if items is None else items)
    return judge(Session(read([str(file)]), judges, path / "run", run=RunSettings(**settings)))


def test_a_function_judges_in_a_run_beside_a_model(tmp_path: Path) -> None:
    @judge_function(questions=SHORT)
    def short(item: Conversation) -> str:
        """Whether it is short."""
        return "yes" if len(item.turns[0].text) < 3 else "no"

    assert assize.judge_function is judge_function
    assert is_local(short)
    assert short.about == "Whether it is short."
    assert short(talk("c", "a")) == "yes"
    outcome = run(tmp_path, short, "rating@scripted:first")
    assert outcome.summary.n == 10
    mine = {
        row["item"]: row["answer"] for row in rows_of(tmp_path / "run") if row["judge"] == "short"
    }
    assert mine == {"c0": "yes", "c1": "yes", "c2": "no", "c3": "no", "c4": "no"}
    first = next(row for row in rows_of(tmp_path / "run") if row["judge"] == "short")
    assert (first["kind"], first["signature"]) == ("metric", short.signature)
    questions = json.loads((tmp_path / "run" / "questions.json").read_text())
    assert {"short", "rating"} == {one["id"] for one in questions}


def test_kind_name_and_what_it_takes_can_be_said() -> None:
    made = judge_function(name="n", kind="evaluator", takes="pair", about="a", version=2)(len)
    assert (made.name, made.kind, made.takes, made.about) == ("n", "evaluator", (Pair,), "a")

    def either(item: Conversation | Pair) -> float:
        return 1.0

    assert judge_function(either).takes == (Conversation, Pair)
    question = Question("p", kind="preference")
    between = judge_function(name="b", questions=question)(lambda item: "A")
    assert between.takes == (Pair,)
    assert between.questions[0].answers == ("A", "tie", "B")


def test_a_pair_is_asked_about_once(tmp_path: Path) -> None:
    @judge_function(questions=Question("preference", kind="preference"))
    def longer(item: Pair) -> str:
        a, b = (sum(len(turn.text) for turn in side) for side in (item.a, item.b))
        return "A" if a > b else "B" if b > a else "tie"

    pairs = [Pair("p", (), (Turn("assistant", "aa"),), (Turn("assistant", "b"),))]
    run(tmp_path, longer, items=pairs, votes=2)
    assert [(row["answer"], row.get("order")) for row in rows_of(tmp_path / "run")] == [("A", None)]


def test_what_it_raises_leaves_that_item_unscored(tmp_path: Path) -> None:
    @judge_function
    def picky(item: Conversation) -> float:
        if item.id in ("c1", "c3"):
            raise ValueError(f"no {item.id}")
        return 1.0

    assert run(tmp_path, picky).summary.n == 5
    found: dict[str, Any] = {row["item"]: row.get("unscored") for row in rows_of(tmp_path / "run")}
    assert found["c0"] is None
    assert found["c1"]["reason"] == "failed"
    assert found["c1"]["message"].startswith("ValueError: no c1 (test_function.py:")


def test_a_mistake_in_the_code_ends_the_run_at_the_first_item(tmp_path: Path) -> None:
    @judge_function
    def mistaken(item: Conversation) -> float:
        return item.length  # type: ignore[attr-defined, no-any-return]

    told = "judge mistaken failed on the first item, c0: AttributeError"
    with pytest.raises(ConfigError, match=told):
        run(tmp_path, mistaken)
    assert not (tmp_path / "run" / "judgments.jsonl").exists()


def test_nonsense_ends_the_run_naming_judge_and_item_and_what_is_allowed(tmp_path: Path) -> None:
    @judge_function(questions=SHORT)
    def wrong(item: Conversation) -> str:
        return "maybe" if item.id == "c2" else "yes"

    with pytest.raises(ConfigError) as caught:
        run(tmp_path, wrong)
    assert str(caught.value) == (
        "judge wrong, item c2: received 'maybe' (str) for 'short'; allowed are no, yes"
    )
    assert {row["item"] for row in rows_of(tmp_path / "run")} <= {"c0", "c1"}


def test_judgments_of_its_own_are_kept_under_its_name(tmp_path: Path) -> None:
    @judge_function(questions="length")
    def each_turn(item: Conversation) -> list[Judgment]:
        return [
            Judgment(item.id, "me", "length", score=float(len(turn.text)), turn=at)
            for at, turn in enumerate(item.turns)
        ]

    run(tmp_path, each_turn, items=[talk("c", "a", "bb", "ccc")])
    found = [(row["judge"], row["turn"], row["score"]) for row in rows_of(tmp_path / "run")]
    assert found == [("each_turn", 0, 1.0), ("each_turn", 1, 2.0), ("each_turn", 2, 3.0)]


def test_the_same_run_goes_on_and_a_changed_function_is_another(tmp_path: Path) -> None:
    calls: list[str] = []

    def made(words: str) -> FunctionJudge:
        @judge_function(name="m")
        def one(item: Conversation) -> float:
            calls.append(item.id)
            return float(len(words))

        return one

    run(tmp_path, made("a"))
    asked = len(calls)
    run(tmp_path, made("a"))
    assert len(calls) <= asked + 1  # the last answer is had anew: it may be any number of rows
    assert (
        len({row["item"] for row in rows_of(tmp_path / "run")})
        == len(rows_of(tmp_path / "run"))
        == 5
    )
    with pytest.raises(ConfigError):
        run(tmp_path, made("another"))


def test_its_signature_is_of_its_source_its_questions_and_its_version() -> None:
    def first(item: Conversation) -> float:
        return 1.0

    def second(item: Conversation, x: int = 0) -> float:
        return 2.0

    def signed(function: Callable[[Any], Any], **given: Any) -> str:
        return judge_function(name="n", **given)(function).signature

    assert signed(first) == signed(first)
    others = [
        signed(second),
        signed(first, version=2),
        signed(first, questions="other"),
        signed(first, kind="model"),
    ]
    assert len({signed(first), *others}) == 5
    made: dict[str, Any] = {}
    for number in (1, 2):  # without a source, as typed into an interpreter
        exec(f"def f{number}(item): return {number}", made)
    assert signed(made["f1"]) == signed(made["f1"]) != signed(made["f2"])
    assert signed(len) != signed(sum)
    assert signed(partial(second, x=1)) != signed(partial(second, x=2)) != signed(first)

    class Once:
        def __call__(self, item: Conversation) -> float:
            return 1.0

    class Again:
        def __call__(self, item: Conversation) -> float:
            return 2.0

    Again.__qualname__ = Once.__qualname__
    assert signed(Once()) == signed(Once()) != signed(Again())


NO_ITEM: Any = lambda: 1  # noqa: E731
TWO: Any = lambda a, b: 1  # noqa: E731


async def later(item: Conversation) -> str:
    return "yes"


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: judge_function(later), "judge later is an async function; write `def`"),
        (lambda: judge_function(NO_ITEM), "cannot be named '<lambda>'"),
        (lambda: judge_function(name="n")(NO_ITEM), r"called with one item; n\(\): too many"),
        (lambda: judge_function(name="n")(TWO), "missing a required argument: 'b'"),
        (lambda: judge_function(name="gold")(len), "`gold` is for labels"),
        (lambda: judge_function(name="a b")(len), "cannot be named 'a b'"),
        (lambda: judge_function(name="n")(3), "received 3; expected a function of an item"),  # type: ignore[arg-type]
        (lambda: judge_function(takes="turn")(len), "give conversation, pair, continuation"),
        (lambda: judge_function(kind="robot")(len), "give person, model, metric, evaluator"),  # type: ignore[call-overload]
        (lambda: judge_function(questions=[])(len), r"questions is \[\]; give a name"),
        (lambda: judge_function(questions=3)(len), "questions is 3; give a name"),  # type: ignore[call-overload]
        (
            lambda: judge_function(questions=["a", "a"])(len),
            "question a is there twice: two questions have one id",
        ),
        (
            lambda: judge_function(questions=Question("q", kind="ordinal"))(len),
            "question q of kind ordinal needs answers",
        ),
        (
            lambda: judge_function(
                questions=Question("q", kind="ordinal", answers=("1", "2"), values=(1.0,))
            )(len),
            "1 values for 2 answers",
        ),
    ],
)
def test_what_cannot_be_a_judge_is_refused_when_it_is_made(
    make: Callable[[], Any], told: str
) -> None:
    with pytest.raises(ConfigError, match=told):
        make()
