"""`criteria@FILE@MODEL`: NetSAT and each criterion of a set, asked of a model.

`criteria@FILE` asks the one of the option `criteria_model`. The model that the file names says by
which it was learnt, and is asked only where the user names it (`assize.base.trust`).
`criteria@FILE@evaluator:FOLDER` asks none: an evaluator that the criteria were distilled into
scores in its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib import import_module

from assize.base.conversation import Conversation
from assize.base.errors import AnswerError, AuthenticationError, ConfigError, ModelError
from assize.base.judgment import JudgeKind, Judgment, Question, Unscored
from assize.base.signature import sign
from assize.base.trust import check_named
from assize.criteria._criterion import NETSAT, STALE, CriteriaSet, Criterion
from assize.criteria._distilled.judge import DistilledJudge
from assize.criteria._reading import load_criteria
from assize.criteria._scoring import (
    NAME,
    Batch,
    Form,
    asked_by,
    batches,
    form_of,
    method,
    net_row,
    on_scale,
    under_names,
)
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.options import CriteriaOptions
from assize.judging.prompt_judge import PromptJudge
from assize.judging.reasons import reason_of
from assize.judging.records import task_key
from assize.models import Model
from assize.results.log import log
from assize.running import all_of

# What scores without a model: a lazy import of what makes the judge, so nothing imports upwards.
LOCAL: Mapping[str, str] = {"evaluator": "assize.criteria._local:open_local"}
_WRITTEN = re.compile(r"(?P<file>.+?\.ya?ml)@(?P<model>[A-Za-z][\w-]*:.+)")


@dataclass(frozen=True)
class CriteriaJudge:
    """A set of criteria and the model that scores conversations by it."""

    given: CriteriaSet
    name: str  # as in `--judge`
    model: Model
    settings: JudgeSettings
    options: CriteriaOptions
    written: str = ""  # the set's file, or its name
    names: Mapping[str, str] = field(default_factory=dict)  # of questions that another set asks too

    kind: JudgeKind = "model"
    takes: tuple[type, ...] = (Conversation,)
    rows_vary: bool = False

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """NetSAT, and each criterion."""
        return asked_by(self.given, self.written, self.names)

    def renamed(self, names: Mapping[str, str]) -> CriteriaJudge:
        """The judge with names of its own for questions that another set asks otherwise."""
        return replace(self, names={**self.names, **names})

    @cached_property
    def signature(self) -> str:
        """Of every batch's prompt, model and parameters, and of how labels are made."""
        labelling = self.given.labelling
        return sign(
            {"judge": NAME, "asked": [one.signature for _, one in self._asked]},
            {"wording": self.given.wording, "values": self.options.criteria_values},
            {"labelling": None if labelling is None else asdict(labelling)},
        )

    @property
    def prompt_version(self) -> str:
        """The set and the prompt's version and hash, for `run.json`."""
        return f"{self.given.name} {self.given.wording}, {self._asked[0][1].prompt_version}"

    @cached_property
    def _asked(self) -> tuple[tuple[Batch, PromptJudge], ...]:
        return tuple(
            (batch, PromptJudge(method(batch, self.given, self.options), self.model, self.settings))
            for batch in batches(self.given)
        )

    @cached_property
    def _by_id(self) -> Mapping[str, Criterion]:
        return {one.id: one for one in self.given.criteria}

    def first_call(self, task: Task, question: str | None = None) -> tuple[PromptJudge, Task]:
        """What is asked about a criterion; about the first where it is None or NetSAT."""
        if question not in (None, NETSAT, *self._by_id):
            known = ", ".join(self._by_id)
            raise ConfigError(f"{self.name} has no criterion {question!r}; it has {known}")
        for batch, asked in self._asked:
            if any(one.id == question for one in batch.criteria):
                return asked, task
        return self._asked[0][1], task

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """NetSAT's row, and one a criterion: an answer on its scale, or unscored.

        Where every call failed the first failure is raised, as by any judge.
        """
        found = await all_of(self._ask(batch, asked, task) for batch, asked in self._asked)
        errors = [one.error for one in found if one.error is not None]
        if errors and len(errors) == len(found):
            raise errors[0]
        rows = {row.question: row for one in found for row in one.rows}
        empty = Judgment(task.item.id, self.name, NETSAT, repeat=task.repeat)
        net = net_row(empty, rows, self.given)
        each = (rows[one.id] for one in self.given.criteria)
        return under_names([net, *each], self.names)

    async def _ask(self, batch: Batch, asked: PromptJudge, task: Task) -> _Found:
        """The rows of a batch; after a failure they are unscored, with the error beside them."""
        error = None
        try:
            rows = await asked.judge(task)
        except AuthenticationError:
            raise
        except (ModelError, AnswerError) as failure:
            error = failure
            reason = Unscored(reason_of(failure), str(failure))
            rows = [
                Judgment(task.item.id, self.name, one.id, repeat=task.repeat, unscored=reason)
                for one in batch.criteria
            ]
        call = f"{task_key(task.item.id, self.name, batch.step, task.repeat):016x}"
        form = form_of(self.given.scale, self.options.criteria_values)
        return _Found(
            [replace(self._kept(row, form), judge=self.name, call=call) for row in rows],
            error,
        )

    def _kept(self, row: Judgment, form: Form) -> Judgment:
        return on_scale(row, self._by_id[row.question].question(self.given.scale), form)


@dataclass(frozen=True, slots=True)
class _Found:
    rows: Sequence[Judgment]
    error: ModelError | AnswerError | None


def open_criteria(
    given: CriteriaSet, written: str, model: str | None, context: JudgeContext
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
    asked = options.criteria_model if model is None else model
    if asked is None and given.model is None:
        raise ConfigError(
            f"no model is named to score by {written}; give --model openai:gpt-4o (model= in"
            f" Python; of judge --set criteria_model=, or {NAME}@{written}@openai:gpt-4o)"
        )
    name = f"{NAME}@{written}" if asked is None else f"{NAME}@{written}@{asked}"
    scorer = asked
    if scorer is None:
        scorer = check_named(
            given.model,
            "model",
            source=f"{written} was learnt with",
            remedy="give --model {} to ask it, or another (model= in Python; of judge"
            " --set criteria_model=)",
        )
    scored = given
    if options.criteria_scale is not None:
        scored = replace(
            given, scale="numeric" if options.criteria_scale == "numeric" else "likert"
        )
    kind, _, folder = scorer.partition(":")
    if kind in LOCAL:
        module, _, attribute = LOCAL[kind].partition(":")
        make: Callable[..., DistilledJudge] = getattr(import_module(module), attribute)
        return make(scored, name, written, folder)
    if scored.edited:
        log.warning("%s: %s", written, STALE)
    elif scored.labelling is not None and asked not in (None, given.model) and given.model:
        log.warning(
            "%s: threshold and window were learnt with %s, not with %s", written, given.model, asked
        )
    scored = scored.without_stale_labels
    opened = context.models.open(scorer)
    return CriteriaJudge(scored, name, opened, context.settings, options, written)


@dataclass(frozen=True, slots=True)
class CriteriaOffer:
    """See `table.py`."""

    about: str = "NetSAT and each criterion of a set: criteria@FILE (option criteria_model)"

    def open(self, target: str, context: JudgeContext) -> CriteriaJudge | DistilledJudge:
        """The judge that scores by this file, or by file and model, as FILE@MODEL."""
        found = _WRITTEN.fullmatch(target)
        file, model = (target, None) if found is None else (found["file"], found["model"])
        return open_criteria(load_criteria(file), file, model, context)


CRITERIA = CriteriaOffer()
