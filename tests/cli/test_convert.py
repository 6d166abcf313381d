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
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        f"what was converted so far is kept in {log.parent / 'out.jsonl'}.part\n"
        f"assize: error: {log}:2: turns[0].role: received 'wizard';"
        " allowed are user, assistant, system, tool;"
        " mend the record, or leave bad ones out with --on-error skip\n"
    )
    assert not (log.parent / "out.jsonl").exists()


def test_skipping_keeps_bad_records_in_a_file_and_says_how_many(log: Path) -> None:
    done = assize("convert", log, log.parent / "out.jsonl", "--on-error", "skip", "--json")
    assert done.returncode == 0
    rejects = log.parent / "out.rejects.jsonl"
    assert f"1 bad record was left out: see {rejects}" in done.stderr
    assert json.loads(done.stdout)["rejects"] == 1


def test_nothing_but_bad_records_is_a_failure(log: Path) -> None:
    log.write_text(BAD)
    done = assize("convert", log, log.parent / "out.jsonl", "--on-error", "skip")
    assert done.returncode == 2
    assert "no records were converted" in done.stderr


def test_standard_input_to_standard_output(tmp_path: Path) -> None:
    done = assize("convert", "-", "-", "--quiet", stdin=GOOD)
    assert (json.loads(done.stdout)["id"], done.stderr, done.returncode) == ("a", "", 0)


def test_to_writes_another_format(log: Path) -> None:
    log.write_text(GOOD)
    done = assize("convert", log, log.parent / "out.jsonl", "--to", "openai")
    assert done.stderr == f"{log}: read as assize\n{log.parent / 'out.jsonl'}: 1 conversation\n"
    assert json.loads((log.parent / "out.jsonl").read_text())["messages"] == [
        {"role": "user", "content": "hi"}
    ]


def test_a_format_option_reaches_its_format(tmp_path: Path) -> None:
    table = tmp_path / "x.jsonl"
    table.write_text(GOOD)
    done = assize(
        "convert", table, tmp_path / "o.jsonl", "--set", "rater-column=who", "--set", "na=zero"
    )
    assert done.returncode == 2
    assert "format assize has no option" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("x.jsonl",), "Missing argument 'IN'"),
        (("x.jsonl", "y.jsonl", "--set", "na"), "na: write two words with = between them"),
        (("x.jsonl", "y.jsonl", "--to", "nope"), "no format 'nope'; known are"),
        (("x.jsonl", "y.jsonl", "--on-error", "maybe"), "'maybe' is not one of 'fail'"),
    ],
)
def test_a_wrong_use_exits_with_two(arguments: tuple[str, ...], problem: str) -> None:
    done = assize("convert", *arguments)
    assert done.returncode == 2
    assert problem in " ".join(done.stderr.split())


def test_help_shows_an_example() -> None:
    assert "assize convert chats.parquet chats.jsonl" in assize("convert", "--help").stdout


def test_a_bad_record_cannot_move_the_cursor(log: Path) -> None:
    log.write_text(GOOD.replace("user", "\\u001b[31mred"))
    assert "\x1b" not in assize("convert", log, log.parent / "o.jsonl").stderr


def test_a_recipe_keeps_its_pairs_and_prints_each_steps_count(tmp_path: Path) -> None:
    said = "".join(f"\n\nHuman: ask {n}\n\nAssistant: tell {n}" for n in range(4))
    rows = [
        {"chosen": said + " well", "rejected": said + " badly"},
        {"chosen": said, "rejected": said},
        {"chosen": "\n\nHuman: a\n\nAssistant: b", "rejected": "\n\nHuman: a\n\nAssistant: c"},
    ]
    source, out = tmp_path / "hh.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = assize("convert", "--recipe", "amulet-hh", source, out, "--json")
    assert done.returncode == 0
    assert len(out.read_text().splitlines()) == 1
    assert len(json.loads(done.stdout)["steps"]) == 5
    again = assize("convert", "--recipe", "amulet-hh", source, tmp_path / "again.jsonl")
    assert "460 (test), 8,210 (train)" in again.stderr
    rest = tmp_path / "rest.jsonl"
    told = assize("convert", "--recipe", "amulet-hh", source, rest, "--against", out, "--quiet")
    assert (told.returncode, told.stderr, rest.exists()) == (0, "", False)
