"""How models are asked, and the session of a run that asks them so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from assize.base.arguments import check_range, check_word
from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.base.invisible import INVISIBLE, Invisible
from assize.formats import Items, ItemsLike, read
from assize.judging.judge import Judge, JudgeSettings, Prepared
from assize.judging.session import RunSettings, Session
from assize.models import Limits, ModelSettings

_TEMPORARY = "assize-in-memory-"  # how the folder of a run begins that is gone afterwards

Judges = str | Judge | Prepared | Sequence[str | Judge | Prepared]
"""One judge or several: as written, or made by `assize.judge_function`."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How models are asked, at what pace, and for how much.

    The endpoint, the temperature, what is left out and the prompts could change an answer, so a
    run is continued with the same ones; all else may be changed when it is continued. Which ones
    these are is marked where the values end up (`ChangesNumbers`).

    Args:
        base_url: address of an OpenAI-compatible endpoint, ending in /v1.
        concurrency: maximum calls at once per model.
        timeout: seconds to wait for one call.
        requests_per_minute: maximum requests per minute and model.
        tokens_per_minute: maximum tokens per minute and model.
        temperature: temperature of the models, from 0 to 2.
        max_cost: maximum cost of the run in US dollars.
        prices: TOML file of prices that replace the shipped ones.
        retry: ask again where an answer was refused, too long or not readable.
        truncate: what to leave out of items that are too long: oldest (the oldest turns).
        invisible: what to do with invisible characters (tags, zero-width, ESC): escape, remove or
            keep.
        prompts: folder of prompts that replace the shipped ones.
        record: also write the answers to this file, to use them again as replay:FILE.
        batch: use the provider's batch service: submit now, collect when the command is run again.
        no_cache: ask again even if answers are stored, and store none.

    Raises:
        ConfigError: a value is not allowed, or two do not go together.
    """

    base_url: str | None = None
    concurrency: int = 20
    timeout: float = 120.0
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    temperature: float = 0.0
    max_cost: float | None = None
    prices: str | Path | None = None
    retry: bool = False
    truncate: Literal["oldest"] | None = None
    invisible: Invisible = "escape"
    prompts: str | Path | None = None
    record: str | Path | None = None
    batch: bool = False
    no_cache: bool = False

    def __post_init__(self) -> None:
        if self.batch and self.no_cache:
            raise ConfigError("batch needs the cache: leave no_cache out", "batch")
        if self.truncate not in (None, "oldest"):
            raise ConfigError(
                f"truncate is {self.truncate!r}; the one choice is oldest", "truncate"
            )
        check_word("invisible", self.invisible, INVISIBLE)
        check_range("concurrency", self.concurrency, 1)
        check_range("timeout", self.timeout, 0.1)
        check_range("temperature", self.temperature, 0, 2)
        check_range("max_cost", self.max_cost, 0)

    @property
    def changed(self) -> dict[str, Any]:
        """The settings that are not as usual, by name."""
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        usual = {part.name: part.default for part in fields(self)}
        return {name: value for name, value in values.items() if value != usual[name]}

    def judge_settings(self, seed: int = 0, samples: int = 1) -> JudgeSettings:
        """Return what is asked of every judge."""
        return JudgeSettings(
            temperature=self.temperature,
            seed=seed,
            samples=samples,
            truncate=self.truncate,
            invisible=self.invisible,
            prompts=_folder(self.prompts),
        )

    def model_settings(self, out: Path, *, dry: bool = False) -> ModelSettings:
        """Return how models are reached, for a run in this folder."""
        return ModelSettings(
            base_url=self.base_url,
            timeout=self.timeout,
            limits=Limits(self.concurrency, self.requests_per_minute, self.tokens_per_minute),
            max_cost=self.max_cost,
            prices=_path(self.prices),
            use_cache=not self.no_cache,
            record=_path(self.record),
            batch=out / "batches" if self.batch else None,
            dry=dry,
        )


DEFAULT = Asking()


def session_of(
    items: ItemsLike,
    judges: Judges,
    out: Path,
    asking: Asking = DEFAULT,
    *,
    votes: int = 2,
    repeats: int = 1,
    samples: int = 1,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    dry: bool = False,
) -> Session:
    """Return the session that these arguments describe; see `assize.judge`.

    Args:
        dry: no model is called.

    Raises:
        ConfigError: an argument is not allowed.
    """
    if not isinstance(asking, Asking):
        raise ConfigError(f"asking is {asking!r:.80}; give assize.Asking(...)")
    check_range("samples", samples, 1)
    kept = in_session(read(items))
    several = isinstance(judges, Sequence) and not isinstance(judges, str)
    return Session(
        kept,
        list(judges) if several else [judges],  # type: ignore[arg-type,list-item]
        out,
        RunSettings(votes, repeats, seed, asking.concurrency, kept.options.on_error, asking.retry),
        asking.judge_settings(seed, samples),
        asking.model_settings(out, dry=dry),
        dict(options or {}),
    )


def items_of(session: Session, *, dry: bool = False) -> list[Item]:
    """Return the session's items; bad records go to `rejects.jsonl` in its folder.

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
    """Return files as they are, and all else as a list: a session reads items more than once."""
    if not items.in_memory:
        return items
    listed = Items(list(items), items.options, items.name)
    listed.rejects = items.rejects
    return listed


@contextmanager
def folder_for(out: Path | None) -> Iterator[Path]:
    """Yield the run's folder, where one is named; else one that is gone afterwards."""
    if out is not None:
        yield out
        return
    with TemporaryDirectory(prefix=_TEMPORARY) as folder:
        yield Path(folder) / "run"


def _folder(prompts: str | Path | None) -> Path | None:
    """The folder of prompts; without it the shipped ones would be asked without a word."""
    folder = _path(prompts)
    if folder is not None and not folder.is_dir():
        raise ConfigError(f"prompts: there is no folder {folder}; give one with the prompts in it")
    return folder


def _path(path: str | Path | None) -> Path | None:
    return None if path is None else Path(path)
