"""Agreement and correlation between judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from assize.agreement.join_questions import join_questions, questions_apart
from assize.agreement.measure import measure_agreement
from assize.agreement.options import AgreeOptions, Audit, CloserToGold
from assize.agreement.ordinary import count_in_sample, ordinary_ratings
from assize.agreement.result import Agreement
from assize.base.arguments import check_word
from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import (
    items_beside,
    items_in,
    judgments_of,
    known_questions,
    names_of,
    select_items,
)
from assize.formats.labels import ItemLabels, labels_of
from assize.formats.labels.labels import GOLD, LABEL
from assize.judgments import JudgmentTable
from assize.judgments.answers import PEOPLE, as_one
from assize.judgments.item_fields import facts_of
from assize.judgments.item_fields import judgments_of as gold_rows
from assize.judgments.judges import resolve
from assize.judgments.values import SPELT
from assize.results.log import log
from assize.stats._statistics import Statistics

USUAL = Statistics(
    interval="jackknife",
    confidence=0.95,
    resamples=1_000,
    permutations=10_000,
    cluster="item",
    seed=0,
)


def agree(
    judgments: JudgmentsLike,
    *,
    question: str | Sequence[str] = (),
    same: Mapping[str, str] | None = None,
    judges: str | Sequence[str] = (),
    gold: str | None = None,
    compare: tuple[str, str] | CloserToGold | None = None,
    items: ItemsLike | None = None,
    label: str | ItemLabels | None = None,
    by: str | None = None,
    audit: bool | Audit = False,
    votes: Literal["agree", "mean"] = "agree",
    statistics: Statistics = USUAL,
) -> Agreement:
    """Measure agreement and correlation between judges, on whatever they both judged.

    Takes any two or more judges on any question. Shows intervals that keep an item's rows together,
    n, unscored judgments, and a signature line that makes each figure reproducible. Tests which of
    two judges is closer to gold. People's answers to gold items, worked examples and a
    qualification are left out, and so are repeats; a note says how many.

    Args:
        judgments: folders of runs, or files of judgments. In Python also records, dicts,
            and tables.
        question: only this question (repeatable). Default: all.
        same: read question Q1 as Q2, if judges were asked under two names (repeatable). A judge's
            answer to Q1 replaces its own answer to Q2.
        judges: only these judges (repeatable, or separated by commas).
        gold: judge whose answers count as true, or people for all people together. Default: the
            judge called gold, else adjudicated.
        compare: two judges: test which of them agrees better with gold. `CloserToGold` also says by
            which measure.
        items: files of the judged items, for gold, lengths, systems and clusters (repeatable);
            judgments of other items are left out.
        label: what counts as good, for example thumbs:up=1,down=0, rating>=4,<=2, or a file of ids
            and labels: it becomes gold, 1 for good and 0 for bad, or the numbers themselves where
            a field of numbers stands alone (stars). In Python also a dict by id.
        by: also report, for each value of this field of the items (for example subset), how often
            each judge prefers what gold prefers, with RewardBench's sections.
        audit: also report effects of position and length, self-preference, repeats and unscored
            judgments. `Audit` names a judge's own system.
        votes: how to combine votes that differ by order: agree (they are a tie) or mean.
        statistics: how intervals and tests are made; see `Statistics`.

    Raises:
        ConfigError: a judge or a question that is named is not there, or an argument is not
            among those allowed.
        DataError: a row is bad, or there is no judgment.
    """
    check_word("votes", votes, ("agree", "mean"))
    how = statistics.settings(USUAL)
    table = judgments_of(judgments)
    if items is not None:
        items = list(items_in(items))
        table = _against(table, items, gold)
    ordinary = ordinary_ratings(table)
    joined = join_questions(ordinary.table, same or {})
    table, names = joined.table, names_of(question)
    selected = None if names is None else known_questions(names, table.asked)
    if label is not None:
        table = _labelled(table, judgments, items, label, selected)
        gold = GOLD if gold is None else gold
    if compare is not None and gold is None and "gold" not in table.judges:
        raise ConfigError("compare needs gold: the judge that counts as true, or `people`")
    if isinstance(compare, tuple):
        compare = CloserToGold(compare)
    audits = None if audit is False else Audit() if audit is True else audit
    needed = audits is not None or how.field is not None or by is not None
    facts = facts_of(items_beside(judgments, items)) if needed else {}
    options = _full_names(
        AgreeOptions(
            names_of(judges),
            gold,
            compare,
            by,
            audits,
            votes,
            joined.mixed,
            joined.mixed_people,
            how,
        ),
        table.judges,
    )
    _check_compared(options, table.judges)
    questions = _questions(table, selected, options)
    result = measure_agreement(table, questions, options, facts)
    if by is not None and not result.groups:
        raise ConfigError(f"by {by} needs preferences, and gold to hold them to")
    flattered = [
        f"{judge} was fitted on ratings of {count:,} of the items that it predicts: agreement with"
        " these ratings flatters"
        for judge, count in count_in_sample(table).items()
    ]
    apart = [] if options.gold is None else questions_apart(table, options.gold, options.judges)
    notes = [*ordinary.notes, *joined.notes, *apart, *flattered, *result.notes]
    return replace(result, notes=notes)


def _against(table: JudgmentTable, items: Sequence[Item], gold: str | None) -> JudgmentTable:
    """The judgments of these items, against the items' own gold, as a jury counts them.

    An item's own gold comes before that of the judge `gold`.
    """
    kept = select_items(table, {item.id for item in items})
    mine = [row for one in items for row in gold_rows(one) if row.question in table.questions]
    if gold not in (None, GOLD) or not mine:
        return kept
    own = {(row.item, row.question) for row in mine}
    if GOLD in kept.judges:
        stored = [row for row in kept.where(judge=GOLD) if (row.item, row.question) not in own]
        others = kept.where(judge=[one for one in kept.judges if one != GOLD])
        kept = JudgmentTable.concat([others, JudgmentTable.of(stored, kept.questions.values())])
    return JudgmentTable.concat([kept, JudgmentTable.of(mine, kept.questions.values())])


def _full_names(asked: AgreeOptions, known: Sequence[str]) -> AgreeOptions:
    """The options with judges' names in full, where they were given short."""

    def full(name: str) -> str:
        return name if name in (PEOPLE, GOLD) else resolve(name, [*known, PEOPLE])

    compare, audit = asked.compare, asked.audit
    if compare is not None:
        compare = replace(compare, pair=(full(compare.pair[0]), full(compare.pair[1])))
    if audit is not None:
        audit = replace(audit, own={full(judge): name for judge, name in audit.own.items()})
    return replace(
        asked,
        judges=None if asked.judges is None else [full(one) for one in asked.judges],
        gold=None if asked.gold is None else full(asked.gold),
        compare=compare,
        audit=audit,
    )


