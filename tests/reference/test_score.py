from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from with_asking import with_asking

import assize
from assize import reference
from assize.base.conversation import Continuation, Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.judging.plan import Plan
from assize.judgments import JudgmentTable

ASKED = (Turn("user", "How do I get to Leeds?"),)
ITEMS = [
    Continuation("k1", ASKED, "Take the train.", ("By train.",), "c1", 1, "gpt"),
    Continuation("k2", ASKED, "No idea, sorry.", ("Take the bus.",), "c2", 1, "random"),
]
QUICK: Any = {"metrics": ["rouge1-f1", "question"], "quiet": True}


def file(tmp_path: Path) -> Path:
    assize.write(tmp_path / "items.jsonl", ITEMS)
    return tmp_path / "items.jsonl"


def plan(items: Any = ITEMS, **more: Any) -> Plan[JudgmentTable]:
    return reference.score.plan(items, **with_asking(**QUICK, **more))


def test_a_table_of_metrics_comes_back() -> None:
    found = reference.score(ITEMS, **with_asking(**QUICK))
    assert found.asked == ("rouge1-f1", "question")
    assert found.numeric("score").tolist() == pytest.approx([0.4, 1.0, 0.0, 1.0])
    first, second, *_ = found.rows()
    assert first.details == {"conversation": "c1", "source": "gpt"}
    assert second.details is None

    assert plan().estimate().by_model == {}


def test_another_judge_stands_beside_the_metrics() -> None:
    @assize.judge_function
    def short(item: Continuation) -> float:
        return float(len(item.candidate) < 15)

    found = reference.score(ITEMS, judges=short, **with_asking(**QUICK))
    assert len(found.judges) == 2


def test_a_run_says_what_came_out_by_source(tmp_path: Path) -> None:
    found = plan(str(file(tmp_path)), out=tmp_path / "run").outcome()
    assert (found.continuations, found.missing) == (2, (0, 4))
    assert {row.source for row in found.sources} == {"gpt", "random"}
    assert (tmp_path / "run" / "questions.json").exists()
    alone = plan(ITEMS[:1], out=tmp_path / "alone").outcome()
    assert alone.sentence.startswith("1 continuation in 1 conversation")


def test_standard_input_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Given:
        buffer = io.BytesIO(file(tmp_path).read_bytes())

    monkeypatch.setattr("sys.stdin", Given())
    assert plan("-", out=tmp_path / "run").outcome().continuations == 2


def test_one_continuation_is_explained() -> None:
    found = reference.explain(ITEMS, item="k1", metrics=["rougel-f1"])
    assert [row.metric for row in found.metrics] == ["rougel-f1"]
    assert found.sentence == "1 metric of k1."
    assert json.dumps(found.to_json())


@pytest.mark.parametrize(
    ("items", "item", "said"),
    [
        (ITEMS, "k9", "no continuation 'k9'"),
        ([Conversation("c", ASKED)], "c", "no continuation 'c'"),
    ],
)
def test_only_a_continuation_is_explained(items: Any, item: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        reference.explain(items, item=item, metrics="length")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"items": [Conversation("c", ASKED)]}, "metrics judges continuations"),
        ({"ensemble": "nowhere"}, "there is no such file; an ensemble is a folder"),
        ({"preset": "best"}, "preset"),
        ({"metrics": "bleu"}, "no metric 'bleu'"),
        ({"encoder": "word2vec"}, "word2vec"),
        ({"judges": "nobody@x:y"}, "nobody"),
    ],
)
def test_wrong_arguments_are_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises((ConfigError, DataError), match=said):
        reference.score(**with_asking(**({"items": ITEMS, "quiet": True} | wrong)))


def test_a_file_of_bad_records_alone_says_which_line_and_field(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "k", "context": [], "candidate": "a", "references": "b"}\n')
    with pytest.raises(DataError, match=r"bad\.jsonl:1: references: received 'b'"):
        plan(str(bad), out=tmp_path / "run").outcome()
