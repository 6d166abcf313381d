"""From items, or a file, and a spec to labels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from os.path import exists
from statistics import mean
from typing import Any, Protocol

from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError, shorten
from assize.base.fields import no_field, values_of
from assize.formats.labels.label_file import file_values, labellers
from assize.formats.labels.labels import LABEL, LabelledValue, Labels
from assize.formats.labels.rule import PLAIN, Rule, Verdict, parse_number, parse_rule, word
from assize.judgments import JudgmentTable
from assize.results.log import log

_SEEN = 5  # values that it does
_MOST = 200  # characters of a value that is no word


class ItemLabels(Protocol):
    """A dict from an item's id to its label: True or False, or a word such as `up`."""

    def __getitem__(self, id: str, /) -> Any:
        """The label of an item."""
        ...

    def __iter__(self) -> Iterator[str]:
        """The ids."""
        ...


@dataclass(frozen=True)
class GoldLabels:
    """Labels of the items in their place, as judgments by gold.

    Args:
        label: what counts as good, for example thumbs:up=1,down=0, or a file of ids and labels. In
            Python also a dict by id.
    """

    label: str | ItemLabels


def labels_of(
    items: Iterable[Item] | None,
    spec: str | ItemLabels,
    *,
    known: Collection[str] = (),
    numbers: bool = False,
) -> Labels:
    """Which items are good, and which bad.

    Args:
        items: conversations, pairs or continuations; None where the labels stand in a file.
        spec: `FIELD:up=1,down=0`, `FIELD>=4`, `FIELD>=4,<=2` (what lies between has no label),
            or `FIELD` alone (true and false, yes and no, up and down, 1 and 0). A field is one of
            the metadata, or of the record itself, such as `system`; `feedback.thumbs` stands
            inside an object, `turns.thumbs` in any turn. `missing=1` says what an item without
            the field is. A file (CSV, JSON lines, Parquet) of ids and labels goes by its name,
            `SPEC@FILE` names another column than `label`; in a file of judgments fields are
            questions, answered by `gold`, else by people. In Python also labels by item id.
        known: ids of items, where `items` is None.
        numbers: take a field of numbers as ratings where the spec says of none what is good.

    Returns:
        Both classes are there; items whose values say both have no label.

    Raises:
        ConfigError: the spec is none.
        DataError: no item has the field, no value has a label, all labels are the same, or a
            file names no known item.
    """
    listed = None if items is None else list(items)
    ids = list(known) if listed is None else [one.id for one in listed]
    rule, file = _parted(spec)
    name = spec if isinstance(spec, str) else "what was given"
    if not isinstance(spec, str):
        found = {item: [spec[item]] for item in spec}
    elif file is not None:
        found = file_values(file, rule)
    else:
        if listed is None:
            raise DataError(
                f"{spec!r} is no file, so it needs the conversations: give items (--items)"
            )
        found = {item.id: values_of(item, rule.field) for item in listed}
        if not any(found.values()):
            raise no_field(rule.field, listed)
    there = set(ids or found)
    unknown = [item for item in found if item not in there]
    if found and len(unknown) == len(found):
        theirs, ours = ", ".join(unknown[:3]), ", ".join(ids[:3])
        raise DataError(
            f"none of the {len(unknown):,} conversations that the labels name is here: they are"
            f" {theirs}, the conversations {ours}; check the ids",
            source=name,
        )
    ids = ids or list(found)
    ratings = _ratings(rule, found, ids) if numbers else {}
    if ratings:
        return Labels(name, {}, unknown=unknown, total=len(set(ids)), ratings=ratings)
    return _labels(name, rule, found, ids, unknown)


def labellers_of(spec: str | ItemLabels) -> JudgmentTable | None:
    """Each person's labels as judgments; None where labels are not several people's judgments.

    Args:
        spec: as in `labels_of`.
    """
    rule, file = _parted(spec)
    return None if file is None else labellers(file, rule)


