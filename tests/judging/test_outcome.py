"""What a session comes to, as results."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from assize.base.judgment import Judgment, Unscored, Usage
from assize.judging.injection import InjectionRate
from assize.judging.options import JudgeOption
from assize.judging.outcome import (
    Estimates,
    Injections,
    Outcome,
    ShownPrompt,
    count_outcome,
    offered,
)
from assize.judging.session import RunFacts
from assize.judging.summary import Summary
from assize.models.estimating import Estimate
from assize.results import Share, to_json


def outcome(**more: object) -> Outcome:
    summary = Summary()
    summary.add([Judgment("p", "io@m", "q", answer="A", usage=Usage(10, 5, 0.25))])
    summary.add([Judgment("r", "io@m", "q", unscored=Unscored("parse"))])
    return count_outcome(Path("run"), summary, RunFacts(**more))  # type: ignore[arg-type]


def test_answers_are_counted_and_n_leaves_out_what_is_unscored() -> None:
    (row,) = outcome().answers
    assert (row.judge, row.question, row.n, row.unscored) == ("io@m", "q", 1, 1)
    assert row.answers == {"A": 1}
    assert row.reasons == {"parse": 1}
    shown = outcome().tables["answers"].texts()[1]
    assert [first for first, _ in shown[0]] == ["io@m", "q", "A: 1", "1", "1"]


def test_answers_that_are_numbers_stand_in_their_order_with_their_mean() -> None:
    summary = Summary()
    summary.add([Judgment(f"i{n}", "r", "rating", answer=str(n)) for n in (10, 2, 1, 2)])
    summary.add([Judgment("i", "r", "words", answer=word) for word in ("b", "10", "2", "a")])
    summary.add([Judgment("i", "r", "lost", unscored=Unscored("parse"))])
    rating, words, lost = count_outcome(Path("run"), summary, RunFacts()).answers
    assert list(rating.answers.items()) == [("1", 1), ("2", 2), ("10", 1)]
    assert rating.mean == (1 + 2 + 2 + 10) / 4
    assert list(words.answers) == ["2", "10", "a", "b"]
    assert (words.mean, lost.mean) == (None, None)


def test_reasons_say_what_asks_again() -> None:
    assert "1 unscored: parse (--retry asks again)" in outcome().notes
    assert "1 calls, 0 answers from the cache, 10 tokens in, 5 out, $0.2500" in outcome().news


def test_what_is_not_at_its_end_says_so() -> None:
    found = outcome(interrupted=True, waiting=3)
    found.summary.spent.booked_usd = 0.5
    assert "the same command continues" in found.unfinished[0]
    assert "3 answers wait for a batch" in found.unfinished[1]
    assert any("$0.5000 booked in all" in one for one in found.news)
    assert found.to_json()["interrupted"] is True


def test_a_run_that_was_stopped_before_its_first_answer_has_an_empty_table(tmp_path: Path) -> None:
    (tmp_path / "judgments.jsonl").touch()
    (tmp_path / "questions.json").write_text('[{"id": "q"}]')
    table = replace(outcome(), out=tmp_path).judgments
    assert (len(table), list(table.questions)) == (0, ["q"])


def test_of_nothing_nothing_is_missing() -> None:
    assert count_outcome(Path("run"), Summary(), RunFacts()).missing == (0, 1)
    assert outcome().missing == (1, 2)


def test_a_price_that_is_not_known_is_said() -> None:
    found = Estimates({"m": Estimate(calls=3)})
    assert to_json(found)["by_model"]["m"]["calls"] == 3
    assert found.notes == ["no price is known for some models; see --prices"]
    assert "At most, all." in str(Estimates({"m": Estimate(cost_usd=1.0)}, at_most="all"))


def test_a_prompt_rates_and_judges_are_shown() -> None:
    shown = ShownPrompt("io/1", "p", "AB", [{"role": "user", "content": "Which?"}], None)
    assert shown.lines == ["--- user ---\nWhich?\n"]
    rate = InjectionRate("io@m", "any", Share(math.nan, n=0, unscored=8))
    assert "attack" in str(Injections([rate]))
    option = JudgeOption("strict", ("io",), str, False, "refuse more", "no", None)
    names = offered({"io": "which is better"}, ["openai"], {"strict": option})
    assert to_json(names) == {
        "judges": [{"name": "io", "what_it_answers": "which is better"}],
        "providers": ["openai"],
        "options": [
            {
                "option": "strict",
                "judges": ["io"],
                "what_it_does": "refuse more",
                "default": "no",
            }
        ],
    }
