"""`assize rubric` as users call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from typer.testing import CliRunner

from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.cli import app
from assize.formats import read_judgments, write


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    path = tmp_path / "chats.jsonl"
    asked = (Turn("user", "Is it far?"),)
    write(path, (Conversation(f"c{n}", (*asked, Turn("assistant", f"{n}"))) for n in range(3)))
    return path


def run(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_a_run_holds_one_judgment_a_question_and_its_questions(chats: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with ChatServer() as server:
        command = ["rubric", "ask", chats, "-m", "openai:m", "-r", "information-seeking"]
        more = ["--base-url", server.url, "--variant", "plain", "--variant", "newcomer", "-o", out]
        run(*command, *more)
        asked = len(server.seen)
        run(*command, *more)
        assert len(server.seen) == asked == 3 * 5 * 2
    table = read_judgments([out / "judgments.jsonl"])
    assert set(table.judges) == {"rubric@openai:m", "rubric/newcomer@openai:m"}
    assert len(table) == 3 * 9 * 2
    assert sum(row.answer == "NA" for row in table) == 3 * 4 * 2
    assert all((row.call is None) == (row.answer == "NA") for row in table)  # nothing was called
    assert len({row.call for row in table}) == 1 + 3 * 5 * 2
    assert table.questions["Q8"].kind == "nominal"
    assert table.questions["Q0"].extra["main"] is True
    described = json.loads((out / "run.json").read_text())
    assert described["prompts"]["rubric@openai:m"].startswith("information-seeking 1 ")


def test_the_same_judge_is_in_assize_judge(chats: Path, tmp_path: Path) -> None:
    judged = ["judge", chats, "-j", "rubric/reasons@scripted:any", "--set", "rubric=general"]
    value = json.loads(run(*judged, "-o", tmp_path / "run", "--json").stdout)
    counts = {(row["judge"], row["question"]): row["n"] for row in value["answers"]}
    assert counts["rubric/reasons@scripted:any", "overall"] == 3


def test_a_misspelt_file_leaves_no_folder_behind(chats: Path, tmp_path: Path) -> None:
    model, out = ["-m", "scripted:any"], ["-o", tmp_path / "run"]
    for command in (["rubric", "ask", *model], ["judge", "-j", "rubric@scripted:any"]):
        for name in ("chat.jsonl", "chat.csv"):
            wrong = [str(part) for part in (*command, tmp_path / name, *out)]
            failed = CliRunner().invoke(app, wrong)
            assert isinstance(failed.exception, DataError)
            assert not (tmp_path / "run").exists()
    run("rubric", "ask", chats, *model, *out)


def test_another_rubric_is_another_run(chats: Path, tmp_path: Path) -> None:
    command = ["rubric", "ask", chats, "-m", "scripted:any", "-o", tmp_path / "run"]
    run(*command)
    result = CliRunner().invoke(
        app, [str(part) for part in [*command, "-r", "information-seeking"]]
    )
    assert "another command" in str(result.exception)


def test_a_dry_run_counts_one_call_a_question_where_probabilities_come(chats: Path) -> None:
    command = ["rubric", "ask", chats, "--dry-run", "--json", "-r", "information-seeking"]
    with_them = json.loads(run(*command, "-m", "openai:gpt-4o").stdout)
    assert with_them["by_model"]["openai:gpt-4o"]["calls"] == 3 * 5
    without = json.loads(run(*command, "-m", "anthropic:claude-x", "--samples", "4").stdout)
    assert without["by_model"]["anthropic:claude-x"]["calls"] == 3 * 5 * 5


def test_a_questions_messages_are_shown(chats: Path) -> None:
    shown = run("rubric", "ask", chats, "-m", "scripted:any", "--show-prompt", "tone").stdout
    assert "right for this user" in shown
    assert "Is it far?" in shown


def refused(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code in (1, 2)
    return result.output + str(result.exception)


def test_messages_of_a_question_that_models_are_not_asked_are_refused(chats: Path) -> None:
    said = refused("rubric", "ask", chats, "-m", "scripted:any", "--show-prompt", "conversation")
    assert "asks models no question 'conversation'; it asks understanding" in said


PEOPLE = """\
rubric: people
main: good
sections:
  - questions:
      - {id: good, text: "Good?", for: people, answers: [1, 2]}
"""


def test_a_rubric_for_people_only_is_refused(chats: Path, tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(PEOPLE)
    command = ["rubric", "ask", chats, "-m", "scripted:any", "-r", tmp_path / "r.yaml"]
    assert "has questions for people only" in refused(*command, "-o", tmp_path / "run")


def test_a_main_question_for_people_only_leaves_the_others_to_models(
    chats: Path, tmp_path: Path
) -> None:
    more = '      - {id: clear, text: "Clear?", answers: [1, 2]}\n'
    (tmp_path / "r.yaml").write_text(PEOPLE + more)
    command = ["rubric", "ask", chats, "-m", "scripted:any", "-r", tmp_path / "r.yaml"]
    dry = json.loads(run(*command, "--dry-run", "--json").stdout)
    assert dry["by_model"]["scripted:any"]["calls"] > 0
    run(*command, "-o", tmp_path / "run")
    assert {row.question for row in read_judgments([tmp_path / "run"])} == {"clear"}


@pytest.mark.parametrize("option", [("--answered", "x"), ("--least", "0.5")])
def test_an_option_of_the_adaptive_rubric_is_refused_without_it(
    chats: Path, option: tuple[str, str]
) -> None:
    said = refused("rubric", "ask", chats, "-m", "scripted:any", *option, "--dry-run")
    assert "name --adaptive" in said


def test_the_shipped_rubrics_are_listed() -> None:
    assert "information-seeking" in run("rubric", "show").stdout
    value = json.loads(run("rubric", "show", "--json").stdout)
    assert {one["rubric"]: one["main"] for one in value["rubrics"]}["information-seeking"] == "Q0"
    assert len(value["signature"]) == 12


def test_a_rubric_is_shown_and_its_file_begins_ones_own(tmp_path: Path) -> None:
    shown = run("rubric", "show", "information-seeking").stdout
    assert "asked where has_references, else NA" in shown
    mine = tmp_path / "mine.yaml"
    mine.write_text(run("rubric", "show", "general", "--yaml").stdout)
    value = json.loads(run("rubric", "show", mine, "--json").stdout)["rubric"]
    assert value["name"] == "general"
    assert value["skips"] == {"conversation": {"no": "end"}}
    assert value["sections"][0]["questions"][0]["id"] == "conversation"
