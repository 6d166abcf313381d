"""Candidates in a person's place out of conversations: `assize simulate candidates`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from assize.base.arguments import check_range
from assize.base.conversation import Continuation
from assize.base.errors import DataError
from assize.base.signature import json_hash
from assize.formats import ItemsLike, to_json
from assize.formats.arguments import listed, source_of
from assize.judging.asking import DEFAULT, Asking, session_of
from assize.judging.plan import Plan, asks_models
from assize.judging.step_work import plan_steps
from assize.reference._continuations.cut import HeldTurns, cut_turns
from assize.simulate._candidate_turns.build import CandidateWork
from assize.simulate._candidate_turns.made import SimulatedCandidates
from assize.simulate._candidate_turns.others import answers_of_others
from assize.simulate._chats import read_chats
from assize.simulate._settings import Scrub


@asks_models
def candidates(
    items: ItemsLike,
    models: str | Sequence[str] = (),
    *,
    rephrase: str | None = None,
    no_random: bool = False,
    others: ItemsLike | None = None,
    out: str | Path | None = None,
    held: HeldTurns = HeldTurns(),
    sample_temperature: float = 0.0,
    scrub: Scrub | None = None,
    seed: int = 0,
    quiet: bool = False,
    asking: Asking = DEFAULT,
) -> Plan[SimulatedCandidates]:
    """Make candidate turns: what models would have said in place of each assistant turn.

    Each conversation is cut at every assistant turn. What was said there is the reference.
    Candidates come from models that see the conversation up to there, a rephrasing of the
    reference, a random turn of another conversation, and other systems. Without any of these,
    conversations are only cut, and each candidate is empty. Run the same command again to continue
    an interrupted run.

    Args:
        items: conversations of people: paths, URLs, or - for standard input. In Python also
            records.
        models: model that continues the conversations, as provider:name (repeatable).
        rephrase: model that rephrases each reference. Default: no such candidates.
        no_random: leave out the source random (a turn of another conversation at each place).
        others: conversations of other systems, or continuations that a model has filled in
            (repeatable). Without another source, places that find none are left out.
        out: folder of the run. In Python None makes the data in memory.
        held: which turns are held out; see `HeldTurns`.
        sample_temperature: temperature of the models that continue, from 0 to 2.
        scrub: replace names, mails, numbers and keys by placeholders before any model is asked.
        seed: random seed.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`. Its temperature is the rephrasing's.

    Returns:
        A continuation a place and source. A candidate that could not be had is empty, with the
        reason in its metadata: every judge leaves it unscored.

    Raises:
        ConfigError: an argument is not allowed, or the folder is another command's.
        DataError: there is no conversation, nothing to cut, a single one, where random turns
            are wanted, or nobody among the others spoke in the same places.
        Interrupted: it was interrupted; what was answered is in `out`.

    Source: UPHELD, section 3.1. Differs: its random completions' pool and its prompt for the
    rephrasing are unpublished; see `random_turns` and the prompt `simulate-rephrase`.
    """
    names = tuple(dict.fromkeys(listed(models)))
    check_range("sample_temperature", sample_temperature, 0, 2)

    def prepare(folder: Path, dry: bool) -> CandidateWork:
        session = session_of(items, [], folder, asking, seed=seed, dry=dry)
        given = read_chats(session, folder, scrub, dry=dry)
        slots = cut_turns(given.chats, held)
        passed = Counter(slots.passed)
        if not slots.found:
            why = "; ".join(f"{reason} ({count})" for reason, count in passed.items())
            problem = f"no turn can be held out: {why or 'the assistant says nothing'}"
            raise DataError(problem, source="items")
        passed["it is no conversation"] += given.others
        settings = {**asdict(held), "turns": list(held.turns), **given.settings}
        joined: dict[str, list[Continuation]] = {}
        if others is not None:
            joined = answers_of_others(slots.found, source_of(others, "others"))
            if not joined:
                problem = "none of them stands where a turn was held out: all turns before must be"
                raise DataError(f"{problem} the same, or the ids of continuations", source="others")
            if not names and rephrase is None and no_random:
                passed["nobody else spoke in its place"] += len(slots.found) - len(joined)
                slots.found = [slot for slot in slots.found if slot.id in joined]
            answers = [to_json(answer) for place in joined.values() for answer in place]
            settings["others"] = json_hash(answers)
        return CandidateWork(
            session,
            slots.found,
            names,
            rephrase,
            not no_random,
            sample_temperature,
            dict(+passed),
            settings,
            given.scrubbed,
            joined,
        )

    return plan_steps(prepare, out, quiet)
