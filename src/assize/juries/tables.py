"""A jury's figures as the object of `--json`, and as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.judging.outcome import spent
from assize.judgment import PREFERENCE
from assize.juries import reliability_tables
from assize.juries.decide import JuryResult, Live
from assize.juries.outcome import RESULTS, Alone, Outcome, Standing
from assize.results import Column, ResultTable, columns, with_rows
from assize.stats import Estimate, wilson


def as_json(result: JuryResult) -> dict[str, Any]:
    """The object of `--json`: shares are of all `n` items, with Wilson intervals in percent.

    `n` counts the items whose gold is A or B (all items where there is no gold, and then
    `win`, `tie` and `loss` are null); gold ties stand under `gold_ties`.
    """
    outcome = result.outcome
    said: dict[str, Any] = {
        "jury": result.composition.written,
        "question": result.question,
        **_standing(outcome.jury, outcome),
        "unscored_as": result.composition.unscored,
        "answers": _shares(outcome.answers, len(outcome.verdicts)),
        "judges": {name: _judge(result, name, one) for name, one in outcome.judges.items()},
        "decided_by": {
            name: wilson(sum(came.values()), outcome.n).to_share() | {"results": dict(came)}
            for name, came in outcome.decided_by.items()
        },
        "paths": _shares(outcome.paths, outcome.n),
        "gold_ties": {"n": sum(outcome.ties_of_gold.values()), "answers": outcome.ties_of_gold},
        "without_gold": outcome.without_gold,
        "cost": outcome.saving.to_json(),
        "signature": result.signature,
    }
    if result.reliability is not None:
        learnt = result.reliability
        said["accuracy"] = None if outcome.jury is None else said["win"]
        said["reliability"] = {
            "share_a": round(learnt.share, 4),
            "exchangeable": learnt.exchangeable,
            "converged": learnt.converged,
            "doubtful": learnt.doubtful,
            "doubts": list(learnt.doubts),
        }
        if result.learnt is not None and len(result.learnt.questions) > 1:
            said["questions"] = reliability_tables.as_json(result.learnt)
    return said if result.live is None else said | _live(result.live)


def _live(live: Live) -> dict[str, Any]:
    summary = live.summary
    return {
        "asked": dict(live.asked),
        "calls": summary.calls,
        "cached": summary.cached,
        "cost_usd": None if summary.unpriced else round(summary.cost_usd, 6),
        "interrupted": live.interrupted,
        "waiting": live.waiting,
        "out": str(live.out),
    }


def _standing(standing: Standing | None, outcome: Outcome) -> dict[str, Any]:
    if standing is None:
        missing = outcome.answers.get("unscored", 0)
        return {"n": outcome.n, "win": None, "tie": None, "loss": None, "unscored": missing}
    return {
        "n": standing.n,
        **{name: standing.share(name).to_share() for name in RESULTS},
        "unscored": standing.counts.get("unscored", 0),
        "reasons": dict(standing.reasons),
    }


def _shares(counts: Mapping[str, int], n: int) -> dict[str, Any]:
    return {name: wilson(count, n).to_share() for name, count in by_count(counts)}


def _judge(result: JuryResult, name: str, one: Alone) -> dict[str, Any]:
    said: dict[str, Any]
    if result.outcome.jury is None:
        said = {"n": one.standing.n, "answers": _shares(one.standing.counts, one.standing.n)}
        said["unscored"] = one.standing.counts.get("unscored", 0)
    else:
        said = _standing(one.standing, result.outcome)
        said["right_alone"] = wilson(one.right_alone, result.outcome.n).to_share()
    said |= {
        "not_asked": one.not_asked,
        "read": one.read,
        "decided": sum(one.decided.values()),
        "results": dict(one.decided),
    }
    if result.reliability is not None:
        said |= reliability_tables.reliable(result.reliability.judges[name])
    return said


def short_names(judges: Iterable[str]) -> dict[str, str]:
    """Names for a narrow column: without the model, where that tells the judges apart.

    >>> short_names(["da@openai:gpt-4o", "reward@hf:x", "reward@hf:y"])["da@openai:gpt-4o"]
    'da'
    """
    names = list(judges)
    heads = [name.split("@", 1)[0] for name in names]
    return {
        name: head if heads.count(head) == 1 else name
        for name, head in zip(names, heads, strict=True)
    }


def titled(result: JuryResult) -> str:
    """The jury in a few words, without the models where that tells the judges apart."""
    if result.composition.cascade:
        return " > ".join(short_names(result.judges).values())
    return result.composition.written


def tables_of(result: JuryResult) -> dict[str, ResultTable]:
    """`jury`, `alone`, `beside`, then `reliability` and `questions`, or `paths`."""
    found = {
        "jury": _jury(result),
        "alone": _alone(result.outcome),
        "beside": _beside(result.outcome, cascade=bool(result.composition.cascade)),
    }
    if result.learnt is not None:
        short = short_names(result.learnt.judges)
        found["reliability"] = reliability_tables.reliability(result.learnt, short)
        found["questions"] = reliability_tables.questions(result.learnt)
    elif result.composition.cascade:
        outcome = result.outcome
        steps = [_counted(name, count, outcome.n) for name, count in by_count(outcome.paths)]
        head = [Column("path"), *_SHARE]
        found["paths"] = ResultTable("Where each decision fell", head, steps)
    return with_rows(found)


_WITHOUT_INTERVAL = {"digits": 2, "ends": "none"}
_SHARE = [
    *columns("count", "n"),
    *columns("percent", "%", **_WITHOUT_INTERVAL),
    *columns("percent", "95%", digits=2, ends="alone"),
]


def counted_results(outcome: Outcome) -> dict[str, int]:
    """Win, tie, loss and unscored of the jury, or its answers where there is no gold."""
    if outcome.jury is None:
        return {name: outcome.answers.get(name, 0) for name in ("A", "tie", "B", "unscored")}
    return {name: outcome.jury.counts.get(name, 0) for name in (*RESULTS, "unscored")}


def _counted(name: str, count: int, n: int) -> tuple[str, int, Estimate, Estimate]:
    share = wilson(count, n)
    return name, count, share, share


def _jury(result: JuryResult) -> ResultTable:
    outcome = result.outcome
    rows = [_counted(name, count, outcome.n) for name, count in counted_results(outcome).items()]
    asked = "" if result.question == PREFERENCE.id else f" on {result.question}"
    title = f"{titled(result)}{asked}, {outcome.n:,} items"
    return ResultTable(title, [Column("result"), *_SHARE], rows)


def _alone(outcome: Outcome) -> ResultTable:
    """Each judge by itself, as if it were the whole jury."""
    names = ("A", "tie", "B") if outcome.jury is None else RESULTS
    short = short_names(outcome.judges)
    some_not_asked = any(one.not_asked for one in outcome.judges.values())
    rows = [
        (
            *(short[name], *(one.standing.share(result) for result in names)),
            sum(one.standing.reasons.values()),
            one.not_asked if some_not_asked else None,
        )
        for name, one in outcome.judges.items()
    ]
    shares = columns("percent", *(f"{name} %" for name in names), **_WITHOUT_INTERVAL)
    named = [Column("judge"), *shares, *columns("count", "unscored", "not asked")]
    return ResultTable("Each judge alone", named, rows)


def _beside(outcome: Outcome, *, cascade: bool) -> ResultTable:
    """In a cascade what each judge read and decided; what it had right alone."""
    short, known, nothing = short_names(outcome.judges), outcome.jury is not None, (None,) * 3
    rows: list[Any] = []
    for name, one in outcome.judges.items():
        decided = sum(one.decided.values())
        right = wilson(one.decided.get("win", 0), decided) if known else None
        alone = _counted("", one.right_alone, outcome.n)[1:] if known else nothing
        part = (one.read, decided, right) if cascade else nothing
        rows.append((short[name], *part, *alone))
    right_alone = columns("count", "right, jury wrong") + _SHARE[1:]
    notes = ["Right, jury wrong: right by itself, where the jury loses."] if known else []
    named = [Column("judge"), *columns("count", "read", "decided")]
    named += columns("percent", "right %", **_WITHOUT_INTERVAL) + right_alone
    return ResultTable("Each judge beside the jury", named, rows, notes)


def by_count(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """The most frequent first; equal ones by name."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def notes_of(result: JuryResult) -> list[str]:
    """Who the judges are, what it took, and `notes`."""
    said = list(unfinished_of(result))
    if result.live is not None:
        asked = ", ".join(f"{name} about {count:,}" for name, count in result.live.asked.items())
        said.append(f"asked {asked}: {spent(result.live.summary)}")
    if list(short_names(result.judges).values()) != list(result.judges):
        said.append(f"the judges: {', '.join(result.judges)}")
    said.append(cost_line(result.outcome))
    return said + notes(result)


