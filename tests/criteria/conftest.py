"""A set of criteria, conversations, and a model that knows how well they fit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from assize.base.conversation import Conversation, Turn
from assize.criteria._criterion import CriteriaSet, Criterion, Domain, Labelling
from assize.criteria._judge import CriteriaJudge, open_criteria
from assize.judging.judge import JudgeContext, JudgeSettings
from assize.models import Request, Scripted

GOOD = Conversation(
    "good",
    (
        Turn("user", "My loop throws IndexOutOfRange."),
        Turn("assistant", "Line 12 runs to items.Length; use < instead of <=."),
        Turn("user", "That works, thanks!"),
    ),
)
BAD = Conversation(
    "bad",
    (
        Turn("user", "Null reference in Save()."),
        Turn("assistant", "Try restarting."),
        Turn("user", "Still null reference in Save()."),
        Turn("assistant", "Try restarting."),
    ),
)
SET = CriteriaSet(
    "debugging",
    (
        Criterion("line", "The assistant names the line that fails.", "sat"),
        Criterion("works", "The user says that the fix works.", "sat", about="user"),
        Criterion("again", "The assistant repeats a fix that did not work.", "dsat"),
    ),
    domain=Domain("Finding out why a program throws.", outcome="The fix works."),
    model="scripted:test",
    labelling=Labelling(0.0, low=-5.0, high=5.0, slope=0.5, intercept=0.0),
)

TWELVE = tuple(Criterion(f"s{n}", f"Statement {n} holds.", "sat") for n in range(12))
THIRTEEN = replace(SET, criteria=(*TWELVE, SET.criteria[-1]), labelling=None)

Script = Callable[[Request], Any]


class One:
    """Models of which there is one."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.opened: list[str] = []

    def open(self, name: str) -> Any:
        self.opened.append(name)
        return self.model


def statements(request: Request) -> dict[str, str]:
    """The statements that a request asks about, by their fields."""
    said = request.messages[-1].text.rpartition("Statements:")[2]
    return dict(re.findall(r"^(s\d+): (.*)$", said, re.MULTILINE))


def option(request: Any, word: str) -> str:
    """The allowed answer that ends in this word."""
    allowed = request.schema["properties"]["s1"]["enum"]
    return str(next(one for one in allowed if re.fullmatch(rf"(\d )?{word}", one)))


def answering(words: Mapping[str, str]) -> Script:
    """A model that gives these words to these statements."""

    def script(request: Request) -> str:
        said: dict[str, Any] = {}
        for name, text in statements(request).items():
            said[name] = option(request, words[text])
        return json.dumps(said)

    return script


def judge_of(
    script: Script, given: CriteriaSet = SET, *, capabilities: Any = frozenset(), **told: Any
) -> CriteriaJudge:
    names = set(JudgeSettings.__dataclass_fields__)
    settings = JudgeSettings(**{name: one for name, one in told.items() if name in names})
    options = {name: one for name, one in told.items() if name not in names}
    models: Any = One(Scripted(script, capabilities=capabilities))
    context = JudgeContext(models, settings, options=options)
    opened = open_criteria(given, "set.yaml", "scripted:test", context)
    assert isinstance(opened, CriteriaJudge)
    return opened
