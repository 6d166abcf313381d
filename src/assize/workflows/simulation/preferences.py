"""Making preference data out of conversations: `assize simulate preferences`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from assize.arguments import check_range, check_word
from assize.conversation import Conversation
from assize.errors import ConfigError, DataError
from assize.formats import ItemsLike
from assize.judging.asking import DEFAULT, Asking, Judges, items_of, session_of
from assize.judging.plan import Plan, asks_models
from assize.judging.step_work import plan_steps
from assize.simulation.balance import shares_of
from assize.simulation.build_preferences import Filters, PreferenceWork
from assize.simulation.dialogue_filters import JARGON
from assize.simulation.majority import MAJORITY
from assize.simulation.preference_data import PreferenceData
from assize.simulation.responses import GIVEN, Responding
from assize.simulation.scrubbing.scrubber import MAPPING
from assize.simulation.select_pairs import Selecting
from assize.workflows.reading import listed, names_of
from assize.workflows.simulation.candidates import check_ids
from assize.workflows.simulation.scrubbing import scrubbed
from assize.workflows.simulation.select import turns_of

SHIPPED = "shipped"


@asks_models
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
        Interrupted: it was interrupted; what was answered is in `out`.

    Source: MTDEval, section 3.1 and appendix A. Differs: what a model sees of earlier answers is
    not said, nor how lengths were brought together or qualities made to differ, nor on which
    questions judges had to be consistent. Prompts and word lists are ours.
    """
    if preset is not None:
        check_word("preset", preset, ("paper",))
        published = (turns, trivial, words, consistent, label, balance)
        _check_published(published, coherence, judges)
        jargon = SHIPPED if jargon is None else jargon
    check_word("trivial", trivial, ("drop", "keep"))
    check_range("words", words, -1)
    check_range("attempts", attempts, 1)
    check_range("sample_temperature", sample_temperature, 0, 2)
    language = language.strip()
    if not language or len(language) > 60:
        raise ConfigError(f"language {language!r:.80}: name one, such as English", "language")
    sources = (*dict.fromkeys(listed(models)), *((GIVEN,) if given else ()))
    on = names_of(consistent_on)

    def prepare(folder: Path, dry: bool) -> PreferenceWork:
        voters = [] if judges is None else judges
        session = session_of(items, voters, folder, asking, seed=seed, dry=dry)
        chats = [one for one in items_of(session, dry=dry) if isinstance(one, Conversation)]
        if not chats:
            problem = "there is no conversation to answer; give conversations"
            raise DataError(problem, source="items")
        check_ids(chats)
        chats, scrubber, about = scrubbed(chats, folder, scrub, terms)
        if scrubber is not None and not dry:
            scrubber.save(folder / MAPPING)
        return PreferenceWork(
            session,
            chats,
            sources,
            Filters(None if turns == "any" else turns_of(turns), trivial, _jargon(jargon)),
            Responding(None if words < 0 else words, attempts, sample_temperature),
            Selecting(
                consistent=consistent,
                consistent_on=None if on is None else tuple(on),
                question=question,
                label=label,
                balance=None if balance == "none" else shares_of(balance),
            ),
            coherence,
            translate,
            language,
            about,
        )

    return plan_steps(prepare, out, quiet)


_PUBLISHED = {
    "turns": "2-10",
    "trivial": "drop",
    "words": 10,
    "consistent": True,
    "label": MAJORITY,
    "balance": "40/40/20",
}


def _check_published(
    chosen: Sequence[object], coherence: str | None, judges: Judges | None
) -> None:
    """Refuse what is another than the published recipe's, or missing.

    Args:
        chosen: the values of `_PUBLISHED`.
    """
    for (name, value), own in zip(_PUBLISHED.items(), chosen, strict=True):
        if own != value:
            raise ConfigError(f"{name}: preset paper has {value!r}; leave one of both out")
    if coherence is None:
        raise ConfigError("coherence: preset paper has a model judge it; name one")
    several = isinstance(judges, Sequence) and not isinstance(judges, str)
    if not several or len(judges) < 2:  # type: ignore[arg-type]
        raise ConfigError("judges: preset paper has several (the paper five); name two or more")


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
