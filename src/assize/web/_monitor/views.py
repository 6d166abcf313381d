"""What the monitor's pages show, from figures: tables, charts, findings, and what is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from markupsafe import Markup

from assize.judgments.values import scale_of
from assize.pages.drawing import Spec
from assize.results import Column, ResultTable
from assize.results.columns import columns
from assize.web._monitor import pictures, tables
from assize.web._monitor.progress import Progress
from assize.web._monitor.said import Concern, concerns, findings
from assize.web._monitor.shown import Link, ShownTable, Sort, shown
from assize.web._monitor.watch import Seen
from assize.web._tasks.definition import Task


@dataclass(frozen=True, slots=True)
class Part:
    """A section of a page.

    Args:
        name: of its anchor. missing: what is said where there is nothing to show.
        figures: charts, each with its caption.
    """

    name: str
    title: str
    tables: Sequence[ShownTable]
    figures: Sequence[tuple[Markup, str]] = ()
    missing: str = ""
    lead: str = ""

    @property
    def empty(self) -> bool:
        """Whether there is nothing but what is missing."""
        return not self.figures and not any(one.rows for one in self.tables)


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task's page."""

    findings: Sequence[Concern]
    parts: Sequence[Part]
    answers: int
    newer: int
    unreadable: int
    pilot: int


def task_address(name: str) -> str:
    """Where a task's page is."""
    return f"/monitor/{name}"


def overview_table(found: Sequence[tuple[Task, Progress]]) -> ResultTable:
    """How far every task is."""
    rows = [
        (
            task.name,
            task.kind,
            now.items,
            now.complete,
            now.share,
            now.ratings,
            now.needed,
            len(now.raters),
            now.open,
            sum(now.skipped.values()),
            now.left_hours,
        )
        for task, now in found
    ]
    named = [
        Column("Task"),
        Column("Kind"),
        *columns("count", "Items", "Complete"),
        Column("Ratings %", "percent", digits=0),
        *columns("count", "Ratings", "Still needed", "Raters", "Open", "Skipped"),
        Column("Hours of work left", "number", digits=1),
    ]
    return ResultTable("Tasks", named, rows)


def rater_address(task: Task, rater: str) -> str:
    """Where a rater's page is."""
    return f"/monitor/{task.name}/rater?{urlencode({'name': rater})}"


def task_tables(task: Task, seen: Seen, found: Progress) -> dict[str, ResultTable]:
    """All tables of a task by the name under which they can be downloaded."""
    f = seen.figures
    made = {
        "progress": tables.progress_table(found),
        "skips": tables.skips_table(found),
        "chosen": tables.chosen_table(found),
        "agreement": tables.agreement_table(f.agreement),
        "bins": tables.bins_table(f.agreement),
        "groups": tables.groups_table(f.agreement),
        "raters": tables.raters_table(f.raters, "Raters, over all questions"),
        "gold": tables.gold_table(f.gold, "Gold items by rater"),
        "gold-questions": tables.gold_table(f.gold_by_question, "Gold items by question"),
        "gold-missed": tables.hard_gold_table(f),
        "qualification": tables.qualification_table(f.qualified),
        "offsets": tables.offsets_table(f),
        "speed": tables.speed_table(f),
        "same": tables.same_table(f),
        "disputed": tables.disputed_table(f.disputed),
    }
    for purpose, title in (("gold", "gold items"), ("qualify", "items of the qualification")):
        if purpose in f.apart:
            made[f"agreement-{purpose}"] = tables.agreement_table(
                f.apart[purpose], f"Agreement on {title}"
            )
    if f.continuations is not None:
        made["sources"] = tables.continuation_table(f.continuations)
    for rater, held in f.acts.items():
        for place, one in enumerate(held.tables.values()):
            made[f"acts-{list(f.acts).index(rater)}-{place}"] = one
    return made


async def task_view(task: Task, seen: Seen, found: Progress, sort: Sort) -> TaskView:
    """A task's page; charts are drawn off the event loop."""
    return await asyncio.to_thread(_task_view, task, seen, found, sort)


def _task_view(task: Task, seen: Seen, found: Progress, sort: Sort) -> TaskView:
    made = task_tables(task, seen, found)
    links: dict[str, Link] = {"Rater": lambda name: rater_address(task, name)}

    def of(*names: str) -> list[ShownTable]:
        return [shown(name, made[name], sort, links=links) for name in names if name in made]

    f = seen.figures
    parts = [
        Part(
            "progress",
            "Progress",
            of("progress", "skips", "chosen"),
            missing="Nobody has begun yet.",
        ),
        Part(
            "agreement",
            "Agreement",
            of("agreement", "agreement-gold", "agreement-qualify", "bins", "groups"),
            _figures(
                seen,
                "alphas",
                lambda: pictures.alphas(f.agreement),
                "Alpha of each question with its 95% interval.",
            ),
            "No item has two raters' answers yet.",
        ),
        Part(
            "raters",
            "Raters",
            of("raters", "offsets", "speed", "same"),
            _figures(
                seen,
                "raters",
                lambda: pictures.raters(list(f.raters.values())),
                "Each rater's agreement with the others of the same items.",
            ),
            "Nobody shares an item with another rater yet.",
        ),
        Part(
            "gold",
            "Gold items",
            of("gold", "gold-questions", "gold-missed", "qualification"),
            missing=_no_gold(task),
        ),
        *_checks(task, seen, of, made),
    ]
    return TaskView(
        concerns(findings(f)), parts, seen.answers, seen.newer, seen.unreadable, seen.pilot
    )


