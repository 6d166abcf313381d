"""`ensemble@FOLDER`: what people would say of a continuation, from what metrics say.

The judges whose answers it reads are asked first: local metrics here, language models where it was
fitted on theirs, each by the name that it had then. Where their judgments are there already,
`Ensemble.predict` reads them, and nobody is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from assize.base.conversation import Continuation
from assize.base.errors import AnswerError, AuthenticationError, ConfigError, ModelError
from assize.base.judgment import JudgeKind, Judgment, Question, Unscored
from assize.base.record_parts import read_as
from assize.base.trust import check_named
from assize.encoders import said_encoder
from assize.judging.judge import Judge, JudgeContext, JudgeOffer, Task, is_local
from assize.judging.judges.scores import together
from assize.judging.options import EncoderOptions
from assize.judging.reasons import reason_of
from assize.judging.table import open_judge
from assize.judgments import JudgmentTable
from assize.judgments.judges import usual
from assize.reference._ensemble.artefact import load_ensemble
from assize.reference._ensemble.columns import LOCAL, MEAN, Columns, Measured
from assize.reference._ensemble.ensemble import Ensemble
from assize.reference._ensemble.explaining import Explained, explained
from assize.running import all_of


@dataclass(frozen=True)
class EnsembleJudge:
    """An ensemble behind the protocol of judges.

    Args:
        asked: by the name that was fitted on, the judges whose answers are its columns.
    """

    ensemble: Ensemble
    asked: Mapping[str, Judge]

    kind: JudgeKind = "evaluator"
    takes: tuple[type, ...] = (Continuation,)
    rows_vary: bool = False
    sees_order: bool = False

    @property
    def name(self) -> str:
        """`ensemble@FOLDER`."""
        return self.ensemble.judge

    @property
    def questions(self) -> tuple[Question, ...]:
        """What people were asked."""
        return self.ensemble.questions

    @property
    def signature(self) -> str:
        """As of the ensemble."""
        return self.ensemble.signature

    @cached_property
    def needs_model(self) -> bool:
        """Whether a language model is asked."""
        return not all(map(is_local, self.asked.values()))

    def judge_many(self, tasks: Sequence[Task]) -> list[list[Judgment]]:
        """The rows of each task, in their order; where no language model is asked."""
        return self._predicted(tasks, self._rows(tasks))

    def _rows(self, tasks: Sequence[Task]) -> list[list[Judgment]]:
        """What its judges say of each task; none asks a model."""
        each: list[list[Judgment]] = [[] for _ in tasks]
        for name, judge in self.asked.items():
            if is_local(judge):
                for own, rows in zip(each, judge.judge_many(tasks), strict=True):
                    own += [] if isinstance(rows, Exception) else _named(name, rows)
        return each

    def explained(self, continuation: Continuation) -> Explained:
        """What each metric adds to the prediction of one continuation.

        Raises:
            ConfigError: it asks language models, whose judgments have to be made first.
        """
        if self.needs_model:
            names = ", ".join(name for name, one in self.asked.items() if not is_local(one))
            raise ConfigError(
                f"{self.name} reads {names}: score with them, and take the prediction apart in"
                " Python, with assize.load(FOLDER).explain(RUN)"
            )
        columns = self._columns([continuation.id], self._rows([Task(continuation)]))
        return explained(self.ensemble, columns)

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """One task's rows, once all judges have answered.

        Where one cannot, the prediction is unscored for that reason, or made without it, as the
        ensemble was fitted.
        """
        if not self.needs_model:
            return (await asyncio.to_thread(self.judge_many, [task]))[0]
        found = await all_of(self._ask(name, judge, task) for name, judge in self.asked.items())
        rows = [row for one, _ in found for row in one]
        errors = [error for _, error in found if error is not None]
        ((row,),) = self._predicted([task], [rows])
        if errors and row.unscored is not None:
            row = replace(row, unscored=Unscored(reason_of(errors[0]), str(errors[0])))
        return [replace(row, usage=together([one.usage for one in rows]))]

    async def _ask(
        self, name: str, judge: Judge, task: Task
    ) -> tuple[list[Judgment], ModelError | AnswerError | None]:
        """The rows of one of its judges; none, and the error, where it failed."""
        try:
            return _named(name, await judge.judge(task)), None
        except AuthenticationError:
            raise
        except (ModelError, AnswerError) as failure:
            return [], failure

    def _predicted(
        self, tasks: Sequence[Task], rows: Sequence[Sequence[Judgment]]
    ) -> list[list[Judgment]]:
        """The ensemble's rows of each task, from those of its judges."""
        items = [f"{place}" for place in range(len(tasks))]  # repeats of an item stay apart
        made = self.ensemble.judged(self._columns(items, rows))
        return [
            [replace(row, item=task.item.id, repeat=task.repeat)]
            for task, row in zip(tasks, made, strict=True)
        ]

    def _columns(self, items: Sequence[str], rows: Sequence[Sequence[Judgment]]) -> Columns:
        asked = [one for judge in self.asked.values() for one in judge.questions]
        given = [
            replace(row, item=item, repeat=0, kind="metric")
            for item, own in zip(items, rows, strict=True)
            for row in own
        ]
        known = Columns.blank(items)
        if given:
            questions = {question.id: question for question in asked}
            known = Columns.of(JudgmentTable.of(given, questions.values())).of_items(items)
        return known.matching(self.ensemble.names, self.ensemble.sources, lenient=True)


