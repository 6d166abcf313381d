"""From stored judgments to annotated items: who said what kind of thing, by which vote.

`details` hold acts in our own shape, `{"acts": {"context": ..., "a": ..., "b": ...}}`, or a
recorded output as it came, text or object; the latter is read here (`recorded.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assize.acts._labels import Act
from assize.acts._maxims import MAXIMS, SIDES
from assize.acts._recorded import read_recorded, spoken
from assize.acts._taxonomy import Taxonomy
from assize.base.conversation import Conversation, Pair
from assize.base.judgment import PREFERENCE, Judgment
from assize.judgments import JudgmentTable

Acts = tuple[Act, ...]
Judged = Pair | Conversation

_OTHER = {"A": "B", "B": "A"}
_NO_LABELS = ("identical", "raw", "method", "without", "left_out_turns", "maxims")


@dataclass(frozen=True, slots=True)
class Annotation:
    """One vote's acts on one item.

    Args:
        item: its id.
        roles: of the context's turns (of all turns, for a conversation).
        context: acts of those turns.
        a, b: acts of the responses' turns; empty for a conversation.
        invented: labelled stretches of the output that were no turn of the item.
        labels: of a recorded output, the dimension of each label of each turn: of the context, of
            a, then of b. Empty where acts are stored one by one.
        left_out: how many of the first turns were too old to be shown.
    """

    item: str
    roles: tuple[str, ...]
    context: tuple[Acts, ...]
    a: tuple[Acts, ...] = ()
    b: tuple[Acts, ...] = ()
    invented: int = 0
    labels: tuple[tuple[str, ...], ...] = ()
    left_out: int = 0

    @property
    def is_pair(self) -> bool:
        """Whether there are two responses."""
        return bool(self.a or self.b)

    @property
    def turns(self) -> tuple[Acts, ...]:
        """Acts of all turns: of the context, then of both responses."""
        return (*self.context, *self.a, *self.b)

    def acts_of(self, role: str) -> list[Acts]:
        """Return the acts of each turn of a role in the context."""
        turns = zip(self.roles, self.context, strict=True)
        return [acts for speaker, acts in turns if speaker == role]

    def exchanged(self) -> Annotation:
        """The same with both responses exchanged."""
        first = len(self.context)
        second = first + len(self.a)
        labels = (*self.labels[:first], *self.labels[second:], *self.labels[first:second])
        return replace(self, a=self.b, b=self.a, labels=labels)


@dataclass(frozen=True, slots=True)
class Held:
    """One vote of a maxim judge: who keeps to each maxim, and which response it chose."""

    item: str
    maxims: Mapping[str, str]
    answer: str | None

    def satisfied(self, side: str) -> int:
        """How many maxims a side satisfies: better than the other, or both do."""
        return sum(held in (side, "both") for held in self.maxims.values())


@dataclass(frozen=True)
class Votes:
    """All annotated items of one study."""

    # by vote, then by item; the first vote is the one shown in order AB, or the only one that there
    # is
    acts: Mapping[str, dict[str, Annotation]]
    maxims: Mapping[str, dict[str, Held]]  # likewise
    gold: Mapping[str, str]  # the better response by item, where one is known to be better
    # items without a valid first vote, by judge and reason
    excluded: Mapping[str, Counter[str]] = field(default_factory=dict)
    duplicates: int = 0  # rows that repeat an earlier one; the first counts
    # judged items that are not among those given, by judge: nobody asks about them here
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    repeats: int = 0  # rows of later runs of a judge, which are left out


def acts_in(
    details: Mapping[str, Any] | None, item: Judged, order: str | None, taxonomy: Taxonomy
) -> Annotation | None:
    """Return the acts in a judgment's details, mapped back to the real sides A and B.

    Args:
        details: of the judgment; recorded outputs may stand under any name.
        item: the judged item.
        order: `BA` if a recorded output saw the sides exchanged. Acts in assize's own form are
            mapped back already.

    Returns:
        None if there are no acts, or not one for every turn that has text.
    """
    for name, value in (details or {}).items():
        if name in _NO_LABELS:
            continue
        if name == "acts" and isinstance(value, Mapping) and _is_ours(value):
            left_out = (details or {}).get("left_out_turns", 0)
            return _ours(value, item, left_out if isinstance(left_out, int) else 0)
        found = _recorded(value, item, order, taxonomy)
        if found is not None:
            return found
    return None


def _is_ours(value: Mapping[str, Any]) -> bool:
    return (
        bool(value)
        and value.keys() <= {"context", "a", "b", "turns"}
        and all(isinstance(part, list | tuple) for part in value.values())
    )


def _ours(value: Mapping[str, Any], item: Judged, left_out: int) -> Annotation | None:
    """Acts in our own shape; turns that were too old to be shown have none."""
    parts = {name: tuple(_acts_of(turn) for turn in turns) for name, turns in value.items()}
    a, b = parts.get("a", ()), parts.get("b", ())
    context = parts.get("turns", parts.get("context", ()))
    shown = item.context if isinstance(item, Pair) else item.turns
    if isinstance(item, Pair) and (len(a) != len(item.a) or len(b) != len(item.b)):
        return None
    if len(context) + left_out != len(shown):
        return None
    roles = tuple(turn.role for turn in shown[left_out:])
    return Annotation(item.id, roles, context, a, b, left_out=left_out)


def _acts_of(turn: Any) -> Acts:
    found = []
    for act in turn if isinstance(turn, list | tuple) else ():
        named = isinstance(act, list | tuple) and all(isinstance(one, str) for one in act[:2])
        if named and len(act) >= 2:
            found.append(Act(act[0], act[1]))
    return tuple(dict.fromkeys(found))


def _recorded(value: Any, item: Judged, order: str | None, taxonomy: Taxonomy) -> Annotation | None:
    if not isinstance(value, str | Mapping | list) or not isinstance(item, Pair):
        return None
    shown = replace(item, a=item.b, b=item.a) if order == "BA" else item
    reading = read_recorded(value, spoken(shown), taxonomy)
    said = (*shown.context, *shown.a, *shown.b)
    for labels, turn in zip(reading.turns, said, strict=True):
        if labels is None and turn.role in ("user", "assistant") and turn.text.strip():
            return None
    acts = tuple(() if one is None else one for one in reading.turns)
    first, second = len(shown.context), len(shown.context) + len(shown.a)
    found = Annotation(
        item.id,
        tuple(turn.role for turn in item.context),
        acts[:first],
        acts[first:second],
        acts[second:],
        len(reading.invented),
        reading.dimensions,
    )
    return found.exchanged() if order == "BA" else found


def maxims_in(row: Judgment) -> Held | None:
    """The maxims that a judgment's details hold; None where they are not all there."""
    given = (row.details or {}).get("maxims")
    if not isinstance(given, Mapping):
        return None
    maxims = {name: given[name] for name in MAXIMS if given.get(name) in SIDES}
    return Held(row.item, maxims, row.answer) if len(maxims) == len(MAXIMS) else None


