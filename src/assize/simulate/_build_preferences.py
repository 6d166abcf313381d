"""Preference data out of conversations: filtered, answered twice, judged in both orders, kept.

Each conversation goes its way alone, from the filters to the votes on its pair, so a run that is
stopped has whole pairs. Every call is a step of the run's journal, so none is paid for twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from assize.base.conversation import Conversation, Pair
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.base.signature import json_hash, sign
from assize.judging.prompting import load_prompt
from assize.judging.session import RunFacts, Session
from assize.judging.step_work import StepWork
from assize.judging.steps import Step, Steps
from assize.judging.table import open_session_judges
from assize.judgments import JudgmentTable
from assize.models import Models
from assize.results.numbers import counted
from assize.running.durable import replace as replace_file
from assize.simulate._chats import Chats
from assize.simulate._coherence import HOME, PROMPT, coherence, is_coherent, simulate_asker
from assize.simulate._coherence import STAGE as COHERENCE
from assize.simulate._dialogue_filters import keep_by_turns, names_any, takes_turns
from assize.simulate._funnel import Funnel
from assize.simulate._model_names import check_apart
from assize.simulate._preference_card import CARD, card
from assize.simulate._preference_data import PreferenceData
from assize.simulate._responses import GIVEN, Answered, Responder, planned
from assize.simulate._responses import PROMPT as LENGTH_PROMPT
from assize.simulate._responses import STAGE as RESPOND
from assize.simulate._result import facts_of
from assize.simulate._select_pairs import PAIRS, VOTES, select_pairs, write_pairs
from assize.simulate._settings import ALL, Answers, ConversationFilters, PairChoice, Translation
from assize.simulate._translating import PROMPT as TRANSLATE_PROMPT
from assize.simulate._translating import STAGE as TRANSLATE
from assize.simulate._translating import in_language, translated
from assize.simulate._voting import STAGE as VOTE
from assize.simulate._voting import votes_on

ALL_PAIRS, ALL_VOTES = "all-pairs.jsonl", "all-judgments.jsonl"


def filtered(
    chats: Sequence[Conversation],
    filters: ConversationFilters,
    jargon: Sequence[str],
    funnel: Funnel,
) -> list[Conversation]:
    """The conversations that pass the filters which need no model; counts what each left.

    Source: MTDEval, appendix A.1. Differs: that user and assistant take turns is asked first, for
    the user's turns are put to other models one by one.
    """
    unit = "conversations"
    funnel.add("given", unit, len(chats))
    kept = funnel.keep("speakers take turns", unit, chats, takes_turns)
    bounds, drop = filters.bounds(), filters.trivial == "drop"
    kept = keep_by_turns(kept, unit, lambda chat: [chat.turns], funnel, bounds, drop_trivial=drop)
    if jargon:
        kept = funnel.keep(
            "no words to leave out", unit, kept, lambda chat: not names_any(chat.turns, jargon)
        )
    return kept


@dataclass
class Made:
    """What came of one conversation."""

    coherent: Step | None = None
    translated: Step | None = None
    answered: Answered | None = None
    votes: Sequence[Judgment] = ()


@dataclass
class PreferenceWork(StepWork[Made, PreferenceData]):
    """Takes each conversation from the filters to the votes on its pair.

    All pairs and votes are written before any is left out, so that another choice costs nothing.

    Args:
        session: the judges, the folder, how models are asked.
        given: the conversations.
        sources: models, and `given` for what was recorded; two of them answer each conversation.
        jargon: words and phrases that no turn may hold.
    """

    session: Session
    given: Chats
    sources: tuple[str, ...]
    filters: ConversationFilters = field(default_factory=ConversationFilters)
    jargon: Sequence[str] = ()
    answers: Answers = field(default_factory=Answers)
    choice: PairChoice = ALL
    translation: Translation | None = None

    def open(self, models: Models, steps: Steps, *, dry: bool) -> None:
        """Filter the conversations, and open judges and models.

        Raises:
            ConfigError: fewer than two sources, or a judge that generates, or takes no pairs.
            DataError: no conversation passes the filters.
        """
        asked = self.session.asked
        self.steps, self.funnel = steps, Funnel()
        self.passed = filtered(self.given.chats, self.filters, self.jargon, self.funnel)
        if not self.passed and not dry:
            raise DataError(f"no conversation passes the filters: {self.funnel}", source="items")
        self.judges = open_session_judges(self.session, models)
        for judge in self.judges:
            if Pair not in judge.takes:
                raise ConfigError(f"{judge.name} does not judge pairs; give dimensions@MODEL")
        check_sources(self, [judge.name for judge in self.judges])
        writers = {name: models.open(name) for name in self.sources if name != GIVEN}
        self.asker = self.translator = None
        if self.filters.coherence is not None:
            self.asker = simulate_asker(models.open(self.filters.coherence), asked)
        if self.translation is not None:
            self.translator = simulate_asker(models.open(self.translation.model), asked)
        self.responder = Responder(writers, steps, asked, self.answers)

    def settings(self) -> dict[str, Any]:
        """Return everything but the conversations that could change what is made.

        What is kept of it is left out: another balance on the same folder asks nothing again.
        """
        asked, asker, translator = self.session.asked, self.asker, self.translator
        more: dict[str, Any] = dict(self.given.settings)
        if translator is not None:
            more["translate"] = [repr(self.translation), translator.version(TRANSLATE_PROMPT)]
        return {
            "sources": list(self.sources),
            "filters": repr(replace(self.filters, jargon=None)),
            "jargon": list(self.jargon),
            "answers": repr(self.answers),
            "judges": {judge.name: judge.signature for judge in self.judges},
            "coherence": None if asker is None else asker.version(PROMPT),
            "length": load_prompt(LENGTH_PROMPT, asked.prompts, HOME).hash,
            "temperature": asked.temperature,
            "seed": self.session.run.seed,
            **more,
        }

    def prompts(self) -> dict[str, str]:
        """Return version and hash of the prompts that are always used."""
        settings = self.settings()
        return {PROMPT: str(settings["coherence"]), LENGTH_PROMPT: settings["length"]}

    def stages(self) -> Iterator[Sequence[Conversation]]:
        """Yield the conversations that passed the filters."""
        yield self.passed

    async def make(self, chat: Conversation) -> Made:
        """Return what came of a conversation, one thing asked after the other."""
        made = Made()
        if self.asker is not None:
            made.coherent = await coherence(chat, self.asker, self.steps)
            if not is_coherent(made.coherent):
                return made
        if self.translator is not None and self.translation is not None:
            language = self.translation.language.strip()
            made.translated = await translated(chat, language, self.translator, self.steps)
            if made.translated.answer is None:
                return made
            chat = in_language(chat, made.translated.answer, self.translation)
        plan = planned(chat, self.sources, self.session.run.seed)
        made.answered = await self.responder.answer(plan)
        if made.answered.pair is not None:
            made.votes = await votes_on(made.answered.pair, self.judges, self.steps)
        return made

    def at_most(self) -> str:
        """Say that an estimate holds where nothing is dropped."""
        return "if nothing is dropped, and no answer is asked for again"

    @property
    def questions(self) -> list[Question]:
        """What the judges answer, each once."""
        every = [question for judge in self.judges for question in judge.questions]
        return list({question.id: question for question in every}.values())

    async def result(self, made: Sequence[Made], run: RunFacts) -> PreferenceData:
        """Return pairs and votes; write them, and what is kept of them, once all were asked.

        Raises:
            DataError: no pair can be kept; what was made is written.
        """
        self._count(made)
        steps = self.steps
        answers = [one.answered for one in made if one.answered is not None]
        again = sum(answer.again for answer in answers)
        reasons = steps.unscored(COHERENCE, TRANSLATE, RESPOND, VOTE)
        rows = [row for one in made for row in one.votes]
        data = PreferenceData(
            records=[answer.pair for answer in answers if answer.pair is not None],
            judgments=JudgmentTable.of(rows, self.questions) if rows else None,
            steps=self.funnel.stages,
            n=len(steps.used),
            unscored=sum(step.unscored is not None for step in steps.used.values()),
            reasons=reasons,
            notes=[
                *([f"{again:,} answers were asked for again, for their length"] if again else []),
                *(f"{counted(n, 'answer')} missing: {why}" for why, n in reasons.items()),
            ],
            scrubbed=self.given.scrubbed,
            signature=sign(self.settings()),
            **facts_of(run, self.session.out),
        )
        return self._choose(data) if run.finished else data

    def _count(self, made: Sequence[Made]) -> None:
        """What coherence and the answers left."""
        if self.asker is not None:
            checked = [one.coherent for one in made if one.coherent is not None]
            whole, lost = sum(map(is_coherent, checked)), _lost(checked)
            gone = {"do not hold together": len(checked) - whole - sum(lost.values())}
            self.funnel.add("hold together", "conversations", whole, gone | lost)
        if self.translation is not None:
            done = [one.translated for one in made if one.translated is not None]
            whole = sum(step.answer is not None for step in done)
            name = f"translated into {self.translation.language.strip()}"
            self.funnel.add(name, "conversations", whole, _lost(done))
        answers = [one.answered for one in made if one.answered is not None]
        reasons = Counter(answer.reason for answer in answers if answer.reason is not None)
        gone = {str(reason): count for reason, count in reasons.items()}
        words = self.answers.words
        name = "answered twice" if words < 0 else f"answered within {words:g} words"
        pairs = sum(answer.pair is not None for answer in answers)
        self.funnel.add(name, "pairs", pairs, gone)

    def _choose(self, data: PreferenceData) -> PreferenceData:
        """What is kept of the data; all pairs and votes are written first."""
        out = self.session.out
        files = write_pairs(out, (ALL_PAIRS, ALL_VOTES), data)
        if not data.records:
            raise DataError(f"no pair was made: {self.funnel}", source="items")
        choice = ALL if data.judgments is None else self.choice
        try:
            rng = np.random.default_rng(self.session.run.seed)
            data = select_pairs(data, choice, rng, self.funnel)
        except DataError as error:
            raise DataError(
                f"{error.problem}; all that was made stands in {out / ALL_PAIRS}: choose from it"
                f" with assize simulate select. What each step left: {self.funnel}",
                source=str(out),
            ) from error
        files |= write_pairs(out, (PAIRS, VOTES), data)
        ids = json_hash([(pair.id, pair.gold) for pair in data.records])
        data = replace(
            data,
            outputs=files | {str(out / CARD): 0},
            signature=sign(data.signature, repr(choice), ids),
        )
        settings = {**self.settings(), "choice": asdict(choice)}
        replace_file(out / CARD, [card(data, settings).encode()])
        return data


def check_sources(work: PreferenceWork, judges: Sequence[str]) -> None:
    """Raises ConfigError where there are not two sources, or a judge judges what it wrote."""
    if len(set(work.sources)) < 2:
        raise ConfigError(
            "two different models must answer each conversation: name two (--model A --model B),"
            " or one and --given for the recorded answers"
        )
    wrote = [one for one in work.sources if one != GIVEN]
    if work.translation is not None:
        wrote.append(work.translation.model)
    if GIVEN in work.sources:
        wrote += sorted({one.system for one in work.given.chats if one.system is not None})
    check_apart(judges, wrote)


def _lost(steps: Sequence[Step]) -> dict[str, int]:
    """Count the steps without an answer, by reason."""
    reasons = Counter(step.unscored.reason for step in steps if step.unscored is not None)
    return {f"unscored: {reason}": count for reason, count in reasons.items()}
