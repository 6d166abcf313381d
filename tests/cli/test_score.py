"""`assize score` as a user meets it."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest
from command_line import assize

import assize as package

TURNS = [
    {"role": "user", "text": "Where is the station?"},
    {"role": "assistant", "text": "Left at the church, then straight on."},
]


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def conversation(name: str, turns: object = None) -> dict[str, object]:
    return {"id": name, "turns": TURNS if turns is None else turns}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    records = [conversation(f"c{number}") for number in range(4)]
    rude = [{"role": "assistant", "text": "no no no no"}] * 3
    path = tmp_path / "log.jsonl"
    path.write_text(lines(*records, conversation("rude", rude)))
    return path


def test_a_summary_is_printed_with_the_lowest_conversation(log: Path) -> None:
    done = assize("score", log)
    assert (done.returncode, done.stderr) == (0, "")
    assert "items: 5" in done.stdout
    assert "overall" in done.stdout
    assert "rude" in done.stdout


def test_json_is_one_object_and_nothing_else(log: Path) -> None:
    done = assize("score", log, "--json")
    found = json.loads(done.stdout)
    assert (found["items"], found["unscored"]) == (5, 0)
    assert set(found["questions"]["overall"]["mean"]) >= {"estimate", "interval", "n", "unscored"}
    assert found["lowest"][0]["item"] == "rude"
    assert found["signature"] == package.evaluator.load_evaluator().signature


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet", "out.csv", "out.jsonl.gz"])
def test_out_holds_a_judgment_a_conversation_and_question(log: Path, name: str) -> None:
    out = log.parent / name
    assert assize("score", log, "--out", out).returncode == 0
    table = package.read_judgments([out])
    heads = [
        name
        for name, one in package.evaluator.load_evaluator().scored.items()
        if not one.pairs_only
    ]
    assert [(row.item, row.question) for row in table] == [
        (item, head) for item in ("c0", "c1", "c2", "c3", "rude") for head in heads
    ]
    assert table.questions["overall"].range == (0.0, 1.0)
    assert not table.inferred


def test_csv_opens_as_a_table(log: Path) -> None:
    assize("score", log, "--out", log.parent / "out.csv")
    with (log.parent / "out.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert 0 <= float(rows[0]["score"]) <= 1


def test_out_to_standard_output_prints_judgments_only() -> None:
    done = assize("score", "-", "--out", "-", stdin=lines(conversation("c")))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["item"] for row in rows} == {"c"}


def test_a_report_is_written_with_escaped_text(tmp_path: Path) -> None:
    turns = [TURNS[0], {"role": "assistant", "text": "<script>alert(1)</script>"}]
    (tmp_path / "log.jsonl").write_text(lines(conversation("c", turns), conversation("d")))
    done = assize("score", tmp_path / "log.jsonl", "--report", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page


def test_turns_are_scored_on_request(log: Path) -> None:
    done = assize("score", log, "--turns", "--json", "--out", log.parent / "o.jsonl")
    assert json.loads(done.stdout)["turns"]["overall"]["mean"]["n"] == 7
    table = package.read_judgments([log.parent / "o.jsonl"])
    assert {row.turn for row in table if row.item == "rude"} == {None, 0, 1, 2}


def test_judgments_in_the_input_are_passed_over_and_counted(log: Path) -> None:
    row = {"item": "c0", "judge": "ann", "question": "overall", "score": 0.5}
    log.write_text(log.read_text() + lines(row))
    done = assize("score", log, "--json")
    assert "1 judgment" in done.stderr
    assert json.loads(done.stdout)["items"] == 5


def test_pairs_get_preferences(tmp_path: Path) -> None:
    sides = {
        "a": [{"role": "assistant", "text": "Left at the church."}],
        "b": [{"role": "assistant", "text": "I like turtles."}],
    }
    (tmp_path / "p.jsonl").write_text(lines({"id": "p", "context": TURNS[:1], **sides}))
    done = assize("score", tmp_path / "p.jsonl", "--json")
    assert json.loads(done.stdout)["pairs"]["preference"]["a"]["count"] == 1


def test_too_many_unscored_exit_with_1(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(lines(conversation("a"), conversation("b", TURNS[:1])))
    done = assize("score", path, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["reasons"] == {"no_assistant": 1}
    assert "--max-unscored" in done.stderr
    assert assize("score", path, "--max-unscored", 50).returncode == 0


def test_a_bad_record_stops_or_is_kept_aside(log: Path) -> None:
    log.write_text(log.read_text() + '{"id": "x", "turns": [{"role": "wizard", "text": ""}]}\n')
    done = assize("score", log)
    assert done.returncode == 2
    assert "log.jsonl:6" in done.stderr
    assert "wizard" in done.stderr
    out = log.parent / "out.jsonl"
    done = assize("score", log, "--on-error", "skip", "--out", out)
    assert done.returncode == 0
    assert "out.rejects.jsonl" in done.stderr
    assert len(package.read_judgments([out]).items) == 5


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"\x00\x01\x02\xff" * 50, "binary"),
        (b'{"id": "a", "turns": [', "log.bad"),
        (
            lines({"item": "a", "judge": "j", "question": "q", "score": 1}).encode(),
            "only judgments are here",
        ),
        (gzip.compress(b"x" * 1000, mtime=0)[:20], "cut off"),
    ],
)
def test_files_that_hold_nothing_to_score_are_explained(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "log.bad"
    path.write_bytes(content)
    done = assize("score", path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_input_without_items_leaves_an_earlier_result_alone(tmp_path: Path) -> None:
    row = {"item": "a", "judge": "j", "question": "q", "score": 1}
    (tmp_path / "log.jsonl").write_text(lines(row))
    (tmp_path / "out.jsonl").write_text("earlier")
    done = assize("score", tmp_path / "log.jsonl", "--out", tmp_path / "out.jsonl")
    assert done.returncode == 2
    assert (tmp_path / "out.jsonl").read_text() == "earlier"


def test_odd_conversations_are_scored_or_unscored_and_never_fatal(tmp_path: Path) -> None:
    def said(text: str) -> dict[str, object]:
        return conversation(ascii(text[:5]), [TURNS[0], {"role": "assistant", "text": text}])

    path = tmp_path / "log.jsonl"
    odd = [said("\x00"), said("\ud800"), said("word " * 5_000), conversation("asked", TURNS[:1])]
    path.write_text(lines(*odd))
    done = assize("score", path, "--json", "--max-unscored", 50)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["questions"]["overall"]["mean"]["n"] == 3


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    turns = [TURNS[0], {"role": "assistant", "text": "\x1b[31mred\x07"}]
    (tmp_path / "log.jsonl").write_text(lines(conversation("\x1b[2J", turns)))
    done = assize("score", tmp_path / "log.jsonl")
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--precision", "fp8"), "'fp8' is not one of"),
        (("--evaluator", "nowhere"), "there is no such file"),
        (("--format", "nonsense"), "no format 'nonsense'"),
        (("--on-error", "perhaps"), "'perhaps' is not one of"),
    ],
)
def test_wrong_options_are_explained(log: Path, option: tuple[str, str], said: str) -> None:
    done = assize("score", log, *option)
    assert done.returncode == 2
    assert said in done.stderr


def test_int8_scores_too(log: Path) -> None:
    found = json.loads(assize("score", log, "--precision", "int8", "--json").stdout)
    assert found["questions"]["overall"]["mean"]["n"] == 5
    assert found["signature"] != package.evaluator.load_evaluator().signature


def test_an_unwritable_place_is_said_before_the_work_is_lost(log: Path) -> None:
    done = assize("score", log, "--out", log.parent / "nowhere" / "out.jsonl")
    assert done.returncode == 2
    assert "nowhere" in done.stderr


def test_labels_adapt_it_and_it_explains_and_asks(tmp_path: Path) -> None:
    words = ["fine", "no", "the train leaves at nine", "ask somebody else", "gladly", "what"]
    chats, rows = [], []
    for at in range(24):
        said = " ".join(words[(at * step) % 6] for step in range(1, 2 + at % 4))
        turns = [
            {"role": role, "text": text}
            for role, text in (
                ("user", f"Train {at}?"),
                ("assistant", said),
                ("user", "And then?"),
                ("assistant", said[::-1]),
            )
        ]
        chats.append(conversation(f"c{at}", turns))
        rows.append({"item": f"c{at}", "judge": "ann", "question": "good", "score": at % 4})
    (tmp_path / "chats.jsonl").write_text(lines(*chats))
    (tmp_path / "labels.jsonl").write_text(lines(*rows))
    done = assize(
        "score",
        "chats.jsonl",
        "--adapt",
        "labels.jsonl",
        "--save",
        "mine",
        "--explain",
        "--ask",
        "3",
        "--json",
        "--out",
        "scores.jsonl",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["adapted"]["outcomes"][0]["n"] == 24
    assert found["judge"] == "evaluator@mine"
    assert len(found["ask"]) == 3
    first = json.loads((tmp_path / "scores.jsonl").read_text().splitlines()[0])
    exchanges = first["details"]["explanation"]["exchanges"]
    assert [one["turns"] for one in exchanges] == [[0, 1], [2, 3]]
    assert {"rating", "interval", "doubt"} <= set(first["details"])
    few = assize("score", "chats.jsonl", "--scale", "few.jsonl", cwd=tmp_path)
    assert few.returncode == 2
    (tmp_path / "few.jsonl").write_text(lines(*rows[:5]))
    few = assize("score", "chats.jsonl", "--scale", "few.jsonl", cwd=tmp_path)
    assert few.returncode == 2
    assert "5 labels fit items" in few.stderr


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--adapt", "x", "--scale", "x"), "--adapt and --scale do not go together"),
        (("--save", "somewhere"), "name --adapt or --scale"),
        (("--scale", "x", "--always"), "--always and --scale do not go together"),
    ],
)
def test_labels_that_do_not_go_together_are_refused(
    log: Path, options: tuple[str, ...], problem: str
) -> None:
    done = assize("score", log, *options)
    assert done.returncode == 2
    assert problem in " ".join(done.stderr.split())