def _named(name: str, rows: Sequence[Judgment]) -> list[Judgment]:
    """The rows under the name that was fitted on."""
    return [replace(row, judge=name) for row in rows]


def open_ensemble(target: str, context: JudgeContext) -> EnsembleJudge:
    """The judge that a folder makes, with the judges that it asks.

    Raises:
        DataError: there is no ensemble in the folder.
        ConfigError: a judge or an encoder that it reads is not named in this command, or cannot
            be opened.
    """
    return judge_of(load_ensemble(target), context)


def judge_of(ensemble: Ensemble, context: JudgeContext) -> EnsembleJudge:
    """The judge of an ensemble, in a folder or in memory; raises as `open_ensemble` does."""
    options = EncoderOptions(**context.options)
    said = options.encoder if ensemble.encoder is None else ensemble.encoder
    plain = replace(context, options={}, variant="")
    names = dict.fromkeys(source.judge for source in ensemble.sources)
    asked = {name: _opened(name, ensemble, said, plain) for name in names}
    return EnsembleJudge(ensemble, asked)


def _opened(name: str, ensemble: Ensemble, said: str | None, context: JudgeContext) -> Judge:
    """A judge that it reads; one of local metrics measures what is needed, as it did then."""
    base, _, encoder = name.partition("@")
    metrics, preset, _ = base.partition("/")
    if metrics != LOCAL:
        return open_judge(_allow(name, ensemble, context), context)
    if preset and not encoder:  # it has an encoder of its own, from the hub
        _allow(name, ensemble, context)
    written = f"{base}@{said_encoder(encoder, said)}" if encoder else base
    told = ensemble.about.get("measured", {}).get(name)
    if told is not None:
        then = read_as(Measured, told)
        here = open_judge(written, _only(then.metrics, context)).signature
        if here != then.signature:
            raise ConfigError(
                f"{ensemble.judge} was fitted on {name} as signed {then.signature}, and here it is"
                f" {here}: it measured with other options, another encoder or another version;"
                " let its `predict` read what was measured so, or fit it again"
            )
    needed = (one.question.removesuffix(MEAN) for one in ensemble.sources if one.judge == name)
    return open_judge(written, _only(needed, context))


def _allow(name: str, ensemble: Ensemble, context: JudgeContext) -> str:
    """The judge's name, where it may be asked."""
    return check_named(
        usual(name),
        "judge",
        source=f"{ensemble.judge} was fitted on the answers of",
        remedy="where you trust it, give --judge {} beside the ensemble",
        allow=context.judge_names,
    )


def _only(metrics: Iterable[str], context: JudgeContext) -> JudgeContext:
    """The context in which local metrics are opened for some of them."""
    return replace(context, options={"metrics_only": tuple(dict.fromkeys(metrics))})


ENSEMBLE = JudgeOffer(
    "what people would say of a continuation: ensemble@FOLDER (assize reference fit)", open_ensemble
)
