"""`dynaeval@FOLDER`: a dialogue's coherence, 0 to 1; of a pair the more coherent side.

Source: Zhang et al. (2021), "DynaEval: Unifying turn and dialogue level evaluation". Differs: who
speaks is told by the roles, in the order of their first turns, where the release goes by position;
what a system or a tool says is no utterance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from assize.conversation import Conversation
from assize.encoders import Encoder, load_encoder
from assize.errors import ConfigError
from assize.judging.judge import JudgeContext, Task
from assize.judging.options import EncoderOptions
from assize.judging.published.dynaeval.graph import first_come
from assize.judging.published.dynaeval.weights import Checkpoint, load_checkpoint
from assize.judging.published.sides import SidesJudge
from assize.judgment import PREFERENCE, Judgment, Question, Unscored
from assize.models.microbatch import Microbatch
from assize.signature import sign

VERSION = 1
CUT = "cut_turns"  # under which `details` tell how many utterances were longer than is read
SPEAKERS = ("user", "assistant")
COHERENCE = Question("dynaeval", "How coherent is the dialogue?", range=(0, 1), higher="better")


@dataclass
class DynaEval:
    """A network and the encoder whose sentence vectors it reads.

    Args:
        checkpoint: the network with its settings.
        encoder: gives token states; a sentence's vector is their mean, marks included and not
            normalised, as sentence-transformers has it.
    """

    checkpoint: Checkpoint
    encoder: Encoder
    _micro: Microbatch[Conversation, tuple[float, int] | None] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        wanted = self.checkpoint.network.sizes.vector
        if self.encoder.dimension != wanted:
            raise ConfigError(
                f"the network reads vectors of {wanted} numbers and {self.encoder.name} gives"
                f" {self.encoder.dimension}; name its own with --encoder hf:FOLDER"
            )
        self._micro = Microbatch(self.scores)

    @property
    def signature(self) -> str:
        """Of the weights, the settings and the encoder."""
        return sign(VERSION, self.checkpoint.signature, self.encoder.signature)

    def scores(self, dialogues: Sequence[Conversation]) -> list[tuple[float, int] | None]:
        """Each dialogue's score and how many of its utterances were cut; None for one without
        utterances."""
        import torch

        words = self.checkpoint.settings.words
        said = [
            [turn for turn in one.turns if turn.role in SPEAKERS and turn.text.strip()]
            for one in dialogues
        ]
        split = [[turn.text.split() for turn in turns] for turns in said]
        texts = [" ".join(one[:words]) for turns in split for one in turns]
        vectors = iter(self._vectors(texts))
        found: list[tuple[float, int] | None] = []
        for turns, parts in zip(said, split, strict=True):
            if not turns:
                found.append(None)
                continue
            stacked = torch.from_numpy(np.stack([next(vectors) for _ in turns]))
            speakers = first_come([turn.role for turn in turns])
            score = self.checkpoint.network.score(stacked, speakers)
            found.append((score, sum(len(one) > words for one in parts)))
        return found

    def _vectors(self, texts: list[str]) -> list[np.ndarray]:
        if not texts:
            return []
        tokens = self.encoder.encode(texts, tokens=True).tokens
        assert tokens is not None  # they were asked for
        return [one.states.mean(axis=0, dtype=np.float64).astype(np.float32) for one in tokens]

    async def rows(self, item: Conversation, task: Task, name: str) -> list[Judgment]:
        """The row of one dialogue."""
        found = await self._micro.ask(item)
        if found is None:
            reason = Unscored("empty", "nobody says anything")
            return [Judgment(item.id, name, COHERENCE.id, repeat=task.repeat, unscored=reason)]
        score, cut = found
        details = {CUT: cut} if cut else None
        return [
            Judgment(item.id, name, COHERENCE.id, score=score, repeat=task.repeat, details=details)
        ]


@dataclass(frozen=True, slots=True)
class Offered:
    """The row of the table."""

    about: str = (
        "DynaEval: a dialogue's coherence by a graph network; dynaeval@FOLDER with its weights"
    )

    def open(self, target: str, context: JudgeContext) -> SidesJudge:
        """The judge that this checkpoint makes; its encoder is `FOLDER/encoder`, or is named."""
        said = EncoderOptions(**context.options).encoder
        inside = Path(target) / "encoder"
        if said is None and not inside.is_dir():
            raise ConfigError(
                f"{target} has no folder encoder; name the sentence encoder with --encoder hf:..."
            )
        encoder = load_encoder(f"hf:{inside}" if said is None else said)
        made = DynaEval(load_checkpoint(target), encoder)
        name = f"dynaeval@{target}"

        async def score(item: Conversation, task: Task) -> Sequence[Judgment]:
            return await made.rows(item, task, name)

        return SidesJudge(
            name, made.signature, (COHERENCE,), {COHERENCE.id: PREFERENCE}, score, kind="evaluator"
        )


DYNAEVAL = Offered()
