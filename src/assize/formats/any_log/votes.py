"""Who prefers which side of a pair: its gold, and the votes of people and models beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assize.base.conversation import Preference
from assize.base.errors import DataError, shorten
from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Unscored
from assize.formats.any_log.mapping import ALL, FieldMapping
from assize.formats.any_log.paths import ABSENT, find
from assize.formats.preferences import read_preference
from assize.formats.research.fields import MISSING
from assize.formats.rows import parse_json_text


def read_side(value: Any, mapping: FieldMapping, path: str) -> Preference:
    """Return A, B or tie, by the mapping's own words, or as logs usually say it.

    Raises:
        DataError: the value at `path` says none of them.
    """
    word = str(value).strip()
    sides = mapping.gold or {mapping.fields["a"].lower(): "A", mapping.fields["b"].lower(): "B"}
    side: Any = sides.get(word, sides.get(word.lower()))
    if side is None and not mapping.gold:
        side = read_preference(word)
    if side is None:
        raise DataError(
            f"received {shorten(value)}; say what it means, as gold:{word[:20]}=A,gold:OTHER=B in"
            " --map (A, B or tie)",
            field=path,
        )
    return side  # type: ignore[no-any-return]


def read_votes(value: Any, item: str, mapping: FieldMapping) -> Iterator[Judgment]:
    """Yield the votes on a pair that its record holds; an empty one is unscored.

    Raises:
        DataError: a vote says neither A, B nor tie.
    """
    for judge, path, vote, kind in _votes(value, mapping):
        if vote is None or vote == "":
            empty = Unscored(MISSING, "the field is empty")
            yield Judgment(item, judge, PREFERENCE.id, kind=kind, unscored=empty)
        else:
            side = read_side(vote, mapping, path)
            yield Judgment(item, judge, PREFERENCE.id, kind=kind, answer=side)


def _votes(value: Any, mapping: FieldMapping) -> Iterator[tuple[str, str, Any, JudgeKind]]:
    kinds: tuple[tuple[JudgeKind, Mapping[str, str]], ...] = (
        ("person", mapping.raters),
        ("model", mapping.judges),
    )
    for kind, paths in kinds:
        for name, path in paths.items():
            part = parse_json_text(find(value, path))
            if part is ABSENT:
                continue
            votes = part if name == ALL else {name: part}
            if not isinstance(votes, Mapping):
                problem = f"received {shorten(part)}; expected an object of votes by name"
                raise DataError(problem, field=path)
            for judge, vote in votes.items():
                yield str(judge), path if name != ALL else f"{path}.{judge}", vote, kind
