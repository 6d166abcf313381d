"""A log read by a mapping: which of its fields is the role, the text, the id.

A mapping is made into a `Format` like any other. What it names decides what a row is:

    turns               a conversation, its messages in a list
    text                a message; those with one id are a conversation (see `flat`)
    user, assistant     a question and its answer; those with one id are a conversation
    a, b                a pair
    candidate           a continuation
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assize.conversation import Continuation, Conversation, Pair, Role, Turn
from assize.errors import ConfigError, DataError
from assize.formats.any_log.asked import Asked
from assize.formats.any_log.flat import EXCHANGES, gathered
from assize.formats.any_log.paths import ABSENT, fields, find, lacking, opened, without
from assize.formats.any_log.turns import MESSAGE, TOOLS, one_turn, said, text_of, turns_of
from assize.formats.format import Format, Options
from assize.formats.messages import common_start, record_id, shown
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

NAME = "mapped"
_IDS = ("id", "conversation_id", "chat_id", "session_id", "thread_id")
_SIDES = {
    "a": "A",
    "b": "B",
    "tie": "tie",
    "fair": "tie",
    "both": "tie",
    "draw": "tie",
    "tie (bothbad)": "tie",
    "both_bad": "tie",
}


def mapped(asked: Asked) -> Format:
    """The format that a mapping describes.

    Raises:
        ConfigError: it does not say where the text stands, or says two things at once.
    """
    kind = kind_of(asked)

    def parse(row: Row, options: Options) -> Iterable[Record]:
        if kind == "pairs":
            yield _pair(row, asked)
        elif kind == "continuations":
            yield _continuation(row, asked)
        else:
            yield _conversation(row, asked)

    flat = kind in ("messages", EXCHANGES)
    return Format(
        name=NAME,
        summary="any log, by a mapping of its fields",
        recognise=lambda sample: False,
        parse=parse,
        gather=(lambda rows: gathered(rows, asked, kind)) if flat else None,
    )


def kind_of(asked: Asked) -> str:
    """What a row is by this mapping: conversations, messages, exchanges, pairs, continuations."""
    names = asked.fields.keys()
    found = [
        kind
        for kind, marks in {
            "pairs": {"a", "b"},
            "continuations": {"candidate"},
            "conversations": {"turns"},
            EXCHANGES: {"user", "assistant"},
        }.items()
        if marks & names
    ]
    if len(found) > 1:
        told = " and ".join(found)
        raise ConfigError(f"map: it names the fields of {told}; a row is one of these")
    kind = found[0] if found else "messages"
    if kind == "pairs" and not {"a", "b"} <= names:
        raise ConfigError("map: a pair needs both, a=FIELD and b=FIELD")
    if not found and not {"role", "text"} <= names:
        raise ConfigError(
            "map: it does not say where the messages stand; name turns=FIELD for a list of them,"
            " role=FIELD,text=FIELD where every row is one, user=FIELD,assistant=FIELD where every"
            " row is a question and its answer, a=FIELD,b=FIELD for pairs, or candidate=FIELD"
        )
    return kind


def check(asked: Asked, sample: Sample) -> list[str]:
    """The targets whose field is in none of the first records, with why, for further fields;
    for a field without which nothing can be read it is an error.

    Raises:
        DataError: such a field is in none of them.
    """
    if not sample.rows:
        return []
    inner = MESSAGE if "turns" in asked.fields or kind_of(asked) == "pairs" else TOOLS
    further = {
        "system",
        "gold",
        "system_prompt",
        "turn",
        "conversation",
        "source",
        "context",
        "references",
        "time",
    }
    told = []
    named = {**asked.fields, **{f"metadata.{name}": at for name, at in asked.metadata.items()}}
    for target, path in named.items():
        if target in inner or any(find(one, path) is not ABSENT for one in sample.rows):
            continue
        why = f"{target}={path}: {lacking(sample.rows[0], path)}"
        if target not in further and not target.startswith("metadata."):
            raise DataError(
                f"the mapping finds nothing in the first {len(sample.rows)} records: {why};"
                " mend --map (map= in Python)",
                source=sample.source,
            )
        told.append(why)
    return told


def _conversation(row: Row, asked: Asked) -> Conversation:
    if isinstance(row.value, Mapping) and "rows" in row.value and "lines" in row.value:
        return _of_rows(row, asked)
    value = _object(row)
    at = asked.fields["turns"]
    turns = turns_of(_needed(value, at, "turns"), at, asked)
    return Conversation(
        _id(row, value, asked),
        (*_prompt(value, asked), *turns),
        system=_word(value, asked, "system"),
        metadata=_metadata(value, asked),
    )


def _of_rows(row: Row, asked: Asked) -> Conversation:
    """A conversation of several rows, whose further fields are those that they all share."""
    rows, lines = row.value["rows"], row.value["lines"]
    turns = list(_prompt(rows[0], asked))
    alike = _shared(rows)
    shared = _others(alike, asked)
    for value, line in zip(rows, lines, strict=True):
        try:
            turns += _said_in(value, asked, alike)
        except DataError as error:
            raise error.at(row.source, line) from None
    if not turns:
        raise DataError("nobody says anything", source=row.source, line=lines[0])
    return Conversation(
        _id(row, rows[0], asked),
        tuple(turns),
        system=_word(rows[0], asked, "system"),
        metadata={**shared, **_named(rows, asked)},
    )


def _shared(rows: Sequence[Any]) -> dict[str, Any]:
    """The fields that all rows of a conversation have alike."""
    first, *others = rows
    return {
        name: value
        for name, value in first.items()
        if all(other.get(name, ABSENT) == value for other in others)
    }


def _said_in(value: Mapping[str, Any], asked: Asked, shared: Mapping[str, Any]) -> list[Turn]:
    """The turns of one row: its message, or the question and the answer."""
    if "user" not in asked.fields and "assistant" not in asked.fields:
        return [one_turn(value, "", asked, shared=shared)]
    speakers: tuple[Role, ...] = ("user", "assistant")
    both = [(role, asked.fields[role]) for role in speakers if role in asked.fields]
    found = [(role, find(value, path), path) for role, path in both]
    if all(one is ABSENT for _, one, _ in found):
        path = found[0][2]
        raise DataError(lacking(value, path), field=path)
    texts = [(role, "" if one is ABSENT else text_of(one, path)) for role, one, path in found]
    return [said(role, text) for role, text in texts if text]


def _named(rows: Sequence[Any], asked: Asked) -> dict[str, Any]:
    """The fields that the mapping names as metadata, of the first row that has them."""
    found: dict[str, Any] = {}
    for name, path in asked.metadata.items():
        one = next((held for row in rows if (held := find(row, path)) is not ABSENT), ABSENT)
        if one is not ABSENT:
            found[name] = one
    return found


def _pair(row: Row, asked: Asked) -> Pair:
    value = _object(row)
    context = _context(value, asked)
    a, b = (
        turns_of(_needed(value, asked.fields[side], side), asked.fields[side], asked, "assistant")
        for side in ("a", "b")
    )
    shared = 0 if context else common_start(a, b)
    return Pair(
        _id(row, value, asked),
        context=(*_prompt(value, asked), *(context or a[:shared])),
        a=a[shared:],
        b=b[shared:],
        gold=_gold(value, asked),
        metadata=_metadata(value, asked),
    )


def _gold(value: Mapping[str, Any], asked: Asked) -> Any:
    """A, B or tie, by the mapping's own words, or as logs usually say it; None for none."""
    path = asked.fields.get("gold")
    found = ABSENT if path is None else find(value, path)
    if path is None or found is ABSENT or found is None or found == "":
        return None
    word = str(found).strip()
    if word in asked.gold or word.lower() in asked.gold:
        return asked.gold.get(word, asked.gold.get(word.lower()))
    if not asked.gold:
        names = {asked.fields["a"].lower(): "A", asked.fields["b"].lower(): "B"}
        plain = word.lower()
        for start in ("model_", "response_", "assistant_", "answer_", "side_"):
            plain = plain.removeprefix(start)
        side = names.get(word.lower(), _SIDES.get(plain))
        if side is not None:
            return side
    problem = (
        f"received {shown(found)}; say what it means, as gold:{word[:20]}=A,gold:OTHER=B in --map"
        " (A, B or tie)"
    )
    raise DataError(problem, field=path)


