"""A gate: limits that a version keeps or not, for a build."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from assize.base.arguments import check_range, check_word
from assize.base.errors import ConfigError
from assize.evaluator import Evaluator
from assize.formats import Items, ItemsLike, JudgmentsLike
from assize.formats.arguments import names_of
from assize.formats.files import open_output
from assize.stats._statistics import Statistics
from assize.versions.comparing import Comparing
from assize.versions.gate import GateLimits, check_limits, read_limits
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
    """Pass or fail a version by limits on what is certain about it, for a build.

    A limit is compared with the end of an interval, so that neither luck nor a small sample passes
    it. Exit code: 0 passed, 1 failed, 2 wrong use or input.

    Args:
        version: the new version: files of judgments, or of conversations for the evaluator to
            score. In Python also records, dicts and tables.
        limits: what the version must keep; see `GateLimits`.
        baseline: the previous version: a file, run or folder (repeatable).
        question: only this question (repeatable, or separated by commas).
        judges: only these judges (repeatable, or separated by commas); each must pass by itself.
        items: files of the conversations of both versions, if versions are judgments: judgments of
            other conversations are left out (repeatable).
        pairing: how to pair conversations with the baseline: auto, id, prompt (first user turn), or
            none.
        junit: also write the checks to this file, as JUnit XML.
        summary: also write the checks to this file, as Markdown for a pull request.
        evaluator: folder of a trained evaluator, or default for the shipped one.
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
    reading = Reading(
        items,
        evaluator,
        quiet,
        fields,
        split=field_name,
        check_questions=partial(read_limits, limits),
    )
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
