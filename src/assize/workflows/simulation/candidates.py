"""Candidates in a person's place out of conversations: `assize simulate candidates`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from assize.arguments import refuse_unknown
from assize.conversation import Conversation
from assize.errors import ConfigError, DataError
from assize.formats import ItemsLike
from assize.judging.outcome import Estimates
from assize.judging.steps import Step
from assize.reference.data.context import SPEAKERS
from assize.reference.data.cut import Cutting, cut
from assize.running import run_sync
from assize.running.progress import progress
from assize.simulation.candidates import build as building
from assize.simulation.candidates.build import Candidates
from assize.simulation.candidates.made import SimulatedCandidates
from assize.simulation.scrubbing.scrubber import MAPPING, Scrubber
from assize.workflows.allowed import check_range
from assize.workflows.asking import Asking, check_finished, folder_for, items_of, session_of
from assize.workflows.reading import listed, log
from assize.workflows.simulation.scrubbing import scrubbed

_NOWHERE = Path("-")
_ASKED = ("seed",)


@refuse_unknown
def simulate_candidates(
    items: ItemsLike,
    models: str | Sequence[str] = (),
    *,
    rephrase: str | None = None,
    no_random: bool = False,
    out: str | Path | None = None,
    turns: Sequence[int] = (),
    least: int = 1,
    sample_temperature: float = 0.0,
    scrub: bool = False,
    terms: str | Path | None = None,
    seed: int = 0,
    quiet: bool = False,
    **asking: Unpack[Asking],
) -> SimulatedCandidates:
    """Makes candidate turns: what models would have said in the place of each assistant's turn.

    Each conversation is cut at every turn of the assistant. What was said there is the
    reference; models that see the conversation up to there, a rephrasing of the
    reference, and a random turn of another conversation are the candidates.
    The same command continues an interrupted run.

    Args:
        items: conversations of people: paths, URLs, or - for standard input. In Python also
            records.
        models: models that continue, as provider:name (repeatable).
        rephrase: a model that says each reference in other words; no such candidates if unset.
        no_random: leave out the source random, a turn of another conversation a place.
        out: the run's folder. In Python None makes the data in memory.
        turns: only these turns of the assistant, counted from 1 over all that user and assistant
            say, as papers do (repeatable). The record's own `turn` counts from 0 over all turns.
        least: turns of user and assistant that must stand before.
        sample_temperature: of the models that continue, from 0 to 2.
        scrub: put placeholders for names, mails, numbers and keys before any model is asked.
        terms: a file of words and phrases that are personal too, one a line; for scrub.
        seed: seed of the random turns and of the models.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`. Its temperature is the rephrasing's.

    Returns:
        A continuation a place and source. A candidate that could not be had is empty, with the
        reason in its metadata: every judge leaves it unscored.

    Raises:
        ConfigError: there is nothing to make, or the folder is another command's.
        DataError: there is no conversation, nothing to cut, or a single one, where random turns
            are wanted.
        KeyboardInterrupt: it was interrupted; what was answered is in `out`.

    Source: UPHELD, section 3.1. Differs: its random completions' pool and its prompt for the
    rephrasing are unpublished; see `random_turns` and the prompt `simulate-rephrase`.
    """
    told: Any = {name: value for name, value in locals().items() if name not in _POSITIONAL}
    told |= told.pop("asking")
    found = run_candidates(items, models, **told)
    check_finished(found)
    return found if out is not None else replace(found, out=None, outputs={})


_POSITIONAL = ("items", "models")


class SimulatingCandidates(Asking, total=False):
    """The arguments of `simulate_candidates`, which say what each means."""

    rephrase: str | None
    no_random: bool
    out: str | Path | None
    turns: Sequence[int]
    least: int
    sample_temperature: float
    scrub: bool
    terms: str | Path | None
    seed: int
    quiet: bool


def run_candidates(
    items: ItemsLike, models: str | Sequence[str] = (), **given: Unpack[SimulatingCandidates]
) -> SimulatedCandidates:
    """`simulate_candidates`, told how far it came where it was interrupted."""
    with folder_for(given.get("out")) as folder:
        told, scrubber = _candidates(items, models, folder, given)
        if scrubber is not None:
            scrubber.save(folder / MAPPING)
        with progress("asking", None, quiet=given.get("quiet", False)) as advance:

            def on_step(_: Step) -> None:
                advance()

            found = run_sync(lambda: building.build_async(told, on_step=on_step, note=log.info))
    return found if scrubber is None else replace(found, scrubbed=dict(scrubber.counts))


def estimate_candidates(
    items: ItemsLike, models: str | Sequence[str] = (), **given: Unpack[SimulatingCandidates]
) -> Estimates:
    """What `simulate_candidates` would take and cost; nothing is asked or written."""
    out = given.get("out")
    folder = _NOWHERE if out is None else Path(out)
    told, _ = _candidates(items, models, folder, given, dry=True)
    return run_sync(lambda: building.estimate(told))


def _candidates(
    items: ItemsLike,
    models: str | Sequence[str],
    folder: Path,
    given: SimulatingCandidates,
    *,
    dry: bool = False,
) -> tuple[Candidates, Scrubber | None]:
    """What these arguments describe, the conversations read and cut."""
    known = {*Asking.__annotations__, *_ASKED}
    asking: Any = {name: value for name, value in given.items() if name in known}
    names, random = tuple(dict.fromkeys(listed(models))), not given.get("no_random", False)
    rephrase = given.get("rephrase")
    if not names and rephrase is None and not random:
        raise ConfigError(
            "there is no candidate to make; name a model, rephrase, or leave no_random out"
        )
    temperature, least = given.get("sample_temperature", 0.0), given.get("least", 1)
    check_range("sample_temperature", temperature, 0, 2)
    check_range("least", least, 1)
    turns = tuple(given.get("turns", ()))
    for one in turns:
        check_range("turns", one, 2)
    session = session_of(items, [], folder, asking, dry=dry)
    several = items_of(session, dry=dry)
    chats = [one for one in several if isinstance(one, Conversation)]
    if not chats:
        raise DataError("there is no conversation to cut; give conversations", source="items")
    check_ids(chats)
    chats, scrubber, more = scrubbed(chats, folder, given.get("scrub", False), given.get("terms"))
    about = {"turns": list(turns), "least": least, **more}
    slots = cut(chats, Cutting("assistant", turns, least))
    if not slots.found:
        problem = f"no turn can be held out: {_why_none(chats, turns, slots.passed)}"
        raise DataError(problem, source="items")
    passed = Counter(slots.passed)
    passed["it is no conversation"] += len(several) - len(chats)
    told = Candidates(
        session, slots.found, names, rephrase, random, temperature, dict(+passed), about
    )
    return told, scrubber


def _why_none(
    chats: Sequence[Conversation], turns: Sequence[int], passed: Mapping[str, int]
) -> str:
    """Why nothing was held out: the turns' own reasons, and what the numbers asked for are."""
    why = [f"{reason} ({n})" for reason, n in passed.items()]
    spoken = [[one.role for one in chat.turns if one.role in SPEAKERS] for chat in chats]
    there: dict[int, set[str]] = {}
    for roles in spoken:
        for number, role in enumerate(roles, start=1):
            there.setdefault(number, set()).add(role)
    for one in turns:
        if one not in there:
            why.append(f"no conversation has a turn {one}, counted from 1")
        elif "assistant" not in there[one]:
            why.append(f"turn {one}, counted from 1, is the user's")
    if turns:
        own = [str(number) for number, roles in sorted(there.items()) if "assistant" in roles]
        said = ", ".join(own[:6]) + (", ..." if len(own) > 6 else "")
        why.append(f"the assistant's turns are {said}" if own else "the assistant says nothing")
    return "; ".join(why) or "the assistant says nothing"


def check_ids(chats: Sequence[Conversation]) -> None:
    """Raises DataError where two conversations have one id: answers are told apart by it."""
    twice = [id for id, n in Counter(one.id for one in chats).items() if n > 1]
    if twice:
        problem = f"{len(twice):,} ids stand there more than once, the first {twice[0]!r}"
        raise DataError(f"{problem}; answers are told apart by id", source="items")