def _parted(spec: str | ItemLabels) -> tuple[Rule, str | None]:
    if not isinstance(spec, str):
        return parse_rule(LABEL), None
    if exists(spec):
        return parse_rule(LABEL), spec
    rule, at, file = spec.rpartition("@")
    if at and exists(file):
        return parse_rule(rule), file
    if spec.endswith((".csv", ".jsonl", ".json", ".tsv", ".parquet", ".gz", ".zst")):
        raise DataError("there is no such file of labels", source=file or spec)
    return parse_rule(spec), None


def _ratings(rule: Rule, found: Mapping[str, list[Any]], ids: Sequence[str]) -> dict[str, float]:
    """By item, the mean of its numbers, where the rule cuts none of them; {} if they are words, or
    1 and 0."""
    numbers: defaultdict[str, list[float]] = defaultdict(list)
    for item in dict.fromkeys(ids):
        for value in found.get(item, ()):
            number = parse_number(value)
            if number is None:
                return {}
            numbers[item].append(number)
    if rule.words is not PLAIN or {0.0, 1.0}.issuperset(chain(*numbers.values())):
        return {}
    return {item: mean(values) for item, values in numbers.items()}


def _labels(
    name: str, rule: Rule, found: Mapping[str, list[Any]], ids: list[str], unknown: list[str]
) -> Labels:
    seen: Counter[tuple[str, Verdict]] = Counter()
    good: dict[str, bool] = {}
    mixed = 0
    for item in dict.fromkeys(ids):
        values = found.get(item) or [None]
        said = [(value, rule.verdict(value)) for value in values]
        seen.update({(_text(value), verdict) for value, verdict in said})
        verdicts = {verdict for _, verdict in said} & {"good", "bad"}
        mixed += len(verdicts) == 2
        if len(verdicts) == 1:
            good[item] = "good" in verdicts
    values_seen = [LabelledValue(value, verdict, n) for (value, verdict), n in seen.most_common()]
    labels = Labels(name, good, values_seen, mixed, unknown, len(set(ids)))
    if all(labels.counts):
        return labels
    examples = ", ".join(f"{one.value} ({one.n:,}, {one.verdict})" for one in values_seen[:_SEEN])
    examples += ", ..." if len(values_seen) > _SEEN else ""
    if not good:
        problem = (
            f"no value of {rule.field!r} has a label; seen were {examples}; say which are good, as"
            f" {rule.field}:VALUE=1,VALUE=0"
        )
    else:
        which, lacking = ("good", "bad") if labels.counts[0] else ("bad", "good")
        problem = (
            f"all {len(labels):,} labelled conversations are {which}, and none is {lacking}; seen"
            f" were {examples}; give conversations of both classes, or another label"
        )
    unmapped = [one.value for one in values_seen if one.verdict == "not mapped"]
    if rule.good is None and any(parse_number(value) is not None for value in unmapped):
        problem += f"; of numbers say which are good, as '{rule.field}>=4'"
    raise DataError(problem, source=name)


def _text(value: Any) -> str:
    if value is None:
        return "none"
    return word(value)[:_MOST] if isinstance(value, str | int | float) else shorten(value)


def labels_as_ratings(
    items: Iterable[Item],
    label: str | ItemLabels,
    *,
    instead_of: object = None,
    called: str = "judgments",
    known: Collection[str] = (),
    question: str = LABEL,
) -> JudgmentTable:
    """The labels as answers by `gold` to a question: 1 for good, 0 for bad; the log counts them.

    Args:
        items: conversations, whose fields are looked up; none where labels are a file or a dict.
        label: as in `labels_of`.
        instead_of: what is given beside the labels, which must be nothing; `called` names it.
        known: ids of items, where there are no conversations.

    Raises:
        ConfigError: there are ratings too.
        DataError: no item has a label, or all have the same.
    """
    if instead_of is not None:
        raise ConfigError(f"give {called} or label: what is learnt comes from one of them")
    labels = labels_of(list(items) or None, label, known=known)
    for one in labels.notes:
        log.info(one)
    return labels.to_judgments(question)