def _continuation(row: Row, asked: Asked) -> Continuation:
    value = _object(row)
    at = asked.fields["candidate"]
    candidate = text_of(_needed(value, at, "candidate"), at)
    context = _context(value, asked)
    held = asked.fields.get("references")
    found = ABSENT if held is None else opened(find(value, held))
    several = found if isinstance(found, list) else [] if found in (ABSENT, None, "") else [found]
    turn = _number(value, asked)
    return Continuation(
        _id(row, value, asked),
        (*_prompt(value, asked), *context),
        candidate,
        references=tuple(text_of(one, str(held)) for one in several),
        conversation=_word(value, asked, "conversation"),
        turn=len(context) if turn is None and "conversation" in asked.fields else turn,
        source=_word(value, asked, "source") or _word(value, asked, "system"),
        metadata=_metadata(value, asked),
    )


def _number(value: Mapping[str, Any], asked: Asked) -> int | None:
    word = _word(value, asked, "turn")
    if word is None or not word.strip():
        return None
    try:
        return int(float(word))
    except (ValueError, OverflowError):
        raise DataError(
            f"received {shown(word)}; the place of a turn is a number", field=asked.fields["turn"]
        ) from None


def _context(value: Mapping[str, Any], asked: Asked) -> tuple[Turn, ...]:
    path = asked.fields.get("context")
    found = ABSENT if path is None else find(value, path)
    if path is None or found is ABSENT or found in (None, "", []):
        return ()
    return turns_of(found, path, asked, "user")


