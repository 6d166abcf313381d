"""Learnt reliabilities as tables, as the object of `--json`, and as points of a chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assize.juries.reliability import LearntReliabilities, Reliable
from assize.results import Column, ResultTable, columns, with_rows
from assize.stats import Estimate
from assize.stats.estimate import nullable

_NOTE = "alpha: the vote A where A is better; beta: B where B is better."


def tables_of(learnt: LearntReliabilities) -> dict[str, ResultTable]:
    """`reliability`, one row a question and judge; `questions`, one row a question."""
    return with_rows({"reliability": reliability(learnt), "questions": questions(learnt)})


def reliability(learnt: LearntReliabilities, short: Mapping[str, str] | None = None) -> ResultTable:
    """alpha and beta of each judge with their intervals; by question where there are several.

    Args:
        short: names for the column of judges.
    """
    several, any_tie = len(learnt.questions) > 1, bool(learnt.fit.ties.any())
    rows = [
        (
            *((question,) if several else ()),
            judge if short is None else short[judge],
            Estimate(one.alpha, one.alpha_interval),
            Estimate(one.beta, one.beta_interval),
            *(one.votes, one.ties if any_tie else None),
        )
        for question, judge, one in each(learnt)
    ]
    named = [
        *([Column("question")] if several else []),
        Column("judge"),
        *columns("number", "alpha [95%]", "beta [95%]"),
        *columns("count", "votes", "tie votes"),
    ]
    return ResultTable("Reliability of each judge, from votes alone", named, rows, [_NOTE])


def questions(learnt: LearntReliabilities) -> ResultTable:
    """What the votes tell of each question's pairs, and how sure that is the right way round."""
    fit = learnt.fit
    rows = [
        (
            name,
            len(learnt.by_question[name].probability),
            float(fit.share[at]),
            Estimate(
                float(fit.mean[at]),
                (float(fit.mean_interval[at, 0]), float(fit.mean_interval[at, 1])),
            ),
            int(fit.below[at]),
            float(fit.independent[at]),
            float(fit.right_way[at]),
        )
        for at, name in enumerate(learnt.questions)
    ]
    named = [
        Column("question"),
        *columns("count", "pairs"),
        *columns("percent", "A better %", digits=1),
        *columns("number", "mean reliability [95%]"),
        *columns("count", "below 1/2"),
        *columns("number", "worth judges", digits=1),
        *columns("number", "right way round"),
    ]
    notes = [
        "Worth judges: how many independent ones say as much. Right way round: the probability"
        " that the sides are not exchanged."
    ]
    return ResultTable("What votes alone tell", named, rows, notes)


def as_json(learnt: LearntReliabilities) -> dict[str, Any]:
    """By question."""
    fit = learnt.fit
    return {
        name: {
            "share_a": _number(fit.share[at]),
            "pairs": len(learnt.by_question[name].probability),
            "known_labels": learnt.known[name],
            "log_likelihood": _number(fit.log_likelihood[at]),
            "mean": {
                "estimate": _number(fit.mean[at]),
                "interval": [_number(end) for end in fit.mean_interval[at]],
            },
            "below_chance": int(fit.below[at]),
            "independent_judges": _number(fit.independent[at]),
            "discount": _number(fit.discount[at]),
            "right_way_round": _number(fit.right_way[at]),
            "converged": bool(fit.converged[at]),
            "doubts": list(fit.doubts[at]),
            "judges": {
                judge: reliable(one) for judge, one in learnt.by_question[name].judges.items()
            },
        }
        for at, name in enumerate(learnt.questions)
    }


def reliable(one: Reliable) -> dict[str, Any]:
    """One judge's figures."""
    return {
        name: {
            "estimate": _number(value),
            "interval": [_number(end) for end in ends],
            "n": one.votes,
            "unscored": one.unscored,
        }
        for name, value, ends in (
            ("alpha", one.alpha, one.alpha_interval),
            ("beta", one.beta, one.beta_interval),
        )
    } | {"votes": one.votes, "tie_votes": one.ties}


def each(learnt: LearntReliabilities) -> Iterator[tuple[str, str, Reliable]]:
    """Question, judge and what was learnt."""
    for question, found in learnt.by_question.items():
        for judge, one in found.judges.items():
            yield question, judge, one


def _number(value: float) -> float | None:
    return nullable(round(float(value), 4))
