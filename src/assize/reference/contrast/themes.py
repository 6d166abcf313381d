"""Themes of differences: named by people, or found by a model in what people wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from assize.errors import AnswerError, ConfigError
from assize.judging.calls import JSON, Call, numbers, one_line, within
from assize.judging.schemas import record, words

PROMPT = "themes"
SAME = "same"  # the theme of no difference
OTHER = "other"
MOST_TEXTS = 400  # that a model groups at once
_NONE = {"same", "none", "no", "no difference", "nothing", "-", "–", "n/a", "identical"}
_LONGEST_NAME = 40


def is_same(text: str) -> bool:
    """Whether somebody says that there is no difference.

    >>> is_same(" No difference. "), is_same("longer")
    (True, False)
    """
    return text.strip().strip(".").casefold() in _NONE


def named_themes(text: str) -> tuple[str, ...]:
    """The themes in a cell, parted by semicolons, each once, letter case aside.

    >>> named_themes("Longer; asks nothing;longer")
    ('longer', 'asks nothing')
    """
    return tuple(
        dict.fromkeys(one for part in text.split(";") if (one := " ".join(part.split()).casefold()))
    )


def texts_to_group(texts: Sequence[str]) -> tuple[str, ...]:
    """The different texts that name a difference, in their order, letter case aside.

    Raises:
        ConfigError: there are more than a model is shown at once.
    """
    found = {text.casefold(): text for text in reversed(texts) if not is_same(text)}
    listed = tuple(dict.fromkeys(found[text.casefold()] for text in texts if not is_same(text)))
    if len(listed) > MOST_TEXTS:
        raise ConfigError(
            f"{len(listed)} different texts are too many to be grouped by a model at once;"
            f" {MOST_TEXTS} are the most: fill in the column theme instead"
        )
    return listed


def grouping(texts: Sequence[str], most: int) -> Call:
    """What a model is asked: themes for the differences, and which of them each falls under.

    Args:
        texts: as `texts_to_group` gives them; nobody says whose they are.
        most: themes at most.
    """
    last = len(texts)
    one = record(name=words(), differences=numbers(1, last))

    def check(value: JSON) -> JSON:
        if len(value["themes"]) > most:
            raise AnswerError(f"there are {len(value['themes'])} themes; {most} are the most")
        found: dict[str, list[int]] = {}
        for theme in value["themes"]:
            name = one_line(theme["name"], "theme").casefold()
            if len(name) > _LONGEST_NAME:
                raise AnswerError(
                    f"a theme has {len(name)} characters; {_LONGEST_NAME} are the most"
                )
            if name in found:
                raise AnswerError(f"the theme {name!r} is there twice")
            found[name] = within(theme["differences"], 1, last, "difference")
        return {"themes": [{"name": name, "differences": own} for name, own in found.items()]}

    def likely() -> str:
        each = list(range(1, last + 1))
        size = -(-last // most)
        listed = [each[at : at + size] for at in range(0, last, size)]
        return json.dumps({"themes": [{"name": f"theme {n}", "differences": own}
                                      for n, own in enumerate(listed)]})  # fmt: skip

    return Call(
        PROMPT, {"texts": list(texts), "most": most}, list(texts),
        record(themes={"type": "array", "items": one}), check, ("differences", "themes"),
        max_tokens=4096, likely=likely,
    )  # fmt: skip


def themes_by_text(texts: Sequence[str], answer: JSON) -> Mapping[str, tuple[str, ...]]:
    """The themes of each text, by the text without its letter case; what has none is `other`."""
    found: dict[str, list[str]] = {text.casefold(): [] for text in texts}
    for theme in answer["themes"]:
        for number in theme["differences"]:
            found[texts[number - 1].casefold()].append(theme["name"])
    return {text: tuple(own) or (OTHER,) for text, own in found.items()}
