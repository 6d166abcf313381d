"""From files in any known format to files in any other."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assize.base.arguments import check_range
from assize.base.errors import ConfigError, DataError
from assize.formats import Items, ItemsLike, read, write
from assize.formats.arguments import items_in
from assize.formats.converting import Converted, Written, refuse_same
from assize.formats.converting import convert as converted
from assize.formats.labels import ItemLabels, labels_of
from assize.formats.questions import questions_path
from assize.formats.recipes import Cooking
from assize.formats.rejects import rejects_beside
from assize.results import to_json
from assize.running.progress import progress
from assize.simulate import _rated as rated

log = logging.getLogger("assize")
_HUMAN_TURNS = 4  # of the papers' smaller limit


def convert(
    sources: ItemsLike,
    out: str | Path,
    *,
    to: str | None = None,
    options: Mapping[str, str] | None = None,
    rater_column: str | None = None,
    na: str | None = None,
    recipe: str | None = None,
    human_turns: int | None = None,
    against: ItemsLike | None = None,
    label: str | ItemLabels | None = None,
    pairs_from_ratings: str | None = None,
    pairs_per_group: int | None = None,
    group: str | None = None,
    least_difference: float | None = None,
    seed: int | None = None,
    quiet: bool = False,
) -> Converted:
    """Converts conversations, pairs, continuations and judgments between formats.

    The input's format is recognised from its content. OUT as a folder gets
    one file a kind of record; OUT as a file gets the items, and judgments
    stand beside it. `recipe` keeps only some pairs, and counts its steps.
    `label` writes what is good and what is bad as gold's judgments in their place.
    `pairs_from_ratings` writes pairs of rated conversations, who was rated higher being gold.
    As a command it exits with 2 where every record is bad.

    Args:
        sources: files to read (paths, URLs, or -). What is in memory is written by
            `assize.write`.
        out: the file or folder to write, - for standard output.
        to: format to write, by default assize's own, chosen by OUT's suffix.
        options: an option of the input format (repeatable).
        rater_column: the column that names the rater (upheld).
        na: what answers that cannot apply become (llm-rubric).
        recipe: keep the pairs that a study uses: amulet-hh, amulet-wildfeedback,
            amulet-nectar.
        human_turns: human turns that `recipe` asks for, 4 if unset.
        against: pairs that `recipe` must leave out (repeatable).
        label: what counts as good, as thumbs:up=1,down=0 or a file of ids and labels. In
            Python also a dict by id.
        pairs_from_ratings: the question whose ratings decide who is better.
        pairs_per_group: with it, pairs drawn from each group, 0 for all; 1 if unset.
        group: with it, the field that says which conversations are compared, or `rater`;
            `group` if unset.
        least_difference: with it, the difference of ratings up to which a pair is a tie.
        seed: with it, the seed of the draw.
        quiet: no progress.

    Returns:
        Records by kind and file, and what was guessed or left out.

    Raises:
        DataError: a file or a record is bad.
        ConfigError: `out` is one of the sources, or a name is not known.
        OutputError: a file could not be written.
    """
    source = _files(sources)
    pairing = (pairs_per_group, group, least_difference, seed)
    others = (recipe, human_turns, against, options, rater_column, na)
    if label is not None:
        more = (*others, pairs_from_ratings, *pairing)
        if source.options.on_error != "fail" or any(one is not None for one in more):
            raise ConfigError(
                "label takes no other option but format, to and quiet",
                "label",
                "format",
                "to",
                "quiet",
            )
        return _labels_of(source, out, label, to)
    if pairs_from_ratings is not None:
        if any(one is not None for one in others):
            raise ConfigError("pairs_from_ratings takes no option of a recipe or a format")
        return _pairs_of(source, out, pairs_from_ratings, pairing, to)
    if any(one is not None for one in pairing):
        raise ConfigError(
            "pairs_per_group, group, least_difference and seed are for pairs_from_ratings; name"
            " the question that decides, as pairs_from_ratings=overall",
            "group",
            "seed",
        )
    given = {name.replace("-", "_"): value for name, value in (options or {}).items()}
    own = {"rater_column": rater_column, "na": na}
    values = {name: value for name, value in own.items() if value is not None} | given
    source = Items(source.source, replace(source.options, values=values), source.name)
    cooking = _cooking(recipe, human_turns, against)
    with (
        source.rejects.saved_to(rejects_beside(out)),
        progress("converting", None, quiet=quiet) as advance,
    ):
        try:
            done = converted(source, out, to=to, advance=advance, recipe=cooking)
        except DataError:
            if Path(f"{out}.part").is_file():
                log.warning("what was converted so far is kept in %s.part", out)
            raise
    asked = {"to": to, **source.options.settings, "options": values}
    if cooking is not None:
        asked["recipe"] = [cooking.recipe.name, cooking.least]
    return replace(done, rejects=len(source.rejects), asked=asked)


def _labels_of(
    source: Items,
    out: str | Path,
    label: str | ItemLabels,
    to: str | None,
) -> Converted:
    """Writes labels of the items in files, as judgments by gold."""
    refuse_same(source.files, out)
    labels = labels_of(iter(source), label)
    for one in labels.notes:
        log.info(one)
    path = out
    if str(out) != "-" and not Path(out).suffix:
        Path(out).mkdir(parents=True, exist_ok=True)
        path = Path(out) / "judgments.jsonl"
    count = write(path, labels.to_judgments(), format=to)
    asked = {"to": to, **source.options.settings, "label": to_json(labels)}
    questions = None if str(path) == "-" else str(questions_path(path))
    files = [Written(str(path), "judgments", count)]
    return Converted({"judgments": count}, files, questions=questions, asked=asked)


def _pairs_of(
    source: Items,
    out: str | Path,
    question: str,
    pairing: tuple[int | None, str | None, float | None, int | None],
    to: str | None,
) -> Converted:
    """Writes pairs of the rated conversations in files."""
    refuse_same(source.files, out)
    names = ("pairs_per_group", "group", "least_difference", "seed")
    given = {name: one for name, one in zip(names, pairing, strict=True) if one is not None}
    more: Any = given
    made = rated.pairs(source, question, **more)
    path = out
    if str(out) != "-" and not Path(out).suffix:
        Path(out).mkdir(parents=True, exist_ok=True)
        path = Path(out) / "pairs.jsonl"
    count = write(path, made.pairs, format=to)
    asked = {"to": to, **source.options.settings, "pairs_from_ratings": question, **given}
    return Converted(
        {"pairs": count}, [Written(str(path), "pairs", count)], pairs=made, asked=asked
    )


def _files(sources: ItemsLike) -> Items:
    """The sources.

    Raises:
        ConfigError: there is none, or one is no file.
    """
    source = read(sources)
    if not source.paths or source.in_memory:
        raise ConfigError(
            "sources must be files: paths, URLs or -; write what is in memory by"
            " assize.write(path, records)"
        )
    return source


def _cooking(
    recipe: str | None, human_turns: int | None, against: ItemsLike | None
) -> Cooking | None:
    if recipe is None:
        if human_turns is not None or against is not None:
            raise ConfigError(
                "human_turns and against are for a recipe; name one, as amulet-hh", "against"
            )
        return None
    check_range("human_turns", human_turns, 1)
    known = None if against is None else items_in(against)
    return Cooking(recipe, _HUMAN_TURNS if human_turns is None else human_turns, known)
