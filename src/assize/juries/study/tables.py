"""A study of juries as tables, as the object of `--json`, and in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from assize.juries.outcome import RESULTS
from assize.juries.study.in_shape import paper_json, paper_tables
from assize.juries.study.methods import head_of
from assize.juries.study.paired import JuryPair
from assize.juries.study.sitting import Place, Sitting, judges_of
from assize.juries.study.studied import JuryStudy
from assize.results import Column, ResultTable, columns, with_rows
from assize.results.numbers import NONE, counted
from assize.stats import Estimate, wilson

_PLAIN: dict[str, Any] = {"digits": 1, "ends": "none"}
_ENDS: dict[str, Any] = {"digits": 1, "ends": "alone"}
_TESTS = 40  # comparisons that a table of all pairs shows


def tables_of(study: JuryStudy) -> dict[str, ResultTable]:
    """`accuracy`, `results`, `models`, `ties`, then `tests` and `reruns`; with `paper` the
    printed tables first."""
    found = paper_tables(study) if study.settings.paper else {}
    if not study.settings.paper and (len(_columns(study)) > 1 or _reasons(study)):
        found["accuracy"] = _accuracy(study)  # a single column stands in the next table, too
    found["results"] = _results(study)
    if len(study.models) > 1 and not study.settings.paper:
        found["models"] = _models(study)
    if not study.settings.paper:
        found["ties"] = _ties(study)
    several = len(study.sets) > 1
    for data in study.sets:
        if study.tests.get(data.name):
            key = f"tests: {data.name}" if several else "tests"
            found[key] = _tests(study, data.name)
    found["reruns"] = _reruns(study)
    found["runs"] = _runs(study)
    return with_rows({name: one for name, one in found.items() if one.rows})


def _grouped(study: JuryStudy) -> bool:
    """Whether rows stand below the name of their data set: where there are several columns."""
    return len(study.sets) * len(study.settings.least) > 1


def _columns(study: JuryStudy) -> list[tuple[str, int, str]]:
    """Data set, user turns, and what the column is called."""
    return [
        (data.name, least, data.name if not least else f"{data.name} ≥ {least} turns")
        for least in study.settings.least
        for data in study.sets
    ]


def _rows(study: JuryStudy) -> Iterator[tuple[str, str | None]]:
    """Every method with each of its models."""
    for method in study.methods:
        for model in study.models_at(method.written):
            yield method.written, model


def _model(study: JuryStudy, model: str | None) -> str | None:
    """The model's name where several are compared; None, which no table shows, elsewhere."""
    return (model or "") if len(study.models) > 1 else None


def _accuracy(study: JuryStudy) -> ResultTable:
    """Rows are juries, columns data sets, as AMULET's tables 2, 18, 19 and 20."""
    at = _columns(study)
    rows = []
    for method, model in _rows(study):
        cells = [study.at(Place(data, method, model, least)).share() for data, least, _ in at]
        rows.append((method, _model(study, model), *cells))
    head = [
        Column("jury"),
        Column("model"),
        *columns("percent", *(name for *_, name in at), **_PLAIN),
    ]
    notes = ["Both votes of a judge must agree; a tie is no win."]
    notes += [f"{NONE} ({counted(n, 'cell')}): {reason}." for reason, n in _reasons(study).items()]
    return ResultTable("Pairs decided rightly, %", head, rows, notes)


def _reasons(study: JuryStudy) -> dict[str, int]:
    """Why there are cells without a figure, and how many of each."""
    each = Counter(one.share().reason for one in study.sittings.values())
    return {reason: n for reason, n in each.items() if reason is not None}


def _results(study: JuryStudy) -> ResultTable:
    """Win, tie and loss of every jury with n, as AMULET's table 4, by data set."""
    rows = []
    shown = _columns(study)[: len(study.sets)] if study.settings.paper else _columns(study)
    for data, least, name in shown:
        for method, model in _rows(study):
            sitting = study.at(Place(data, method, model, least))
            if sitting.result is None or sitting.result.outcome.jury is None:
                continue
            shares = [sitting.share(one) for one in RESULTS]
            unscored, n = sitting.unscored
            rows.append(
                (
                    name if _grouped(study) else None,
                    method,
                    _model(study, model),
                    *shares,
                    shares[0],
                    unscored,
                    n,
                )
            )
    head = [Column("set"), Column("jury"), Column("model")]
    head += columns("percent", *(f"{one} %" for one in RESULTS), **_PLAIN)
    head += [*columns("percent", "win 95%", **_ENDS), *columns("count", "unscored", "n")]
    lost = any(one.composition.unscored == "loss" for one in study.methods)
    notes = ["What is unscored is among the losses."] if lost else []
    return ResultTable("Win, tie and loss", head, rows, notes, grouped=_grouped(study))


