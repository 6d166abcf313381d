"""A jury's figures as the object of `--json`, and as rows of tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from assize.juries.decide import Escalation, JuryResult
from assize.juries.escalation import Escalate
from assize.juries.outcome import RESULTS, Alone, Outcome, Standing
from assize.juries.reliability import Reliable
from assize.stats import Estimate, wilson
from assize.stats.estimate import nullable

Rows = tuple[list[str], list[list[str]]]


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
    if result.escalation is not None:
        said["escalation"] = _escalation(result.escalation)
    if result.reliability is not None:
        learnt = result.reliability
        said["accuracy"] = None if outcome.jury is None else said["win"]
        said["reliability"] = {
            "share_a": round(learnt.share, 4),
            "exchangeable": learnt.exchangeable,
            "converged": learnt.converged,
            "doubtful": learnt.doubtful,
        }
    return said


def _escalation(found: Escalation) -> dict[str, Any]:
    threshold = found.threshold
    return {
        "judge": found.judge,
        "threshold": threshold.value,
        "reason": threshold.reason,
        "labelled": threshold.labelled,
        "tested": [asdict(one) for one in threshold.tested],
        "curve": [
            {
                "threshold": point.threshold,
                "decided_percent": round(100 * point.decided, 2),
                "accuracy": None if point.accuracy is None else point.accuracy.to_share(),
                "votes": point.votes,
                "cost_usd": point.cost_usd,
            }
            for point in found.curve
        ],
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
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return {name: wilson(count, n).to_share() for name, count in ordered}


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
        said |= _reliable(result.reliability.judges[name])
    return said


def _reliable(one: Reliable) -> dict[str, Any]:
    return {
        name: {
            "estimate": round(value, 4),
            "interval": [nullable(round(end, 4)) for end in ends],
            "n": one.votes,
            "unscored": one.unscored,
        }
        for name, value, ends in (
            ("alpha", one.alpha, one.alpha_interval),
            ("beta", one.beta, one.beta_interval),
        )
    } | {"votes": one.votes, "tie_votes": one.ties}


def percent(found: Estimate) -> str:
    """A share in percent: `62.61`."""
    return "–" if found.n == 0 else f"{100 * found.estimate:.2f}"


def ends(found: Estimate) -> str:
    """A share's interval in percent: `[58.10, 66.91]`."""
    low, high = found.interval
    return "" if found.n == 0 else f"[{100 * low:.2f}, {100 * high:.2f}]"


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


def jury_rows(outcome: Outcome) -> Rows:
    """Win, tie, loss and unscored of the jury, or its answers where there is no gold."""
    counts: Mapping[str, int]
    if outcome.jury is None:
        counts, names = outcome.answers, ("A", "tie", "B", "unscored")
    else:
        counts, names = outcome.jury.counts, (*RESULTS, "unscored")
    rows = []
    for name in names:
        found = wilson(counts.get(name, 0), outcome.n)
        rows.append([name, f"{counts.get(name, 0):,}", percent(found), ends(found)])
    return ["result", "n", "%", "95%"], rows


def judge_rows(outcome: Outcome) -> Rows:
    """Each judge by itself, as if it were the whole jury."""
    names = ("A", "tie", "B") if outcome.jury is None else RESULTS
    short, rows = short_names(outcome.judges), []
    some_not_asked = any(one.not_asked for one in outcome.judges.values())
    for name, one in outcome.judges.items():
        alone = [percent(one.standing.share(result)) for result in names]
        rows.append([short[name], *alone, f"{sum(one.standing.reasons.values()):,}"])
        if some_not_asked:
            rows[-1].append(f"{one.not_asked:,}")
    header = ["judge", *(f"{name} %" for name in names), "unscored"]
    return header + (["not asked"] if some_not_asked else []), rows


def part_rows(outcome: Outcome, *, cascade: bool) -> Rows:
    """Each judge beside its jury: in a cascade what it read and decided; what it had right alone.

    Without gold nothing is right or wrong, and a panel's judges have no rows at all.
    """
    short, rows = short_names(outcome.judges), []
    known = outcome.jury is not None
    for name, one in outcome.judges.items():
        decided = sum(one.decided.values())
        row = [short[name]]
        if cascade:
            row += [f"{one.read:,}", f"{decided:,}"]
        if cascade and known:
            row.append(percent(wilson(one.decided.get("win", 0), decided)))
        if known:
            alone = wilson(one.right_alone, outcome.n)
            row += [f"{one.right_alone:,}", percent(alone), ends(alone)]
        rows.append(row)
    header = ["judge", *(["read", "decided"] if cascade else [])]
    header += ["right %"] if cascade and known else []
    header += ["right, jury wrong", "%", "95%"] if known else []
    return (header, rows) if len(header) > 1 else ([], [])


def reliability_rows(result: JuryResult) -> Rows:
    """alpha and beta of each judge with their intervals."""
    if result.reliability is None:
        return [], []
    short = short_names(result.judges)
    rows = [
        [
            short[name],
            f"{one.alpha:.3f} [{one.alpha_interval[0]:.3f}, {one.alpha_interval[1]:.3f}]",
            f"{one.beta:.3f} [{one.beta_interval[0]:.3f}, {one.beta_interval[1]:.3f}]",
            f"{one.votes:,}",
            f"{one.ties:,}",
        ]
        for name, one in result.reliability.judges.items()
    ]
    return ["judge", "alpha [95%]", "beta [95%]", "votes", "tie votes"], rows


def escalation_rows(result: JuryResult) -> Rows:
    """The jury at each threshold: what the first judge decides, how right all are, the votes."""
    if result.escalation is None:
        return [], []
    chosen = result.escalation.threshold.value
    n = len(result.outcome.verdicts)
    rows = []
    for point in result.escalation.curve:
        right = "–" if point.accuracy is None else percent(point.accuracy)
        cost = "–" if point.cost_usd is None else f"{point.cost_usd:.4f}"
        threshold = "none" if point.threshold is None else f"{point.threshold:.4f}"
        each = f"{point.votes / n:.2f}" if n else "–"
        rows.append([threshold, f"{100 * point.decided:.1f}", right, each, cost])
    where = "none" if chosen is None else f"{chosen:.4f}"
    return [f"threshold (chosen: {where})", "decided %", "win %", "votes an item", "US$"], rows


def escalation_line(found: Escalation, wanted: Escalate) -> str:
    """What was chosen, on what, in a sentence."""
    threshold = found.threshold
    if threshold.value is None:
        return f"{found.judge} decides nothing: {threshold.reason}"
    passed = next(one for one in threshold.tested if one.threshold == threshold.value)
    return (
        f"{found.judge} decides from {threshold.value:.4f} on: there it agreed with gold on"
        f" {passed.agreed} of {passed.decided} labelled pairs, which proves {wanted.level:.0%} with"
        f" probability {1 - wanted.delta:.0%}; {threshold.labelled} pairs were set aside for this"
    )


def path_rows(outcome: Outcome) -> Rows:
    """Where each decision fell, the most frequent path first."""
    rows = []
    for name, count in sorted(outcome.paths.items(), key=lambda pair: (-pair[1], pair[0])):
        found = wilson(count, outcome.n)
        rows.append([name, f"{count:,}", percent(found), ends(found)])
    return ["path", "n", "%", "95%"], rows


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
    return line if saved is None else f"{line}: {saved:.1f}% of the {_unit(outcome)} saved"


def _unit(outcome: Outcome) -> str:
    return {"US dollars": "money"}.get(outcome.saving.measured_in, outcome.saving.measured_in)
