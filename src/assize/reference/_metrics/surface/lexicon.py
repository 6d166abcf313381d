"""The words and phrases of `words.toml`, ours, and the faces that a text may hold."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Set
from dataclasses import dataclass
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Phrases:
    """A pattern that is looked for where one of its words stands, or the text is not ASCII."""

    words: frozenset[str]
    pattern: re.Pattern[str]

    def found(self, text: str, held: Set[str]) -> bool:
        """Whether a text of these words holds one."""
        if text.isascii() and self.words.isdisjoint(held):
            return False
        return self.pattern.search(text) is not None


_READ: dict[str, Any] = tomllib.loads(
    files("assize.reference._metrics.surface").joinpath("words.toml").read_text("utf-8")
)


def _words(name: str) -> frozenset[str]:
    return frozenset(_READ[name].split())


def _phrases(name: str) -> Phrases:
    one = _READ["phrases"][name]
    pattern = "".join(one["pattern"].splitlines())
    return Phrases(frozenset(one["words"].split()), re.compile(pattern, re.IGNORECASE))


POSITIVE, NEGATIVE, NEGATORS = _words("positive"), _words("negative"), _words("negators")
MOODS = POSITIVE | NEGATIVE
NEGATED = 3  # words that a negator reaches
INFORMAL, FORMAL = _words("informal"), _words("formal")
FIRST, SECOND, THIRD = _words("first"), _words("second"), _words("third")
FUNCTION_WORDS = _words("function_words") | FIRST | SECOND | THIRD
AGREEING, REFUSING = _words("agreeing"), _words("refusing")
ASKING = _words("asking")  # how an English question begins, where it has no question mark

GREETING, FAREWELL = _phrases("greeting"), _phrases("farewell")
THANKING, APOLOGISING, OFFERING = (
    _phrases("thanking"),
    _phrases("apologising"),
    _phrases("offering"),
)
SELF = _phrases("self")  # what names its writer an AI, a language model or such an assistant

EMOJI = re.compile(
    "[\u2600-\u26ff\u2700-\u2712\u2728\u2753-\u2755\u2757\u2763-\u2767\u2795-\u2797\u2b50"
    "\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f900-\U0001faff]"
    r"|(?<!\w)[:;=]-?[)(DPp/](?!\w)|<3|\^\^"
)
GLAD = re.compile(
    "[\u2665\u2764\u2b50\u263a\U0001f44d\U0001f44f\U0001f389\U0001f38a\U0001f495-\U0001f49d"
    "\U0001f600-\U0001f60e\U0001f617-\U0001f61d\U0001f642\U0001f64c\U0001f64f\U0001f929\U0001f970"
    r"\U0001f973]|(?<!\w)[:;=]-?[)DPp](?!\w)|<3|\^\^"
)
SAD = re.compile(
    "[\u2639\U0001f44e\U0001f494\U0001f612-\U0001f616\U0001f61e-\U0001f62b\U0001f62d-\U0001f631"
    "\U0001f641\U0001f92c\U0001f92e]"
    r"|(?<!\w)[:;=]-?[(/](?!\w)"
)
