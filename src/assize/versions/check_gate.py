"""A gate: limits that a version keeps or not, for a build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from assize.base.arguments import check_range, check_word
from assize.base.errors import ConfigError, DataError
from assize.base.fields import first_values
from assize.evaluator import Evaluator
from assize.formats import Items, ItemsLike, JudgmentsLike, open_writer, read
from assize.formats.arguments import names_of
from assize.formats.files import open_output
from assize.formats.rejects import rejects_beside
from assize.formats.sampling import draw_sample
from assize.results import Result, Table
from assize.results.numbers import counted
from assize.stats._statistics import Statistics
from assize.versions.comparing import Comparing
from assize.versions.gate import GateLimits, check_limits
from assize.versions.gate_result import GateResult, junit_xml, markdown
from assize.versions.matching import PAIRINGS, Pairing
from assize.versions.version import Version
from assize.versions.versions import Reading, field_of, two, versions_of

USUAL = Statistics(confidence=0.95, permutations=4_999, cluster="item", seed=0)


def gate(
    version: JudgmentsLike | Items,
    limits: GateLimits,
    *,
    baseline: JudgmentsLike | ItemsLike | None = None,
    question: str | Sequence[str] = (),
    judges: str | Sequence[str] = (),
    items: ItemsLike | None = None,
    pairing: Pairing = "auto",
    junit: str | Path | None = None,
    summary: str | Path | None = None,
    evaluator: Evaluator | str | Path = "default",
    statistics: Statistics = USUAL,
    quiet: bool = False,
) -> GateResult:
    """Passes or fails a version by limits on what is sure about it, for a build.

    A limit is held against the end of an interval, so that neither luck nor a small
    sample passes it. Exit code 0 passed, 1 failed, 2 wrong use or input.

    Args:
        version: judgments, or conversations, which the evaluator scores (several files belong
            together). In Python also records, dicts and tables.
        limits: what the version must keep; see `GateLimits`.
        baseline: the version before (repeatable).
        question: only this question (repeatable, or with commas).
        judges: only these judges (repeatable, or with commas); each must pass by itself.
        items: the conversations of both versions, where only judgments are given, and leave out
            judgments of others (repeatable).
        pairing: with the baseline, auto, id, prompt, or none.
        junit: write the checks here as JUnit XML.
        summary: write them here as Markdown, for a pull request.
        evaluator: folder of a trained evaluator, or default, the shipped one.
        statistics: how intervals and tests are made; see `Statistics`.
        quiet: no progress and no notes.

    Returns:
        `.passed`, `.checks`, and with a baseline `.compared`. What cannot be measured fails.

    Raises:
        ConfigError: a limit is none, nothing is asked, or a drop has no baseline.
        DataError: a row is bad, nothing can be measured, or both versions hold the same judgments.
    """
    check_word("pairing", pairing, PAIRINGS)
    settings = statistics.settings(USUAL)
    check_range("permutations", settings.permutations, 99)
    if replace(limits, by=()) == GateLimits():
        problem = "no limit is set, so nothing could fail: give fail_under, fail_over or max_drop"
        raise ConfigError(f"{problem}, as fail_under overall=0.6")
    segmented = names_of(limits.by) or []
    name = version_name(baseline)
    is_log = bool(segmented) and (name is not None or (baseline is None and bool(limits.max_drop)))
    field_name, rest = two(segmented) if is_log else (None, segmented)
    if len(rest) > 1:
        raise ConfigError(f"by: received {', '.join(rest)}; give one field of segments")
    fields = (*segmented, *(() if settings.field is None else (settings.field,)))
    reading = Reading(items, evaluator, quiet, fields, split=field_name)
    sides: dict[str, Any] = {"new": version}
    if baseline is not None and field_name is None:
        sides["baseline"] = baseline
    versions = versions_of(sides, reading)
    if field_name is None:
        new, old = versions[0], versions[1] if len(versions) > 1 else None
    else:
        new, old = last_two(versions, name, field_name)
    both = [new] if old is None else [old, new]
    result = check_limits(
        new,
        old,
        limits=limits,
        questions=names_of(question),
        judges=names_of(judges),
        segments=field_of(both, rest[0]) if rest else None,
        clusters=None if settings.field is None else field_of(both, settings.field),
        how=Comparing(
            pairing=pairing,
            by=rest[0] if rest else "",
            level=settings.level,
            permutations=settings.permutations,
            seed=settings.seed,
        ),
    )
    if field_name is not None and old is not None:
        note = f"{new.name} is held against {old.name}, values of {field_name}"
        result = replace(result, notes=[note, *result.notes])
    for path, write in ((junit, junit_xml), (summary, markdown)):
        if path is not None:
            with open_output(path) as stream:
                stream.write(write(result).encode("utf-8", "replace"))
    return result


def version_name(baseline: JudgmentsLike | ItemsLike | None) -> str | None:
    """Return a baseline that is no file, and so the name of a version; None for any other."""
    source = baseline.paths if isinstance(baseline, Items) else baseline
    texts = [source] if isinstance(source, str) else source
    if not isinstance(texts, list | tuple) or len(texts) != 1 or not isinstance(texts[0], str):
        return None
    name = texts[0]
    return None if name == "-" or "://" in name or Path(name).exists() else name


def last_two(
    versions: Sequence[Version], baseline: str | None, field_name: str
) -> tuple[Version, Version]:
    """Return the last version of a log, and the baseline that is named, or the one before.

    Raises:
        ConfigError: no version has the name.
    """
    if baseline is None:
        return versions[-1], versions[-2]
    by_name = {version.name: version for version in versions}
    if baseline not in by_name:
        raise ConfigError(
            f"baseline {baseline!r} is neither a file nor a value of {field_name}, which are"
            f" {', '.join(by_name)}"
        )
    others = [version for version in versions if version.name != baseline]
    return others[-1], by_name[baseline]


@dataclass(frozen=True, slots=True)
class Stratum:
    """How many items of a stratum were taken.

    Args:
        of: how many there are.
    """

    taken: int
    of: int


@dataclass(frozen=True)
class SmokeSet(Result):
    """A smoke set: a few items that stand for all, and how many each stratum gave.

    Args:
        ids: of the items, in the order of the file.
        strata: by stratum how many were taken, and of how many; `all` is the last.
        out: where the items were written; None for nowhere.
        items: the items.
    """

    ids: Sequence[str]
    strata: Annotated[Mapping[str, Stratum], Table("Smoke set", key="stratum")]
    out: str | None
    items: Sequence[Any] = field(repr=False)

    @property
    def notes(self) -> Sequence[str]:
        """Where it stands, or that it stands nowhere."""
        together = self.strata["all"]
        size = f"{counted(together.taken, 'item')} of {together.of:,}"
        if self.out is None:
            return [f"{size} drawn, and nothing was kept: name a file with --out"]
        return [f"{self.out}: {size}"]


def smoke(
    items: ItemsLike,
    count: int = 50,
    *,
    by: str | None = None,
    out: str | Path | None = None,
    seed: int = 0,
) -> SmokeSet:
    """Draws a few conversations, the same ones each time, for a quick or a costly check.

    Which ones depends on their prompts and the seed alone: two versions that were given
    the same prompts get the same sample, and a longer file keeps most of it.

    Args:
        items: paths, URLs, or - for standard input. In Python also records, dicts, tables.
        count: how many.
        by: field whose values all get their share, such as metadata.lang.
        out: write them here, as JSONL, .parquet or .csv.
        seed: another seed is another sample.

    Raises:
        DataError: a record is bad, or none has the field.
    """
    check_range("count", count, 1)
    check_range("seed", seed, 0)
    if out is not None and str(out) == "-":
        raise ConfigError("out: give a file")
    source = read(items)
    with nullcontext() if out is None else source.rejects.saved_to(rejects_beside(str(out))):
        listed = list(source)
    strata = None if by is None else first_values(listed, by)
    chosen = draw_sample(listed, count, strata=strata, seed=seed)
    if not chosen:
        raise DataError("there is nothing to draw from")
    if out is not None:
        with open_writer(out) as write:
            for one in chosen:
                write(one)
    counts = {} if strata is None else _counts(chosen, listed, strata)
    counts["all"] = Stratum(len(chosen), len(listed))
    ids = [item.id for item in chosen]
    return SmokeSet(ids, counts, None if out is None else str(out), chosen)


def _counts(
    chosen: Sequence[Any], listed: Sequence[Any], strata: Mapping[str, str]
) -> dict[str, Stratum]:
    taken = [strata.get(one.id, "none") for one in chosen]
    there = [strata.get(one.id, "none") for one in listed]
    return {name: Stratum(taken.count(name), there.count(name)) for name in sorted(set(there))}
