"""Exports an evaluator as a folder for the Hugging Face hub."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator.artefact import open_card
from assize.evaluator.export.hub_folder import write_hub_folder
from assize.results import Result, ResultTable, columns


@dataclass(frozen=True, slots=True)
class ExportedEvaluator(Result):
    """Where an evaluator was written.

    Args:
        judge: its name in judgments.
        folder: where.
        files: their names.
        use: the command that uploads it.
        signature: the evaluator's.
    """

    judge: str
    folder: str
    files: Sequence[str]
    use: str
    signature: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """One, `files`."""
        rows = [(name, (Path(self.folder) / name).stat().st_size) for name in self.files]
        named = columns("words", "file") + columns("count", "bytes")
        return {"files": ResultTable(f"{self.judge} for the hub", named, rows)}

    @property
    def lines(self) -> Sequence[str]:
        """How it is used."""
        return [self.use]

    def to_json(self) -> dict[str, Any]:
        """The folder, its files, and how they are used."""
        return {
            "evaluator": self.judge,
            "folder": self.folder,
            "files": list(self.files),
            "use": self.use,
            "signature": self.signature,
        }


def export_evaluator(
    evaluator: Evaluator | str | Path = "default",
    *,
    out: str | Path,
    encoder: str | None = None,
) -> ExportedEvaluator:
    """Writes an evaluator as a folder to upload to the Hugging Face hub.

    Args:
        evaluator: its folder, hub:OWNER/NAME, or default, the shipped one. In Python also an
            evaluator.
        out: folder that is written.
        encoder: the encoder that it may open, where it was trained on another than minilm.

    Raises:
        DataError: the folder holds no evaluator.
        OutputError: the folder cannot be written.
        MissingExtra: a part of the extra `score` or `train` is not installed.
    """
    card: str | None = None
    if isinstance(evaluator, Evaluator):
        chosen = evaluator
    else:
        chosen = load_evaluator(evaluator, encoder=encoder)
        card = open_card(evaluator).text
    files = write_hub_folder(chosen, Path(out), card)
    use = f"hf upload OWNER/NAME {out}"
    return ExportedEvaluator(chosen.judge, str(out), files, use, chosen.signature)