def _prompt(value: Mapping[str, Any], asked: Asked) -> tuple[Turn, ...]:
    path = asked.fields.get("system_prompt")
    found = ABSENT if path is None else find(value, path)
    if path is None or found is ABSENT or found in (None, ""):
        return ()
    return (said("system", text_of(found, path)),)


def _needed(value: Mapping[str, Any], path: str, target: str) -> Any:
    found = find(value, path)
    if found is ABSENT:
        raise DataError(f"{lacking(value, path)} (the mapping has {target}={path})", field=path)
    return found


def _object(row: Row) -> Mapping[str, Any]:
    value = opened(row.value)
    if not isinstance(value, Mapping):
        raise DataError(f"received {shown(row.value)}; a mapping reads objects with fields")
    return value


def _id(row: Row, value: Mapping[str, Any], asked: Asked) -> str:
    path = asked.fields.get("id")
    if path is not None:
        found = _needed(value, path, "id")
        if isinstance(found, Mapping | list):
            problem = f"received {shown(found)}; an id is one value"
            raise DataError(problem, field=path)
        return record_id(row, found)
    for name in _IDS:
        if isinstance(value.get(name), str | int):
            return record_id(row, value[name])
    return record_id(row)


def _word(value: Mapping[str, Any], asked: Asked, target: str) -> str | None:
    path = asked.fields.get(target)
    found = ABSENT if path is None else find(value, path)
    if found is ABSENT or found is None or found == "":
        return None
    if isinstance(found, Mapping | list):
        held = f" with {fields(found)}" if isinstance(found, Mapping) else ""
        problem = f"received {shown(found)}{held}; {target} is one value"
        raise DataError(problem, field=path)
    return str(found)


def _metadata(value: Mapping[str, Any], asked: Asked) -> dict[str, Any]:
    return {**_others(value, asked), **_named([value], asked)}


def _others(value: Mapping[str, Any], asked: Asked) -> dict[str, Any]:
    """What the mapping does not name, with the fields of `metadata` beside the others."""
    inside = () if kind_of(asked) == "messages" else MESSAGE
    named = [path for target, path in asked.fields.items() if target not in inside]
    for path in (*named, *asked.metadata.values()):
        value = without(value, path)
    used: set[str] = set()
    if "id" not in asked.fields:
        used |= {name for name in _IDS[:1] if isinstance(value.get(name), str | int)}
    rest = {key: one for key, one in value.items() if key not in used and one not in (None, "")}
    inner = opened(rest.get("metadata"))
    if isinstance(inner, Mapping):
        rest = {**{name: one for name, one in rest.items() if name != "metadata"}, **inner}
    return rest
