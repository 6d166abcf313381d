"""What a session comes to, as results."""

from __future__ import annotations

from pathlib import Path

from assize.judging.outcome import Estimates, Injections, Offered, Outcome, ShownPrompt, spent
from assize.judging.summary import Summary
from assize.judgment import Judgment, Unscored, Usage
from assize.models.estimating import Estimate


def outcome(**more: object) -> Outcome:
    summary = Summary()
    summary.add([Judgment("p", "io@m", "q", answer="A", usage=Usage(10, 5, 0.25))])
    summary.add([Judgment("r", "io@m", "q", unscored=Unscored("parse"))])
    return Outcome(Path("run"), summary, **more)  # type: ignore[arg-type]


def test_answers_are_shares_of_all_judgments() -> None:
    (row,) = outcome().tables["judgments"].rows
    assert row == ("io@m", "q", 2, 1, "A 50.0%")


def test_reasons_say_what_asks_again() -> None:
    assert "1 unscored: parse (--retry asks again)" in outcome().notes
    assert "1 calls, 0 answers from the cache, 10 tokens in, 5 out, $0.2500" in outcome().notes


def test_what_is_not_at_its_end_says_so() -> None:
    found = outcome(interrupted=True, waiting=3, booked=0.5)
    assert "interrupted with 2 judgments kept" in found.unfinished[0]
    assert "3 answers wait for a batch" in found.unfinished[1]
    assert any("$0.5000 are booked in all" in one for one in found.notes)
    assert found.to_json()["interrupted"] is True


def test_of_nothing_nothing_is_missing() -> None:
    assert Outcome(Path("run"), Summary()).missing == (0, 1)
    assert outcome().missing == (1, 2)


def test_a_price_that_is_not_known_is_said() -> None:
    found = Estimates({"m": Estimate(calls=3)})
    assert found.tables["estimate"].rows[0][-1] == "unknown"
    assert found.notes == ["no price is known for some models; see --prices"]
    assert Estimates({"m": Estimate(cost_usd=1.0)}, at_most="all").to_json().keys() == {"at_most"}
    summary = Summary()
    summary.add([Judgment("p", "j", "q", answer="A", usage=Usage(1, 1))])
    assert "at least $0.0000 (the price of 1 answers is not known)" in spent(summary)


def test_a_prompt_rates_and_judges_are_shown() -> None:
    shown = ShownPrompt("io/1", "p", "AB", [{"role": "user", "content": "Which?"}], None)
    assert shown.lines == ["--- user ---\nWhich?\n"]
    rate = {"n": 8, "unscored": 8, "won": 0, "percent": None}
    assert "attack" in str(Injections({"io@m": {"any": rate}}))
    assert "io" in str(Offered({"io": "which is better"}, ["openai"]))
