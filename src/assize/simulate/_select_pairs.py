"""From pairs and judges' votes to preference data: what is kept, step by step.

turns ─► trivial ─► length ─► judges apart ─► consistent ─► balance ─► sample
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from assize.base.conversation import PREFERENCES, Pair, Preference
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.formats.writing import write_questions
from assize.judging.step_work import write_records
from assize.judgments import JudgmentTable
from assize.judgments.combine import Votes
from assize.judgments.item_fields import systems_of
from assize.simulate._balance import balanced
from assize.simulate._dialogue_filters import exchanges, is_trivial
from assize.simulate._funnel import Funnel
from assize.simulate._lengths import length_difference
from assize.simulate._majority import MAJORITY, labels_of, votes_by_judge
from assize.simulate._model_names import shared
from assize.simulate._vote_consistency import JudgeConsistency, consistent_votes, overall_question

PAIRS, VOTES = "pairs.jsonl", "judgments.jsonl"


@dataclass(frozen=True, slots=True)
class Selecting:
    """Which steps are taken; None and False leave one out.

    Args:
        turns: fewest and most exchanges of user and assistant.
        trivial: leave out pairs in which a turn of the user is trivial.
        words: most words that responses may differ by.
        apart: leave out votes of judges that wrote either side.
        consistent: keep pairs on which exchanging the sides changes no judge's vote.
        consistent_on: questions that must be; None for the deciding one, `all` for each.
        question: that decides; None for Overall or preference.
        label: a pair's label: the majority of the judges, or the judge of that name.
        balance: shares of A, B and ties.
        sample: how many pairs to draw in the end.
        gold: write the label into the pair.
    """

    turns: tuple[int, int] | None = None
    trivial: bool = False
    words: float | None = None
    apart: bool = False
    consistent: bool = False
    consistent_on: tuple[str, ...] | None = None
    question: str | None = None
    label: str = MAJORITY
    balance: tuple[float, float, float] | None = None
    sample: int | None = None
    gold: bool = False

    @property
    def needs_votes(self) -> bool:
        """Whether any step looks at judgments."""
        return bool(self.apart or self.consistent or self.balance or self.gold)


@dataclass(frozen=True, slots=True)
class Selected:
    """What is kept.

    Args:
        pairs: in their order.
        table: the votes on them; None where none were given.
        question: that decides; None without votes.
        labels: the label of each kept pair; None where nobody's votes give one.
        votes: by judge and pair, both orders put together, on the deciding question.
        consistency: of each judge, where that was asked for.
    """

    pairs: tuple[Pair, ...]
    table: JudgmentTable | None
    question: str | None = None
    labels: Mapping[str, Preference | None] = field(default_factory=dict)
    votes: Mapping[str, Mapping[str, Preference | None]] = field(default_factory=dict)
    consistency: tuple[JudgeConsistency, ...] = ()


def select_pairs(
    pairs: Iterable[Pair],
    table: JudgmentTable | None,
    selecting: Selecting,
    rng: np.random.Generator,
    funnel: Funnel,
) -> Selected:
    """Takes the steps in their order, and counts in `funnel` what each left.

    Args:
        table: votes, also on other items; rows of pairs that go, go with them.
        rng: draws for the balance and the sample.

    Raises:
        DataError: a step needs votes and there are none, or nothing is left for a balance.
        ConfigError: `label` names no judge.

    Source: MTDEval, appendix A. Differs: the order of the steps is ours; length before votes,
    so that nobody votes on what will go.
    """
    given = list(pairs)
    kept = _by_text(given, selecting, funnel)
    if table is None:
        if selecting.needs_votes:
            raise DataError("these steps need votes on the pairs; give them", source="votes")
        return Selected(tuple(_sampled(kept, selecting.sample, rng, funnel)), None)
    known, table = bool(len(_of(table, given))), _of(table, kept)
    if known and not len(table):
        raise DataError(
            f"the steps before the votes left {len(kept)} of {len(given)} pairs, none of them with"
            " a vote; widen these steps"
        )
    if not len(table):
        raise DataError("no vote is on any of these pairs; their ids must match", source="votes")
    question = overall_question(table, selecting.question)
    if selecting.apart:
        kept, table = _apart(kept, table, funnel)
    judged: tuple[JudgeConsistency, ...] = ()
    if selecting.consistent:
        on = _questions(table, selecting.consistent_on, question)
        left = consistent_votes(table, on)
        before, kept = len(kept), _only(kept, left.items)
        table, judged = left.table, left.judges
        changed = sum(one.changed for one in judged)
        incomplete = sum(one.incomplete for one in judged)
        several = ", ".join(on) if len(on) < 4 else f"{len(on)} questions"
        votes = {"votes changed": changed, "votes incomplete": incomplete}
        funnel.add(
            f"all consistent on {several}",
            "pairs",
            len(kept),
            {"not consistent": before - len(kept)},
            votes,
        )
    how = how_combined(table)
    if selecting.balance is not None:
        shares = selecting.balance
        kept, table = _balanced(kept, table, selecting, shares, question, how, rng, funnel)
    if selecting.sample is not None:
        kept = _sampled(kept, selecting.sample, rng, funnel)
    table = _of(table, kept)
    labels = labels_of(table, question, selecting.label, how) if len(table) else {}
    if selecting.gold:
        kept = [replace(one, gold=_gold(one, question, labels.get(one.id))) for one in kept]
    cast = votes_by_judge(table, question, how) if len(table) else {}
    return Selected(tuple(kept), table, question, labels, cast, judged)


def how_combined(table: JudgmentTable) -> Votes:
    """How a judge's two votes become one: they must agree, where the table has any orders."""
    return "agree" if table.present("order").any() else "mean"


