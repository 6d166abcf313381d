"""The model card of an evaluator learnt from votes, written beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assize.base.artefacts import write_whole
from assize.evaluator._artefact import CARD
from assize.evaluator._evaluator import Evaluator


def write_card(evaluator: Evaluator, folder: Path) -> None:
    """Writes it into the evaluator's folder.

    Raises:
        OutputError: the folder cannot be written.
    """
    write_whole(folder / CARD, card_of(evaluator).encode())


def card_of(evaluator: Evaluator) -> str:
    """In Markdown: what it answers, what it was learnt from, and how reliable its judges are."""
    return "\n".join(_lines(evaluator)) + "\n"


def _lines(evaluator: Evaluator) -> Iterator[str]:
    about, settings = evaluator.about, evaluator.about["settings"]
    names = next(iter(evaluator.scored.values())).trained_on
    yield from (f"# {evaluator.name}", "")
    yield f"Learnt from the votes of several judges on {about['pairs']:,} pairs"
    yield f"({about['judgments']:,} judgments; {', '.join(names)})."
    yield ""
    yield f"* Answers: {', '.join(evaluator.scored)}; each for a single dialogue and for pairs."
    yield f"* Reads with `{evaluator.encoder.name}`, features `{evaluator.featuriser.name}`."
    hidden = (
        "no hidden layer"
        if not settings["hidden"]
        else (f"{' and '.join(map(str, settings['hidden']))} hidden units")
    )
    yield f"* {settings['members']} networks, {hidden}; seed {settings['seed']}."
    anchors = ", ".join(about["anchors"]) or "none, so that judges are taken to be right on average"
    yield f"* Anchors: {anchors}."
    if about["windows"]:
        yield f"* {about['windows']} texts were longer than the encoder's window; read in parts."
    yield from ("", "## Reliability of the judges", "")
    yield from (evaluator.tables["reliabilities"].to_markdown(), "")
    if about["notes"]:
        yield from ("## Take care", "", *(f"* {note}" for note in about["notes"]), "")
    yield f"Signature `{evaluator.signature}`."
