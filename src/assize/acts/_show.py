"""Dialogue acts and maxims in stored judgments, and a local tagger of acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from assize.acts._annotations import Judged, act_judges, gather
from assize.acts._kept import kept_taxonomies
from assize.acts._study import ActsResult, ActStudy, study_all
from assize.acts._tagger import LOCAL, Tagger, local_folder
from assize.acts._tagging import examples, fit_tagger
from assize.acts._taxonomy import DEFAULT, Taxonomy, load_taxonomy
from assize.base.conversation import Conversation, Pair
from assize.base.errors import ConfigError, DataError
from assize.encoders import load_encoder
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import files_in, judgments_of, names_of
from assize.formats.files import make_folder
from assize.judging.run_folder import items_judged, selected_by_cascade
from assize.judgments import JudgmentTable
from assize.results.log import log


def show(
    judgments: JudgmentsLike,
    *,
    items: ItemsLike | None = None,
    judges: str | Sequence[str] = (),
    taxonomy: str | None = None,
    gold: str = "gold",
    agreed_votes: bool = False,
    selected: bool = False,
) -> ActsResult:
    """Show how often dialogue acts and maxims occur, how they change, and what they predict.

    Reads judgments of `da`, `da-paper`, `maxim` and `acts`, and recorded outputs of such judges. On
    the command line `show` may be left out.

    Args:
        judgments: folders of runs, or files of judgments. In Python also records, dicts,
            and tables.
        items: files of the judged pairs or conversations (repeatable). Default: those that the runs
            name.
        judges: only these judges (repeatable, or separated by commas).
        taxonomy: taxonomy to check labels against: a name or a file. Default: that of the run, else
            AMULET's.
        gold: judge whose preferences count as true, for items without gold.
        agreed_votes: count a maxim only where both votes agree on it, instead of using the first
            vote.
        selected: continue even if a cascade chose what each judge was asked about.

    Raises:
        DataError: no judgment holds acts or maxims, what was judged is not there, or a judge was
            asked only about what a cascade had left open.
        ConfigError: there is no such taxonomy.
    """
    table = judgments_of(judgments)
    known = judged(judgments, items)
    studies = study_all(
        table,
        known,
        taxonomy_named(taxonomy),
        kept=kept_beside(judgments, taxonomy),
        judges=names_of(judges),
        gold=gold,
        agreed=agreed_votes,
    )
    return ActsResult([told_selected(one, judgments, allowed=selected) for one in studies])


def told_selected(study: ActStudy, judgments: JudgmentsLike, *, allowed: bool) -> ActStudy:
    """The study, which says where a cascade chose what its judges were asked about.

    Raises:
        DataError: it did, and that is not allowed.
    """
    judges = [one for one in (study.acts_judge, study.maxims_judge) if one is not None]
    for folder in files_in(judgments):
        told = selected_by_cascade(folder)
        if told is None or not any(f"{judge} was asked about" in told for judge in judges):
            continue
        if not allowed:
            raise DataError(
                f"{told}; figures would be of these alone: ask all judges about all pairs (assize"
                " judge), name one that was with judges=, or go on with selected="
            )
        study = replace(study, selected=told)
    return study


def train(
    judgments: JudgmentsLike,
    *,
    items: ItemsLike | None = None,
    judge: str | None = None,
    out: str | Path | None = None,
    encoder: str = "minilm",
    precision: Literal["fp32", "int8"] = "int8",
    least: int = 10,
    taxonomy: str | None = None,
    seed: int = 0,
) -> Tagger:
    """Train a local tagger of dialogue acts on stored judgments.

    The tagger is an encoder and one logistic regression per act: it asks no model, and the same
    turns always get the same acts. F1 is measured on held-out conversations. The judge `acts@local`
    (or `acts@FOLDER`) then labels any number of conversations.

    Args:
        judgments: folders of runs, or files of judgments. In Python also records, dicts,
            and tables.
        items: files of the judged pairs or conversations (repeatable).
        judge: judge whose acts are learnt, needed if there are several.
        out: folder to write the tagger to. Default: that of `acts@local`.
        encoder: encoder of the turns.
        precision: precision of the shipped encoder: fp32, or int8 (faster, less exact).
        least: minimum number of turns with an act, for it to be learnt.
        taxonomy: taxonomy to check labels against: a name or a file. Default: that of the run, else
            AMULET's.
        seed: random seed.

    Returns:
        The tagger, which is written too; its figures are on held-out conversations.

    Raises:
        ConfigError: several judges gave acts and none is named, or `least` is below 1.
        DataError: fewer than ten conversations are labelled, or no act is frequent enough.
        OutputError: the folder cannot be written.
        MissingExtra: a part of the extra `train` is not installed.
    """
    table = judgments_of(judgments)
    known = judged(judgments, items)
    name = _one_judge(table, judge)
    meant = kept_beside(judgments, taxonomy).get(name) or taxonomy_named(taxonomy)
    votes = gather(table, known, acts=name, maxims=None, taxonomy=meant)
    labelled = examples(known, votes.acts["first"], votes.acts["second"])
    reader = load_encoder(
        encoder, precision=precision if encoder == "minilm" else None, cached=True
    )
    folder = local_folder() if out is None else Path(out)
    make_folder(folder)  # before minutes of work that would be lost
    tagger = fit_tagger(labelled, reader, least, seed)
    tagger = replace(tagger, about={"judge": name, "taxonomy": meant.to_record()})
    tagger.save(folder)
    target = LOCAL if out is None else folder
    log.info("%s: the tagger is written; use it as acts@%s", folder, target)
    return tagger


def taxonomy_named(name: str | None) -> Taxonomy:
    """A shipped taxonomy, or one of a file; AMULET's where none is named."""
    return load_taxonomy(DEFAULT if name is None else name)


def kept_beside(judgments: JudgmentsLike, named: str | None) -> dict[str, Taxonomy]:
    """By judge, the taxonomies that the runs keep; none where one is named."""
    return {} if named is not None else kept_taxonomies(files_in(judgments))


def judged(judgments: JudgmentsLike, items: ItemsLike | None) -> dict[str, Judged]:
    """What was judged, by id; files of judgments may hold it, too, and runs name it.

    Raises:
        DataError: none of them does, or two items have one id.
    """
    found: dict[str, Judged] = {}
    for record in items_judged(judgments, items):
        if not isinstance(record, Pair | Conversation):
            continue
        if found.setdefault(record.id, record) != record:
            raise DataError(f"two items have the id {record.id!r}", source="items")
    if not found:
        raise DataError("give what was judged as items: roles and texts of its turns are needed")
    return found


def _one_judge(table: JudgmentTable, wanted: str | None) -> str:
    found = act_judges(table)
    if wanted is None and len(found) == 1:
        return found[0]
    if wanted not in found:
        names = ", ".join(found) or "none"
        raise ConfigError(f"name the judge whose acts are learnt as judge; here are: {names}")
    return wanted
