"""Exports an evaluator as a folder for the Hugging Face hub."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from assize.evaluator._artefact import open_card, open_evaluator
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._hub_export.hub_folder import write_hub_folder
from assize.results import Result, Table


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of the folder."""

    file: str
    bytes: int


@dataclass(frozen=True, slots=True)
class ExportedEvaluator(Result):
    """The files of an evaluator, ready for the Hugging Face hub.

    Args:
        judge: its name in judgments.
        use: the command that uploads it.
        signature: the evaluator's.
    """

    judge: str
    folder: str
    files: Annotated[Sequence[ExportedFile], Table("Files for the hub")]
    use: str
    signature: str

    @property
    def lines(self) -> Sequence[str]:
        """How it is used."""
        return [self.use]


def export(
    evaluator: Evaluator | str | Path = "default",
    *,
    out: str | Path,
    encoder: str | None = None,
) -> ExportedEvaluator:
    """Write an evaluator as a folder to upload to the Hugging Face hub.

    Args:
        evaluator: folder of a trained evaluator, hub:OWNER/NAME, or default for the shipped one. In
            Python also an evaluator.
        out: folder to write to.
        encoder: encoder that may be loaded, if the evaluator was trained with one other than
            minilm.

    Raises:
        DataError: the folder holds no evaluator.
        OutputError: the folder cannot be written.
        MissingExtra: a part of the extra `score` or `train` is not installed.
    """
    chosen = open_evaluator(evaluator, encoder)
    card = None if isinstance(evaluator, Evaluator) else open_card(evaluator).text
    names = write_hub_folder(chosen, Path(out), card)
    files = [ExportedFile(name, (Path(out) / name).stat().st_size) for name in names]
    use = f"hf upload OWNER/NAME {out}"
    return ExportedEvaluator(chosen.judge, str(out), files, use, chosen.signature)