def _by_text(pairs: list[Pair], selecting: Selecting, funnel: Funnel) -> list[Pair]:
    """The steps that look at texts alone."""
    if selecting.turns is not None:
        low, high = selecting.turns
        pairs = [one for one in pairs if all(low <= n <= high for n in _exchanges(one))]
        funnel.add(f"{low} to {high} turns", "pairs", len(pairs))
    if selecting.trivial:
        pairs = [one for one in pairs if not any(map(is_trivial, _user(one)))]
        funnel.add("no trivial turn", "pairs", len(pairs))
    if selecting.words is not None:
        pairs = [one for one in pairs if length_difference(one) <= selecting.words]
        funnel.add(f"within {selecting.words:g} words", "pairs", len(pairs))
    return pairs


def _exchanges(pair: Pair) -> tuple[int, int]:
    return exchanges(pair.context + pair.a), exchanges(pair.context + pair.b)


def _user(pair: Pair) -> list[str]:
    turns = (*pair.context, *pair.a, *pair.b)
    return [turn.text for turn in turns if turn.role == "user"]


def _questions(table: JudgmentTable, wanted: Sequence[str] | None, overall: str) -> tuple[str, ...]:
    """The questions on which judges must be consistent."""
    if wanted is None:
        return (overall,)
    asked = [name for name in table.asked if table.questions[name].kind == "preference"]
    if list(wanted) == ["all"]:
        return tuple(asked)
    unknown = [name for name in wanted if name not in asked]
    if unknown:
        known = ", ".join(asked)
        raise ConfigError(f"no votes on {unknown[0]!r}; preferences that were asked are {known}")
    return tuple(wanted)


def _apart(
    pairs: list[Pair], table: JudgmentTable, funnel: Funnel
) -> tuple[list[Pair], JudgmentTable]:
    """Without the votes of judges on what they wrote; pairs without any vote left go."""
    own: set[tuple[str, str]] = set()
    for one in pairs:
        wrote = [name for name in systems_of(one) if name is not None]
        own.update((judge, one.id) for judge in shared(table.judges, wrote))
    judges, names = table.codes("judge")
    items, ids = table.codes("item")
    mask = np.array(
        [
            (names[j], ids[i]) not in own
            for j, i in zip(judges.tolist(), items.tolist(), strict=True)
        ],
        dtype=bool,
    )
    left = table.filter(mask)
    kept = _only(pairs, left.items)
    by = Counter(judge for judge, _ in own)
    gone = {f"pairs that {judge} wrote a side of": count for judge, count in by.items()}
    funnel.add("judges apart", "pairs", len(kept), gone)
    return kept, left


def _balanced(
    pairs: list[Pair],
    table: JudgmentTable,
    selecting: Selecting,
    wanted: tuple[float, float, float],
    question: str,
    how: Votes,
    rng: np.random.Generator,
    funnel: Funnel,
) -> tuple[list[Pair], JudgmentTable]:
    """The pairs whose labels have the wanted shares."""
    found = labels_of(table, question, selecting.label, how)
    labels = {one.id: label for one in pairs if (label := found.get(one.id)) is not None}
    shares = "/".join(f"{100 * one:.0f}" for one in wanted)
    try:
        chosen = balanced(labels, wanted, rng)
    except DataError:
        lost = Counter(f"labelled {label}" for label in labels.values())
        lost["without a label"] = len(pairs) - len(labels)
        funnel.add(f"balanced {shares}", "pairs", 0, lost)
        raise
    kept = _only(pairs, chosen)
    before, after = Counter(labels.values()), Counter(labels[one] for one in chosen)
    gone = {f"labelled {label}": before[label] - after[label] for label in PREFERENCES}
    gone["without a label"] = len(pairs) - len(labels)
    funnel.add(f"balanced {shares}", "pairs", len(kept), gone)
    return kept, table.where(item=set(chosen))


def _sampled(
    pairs: list[Pair], count: int | None, rng: np.random.Generator, funnel: Funnel
) -> list[Pair]:
    if count is None:
        return pairs
    drawn = sorted(rng.choice(len(pairs), min(count, len(pairs)), replace=False).tolist())
    funnel.add(f"a sample of {count:,}", "pairs", len(drawn))
    return [pairs[at] for at in drawn]


def _gold(pair: Pair, question: str, label: Preference | None) -> Any:
    """The pair's gold with the label: one answer for `preference`, else by question."""
    if label is None:
        return pair.gold
    if isinstance(pair.gold, Mapping):
        return {**pair.gold, question: label}
    return label if question == PREFERENCE.id else {question: label}


def _only(pairs: Iterable[Pair], ids: Iterable[str]) -> list[Pair]:
    wanted = set(ids)
    return [one for one in pairs if one.id in wanted]


def _of(table: JudgmentTable, pairs: Iterable[Pair]) -> JudgmentTable:
    return table.where(item={one.id for one in pairs})


def write_pairs(
    folder: Path,
    names: tuple[str, str],
    pairs: Sequence[Pair],
    rows: Sequence[Judgment],
    questions: Sequence[Question],
) -> dict[str, int]:
    """Write pairs, and votes with their questions; return how many records each file holds."""
    folder.mkdir(parents=True, exist_ok=True)
    files = write_records(folder / names[0], pairs)
    if rows:
        files |= write_records(folder / names[1], rows)
        write_questions(folder / names[1], questions)
    return files
