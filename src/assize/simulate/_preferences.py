"""Making preference data out of conversations: `assize simulate preferences`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assize.formats import ItemsLike
from assize.formats.arguments import listed
from assize.judging.asking import DEFAULT, Asking, Judges, session_of
from assize.judging.plan import Plan, asks_models
from assize.judging.step_work import plan_steps
from assize.simulate._build_preferences import PreferenceWork
from assize.simulate._chats import read_chats
from assize.simulate._dialogue_filters import JARGON
from assize.simulate._preference_data import PreferenceData
from assize.simulate._responses import GIVEN
from assize.simulate._settings import Answers, ConversationFilters, PairChoice, Scrub, Translation
from assize.simulate._text_lines import read_entries

SHIPPED = "shipped"


FILTERS, ANSWERS, CHOICE = ConversationFilters(), Answers(), PairChoice()


@asks_models
def preferences(
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
    """Make preference data: answer conversations twice, and judge the pair in both orders.

    Conversations are filtered and translated, two models answer each user turn, judges vote on the
    pair in both orders, and consistent pairs are balanced. Run the same command again to continue
    an interrupted run.

    Args:
        items: conversations: paths, URLs, or - for standard input. In Python also records.
        models: model that answers, as provider:name (repeatable); two are drawn a conversation.
        judges: judge that votes, as dimensions@provider:name (repeatable); nobody if unset.
        filters: which conversations are answered again.
        translation: what translates them first; none if unset.
        answers: how they are answered.
        choice: which pairs are kept by the votes.
        out: folder of the run. In Python None makes the data in memory.
        scrub: replace names, mails, numbers and keys by placeholders before any model is asked.
        seed: random seed.
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

    def prepare(folder: Path, dry: bool) -> PreferenceWork:
        voters = [] if judges is None else judges
        session = session_of(items, voters, folder, asking, seed=seed, dry=dry)
        return PreferenceWork(
            session,
            read_chats(session, folder, scrub, dry=dry),
            sources,
            filters,
            read_entries(JARGON if filters.jargon == SHIPPED else filters.jargon),
            answers,
            choice,
            translation,
        )

    return plan_steps(prepare, out, quiet)
