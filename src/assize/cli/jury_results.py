"""What `assize jury` writes and prints once a jury has sat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assize.cli.terminal import note, print_json, print_tables
from assize.tables.escape import printable

if TYPE_CHECKING:
    from assize.conversation import Pair
    from assize.judgment import Judgment
    from assize.juries import JuryResult


def finish(
    result: JuryResult,
    pairs: Mapping[str, Pair],
    path: str | None,
    out: str | None,
    more: Mapping[str, Any],
    as_json: bool,
    quiet: bool,
) -> None:
    """Writes the verdicts, then prints the figures or the items of a path."""
    from assize.juries.listing import lines, listed
    from assize.juries.tables import as_json as figures

    if out is not None:
        _write(result, out, quiet)
    shown = [] if path is None else list(listed(result, path, pairs, _acts))
    if as_json:
        listing = {} if path is None else {"listed": shown}
        print_json(figures(result) | dict(more) | listing)
    elif path is not None:
        for item in shown:
            for line in lines(item):
                print(printable(line))  # noqa: T201
    elif out != "-":
        _print(result, quiet)


def _acts(row: Judgment, pair: Pair | None) -> Mapping[str, Any] | None:
    """The dialogue acts of a vote, recorded outputs read turn by turn; None where it has none."""
    from assize.dialogue_acts.annotations import acts_in
    from assize.dialogue_acts.taxonomy import load_taxonomy

    if pair is None or not row.judge.startswith(("da", "acts")):
        return None
    found = acts_in(row.details, pair, row.order, load_taxonomy())
    if found is None:
        return None
    sides = {"context": found.context, "a": found.a, "b": found.b}
    return {
        side: [[[act.dimension, act.function] for act in turn] for turn in turns]
        for side, turns in sides.items()
    }


def _write(result: JuryResult, out: str, quiet: bool) -> None:
    from dataclasses import replace

    from assize.formats import write, write_questions
    from assize.judgment import PREFERENCE

    write(out, result.judgments())
    if out != "-":
        write_questions(out, [replace(PREFERENCE, id=result.question)])
        if not quiet:
            note(f"{out}: one verdict an item, with every vote")


def _print(result: JuryResult, quiet: bool) -> None:
    from assize.juries.tables import cost_line, escalation_line, notes, short_names

    print_tables(result.tables)
    if quiet:
        return
    if list(short_names(result.judges).values()) != list(result.judges):
        note(f"the judges: {', '.join(result.judges)}")
    note(cost_line(result.outcome))
    if result.escalation is not None and result.composition.escalate is not None:
        note(escalation_line(result.escalation, result.composition.escalate))
    for line in notes(result):
        note(line)
