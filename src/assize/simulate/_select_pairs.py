"""From pairs and judges' votes to preference data: what is kept, step by step.

turns ─► trivial ─► length ─► judges apart ─► consistent ─► balance
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from assize.base.conversation import PREFERENCES, Pair, Preference, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.formats import JudgmentsLike, read_judgments
from assize.formats.arguments import judgments_of, names_of
from assize.formats.writing import write_questions
from assize.judging.step_work import write_records
from assize.judgments import JudgmentTable
from assize.judgments.item_fields import systems_of
from assize.simulate._balance import balanced
from assize.simulate._dialogue_filters import keep_by_turns
from assize.simulate._funnel import Funnel
from assize.simulate._lengths import length_difference
from assize.simulate._majority import labels_of, votes_by_judge
from assize.simulate._model_names import shared
from assize.simulate._preference_data import PreferenceData
from assize.simulate._settings import PairChoice
from assize.simulate._vote_consistency import (
    consistent_items,
    overall_question,
    preferences_asked,
)

PAIRS, VOTES = "pairs.jsonl", "judgments.jsonl"


def judgments_beside(
    judgments: JudgmentsLike | None, beside: Sequence[Judgment], argument: str
) -> JudgmentTable | None:
    """The judgments that are given, else those that stood with the records; None for none."""
    if judgments is not None:
        return judgments_of(judgments, argument=argument)
    return read_judgments(beside) if beside else None


def filter_texts(
    pairs: Sequence[Pair],
    funnel: Funnel,
    *,
    turns: tuple[int, int] | None = None,
    drop_trivial: bool = False,
    words: float | None = None,
) -> list[Pair]:
    """The pairs that pass the steps which look at texts alone; counts what each left.

    Args:
        turns: fewest and most exchanges of user and assistant, of either side.
        drop_trivial: leave out pairs in which a turn of the user is trivial.
        words: most words that responses may differ by.
    """
    left = keep_by_turns(pairs, "pairs", _dialogues, funnel, turns, drop_trivial=drop_trivial)
    if words is not None:
        left = funnel.keep(
            f"within {words:g} words",
            "pairs",
            left,
            lambda pair: length_difference(pair) <= words,
        )
    return left


def _dialogues(pair: Pair) -> Sequence[Sequence[Turn]]:
    return pair.context + pair.a, pair.context + pair.b


def select_pairs(
    data: PreferenceData,
    choice: PairChoice,
    rng: np.random.Generator,
    funnel: Funnel,
    *,
    apart: bool = False,
) -> PreferenceData:
    """Keep pairs by the votes on them; count in `funnel` what each step left.

    Args:
        data: the pairs and their votes, also on other items; rows of pairs that go, go with them.
        rng: draws for the balance.
        apart: leave out votes of judges that wrote either side.

    Raises:
        DataError: a step needs votes and there are none, or nothing is left for a balance.
        ConfigError: `label` names no judge.

    Source: MTDEval, appendix A. Differs: the order of the steps is ours; length before votes,
    so that nobody votes on what will go.
    """
    if data.judgments is None:
        if apart or choice.needs_votes:
            raise DataError("these steps need votes on the pairs; give them", source="votes")
        return replace(data, steps=funnel.stages)
    pairs = list(data.records)
    table = data.judgments.where(item={pair.id for pair in pairs})
    if not len(table):
        raise DataError(
            f"no vote is on any of these {len(pairs)} pairs: their ids must match; or the steps"
            " before the votes left none that has a vote",
            source="votes",
        )
    question = overall_question(table, choice.question)
    if apart:
        pairs, table = keep_apart(pairs, table, funnel)
    if choice.needs_consistency:
        on = _questions(table, choice, question)
        items, judges = consistent_items(table, on)
        several = ", ".join(on) if len(on) < 4 else f"{len(on)} questions"
        changed = sum(row.changed for row in judges)
        incomplete = sum(row.incomplete for row in judges)
        funnel.add(
            f"all consistent on {several}",
            "pairs",
            len(items),
            {"not consistent": len(pairs) - len(items)},
            {"votes changed": changed, "votes incomplete": incomplete},
        )
        pairs, table = _only(pairs, table, items)
        data = replace(data, consistency=judges)
    shares = choice.shares()
    if shares is not None:
        labels = labels_of(table, question, choice.label)
        chosen = _balance({pair.id: labels.get(pair.id) for pair in pairs}, shares, rng, funnel)
        pairs, table = _only(pairs, table, chosen)
    return replace(
        data,
        records=pairs,
        judgments=table,
        question=question,
        labels=labels_of(table, question, choice.label) if len(table) else {},
        votes=votes_by_judge(table, question) if len(table) else {},
        steps=funnel.stages,
    )


def _questions(table: JudgmentTable, choice: PairChoice, overall: str) -> list[str]:
    """The questions on which judges must be consistent."""
    wanted = names_of(choice.consistent_on)
    if wanted is None:
        return [overall]
    asked = preferences_asked(table)
    if list(wanted) == ["all"]:
        return asked
    for name in wanted:
        if name not in asked:
            known = ", ".join(asked)
            raise ConfigError(f"no votes on {name!r}; preferences that were asked are {known}")
    return list(wanted)


def keep_apart(
    pairs: list[Pair], table: JudgmentTable, funnel: Funnel
) -> tuple[list[Pair], JudgmentTable]:
    """Without the votes of judges on what they wrote; pairs without any vote left go."""
    own: set[tuple[str, str]] = set()
    for pair in pairs:
        wrote = [name for name in systems_of(pair) if name is not None]
        own.update((judge, pair.id) for judge in shared(table.judges, wrote))
    judges, names = table.codes("judge")
    items, ids = table.codes("item")
    cells = zip(judges.tolist(), items.tolist(), strict=True)
    mask = np.array([(names[j], ids[i]) not in own for j, i in cells], dtype=bool)
    left = table.filter(mask)
    pairs, left = _only(pairs, left, set(left.items))
    by = Counter(judge for judge, _ in own)
    gone = {f"pairs that {judge} wrote a side of": count for judge, count in by.items()}
    funnel.add("judges apart", "pairs", len(pairs), gone)
    return pairs, left


def _balance(
    found: Mapping[str, Preference | None],
    shares: tuple[float, float, float],
    rng: np.random.Generator,
    funnel: Funnel,
) -> Collection[str]:
    """The pairs whose labels have the wanted shares; adds the step, also where none has."""
    labels = {item: label for item, label in found.items() if label is not None}
    chosen: tuple[str, ...] = ()
    try:
        chosen = balanced(labels, shares, rng)
    finally:
        before, after = Counter(labels.values()), Counter(labels[item] for item in chosen)
        gone = {f"labelled {label}": before[label] - after[label] for label in PREFERENCES}
        gone["without a label"] = len(found) - len(labels)
        wanted = "/".join(f"{100 * share:.0f}" for share in shares)
        funnel.add(f"balanced {wanted}", "pairs", len(chosen), gone)
    return chosen


def _only(
    pairs: Sequence[Pair], table: JudgmentTable, ids: Collection[str]
) -> tuple[list[Pair], JudgmentTable]:
    return [pair for pair in pairs if pair.id in ids], table.where(item=set(ids))


def write_pairs(folder: Path, names: tuple[str, str], data: PreferenceData) -> dict[str, int]:
    """Write pairs, and votes with their questions; return how many records each file holds."""
    folder.mkdir(parents=True, exist_ok=True)
    files = write_records(folder / names[0], data.records)
    if data.judgments is not None and len(data.judgments):
        files |= write_records(folder / names[1], data.judgments.rows())
        write_questions(folder / names[1], list(data.judgments.questions.values()))
    return files
