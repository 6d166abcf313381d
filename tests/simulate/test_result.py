from __future__ import annotations

from pathlib import Path

from assize.judging.session import RunFacts
from assize.simulate._result import Simulated, facts_of


def test_records_are_iterated_and_counted_and_shown_nowhere() -> None:
    made = Simulated(records=["first", "second"], scrubbed={"MAIL": 2}, outputs={"x.jsonl": 2})
    assert (list(made), len(made), made.to_json()["count"]) == (["first", "second"], 2, 2)
    assert "first" not in str(made)
    assert list(made.news) == ["x.jsonl: 2 records", "scrubbed: 2 MAIL"]


def test_a_stopped_run_says_so() -> None:
    run = RunFacts(interrupted=True, waiting=3)
    made: Simulated[str] = Simulated(records=[], **facts_of(run, Path("run")))
    assert (made.interrupted, made.waiting, made.out) == (True, 3, Path("run"))
    assert len(made.unfinished) == 2
