"""How models are asked: what every function takes that asks them, and every such command."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypedDict

from assize.conversation import Item
from assize.errors import ConfigError
from assize.formats import Items, ItemsLike, read
from assize.judging.judge import Judge, JudgeSettings, Prepared
from assize.judging.run import RunSettings
from assize.judging.session import Session
from assize.models import Limits, ModelSettings
from assize.results import Result
from assize.workflows.allowed import check_range

log = logging.getLogger("assize")

_TEMPORARY = "assize-in-memory-"  # how the folder of a run begins that is gone afterwards

Judges = str | Judge | Prepared | Sequence[str | Judge | Prepared]
"""One judge or several: as written, or made by `assize.judge_function`."""


class Asking(TypedDict, total=False):
    """How models are asked, at what pace, and for how much.

    Args:
        base_url: an OpenAI-compatible endpoint, ending in /v1.
        concurrency: calls in flight a model.
        timeout: seconds for one call.
        requests_per_minute: most requests a minute, a model.
        tokens_per_minute: most tokens a minute, a model.
        temperature: of the models, from 0 to 2.
        max_cost: US dollars that the run may cost.
        prices: a TOML file of prices over the shipped ones.
        retry: ask again what was refused, too long or not readable.
        truncate: what to leave out of too long items, oldest.
        prompts: a folder of prompts that replace shipped ones.
        record: also write answers to a file for replay:FILE.
        batch: ask through batches, submitted now and collected when run again.
        no_cache: ask anew, store no answers.
    """

    base_url: str | None
    concurrency: int
    timeout: float
    requests_per_minute: float | None
    tokens_per_minute: float | None
    temperature: float
    max_cost: float | None
    prices: str | Path | None
    retry: bool
    truncate: Literal["oldest"] | None
    prompts: str | Path | None
    record: str | Path | None
    batch: bool
    no_cache: bool


USUAL = Asking(
    base_url=None,
    concurrency=20,
    timeout=120.0,
    requests_per_minute=None,
    tokens_per_minute=None,
    temperature=0.0,
    max_cost=None,
    prices=None,
    retry=False,
    truncate=None,
    prompts=None,
    record=None,
    batch=False,
    no_cache=False,
)
"""What each is when it is not given."""


class Judging(Asking, total=False):
    """The arguments of `assize.judge`, which say what each means."""

    out: str | Path | None
    votes: int
    repeats: int
    samples: int
    seed: int
    quiet: bool
    options: Mapping[str, Any] | None


def session_of(
    items: ItemsLike, judges: Judges, out: Path, given: Judging, *, dry: bool = False
) -> Session:
    """The session that these arguments describe; see `assize.judge`.

    Args:
        dry: no model is called.

    Raises:
        ConfigError: an argument is not allowed.
        TypeError: there is no such argument.
    """
    unknown = [name for name in given if name not in Judging.__annotations__]
    if unknown:
        known = ", ".join(Judging.__annotations__)
        raise TypeError(f"no argument {unknown[0]!r}; there are {known}")
    how: Any = {**USUAL, **given}
    if how["batch"] and how["no_cache"]:
        raise ConfigError("batch needs the cache: leave no_cache out")
    if how["truncate"] not in (None, "oldest"):
        raise ConfigError(f"truncate is {how['truncate']!r}; the one choice is oldest")
    samples = how.get("samples", 1)
    check_range("concurrency", how["concurrency"], 1)
    check_range("timeout", how["timeout"], 0.1)
    check_range("temperature", how["temperature"], 0, 2)
    check_range("max_cost", how["max_cost"], 0)
    check_range("samples", samples, 1)
    seed, paced = how.get("seed", 0), how["concurrency"]
    held = in_session(read(items))
    return Session(
        held,
        list(judges) if isinstance(judges, Sequence) and not isinstance(judges, str) else [judges],
        out,
        RunSettings(
            how.get("votes", 2),
            how.get("repeats", 1),
            seed,
            paced,
            held.options.on_error,
            how["retry"],
        ),
        JudgeSettings(
            temperature=how["temperature"],
            seed=seed,
            samples=samples,
            truncate=how["truncate"],
            prompts=_folder(how["prompts"]),
        ),
        ModelSettings(
            base_url=how["base_url"],
            timeout=how["timeout"],
            limits=Limits(paced, how["requests_per_minute"], how["tokens_per_minute"]),
            max_cost=how["max_cost"],
            prices=_path(how["prices"]),
            use_cache=not how["no_cache"],
            record=_path(how["record"]),
            batch=out / "batches" if how["batch"] else None,
            dry=dry,
        ),
        dict(how.get("options") or {}),
    )


def items_of(session: Session, *, dry: bool = False) -> list[Item]:
    """The session's items; bad records go to `rejects.jsonl` in its folder, where that is allowed.

    Args:
        dry: nothing is written.
    """
    if dry:
        return list(session.items)
    with saved_rejects(session):
        return list(session.items)


@contextmanager
def saved_rejects(session: Session) -> Iterator[None]:
    """Keep the bad records of a session in its folder, unless that is gone afterwards."""
    if session.out.parent.name.startswith(_TEMPORARY):
        yield
        return
    with session.items.rejects.saved_to(session.out / "rejects.jsonl"):
        yield


def in_session(items: Items) -> Items:
    """Files as they are, and all else as a list of items: a session reads them more than once."""
    if not items.in_memory:
        return items
    held = Items(list(items), items.options, items.name)
    held.rejects = items.rejects
    return held


def _folder(given: str | Path | None) -> Path | None:
    """The folder of prompts; without it the shipped ones would be asked without a word."""
    folder = _path(given)
    if folder is not None and not folder.is_dir():
        raise ConfigError(f"prompts: there is no folder {folder}; give one with the prompts in it")
    return folder


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


@contextmanager
def folder_for(out: str | Path | None) -> Iterator[Path]:
    """The run's folder, where one is named; else one that is gone afterwards."""
    if out is not None:
        yield Path(out)
        return
    with TemporaryDirectory(prefix=_TEMPORARY) as folder:
        yield Path(folder) / "run"


def check_finished(result: Result) -> None:
    """Warn where a run is not at its end.

    Raises:
        KeyboardInterrupt: it was interrupted.
    """
    for note in result.unfinished:
        log.warning(note)
    if result.interrupted:
        raise KeyboardInterrupt
