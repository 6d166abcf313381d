"""Learning criteria from conversations that people labelled."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Unpack

from assize.arguments import refuse_unknown
from assize.criteria.criterion import Domain
from assize.criteria.learning import estimate as estimating
from assize.criteria.learning.learn import LearningSession, learn_async
from assize.criteria.learning.learnt import LearningEstimate, Learnt
from assize.criteria.learning.settings import Learning
from assize.criteria.reading import load_domain
from assize.errors import ConfigError
from assize.formats import ItemsLike
from assize.formats.labels import ItemLabels
from assize.judging.outcome import ShownPrompt
from assize.judging.steps import Step
from assize.running import run_sync
from assize.running.progress import progress
from assize.workflows.asking import Asking, check_finished, folder_for, items_of, session_of
from assize.workflows.criteria.labelled import labelled_items
from assize.workflows.reading import log

_NOWHERE = Path("-")
_OWN = (
    "method",
    "k",
    "mini_batch",
    "size",
    "domain_sensitisation",
    "design_principles",
    "single_verb",
    "deduplicate",
    "similarity",
    "encoder",
    "language",
    "seed",
)
_ASKED = ("seed",)


@refuse_unknown
def learn_criteria(
    items: ItemsLike,
    model: str,
    *,
    label: str | ItemLabels,
    domain: str | Path | Domain | None = None,
    out: str | Path | None = None,
    name: str = "criteria",
    method: Literal["rubicon", "spur"] = "rubicon",
    k: int = 3,
    mini_batch: int = 10,
    size: int = 10,
    domain_sensitisation: bool | None = None,
    design_principles: bool | None = None,
    single_verb: bool | None = None,
    deduplicate: bool | None = None,
    similarity: float = 0.55,
    encoder: str = "minilm",
    language: str = "English",
    seed: int = 0,
    quiet: bool = False,
    **asking: Unpack[Asking],
) -> Learnt:
    """Learns criteria that tell good conversations from bad ones.

    A model names the patterns that explain each conversation's label, sums them
    up into criteria batch by batch, and merges those that mean the same. The
    same command continues an interrupted run; nothing is paid for twice.

    Args:
        items: paths, URLs, or - for standard input. In Python also records, dicts, tables.
        model: a model as provider:name.
        label: what is good and bad, as thumbs:up=1,down=0, rating>=4,<=2, a field for yes
            and no, or a file of ids and labels. In Python also a dict by id.
        domain: a YAML file with task, assistant, user and outcome.
        out: the run's folder, where criteria.yaml and patterns.jsonl end up.
        name: of the set of criteria.
        method: rubicon, or its baseline spur.
        k: patterns a conversation, at most.
        mini_batch: patterns that are summed up together.
        size: criteria of each polarity that spur keeps.
        domain_sensitisation: the domain in the prompts. None: rubicon has it, spur does not.
        design_principles: both sides' responsibility and Grice's maxims in the prompts.
            None: rubicon has them, spur does not.
        single_verb: ask for short assertions with a single verb. None follows
            `domain_sensitisation`, as in the published ablation.
        deduplicate: merge criteria that mean the same. None: rubicon does, spur does not.
        similarity: cosine from which criteria are held together.
        encoder: what finds look-alikes.
        language: of the criteria.
        seed: seed of the order in which conversations are summed up.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`.

    Returns:
        The pool (`pool`, a `CriteriaSet` from which selection chooses), the patterns, and what
        came of each stage. A conversation of which no pattern could be had is unscored: it is
        counted, and asked again where the reason may have passed.

    Raises:
        ConfigError: a setting is not allowed, or the folder is another command's.
        DataError: an item cannot be read, or labels do not fit: none is known here, or all
            are the same.
        KeyboardInterrupt: it was interrupted; what was answered is in `out`.

    Source: Biyani et al., "RUBICON", AIware 2024, section 3.2; for `spur` Lin et al.,
    arXiv 2403.12388. The prompts' words are ours.
    """
    given: Any = {one: value for one, value in locals().items() if one not in _POSITIONAL}
    given |= given.pop("asking")
    return run_sync(lambda: learn_criteria_async(items, model, **given))


_POSITIONAL = ("items", "model")


class LearningCriteria(Asking, total=False):
    """The arguments of `learn_criteria`, which say what each means."""

    label: str | ItemLabels
    domain: str | Path | Domain | None
    out: str | Path | None
    name: str
    method: Literal["rubicon", "spur"]
    k: int
    mini_batch: int
    size: int
    domain_sensitisation: bool | None
    design_principles: bool | None
    single_verb: bool | None
    deduplicate: bool | None
    similarity: float
    encoder: str
    language: str
    seed: int
    quiet: bool


@refuse_unknown
async def learn_criteria_async(
    items: ItemsLike, model: str, **given: Unpack[LearningCriteria]
) -> Learnt:
    """`learn_criteria`, to be awaited."""
    found = await _learning(items, model, given)
    check_finished(found)
    return found if given.get("out") is not None else replace(found, out=None)


def run_learning(items: ItemsLike, model: str, **given: Unpack[LearningCriteria]) -> Learnt:
    """`learn_criteria`, told how far it came where it was interrupted."""
    return run_sync(lambda: _learning(items, model, given))


async def _learning(items: ItemsLike, model: str, given: LearningCriteria) -> Learnt:
    """The run, in a folder that is gone afterwards where none is named."""
    quiet = given.get("quiet", False)
    with folder_for(given.get("out")) as folder:
        session = _session(items, model, folder, given)
        with progress("reading conversations", len(session.labelled), quiet=quiet) as advance:

            def on_step(step: Step) -> None:
                advance(int(step.stage == "extract"))

            return await learn_async(session, on_step=on_step, note=log.info)


def estimate_learning(
    items: ItemsLike, model: str, **given: Unpack[LearningCriteria]
) -> LearningEstimate:
    """What extracting and summarising would take and cost, nothing being asked or written.

    What `out` and the cache hold already is not counted as calls; deduplication is not counted.
    """
    out = given.get("out")
    session = _session(items, model, _NOWHERE if out is None else Path(out), given, dry=True)
    return run_sync(lambda: estimating.estimate(session))


def show_extraction(items: ItemsLike, model: str, **given: Unpack[LearningCriteria]) -> ShownPrompt:
    """The exact messages of the first call, which extracts patterns of a conversation."""
    session = _session(items, model, _NOWHERE, given, dry=True)
    return run_sync(lambda: estimating.shown_extraction(session))


def _session(
    items: ItemsLike, model: str, folder: Path, given: LearningCriteria, *, dry: bool = False
) -> LearningSession:
    """What these arguments describe, the conversations read."""
    label = given.get("label")
    if label is None:
        raise ConfigError("name the labels (--label FIELD:VALUE=1,VALUE=0)")
    own: dict[str, Any] = {one: value for one, value in given.items() if one in _OWN}
    learning = Learning(**own, domain=_domain(given.get("domain"))).resolved()
    if learning.domain_sensitisation and learning.domain is None and not given.get("quiet"):
        log.info("no domain is given, so the prompts name no task; see --domain")
    known = {*Asking.__annotations__, *_ASKED}
    asking: Any = {one: value for one, value in given.items() if one in known}
    session = session_of(items, [], folder, asking, dry=dry)
    skip = session.run.on_error == "skip"
    labelled = labelled_items(items_of(session, dry=dry), label, skip=skip)
    return LearningSession(session, labelled, learning, model, _name(given.get("name", "criteria")))


def _name(given: str) -> str:
    """A name as the file of a set may have it."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", given):
        raise ConfigError(f"name {given!r}: letters, digits, - and _ are allowed")
    return given


def _domain(given: str | Path | Domain | None) -> Domain | None:
    if given is None or isinstance(given, Domain):
        return given
    return load_domain(str(given))
