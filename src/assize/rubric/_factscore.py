"""`factscore@model`: the share of an assistant's claims that its sources support.

Each assistant turn is broken into atomic claims, each claim is checked against the
passages nearest to it, and the score is the share supported (Min et al., 2023, FActScore,
equation 1; without its penalty for short answers). Departures: claims are drawn turn by
turn with the dialogue before them, so that each can be understood alone; the passages
come from a corpus (option `corpus`), else from the sources shown in the conversation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from assize.base.conversation import Conversation, Item, Turn
from assize.base.judgment import JudgeKind, Judgment, Question, Unscored
from assize.base.signature import sign
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.judges.scores import together
from assize.judging.method import Method, Said
from assize.judging.options import FactScoreOptions
from assize.judging.prompt_judge import PromptJudge
from assize.judging.schemas import one_of, record
from assize.models import Model
from assize.retrieval import Cutting, Hit, Index, Page, build_index
from assize.retrieval.index import make_index
from assize.running import all_of

NAME = "factscore"
QUESTION = Question(
    NAME, "Which share of the assistant's claims do the sources support?", range=(0.0, 1.0)
)
NEAREST = 5  # passages that a claim is checked against
CUTTING = Cutting(120, 0)  # words of a passage; FActScore's are of this order
VERSION = 2  # 2: passages are found as `assize.retrieval` finds them

YES, NO = "yes", "no"
_SENTENCE = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")


def _claims(value: Mapping[str, Any]) -> Iterable[Said]:
    claims = dict.fromkeys(claim.strip() for claim in value["claims"] if claim.strip())
    yield Said("claims", json.dumps(list(claims)))


def _verdict(value: Mapping[str, Any]) -> Iterable[Said]:
    yield Said("supported", value["answer"])


def _likely_claims(method: Method, item: Item) -> str:
    """A claim a sentence of the last turn, for estimates."""
    assert isinstance(item, Conversation)
    sentences = _SENTENCE.findall(item.turns[-1].text)
    return json.dumps({"claims": [one.strip() for one in sentences]})


CLAIMS = Method(
    name=NAME,
    about="the claims of a turn",
    takes=(Conversation,),
    questions=(Question("claims", kind="text"),),
    prompt="factscore-claims",
    schema=record(claims={"type": "array", "items": {"type": "string"}}),
    read=_claims,
    max_tokens=2048,
    likely=_likely_claims,
)
CHECK = Method(
    name=NAME,
    about="whether passages support a claim",
    takes=(Conversation,),
    questions=(Question("supported", kind="binary", answers=(NO, YES)),),
    prompt="factscore-check",
    schema=record(answer=one_of((YES, NO))),
    read=_verdict,
    choice="answer",
    max_tokens=64,
)


@dataclass(frozen=True, slots=True)
class _Claim:
    turn: int
    text: str
    passages: Sequence[Hit] = ()


@dataclass(frozen=True, slots=True)
class FactScoreOffer:
    """The row of the table of judges."""

    about: str

    def open(self, target: str, context: JudgeContext) -> FactScoreJudge:
        """The judge that asks this model for claims, and whether they are supported."""
        options = FactScoreOptions(**context.options)
        return FactScoreJudge(target, context.models.open(target), context.settings, options)


@dataclass(frozen=True)
class FactScoreJudge:
    """The model that draws and checks claims, and where passages come from."""

    target: str
    model: Model
    settings: JudgeSettings
    options: FactScoreOptions

    kind: JudgeKind = "model"
    takes: tuple[type, ...] = (Conversation,)
    questions: tuple[Question, ...] = (QUESTION,)
    rows_vary: bool = False

    @property
    def name(self) -> str:
        """`factscore@provider:model`."""
        return f"{NAME}@{self.target}"

    @cached_property
    def corpus(self) -> Index | None:
        """The corpus; None where each conversation brings its sources."""
        place = self.options.corpus
        return None if place is None else build_index(place, cutting=CUTTING)

    @cached_property
    def signature(self) -> str:
        """Of both prompts, the model, the parameters and the corpus."""
        parts = [self._asking(method).signature for method in (CLAIMS, CHECK)]
        corpus = None if self.corpus is None else self.corpus.signature
        return sign({"judge": NAME, "version": VERSION, "parts": parts}, corpus, NEAREST)

    @property
    def prompt_version(self) -> str:
        """Both prompts' versions and hashes, for `run.json`."""
        return ", ".join(self._asking(method).prompt_version for method in (CLAIMS, CHECK))

    def _asking(self, method: Method, step: str = "") -> PromptJudge:
        return PromptJudge(replace(method, step=step), self.model, self.settings)

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """The share in `score`, every claim with its verdict in `details`; unscored where any
        call failed, for a share of the claims that happened to be checked would be another
        quantity."""
        item = task.item
        assert isinstance(item, Conversation)
        index = index_sources(item) if self.corpus is None else self.corpus
        if index is None:
            problem = "the conversation shows no sources; give a corpus (option corpus)"
            return [self._row(task, Unscored("no_references", problem))]
        turns = [place for place, turn in enumerate(item.turns) if turn.role == "assistant"]
        drawn = await all_of(self._drawn(task, place) for place in turns)
        found = [
            _Claim(place, claim, find_passages(index, claim))
            for place, row in zip(turns, drawn, strict=True)
            for claim in json.loads(row.answer or "[]")
        ]
        failure = _failure(drawn)
        if failure is not None:
            return [self._row(task, failure, drawn)]
        if not found:
            problem = "the assistant says nothing that could be checked"
            return [self._row(task, Unscored("no_claims", problem), drawn)]
        checked = await all_of(
            self._checked(task, claim, number) for number, claim in enumerate(found)
        )
        return [self._scored(task, found, drawn, checked)]

    async def _drawn(self, task: Task, place: int) -> Judgment:
        """The claims of one turn, as a row whose answer is a JSON list."""
        item = task.item
        assert isinstance(item, Conversation)
        turns = tuple(replace(turn, references=()) for turn in item.turns[: place + 1])
        asking = self._asking(CLAIMS, f"claims {place}")
        (row,) = await asking.judge(Task(replace(item, turns=turns), repeat=task.repeat))
        return row

    async def _checked(self, task: Task, claim: _Claim, number: int) -> Judgment:
        shown = (Turn("tool", f"{one.title}\n{one.text}".strip()) for one in claim.passages)
        item = Conversation(task.item.id, (*shown, Turn("assistant", claim.text)))
        (row,) = await self._asking(CHECK, f"claim {number}").judge(Task(item, repeat=task.repeat))
        return row

    def _scored(
        self,
        task: Task,
        claims: Sequence[_Claim],
        drawn: Sequence[Judgment],
        checked: Sequence[Judgment],
    ) -> Judgment:
        supported = [row.answer == YES for row in checked]
        listed = [
            {
                "turn": claim.turn,
                "claim": claim.text,
                "supported": None if row.unscored is not None else yes,
                "passages": [f"{hit.page}#{hit.passage}" for hit in claim.passages],
            }
            for claim, row, yes in zip(claims, checked, supported, strict=True)
        ]
        row = self._row(task, _failure(checked), [*drawn, *checked])
        score = None if row.unscored is not None else sum(supported) / len(supported)
        return replace(row, score=score, details={"claims": listed})

    def _row(
        self, task: Task, unscored: Unscored | None, rest_on: Sequence[Judgment] = ()
    ) -> Judgment:
        return Judgment(
            task.item.id,
            self.name,
            NAME,
            repeat=task.repeat,
            unscored=unscored,
            attempts=sum(row.attempts or 0 for row in rest_on) or None,
            usage=together([row.usage for row in rest_on]),
        )


def index_sources(conversation: Conversation) -> Index | None:
    """Return all sources that were shown in a conversation, each once; None for none."""
    sources = {
        (source.id, source.title, source.text): Page(source.id, source.text, source.title)
        for turn in conversation.turns
        for source in turn.references
        if source.text.strip()
    }
    return make_index(sources.values(), CUTTING) if sources else None


def find_passages(index: Index, claim: str) -> Sequence[Hit]:
    """Return the passages nearest to a claim, best first; all of them where there are no more."""
    if len(index) > NEAREST:
        return index.search(claim, NEAREST)
    return sorted(index.longest(NEAREST), key=lambda hit: (hit.page, hit.passage))


def _failure(rows: Sequence[Judgment]) -> Unscored | None:
    """Why the first of the calls that failed did."""
    for row in rows:
        if row.unscored is not None:
            return row.unscored
    return None


FACTSCORE = FactScoreOffer("share of the assistant's claims that sources support (option corpus)")
