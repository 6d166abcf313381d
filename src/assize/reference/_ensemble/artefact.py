"""The folder an ensemble is kept in: `ensemble.json`, and its arrays beside it. No pickle."""

from __future__ import annotations

from pathlib import Path

from assize.base.artefacts import Kind, open_artefact
from assize.base.artefacts import save as keep
from assize.base.record_parts import to_parts
from assize.reference._ensemble.ensemble import Ensemble

KIND = Kind(
    "ensemble",
    "ensemble.json",
    "arrays",
    version=2,
    remedy="make one with `assize reference fit --metrics RUN --ratings FILE --question content`",
)


def save_ensemble(ensemble: Ensemble, folder: str | Path) -> None:
    """Writes the folder; an earlier ensemble in it is replaced whole."""
    record, arrays = to_parts(ensemble, leave=("folder", "encoder"))
    keep(KIND, Path(folder), {"ensemble": record}, arrays, ensemble.signature)


def load_ensemble(folder: str | Path, *, encoder: str | None = None) -> Ensemble:
    """The ensemble in a folder; needs no scikit-learn.

    Args:
        encoder: your word for the encoder of its metrics, where that is another than minilm.

    Raises:
        DataError: there is none, it is damaged, or it was made by another version.
    """
    found = open_artefact(KIND, folder)
    return found.record(Ensemble, "ensemble", folder=str(folder), encoder=encoder)