def _no_gold(task: Task) -> str:
    if task.gold is None:
        return "The task has no gold items; name their judgments in its file under `gold`."
    return "Nobody has answered a gold item yet."


def _checks(
    task: Task, seen: Seen, of: Callable[..., list[ShownTable]], made: Mapping[str, ResultTable]
) -> list[Part]:
    found = []
    check = seen.figures.continuations
    if check is not None:
        lead = (
            "Rephrased references must be rated highest and random turns lowest on every question."
        )
        fine = " So they are." if not check.breaches and not check.missing else ""
        found.append(
            Part(
                "sources",
                "Sources",
                of("sources"),
                missing="Nothing is rated yet.",
                lead=lead + fine,
            )
        )
    for place, rater in enumerate(seen.figures.acts):
        names = [name for name in made if name.startswith(f"acts-{place}-")]
        found.append(Part(f"acts-{place}", f"The judge, by {rater}", of(*names)))
    if task.kind in ("acts", "maxims") and not seen.figures.acts:
        found.append(Part("acts", "The judge", [], missing="Nobody has checked its labels yet."))
    return found


def _figures(
    seen: Seen, name: str, spec: Callable[[], Spec | None], caption: str
) -> list[tuple[Markup, str]]:
    made = pictures.drawn(seen.drawings, name, spec)
    return [(made, caption)] if made else []


@dataclass(frozen=True, slots=True)
class RaterView:
    """A rater's page.

    Args:
        questions: whose confusion can be shown; `question` is shown, against `other`.
    """

    rater: str
    findings: Sequence[Concern]
    parts: Sequence[Part]
    questions: Sequence[str]
    question: str
    raters: Sequence[str]
    other: str


async def rater_view(
    task: Task, seen: Seen, found: Progress, rater: str, question: str, other: str, sort: Sort
) -> RaterView | None:
    """A rater's page; None where nobody of that name has work in the task."""
    return await asyncio.to_thread(_rater_view, task, seen, found, rater, question, other, sort)


def rater_tables(seen: Seen, found: Progress, rater: str) -> dict[str, ResultTable]:
    """The tables of one rater."""
    f = seen.figures
    mine_alone = [one for one in found.raters if one.rater == rater]
    skipped = [(why, n) for one in mine_alone for why, n in one.skipped.items()]
    mine = {name: one[rater] for name, one in f.by_question.items() if rater in one}
    held = tables.raters_table(mine, "Agreement with the others, by question")
    rows = [(name, *row[1:]) for name, row in zip(mine, held.rows, strict=True)]
    named = [Column("Question"), *held.columns[1:]]
    return {
        "work": tables.progress_table(replace(found, raters=mine_alone)),
        "skips": tables.skips_table(replace(found, skipped=dict(skipped))),
        "by-question": ResultTable(held.title, named, rows, held.notes),
        "gold": tables.gold_table(
            [one for one in f.gold_by_question if one.rater == rater], "Gold items"
        ),
        "offsets": tables.offsets_table(f, rater),
        "same": tables.same_table(f, rater),
    }


def _rater_view(
    task: Task, seen: Seen, found: Progress, rater: str, question: str, other: str, sort: Sort
) -> RaterView | None:
    f = seen.figures
    if all(one.rater != rater for one in found.raters):
        return None
    made = rater_tables(seen, found, rater)

    def of(*names: str) -> list[ShownTable]:
        return [shown(name, _without_rater(made[name]), sort) for name in names]

    named = [name for name, (one, _) in f.asked.items() if scale_of(one.question)]
    asked = question if question in named else named[0] if named else ""
    others = [one for one in f.raters if one != rater]
    against = other if other in others else ""
    parts = [
        Part("work", "Work", of("work", "skips")),
        Part(
            "agreement",
            "Agreement",
            of("by-question"),
            _figures(
                seen,
                f"confusion {asked} {rater} {against}",
                lambda: (
                    pictures.confused(f.asked[asked][0], rater, against or None) if asked else None
                ),
                f"{asked}: answers of {rater} (rows) and of {against or 'all others'} to the same"
                " items. Each pair of answers counts once.",
            ),
            "Nobody shares an item with this rater yet.",
        ),
        Part("gold", "Gold items", of("gold"), missing=_no_gold(task)),
        Part("leanings", "Leanings", of("offsets", "same"), missing="There is no answer yet."),
    ]
    mine = [one for one in findings(f) if one.rater == rater]
    return RaterView(rater, concerns(mine), parts, named, asked, others, against)


def _without_rater(table: ResultTable) -> ResultTable:
    """The table without the column that is the same in every row."""
    at = [place for place, one in enumerate(table.columns) if one.name != "Rater"]
    return ResultTable(
        table.title,
        [table.columns[place] for place in at],
        [[row[place] for place in at] for row in table.rows],
        table.notes,
    )
