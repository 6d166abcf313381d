"""A before/after study of a tuned model: `assize reference tuning`."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assize.base.arguments import check_range
from assize.base.conversation import Continuation, Conversation, Item
from assize.base.errors import ConfigError, DataError
from assize.base.signature import json_hash, sign
from assize.formats import ItemsLike, read, write
from assize.formats.arguments import source_of
from assize.judging.asking import DEFAULT, Asking
from assize.models.opening import Models, ModelSettings
from assize.reference._continuations.context import conversation_names
from assize.reference._continuations.cut import Cutting, cut_turns
from assize.reference._continuations.split import groups
from assize.reference._continuations.tuning.comparing import Tuned, changes, count_answers
from assize.reference._continuations.tuning.generating import Generating, generate, places
from assize.reference._metrics.measure import measure
from assize.running import run_sync
from assize.running.progress import Advance, progress

log = logging.getLogger("assize")
METRICS = ("cosine", "bertscore-f1", "rouge1-f1", "rougel-f1", "length-ratio")


def tuning(
    items: ItemsLike,
    *,
    base: str,
    tuned: str,
    tuned_on: ItemsLike | None = None,
    metrics: str | Sequence[str] = METRICS,
    encoder: str = "minilm",
    max_tokens: int = 256,
    permutations: int = 10_000,
    out: str | Path | None = None,
    seed: int = 0,
    quiet: bool = False,
    asking: Asking = DEFAULT,
) -> Tuned:
    """Compares a model before and after tuning, on turns that it was not tuned on.

    Both say the next turn in each place; each is held against what a person said there,
    and the change is tested paired, by conversation. Answers are kept in the cache of
    models' answers, so that the same command goes on after an interruption.

    Args:
        items: continuations or conversations that were held out. In Python also records.
        base: the model before, as hf:PATH or any other provider:name.
        tuned: the model after.
        tuned_on: what it was tuned on: what shares a conversation or a context with it is left
            out (repeatable).
        metrics: local metrics (repeatable), or paper.
        encoder: of cosine and BERTScore.
        max_tokens: longest answer.
        permutations: of each test.
        out: write what both said here, as continuations.
        seed: of the models and of the tests.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`.

    Raises:
        DataError: there is no place with a reference, or all was tuned on.
        ConfigError: a model, a metric or a number is none of those allowed.

    Source: UPHELD, section 3.5, appendix B.1 and figure 1, where a model tuned on other
    conversations is scored 40% higher by people. Differs: metrics in the place of people.
    """
    check_range("max_tokens", max_tokens, 1)
    check_range("permutations", permutations, 1)
    if base == tuned:
        raise ConfigError(
            f"base and tuned are both {base}; nothing can have changed", "base", "tuned"
        )
    slots, left_out = _held(items, tuned_on)
    how = Generating(max_tokens, asking.temperature, seed)
    settings = asking.model_settings(Path("-"))
    with progress("asking", 2 * len(slots), quiet=quiet) as advance:
        said = run_sync(lambda: _said(slots, (base, tuned), settings, how, advance))
    wanted = metrics if isinstance(metrics, str) else tuple(metrics)
    before, after = (measure(one, encoder=encoder, metrics=wanted) for one in said)
    names = conversation_names(slots)
    found = changes(
        before, after, names, permutations=permutations, rng=np.random.default_rng([seed, 7])
    )
    both = [one for pair in zip(*said, strict=True) for one in pair]
    if out is not None:
        write(out, both)
    texts = json_hash([(one.id, one.candidate, one.references) for one in both])
    signature = sign("tuning", 1, base, tuned, wanted, encoder, permutations, seed, texts)
    return Tuned(
        base,
        tuned,
        both,
        found,
        [count_answers(both, "base", base), count_answers(both, "tuned", tuned)],
        len(set(names)),
        left_out,
        None if out is None else str(out),
        signature,
    )


def _held(items: ItemsLike, tuned_on: ItemsLike | None) -> tuple[list[Continuation], int | None]:
    """The places to test, and how many were left out because they were tuned on.

    Raises:
        DataError: there is none.
    """
    slots = places(_continuations(list(read(items))))
    if not slots:
        raise DataError("no continuation has a context and a reference", source="items")
    if tuned_on is None:
        return slots, None
    known = list(source_of(tuned_on, "tuned_on"))
    together: list[Item] = [*known, *slots]
    of = groups(together, conversation_names(together))
    taught = set(of[: len(known)].tolist())
    kept = [
        one
        for one, group in zip(slots, of[len(known) :].tolist(), strict=True)
        if group not in taught
    ]
    if not kept:
        problem = "all of it shares a conversation or a context with what was tuned on"
        raise DataError(f"{problem}; split first (assize reference split)", source="items")
    return kept, len(slots) - len(kept)


def _continuations(items: Sequence[Item]) -> list[Continuation]:
    """The continuations, and those that the conversations are cut into."""
    chats = [one for one in items if isinstance(one, Conversation)]
    return [one for one in items if isinstance(one, Continuation)] + cut_turns(
        chats, Cutting()
    ).found


async def _said(
    slots: Sequence[Continuation],
    models: Sequence[str],
    settings: ModelSettings,
    how: Generating,
    advance: Advance,
) -> list[list[Continuation]]:
    """What each model says in every place."""
    found = []
    for name, source in zip(models, ("base", "tuned"), strict=True):
        # One after the other, so that two local models need not fit into memory together.
        async with Models(settings, note=log.info) as opened:
            found.append(await generate(slots, opened.open(name), source, how, advance))
    return found
