"""A jury: from stored votes to verdicts, or by asking one judge after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Unpack

from assize.arguments import refuse_unknown
from assize.conversation import Pair
from assize.dialogue_acts.annotations import acts_in
from assize.dialogue_acts.taxonomy import load_taxonomy
from assize.errors import ConfigError, DataError
from assize.formats import Items, ItemsLike, JudgmentsLike, read_any, write, write_questions
from assize.formats.items import pairs_by_id
from assize.judging import session as sessions
from assize.judging.outcome import Estimates
from assize.judging.session import Session
from assize.judgment import PREFERENCE, Judgment
from assize.juries import Composition, JuryResult, decide
from assize.juries.decide_live import decide_live
from assize.juries.listing import Listing, listed
from assize.juries.names import parse_cascade, parse_panel
from assize.juries.repeats import of_repeat
from assize.running import run_sync
from assize.running.progress import progress
from assize.workflows.allowed import check_word
from assize.workflows.asking import USUAL, Asking, Judging, saved_rejects, session_of
from assize.workflows.reading import (
    items_in,
    judgments_of,
    log,
    named,
    names_of,
)
from assize.workflows.run_folder import items_judged

VERDICTS = "verdicts.jsonl"
_ALL = "if every judge had to be asked about every pair"


@refuse_unknown
def jury(
    judgments: JudgmentsLike,
    *,
    items: ItemsLike | None = None,
    cascade: str | None = None,
    panel: str | None = None,
    reliability: bool = False,
    exchangeable: bool = False,
    tied: bool = False,
    anchor: str | Sequence[str] = (),
    model: str | None = None,
    unscored: Literal["skip", "loss"] = "skip",
    repeat: int | None = None,
    question: str = "preference",
    gold: str = "gold",
    out: str | Path | None = None,
    votes: int = 2,
    seed: int = 0,
    quiet: bool = False,
    **asking: Unpack[Asking],
) -> JuryResult:
    """Decides pairs by a cascade of judges, or a panel, from stored votes or live.

    Both votes of a judge must agree; a tie passes on to the next judge.
    Gives win, tie and loss against gold, and where each decision fell.
    Given pairs and a folder `out`, it asks the judges of the cascade now,
    each only about what those before it left open.

    Args:
        judgments: folders of runs, or files of judgments, or of pairs, to ask judges now.
        items: the pairs that were judged, with their gold, unless a run names them (repeatable).
        cascade: a tie passes on to the next, first asked first.
        panel: all are heard, by majority or by weight, or `all`.
        reliability: weigh a panel by what its votes tell of each judge; of several questions,
            as of the judge `dimensions`, learn each.
        exchangeable: for `reliability`, which side is called A is chance.
        tied: for `reliability`, a judge is as often right where A is better as where B is.
        anchor: for `reliability`, a judge to trust, or the judge `gold`, whose labels then
            enter the fit (repeatable).
        model: the model behind judges that are named without one; of stored votes, enough of its
            name to tell.
        unscored: what an unscored verdict is, left apart or a loss.
        repeat: of judges that were asked several times, only this one, counted from 0.
        question: the question that votes answer.
        gold: the judge whose answers are gold.
        out: write the verdicts here, which of a live jury is the folder of the run.
        votes: orders in which each pair is shown, 1 or 2.
        seed: seed of every random choice.
        quiet: no progress and no notes.
        asking: how models are asked, of a live jury; see `Asking`.

    Raises:
        ConfigError: the composition cannot be, a judge is not there, or an argument does not
            go with what is given.
        DataError: a record is bad, or there is nothing to decide.
    """
    return run_sync(
        lambda: jury_async(
            judgments,
            items=items,
            cascade=cascade,
            panel=panel,
            reliability=reliability,
            exchangeable=exchangeable,
            tied=tied,
            anchor=anchor,
            model=model,
            unscored=unscored,
            repeat=repeat,
            question=question,
            gold=gold,
            out=out,
            votes=votes,
            seed=seed,
            quiet=quiet,
            **asking,
        )
    )


class Deciding(Asking, total=False):
    """The arguments of `assize.jury`, which say what each means."""

    items: ItemsLike | None
    cascade: str | None
    panel: str | None
    reliability: bool
    exchangeable: bool
    tied: bool
    anchor: str | Sequence[str]
    model: str | None
    unscored: Literal["skip", "loss"]
    repeat: int | None
    question: str
    gold: str
    out: str | Path | None
    votes: int
    seed: int
    quiet: bool


@refuse_unknown
async def jury_async(judgments: JudgmentsLike, **given: Unpack[Deciding]) -> JuryResult:
    """`jury`, to be awaited."""
    composition = _composition(given)
    out = given.get("out")
    question = given.get("question", "preference")
    found = read_any(judgments, "judgments")
    if isinstance(found, Items):
        if out is None:
            for _ in found:
                continue  # what is neither a judgment nor an item is said before anything else
            raise ConfigError("these hold no judgments; to ask the judges now, name the folder out")
        session = _session(found, composition, Path(out), given)
        result = await _heard(session, composition, question, given.get("quiet", False))
        _write(result, Path(out) / VERDICTS)
        return result
    _only_live(given)
    table = judgments_of(found)
    pairs = _pairs(judgments, given.get("items"))
    gold, repeat = given.get("gold", "gold"), given.get("repeat")
    if repeat is not None:
        table = of_repeat(table, repeat, gold=gold)
    result = decide(table, composition, pairs=pairs, question=question, gold=gold)
    if out is not None:
        _write(result, out)
    return result


def estimate_jury(judgments: ItemsLike, **given: Unpack[Deciding]) -> Estimates:
    """What a live jury would take and cost at most, nothing being asked or written."""
    composition = _composition(given)
    found = read_any(judgments, "judgments")
    if not isinstance(found, Items):
        raise ConfigError("dry_run is for asking judges now; these hold judgments: leave it out")
    session = _session(found, composition, Path(given.get("out") or "-"), given, dry=True)
    return replace(run_sync(lambda: sessions.estimate(session)), at_most=_ALL)


def list_path(judgments: JudgmentsLike, path: str, **given: Unpack[Deciding]) -> Listing:
    """The items that took one path through a jury, such as tie-loss, with every vote.

    Args:
        path: one of the jury's `outcome.paths`.
        given: as `jury`.

    Raises:
        ConfigError: no item took it; names those that were taken.
    """
    result = run_sync(lambda: jury_async(judgments, **given))
    return Listing(result, list(listed(result, path, _acts)))


def _composition(given: Deciding) -> Composition:
    cascade, panel = given.get("cascade"), given.get("panel")
    reliability = given.get("reliability", False)
    check_word("unscored", given.get("unscored"), ("skip", "loss"))
    if cascade is None and panel is None and not reliability:
        raise ConfigError('say who sits: cascade "da > maxim", panel "all", or reliability')
    return Composition(
        () if cascade is None else parse_cascade(cascade),
        {} if panel in (None, "all") else parse_panel(str(panel)),
        reliability,
        given.get("exchangeable", False),
        given.get("tied", False),
        tuple(names_of(given.get("anchor", ())) or ()),
        given.get("model"),
        given.get("unscored", "skip"),
        given.get("seed", 0),
    )


def _only_live(given: Deciding) -> None:
    """Refuses arguments that are for asking judges, where stored judgments were given."""
    for name, usual in {"votes": 2, **USUAL}.items():
        if given.get(name, usual) != usual:
            raise ConfigError(
                f"{name} is for asking judges now, and these hold judgments; leave it out"
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


def _session(
    pairs: Any, composition: Composition, out: Path, given: Deciding, *, dry: bool = False
) -> Session:
    """The session whose judges are the cascade's."""
    if not composition.cascade:
        raise ConfigError(
            "these hold no judgments; judges are asked in turn by a cascade, a panel"
            " decides from stored ones (assize judge makes them)"
        )
    if given.get("gold", "gold") != "gold":
        raise ConfigError("a live jury reads gold from its pairs; leave gold out")
    if given.get("items") is not None:
        raise ConfigError("a live jury reads its pairs from the files; leave items out")
    if given.get("repeat") is not None:
        raise ConfigError("repeat is for stored judgments; a live jury asks once, leave it out")
    judges = [_full(name, composition.model) for name in composition.cascade]
    judging: Any = {name: one for name, one in given.items() if name in Judging.__annotations__}
    return session_of(pairs, judges, out, judging, dry=dry)