def _models(study: JuryStudy) -> ResultTable:
    """Rows are juries, columns models, as AMULET's table 3, by data set."""
    rows = []
    for data, least, name in _columns(study):
        for method in study.methods:
            if study.models_at(method.written) != [None]:
                each = [
                    study.at(Place(data, method.written, one, least)).share()
                    for one in study.models
                ]
                rows.append((name if _grouped(study) else None, method.written, *each))
    head = [Column("set"), Column("jury"), *columns("percent", *study.models, **_PLAIN)]
    return ResultTable("Pairs decided rightly, by model, %", head, rows, grouped=_grouped(study))


def _ties(study: JuryStudy) -> ResultTable:
    """What the last judge of a cascade adds, as AMULET's tables 25, 26 and 30."""
    rows = []
    for data, least, name in _columns(study):
        for method, model in _rows(study):
            result = study.at(Place(data, method, model, least)).result
            if result is None or len(result.composition.cascade) < 2:
                continue
            if result.outcome.jury is None:
                continue
            outcome, last = result.outcome, result.judges[-1]
            before = "tie-" * (len(result.judges) - 1)
            paths = [wilson(outcome.paths.get(f"{before}{one}", 0), outcome.n) for one in RESULTS]
            alone = wilson(outcome.judges[last].right_alone, outcome.n)
            rows.append(
                (name if _grouped(study) else None, method, _model(study, model), *paths, alone)
            )
    head = [Column("set"), Column("jury"), Column("model")]
    head += columns("percent", "ties won %", "left %", "lost %", "right alone %", **_PLAIN)
    notes = [
        "Won, left, lost: of all pairs, where all judges before the last one tied. Right alone:"
        " the last judge is right by itself where the jury loses."
    ]
    return ResultTable(
        "What the last judge of a cascade decides", head, rows, notes, grouped=_grouped(study)
    )


def _tests(study: JuryStudy, data: str) -> ResultTable:
    """Each jury against the one that was named, or against the best one."""
    every, fixed = study.tests[data], study.settings.against is not None
    base = every[0].first if fixed else study.best_of(data) or ""
    shown = [one for one in every if base in (one.first, one.second)] or list(every)
    rows = [_tested(one, base) for one in shown]
    rows.sort(key=lambda row: -row[2].estimate)
    where = f", {data}" if len(study.sets) > 1 else ""
    title = f"Against {base}, on the same pairs{where}"
    head = [Column("jury"), *columns("count", "n")]
    head += columns("percent", "difference", digits=1, signed=True)
    head += [*columns("count", "only it", "only the other"), *columns("p", "p", "p Holm")]
    note = (
        "Only it, only the other: pairs that one of the two has right. p: McNemar's exact test,"
        f" corrected by Holm for {counted(len(every), 'comparison')}"
        f"{'' if fixed else ', all pairs of juries, which --json has'}. Difference: in points of"
        " right pairs, with the interval of a paired bootstrap."
    )
    return ResultTable(title, head, rows[:_TESTS], [note])


def _tested(one: JuryPair, base: str) -> tuple[Any, ...]:
    """The other jury less the base, whichever of the two stands first."""
    turned = one.first == base
    difference = one.difference
    counts = one.test.details.get("only_first", 0), one.test.details.get("only_second", 0)
    if turned:
        difference = _negative(difference)
        counts = counts[1], counts[0]
    name = one.second if turned else one.first
    return (name, one.test.n, difference, *map(int, counts), one.test.p_value, one.p_holm)


def _negative(found: Estimate) -> Estimate:
    low, high = found.interval
    return replace(found, estimate=-found.estimate, interval=(-high, -low))


def _reruns(study: JuryStudy) -> ResultTable:
    """Judges and juries that were asked several times: how far their runs agree."""
    rows = []
    for one in study.reruns:
        name = one.place.data if _grouped(study) else None
        rows.append(
            (
                name,
                one.place.method,
                _model(study, one.place.model),
                len(one.runs),
                one.same.n,
                one.same.unscored or None,
                one.same,
                one.agreement.alpha,
                one.right.estimate,
                100 * one.right.spread,
            )
        )
    head = [
        Column("set"),
        Column("jury"),
        Column("model"),
        *columns("count", "runs", "n", "unscored"),
    ]
    head += columns("percent", "same %", digits=1) + columns("number", "alpha", digits=2)
    head += columns("percent", "win %", digits=1) + columns("number", "±", digits=1)
    notes = [
        "Same: pairs on which all runs say the same (A, B or tie). alpha: Krippendorff's, of these"
        " decisions. Win: the mean over runs, and the deviation between them in points."
    ]
    return ResultTable(
        "Asked again: how far runs agree", head, rows, notes, grouped=_grouped(study)
    )


