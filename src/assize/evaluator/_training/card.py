"""The model card of an evaluator learnt from votes, written beside it."""

from __future__ import annotations

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


_CARD = """\
# {name}

Learnt from the votes of several judges on {pairs:,} pairs
({judgments:,} judgments; {corpora}).

* Answers: {questions}; each for a single dialogue and for pairs.
* Reads with `{encoder}`, features `{featuriser}`.
* {members} networks, {hidden}; seed {seed}.
* Anchors: {anchors}.
{windows}
## Reliability of the judges

{table}
{notes}
Signature `{signature}`.
"""


def card_of(evaluator: Evaluator) -> str:
    """In Markdown: what it answers, what it was learnt from, and how reliable its judges are."""
    about, settings = evaluator.about, evaluator.about["settings"]
    units = " and ".join(map(str, settings["hidden"]))
    windows, notes = "", ""
    if about["windows"]:
        read = "texts were longer than the encoder's window; read in parts"
        windows = f"* {about['windows']} {read}.\n"
    if about["notes"]:
        notes = "\n".join(["## Take care", "", *(f"* {note}" for note in about["notes"]), ""])
    return _CARD.format(
        name=evaluator.name,
        pairs=about["pairs"],
        judgments=about["judgments"],
        corpora=", ".join(next(iter(evaluator.scored.values())).trained_on),
        questions=", ".join(evaluator.scored),
        encoder=evaluator.encoder.name,
        featuriser=evaluator.featuriser.name,
        members=settings["members"],
        hidden=f"{units} hidden units" if units else "no hidden layer",
        seed=settings["seed"],
        anchors=", ".join(about["anchors"])
        or "none, so that judges are taken to be right on average",
        windows=windows,
        table=evaluator.tables["reliabilities"].to_markdown(),
        notes=notes,
        signature=evaluator.signature,
    )