def unfinished_of(result: JuryResult) -> list[str]:
    """Why a live jury is not at its end, if it is not."""
    live, said = result.live, []
    if live is not None and live.interrupted:
        said.append("interrupted; what was answered is kept, and the same command continues")
    if live is not None and live.waiting:
        said.append(f"{live.waiting} answers wait for a batch; run the same command later")
    return said


def notes(result: JuryResult) -> list[str]:
    """What a reader of the figures must know."""
    outcome, learnt = result.outcome, result.reliability
    notes = []
    if outcome.ties_of_gold:
        count = sum(outcome.ties_of_gold.values())
        notes.append(f"{count:,} with a tie as gold: outside win and loss")
    if outcome.without_gold:
        notes.append(f"{outcome.without_gold:,} without gold: decided, not counted")
    if learnt is None:
        return notes
    notes += result.learnt.notes if result.learnt is not None else []
    given = 0 if result.learnt is None else result.learnt.known[result.question]
    if given:
        notes.append(
            f"{given:,} labels were given to the fit: on these items it is right by construction"
        )
    sides = {answer for answer in outcome.gold.values() if answer != "tie"}
    if len(sides) == 1 and not learnt.exchangeable:
        notes.append(
            f"gold is {sides.pop()} everywhere: sides are not in chance order, and"
            " reliabilities learn that; --exchangeable keeps them from it"
        )
    return notes


def cost_line(outcome: Outcome) -> str:
    """What was used and saved, in a sentence."""
    used, everyone = outcome.saving.used, outcome.saving.everyone
    saved = outcome.saving.percent
    line = f"{used.votes:,} votes read of {everyone.votes:,} that asking everyone would take"
    if used.unknown < used.votes:
        tokens = used.input_tokens + used.output_tokens
        everything = everyone.input_tokens + everyone.output_tokens
        line += f", {tokens:,} tokens of {everything:,}"
    if used.priced and everyone.priced:
        line += f", ${used.cost_usd:.4f} of ${everyone.cost_usd:.4f}"
    unit = {"US dollars": "money"}.get(outcome.saving.measured_in, outcome.saving.measured_in)
    return line if saved is None else f"{line}: {saved:.1f}% of the {unit} saved"
