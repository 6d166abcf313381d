"""Making preference data out of conversations: `assize simulate preferences`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Unpack

from assize.arguments import refuse_unknown
from assize.conversation import Conversation
from assize.errors import ConfigError, DataError
from assize.formats import ItemsLike
from assize.judging.outcome import Estimates
from assize.judging.steps import Step
from assize.running import run_sync
from assize.running.progress import progress
from assize.simulation import build_preferences as building
from assize.simulation.balance import shares_of
from assize.simulation.build_preferences import Building, Filters
from assize.simulation.dialogue_filters import JARGON
from assize.simulation.majority import MAJORITY
from assize.simulation.preference_data import PreferenceData
from assize.simulation.responses import GIVEN, Responding
from assize.simulation.scrubbing.scrubber import MAPPING, Scrubber
from assize.simulation.select_pairs import Selecting
from assize.workflows.allowed import check_range, check_word
from assize.workflows.asking import Asking, Judges, check_finished, folder_for, items_of, session_of
from assize.workflows.reading import listed, log, names_of
from assize.workflows.simulation.candidates import check_ids
from assize.workflows.simulation.scrubbing import scrubbed
from assize.workflows.simulation.select import turns_of

_NOWHERE = Path("-")
_ASKED = ("seed",)


@refuse_unknown
def simulate_preferences(
    items: ItemsLike,
    models: str | Sequence[str],
    *,
    judges: Judges | None = None,
    given: bool = False,
    out: str | Path | None = None,
    turns: str = "2-10",
    trivial: Literal["drop", "keep"] = "drop",
    jargon: str | Path | None = None,
    coherence: str | None = None,
    translate: str | None = None,
    language: str = "English",
    words: float = 10,
    attempts: int = 3,
    sample_temperature: float = 0.7,
    consistent: bool = True,
    consistent_on: str | Sequence[str] | None = None,
    question: str | None = None,
    label: str = MAJORITY,
    balance: str = "40/40/20",
    preset: Literal["paper"] | None = None,
    scrub: bool = False,
    terms: str | Path | None = None,
    seed: int = 0,
    quiet: bool = False,
    **asking: Unpack[Asking],
) -> PreferenceData:
    """Makes preference data: conversations are answered twice, and judged in both orders.

    Conversations are filtered and translated, two models answer the user's turns of each,
    judges vote on the pair in both orders, and what is consistent is balanced.
    The same command continues an interrupted run.

    Args:
        items: conversations: paths, URLs, or - for standard input. In Python also records.
        models: models that answer, as provider:name (repeatable); two are drawn a conversation.
        judges: who votes, as dimensions@provider:name (repeatable); nobody if unset.
        given: the recorded answers are one more source, and lead where they are drawn.
        out: the run's folder. In Python None makes the data in memory.
        turns: fewest and most turns, a turn being the user's with its answer; or any.
        trivial: what a turn of the user that only greets or thanks does: drop the
            conversation, or keep.
        jargon: a file of words and phrases, one a line, that no turn may hold; or shipped, for
            a list of technical terms in English.
        coherence: a model that says whether each conversation holds together.
        translate: a model that translates what passed the filters, before it is answered.
        language: into which.
        words: most words that two answers to one turn may differ by; -1 for any.
        attempts: times that an answer of the wrong length may be asked for.
        sample_temperature: of the answers, from 0 to 2.
        consistent: keep pairs on which every judge votes the same in both orders, not all.
        consistent_on: the questions that must be, with commas, or all; the deciding one if unset.
        question: the one that decides; Overall or preference if unset.
        label: what counts as a pair's label: majority, or a judge's name.
        balance: shares of A, B and ties; none for as they come.
        preset: paper holds the run to the published recipe: coherence and two judges or more must
            be named, jargon is shipped if unset, every other step is as it is by default. For
            answers of different quality name a weak and a strong model.
        scrub: put placeholders for names, mails, numbers and keys before any model is asked.
        terms: a file of words and phrases that are personal too, one a line; for scrub.
        seed: seed of who answers what, of the models, and of what is left out.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`. Its temperature is the judges'.

    Returns:
        Pairs and votes, with what each step left. Answers and votes that could not be had are
        unscored: counted, and asked again where the reason may have passed.

    Raises:
        ConfigError: fewer than two sources, a judge that generates, or the folder is another's.
        DataError: no conversation passes, or nothing can be kept; what was made stays in `out`.
        KeyboardInterrupt: it was interrupted; what was answered is in `out`.

    Source: MTDEval, section 3.1 and appendix A. Differs: what a model sees of earlier answers is
    not said, nor how lengths were brought together or qualities made to differ, nor on which
    questions judges had to be consistent. Prompts and word lists are ours.
    """
    told: Any = {name: value for name, value in locals().items() if name not in _POSITIONAL}
    told |= told.pop("asking")
    found = run_preferences(items, models, **told)
    check_finished(found)
    return found if out is not None else replace(found, out=None, outputs={})


_POSITIONAL = ("items", "models")


class SimulatingPreferences(Asking, total=False):
    """The arguments of `simulate_preferences`, which say what each means."""

    judges: Judges | None
    given: bool
    out: str | Path | None
    turns: str
    trivial: Literal["drop", "keep"]
    jargon: str | Path | None
    coherence: str | None
    translate: str | None
    language: str
    words: float
    attempts: int
    sample_temperature: float
    consistent: bool
    consistent_on: str | Sequence[str] | None
    question: str | None
    label: str
    balance: str
    preset: Literal["paper"] | None
    scrub: bool
    terms: str | Path | None
    seed: int
    quiet: bool


def run_preferences(
    items: ItemsLike, models: str | Sequence[str], **given: Unpack[SimulatingPreferences]
) -> PreferenceData:
    """`simulate_preferences`, told how far it came where it was interrupted."""
    with folder_for(given.get("out")) as folder:
        told, scrubber = _building(items, models, folder, given)
        if scrubber is not None:
            scrubber.save(folder / MAPPING)
        with progress("asking", None, quiet=given.get("quiet", False)) as advance:

            def on_step(_: Step) -> None:
                advance()

            return run_sync(lambda: building.build_async(told, on_step=on_step, note=log.info))


def estimate_preferences(
    items: ItemsLike, models: str | Sequence[str], **given: Unpack[SimulatingPreferences]
) -> Estimates:
    """What `simulate_preferences` would take and cost at most; nothing is asked or written.

    What `out` and the cache hold already is not counted as calls.
    """
    out = given.get("out")
    folder = _NOWHERE if out is None else Path(out)
    told, _ = _building(items, models, folder, given, dry=True)
    return run_sync(lambda: building.estimate(told))


def _building(
    items: ItemsLike,
    models: str | Sequence[str],
    folder: Path,
    given: SimulatingPreferences,
    *,
    dry: bool = False,
) -> tuple[Building, Scrubber | None]:
    """What these arguments describe, the conversations read; and what scrubbed them."""
    if given.get("preset") is not None:
        given = _as_published(given)
    known = {*Asking.__annotations__, *_ASKED}
    asking: Any = {name: value for name, value in given.items() if name in known}
    judges = given.get("judges")
    session = session_of(items, [] if judges is None else judges, folder, asking, dry=dry)
    chats = [one for one in items_of(session, dry=dry) if isinstance(one, Conversation)]
    if not chats:
        raise DataError("there is no conversation to answer; give conversations", source="items")
    check_ids(chats)
    chats, scrubber, about = scrubbed(chats, folder, given.get("scrub", False), given.get("terms"))
    sources = tuple(dict.fromkeys(listed(models))) + ((GIVEN,) if given.get("given") else ())
    language = given.get("language", "English").strip()
    if not language or len(language) > 60:
        raise ConfigError(f"language {language!r:.80}: name one, such as English")
    told = Building(
        session,
        chats,
        sources,
        _filters(given),
        _responding(given),
        _selecting(given),
        given.get("coherence"),
        given.get("translate"),
        language,
        about,
    )
    return told, scrubber


_PUBLISHED: Mapping[str, Any] = {
    "turns": "2-10",
    "trivial": "drop",
    "words": 10,
    "consistent": True,
    "label": MAJORITY,
    "balance": "40/40/20",
}


def _as_published(given: SimulatingPreferences) -> SimulatingPreferences:
    """The arguments with what the preset fills in.

    Raises:
        ConfigError: one of them is another than the recipe's, or missing.
    """
    check_word("preset", given["preset"], ("paper",))
    said: Any = dict(given)
    for name, value in _PUBLISHED.items():
        if said.get(name, value) != value:
            raise ConfigError(f"{name}: preset paper has {value!r}; leave one of both out")
    if said.get("coherence") is None:
        raise ConfigError("coherence: preset paper has a model judge it; name one")
    judges = said.get("judges")
    several = isinstance(judges, Sequence) and not isinstance(judges, str)
    if not several or len(judges) < 2:
        raise ConfigError("judges: preset paper has several (the paper five); name two or more")
    if said.get("jargon") is None:
        said["jargon"] = SHIPPED
    found: SimulatingPreferences = said
    return found


SHIPPED = "shipped"


def _filters(given: SimulatingPreferences) -> Filters:
    trivial, turns = given.get("trivial", "drop"), given.get("turns", "2-10")
    check_word("trivial", trivial, ("drop", "keep"))
    jargon = given.get("jargon")
    place = JARGON if jargon == SHIPPED else None if jargon is None else Path(jargon)
    words = () if place is None else _words_in(place)
    return Filters(None if turns == "any" else turns_of(turns), trivial, words)


def _words_in(path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"jargon {path}: {error}; give a text file, a phrase a line") from error
    return tuple(one.strip() for one in lines if one.strip() and not one.startswith("#"))


def _responding(given: SimulatingPreferences) -> Responding:
    words, attempts = given.get("words", 10), given.get("attempts", 3)
    temperature = given.get("sample_temperature", 0.7)
    check_range("words", words, -1)
    check_range("attempts", attempts, 1)
    check_range("sample_temperature", temperature, 0, 2)
    return Responding(None if words < 0 else words, attempts, temperature)


def _selecting(given: SimulatingPreferences) -> Selecting:
    balance = given.get("balance", "40/40/20")
    named = names_of(given.get("consistent_on"))
    return Selecting(
        consistent=given.get("consistent", True),
        consistent_on=None if named is None else tuple(named),
        question=given.get("question"),
        label=given.get("label", MAJORITY),
        balance=None if balance == "none" else shares_of(balance),
    )