def _runs(study: JuryStudy) -> ResultTable:
    """Win, tie and loss of every run."""
    rows = []
    for one in study.reruns:
        name = one.place.method if len(study.sets) == 1 else f"{one.place.method}, {one.place.data}"
        for run in one.runs:
            standing = one.standing(run)
            shares = [standing.share(result) for result in RESULTS]
            if one.wins:
                unscored = standing.counts.get("unscored", 0)
                rows.append(
                    (
                        name,
                        _model(study, one.place.model),
                        run,
                        *shares,
                        shares[0],
                        unscored,
                        standing.n,
                    )
                )
    head = [Column("jury"), Column("model"), *columns("count", "run")]
    head += columns("percent", *(f"{one} %" for one in RESULTS), **_PLAIN)
    head += [*columns("percent", "win 95%", **_ENDS), *columns("count", "unscored", "n")]
    return ResultTable("Run by run", head, rows)


def as_json(study: JuryStudy) -> dict[str, Any]:
    """The object of `--json`."""
    found: dict[str, Any] = {
        "sets": {
            one.name: {
                "pairs": None if one.pairs is None else len(one.pairs),
                "judged": len(one.table.items),
            }
            for one in study.sets
        },
        "models": list(study.models),
        "juries": [_jury(study, place, one) for place, one in study.sittings.items()],
        "tests": {name: [one.to_json() for one in tests] for name, tests in study.tests.items()},
        "reruns": [one.to_json() for one in study.reruns],
    }
    if study.settings.paper:
        found["paper"] = paper_json(study)
    return found | {"signature": study.signature}


def _jury(study: JuryStudy, place: Place, one: Sitting) -> dict[str, Any]:
    said: dict[str, Any] = {"set": place.data, "jury": place.method, "model": place.model}
    if place.least:
        said["least_turns"] = place.least
    result = one.result
    if result is None:
        return said | {"n": None, "reason": one.reason}
    unscored, n = one.unscored
    said |= {"n": n, "unscored": unscored, "judges": list(result.judges)}
    outcome = result.outcome
    if outcome.jury is None:
        return said | {"answers": dict(outcome.answers), "signature": result.signature}
    said |= {name: one.share(name).to_share() for name in RESULTS}
    said["paths"] = {name: wilson(count, n).to_share() for name, count in outcome.paths.items()}
    said["right_alone"] = {
        name: wilson(judge.right_alone, n).to_share() for name, judge in outcome.judges.items()
    }
    return said | {"signature": result.signature}


def notes_of(study: JuryStudy) -> Sequence[str]:
    """What a reader of the figures must know."""
    notes = []
    for data in study.sets:
        n = {
            one.result.outcome.n
            for place, one in study.first_of(data.name)
            if one.result is not None
        }
        judges = len(judges_of(data.table, study.settings.gold))
        judged = counted(max(n), "pair") if n else "nothing that can be compared"
        of = f" of {data.name}" if len(study.sets) > 1 or study.settings.paper else ""
        notes.append(f"{judged}{of}, {counted(judges, 'judge')}")
    if len(study.models) > 1:
        notes.append(f"models: {', '.join(study.models)}")
    notes += [f"{name} is {', '.join(sat)}" for name, sat in sat_for(study).items()]
    if study.left_out:
        notes.append(
            f"not compared: {', '.join(study.left_out)} (people, juries, and who has no vote on"
            f" {study.settings.question!r}); name who shall be"
        )
    return notes


def sat_for(study: JuryStudy) -> dict[str, list[str]]:
    """By short name, who sat, where that is nobody's own name: `w-expl`, or a beginning."""
    found: dict[str, dict[str, None]] = {}
    names = {one.written: one.names for one in study.methods}
    for place, one in study.sittings.items():
        given = names[place.method]
        if one.result is None or not given:  # a panel of all has no names
            continue
        for name, sat in zip(given, one.result.judges, strict=True):
            if "@" not in name and name not in (sat, head_of(sat)):
                found.setdefault(name, {})[sat] = None
    return {name: list(sat) for name, sat in found.items()}
