"""A jury: from stored votes to verdicts, or by asking one judge after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from assize.base.arguments import check_word, shown
from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE, Judgment
from assize.formats import Items, ItemsLike, JudgmentsLike, read_any, write, write_questions
from assize.formats.arguments import items_in, judgments_of, named
from assize.formats.items import pairs_by_id
from assize.judging.asking import DEFAULT, Asking, saved_rejects, session_of
from assize.judging.dry_run import estimate
from assize.judging.outcome import Estimates, ShownPrompt
from assize.judging.plan import Bar, Plan, asks_models, path_of
from assize.judging.run import JudgeWork
from assize.judging.run_folder import items_judged
from assize.judging.session import Session
from assize.judgments import JudgmentTable
from assize.juries.composition import Cascade, Jury
from assize.juries.decide import decide
from assize.juries.decide_live import decide_live
from assize.juries.jury_result import JuryResult
from assize.juries.listing import Listing, listed
from assize.juries.repeats import of_repeat
from assize.results.log import log

WHO = 'say who sits: Cascade("da > maxim"), Panel() or Reliability()'
VERDICTS = "verdicts.jsonl"
_ALL = "if every judge had to be asked about every pair"


@asks_models
def jury(
    judgments: JudgmentsLike,
    jury: Jury,
    *,
    items: ItemsLike | None = None,
    unscored: Literal["skip", "loss"] = "skip",
    repeat: int | None = None,
    question: str = "preference",
    gold: str = "gold",
    out: str | Path | None = None,
    votes: int = 2,
    seed: int = 0,
    quiet: bool = False,
    asking: Asking = DEFAULT,
) -> Plan[JuryResult]:
    """Decide pairs by a cascade of judges or a panel, from stored votes or live.

    Both votes of a judge must agree; a tie passes on to the next judge. Shows wins, ties and losses
    against gold, and which judge decided. Given pairs and a folder `out`, it asks the judges of the
    cascade now, each only about the pairs that those before it left open.

    Args:
        judgments: folders of runs, or files of judgments, or of pairs to ask judges about now.
        jury: who sits, and how they come to a verdict: `Cascade`, `Panel` or `Reliability`.
        items: files of the judged pairs, with their gold (repeatable). Default: those that the runs
            name.
        unscored: how to count an unscored verdict: skip it, or as a loss.
        repeat: use only this repeat of judges that were asked several times, counted from 0.
        question: question that the votes answer.
        gold: judge whose answers count as true.
        out: file to write the verdicts to, or the folder of the run if judges are asked now.
        votes: orders to show each pair in: 1, or 2 (each side first once).
        seed: random seed.
        quiet: no progress and no notes.
        asking: how models are asked, of a live jury; see `Asking`.

    Raises:
        ConfigError: the composition cannot be, a judge is not there, or an argument does not
            go with what is given.
        DataError: a record is bad, or there is nothing to decide.
        Interrupted: asking was interrupted; what was answered is in `out`.
    """
    check_word("unscored", unscored, ("skip", "loss"))
    if not isinstance(jury, Jury):
        raise ConfigError(f"jury: received {shown(jury)}; {WHO}")
    sitting = replace(jury, unscored=unscored, seed=seed)

    def prepare(folder: Path, dry: bool) -> LiveJury | StoredJury:
        source = read_any(judgments, "judgments")
        if isinstance(source, Items):
            if out is None and not dry:
                for _ in source:
                    continue  # what is neither a judgment nor an item is refused before all else
                problem = "these hold no judgments; to ask the judges now, name the folder out"
                raise ConfigError(problem)
            _refuse_stored_only(items, gold, repeat)
            if not isinstance(sitting, Cascade):
                raise ConfigError(
                    "these hold no judgments; judges are asked in turn by a cascade, a panel"
                    " decides from stored ones (assize judge makes them)"
                )
            judges = [_full(name, sitting.model) for name in sitting.names]
            session = session_of(source, judges, folder, asking, votes=votes, seed=seed, dry=dry)
            return LiveJury(session, sitting, question)
        _refuse_live_only(votes=votes, **asking.changed)
        table = judgments_of(source)
        pairs = _pairs(judgments, items)
        if repeat is not None:
            table = of_repeat(table, repeat, gold=gold)
        return StoredJury(table, sitting, pairs, question, gold, out)

    return Plan(prepare, path_of(out), quiet)


@dataclass(frozen=True, slots=True)
class StoredJury:
    """Decides from judgments that there are; asks nothing."""

    table: JudgmentTable
    jury: Jury
    pairs: Mapping[str, Pair] | None
    question: str
    gold: str
    out: str | Path | None

    async def run(self, bar: Bar) -> JuryResult:
        """Return the verdicts, and write them to `out`."""
        result = decide(
            self.table,
            self.jury,
            pairs=self.pairs,
            question=self.question,
            gold=self.gold,
        )
        if self.out is not None:
            _write(result, self.out)
        return result

    async def estimate(self) -> Estimates:
        """Refuse: there is nothing to ask.

        Raises:
            ConfigError: always.
        """
        raise ConfigError("dry_run is for asking judges now; these hold judgments: leave it out")

    async def first_prompt(self, question: str | None) -> ShownPrompt:
        """Refuse: there is nothing to ask.

        Raises:
            ConfigError: always.
        """
        raise ConfigError("there is no prompt to show: these hold judgments, and nobody is asked")


@dataclass(frozen=True, slots=True)
class LiveJury:
    """Asks the judges of a cascade in turn, each about what those before it left open."""

    session: Session
    jury: Cascade
    question: str

    async def run(self, bar: Bar) -> JuryResult:
        """Ask, with a bar; bad records go to `rejects.jsonl` in the folder, verdicts beside it."""
        with saved_rejects(self.session), bar("asking", None) as advance:

            def on_rows(rows: Sequence[Judgment]) -> None:
                advance()

            result = await decide_live(
                self.session,
                self.jury,
                question=self.question,
                on_rows=on_rows,
                note=log.info,
            )
        _write(result, self.session.out / VERDICTS)
        return result

    async def estimate(self) -> Estimates:
        """Return what asking every judge about every pair would take."""
        return replace(await estimate(self.session), at_most=_ALL)

    async def first_prompt(self, question: str | None) -> ShownPrompt:
        """Return the messages with which the first judge would ask about the first pair."""
        return await JudgeWork(self.session).first_prompt(question)


def list_path(plan: Plan[JuryResult], path: str) -> Listing:
    """Return the items that took one path through a jury, such as tie-loss, with every vote.

    Args:
        path: one of the jury's `outcome.paths`.

    Raises:
        ConfigError: no item took it; names those that were taken.
    """
    result = plan.run()
    return Listing(result, list(listed(result, path)))


def _refuse_stored_only(items: ItemsLike | None, gold: str, repeat: int | None) -> None:
    """Refuse arguments that are for stored judgments, where judges are asked now."""
    if gold != "gold":
        raise ConfigError("a live jury reads gold from its pairs; leave gold out", "gold")
    if items is not None:
        raise ConfigError("a live jury reads its pairs from the files; leave items out", "items")
    if repeat is not None:
        raise ConfigError(
            "repeat is for stored judgments; a live jury asks once, leave it out", "repeat"
        )


def _refuse_live_only(*, votes: int, **asking: Any) -> None:
    """Refuse arguments that are for asking judges, where stored judgments are given."""
    names = [*(["votes"] if votes != 2 else []), *asking]
    if names:
        raise ConfigError(
            f"{names[0]}: this is for asking judges now, and these hold judgments; leave it out"
        )


def _pairs(judgments: Any, items: ItemsLike | None) -> dict[str, Pair] | None:
    """The pairs that were judged, else those that stand among the judgments, or that a run
    names; None for none."""
    if items is None:
        return pairs_by_id(items_judged(judgments, None), named(judgments)) or None
    found = pairs_by_id(items_in(items), named(items))
    if not found:
        raise DataError("there is no pair in these files", source=named(items))
    return found


def _full(name: str, model: str | None) -> str:
    """The judge as `name@target`; an evaluator without one is the shipped one."""
    if "@" in name:
        return name
    if name == "evaluator":
        return "evaluator@default"
    if name == "reward":
        raise ConfigError("name the reward model too, as in reward@hf:PATH or reward@evaluator")
    if model is None:
        raise ConfigError(
            f"{name} needs a model: write {name}@openai:gpt-4o, or give model", "model"
        )
    return f"{name}@{model}"


def _write(result: JuryResult, out: str | Path) -> None:
    write(out, result.judgments())
    if str(out) != "-":
        write_questions(out, [replace(PREFERENCE, id=one) for one in result.questions])
        log.info("%s: one verdict an item, with every vote", out)
