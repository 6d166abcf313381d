r"""Reading a verdict that is marked in free text, such as `... [RESULT] 4`.

What counts is written by the evaluator itself: quotations of the item are set aside, verdicts
in quotation marks are none, and of two that differ none is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assize.base.errors import AnswerError
from assize.judging.reading import after_quotations, without_thoughts

_OPENS, _CLOSES = "\"'\u201c\u2018\u00ab`", "\"'\u201d\u2019\u00bb`"
# What may stand on the verdict's line behind it: closing marks, and a model's own end token.
_REST = re.compile(r"[\s.*_)\]}!]{0,99}(?:</?s>|<\|[a-z_]{1,20}\|>|\[END\])?\s{0,99}\Z", re.I)
_LEAD = re.compile(r"\A\s{0,99}#{0,6}\s{0,9}feedback\s{0,9}:\s{0,99}", re.I)


@dataclass(frozen=True, slots=True)
class Form:
    """How an evaluator marks its verdict.

    Args:
        mark: finds a verdict anywhere; its first group is what was decided.
        example: as it should be, for complaints.
        closes: the verdict ends its line; else words may follow it.
        strict: as `mark`, for items that hold a verdict of this form: finds only what judged text
            is shown without, so that a repetition of it is none; None where `mark` does.
    """

    mark: re.Pattern[str]
    example: str
    closes: bool = True
    strict: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided, as written, and what was said before it."""

    decided: str
    words: str


def read_verdict(text: str, form: Form, judged: Sequence[str] = ()) -> Verdict:
    r"""The verdict of a reply.

    Args:
        text: the whole reply.
        form: how the evaluator marks its verdict.
        judged: all text of the item. Nothing before the last quotation of it is read. Where it
            holds a verdict of this form itself, the reply must end with its own, strictly marked.

    Raises:
        AnswerError: there is no verdict, or two that differ, or something stands behind it.

    >>> form = Form(re.compile(r"\[RESULT\]\s*([1-5])\b"), "[RESULT] 4")
    >>> read_verdict("Feedback: It helps. [RESULT] 4</s>", form)
    Verdict(decided='4', words='It helps.')
    """
    said, thought = text.strip(), ""
    if "<" in said:
        said, thought = without_thoughts(said)
    rest = after_quotations(said, judged)
    imitated = any(form.mark.search(one) for one in judged)
    mark = form.strict if imitated and form.strict is not None else form.mark
    found = [one for one in mark.finditer(rest) if not _quoted(rest, one)]
    if not found:
        more = " after the last quotation" if len(rest) < len(said) else ""
        raise AnswerError(f"there is no verdict such as {form.example!r}{more}")
    last = found[-1]
    others = [*found[:-1], *mark.finditer(thought)]
    if any(_same(one[1]) != _same(last[1]) for one in others):
        raise AnswerError("it gives two different verdicts")
    behind = rest[last.end() :]
    line = behind.strip() if imitated else behind.lstrip(" .*_)]}!\t").partition("\n")[0]
    if (form.closes or imitated) and not _REST.match(line):
        raise AnswerError(f"words stand behind the verdict; end with {form.example!r}")
    return Verdict(last[1], _LEAD.sub("", said[: len(said) - len(rest) + last.start()]).strip())


def _quoted(text: str, found: re.Match[str]) -> bool:
    """Whether quotation marks enclose a verdict."""
    before = text[: found.start()].rstrip()[-1:]
    after = text[found.end() :].lstrip(" .)]")[:1]
    return bool(before) and bool(after) and before in _OPENS and after in _CLOSES


def _same(decided: str) -> str:
    return " ".join(decided.casefold().split())
