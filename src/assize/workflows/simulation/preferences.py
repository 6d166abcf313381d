"""Making preference data out of conversations: `assize simulate preferences`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assize.arguments import check_range, check_word
from assize.conversation import Conversation
from assize.errors import ConfigError, DataError
from assize.formats import ItemsLike
from assize.judging.asking import DEFAULT, Asking, Judges, items_of, session_of
from assize.judging.plan import Plan, asks_models
from assize.judging.step_work import plan_steps
from assize.simulation.build_preferences import Filters, PreferenceWork
from assize.simulation.dialogue_filters import JARGON
from assize.simulation.preference_data import PreferenceData
from assize.simulation.responses import GIVEN, Responding
from assize.simulation.scrubbing.scrubber import MAPPING
from assize.workflows.reading import listed
from assize.workflows.simulation.candidates import check_ids
from assize.workflows.simulation.scrubbing import Scrub, scrubbed
from assize.workflows.simulation.select import PairChoice, turns_of

SHIPPED = "shipped"


@dataclass(frozen=True, slots=True)
class ConversationFilters:
    """Which conversations are answered again.

    Args:
        turns: fewest and most turns, a turn being the user's with its answer; or any.
        trivial: what a turn of the user that only greets or thanks does: drop the
            conversation, or keep.
        jargon: a file of words and phrases, one a line, that no turn may hold; or shipped, for
            a list of technical terms in English.
        coherence: a model that says whether each conversation holds together.

    Raises:
        ConfigError: a value is not allowed.

    Source: MTDEval, appendix A.1.
    """

    turns: str = "2-10"
    trivial: Literal["drop", "keep"] = "drop"
    jargon: str | Path | None = None
    coherence: str | None = None

    def __post_init__(self) -> None:
        check_word("trivial", self.trivial, ("drop", "keep"))
        self.bounds()

    def bounds(self) -> tuple[int, int] | None:
        """Return the fewest and the most turns; None for any."""
        return None if self.turns == "any" else turns_of(self.turns)

    def filters(self) -> Filters:
        """Return the filters that need no model, with the words of the file."""
        return Filters(self.bounds(), self.trivial, _jargon(self.jargon))


@dataclass(frozen=True, slots=True)
class Answers:
    """How two sources answer the user's turns of each conversation.

    Args:
        given: the recorded answers are one more source, and lead where they are drawn.
        words: most words that two answers to one turn may differ by, -1 for any.
        attempts: times that an answer of the wrong length may be asked for.
        sample_temperature: temperature of the answers, from 0 to 2.

    Raises:
        ConfigError: a number is out of its range.
    """

    given: bool = False
    words: float = 10
    attempts: int = 3
    sample_temperature: float = 0.7

    def __post_init__(self) -> None:
        check_range("words", self.words, -1)
        check_range("attempts", self.attempts, 1)
        check_range("sample_temperature", self.sample_temperature, 0, 2)


@dataclass(frozen=True, slots=True)
class Translation:
    """What translates the conversations that pass the filters, before they are answered.

    Args:
        model: a model that translates what passed the filters, before it is answered.
        language: language that it translates into.

    Raises:
        ConfigError: no language is named.
    """

    model: str
    language: str = "English"

    def __post_init__(self) -> None:
        if not self.language.strip() or len(self.language) > 60:
            raise ConfigError(f"language {self.language!r:.80}: name one, such as English")


FILTERS, ANSWERS, CHOICE = ConversationFilters(), Answers(), PairChoice()


@asks_models
def simulate_preferences(
    items: ItemsLike,
    models: str | Sequence[str],
    *,
    judges: Judges | None = None,
    filters: ConversationFilters = FILTERS,
    translation: Translation | None = None,
    answers: Answers = ANSWERS,
    choice: PairChoice = CHOICE,
    out: str | Path | None = None,
    scrub: Scrub | None = None,
    seed: int = 0,
    quiet: bool = False,
    asking: Asking = DEFAULT,
) -> Plan[PreferenceData]:
    """Makes preference data: conversations are answered twice, and judged in both orders.

    Conversations are filtered and translated, two models answer the user's turns of each,
    judges vote on the pair in both orders, and what is consistent is balanced.
    The same command continues an interrupted run.

    Args:
        items: conversations: paths, URLs, or - for standard input. In Python also records.
        models: models that answer, as provider:name (repeatable); two are drawn a conversation.
        judges: who votes, as dimensions@provider:name (repeatable); nobody if unset.
        filters: which conversations are answered again.
        translation: what translates them first; none if unset.
        answers: how they are answered.
        choice: which pairs are kept by the votes.
        out: the run's folder. In Python None makes the data in memory.
        scrub: put placeholders for names, mails, numbers and keys before any model is asked.
        seed: seed of who answers what, of the models, and of what is left out.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`. Its temperature is the judges'.

    Returns:
        Pairs and votes, with what each step left. Answers and votes that could not be had are
        unscored: counted, and asked again where the reason may have passed.

    Raises:
        ConfigError: fewer than two sources, a judge that generates, or the folder is another's.
        DataError: no conversation passes, or nothing can be kept; what was made stays in `out`.
        Interrupted: it was interrupted; what was answered is in `out`.

    Source: MTDEval, section 3.1 and appendix A. Differs: what a model sees of earlier answers is
    not said, nor how lengths were brought together or qualities made to differ, nor on which
    questions judges had to be consistent. Prompts and word lists are ours.
    """
    sources = (*dict.fromkeys(listed(models)), *((GIVEN,) if answers.given else ()))
    near = None if answers.words < 0 else answers.words

    def prepare(folder: Path, dry: bool) -> PreferenceWork:
        voters = [] if judges is None else judges
        session = session_of(items, voters, folder, asking, seed=seed, dry=dry)
        chats = [one for one in items_of(session, dry=dry) if isinstance(one, Conversation)]
        if not chats:
            problem = "there is no conversation to answer; give conversations"
            raise DataError(problem, source="items")
        check_ids(chats)
        chats, scrubber, about = scrubbed(chats, folder, scrub)
        if scrubber is not None and not dry:
            scrubber.save(folder / MAPPING)
        return PreferenceWork(
            session,
            chats,
            sources,
            filters.filters(),
            Responding(near, answers.attempts, answers.sample_temperature),
            choice.selecting(),
            filters.coherence,
            None if translation is None else translation.model,
            "English" if translation is None else translation.language.strip(),
            about,
        )

    return plan_steps(prepare, out, quiet)


def _jargon(jargon: str | Path | None) -> tuple[str, ...]:
    """The words and phrases that no turn may hold."""
    if jargon is None:
        return ()
    return _words_in(JARGON if jargon == SHIPPED else Path(jargon))


def _words_in(path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"jargon {path}: {error}; give a text file, a phrase a line") from error
    return tuple(one.strip() for one in lines if one.strip() and not one.startswith("#"))
