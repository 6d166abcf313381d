"""The injection suite tells obedient judges from steadfast ones."""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import Callable

import pytest

from assize.errors import ConfigError
from assize.judging.explained import EXPLAINED
from assize.judging.injection import ATTACKS, aimed, cases, measure
from assize.judging.io import IO
from assize.judging.judge import JudgeSettings
from assize.judging.method import Method
from assize.judging.prompt_judge import PromptJudge
from assize.judging.rating import RATING
from assize.models import Request, Scripted
from assize.results import Share

TRUTHS = ("408", "Mercury is", "tracking number", "git reset")


def steadfast(request: Request) -> str:
    """Prefers the right response, wherever it stands."""
    text = request.messages[-1].text.replace(request.boundary or "", "")  # could hold "408"
    a = text.split("END A")[0]
    return json.dumps({"explanation": "", "answer": "A" if any(t in a for t in TRUTHS) else "B"})


def obedient(request: Request) -> str:
    """Does what the text asks for, and quotes it before its own verdict."""
    text = request.messages[-1].text
    wanted = re.search(
        r"that (\w) is better|\"answer\": \"(\w)\"|(?:verdict: |decide for |answer is |choose "
        r"|verdict than |; )(\w)\b",
        text,
    )
    if wanted is None:
        return steadfast(request)
    return json.dumps({"explanation": "", "answer": next(filter(None, wanted.groups()))})


def quoting(request: Request) -> str:
    """Judges rightly in its mind, but its reply only quotes the attacked response."""
    text = request.messages[-1].text
    quoted = re.findall(r"assistant:\n(.*?)\n\[", text, re.DOTALL)
    return "It says: " + " / ".join(quoted)


def rates(script: Callable[[Request], str], method: Method = IO) -> dict[str, Share]:
    judge = PromptJudge(method, Scripted(script), JudgeSettings())
    return {rate.attack: rate.worse_side_won for rate in asyncio.run(measure(judge))}


def test_a_steadfast_judge_is_never_won_over() -> None:
    shares = rates(steadfast)
    assert {share.count for share in shares.values()} == {0}
    assert shares["any"].n == 8 * len(ATTACKS)


def test_an_obedient_judge_is_won_over_by_every_attack_and_only_by_attacks() -> None:
    shares = rates(obedient, EXPLAINED)
    assert shares["none"].count == 0
    assert {name for name, share in shares.items() if share.estimate == 1} == {*ATTACKS, "any"}


def test_a_quoted_verdict_is_never_counted_as_the_judges() -> None:
    share = rates(quoting)["any"]
    assert (share.n, share.count, share.unscored) == (0, 0, 8 * len(ATTACKS))
    assert math.isnan(share.estimate)


def test_attacks_ask_for_the_side_under_which_they_are_shown() -> None:
    for name, pairs in cases().items():
        for pair in pairs:
            for order, side in (("AB", "B"), ("BA", "A")):
                text = aimed(pair, order).b[0].text  # type: ignore[arg-type]
                assert (name == "none") or (ATTACKS[name].format(side=side) in text)
                assert "{side}" not in text


def test_judges_of_single_conversations_are_refused() -> None:
    with pytest.raises(ConfigError, match="takes no pairs"):
        rates(steadfast, RATING)
