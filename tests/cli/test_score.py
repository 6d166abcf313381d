"""`assize score` as a user meets it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from command_line import assize, read_json, run

import assize as package

TURNS = [
    {"role": "user", "text": "Where is the station?"},
    {"role": "assistant", "text": "Left at the church, then straight on."},
]
RATING = {"item": "a", "judge": "j", "question": "q", "score": 1}


def as_lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def conversation(name: str, turns: object = None) -> dict[str, object]:
    return {"id": name, "turns": TURNS if turns is None else turns}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    records = [conversation(f"c{number}") for number in range(4)]
    rude = [{"role": "assistant", "text": "no no no no"}] * 3
    path = tmp_path / "log.jsonl"
    path.write_text(as_lines(*records, conversation("rude", rude)))
    return path


def test_a_summary_is_printed_with_the_lowest_conversation(log: Path) -> None:
    done = run("score", log)
    assert done.stderr == ""
    for text in ("items: 5", "overall", "rude"):
        assert text in done.stdout


def test_json_is_one_object_and_nothing_else(log: Path) -> None:
    summary = read_json("score", log)
    assert (summary["items"], summary["unscored"]) == (5, 0)
    assert set(summary["questions"]["overall"]["mean"]) >= {"estimate", "interval", "n", "unscored"}
    assert summary["lowest"][0]["item"] == "rude"
    assert summary["signature"] == package.evaluator.load_evaluator().signature


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet", "out.csv", "out.jsonl.gz"])
def test_out_holds_a_judgment_a_conversation_and_question(log: Path, name: str) -> None:
    out = log.parent / name
    run("score", log, "--out", out)
    table = package.read_judgments([out])
    scored = package.evaluator.load_evaluator().scored
    heads = [head for head, target in scored.items() if not target.pairs_only]
    assert [(row.item, row.question) for row in table] == [
        (item, head) for item in ("c0", "c1", "c2", "c3", "rude") for head in heads
    ]
    assert table.questions["overall"].range == (0.0, 1.0)
    assert not table.inferred


def test_out_to_standard_output_prints_judgments_only() -> None:
    done = assize("score", "-", "--out", "-", stdin=as_lines(conversation("c")))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["item"] for row in rows} == {"c"}


def test_text_of_others_is_escaped_on_the_page_and_the_terminal(tmp_path: Path) -> None:
    turns = [TURNS[0], {"role": "assistant", "text": "<script>alert(1)</script>\x1b[31mred\x07"}]
    log, page = tmp_path / "log.jsonl", tmp_path / "page.html"
    log.write_text(as_lines(conversation("\x1b[2J", turns), conversation("d")))
    shown = run("score", log, "--report", page).stdout
    assert not {"\x1b", "\x07"} & set(shown)
    assert "&lt;script&gt;alert(1)" in page.read_text()
    assert "<script>alert" not in page.read_text()


def test_turns_are_scored_on_request(log: Path) -> None:
    summary = read_json("score", log, "--turns", "--out", log.parent / "o.jsonl")
    assert summary["turns"]["overall"]["mean"]["n"] == 7
    table = package.read_judgments([log.parent / "o.jsonl"])
    assert {row.turn for row in table if row.item == "rude"} == {None, 0, 1, 2}


def test_judgments_in_the_input_are_passed_over_and_counted(log: Path) -> None:
    log.write_text(log.read_text() + as_lines(RATING | {"item": "c0"}))
    done = run("score", log, "--json")
    assert "1 judgment" in done.stderr
    assert json.loads(done.stdout)["items"] == 5


def test_pairs_get_preferences(tmp_path: Path) -> None:
    sides = {
        "a": [{"role": "assistant", "text": "Left at the church."}],
        "b": [{"role": "assistant", "text": "I like turtles."}],
    }
    (tmp_path / "p.jsonl").write_text(as_lines({"id": "p", "context": TURNS[:1], **sides}))
    assert read_json("score", tmp_path / "p.jsonl")["pairs"]["preference"]["a"]["count"] == 1


def test_too_many_unscored_exit_with_1(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(as_lines(conversation("a"), conversation("b", TURNS[:1])))
    done = run("score", path, "--json", code=1)
    assert json.loads(done.stdout)["reasons"] == {"no_assistant": 1}
    assert "--max-unscored" in done.stderr
    run("score", path, "--max-unscored", 50)


def test_a_bad_record_stops_or_is_kept_aside(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(log.parent)  # without --out the bad record goes beside
    log.write_text(log.read_text() + '{"id": "x", "turns": [{"role": "wizard", "text": ""}]}\n')
    done = assize("score", log)
    assert done.returncode == 2
    assert "log.jsonl:6" in done.stderr
    assert "wizard" in done.stderr
    out = log.parent / "out.jsonl"
    assert "out.rejects.jsonl" in run("score", log, "--on-error", "skip", "--out", out).stderr
    assert len(package.read_judgments([out]).items) == 5
    quiet = run("score", log, "--on-error", "skip", "--quiet")
    assert (quiet.stderr, "1 bad record left out" in quiet.stdout) == ("", True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\x00\x01\x02\xff" * 50, "binary"),
        (b'{"id": "a", "turns": [', "log.bad"),
        (as_lines(RATING).encode(), "only judgments are here"),
        (gzip.compress(b"x" * 1000, mtime=0)[:20], "cut off"),
    ],
)
def test_files_that_hold_nothing_to_score_leave_an_earlier_result_alone(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path, out = tmp_path / "log.bad", tmp_path / "out.jsonl"
    path.write_bytes(content)
    out.write_text("earlier")
    done = assize("score", path, "--out", out)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert out.read_text() == "earlier"


def test_odd_conversations_are_scored_or_unscored_and_never_fatal(tmp_path: Path) -> None:
    texts = ("\x00", "\ud800", "word " * 5_000)
    odd = [
        conversation(ascii(text[:5]), [TURNS[0], {"role": "assistant", "text": text}])
        for text in texts
    ]
    path = tmp_path / "log.jsonl"
    path.write_text(as_lines(*odd, conversation("asked", TURNS[:1])))
    assert read_json("score", path, "--max-unscored", 50)["questions"]["overall"]["mean"]["n"] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--precision", "fp8"), "'fp8' is not one of"),
        (("--evaluator", "nowhere"), "there is no such file"),
        (("--format", "nonsense"), "no format 'nonsense'"),
        (("--on-error", "perhaps"), "'perhaps' is not one of"),
        (("--out", "nowhere/out.jsonl"), "nowhere"),
        (("--adapt", "x", "--scale", "x"), "--adapt and --scale do not go together"),
        (("--save", "somewhere"), "name --adapt or --scale"),
        (("--scale", "x", "--always"), "--always and --scale do not go together"),
        (("--scale", "few.jsonl"), "4 labels fit"),
    ],
)
def test_wrong_options_are_explained(log: Path, options: tuple[str, ...], message: str) -> None:
    ratings = [RATING | {"item": f"c{number}"} for number in range(4)]
    (log.parent / "few.jsonl").write_text(as_lines(*ratings))
    done = assize("score", log, *options, cwd=log.parent)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_int8_scores_too(log: Path) -> None:
    summary = read_json("score", log, "--precision", "int8")
    assert summary["questions"]["overall"]["mean"]["n"] == 5
    assert summary["signature"] != package.evaluator.load_evaluator().signature


def test_labels_adapt_it_and_it_explains_and_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["fine", "no", "the train leaves at nine", "ask somebody else", "gladly", "what"]
    chats, rows = [], []
    for number in range(24):
        reply = " ".join(words[(number * step) % 6] for step in range(1, 2 + number % 4))
        texts = (f"Train {number}?", reply, "And then?", reply[::-1])
        roles = ("user", "assistant") * 2
        turns = [{"role": role, "text": text} for role, text in zip(roles, texts, strict=True)]
        chats.append(conversation(f"c{number}", turns))
        rows.append({"item": f"c{number}", "judge": "ann", "question": "good", "score": number % 4})
    Path("chats.jsonl").write_text(as_lines(*chats))
    Path("labels.jsonl").write_text(as_lines(*rows))
    adapt = ("chats.jsonl", "--adapt", "labels.jsonl", "--save", "mine")
    summary = read_json("score", *adapt, "--explain", "--ask", "3", "--out", "scores.jsonl")
    assert summary["adapted"]["outcomes"][0]["n"] == 24
    assert summary["judge"] == "evaluator@mine"
    assert len(summary["ask"]) == 3
    first = json.loads(Path("scores.jsonl").read_text().splitlines()[0])
    exchanges = first["details"]["explanation"]["exchanges"]
    assert [exchange["turns"] for exchange in exchanges] == [[0, 1], [2, 3]]
    assert {"rating", "interval", "doubt"} <= set(first["details"])
