"""Criteria scored by a distilled evaluator: the set and the folder joined."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from assize.base.artefacts import open_artefact
from assize.base.errors import ConfigError, DataError
from assize.base.trust import check_named, show_name
from assize.criteria._criterion import CriteriaSet, Labelling
from assize.criteria._distilled.heads import ROLE, Heads
from assize.criteria._distilled.judge import DistilledJudge
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._artefact import EVALUATOR
from assize.evaluator._hub import BEGINS as HUB
from assize.evaluator._hub import local_folder
from assize.evaluator._scoring import raw_numbers
from assize.results.log import log


def judge_of(
    given: CriteriaSet,
    name: str,
    evaluator: Evaluator,
    heads: Heads,
    where: str,
    written: str = "",
) -> DistilledJudge:
    """The judge that scores a set by an evaluator.

    Args:
        name: of the judge.
        where: the evaluator, for messages.
        written: the set's file.

    Raises:
        ConfigError: the evaluator was distilled for other criteria.
    """
    scored, lines = heads.of(given, where)
    read = partial(raw_numbers, evaluator=evaluator)
    return DistilledJudge(scored, name, lines, read, evaluator.signature, written)


def kept_heads(folder: str) -> Heads:
    """What the evaluator in a folder was distilled for.

    Raises:
        ConfigError: it was distilled for no criteria.
        DataError: the folder holds no evaluator.
    """
    artefact = open_artefact(EVALUATOR, local_folder(folder))
    heads = artefact.attached(ROLE, Heads, "distil the criteria anew")
    if heads is None:
        raise ConfigError(
            f"the evaluator in {folder} was not distilled for criteria; make one with"
            f" assize criteria distill FILE -j RUN -i CHATS --out {folder}"
        )
    return heads


def own_labellings(
    given: CriteriaSet, judges: Iterable[str], models: Collection[str] = ()
) -> dict[str, Labelling | None]:
    """Return the labelling of the judges that are evaluators; None where one's folder is gone.

    Args:
        judges: as judgments name them. A folder on this machine is read for its labelling, and
            nothing is fetched from the hub for a name in a file.
        models: that the user names in this command.
    """
    found: dict[str, Labelling | None] = {}
    for name in judges:
        _, evaluator, folder = name.partition("@evaluator:")
        if not evaluator:
            continue
        try:
            if folder.startswith(HUB):
                check_named(
                    f"evaluator:{folder}",
                    "model",
                    source=f"{show_name(name)} is",
                    remedy="score with --model {}",
                    allow=models,
                )
            found[name] = kept_heads(folder).of(given, folder)[0].labelling
        except (ConfigError, DataError) as error:
            log.warning("%s: nothing is labelled: %s", name, error)
            found[name] = None
    return found


def open_local(given: CriteriaSet, name: str, written: str, folder: str) -> DistilledJudge:
    """The judge that scores a set by the evaluator in a folder.

    Raises:
        ConfigError: the evaluator was distilled for other criteria or for none.
        DataError: the folder holds no evaluator.
    """
    if not folder:
        raise ConfigError(f"{name}: name the evaluator's folder, as in evaluator:small/")
    heads = kept_heads(folder)
    judge = judge_of(given, name, load_evaluator(folder), heads, folder, written)
    if given.labelling is not None and judge.given.labelling is None:
        why = (
            "was distilled without labels"
            if heads.labelling is None
            else "was distilled for other criteria together"
        )
        log.warning(
            "%s %s, so nothing is labelled: threshold and window of the file are for another"
            " model's NetSAT",
            folder,
            why,
        )
    return judge
