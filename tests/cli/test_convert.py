"""`assize convert` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import assize

GOOD = '{"id": "a", "turns": [{"role": "user", "text": "hi"}]}\n'
BAD = GOOD.replace("user", "wizard")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "log.jsonl").write_text(GOOD + BAD)
    return tmp_path / "log.jsonl"


def test_a_bad_record_stops_with_place_and_what_to_do(log: Path) -> None:
    done = assize("convert", log, log.parent / "out.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"what was converted so far is kept in {log.parent / 'out.jsonl'}.part\n"
        f"assize: error: {log}:2: turns[0].role: received 'wizard';"
        " allowed are user, assistant, system, tool;"
        " mend the record, or leave bad ones out with --on-error skip\n"
    )


def test_skipping_keeps_bad_records_in_a_file_and_says_how_many(log: Path) -> None:
    out = log.parent / "out.jsonl"
    done = assize("convert", log, out, "--on-error", "skip", "--json")
    assert (done.returncode, json.loads(done.stdout)["rejects"]) == (0, 1)
    assert f"1 bad record was left out: see {out.with_name('out.rejects.jsonl')}" in done.stderr
    log.write_text(BAD)
    done = assize("convert", log, out, "--on-error", "skip")
    assert done.returncode == 2
    assert "no records were converted" in done.stderr


def test_standard_input_to_standard_output() -> None:
    done = assize("convert", "-", "-", "--quiet", stdin=GOOD)
    assert (json.loads(done.stdout)["id"], done.stderr, done.returncode) == ("a", "", 0)


def test_what_was_read_and_written_is_said(log: Path) -> None:
    log.write_text(GOOD)
    out = log.parent / "out.jsonl"
    done = assize("convert", log, out, "--to", "openai")
    assert done.stderr == f"{log}: read as assize\n{out}: 1 conversation\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("log.jsonl",), "Missing argument 'IN'"),
        (("log.jsonl", "y.jsonl", "--set", "na"), "na: write two words with = between them"),
        (("log.jsonl", "y.jsonl", "--set", "na=zero"), "format assize has no option"),
        (
            ("log.jsonl", "y.jsonl", "--to", "nope"),
            "no format 'nope'; did you mean",
        ),
        (("log.jsonl", "y.jsonl", "--on-error", "maybe"), "'maybe' is not one of 'fail'"),
    ],
)
def test_a_wrong_use_exits_with_two(log: Path, arguments: tuple[str, ...], problem: str) -> None:
    done = assize("convert", *arguments, cwd=log.parent)
    assert done.returncode == 2
    assert problem in " ".join(done.stderr.split())


def test_a_bad_record_cannot_move_the_cursor(log: Path) -> None:
    log.write_text(GOOD.replace("user", "\\u001b[31mred"))
    assert "\x1b" not in assize("convert", log, log.parent / "o.jsonl").stderr


def test_a_recipe_keeps_its_pairs_and_prints_each_steps_count(tmp_path: Path) -> None:
    talk = "".join(f"\n\nHuman: ask {n}\n\nAssistant: tell {n}" for n in range(4))
    rows = [
        {"chosen": talk + " well", "rejected": talk + " badly"},
        {"chosen": talk, "rejected": talk},
        {"chosen": "\n\nHuman: a\n\nAssistant: b", "rejected": "\n\nHuman: a\n\nAssistant: c"},
    ]
    source, out = tmp_path / "hh.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    recipe = ("convert", "--recipe", "amulet-hh", source)
    done = assize(*recipe, out, "--json")
    assert done.returncode == 0
    assert len(out.read_text().splitlines()) == 1
    assert len(json.loads(done.stdout)["steps"]) == 5
    assert "460 (test), 8,210 (train)" in assize(*recipe, tmp_path / "again.jsonl").stderr
    rest = tmp_path / "rest.jsonl"
    left = assize(*recipe, rest, "--against", out, "--quiet")
    assert (left.returncode, left.stderr, rest.exists()) == (0, "", False)
