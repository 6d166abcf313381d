"""From files in any known format to files in any other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

from assize.base.errors import ConfigError, DataError
from assize.formats import Items, ItemsLike, read, write
from assize.formats.arguments import items_in
from assize.formats.converting import Converted, Written, refuse_same
from assize.formats.converting import convert as converted
from assize.formats.labels import ItemLabels, labels_of
from assize.formats.labels.labelling import GoldLabels
from assize.formats.questions import questions_path
from assize.formats.recipes import RecipeRun, StudyPairs
from assize.formats.records import kind_of
from assize.formats.rejects import rejects_beside
from assize.formats.sampling import ItemSample
from assize.results import to_json
from assize.results.log import log
from assize.running.progress import progress


def convert(
    sources: ItemsLike,
    out: str | Path,
    *,
    to: str | None = None,
    options: Mapping[str, str] | None = None,
    make: StudyPairs | GoldLabels | ItemSample | None = None,
    quiet: bool = False,
) -> Converted:
    """Convert conversations, pairs, continuations and judgments between formats.

    The input's format is recognised from its content. OUT as a folder gets one file per kind of
    record; OUT as a file gets the items, and judgments go beside it. `recipe` keeps only some
    pairs, and counts its steps. `label` writes what is good and bad as gold's judgments instead.
    `sample` writes a few items, which depend only on their prompts and the seed. On the command
    line it exits with 2 if every record is bad.

    Args:
        sources: files to read: paths, URLs, or - for standard input. What is in memory is written
            by `assize.write`.
        out: file or folder to write to, or - for standard output.
        to: format to write. Default: assize's own, by OUT's suffix.
        options: option of the input format, for example rater-column=NAME for upheld (repeatable).
        make: what is made of the records: `StudyPairs`, `GoldLabels` or `ItemSample` of
            `assize.formats`; the records themselves when None.
        quiet: no progress.

    Returns:
        Records by kind and file, and what was guessed or left out.

    Raises:
        DataError: a file or a record is bad.
        ConfigError: `out` is one of the sources, or a name is not known.
        OutputError: a file could not be written.
    """
    source = _files(sources)
    if isinstance(make, ItemSample):
        return _sample_of(source, out, make, to)
    if isinstance(make, GoldLabels):
        if options or source.options.on_error != "fail":
            raise ConfigError(
                "labels take no option of a format and no on_error", "options", "on_error"
            )
        return _labels_of(source, out, make.label, to)
    values = {name.replace("-", "_"): value for name, value in (options or {}).items()}
    source = Items(source.source, replace(source.options, values=values), source.name)
    cooking = None
    if make is not None:
        known = None if make.against is None else items_in(make.against)
        cooking = RecipeRun(make.recipe, make.human_turns, known)
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
        asked["recipe"] = [cooking.name, cooking.least]
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
    path = _file_in(out, "judgments")
    count = write(path, labels.to_judgments(), format=to)
    asked = {"to": to, **source.options.settings, "label": to_json(labels)}
    questions = None if str(path) == "-" else str(questions_path(path))
    files = [Written(str(path), "judgments", count)]
    return Converted({"judgments": count}, files, questions=questions, asked=asked)


def _sample_of(source: Items, out: str | Path, make: ItemSample, to: str | None) -> Converted:
    """Writes some of the items in files."""
    refuse_same(source.files, out)
    with source.rejects.saved_to(rejects_beside(out)):
        items = source.sample(make.sample, by=make.by, seed=make.seed)
    if not items:
        raise DataError("there is nothing to draw from")
    kind = kind_of(items[0])
    path = _file_in(out, kind)
    count = write(path, items, format=to)
    settings = {"to": to, **source.options.settings, **asdict(make)}
    rejects = len(source.rejects)
    return Converted(
        {kind: count}, [Written(str(path), kind, count)], rejects=rejects, asked=settings
    )


def _file_in(out: str | Path, kind: str) -> str | Path:
    """Return the file that is written: one in the folder where `out` names no file."""
    if str(out) == "-" or Path(out).suffix:
        return out
    Path(out).mkdir(parents=True, exist_ok=True)
    return Path(out) / f"{kind}.jsonl"


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
