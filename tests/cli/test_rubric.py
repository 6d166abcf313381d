"""`assize rubric` as users call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from chat_server import ChatServer
from command_line import read_json, read_refusal, run

from assize.base.conversation import Conversation, Turn
from assize.formats import read_judgments, write


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    path = tmp_path / "chats.jsonl"
    asked = (Turn("user", "Is it far?"),)
    write(path, (Conversation(f"c{n}", (*asked, Turn("assistant", f"{n}"))) for n in range(3)))
    return path


@pytest.fixture
def ask(chats: Path) -> list[object]:
    """Command that asks a scripted model, but for the folder."""
    return ["rubric", "ask", chats, "-m", "scripted:any"]


def test_a_run_holds_one_judgment_a_question_and_its_questions(chats: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with ChatServer() as server:
        command = ["rubric", "ask", chats, "-m", "openai:m", "-r", "information-seeking"]
        variants = ["--variant", "plain", "--variant", "newcomer"]
        run(*command, *variants, "--base-url", server.url, "-o", out)
        asked = len(server.seen)
        run(*command, *variants, "--base-url", server.url, "-o", out)
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
    judge = ("-j", "rubric/reasons@scripted:any", "--set", "rubric=general")
    answers = read_json("judge", chats, *judge, "-o", tmp_path / "run")["answers"]
    counts = {(row["judge"], row["question"]): row["n"] for row in answers}
    assert counts["rubric/reasons@scripted:any", "overall"] == 3


@pytest.mark.parametrize("name", ["chat.jsonl", "chat.csv"])
@pytest.mark.parametrize(
    "command",
    [["rubric", "ask", "-m", "scripted:any"], ["judge", "-j", "rubric@scripted:any"]],
    ids=["rubric", "judge"],
)
def test_a_misspelt_file_leaves_no_folder_behind(
    command: list[str], name: str, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    assert "there is no such file" in read_refusal(*command, tmp_path / name, "-o", out)
    assert not out.exists()


def test_another_rubric_is_another_run(ask: list[object], tmp_path: Path) -> None:
    run(*ask, "-o", tmp_path / "run")
    refused = read_refusal(*ask, "-o", tmp_path / "run", "-r", "information-seeking")
    assert "another command" in refused


@pytest.mark.parametrize(
    ("model", "more", "calls"),
    [("openai:gpt-4o", (), 1), ("anthropic:claude-x", ("--samples", "4"), 5)],
)
def test_a_dry_run_counts_one_call_a_question_where_probabilities_come(
    chats: Path, model: str, more: tuple[str, ...], calls: int
) -> None:
    command = ("rubric", "ask", chats, "--dry-run", "-r", "information-seeking", "-m", model)
    assert read_json(*command, *more)["by_model"][model]["calls"] == 3 * 5 * calls


def test_a_questions_messages_are_shown(ask: list[object]) -> None:
    shown = run(*ask, "--show-prompt", "tone").stdout
    assert "right for this user" in shown
    assert "Is it far?" in shown


PEOPLE = """\
rubric: people
main: good
sections:
  - questions:
      - {id: good, text: "Good?", for: people, answers: [1, 2]}
"""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--show-prompt", "conversation"], "asks models no question 'conversation'; it asks und"),
        (["-r", "people.yaml"], "has questions for people only"),
        (["--answered", "x", "--dry-run"], "name --adaptive"),
        (["--least", "0.5", "--dry-run"], "name --adaptive"),
    ],
)
def test_what_models_cannot_be_asked_is_refused(
    ask: list[object],
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("people.yaml").write_text(PEOPLE)
    assert message in read_refusal(*ask, *options, "-o", "run")


def test_a_main_question_for_people_only_leaves_the_others_to_models(
    ask: list[object], tmp_path: Path
) -> None:
    more = '      - {id: clear, text: "Clear?", answers: [1, 2]}\n'
    (tmp_path / "r.yaml").write_text(PEOPLE + more)
    command = [*ask, "-r", tmp_path / "r.yaml"]
    assert read_json(*command, "--dry-run")["by_model"]["scripted:any"]["calls"] > 0
    run(*command, "-o", tmp_path / "run")
    assert {row.question for row in read_judgments([tmp_path / "run"])} == {"clear"}


def test_shipped_rubrics_are_listed_and_the_file_of_one_begins_ones_own(tmp_path: Path) -> None:
    assert "information-seeking" in run("rubric", "show").stdout
    listed = read_json("rubric", "show")["rubrics"]
    assert {row["rubric"]: row["main"] for row in listed}["information-seeking"] == "Q0"
    shown = run("rubric", "show", "information-seeking").stdout
    assert "asked where has_references, else NA" in shown
    mine = tmp_path / "mine.yaml"
    mine.write_text(run("rubric", "show", "general", "--yaml").stdout)
    rubric = read_json("rubric", "show", mine)["rubric"]
    assert rubric["name"] == "general"
    assert rubric["skips"] == {"conversation": {"no": "end"}}
    assert rubric["sections"][0]["questions"][0]["id"] == "conversation"
