from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from assize.artefacts import attach, open_artefact
from assize.calibration.artefact import CORRECTION, KIND
from assize.cli import app
from assize.conversation import Conversation, Turn
from assize.formats import read_judgments, write
from assize.judgment import Judgment, Question

ANSWERS = ("1", "2", "3", "4")
QUESTION = Question("Q0", kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4))


def run(*arguments: str, code: int = 0) -> Any:
    done = CliRunner().invoke(app, ["calibrate", *arguments])
    assert done.exit_code == code, done.output + repr(done.exception)
    return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A calibrator fitted on English conversations; for the split and the held ratings,
    answers about German ones are one lower."""
    rng = np.random.default_rng(0)
    answers: list[Judgment] = []
    ratings: dict[str, list[Judgment]] = {"seen": [], "split": [], "held": []}
    chats: list[Conversation] = []
    for n in range(900):
        p = rng.dirichlet(np.ones(4))
        shares = dict(zip(ANSWERS, p.tolist(), strict=True))
        answers.append(Judgment(f"i{n}", "m", "Q0", distribution=shares, kind="model"))
        part = ("seen", "split", "held")[n // 300]
        german = part != "seen" and n % 2 == 0
        turns = (Turn("user", "hello"), Turn("assistant", "hi"))
        chats.append(Conversation(f"i{n}", turns, metadata={"language": "de" if german else "en"}))
        for rater in ("ann", "bob"):
            given = max(1, int(rng.choice(4, p=p)) + 1 - german)
            row = Judgment(f"i{n}", rater, "Q0", answer=str(given), kind="person")
            ratings[part].append(row)
    write(tmp_path / "answers.jsonl", answers, questions=[QUESTION])
    for name, rows in ratings.items():
        write(tmp_path / f"{name}.jsonl", rows, questions=[QUESTION])
    write(tmp_path / "chats.jsonl", chats)
    run("fit", *given_(tmp_path, "seen"), "-t", "Q0", "--out", str(tmp_path / "c"))
    return tmp_path


def given_(folder: Path, ratings: str) -> list[str]:
    return ["-a", str(folder / "answers.jsonl"), "-r", str(folder / f"{ratings}.jsonl")]


def corrected(folder: Path, ratings: str, *more: str) -> Any:
    chats = str(folder / "chats.jsonl")
    by = ("--by", "metadata.language", "--by", "rater")
    found = run("correct", str(folder / "c"), *given_(folder, ratings), "--items", chats, *by,
                "--json", *more)  # fmt: skip
    return json.loads(found.stdout)


def test_a_correction_takes_the_bias_off_held_ratings(folder: Path) -> None:
    chats = str(folder / "chats.jsonl")
    audit = ["audit", str(folder / "c"), *given_(folder, "held"), "--items", chats,
             "--by", "metadata.language", "--json"]  # fmt: skip
    before = json.loads(run(*audit).stdout)
    found = corrected(folder, "split")
    assert (found["n"], found["items"]) == (600, 300)
    assert {patch["group"] for patch in found["patches"]} >= {"de"}
    after = json.loads(run(*audit).stdout)
    assert (before["corrected"], after["corrected"]) == (False, True)
    assert after["signature"] == found["signature"] != before["signature"]
    (de, _), (better, en) = before["groups"], after["groups"]
    assert de["bias"]["estimate"] > 0.5
    assert abs(better["bias"]["estimate"]) < 0.15
    assert abs(en["bias"]["estimate"]) < 0.15
    assert better["log_loss"]["estimate"] < de["log_loss"]["estimate"] - 0.05
    assert better["smooth_ece"]["estimate"] < de["smooth_ece"]["estimate"] - 0.1
    assert json.loads(run(*audit, "--uncorrected").stdout)["groups"] == before["groups"]


def test_predictions_are_corrected_by_the_conversations_group(folder: Path) -> None:
    signature = corrected(folder, "split")["signature"]
    answers = str(folder / "answers.jsonl")
    fixed = ["predict", str(folder / "c"), "-a", answers, "--raters", "ann,unknown"]
    chats = ["--items", str(folder / "chats.jsonl")]
    means = {}
    for name, more in (("with", chats), ("without", ["--uncorrected"])):
        out = str(folder / f"{name}.jsonl")
        run(*fixed, *more, "--out", out)
        rows = [row for row in read_judgments([out]) if int(row.item[1:]) >= 300]
        assert (rows[0].signature == signature) is (name == "with")
        german = [row.score for row in rows if int(row.item[1:]) % 2 == 0]
        means[name] = np.mean([score for score in german if score is not None])
        assert all(sum((row.distribution or {}).values()) == pytest.approx(1) for row in rows)
    assert means["without"] - means["with"] > 0.4
    done = CliRunner().invoke(app, ["calibrate", *fixed])
    assert "give the conversations that have it with --items" in str(done.exception)


COMMANDS = {
    "select": ("--by", "^(i)"),
    "compare": ("--by", "^i\\d*([05])$", "--resamples", "20"),
    "next": ("--count", "900"),
}


def german(found: Any, command: str) -> float:
    """What a command says of German items: a mean answer, or how open it is."""
    if command == "select":
        return float(found["selections"][0]["average"])
    if command == "compare":
        return float(found["sets"]["0"]["mean"]["estimate"])  # even items, held ones German
    rows = [row for row in found["items"]["Q0"]["uncertain"] if int(row["item"][1:]) >= 300]
    return float(np.mean([row["entropy"] for row in rows if int(row["item"][1:]) % 2 == 0]))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_reader_of_the_folder_corrects(folder: Path, command: str) -> None:
    patched = corrected(folder, "split")["signature"]
    fixed = [command, str(folder / "c"), "-a", str(folder / "answers.jsonl"), *COMMANDS[command]]
    chats = ["--items", str(folder / "chats.jsonl")]
    whole = json.loads(run(*fixed, *chats, "--json").stdout)
    plain = json.loads(run(*fixed, "--uncorrected", "--json").stdout)
    assert (whole["corrected"], plain["corrected"]) == (True, False)
    said, bare = (one.get("calibrator", one["signature"]) for one in (whole, plain))
    assert said == patched != bare
    assert abs(german(plain, command) - german(whole, command)) > 0.05
    done = CliRunner().invoke(app, ["calibrate", *fixed])
    assert "give the conversations that have it with --items" in str(done.exception)


def test_gains_are_those_of_the_calibrator_and_not_corrected(folder: Path) -> None:
    corrected(folder, "split")
    fixed = ["next", str(folder / "c"), "-a", str(folder / "answers.jsonl"), "--json"]
    whole = json.loads(run(*fixed, "--items", str(folder / "chats.jsonl")).stdout)
    assert whole["next"] == json.loads(run(*fixed, "--uncorrected").stdout)["next"]


def test_a_calibrator_without_fault_stays_as_it_is(folder: Path) -> None:
    assert corrected(folder, "seen")["patches"] == []
    fixed = ["predict", str(folder / "c"), "-a", str(folder / "answers.jsonl"), "--json"]
    same = json.loads(run(*fixed, "--items", str(folder / "chats.jsonl")).stdout)
    assert same["raters"] == json.loads(run(*fixed, "--uncorrected").stdout)["raters"]
    assert json.loads(run(*fixed).stdout) == same  # nothing depends on groups: no --items


def test_another_calibrator_needs_another_correction(folder: Path) -> None:
    corrected(folder, "split")
    kept = open_artefact(KIND, folder / "c").read(CORRECTION)
    run("fit", *given_(folder, "held"), "-t", "Q0", "--out", str(folder / "c"))
    attach(open_artefact(KIND, folder / "c"), CORRECTION, ".json", kept)
    done = CliRunner().invoke(
        app, ["calibrate", "predict", str(folder / "c"), "-a", str(folder / "answers.jsonl")]
    )
    assert "learnt for another calibrator than the one in this folder" in str(done.exception)
