"""Judges that are prompts: asking, asking again, mapping back, distributions."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.judging.conftest import Recorded, why_unscored

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import ServerError, TooLongError
from assize.base.judgment import Question
from assize.judging.judge import JudgeSettings, Task
from assize.judging.judges.io import IO
from assize.judging.method import Method, Said
from assize.judging.prompt_judge import PromptJudge
from assize.judging.schemas import one_of, record
from assize.judging.summary import Summary
from assize.judging.table import JUDGES, offer
from assize.models import Reply, Request, Scripted, Token
from assize.models.cache import key_of
from assize.models.model import Capability
from assize.models.scripted import any_answer

PAIR = Pair("p1", (Turn("user", "Hi"),), (Turn("assistant", "one"),), (Turn("assistant", "two"),))
TALK = Conversation("c1", (Turn("user", "Hi"), Turn("assistant", "one")))


def ask(
    script: Callable[[Request], Any],
    task: Task,
    *,
    method: Method = IO,
    settings: JudgeSettings | None = None,
    capabilities: frozenset[Capability] = frozenset(),
) -> Any:
    """The rows of a task, by a judge whose model is a script."""
    model = Scripted(script, capabilities=capabilities)
    judge = PromptJudge(method, model, JudgeSettings() if settings is None else settings)
    return asyncio.run(judge.judge(task))


@pytest.mark.parametrize(("order", "answer"), [("AB", "A"), ("BA", "B")])
def test_with_order_ba_the_sides_are_shown_exchanged_and_the_answer_is_mapped_back(
    order: Any, answer: str
) -> None:
    script = Recorded('{"answer": "A"}')
    (row,) = ask(script, Task(PAIR, order))
    assert (row.answer, row.order) == (answer, order)
    (shown,) = script.texts
    assert (shown.index("one") < shown.index("two")) is (order == "AB")


def test_a_distribution_from_logprobs_is_mapped_back_and_keeps_its_mass() -> None:
    top = (("A", math.log(0.6)), ("B", math.log(0.2)), ("x", math.log(0.1)))
    tokens = (Token('{"answer":"', -0.0), Token("A", math.log(0.6), top), Token('"}', -0.0))

    def script(request: Request) -> Reply:
        assert request.top_logprobs > 0
        return Reply('{"answer":"A"}', tokens=tokens)

    (row,) = ask(script, Task(PAIR, "BA"), capabilities=frozenset({"logprobs"}))
    assert row.answer == "B"
    assert row.distribution == pytest.approx({"B": 0.6, "A": 0.2, "tie": 0.0})
    assert row.outside == pytest.approx(0.1)
    assert row.details == {"method": "logprobs"}


def both(value: Mapping[str, Any]) -> Iterable[Said]:
    """Two answers in one reply, each in a field of its name."""
    return [Said(name, value[name], field=name) for name in ("kind", "clear")]


TWO = replace(
    IO,
    questions=(Question("kind"), Question("clear")),
    schema=record(kind=one_of(("yes", "no")), clear=one_of(("yes", "no"))),
    read=both,
    choice=None,
    choices=("kind", "clear"),
)


def test_each_of_several_fields_has_the_distribution_of_its_own_place() -> None:
    def place(name: str, yes: float) -> list[Token]:
        top = (("yes", math.log(yes)), ("no", math.log(1 - yes)))
        return [Token(f'"{name}":"', 0.0), Token("yes", math.log(yes), top), Token('",', 0.0)]

    text = '{"kind":"yes","clear":"yes"}'
    tokens = (Token("{", 0.0), *place("kind", 0.9), *place("clear", 0.6))
    rows = ask(
        lambda _: Reply(text, tokens=tokens),
        Task(PAIR, "AB"),
        method=TWO,
        capabilities=frozenset({"logprobs"}),
    )
    assert [row.distribution for row in rows] == [
        pytest.approx({"yes": 0.9, "no": 0.1}),
        pytest.approx({"yes": 0.6, "no": 0.4}),
    ]


def test_samples_fill_in_for_the_fields_whose_probabilities_did_not_come() -> None:
    top = (("yes", math.log(0.9)), ("no", math.log(0.1)))
    rest = Token('","clear":"yes"}', 0.0)
    tokens = (Token('{"kind":"', 0.0), Token("yes", math.log(0.9), top), rest)

    def script(request: Request) -> Reply:
        drawn = request.sample % 1_000_000
        clear = "no" if request.sample and drawn == 0 else "yes"
        text = json.dumps({"kind": "no" if request.sample else "yes", "clear": clear})
        return Reply(text, tokens=() if request.sample else tokens)

    kind, clear = ask(
        script,
        Task(PAIR, "AB"),
        method=TWO,
        capabilities=frozenset({"logprobs"}),
        settings=JudgeSettings(samples=4),
    )
    assert kind.distribution == pytest.approx({"yes": 0.9, "no": 0.1})
    assert clear.distribution == {"yes": 0.75, "no": 0.25}
    assert (kind.details, clear.details) == (
        {"method": "logprobs"},
        {"method": "samples", "samples": 4},
    )


def test_samples_give_a_distribution_with_their_count() -> None:
    def script(request: Request) -> str:
        drawn = request.sample % 1_000_000
        return "no idea" if drawn == 3 else json.dumps({"answer": "AAB"[drawn % 3]})

    (row,) = ask(script, Task(PAIR, "AB"), settings=JudgeSettings(samples=4))
    assert row.distribution == {"A": 0.5, "B": 0.25, "tie": 0.0}
    assert row.outside == 0.25
    assert row.details == {"method": "samples", "samples": 4}
    assert row.attempts == 5


def test_a_wrong_shape_is_asked_again_with_what_was_wrong_and_read_then() -> None:
    script = Recorded("A is better", "A is better", '{"answer": "A"}')
    (row,) = ask(script, Task(PAIR, "AB"))
    assert (row.answer, row.attempts) == ("A", 3)
    assert "no JSON object" in script.texts[1]
    assert len({key_of("m", request) for request in script.seen}) == 3
    assert [request.call_id.attempt for request in script.seen if request.call_id] == [1, 2, 3]


def test_parameters_that_were_left_out_are_said() -> None:
    (row,) = ask(lambda _: Reply('{"answer": "A"}', dropped_parameters=("seed",)), Task(PAIR, "AB"))
    assert row.details == {"without": ["seed"]}


def short(most: int) -> Callable[[Request], str]:
    def script(request: Request) -> str:
        if request.characters > most:
            raise TooLongError("too long", limit=most, needed=request.characters)
        return any_answer(request)

    return script


LONG = Pair(
    "long",
    tuple(Turn("user" if n % 2 == 0 else "assistant", f"turn {n} " + "x" * 500) for n in range(20)),
    PAIR.a,
    PAIR.b,
)


def test_what_is_too_long_is_unscored_with_the_numbers() -> None:
    (row,) = ask(short(6000), Task(LONG, "AB"))
    assert (row.unscored.reason, row.unscored.message) == ("too_long", "too long")


def test_truncation_leaves_out_the_oldest_turns_and_says_how_many() -> None:
    script = Recorded(short(6000))
    (row,) = ask(script, Task(LONG, "AB"), settings=JudgeSettings(truncate="oldest"))
    assert row.answer is not None
    left_out = row.details["left_out_turns"]
    assert 10 <= left_out < 20
    assert f"turn {left_out - 1} x" not in script.texts[-1]
    assert f"turn {left_out} x" in script.texts[-1]


def test_truncation_gives_up_where_nothing_is_left_to_leave_out() -> None:
    (row,) = ask(short(10), Task(PAIR, "AB"), settings=JudgeSettings(truncate="oldest"))
    assert why_unscored(row) == "too_long"


@pytest.mark.parametrize("name", JUDGES)
def test_every_judge_answers_all_its_questions(name: str) -> None:
    method = offer(name)
    if not isinstance(method, Method):
        pytest.skip(f"{name} is no single prompt; its own tests show this")
    pair = Pair in method.takes
    task = Task(PAIR if pair else TALK, "AB" if pair else None)
    rows = ask(any_answer, task, method=method)
    assert [row.question for row in rows] == [question.id for question in method.questions]
    for row, question in zip(rows, method.questions, strict=True):
        assert row.answer in question.answers
        if question.kind == "ordinal":
            assert row.score == float(row.answer or "nan")
    assert rows[0].usage is not None
    assert all(row.usage is None for row in rows[1:])


def test_few_shot_judges_show_judged_examples_in_their_own_form() -> None:
    script = Recorded(any_answer)
    for name in ("io-fewshot", "explained-fewshot"):
        ask(script, Task(PAIR, "AB"), method=offer(name))  # type: ignore[arg-type]
    io, explained = script.seen
    assert [message.role for message in io.messages] == [
        "system",
        *["user", "assistant"] * 3,
        "user",
    ]
    assert json.loads(io.messages[2].text) == {"answer": "A"}
    assert list(json.loads(explained.messages[2].text)) == ["explanation", "answer"]


def test_the_signature_changes_with_whatever_could_change_a_number() -> None:
    def signed(method: Method = IO, model: str = "m", **settings: Any) -> str:
        chosen = JudgeSettings(**settings)
        return PromptJudge(method, Scripted(str, name=model), chosen).signature

    others = [
        signed(model="n"),
        signed(method=replace(IO, version=2)),
        signed(method=replace(IO, prompt="explained")),
        signed(method=replace(IO, examples="pairs")),
        signed(temperature=1.0),
        signed(seed=1),
        signed(samples=5),
        signed(truncate="oldest"),
        signed(max_tokens=7),
    ]
    assert signed() == signed()
    assert len({signed(), *others}) == len(others) + 1


def test_another_installations_secret_changes_neither_signature_nor_cache_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    requests = []
    for name in ("one", "other"):
        monkeypatch.setenv("ASSIZE_CACHE_DIR", str(tmp_path / name))
        judge = PromptJudge(IO, Scripted(str), JudgeSettings())
        requests.append((judge.request(PAIR, Task(PAIR, "AB")), judge.signature))
    (first, signed), (second, again) = requests
    assert first.messages != second.messages
    assert key_of("m", first) == key_of("m", second)
    assert signed == again


def test_a_failure_after_a_wrong_shape_says_what_the_first_try_cost() -> None:
    (row,) = ask(Recorded("A is better", ServerError("down")), Task(PAIR, "AB"))
    assert (why_unscored(row), row.attempts) == ("server", 1)
    assert row.usage.output_tokens == 3


def test_items_with_invisible_characters_say_so_in_details_and_in_the_summary() -> None:
    script = Recorded('{"answer": "A"}')
    hidden = Pair("p", (), (Turn("assistant", "x\u200by"),), (Turn("assistant", "z"),))
    signatures = set()
    for invisible, shown in (("escape", "x[U+200B]y"), ("remove", "xy"), ("keep", "x\u200by")):
        settings = JudgeSettings(invisible=invisible)  # type: ignore[arg-type]
        judge = PromptJudge(IO, Scripted(script), settings)
        rows = asyncio.run(judge.judge(Task(hidden, "AB")))
        assert f"\n{shown}\n" in script.texts[-1]
        assert (rows[0].details or {})["invisible_characters"] == 1
        summary = Summary()
        summary.add(rows)
        assert summary.invisible == 1
        signatures.add(judge.signature)
    assert len(signatures) == 3
