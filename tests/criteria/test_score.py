"""Conversations scored by criteria from Python, and what takes such a run afterwards."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from chat_server import Body, ChatServer, Llama, completion
from tests.criteria.conftest import BAD, GOOD, SET
from with_asking import with_asking

import assize
from assize.base.conversation import Conversation, Turn
from assize.base.errors import AssizeError, ConfigError
from assize.base.judgment import Judgment
from assize.criteria._criterion import Criterion
from assize.criteria._reading import criteria_text
from assize.judging.asking import Asking

SHOWS = {
    "The assistant names the line that fails.": "Line 12",
    "The user says that the fix works.": "That works",
    "The assistant repeats a fix that did not work.": "Still",
}


def knowing(body: Body) -> Body:
    """A model that looks for a word in the dialogue, and says how far each statement holds."""
    said = body["messages"][-1]["content"]
    dialogue, _, asked = said.rpartition("Statements:")
    answers: dict[str, Any] = {}
    fields = body["response_format"]["json_schema"]["schema"]["properties"]
    for name, text in re.findall(r"^(s\d+): (.*)$", asked, re.MULTILINE):
        word = "Agree" if SHOWS[text] in dialogue else "Disagree"
        answers[name] = next(one for one in fields[name]["enum"] if one[2:] == word)
        if f"{name}_turns" in fields:
            answers[f"{name}_turns"] = [1] if word == "Agree" else []
    return completion(body, json.dumps(answers))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "criteria.yaml"
    path.write_text(criteria_text(SET).replace("scripted:test", "openai:tiny"), encoding="utf-8")
    return path


def many(count: int) -> list[Conversation]:
    """Good and bad conversations in turn, each with texts of its own."""
    return [
        Conversation(f"c{n}", (Turn("user", f"Number {n}."), *(GOOD, BAD)[n % 2].turns))
        for n in range(count)
    ]


def nets(table: Any) -> dict[str, float | None]:
    return {row.item: row.score for row in table if row.question == "NetSAT"}


def test_good_and_bad_conversations_are_told_apart_end_to_end(file: Path) -> None:
    with ChatServer(knowing) as server:
        asking = Asking(base_url=server.url)
        table = assize.criteria.score(
            [GOOD, BAD], file, model="openai:tiny", quiet=True, asking=asking
        )
        assert len(server.seen) == 4
    assert nets(table) == {"good": 7.5 + 7.5 - 2.5, "bad": 2.5 + 2.5 - 7.5}
    labels = {
        row.item: row.details["label"] for row in table if row.question == "NetSAT" and row.details
    }
    assert labels == {"good": "good", "bad": "open"}
    assert table.judges == (f"criteria@{file}@openai:tiny",)
    assert not table.inferred


def test_a_set_is_loaded_and_predicts(file: Path, tmp_path: Path) -> None:
    given = assize.load(file)
    with ChatServer(knowing) as server:
        asking = assize.Asking(base_url=server.url)
        table = given.predict([GOOD, BAD], model="openai:tiny", quiet=True, asking=asking)
        assert table.judges == ("criteria@debugging@openai:tiny",)
        with pytest.raises(ConfigError, match=r"debugging was learnt with openai:tiny; .*--model"):
            given.predict([GOOD], quiet=True, asking=asking)
        assert len(server.seen) == 4
    assert nets(table)["good"] == 12.5
    assert assize.load(tmp_path) == given  # by its name in a folder
    assert given.predict([GOOD], model="scripted:any", quiet=True).judges == (
        "criteria@debugging@scripted:any",
    )


def test_the_run_is_resumed_and_nothing_is_asked_twice(file: Path, tmp_path: Path) -> None:
    with ChatServer(knowing) as server:
        told: dict[str, Any] = {"model": "openai:tiny", "base_url": server.url, "quiet": True}
        plan = partial(
            assize.criteria.score.plan, many(6), file, out=tmp_path / "run", **with_asking(**told)
        )
        first = plan().outcome()
        assert first.missing == (0, 24)
        path = tmp_path / "run" / "judgments.jsonl"
        rows = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(rows[:9]) + rows[9][:20])  # killed while writing
        again = plan().outcome()
        assert len(server.seen) == 12
    assert (again.netsat, again.criteria) == (first.netsat, first.criteria)


def test_an_estimate_and_a_prompt_ask_nothing(file: Path) -> None:
    found = assize.criteria.score.plan(
        [GOOD, BAD], file, model="openai:tiny", quiet=True
    ).estimate()
    assert found.by_model["openai:tiny"].calls == 4
    shown = assize.criteria.score.plan([GOOD], SET, model="openai:tiny").first_prompt("again")
    text = "".join(shown.lines)
    assert "The assistant repeats" in text
    assert "names the line" not in text


def test_other_ways_of_asking_are_options_of_the_judge(file: Path) -> None:
    how: dict[str, Any] = {"model": "scripted:any", "scale": "numeric", "values": "answer"}
    table = assize.criteria.score([GOOD], file, quiet=True, **how)
    assert table.questions["line"].answers[-1] == "10"
    assert len({row.call for row in table}) == 1 + 2
    options = {f"criteria_{name}": value for name, value in how.items()}
    same = assize.judge([GOOD], f"criteria@{file}", quiet=True, options=options)
    assert [row.signature for row in same] == [row.signature for row in table]
    assert same.judges == table.judges


@pytest.mark.parametrize(
    ("given", "how", "message"),
    [
        ("gone.yaml", {}, "there is no such file"),
        (SET, {"scale": "stars"}, "scale"),
        (5, {}, "criteria: received 5"),
        (SET, {"model": []}, "model is empty"),
    ],
)
def test_what_does_not_fit_is_said(given: Any, how: dict[str, Any], message: str) -> None:
    with pytest.raises(AssizeError, match=message):
        assize.criteria.score([GOOD], given, **how)


def test_a_real_tiny_model_scores_and_its_run_is_read(
    file: Path, tiny_llama: Path, tmp_path: Path
) -> None:
    with ChatServer(Llama(tiny_llama)) as server:
        told: dict[str, Any] = {"model": "openai:tiny", "base_url": server.url, "quiet": True}
        found = assize.criteria.score.plan(
            [GOOD, BAD], file, out=tmp_path / "run", **with_asking(**told)
        ).outcome()
    assert found.missing == (0, 8)
    table = assize.read_judgments([tmp_path / "run"])
    assert all(row.distribution is not None for row in table if row.question != "NetSAT")


LARGER = replace(
    SET,
    name="larger",
    criteria=(
        replace(SET.criteria[0], text="The assistant names the line that throws."),
        *SET.criteria[1:],
        Criterion("asks", "The assistant asks for what it needs.", "sat"),
    ),
    labelling=None,
)


def versions(tmp_path: Path) -> list[str]:
    files = {"old.yaml": replace(SET, labelling=None), "new.yaml": LARGER}
    for name, one in files.items():
        text = criteria_text(replace(one, model="scripted:any"))
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [str(tmp_path / name) for name in files]


def test_two_versions_of_a_set_stand_in_one_run_with_a_netsat_each(tmp_path: Path) -> None:
    old, new = versions(tmp_path)
    judges = [f"criteria@{old}", f"criteria@{new}@scripted:any", f"criteria@{old}@scripted:first"]
    asked: Any = {"out": tmp_path / "run", "quiet": True}
    table = assize.judge(many(4), judges, **with_asking(**asked))
    by_judge = {name: table.where(judge=name).asked for name in judges}
    told = [f"NetSAT@{old}", f"line@{old}", "works", "again"]
    assert list(by_judge[judges[0]]) == list(by_judge[judges[2]]) == told
    assert list(by_judge[judges[1]]) == [
        f"NetSAT@{new}",
        f"line@{new}",
        "works",
        "again",
        "asks",
    ]
    assert table.questions[f"NetSAT@{old}"].range == (-10, 20)
    assert table.questions[f"NetSAT@{new}"].range == (-10, 30)
    assert not assize.read_judgments([tmp_path / "run"]).inferred
    again = assize.judge(many(4), judges, **with_asking(**asked))
    assert [row.key for row in again] == [row.key for row in table]


def test_runs_of_two_versions_are_compared_in_one_table(tmp_path: Path) -> None:
    names = versions(tmp_path)
    for name in names:
        assize.criteria.score(
            many(6), name, model="scripted:any", out=Path(name).with_suffix(""), quiet=True
        )
    runs = [Path(name).with_suffix("") for name in names]
    first = assize.read_judgments([runs[0]])
    assert first.asked[0] == "NetSAT"  # alone it keeps its name
    both = assize.read_judgments(runs)
    told = [f"NetSAT@{name}" for name in names]
    assert [one for one in both.asked if one.startswith("NetSAT")] == told
    found = assize.agree(runs, same={told[1]: told[0]}, question=told[0])
    assert json.dumps(found.to_json()).count("scripted:any") > 1
    assize.report(both, tmp_path / "page.html")
    assert told[1] in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_two_sets_with_one_range_share_netsat(tmp_path: Path) -> None:
    old, _ = versions(tmp_path)
    other = tmp_path / "other.yaml"
    same = [replace(one, id=f"{one.id}-2") for one in SET.criteria]
    other.write_text(
        criteria_text(replace(SET, criteria=tuple(same), labelling=None, model="scripted:any"))
    )
    table = assize.judge(many(2), [f"criteria@{old}", f"criteria@{other}"], quiet=True)
    assert "NetSAT" in table.asked
    assert len(table.where(question="NetSAT").judges) == 2


@pytest.fixture
def answers(file: Path, tmp_path: Path) -> assize.JudgmentTable:
    """Good and bad conversations in turn, judged by the criteria, in a run."""
    with ChatServer(knowing) as server:
        asking = Asking(base_url=server.url)
        judge = f"criteria@{file}@openai:tiny"
        return assize.judge(many(24), judge, out=tmp_path / "run", quiet=True, asking=asking)


def test_agree_and_pages_take_netsat_and_each_criterion_as_questions(
    answers: assize.JudgmentTable, tmp_path: Path
) -> None:
    rows = [
        Judgment(item, name, "NetSAT", score=float(place + shift), kind="person")
        for shift, name in enumerate(("ann", "bob"))
        for place, item in enumerate(answers.items)
    ]
    rated = assize.JudgmentTable.of(rows, [SET.questions[0]])
    agreed = assize.agree(assize.JudgmentTable.concat([answers, rated]))
    assize.report(tmp_path / "run", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for name in ("NetSAT", "line", "works", "again"):
        assert f'"{name}"' in json.dumps(agreed.to_json())
        assert name in page


def test_calibration_learns_from_netsat_and_criteria_and_compares(
    answers: assize.JudgmentTable,
) -> None:
    question = assize.Question("ok", kind="ordinal", answers=("1", "2"), values=(1, 2))
    good = {item: int(item[1:]) % 2 == 0 for item in answers.items}
    rows = [
        Judgment(item, "ann", "ok", answer="12"[one], kind="person") for item, one in good.items()
    ]
    rated = assize.JudgmentTable.of(rows, [question])
    fitted = assize.calibrate.fit(answers, rated, target="ok", quiet=True)
    scores = {row.item: row.score or 0 for row in fitted.predict(answers)}
    assert {item: score > 1.5 for item, score in scores.items()} == good
    better, worse = (
        answers.where(item=[item for item, one in good.items() if one is side])
        for side in (True, False)
    )
    sets: Any = {"against": worse, "unpaired": True, "resamples": 40}
    (gap,) = assize.calibrate.compare(fitted, better, **sets).to_json()["differences"]
    assert gap["mean"]["interval"][1] < 0  # against less answers
