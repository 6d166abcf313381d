"""Preference data out of conversations: filtered, answered twice, judged in both orders, kept.

Each conversation goes its way alone, from the filters to the votes on its pair, so a run that is
stopped has whole pairs. Every call is a step of the run's journal, so none is paid for twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from assize.conversation import Conversation, Pair
from assize.errors import ConfigError, DataError
from assize.formats import to_json
from assize.formats.writing import json_line, write_questions
from assize.judging.calls import Asker
from assize.judging.judge import Judge
from assize.judging.outcome import Estimates
from assize.judging.prompting import load_prompt
from assize.judging.session import Session, opened
from assize.judging.stepping import Note, spent_on, stepping, stored_steps
from assize.judging.steps import Step, Steps
from assize.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.models import Models
from assize.running.durable import replace as replace_file
from assize.signature import json_hash, sign
from assize.simulation.coherence import HOME, PROMPT, coherence, coherence_asker, is_coherent
from assize.simulation.coherence import STAGE as COHERENCE
from assize.simulation.dialogue_filters import (
    exchanges,
    has_trivial_turn,
    names_any,
    takes_turns,
)
from assize.simulation.funnel import Funnel
from assize.simulation.model_names import check_apart
from assize.simulation.preference_card import CARD, card
from assize.simulation.preference_data import PreferenceData
from assize.simulation.responses import GIVEN, Answered, Responder, Responding, planned
from assize.simulation.responses import PROMPT as LENGTH_PROMPT
from assize.simulation.responses import STAGE as RESPOND
from assize.simulation.select_pairs import Selected, Selecting, select_pairs
from assize.simulation.translating import PROMPT as TRANSLATE_PROMPT
from assize.simulation.translating import STAGE as TRANSLATE
from assize.simulation.translating import in_language, translated
from assize.simulation.voting import STAGE as VOTE
from assize.simulation.voting import Vote, votes_on

PAIRS, VOTES = "pairs.jsonl", "judgments.jsonl"
ALL_PAIRS, ALL_VOTES = "all-pairs.jsonl", "all-judgments.jsonl"


@dataclass(frozen=True, slots=True)
class Filters:
    """Which conversations are answered again.

    Args:
        turns: fewest and most exchanges of user and assistant; None for any.
        trivial: what a trivial turn of the user does: `drop` the conversation, or `keep`.
        jargon: words and phrases that no turn may hold.
    """

    turns: tuple[int, int] | None = (2, 10)
    trivial: str = "drop"
    jargon: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Building:
    """Everything that one `assize simulate preferences` is told.

    Args:
        session: the judges, the folder, how models are asked.
        chats: the conversations.
        sources: models, and `given` for what was recorded; two of them answer each conversation.
        coherent: the model that says whether a conversation holds together; None leaves it out.
        translate: the model that translates what passed the filters; None leaves it as it is.
        language: into which.
        about: what else makes this run this run, such as that texts were scrubbed.
    """

    session: Session
    chats: Sequence[Conversation]
    sources: tuple[str, ...]
    filters: Filters = field(default_factory=Filters)
    responding: Responding = field(default_factory=Responding)
    selecting: Selecting = field(default_factory=Selecting)
    coherent: str | None = None
    translate: str | None = None
    language: str = "English"
    about: Mapping[str, Any] = field(default_factory=dict)

    def settings(
        self, judges: Sequence[Judge], asker: Asker | None, translator: Asker | None = None
    ) -> dict[str, Any]:
        """Everything but the conversations that could change what is made.

        What is kept of it is left out: another balance on the same folder asks nothing again.
        """
        asked = self.session.asked
        more: dict[str, Any] = dict(self.about)
        if translator is not None:
            said = translator.version(TRANSLATE_PROMPT)
            more["translate"] = [self.translate, self.language, said]
        return {
            "sources": list(self.sources),
            "filters": repr(self.filters),
            "responding": repr(replace(self.responding, worst=False)),
            "judges": {one.name: one.signature for one in judges},
            "coherence": None if asker is None else [self.coherent, asker.version(PROMPT)],
            "length": load_prompt(LENGTH_PROMPT, asked.prompts, HOME).hash,
            "temperature": asked.temperature,
            "seed": self.session.run.seed,
            **more,
        }


def filtered(chats: Sequence[Conversation], filters: Filters, funnel: Funnel) -> list[Conversation]:
    """The conversations that pass the filters which need no model; counts what each left.

    Source: MTDEval, appendix A.1. Differs: that user and assistant take turns is asked first, for
    the user's turns are put to other models one by one.
    """
    funnel.add("given", "conversations", len(chats))
    kept = [one for one in chats if takes_turns(one)]
    funnel.add("speakers take turns", "conversations", len(kept))
    if filters.turns is not None:
        low, high = filters.turns
        kept = [one for one in kept if low <= exchanges(one.turns) <= high]
        funnel.add(f"{low} to {high} turns", "conversations", len(kept))
    if filters.trivial == "drop":
        kept = [one for one in kept if not has_trivial_turn(one)]
        funnel.add("no trivial turn", "conversations", len(kept))
    if filters.jargon:
        kept = [one for one in kept if not names_any(one.turns, filters.jargon)]
        funnel.add("no words to leave out", "conversations", len(kept))
    return kept


@dataclass
class Made:
    """What came of one conversation."""

    coherent: Step | None = None
    translated: Step | None = None
    answered: Answered | None = None
    votes: tuple[Vote, ...] = ()


class OpenBuilding:
    """A run under way: its models, and what came of each conversation."""

    def __init__(self, given: Building, models: Models, steps: Steps) -> None:
        asked = given.session.asked
        self.given, self.steps = given, steps
        self.judges = opened(given.session, models)
        for one in self.judges:
            if Pair not in one.takes:
                raise ConfigError(f"{one.name} does not judge pairs; give dimensions@MODEL")
        writers = {name: models.open(name) for name in given.sources if name != GIVEN}
        self.asker = None
        if given.coherent is not None:
            self.asker = coherence_asker(models.open(given.coherent), asked)
        self.translator = None
        if given.translate is not None:
            self.translator = coherence_asker(models.open(given.translate), asked)
        self.responder = Responder(writers, steps, asked, given.responding)
        self.made: dict[str, Made] = {}

    def doing(self, chat: Conversation) -> Callable[[], Any]:
        """All that is asked about a conversation, one thing after the other."""

        async def done() -> None:
            made = self.made[chat.id] = Made()
            if self.asker is not None:
                made.coherent = await coherence(chat, self.asker, self.steps)
                if not is_coherent(made.coherent):
                    return
            said = await self._translated(chat, made)
            if said is None:
                return
            given = self.given
            plan = planned(said, given.sources, given.session.run.seed)
            made.answered = await self.responder.answer(plan)
            if made.answered.pair is None:
                return
            pair = made.answered.pair
            made.votes = await votes_on(pair, self.judges, self.steps)

        return done

    async def _translated(self, chat: Conversation, made: Made) -> Conversation | None:
        """The conversation to be answered; None where its translation cannot be had."""
        if self.translator is None:
            return chat
        language = self.given.language
        made.translated = await translated(chat, language, self.translator, self.steps)
        return in_language(chat, made.translated, language, self.translator.model.name)

    @property
    def questions(self) -> list[Question]:
        """What the judges answer, each once."""
        return list({one.id: one for judge in self.judges for one in judge.questions}.values())

    def rows(self) -> list[Judgment]:
        """All votes, unscored ones too, in the order of the conversations."""
        made = (self.made[one.id] for one in self.given.chats if one.id in self.made)
        return [row for each in made for one in each.votes for row in one.rows()]

    def pairs(self) -> list[Pair]:
        """The pairs that were made, in the order of the conversations."""
        found = (self.made[one.id].answered for one in self.given.chats if one.id in self.made)
        return [one.pair for one in found if one is not None and one.pair is not None]


def check_sources(given: Building, judges: Sequence[str]) -> None:
    """Raises ConfigError where there are not two sources, or a judge judges what it wrote."""
    if len(set(given.sources)) < 2:
        raise ConfigError(
            "two different models must answer each conversation: name two (--model A --model B),"
            " or one and --given for the recorded answers"
        )
    wrote = [one for one in given.sources if one != GIVEN]
    if given.translate is not None:
        wrote.append(given.translate)
    if GIVEN in given.sources:
        wrote += sorted({one.system for one in given.chats if one.system is not None})
    check_apart(judges, wrote)


async def build_async(
    given: Building,
    *,
    on_step: Callable[[Step], None] = lambda _: None,
    note: Note = lambda _: None,
) -> PreferenceData:
    """Asks what the folder does not hold yet, and writes pairs and votes there.

    All pairs and votes are written before any is left out, so that another choice costs nothing.

    Raises:
        ConfigError: fewer than two sources, or a judge that generates.
        DataError: no conversation passes the filters, or no pair can be kept.
    """
    funnel = Funnel()
    chats = filtered(given.chats, given.filters, funnel)
    if not chats:
        problem = "no conversation passes the filters: "
        problem += ", ".join(f"{one.left:,} {one.step}" for one in funnel.stages)
        raise DataError(problem, source="items")
    async with Models(given.session.models, note=note) as models:
        steps = Steps(on_step)
        under_way = OpenBuilding(given, models, steps)
        check_sources(given, [one.name for one in under_way.judges])
        settings = given.settings(under_way.judges, under_way.asker, under_way.translator)
        async with stepping(
            given.session,
            steps,
            models,
            command={**given.session.command(), **settings},
            prompts={PROMPT: str(settings["coherence"]), LENGTH_PROMPT: settings["length"]},
            note=note,
        ) as at:
            await at.do(under_way.doing(one) for one in chats)
            finished = await at.settle()
            _count(under_way, funnel)
            data = PreferenceData(
                under_way.pairs(),
                None,
                funnel,
                unscored=_missing(steps),
                reasons=steps.unscored(COHERENCE, TRANSLATE, RESPOND, VOTE),
                spent=spent_on(steps, models.budget.spent),
                out=given.session.out,
                told=_told(under_way),
                interrupted=at.run.interrupted,
                waiting=at.waiting,
                signature=sign(settings),
            )
            return _kept(under_way, data, settings, note) if finished else data


def _missing(steps: Steps) -> tuple[int, int]:
    return sum(one.unscored is not None for one in steps.used.values()), len(steps.used)


def _told(under_way: OpenBuilding) -> list[str]:
    answers = [one.answered for one in under_way.made.values() if one.answered is not None]
    again = sum(one.again for one in answers)
    return [f"{again:,} answers were asked for again, for their length"] if again else []


def _count(under_way: OpenBuilding, funnel: Funnel) -> None:
    """What coherence and the answers left."""
    made = under_way.made.values()
    if under_way.asker is not None:
        said = [one.coherent for one in made if one.coherent is not None]
        whole = sum(map(is_coherent, said))
        lost = sum(one.answer is None for one in said)
        gone = {"do not hold together": len(said) - whole - lost, "unscored": lost}
        funnel.add("hold together", "conversations", whole, gone)
    if under_way.translator is not None:
        said = [one.translated for one in made if one.translated is not None]
        whole = sum(one.answer is not None for one in said)
        step = f"translated into {under_way.given.language}"
        funnel.add(step, "conversations", whole, {"unscored": len(said) - whole})
    answers = [one.answered for one in made if one.answered is not None]
    reasons = Counter(one.reason for one in answers if one.reason is not None)
    gone = {str(reason): count for reason, count in reasons.items()}
    words = under_way.given.responding.words
    step = "answered twice" if words is None else f"answered within {words:g} words"
    funnel.add(step, "pairs", len(under_way.pairs()), gone)


def _kept(
    under_way: OpenBuilding, data: PreferenceData, settings: Mapping[str, Any], note: Note
) -> PreferenceData:
    """The data with the votes' steps taken; everything before them is written first."""
    out, given = under_way.given.session.out, under_way.given
    rows = under_way.rows()
    files = _write(out, (ALL_PAIRS, ALL_VOTES), data.pairs, rows, under_way.questions)
    if not data.pairs:
        why = ", ".join(f"{n:,} {why}" for why, n in data.funnel.stages[-1].gone.items())
        raise DataError(f"no pair was made: {why or 'no conversation is left'}", source="items")
    table = JudgmentTable.of(rows, under_way.questions) if rows else None
    rng = np.random.default_rng(given.session.run.seed)
    selecting = given.selecting if table is not None else Selecting(sample=given.selecting.sample)
    told = {**settings, "selecting": asdict(selecting)}
    try:
        found: Selected = select_pairs(data.pairs, table, selecting, rng, data.funnel)
    except DataError as error:
        for line in data.funnel.lines:
            note(line)
        replace_file(out / CARD, [card(replace(data), told, table, error.problem).encode()])
        raise DataError(
            f"{error.problem}; all that was made stands in {out / ALL_PAIRS}: choose from it with"
            f" assize simulate select. What each step left stands in {out / CARD}",
            source=str(out),
        ) from error
    kept = [] if found.table is None else found.table.rows()
    files |= _write(out, (PAIRS, VOTES), found.pairs, kept, under_way.questions)
    ids = json_hash([(one.id, one.gold) for one in found.pairs])
    done = replace(
        data,
        pairs=found.pairs,
        judgments=found.table,
        question=found.question,
        labels=found.labels,
        votes=found.votes,
        consistency=found.consistency,
        outputs=files | {str(out / CARD): 0},
        signature=sign(data.signature, repr(selecting), ids),
    )
    replace_file(out / CARD, [card(done, told, table).encode()])
    return done


