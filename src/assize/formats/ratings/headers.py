"""What the header of a column says: whom it names, what it asks, or that it asks nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from assize.base.judgment import Question

ALIASES: Mapping[str, tuple[str, ...]] = {
    "item": (
        "item", "item_id", "conversation_id", "dialogue_id", "dialog_id", "chat_id", "session_id",
        "thread_id", "pair_id", "case_id", "ticket_id", "transcript_id", "id", "conversation",
        "dialogue", "chat", "pair", "case", "ticket",
    ),
    "rater": (
        "rater", "rater_id", "judge", "judge_id", "annotator", "annotator_id", "labeller",
        "labeler", "reviewer", "rated_by", "worker", "worker_id", "participant",
        "participant_id", "respondent", "email_address", "email", "e_mail", "username", "name",
        "your_name", "initials",
    ),
    "question": ("question", "question_id", "criterion", "dimension", "aspect", "metric"),
    "answer": ("answer", "rating", "score", "label", "value", "grade", "vote", "stars"),
}  # fmt: skip
"""By meaning, what a column is called, the surest name first."""

_COMMENTS = frozenset(
    {
        "comment",
        "comments",
        "explanation",
        "reason",
        "rationale",
        "justification",
        "note",
        "notes",
        "remarks",
        "feedback",
    }
)
_PASSED = _COMMENTS | frozenset({
    "timestamp", "time", "date", "at", "submitted_at", "created_at", "start_time",
    "completion_time", "last_modified_time", "duration", "row", "round", "row_id", "turn", "turns",
    "repeat", "kind", "order", "text", "conversation_text", "transcript", "excerpt", "prompt",
    "response", "context", "link", "url", "system", "topic", "model", "version", "language",
    "asked", "wording", "allowed", "answers", "metadata", "extra", "anonymous", "length", "tokens",
    "messages", "conversation", "chat", "dialogue",
})  # fmt: skip
"""Columns that ask nothing, whatever stands in them."""

_ITEM = re.compile(
    r"\b(?:conversation|dialogue?|chat|item|transcript|ticket|session|case)\s*"
    r"(?:id|number|no|code|name|#)(?![^\W\d_])",
    re.I,
)
_RATER = re.compile(
    r"\b(?:your|rater'?s?|annotator'?s?|reviewer'?s?)\s+(?:name|id|initials|e-?mail)\b", re.I
)
_FREE = re.compile(
    r"\b(?:comments?|remarks?|notes?|explain|why|anything else|suggestions?)\b", re.I
)
_NUMBERED = re.compile(r"(Q[\w-]{0,7}?\d+[a-z]?|\d{1,3}[a-z]?)\s*[.:)–—-]\s*(\S.*)", re.I | re.S)
_NAMED = re.compile(r"Q\d{1,3}[a-z]?", re.I)
_TOPIC = re.compile(
    r"(?:\b(?:overall|tone|style|score|rating|helpful|clear|correct|polite|fluent|relevant|safe|resolved)|ness"
    r"|ity|acy|ency|ance|tion|quality|safety|empathy)$",
    re.I,
)
_SCALE = re.compile(r"\s*[(\[]\s*\d{1,3}\s*(?:-|–|—|to)\s*\d{1,3}\s*[)\]]$")
_GRID = re.compile(r"(.*\S)\s*\[([^\[\]]+)\]", re.S)


TWO_ROWS = " | "
"""What stands between the names of a column that has two header rows."""


class Asked(NamedTuple):
    """What a column asks: the question's id, its words, in a grid its row, and whose it is.

    The id is "" where the column is a rater's and nothing says what was asked.
    """

    id: str
    text: str = ""
    row: str | None = None
    rater: str | None = None


def plain(header: str) -> str:
    """A header as names are compared: `Conversation ID:` is `conversation_id`.

    >>> plain(" Conversation ID: "), plain("E-mail\\xa0address")
    ('conversation_id', 'e_mail_address')
    """
    return re.sub(r"[\s\-./]+", "_", header.replace("\xa0", " ").strip(" \t\r\n:?*#")).casefold()


def meaning(header: str) -> str | None:
    """Whom or what a column names: `item`, `rater`, `question` or `answer`; None for others."""
    name = plain(header)
    for found, aliases in ALIASES.items():
        if name in aliases:
            return found
    if _ITEM.search(header):
        return "item"
    return "rater" if _RATER.search(header) else None


def columns_of(header: Iterable[str]) -> dict[str, list[str]]:
    """By meaning the columns that have it, the surest name first."""
    found: dict[str, list[str]] = {name: [] for name in ALIASES}
    for one in header:
        said = meaning(one)
        if said is not None:
            found[said].append(one)
    for said, names in found.items():
        places = {name: float(place) for place, name in enumerate(ALIASES[said])}
        other = places.get("id", len(places)) - 0.5  # `Chat no.` is surer than `id` and `chat`
        names.sort(key=lambda name: places.get(plain(name), other))
    return found


def asks_nothing(header: str) -> bool:
    """Whether a column is passed over unless a definition names it: a time, a text, a comment."""
    return not header.strip() or plain(header) in _PASSED or _FREE.search(header) is not None


def is_comment(header: str) -> bool:
    """Whether people say in a column why they answered as they did."""
    return plain(header) in _COMMENTS


def looks_asked(header: str) -> bool:
    """Whether a header is a question by its looks: `Q3`, `Was it?`, `clarity`, `Tone (1-5)`."""
    return (
        names_scale(header)
        or _TOPIC.search(plain(header)) is not None
        or _NAMED.fullmatch(header.strip()) is not None
        or _NUMBERED.fullmatch(header.strip()) is not None
        or _GRID.fullmatch(header.strip()) is not None
        or header.strip(" *\xa0").endswith("?")
    )


def names_scale(header: str) -> bool:
    """Whether a header ends with the ends of a scale: `Tone (1-5)`, `Tone [1 to 5]`."""
    return _SCALE.search(header.strip(" *\xa0")) is not None


def grid(header: str) -> tuple[str, str] | None:
    """The question and the row of a form's grid; None for any other header.

    >>> grid("How helpful was it? [chat 7]")
    ('How helpful was it?', 'chat 7')
    """
    found = None if names_scale(header) else _GRID.fullmatch(header.strip())
    return None if found is None else (" ".join(found[1].split()), found[2].strip())


def asked(header: str, known: Mapping[str, Question]) -> Asked:
    """The question that a column asks; one that is defined is known by id or words in any case.

    >>> asked("q1. Was it helpful?", {})
    Asked(id='Q1', text='Was it helpful?', row=None, rater=None)
    >>> asked("2) Clear?", {}).id, asked("tone", {}).id
    ('Q2', 'tone')
    """
    words = " ".join(header.replace("\xa0", " ").split()).strip("* ")
    names = {words.casefold(), words.rpartition(TWO_ROWS)[2].casefold()}
    for one in known.values():
        if names & {one.id.casefold(), " ".join(one.text.split()).casefold()}:
            return Asked(one.id)
    found = _NUMBERED.fullmatch(words)
    if found is not None:
        name = found[1] if found[1][0] in "Qq" else f"Q{found[1]}"
        of = next((one for one in known if one.casefold() == name.casefold()), None)
        return Asked(of) if of is not None else Asked(name[0].upper() + name[1:], found[2])
    if _NAMED.fullmatch(words):
        return Asked(words[0].upper() + words[1:])
    parts = grid(words)
    if parts is not None:
        inner = asked(parts[1], known)
        return Asked(inner.id, f"{parts[0]} [{parts[1]}]" if inner.id not in known else "")
    return Asked(words)


def join_headers(upper: Sequence[str], lower: Sequence[str]) -> list[str] | None:
    """Return one header of two rows, `UPPER | LOWER`; None where the second holds data.

    The upper row repeats a name, or leaves it out after the first of its columns as merged cells
    do; the lower row names every column below it. The column of the item stands in one row only,
    or is the same in both: by it a second header is told from a first row of data.

    >>> join_headers(["id", "Helpful", "", "Polite", ""], ["", "r1", "r2", "r1", "r2"])
    ['id', 'Helpful | r1', 'Helpful | r2', 'Polite | r1', 'Polite | r2']
    >>> join_headers(["id", "tone", ""], ["c1", "4", "3"]) is None
    True
    """
    from assize.formats.ratings.answers import is_blank, is_number

    width = max(len(upper), len(lower))
    header: list[str] = []
    groups: list[str] = []  # the upper name of each column that has two
    group, names_item = "", False
    for column in range(width):
        top, low = (
            row[column].replace("\xa0", " ").strip() if column < len(row) else ""
            for row in (upper, lower)
        )
        if not low or not (top or group) or top.casefold() == low.casefold():
            header.append(top or low)
            group = ""
            names_item = names_item or meaning(top or low) == "item"
            continue
        if is_number(low) or is_blank(low) or meaning(low) == "item":
            return None
        group = top or group
        groups.append(group)
        header.append(f"{group}{TWO_ROWS}{low}")
    repeated, unique = len(set(groups)) < len(groups), len(set(header)) == len(header)
    return header if repeated and names_item and unique else None
