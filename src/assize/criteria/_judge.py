"""`criteria@FILE@MODEL`: NetSAT and each criterion of a set, asked of a model.

`criteria@FILE` asks the one of the option `criteria_model`. The model that the file names says by
which it was learnt, and is asked only where the user names it (`assize.base.trust`).
`criteria@FILE@evaluator:FOLDER` asks none: an evaluator that the criteria were distilled into
scores in its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np

from assize.base.conversation import Conversation
from assize.base.errors import AnswerError, AuthenticationError, ConfigError, ModelError
from assize.base.judgment import JudgeKind, Judgment, Question, Unscored
from assize.base.signature import sign
from assize.base.trust import check_named
from assize.criteria._criterion import NETSAT, STALE, CriteriaSet
from assize.criteria._heads import Line, load_heads
from assize.criteria._reading import load_criteria
from assize.criteria._scoring import NAME, Batch, batches, form_of, method, net_row, on_scale
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._scoring import raw_numbers
from assize.judging.judge import AsksNoModel, JudgeContext, JudgeSettings, Task
from assize.judging.options import CriteriaOptions
from assize.judging.prompt_judge import PromptJudge, unscored_rows
from assize.judging.reasons import reason_of
from assize.judging.records import task_key
from assize.judgments.questions import of_set
from assize.models import Model
from assize.results.log import log
from assize.running import all_of

_WRITTEN = re.compile(r"(?P<file>.+?\.ya?ml)@(?P<model>[A-Za-z][\w-]*:.+)")


@dataclass(frozen=True, kw_only=True)
class SetJudge:
    """What every judge by a set of criteria has: its questions, and NetSAT of its rows.

    Args:
        criteria: the set, with the labelling that holds for these scores.
        name: as in `--judge`.
        written: the set's file, or "" for its name.
        names: new ids of questions that another set asks otherwise in the same run.
    """

    criteria: CriteriaSet
    name: str
    written: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    takes: tuple[type, ...] = (Conversation,)
    rows_vary: bool = False

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """NetSAT, and each criterion."""
        source = self.written or self.criteria.name
        return tuple(
            of_set(replace(row, id=self.names.get(row.id, row.id)), source, self.criteria.wording)
            for row in self.criteria.questions
        )

    def renamed(self, names: Mapping[str, str]) -> Self:
        """Return the judge with other ids for questions that another set asks otherwise."""
        return replace(self, names={**self.names, **names})

    def complete(self, task: Task, rows: Mapping[str, Judgment]) -> list[Judgment]:
        """Return NetSAT's row and those of the criteria (by id), under the questions' names."""
        empty = Judgment(task.item.id, self.name, NETSAT, repeat=task.repeat)
        ordered = [rows[criterion.id] for criterion in self.criteria.criteria]
        return [
            replace(row, question=self.names.get(row.question, row.question))
            for row in (net_row(empty, rows, self.criteria), *ordered)
        ]


@dataclass(frozen=True, kw_only=True)
class CriteriaJudge(SetJudge):
    """A set of criteria and the model that scores conversations by it."""

    model: Model
    settings: JudgeSettings
    options: CriteriaOptions
    kind: JudgeKind = "model"

    @cached_property
    def signature(self) -> str:
        """Of every batch's prompt, model and parameters, and of how labels are made."""
        labelling = self.criteria.labelling
        return sign(
            {"judge": NAME, "asked": [asks.signature for _, asks in self._asks]},
            {"wording": self.criteria.wording, "values": self.options.criteria_values},
            {"labelling": None if labelling is None else asdict(labelling)},
        )

    @property
    def prompt_version(self) -> str:
        """The set and the prompt's version and hash, for `run.json`."""
        return f"{self.criteria.name} {self.criteria.wording}, {self._asks[0][1].prompt_version}"

    @cached_property
    def _asks(self) -> tuple[tuple[Batch, PromptJudge], ...]:
        methods = {
            batch: method(batch, self.criteria, self.options) for batch in batches(self.criteria)
        }
        return tuple(
            (batch, PromptJudge(how, self.model, self.settings)) for batch, how in methods.items()
        )

    def first_call(self, task: Task, question: str | None = None) -> tuple[PromptJudge, Task]:
        """What is asked about a criterion; about the first where it is None or NetSAT."""
        known = [criterion.id for criterion in self.criteria.criteria]
        if question not in (None, NETSAT, *known):
            raise ConfigError(
                f"{self.name} has no criterion {question!r}; it has {', '.join(known)}"
            )
        for batch, asks in self._asks:
            if any(criterion.id == question for criterion in batch.criteria):
                return asks, task
        return self._asks[0][1], task

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """NetSAT's row, and one a criterion: an answer on its scale, or unscored.

        Where every call failed the first failure is raised, as by any judge.
        """
        errors: list[ModelError | AnswerError] = []
        answers = await all_of(self._ask(batch, asks, task, errors) for batch, asks in self._asks)
        if errors and len(errors) == len(self._asks):
            raise errors[0]
        return self.complete(task, {row.question: row for rows in answers for row in rows})

    async def _ask(
        self,
        batch: Batch,
        asks: PromptJudge,
        task: Task,
        errors: list[ModelError | AnswerError],
    ) -> list[Judgment]:
        """The rows of a batch; after a failure they are unscored."""
        try:
            rows = await asks.judge(task)
        except AuthenticationError:
            raise
        except (ModelError, AnswerError) as error:
            errors.append(error)
            reason = Unscored(reason_of(error), str(error))
            rows = [
                Judgment(task.item.id, self.name, row.id, repeat=task.repeat, unscored=reason)
                for row in batch.criteria
            ]
        call = f"{task_key(task.item.id, self.name, batch.step, task.repeat):016x}"
        form = form_of(self.criteria.scale, self.options.criteria_values)
        questions = {row.id: row.question(self.criteria.scale) for row in batch.criteria}
        return [
            replace(on_scale(row, questions[row.question], form), judge=self.name, call=call)
            for row in rows
        ]


