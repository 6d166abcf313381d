"""Learning criteria from conversations that people labelled."""

from __future__ import annotations

import re
from pathlib import Path

from assize.base.arguments import shown
from assize.base.errors import ConfigError
from assize.criteria._criterion import Domain
from assize.criteria._labelled_items import labelled_items
from assize.criteria._learning.learn import LearningWork
from assize.criteria._learning.learn_result import LearnResult
from assize.criteria._learning.settings import Learning, Rubicon, Spur
from assize.criteria._reading import load_domain
from assize.formats import ItemsLike
from assize.formats.labels import ItemLabels
from assize.judging.asking import DEFAULT, Asking, items_of, session_of
from assize.judging.plan import Plan, asks_models
from assize.judging.step_work import plan_steps
from assize.results.log import log

RUBICON = Rubicon()


@asks_models
def learn(
    items: ItemsLike,
    model: str,
    *,
    label: str | ItemLabels,
    domain: str | Path | Domain | None = None,
    out: str | Path | None = None,
    name: str = "criteria",
    method: Rubicon | Spur = RUBICON,
    language: str = "English",
    seed: int = 0,
    quiet: bool = False,
    asking: Asking = DEFAULT,
) -> Plan[LearnResult]:
    """Learn criteria that tell good conversations from bad ones.

    A model names the patterns that explain each conversation's label, sums them up as criteria
    batch by batch, and merges those that mean the same. Run the same command again to continue an
    interrupted run: nothing is paid for twice.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts,
            tables.
        model: model to ask, as provider:name.
        label: what counts as good and bad, for example thumbs:up=1,down=0, rating>=4,<=2, a yes/no
            field, or a file of ids and labels. In Python also a dict by id.
        domain: YAML file that describes the domain: task, assistant, user and outcome.
        out: folder of the run, which gets criteria.yaml and patterns.jsonl.
        name: name of the set of criteria.
        method: how to learn criteria: rubicon, or its baseline spur. In Python `Rubicon` or `Spur`,
            with its settings.
        language: language of the criteria.
        seed: random seed.
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
        Interrupted: it was interrupted; what was answered is in `out`.

    Source: Biyani et al., "RUBICON", AIware 2024, section 3.2; for `spur` Lin et al.,
    arXiv 2403.12388. The prompts' words are ours.
    """
    if not isinstance(domain, Domain | None):
        domain = load_domain(str(domain))
    if not isinstance(method, Rubicon):
        raise ConfigError(f"method: received {shown(method)}; give Rubicon() or Spur()")
    learning = Learning(method, domain, language, seed)
    if method.domain_sensitisation and domain is None and not quiet:
        log.info("no domain is given, so the prompts name no task; see --domain")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise ConfigError(f"name {name!r}: letters, digits, - and _ are allowed")

    def prepare(folder: Path, dry: bool) -> LearningWork:
        session = session_of(items, [], folder, asking, seed=seed, dry=dry)
        skip = session.run.on_error == "skip"
        labelled = labelled_items(items_of(session, dry=dry), label, skip=skip)
        return LearningWork(session, labelled, learning, model, name)

    return plan_steps(prepare, out, quiet)