def gather(
    table: JudgmentTable,
    items: Mapping[str, Judged],
    *,
    acts: str | None,
    maxims: str | None,
    taxonomy: Taxonomy,
    gold: str = "gold",
) -> Votes:
    """The votes of a judge of acts and of a judge of maxims on some items, by id."""
    found_acts: dict[str, dict[str, Annotation]] = {"first": {}, "second": {}}
    found_maxims: dict[str, dict[str, Held]] = {"first": {}, "second": {}}
    excluded: dict[str, Counter[str]] = {one: Counter() for one in (acts, maxims) if one}
    rows, duplicates, repeats = _first_rows(table, {acts, maxims, gold})
    both = {(row.judge, row.item) for row in rows if row.order != "BA"}
    elsewhere: dict[str, set[str]] = {}
    for row in rows:
        if row.judge not in excluded:
            continue
        second = row.order == "BA" and (row.judge, row.item) in both
        vote, item = "second" if second else "first", items.get(row.item)
        if item is None:
            elsewhere.setdefault(row.judge, set()).add(row.item)
            continue
        reason = _reason(row)
        if reason is None and row.judge == acts:
            annotation = acts_in(row.details, item, row.order, taxonomy)
            if annotation is not None:
                found_acts[vote][row.item] = _to_last_human(annotation)
                continue
            reason = "not every turn has acts"
        elif reason is None:
            held = maxims_in(row)
            if held is not None:
                found_maxims[vote][row.item] = held
                continue
            reason = "not every maxim has an answer"
        if vote == "first":
            excluded[row.judge][str(reason)] += 1
    chosen = _chosen(rows, items, gold)
    not_here = {judge: len(names) for judge, names in elsewhere.items()}
    return Votes(found_acts, found_maxims, chosen, excluded, duplicates, not_here, repeats)