@dataclass(frozen=True, kw_only=True)
class DistilledJudge(SetJudge, AsksNoModel):
    """A set of criteria and the evaluator that scores conversations by it, with no model.

    Args:
        lines: by criterion.
        evaluator: whose raw numbers they map to evaluations.
    """

    lines: Mapping[str, Line]
    evaluator: Evaluator
    kind: JudgeKind = "evaluator"

    @cached_property
    def signature(self) -> str:
        """Of the evaluator, the criteria, their lines and how labels are made."""
        labelling = self.criteria.labelling
        lines = {name: asdict(line) for name, line in self.lines.items()}
        return sign(
            {"judge": f"{NAME}, distilled", "version": 1, "evaluator": self.evaluator.signature},
            {"wording": self.criteria.wording, "lines": lines},
            {"labelling": None if labelling is None else asdict(labelling)},
        )

    def judge_many(self, tasks: Sequence[Task]) -> list[Sequence[Judgment]]:
        """NetSAT's row and one a criterion; all are unscored where there is no text to read."""
        chats = [task.item for task in tasks if isinstance(task.item, Conversation)]
        numbers = raw_numbers(chats, evaluator=self.evaluator)
        return [self._score(task, raw) for task, raw in zip(tasks, numbers, strict=True)]

    def _score(self, task: Task, raw: Mapping[str, float] | Unscored) -> Sequence[Judgment]:
        if isinstance(raw, Unscored):
            return unscored_rows(self, task, raw)
        rows = {}
        for name, line in self.lines.items():  # what was always scored the same has no head
            score = round(float(line(np.array([raw.get(name, 0.0)]))[0]), 6)
            rows[name] = Judgment(task.item.id, self.name, name, score=score, repeat=task.repeat)
        return self.complete(task, rows)


def open_criteria(
    criteria: CriteriaSet, written: str, model: str | None, context: JudgeContext
) -> CriteriaJudge | DistilledJudge:
    """The judge that scores by a set.

    Args:
        written: the set's file, or its name; it stands in the judge's name.
        model: as provider:name, or evaluator:FOLDER; None for that of the options.

    Raises:
        ConfigError: the user names no model; an option is not allowed; the evaluator was distilled
            for other criteria.
    """
    options = CriteriaOptions(**context.options)
    scorer = options.criteria_model if model is None else model
    if scorer is None and criteria.model is None:
        raise ConfigError(
            f"no model is named to score by {written}; give --model openai:gpt-4o (in Python"
            f" model=; in assize judge --set criteria_model=, or {NAME}@{written}@openai:gpt-4o)"
        )
    name = f"{NAME}@{written}" if scorer is None else f"{NAME}@{written}@{scorer}"
    if scorer is None:
        scorer = check_named(
            criteria.model,
            "model",
            source=f"{written} was learnt with",
            remedy="give --model {} to ask it, or another (in Python model=; in assize judge"
            " --set criteria_model=)",
        )
    if options.criteria_scale is not None:
        criteria = replace(
            criteria, scale="numeric" if options.criteria_scale == "numeric" else "likert"
        )
    if scorer.startswith("evaluator:"):
        return open_distilled(criteria, name, written, scorer.removeprefix("evaluator:"))
    if criteria.edited:
        log.warning("%s: %s", written, STALE)
    elif criteria.labelling is not None and criteria.model not in (None, scorer):
        log.warning(
            "%s: threshold and window were learnt with %s, not with %s",
            written,
            criteria.model,
            scorer,
        )
    return CriteriaJudge(
        criteria=criteria.without_stale_labels,
        name=name,
        written=written,
        model=context.models.open(scorer),
        settings=context.settings,
        options=options,
    )


def open_distilled(criteria: CriteriaSet, name: str, written: str, folder: str) -> DistilledJudge:
    """The judge that scores a set by the evaluator in a folder.

    Raises:
        ConfigError: the evaluator was distilled for other criteria or for none.
        DataError: the folder holds no evaluator.
    """
    if not folder:
        raise ConfigError(f"{name}: name the evaluator's folder, as in evaluator:small/")
    scored, lines = load_heads(folder).apply(criteria, folder)
    if criteria.labelling is not None and scored.labelling is None:
        log.warning(
            "%s was distilled without labels, or for other criteria together, so nothing is"
            " labelled: threshold and window of the file are for another model's NetSAT",
            folder,
        )
    evaluator = load_evaluator(folder)
    return DistilledJudge(
        criteria=scored, name=name, written=written, lines=lines, evaluator=evaluator
    )


@dataclass(frozen=True, slots=True)
class CriteriaOffer:
    """See `table.py`."""

    about: str = "NetSAT and each criterion of a set: criteria@FILE (option criteria_model)"

    def open(self, target: str, context: JudgeContext) -> CriteriaJudge | DistilledJudge:
        """The judge that scores by this file, or by file and model, as FILE@MODEL."""
        match = _WRITTEN.fullmatch(target)
        file, model = (target, None) if match is None else (match["file"], match["model"])
        return open_criteria(load_criteria(file), file, model, context)


CRITERIA = CriteriaOffer()
