"""The everyday question: is the new version better than the old one?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assize.base.arguments import check_range, check_word
from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError
from assize.criteria._select import judged_by, pool_of
from assize.evaluator import Evaluator
from assize.formats import Items, ItemsLike, JudgmentsLike
from assize.formats.arguments import listed, names_of
from assize.formats.times import times_of
from assize.judgments import JudgmentTable
from assize.judgments.table import names_array
from assize.stats._statistics import Statistics, StatisticsSettings
from assize.versions.compare_result import VersionsCompared
from assize.versions.comparing import Comparing, check_names, compare_all
from assize.versions.matching import PAIRINGS, Pairing
from assize.versions.options import OverTime, Regressions
from assize.versions.over_time import measure_drift
from assize.versions.over_time_result import DriftResult
from assize.versions.sources import are_named, name_sources
from assize.versions.version import Version
from assize.versions.versions import Reading, field_of, two, versions_of

USUAL = Statistics(confidence=0.95, permutations=4_999, cluster="item", seed=0)
ALL = Regressions()


def compare(
    versions: JudgmentsLike | ItemsLike | Mapping[str, JudgmentsLike | Items],
    *,
    by: str | Sequence[str] = (),
    items: ItemsLike | None = None,
    against: str | OverTime | None = None,
    pairing: Pairing = "auto",
    question: str | Sequence[str] = (),
    judges: str | Sequence[str] = (),
    detect: float | None = None,
    regressions: Regressions = ALL,
    evaluator: Evaluator | str | Path = "default",
    statistics: Statistics = USUAL,
    quiet: bool = False,
) -> VersionsCompared | DriftResult:
    """Test whether a version of an assistant is better than another, and list what to read.

    Shows differences with intervals and p-values, shares of better and worse, segments, the number
    of conversations that a difference takes, and the worst regressions. Conversations are paired by
    id or first prompt; the result says which way, and how many.

    Args:
        versions: a file, run or folder per version, the old one first: judgments, or conversations
            for the evaluator to score. NAME=FILE names it; several of one name belong together. One
            file with `by`. In Python also a dict by name, tables and records.
        by: field to report by, for example metadata.lang (repeatable): of a single file first the
            field that tells the versions apart.
        items: files of the conversations of all versions, if versions are judgments: judgments of
            other conversations are left out (repeatable).
        against: version that the others are compared with. Default: the first. In Python also
            `OverTime(field)`: quality over time instead, by version.
        pairing: how to pair conversations: auto, id, prompt (first user turn), or none.
        question: only this question (repeatable, or separated by commas).
        judges: only these judges (repeatable, or separated by commas).
        detect: also say how many conversations it takes to detect this difference.
        regressions: which conversations to read, and how many.
        evaluator: folder of a trained evaluator, or default for the shipped one.
        statistics: how intervals and tests are made, which are corrected for their number; see
            `Statistics`.
        quiet: no progress and no notes.

    Returns:
        `.differences` and `.segments` hold the figures, `.regressions` what to read. With
        `OverTime` a row a question in `.latest`, a row a change in `.changes`, a row a question and
        period in `.by_period`; a conversation without a time is left out, counted and named.

    Raises:
        ConfigError: an argument is not allowed, or there is one version alone.
        DataError: a row is bad, a field is lacking, nothing can be compared, or two versions hold
            the same judgments.

    Sources: those of `assize.stats.mean_difference` and of its change points; Holm (1979).
    """
    check_word("pairing", pairing, PAIRINGS)
    check_range("detect", detect, 1e-12)
    settings = statistics.settings(USUAL)
    check_range("permutations", settings.permutations, 99)
    fields = names_of(by) or []
    names = list(name_sources(versions))
    field, rest = two(fields) if len(names) == 1 else (None, fields)
    if field is None and not isinstance(against, OverTime):
        check_names(names, against)  # before anything is scored
    needed = [*fields, against.field] if isinstance(against, OverTime) else fields
    needed = [name for name in needed if isinstance(name, str)]
    reading = Reading(items, evaluator, quiet, tuple(needed), split=field)
    found = versions_of(versions, reading)
    if isinstance(against, OverTime):
        if rest or detect is not None:
            raise ConfigError(
                "over time there are no segments and no size to detect; leave out by (but for the"
                " field that says which version) and detect"
            )
        return _over_time(found, against, names_of(question), names_of(judges), settings)
    if len(rest) > 1:
        raise ConfigError(f"by: received {', '.join(rest)}; give one field of segments")
    how = Comparing(
        against,
        pairing,
        rest[0] if rest else "",
        detect,
        regressions.main,
        regressions.keep,
        settings.level,
        settings.permutations,
        settings.seed,
    )
    result = compare_all(
        found,
        questions=names_of(question),
        judges=names_of(judges),
        segments=field_of(found, rest[0]) if rest else None,
        clusters=None if settings.field is None else field_of(found, settings.field),
        how=how,
    )
    if len(names) > 2 and rest and not are_named(versions):
        note = (
            f"{len(names)} paths are compared as {len(names)} versions, and {rest[0]} makes"
            " segments; to take the paths as one log whose versions the field names, write"
            " bot= before each"
        )
        result = replace(result, notes=[*result.notes, note])
    return result


def _over_time(
    versions: Sequence[Version],
    over: OverTime,
    questions: Sequence[str] | None,
    judges: Sequence[str] | None,
    settings: StatisticsSettings,
) -> DriftResult:
    """Each version over time; ids that stand in several get their version before them."""
    ids = [one for version in versions for one in version.table.items]
    shared = len(set(ids)) < len(ids)
    tables: list[JudgmentTable] = []
    items: list[Item] = []
    groups: dict[str, str] = {}
    own = None if settings.field is None else field_of(versions, settings.field)
    clusters: dict[str, str] | None = None if own is None else {}
    for version in versions:
        names = {one: f"{version.name}: {one}" if shared else one for one in version.table.items}
        codes, known = version.table.codes("item")
        column = names_array([names.get(one, one) for one in known], codes)
        tables.append(replace(version.table, arrow=version.table.replaced({"item": column})))
        items += [
            replace(item, id=names[one]) for one, item in version.items.items() if one in names
        ]
        groups |= dict.fromkeys(names.values(), version.name)
        if own is not None and clusters is not None:
            known_clusters = own.get(version.name, {})
            clusters |= {names[one]: unit for one, unit in known_clusters.items() if one in names}
    if not items and isinstance(over.field, str):
        raise DataError(f"over {over.field!r} is a field of the conversations: give them as items")
    table = judged_by(JudgmentTable.concat(tables), judges)
    return measure_drift(
        table,
        times_of(items, over.field),
        over,
        settings,
        given=None if over.criteria is None else pool_of(over.criteria),
        questions=listed(questions or ()),
        groups=groups if len(versions) > 1 else None,
        clusters=clusters,
    )