def _chosen(rows: Iterable[Judgment], items: Mapping[str, Judged], gold: str) -> dict[str, str]:
    """The response that gold prefers, by item: the item's own gold first, then the judge's."""
    found = {
        row.item: str(row.answer)
        for row in rows
        if row.judge == gold and row.question == PREFERENCE.id
    }
    for name, item in items.items():
        if isinstance(item, Pair) and item.gold is not None:
            own = item.gold
            found[name] = own if isinstance(own, str) else str(own.get(PREFERENCE.id))
    return {name: side for name, side in found.items() if side in _OTHER}


def _to_last_human(annotation: Annotation) -> Annotation:
    """A pair's annotation without what its context holds after the last human turn."""
    asked = [place for place, role in enumerate(annotation.roles) if role == "user"]
    if not annotation.is_pair or not asked:
        return annotation
    end = asked[-1] + 1
    labels = (*annotation.labels[:end], *annotation.labels[len(annotation.context) :])
    return replace(
        annotation,
        roles=annotation.roles[:end],
        context=annotation.context[:end],
        labels=labels,
    )


def _reason(row: Judgment) -> str | None:
    if row.unscored is not None:
        return f"unscored: {row.unscored.reason}"
    if (row.details or {}).get("identical"):
        return "identical responses"
    return None


def _first_rows(table: JudgmentTable, judges: set[str | None]) -> tuple[list[Judgment], int, int]:
    """Rows of some judges; rows that repeat an earlier one, and rows of later runs, are counted."""
    seen, kept, duplicates, repeats = set(), [], 0, 0
    for row in table:
        if row.judge not in judges:
            continue
        if row.repeat:
            repeats += 1
        elif row.key in seen:
            duplicates += 1
        else:
            seen.add(row.key)
            kept.append(row)
    return kept, duplicates, repeats


def act_judges(table: JudgmentTable) -> list[str]:
    """Judges whose details hold acts, or an output from which they may be read."""
    return _judges(table, _may_hold_acts)


def maxim_judges(table: JudgmentTable) -> list[str]:
    """Judges whose details hold maxims."""
    return _judges(table, lambda details: isinstance(details.get("maxims"), Mapping))


def _judges(table: Iterable[Judgment], wanted: Any) -> list[str]:
    found: dict[str, None] = {}
    for row in table:
        if row.judge not in found and row.details and wanted(row.details):
            found[row.judge] = None
    return list(found)


def _may_hold_acts(details: Mapping[str, Any]) -> bool:
    return any(
        (name == "acts" or '"dim' in repr(value).replace("\\", "").replace("'", '"').lower())
        for name, value in details.items()
        if name not in _NO_LABELS and isinstance(value, str | Mapping | list)
    )


def responses(annotation: Annotation) -> tuple[Acts, Acts]:
    """All acts of each response."""
    return _all(annotation.a), _all(annotation.b)


def _all(turns: Sequence[Acts]) -> Acts:
    return tuple(dict.fromkeys(act for acts in turns for act in acts))
