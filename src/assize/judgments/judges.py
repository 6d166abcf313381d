"""Judges of one name: told apart by their signatures, and found by a short name.

A judge's signature changes with its prompt, its model and its settings, so two signatures under
one name that answer one question are two judges, whose votes no average may mix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assize.base.arguments import did_you_mean
from assize.base.errors import ConfigError
from assize.judgments.table import JudgmentTable, names_array

ALIASES: dict[str, str] = {"w-expl": "explained-paper"}
"""Other names under which judges are written, as their papers have them."""
RECORDED: dict[str, str] = {"w-expl": "explained"}
"""And what the same is called where a paper's own answers were read."""

_DIGITS = 6  # of a signature, in a name; all of it where six do not tell


def judges_apart(table: JudgmentTable) -> tuple[JudgmentTable, Mapping[str, tuple[str, ...]]]:
    """The table in which each judge is one: those of one name and several signatures get names.

    A name is divided where some question was answered under two signatures: `io@m` becomes
    `io@m#1f0c9a` and `io@m#77b2d4`. Rows without a signature keep the name; people, and gold,
    have none. Rubric questions that were asked by separate runs stay one judge's.

    Returns:
        The table, and of each divided judge its new names in order of appearance.
    """
    judge, judges = table.codes("judge")
    signed, signatures = table.codes("signature")
    if len(signatures) < 2:
        return table, {}
    divided = _divided(table, judge, signed, len(signatures))
    if not divided:
        return table, {}
    names = list(judges)
    codes = judge.copy()
    found: dict[str, tuple[str, ...]] = {}
    for one in divided:
        mine = (judge == one) & (signed >= 0)
        present = list(dict.fromkeys(signed[mine].tolist()))
        marks = _marks([signatures[at] for at in present])
        for at, mark in zip(present, marks, strict=True):
            codes[mine & (signed == at)] = len(names)
            names.append(f"{judges[one]}#{mark}")
        found[judges[one]] = tuple(names[-len(present) :])
    arrow = table.replaced({"judge": names_array(names, codes)})
    return JudgmentTable(arrow, table.questions, table.inferred), found


def _divided(
    table: JudgmentTable,
    judge: np.ndarray[tuple[int], np.dtype[np.int64]],
    signed: np.ndarray[tuple[int], np.dtype[np.int64]],
    signatures: int,
) -> list[int]:
    """Codes of the judges of whom one question was answered under two signatures."""
    asked, questions = table.codes("question")
    kinds, known = table.codes("kind")
    people = [at for at, kind in enumerate(known) if kind == "person"]
    kept = (signed >= 0) & ~np.isin(kinds, people)
    pairs = judge[kept] * len(questions) + asked[kept]
    distinct = np.unique(pairs * signatures + signed[kept]) // signatures
    several, counts = np.unique(distinct, return_counts=True)
    return sorted({int(pair) // len(questions) for pair in several[counts > 1]})


def _marks(signatures: Sequence[str]) -> list[str]:
    short = [one[:_DIGITS] for one in signatures]
    return short if len(set(short)) == len(short) else list(signatures)


def usual(written: str) -> str:
    """A judge by its usual name, where it is written by another.

    >>> usual("w-expl@openai:gpt-4o"), usual("io@openai:gpt-4o")
    ('explained-paper@openai:gpt-4o', 'io@openai:gpt-4o')
    """
    name, at, target = written.partition("@")
    return f"{ALIASES.get(name, name)}{at}{target}"


def resolve(name: str, known: Sequence[str], model: str | None = None) -> str:
    """The full name of a judge among those that have judged.

    Args:
        name: in full, or without its model (`da`), or its beginning, or with enough of its model
            to tell (`da@claude`).
        known: the judges that there are.
        model: of which model a name without one is meant first, by name or enough of it to tell.

    Raises:
        ConfigError: none is called so, or several are.

    >>> resolve("da", ["da@openai:gpt-4o", "maxim@openai:gpt-4o"])
    'da@openai:gpt-4o'
    """
    found = matching(name, known)
    if model is not None and len(found) > 1:
        theirs = [one for one in found if one.partition("@")[2] == model]
        found = theirs or [one for one in found if has_model(one, model)] or found
    if len(found) == 1:
        return found[0]
    if found:
        raise ConfigError(f"{name!r} could be {' or '.join(found)}; write one of them in full")
    name = RECORDED.get(name.partition("@")[0], name)
    near = did_you_mean(name, [*known, *(one.partition("@")[0] for one in known)])
    raise ConfigError(
        f"no judge {name!r} among these judgments; {near}there are {', '.join(known)}"
    )


def matching(name: str, known: Sequence[str]) -> list[str]:
    """Those whom a name can mean, among judges that have judged; see `resolve`.

    >>> matching("w-expl", ["io@m", "explained@m", "explained@n"])
    ['explained@m', 'explained@n']
    >>> matching("da@Claude", ["da@openai:gpt-4o", "da@anthropic:claude-3-5-sonnet", "io@claude"])
    ['da@anthropic:claude-3-5-sonnet']
    """
    short, at, target = name.partition("@")
    recorded = f"{RECORDED[short]}{at}{target}" if short in RECORDED else None
    for one in (name, usual(name)):
        if one in known:
            return [one]
    written = usual(name)
    head, _, model = written.partition("@")
    same_head = [one for one in known if one.split("@", 1)[0].split("#", 1)[0] == head]
    found = [] if model else same_head
    found = found or [one for one in known if one.startswith(written)]
    if not found and model:
        found = [one for one in same_head if has_model(one, model)]
    return matching(recorded, known) if not found and recorded is not None else found


def has_model(judge: str, model: str) -> bool:
    """Whether a judge's model has these words in its name, in upper case or lower.

    >>> has_model("da@anthropic:claude-3-5-sonnet", "CLAUDE"), has_model("claude@m", "claude")
    (True, False)
    """
    return model.casefold() in judge.partition("@")[2].casefold()
