"""A live cascade: the next judge is asked only about what the judges before it left open.

    judge 1 on all pairs ──► ties and unscored ──► judge 2 on those ──► ... ──► verdicts

Each stage is a run as `assize judge` makes one, into one folder: interrupted, it goes on, and
what is stored is never asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.base.conversation import Item, Pair
from assize.base.errors import ConfigError, DataError
from assize.formats import Reject
from assize.formats.files import is_read_once, is_url
from assize.judging.judge import Judge, identical, sees_order
from assize.judging.records import Answer, judgment_records
from assize.judging.run import JudgeRun, Rows
from assize.judging.run_folder import stored_judgments
from assize.judging.session import Note, OpenRun, Session, open_run
from assize.judging.summary import Summary
from assize.judging.table import open_session_judges
from assize.juries.composition import Cascade
from assize.juries.decide import decide
from assize.juries.decisions import Decisions, collect_decisions
from assize.juries.jury_result import JuryResult, Live
from assize.juries.rules import cascade
from assize.models import Models

OnReject = Callable[[Reject], None]


async def decide_live(
    session: Session,
    jury: Cascade,
    *,
    question: str = "preference",
    on_rows: Rows = lambda _: None,
    note: Note = lambda _: None,
) -> JuryResult:
    """Asks a cascade of judges about pairs, each only where it is needed.

    Args:
        session: files of pairs, the judges in the order of the cascade, the run's folder.
        jury: names the same judges.

    Raises:
        ConfigError: a judge gives no preference between two responses; standard input or a pipe is
            named, which cannot be read once a judge; or see `judge_async`.
        DataError: a file holds something that is no pair.
    """
    if any(is_read_once(name) or is_url(name) for name in session.files):
        raise ConfigError("a live jury reads its files once a judge; save them to disk first")
    pairs = _pairs(session)
    models = Models(session.models, note=note)
    async with models:
        judges = open_session_judges(session, models)
        _check(judges, question)
        summary = Summary()
        records = judgment_records(
            judges,
            summary,
            retry=session.run.retry,
            jury=jury.written,
            asked="in turn",
        )
        full_names = replace(jury, judges=tuple(judge.name for judge in judges))
        stages = _Stages(session, judges, full_names, pairs, question)
        async with open_run(session, models, records, note=note) as opened:
            await stages.ask(opened, summary, on_rows)
            facts = await opened.settle(summary.spent)
    live = Live(session.out, summary, stages.asked())
    return replace(stages.sit(), live=live, interrupted=facts.interrupted, waiting=facts.waiting)


def _pairs(session: Session) -> dict[str, Pair]:
    """All pairs by id; they are held, for verdicts need their gold and their texts."""
    found: dict[str, Pair] = {}
    for item in session.items:
        if not isinstance(item, Pair):
            raise DataError(f"{item.id} is no pair; a jury decides between two responses")
        if item.id in found and session.run.on_error == "fail":
            problem = f"two items have the id {item.id!r}"
            raise DataError(f"{problem}; give each its own or pass --on-error skip")
        found.setdefault(item.id, item)
    if not found:
        raise DataError("there is no pair in these files", source=", ".join(session.files))
    return found


def _check(judges: Sequence[Judge], question: str) -> None:
    for judge in judges:
        if Pair not in judge.takes or question not in {one.id for one in judge.questions}:
            asked = ", ".join(one.id for one in judge.questions)
            raise ConfigError(
                f"{judge.name} does not answer {question!r} about pairs (it answers {asked})"
            )


@dataclass
class _Stages:
    """One judge after the other over what is still open."""

    session: Session
    judges: Sequence[Judge]
    jury: Cascade
    pairs: Mapping[str, Pair]
    question: str

    async def ask(self, opened: OpenRun[Answer], summary: Summary, on_rows: Rows) -> None:
        """All stages, as far as the run is not stopped."""
        settings = replace(self.session.run, on_error="fail")
        for at, judge in enumerate(self.judges):
            await JudgeRun([judge], opened, settings, summary, on_rows).run(self._open(at))
            if opened.run.stopping:
                break

    def _open(self, at: int) -> Iterator[Item]:
        """The pairs that the judges before this one have seen and not decided."""
        left = list(self.pairs) if at == 0 else self._left_by(self.judges[:at])
        return (self.pairs[item] for item in left if not identical(self.pairs[item]))

    def _left_by(self, before: Sequence[Judge]) -> list[str]:
        """What these judges have left open; not what still waits for an answer or money."""
        run = self.session.run
        wanted = [(run.votes if sees_order(one) else 1) * run.repeats for one in before]
        decisions = self._decisions([judge.name for judge in before], list(self.pairs))
        answered = (decisions.votes >= np.array(wanted)[:, None]) & (decisions.reasons != "budget")
        open_ones = answered.all(axis=0) & (np.abs(cascade(decisions).values) != 1)
        return [decisions.items[number] for number in np.flatnonzero(open_ones)]

    def _decisions(self, judges: list[str], items: Sequence[str] | None = None) -> Decisions:
        """What these judges have decided so far, on all items that anybody judged or on these."""
        found = collect_decisions(stored_judgments(self.session.out), self.question, members=judges)
        return found.select(judges, found.items if items is None else items)

    def sit(self) -> JuryResult:
        """The verdicts on what has been answered so far."""
        names = [judge.name for judge in self.judges]
        return decide(
            stored_judgments(self.session.out),
            self.jury,
            pairs=self.pairs,
            question=self.question,
            members=names,
        )

    def asked(self) -> dict[str, int]:
        """Items that each judge has answered, or failed to."""
        decisions = self._decisions([judge.name for judge in self.judges])
        counts = (decisions.votes > 0).sum(axis=1).tolist()
        return dict(zip(decisions.judges, counts, strict=True))