def _full(name: str, model: str | None) -> str:
    """The judge as `name@target`; an evaluator without one is the shipped one."""
    if "@" in name:
        return name
    if name == "evaluator":
        return "evaluator@default"
    if name == "reward":
        raise ConfigError("name the reward model too, as in reward@hf:PATH or reward@evaluator")
    if model is None:
        raise ConfigError(f"{name} needs a model: write {name}@openai:gpt-4o, or give model")
    return f"{name}@{model}"


async def _heard(
    session: Session, composition: Composition, question: str, quiet: bool
) -> JuryResult:
    """Asks, with a bar; bad records go to `rejects.jsonl` in the folder."""
    with (
        saved_rejects(session),
        progress("asking", None, quiet=quiet) as advance,
    ):

        def on_rows(rows: Sequence[Judgment]) -> None:
            advance()

        return await decide_live(
            session, composition, question=question, on_rows=on_rows, note=log.info
        )


def _write(result: JuryResult, out: str | Path) -> None:
    write(out, result.judgments())
    if str(out) != "-":
        write_questions(out, [replace(PREFERENCE, id=one) for one in result.questions])
        log.info("%s: one verdict an item, with every vote", out)


def _acts(row: Judgment, pair: Pair | None) -> Mapping[str, Any] | None:
    """The dialogue acts of a vote, recorded outputs read turn by turn; None where it has none."""
    if pair is None or not row.judge.startswith(("da", "acts")):
        return None
    found = acts_in(row.details, pair, row.order, load_taxonomy())
    if found is None:
        return None
    sides = {"context": found.context, "a": found.a, "b": found.b}
    return {
        side: [[[act.dimension, act.function] for act in turn] for turn in turns]
        for side, turns in sides.items()
    }
