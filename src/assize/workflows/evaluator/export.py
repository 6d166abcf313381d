"""Exports an evaluator: for transformers, for TRL, for the Hugging Face hub."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from assize.artefacts import write_whole
from assize.errors import ConfigError
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator.artefact import open_card
from assize.evaluator.export.checkpoint import write_checkpoint
from assize.evaluator.export.hub_folder import write_hub_folder
from assize.evaluator.export.reward import reward_function
from assize.tables import Result, ResultTable, columns
from assize.workflows.evaluator.given import folder_of

Target = Literal["transformers", "trl", "hub"]
REWARD = "reward.py"


@dataclass(frozen=True, slots=True)
class ExportedEvaluator(Result):
    """Where an evaluator was written, and as what.

    Args:
        judge: its name in judgments.
        to: what for.
        folder: where.
        files: their names.
        use: how it is opened there, in a line.
        signature: the evaluator's.
    """

    judge: str
    to: Target
    folder: str
    files: Sequence[str]
    use: str
    signature: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """One, `files`."""
        rows = [(name, (Path(self.folder) / name).stat().st_size) for name in self.files]
        named = columns("words", "file") + columns("count", "bytes")
        return {"files": ResultTable(f"{self.judge} for {self.to}", named, rows)}

    @property
    def lines(self) -> Sequence[str]:
        """How it is used."""
        return [self.use]

    def to_json(self) -> dict[str, Any]:
        """The folder, its files, and how they are used."""
        return {
            "evaluator": self.judge, "to": self.to, "folder": self.folder,
            "files": list(self.files), "use": self.use, "signature": self.signature,
        }  # fmt: skip


def export_evaluator(
    evaluator: Evaluator | str | Path = "default",
    *,
    to: Target,
    out: str | Path,
    question: str | None = None,
    encoder: str | None = None,
) -> ExportedEvaluator:
    """Writes an evaluator for use elsewhere: as a model, a reward or a page of the hub.

    Args:
        evaluator: its folder, hub:OWNER/NAME, or default, the shipped one. In Python also an
            evaluator.
        to: transformers (a model with a sequence-classification head), trl (a reward function)
            or hub (a folder to upload).
        out: folder that is written.
        question: whose score is the reward, by default the evaluator's first. With trl alone.
        encoder: the encoder that it may open, where it was trained on another than minilm.

    Raises:
        ConfigError: the evaluator cannot be exported so; the message says why.
        DataError: the folder holds no evaluator.
        OutputError: the folder cannot be written.
        MissingExtra: a part of the extra `score` or `train` is not installed.
    """
    if question is not None and to != "trl":
        raise ConfigError("question (--question) is of a reward; a model and a page have them all")
    card: str | None = None
    if isinstance(evaluator, Evaluator):
        chosen = evaluator
    else:
        folder = folder_of(evaluator)
        chosen = load_evaluator(folder, encoder=encoder)
        card = open_card(folder).text
    place = Path(out)
    if to == "transformers":
        files = write_checkpoint(chosen, place)
        use = f"AutoModelForSequenceClassification.from_pretrained({str(out)!r})"
    elif to == "trl":
        asked = chosen.main.question.id if question is None else question
        reward_function(chosen, question=asked)  # or it says which questions there are
        files = _reward(chosen, place, asked, encoder, card)
        use = f"from reward import {_name(asked)}  # in {out}; GRPOTrainer(reward_funcs=[...])"
    else:
        files = write_hub_folder(chosen, place, card)
        use = f"hf upload OWNER/NAME {out}"
    return ExportedEvaluator(chosen.judge, to, str(out), files, use, chosen.signature)


def _reward(
    evaluator: Evaluator, folder: Path, question: str, encoder: str | None, card: str | None
) -> tuple[str, ...]:
    """The evaluator with a module beside it that holds its reward function."""
    files = write_hub_folder(evaluator, folder, card)
    word = evaluator.encoder.name if encoder is None else encoder
    more = "" if evaluator.encoder.name == "minilm" else f", encoder={json.dumps(word)}"
    name = _name(question)
    text = f'''\
"""A reward function for TRL, made by assize: GRPOTrainer(reward_funcs=[{name}], ...)."""

from pathlib import Path

import assize

{name} = assize.reward_function(
    Path(__file__).parent, question={json.dumps(question)}{more}
)
'''
    write_whole(folder / REWARD, text.encode())
    return tuple(sorted({*files, REWARD}))


def _name(question: str) -> str:
    """What the reward function is called in its module."""
    name = f"assize_{question}"
    return name if name.isidentifier() else "assize_reward"
