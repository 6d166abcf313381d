"""`acts@local`, `acts@FOLDER`: the tagger among the judges, for any number of conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.acts._tagger import LOCAL, Tagger
from assize.base.conversation import Conversation, Pair
from assize.base.judgment import JudgeKind, Judgment, Question, Unscored
from assize.encoders import Encoder
from assize.encoders.unknown_tokens import unreadable
from assize.judging.judge import AsksNoModel, Task

ACTS_QUESTION = Question("acts", "How many different dialogue acts does it hold?", kind="number")


@dataclass(frozen=True)
class TaggerJudge(AsksNoModel):
    """A tagger behind the protocol of judges: it answers `acts`, scored by their number."""

    tagger: Tagger
    target: str = LOCAL

    kind: JudgeKind = "evaluator"
    takes: tuple[type, ...] = (Pair, Conversation)
    questions: tuple[Question, ...] = (ACTS_QUESTION,)

    @property
    def name(self) -> str:
        """`acts@local`, or with its folder."""
        return f"acts@{self.target}"

    @property
    def signature(self) -> str:
        """As of the tagger."""
        return self.tagger.signature

    @property
    def facts(self) -> Mapping[str, Any]:
        """The taxonomy that it was trained with, where its folder says."""
        taxonomy = self.tagger.about.get("taxonomy")
        return {} if taxonomy is None else {"taxonomy": taxonomy}

    def judge_many(self, tasks: Sequence[Task]) -> list[list[Judgment]]:
        """One row a task, with the acts of every turn."""
        items = [task.item for task in tasks if isinstance(task.item, Pair | Conversation)]
        if len(items) < len(tasks):
            raise TypeError("acts are tagged on pairs and conversations only")
        tagged = self.tagger.tag_items(items)
        return [
            self._row(task, item, acts)
            for task, item, acts in zip(tasks, items, tagged, strict=True)
        ]

    def _row(
        self, task: Task, item: Pair | Conversation, details: Mapping[str, Any]
    ) -> list[Judgment]:
        why = find_unread(item, self.tagger.encoder)
        if why is not None:
            return [
                Judgment(
                    task.item.id, self.name, ACTS_QUESTION.id, repeat=task.repeat, unscored=why
                )
            ]
        said = {act[1] for turns in details["acts"].values() for acts in turns for act in acts}
        return [
            Judgment(
                task.item.id,
                self.name,
                ACTS_QUESTION.id,
                score=float(len(said)),
                repeat=task.repeat,
                details=details,
            )
        ]


def find_unread(item: Pair | Conversation, encoder: Encoder) -> Unscored | None:
    """Why the encoder cannot read an item, or a side of a pair; None where it can."""
    sides = (item.turns,) if isinstance(item, Conversation) else (item.a, item.b)
    context = () if isinstance(item, Conversation) else item.context
    whole = (*context, *(turn for side in sides for turn in side))
    for turns in (whole, *sides):
        why = unreadable(encoder, [turn.text for turn in turns])
        if why is not None:
            return why
    return None
