"""From files in any known format to files in any other."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assize.errors import ConfigError, DataError
from assize.formats import Items, write
from assize.formats.any_log import Map, Roles, with_mapping
from assize.formats.converting import Converted, refuse_same
from assize.formats.converting import convert as converted
from assize.formats.labels import ItemLabels, labels_of
from assize.formats.questions import questions_path
from assize.formats.recipes import Cooking
from assize.formats.rejects import rejects_beside
from assize.running.progress import progress
from assize.workflows.allowed import check_range
from assize.workflows.reading import OnError, files_in, items_in, rejects
from assize.workflows.simulation import rated

log = logging.getLogger("assize")
_HUMAN_TURNS = 4  # of the papers' smaller limit


@with_mapping
def convert(
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    format: str | None = None,
    map: Map | None = None,
    roles: Roles | None = None,
    to: str | None = None,
    on_error: OnError = "fail",
    options: Mapping[str, str] | None = None,
    rater_column: str | None = None,
    na: str | None = None,
    recipe: str | None = None,
    human_turns: int | None = None,
    against: Items | None = None,
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
        format: format of the input, recognised from the content by default.
        map: where the fields of an unknown log stand; see `assize.read`.
        roles: what its names of roles mean.
        to: format to write, by default assize's own, chosen by OUT's suffix.
        on_error: what a bad record does, fail or skip (kept in a file).
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
    read = _files(sources)
    pairing = (pairs_per_group, group, least_difference, seed)
    others = (recipe, human_turns, against, options, rater_column, na)
    if label is not None:
        more = (*others, pairs_from_ratings, *pairing)
        if on_error != "fail" or any(one is not None for one in more):
            raise ConfigError("label takes no other option but format, to and quiet")
        return _labels_of(read, out, label, format, to)
    if pairs_from_ratings is not None:
        if any(one is not None for one in others):
            raise ConfigError("pairs_from_ratings takes no option of a recipe or a format")
        return _pairs_of(read, out, pairs_from_ratings, pairing, format, to, on_error)
    if any(one is not None for one in pairing):
        raise ConfigError(
            "pairs_per_group, group, least_difference and seed are for pairs_from_ratings; name"
            " the question that decides, as pairs_from_ratings=overall"
        )
    given = {name.replace("-", "_"): value for name, value in (options or {}).items()}
    own = {"rater_column": rater_column, "na": na}
    chosen = {name: value for name, value in own.items() if value is not None} | given
    cooking = _cooking(recipe, human_turns, against)
    with (
        rejects(on_error, rejects_beside(out)) as (kept, keep),
        progress("converting", None, quiet=quiet) as advance,
    ):
        try:
            done = converted(
                read,
                out,
                format=format,
                to=to,
                options=chosen,
                on_reject=keep,
                advance=advance,
                recipe=cooking,
            )
        except DataError:
            if Path(f"{out}.part").is_file():
                log.warning("what was converted so far is kept in %s.part", out)
            raise
    asked = {"to": to, "format": format, "options": chosen}
    return replace(done, rejects=kept.count, recipe=cooking, settings=asked)


def _labels_of(
    sources: Sequence[str],
    out: str | Path,
    label: str | ItemLabels,
    format: str | None,
    to: str | None,
) -> Converted:
    """Writes labels of the items in files, as judgments by gold."""
    refuse_same(sources, out)
    labels = labels_of(items_in(list(sources), format=format), label)
    for one in labels.notes:
        log.info(one)
    path = out
    if str(out) != "-" and not Path(out).suffix:
        Path(out).mkdir(parents=True, exist_ok=True)
        path = Path(out) / "judgments.jsonl"
    count = write(path, labels.to_judgments(), format=to)
    said = {"to": to, "format": format, "label": labels.to_json()}
    questions = None if str(path) == "-" else str(questions_path(path))
    kinds = {"judgments": count}
    return Converted(kinds, {str(path): kinds}, questions, (), {}, settings=said)


def _pairs_of(
    sources: Sequence[str],
    out: str | Path,
    question: str,
    pairing: tuple[int | None, str | None, float | None, int | None],
    format: str | None,
    to: str | None,
    on_error: OnError,
) -> Converted:
    """Writes pairs of the rated conversations in files."""
    refuse_same(sources, out)
    names = ("pairs_per_group", "group", "least_difference", "seed")
    given = {name: one for name, one in zip(names, pairing, strict=True) if one is not None}
    more: Any = given
    made = rated.pairs_from_ratings(sources, question, format=format, on_error=on_error, **more)
    path = out
    if str(out) != "-" and not Path(out).suffix:
        Path(out).mkdir(parents=True, exist_ok=True)
        path = Path(out) / "pairs.jsonl"
    kinds = {"pairs": write(path, made.pairs, format=to)}
    said = {"to": to, "format": format, "pairs_from_ratings": question, **given}
    return Converted(kinds, {str(path): kinds}, None, (), {}, settings=said, other=made)


def _files(sources: str | Path | Sequence[str | Path]) -> list[str]:
    """The sources as a list.

    Raises:
        ConfigError: there is none, or one is no file.
    """
    several = [sources] if isinstance(sources, str | Path) else list(sources)
    if not several or len(files_in(several)) < len(several):
        raise ConfigError(
            "sources must be files: paths, URLs or -; write what is in memory by"
            " assize.write(path, records)"
        )
    return files_in(several)


def _cooking(recipe: str | None, human_turns: int | None, against: Items | None) -> Cooking | None:
    if recipe is None:
        if human_turns is not None or against is not None:
            raise ConfigError("human_turns and against are for a recipe; name one, as amulet-hh")
        return None
    check_range("human_turns", human_turns, 1)
    known = None if against is None else items_in(against)
    return Cooking(recipe, _HUMAN_TURNS if human_turns is None else human_turns, known)