def _write(
    out: Path,
    names: tuple[str, str],
    pairs: Sequence[Pair],
    rows: Sequence[Judgment],
    questions: Sequence[Question],
) -> dict[str, int]:
    """Writes pairs, and votes with their questions; by file how many records."""
    replace_file(out / names[0], (json_line(to_json(one)) for one in pairs))
    if not rows:
        return {str(out / names[0]): len(pairs)}
    replace_file(out / names[1], (json_line(to_json(one)) for one in rows))
    write_questions(out / names[1], questions)
    return {str(out / names[0]): len(pairs), str(out / names[1]): len(rows)}


async def estimate(given: Building) -> Estimates:
    """Calls, tokens and cost by model beyond what folder and cache hold; asks nothing.

    At most: no conversation is dropped by coherence or length, and each answer that must come
    near a length is asked for as often as may be.
    """
    dry = replace(given.session.models, dry=True)
    worst = replace(given, responding=replace(given.responding, worst=True))
    async with Models(dry, note=lambda _: None) as models:
        under_way = OpenBuilding(worst, models, Steps(known=stored_steps(given.session)))
        check_sources(given, [one.name for one in under_way.judges])
        for one in filtered(given.chats, given.filters, Funnel()):
            await under_way.doing(one)()
        most = "if nothing is dropped and every length is asked for again"
        return Estimates({name: one.estimate for name, one in models.estimates.items()}, most)
