"""The options of every command that asks models: how, at what pace, and for how much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer


@dataclass(frozen=True)
class ModelOptions:
    """A flag a field, with what it is when it is not given."""

    base_url: Annotated[
        str | None, typer.Option("--base-url", help="An OpenAI-compatible endpoint, ending in /v1.")
    ] = None
    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, help="Calls in flight a model.")
    ] = 20
    timeout: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds for one call.")] = (
        120.0
    )
    requests_per_minute: Annotated[
        float | None, typer.Option("--requests-per-minute", help="Most requests a minute, a model.")
    ] = None
    tokens_per_minute: Annotated[
        float | None, typer.Option("--tokens-per-minute", help="Most tokens a minute, a model.")
    ] = None
    temperature: Annotated[float, typer.Option("--temperature", min=0.0, max=2.0)] = 0.0
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", min=0.0, help="US dollars that the run may cost.")
    ] = None
    prices: Annotated[
        Path | None, typer.Option("--prices", help="A TOML file of prices over the shipped ones.")
    ] = None
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what it would take and cost.")
    ] = False
    retry: Annotated[
        bool, typer.Option("--retry", help="Ask again what was refused, too long or not readable.")
    ] = False
    truncate: Annotated[
        str | None, typer.Option("--truncate", help="What to leave out of too long items: oldest.")
    ] = None
    prompts: Annotated[
        Path | None,
        typer.Option("--prompts", help="A folder of prompts that replace shipped ones."),
    ] = None
    record: Annotated[
        Path | None, typer.Option("--record", help="Also write answers to a file for replay:FILE.")
    ] = None
    batch: Annotated[
        bool,
        typer.Option("--batch", help="Ask through batches: submits, and collects when run again."),
    ] = False
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Ask anew, store no answers.")] = (
        False
    )


def takes_model_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with a flag for each field of `ModelOptions`, in the place of its keyword
    `asking`, in which it finds them by name."""
    hints = get_type_hints(ModelOptions, include_extras=True)
    flags = [
        Parameter(one.name, Parameter.KEYWORD_ONLY, annotation=hints[one.name], default=one.default)
        for one in fields(ModelOptions)
    ]

    @wraps(command)
    def run(**given: Any) -> None:
        asking = {flag.name: given.pop(flag.name) for flag in flags}
        command(**given, asking=asking)

    own = signature(command, eval_str=True)
    shown: list[Parameter] = []
    for one in own.parameters.values():
        shown += flags if one.name == "asking" else [one]
    run.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]
    return run
