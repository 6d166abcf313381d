"""The live half of `assize jury`: from its options to a session that asks judges in turn."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assize.cli.judge import make_session, spent, tell_estimate
from assize.cli.model_options import ModelOptions
from assize.cli.terminal import note
from assize.running.progress import progress

if TYPE_CHECKING:
    from assize.conversation import Pair
    from assize.judging.session import Session
    from assize.judgment import Judgment
    from assize.juries import Composition, JuryResult
    from assize.juries.decide_live import Heard

# Options that mean nothing where votes are stored, with what they are when not given.
_ONLY_LIVE = {"votes": 2, **asdict(ModelOptions())}
# Options of `assize judge` that a jury does not have.
_UNASKED = {
    "injections": False, "repeats": 1, "samples": 1, "show_prompt": None,
}  # fmt: skip
_ALL = "if every judge had to be asked about every pair"
_LOOKED_AT = 200  # records of a file, to know whether it holds judgments
VERDICTS = "verdicts.jsonl"


@dataclass(frozen=True, slots=True)
class Told:
    """A live jury's verdicts with what the command line shows of how they came about."""

    result: JuryResult
    pairs: dict[str, Pair]
    more: dict[str, Any]
    verdicts: Path


def holds_no_judgment(files: Sequence[str], format: str | None) -> bool:
    """Whether the files begin with items alone, so that judges are to be asked."""
    from itertools import islice

    from assize.formats import read
    from assize.judgment import Judgment

    for file in files:
        if file == "-" or Path(file).is_dir():
            return False
        records = read(file, format=format, on_reject=lambda _: None)
        if any(isinstance(record, Judgment) for record in islice(records, _LOOKED_AT)):
            return False
    return True


def only_live(given: Mapping[str, Any]) -> None:
    """Refuses options that are for asking judges, where stored judgments were given.

    Raises:
        ConfigError: names the first of them.
    """
    from assize.errors import ConfigError

    for name, usual in _ONLY_LIVE.items():
        if given[name] != usual:
            option = f"--{name.replace('_', '-')}"
            raise ConfigError(
                f"{option} is for asking judges now, and these files hold judgments; leave it out"
            )


def decide_live(given: Mapping[str, Any], composition: Composition) -> Told | None:
    """Asks the judges; None after a dry run."""
    session = _session(given, composition)
    if given["dry_run"]:
        tell_estimate(session, as_json=given["json"], at_most=_ALL)
        return None
    heard = _run(session, composition, given["question"], quiet=given["quiet"])
    if not given["quiet"]:
        _tell(heard, session)
    return Told(heard.result, dict(heard.pairs), _more(heard, session), session.out / VERDICTS)


def _session(given: Mapping[str, Any], composition: Composition) -> Session:
    from assize.errors import ConfigError

    if not composition.cascade:
        raise ConfigError(
            "these files hold no judgments; judges are asked in turn by a --cascade, a panel"
            " decides from stored ones (assize judge makes them)"
        )
    if given["gold"] != "gold":
        raise ConfigError("a live jury reads gold from its pairs; leave --gold out")
    if given["items"]:
        raise ConfigError("a live jury reads its pairs from the files; leave --items out")
    if given["out"] is None and not given["dry_run"]:
        raise ConfigError("these files hold no judgments; to ask the judges now, name --out RUN")
    asked = {
        "files": given["judgments"],
        "judges": [_full(name, given["model"]) for name in composition.cascade],
        "out": None if given["out"] is None else Path(given["out"]),
    }
    return make_session({**given, **_UNASKED, **asked})


def _full(name: str, model: str | None) -> str:
    """The judge as `name@target`; an evaluator without one is the shipped one."""
    from assize.errors import ConfigError

    if "@" in name:
        return name
    if name == "evaluator":
        return "evaluator@default"
    if name == "reward":
        raise ConfigError("name the reward model too, as in reward@hf:PATH or reward@evaluator")
    if model is None:
        raise ConfigError(f"{name} needs a model: write {name}@openai:gpt-4o, or give --model")
    return f"{name}@{model}"


def _run(session: Session, composition: Composition, question: str, *, quiet: bool) -> Heard:
    from assize.formats.rejects import Rejects
    from assize.formats.rejects import on_error as chosen
    from assize.juries.decide_live import decide_live as heard

    say = (lambda _: None) if quiet else note
    with (
        Rejects(session.out / "rejects.jsonl") as rejects,
        progress("asking", None, quiet=quiet) as advance,
    ):

        def on_rows(rows: Sequence[Judgment]) -> None:
            advance()

        found = asyncio.run(
            heard(
                session,
                composition,
                question=question,
                on_rows=on_rows,
                on_reject=chosen(session.run.on_error, rejects),
                note=say,
            )
        )
    if rejects.count:
        note(f"{rejects.count} bad records left out, kept in {rejects.location}")
    return found


def _tell(heard: Heard, session: Session) -> None:
    summary = heard.summary
    if heard.interrupted:
        note("interrupted; what was answered is kept, and the same command continues")
    if heard.waiting:
        note(f"{heard.waiting} answers wait for a batch; run the same command later")
    asked = ", ".join(f"{name} about {count:,}" for name, count in heard.asked.items())
    note(f"asked {asked}: {spent(summary)}")


def _more(heard: Heard, session: Session) -> dict[str, Any]:
    """What `--json` tells beside the verdicts."""
    summary = heard.summary
    return {
        "asked": dict(heard.asked),
        "calls": summary.calls,
        "cached": summary.cached,
        "cost_usd": None if summary.unpriced else round(summary.cost_usd, 6),
        "interrupted": heard.interrupted,
        "waiting": heard.waiting,
        "out": str(session.out),
    }