def _check_compared(options: AgreeOptions, known: Sequence[str]) -> None:
    """Refuse a judge that is compared with itself, or that is its own gold."""
    if options.compare is None:
        return
    names = [*options.compared, options.gold or GOLD]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise ConfigError(
            f"compare: received {names[0]}, {names[1]} with gold {names[2]}, so {repeated}"
            " would be compared with itself; give two judges, neither of them gold,"
            f" of {', '.join(known)}"
        )


def _labelled(
    table: JudgmentTable,
    judgments: JudgmentsLike,
    items: ItemsLike | None,
    label: str | ItemLabels,
    wanted: Sequence[str] | None,
) -> JudgmentTable:
    """The table with labels as gold's answers to each question that has numbers."""
    beside = list(items_beside(judgments, items))
    labels = labels_of(beside or None, label, known=table.items, numbers=True)
    for one in labels.notes:
        log.info(one)
    scaled = [
        one
        for one in wanted or table.asked
        if one in table.asked and table.questions[one].kind in SPELT
    ]
    if not scaled:
        raise ConfigError("labels are 1 and 0, and no question here has numbers to hold them to")
    parts = [table.where(judge=[one for one in table.judges if one != GOLD])]
    same = {f"{LABEL} {one}": one for one in scaled}
    parts += [labels.to_judgments(name) for name in same]
    return as_one(JudgmentTable.concat(parts), same)


def _questions(
    table: JudgmentTable, wanted: Sequence[str] | None, asked: AgreeOptions
) -> Sequence[str]:
    """The questions to look at: those named, else all that the named judges answered."""
    answered: dict[str, set[str]] = {}
    for one in table.asked:
        rows = table.where(question=one)
        people = {PEOPLE} if len(rows.where(kind="person")) else set()
        answered[one] = {*rows.judges, *people}
    if wanted is not None:
        return wanted
    scaled = [one for one in answered if table.questions[one].kind != "text"]
    needed = {*(asked.judges or ()), *asked.compared, *([asked.gold] if asked.gold else [])}
    return [one for one in scaled if needed <= answered[one]] or scaled
