"""The monitor's figures as tables: what the pages show, and what can be downloaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assize.results import Column, ResultTable
from assize.results.columns import columns
from assize.web._monitor.agreement import Agreement, RaterAgreement
from assize.web._monitor.continuation_check import ContinuationCheck
from assize.web._monitor.disagreement import Disputed
from assize.web._monitor.figures import Figures
from assize.web._monitor.gold import GoldShare, hard_gold
from assize.web._monitor.progress import Progress
from assize.web._monitor.said import how_chosen, when


def progress_table(found: Progress) -> ResultTable:
    """What each rater has done."""
    rows = [
        (
            one.rater,
            one.done,
            sum(one.skipped.values()),
            one.open,
            one.expired,
            one.gold,
            one.seconds,
            one.per_hour,
            when(one.last),
        )
        for one in found.raters
    ]
    named = [
        Column("Rater"),
        *columns("count", "Done", "Skipped", "Open", "Expired", "Gold"),
        Column("Median seconds", "number", digits=0),
        Column("Forms an hour", "number", digits=1),
        Column("Last"),
    ]
    notes = ["Done counts forms of every purpose; gold items are among them."]
    title = "Progress by rater" if len(rows) != 1 else "Progress"
    return ResultTable(title, named, rows, notes)


def skips_table(found: Progress) -> ResultTable:
    """Why items were skipped."""
    rows = [(reason, n) for reason, n in found.skipped.items()]
    return ResultTable("Why items were skipped", [Column("Reason"), Column("Forms", "count")], rows)


def chosen_table(found: Progress) -> ResultTable:
    """How items came to people."""
    rows = [(how_chosen(name), n) for name, n in found.chosen.items()]
    return ResultTable("How items were chosen", [Column("How"), Column("Forms", "count")], rows)


def agreement_table(found: Sequence[Agreement], title: str = "Agreement") -> ResultTable:
    """Agreement on each question."""
    rows = [
        (
            one.question,
            one.alpha,
            one.percent,
            one.alpha.n,
            one.alpha.unscored,
            one.ratings,
            one.not_applicable,
            one.unscored,
            one.alpha.reason,
        )
        for one in found
    ]
    named = [
        Column("Question"),
        Column("Alpha", "number", digits=2, ends="below"),
        Column("Agreeing pairs %", "percent", digits=0, ends="below"),
        *columns("count", "Items", "Fewer than two", "Ratings", "NA", "Unscored"),
        Column("Note"),
    ]
    notes = [
        "Alpha is Krippendorff's, at the question's level, with its 95% interval: 1 is full"
        " agreement, 0 is chance. Items with fewer than two answers do not enter."
    ]
    return ResultTable(title, named, rows, notes)


def bins_table(found: Sequence[Agreement]) -> ResultTable:
    """How many items reach which agreement."""
    rows = [
        (one.question, one.bins.perfect, one.bins.majority, one.bins.plurality, one.bins.none)
        for one in found
        if one.bins is not None
    ]
    named = [
        Column("Question"),
        *columns(
            "share", "All agree", "A majority", "A plurality", "Neither", digits=0, ends="below"
        ),
    ]
    notes = ["Items by how far their raters agree; each counts once (UPHELD, appendix J)."]
    return ResultTable("How far raters agree", named, rows, notes)


def groups_table(found: Sequence[Agreement]) -> ResultTable:
    """How many of an item's raters give the most frequent answer."""
    rows = [
        (one.question, group.raters, group.largest, group.share)
        for one in found
        for group in one.groups
    ]
    named = [
        Column("Question"),
        *columns("count", "Raters", "Largest group"),
        Column("Items", "share", digits=0, ends="below"),
    ]
    notes = ["Of the items with so many raters, in how many so many give one answer (MTDEval, B)."]
    return ResultTable("How many raters agree", named, rows, notes)


def raters_table(found: Mapping[str, RaterAgreement], title: str) -> ResultTable:
    """Each rater held to the others."""
    rows = [
        (
            one.rater,
            one.items,
            one.own,
            one.less,
            "agrees less than the others do" if one.stands_out else None,
        )
        for one in found.values()
    ]
    named = [
        Column("Rater"),
        Column("Items", "count"),
        Column("Agreement with the others", "number", digits=2, ends="below"),
        Column("Less than among the others", "number", digits=2, ends="below", signed=True),
        Column("Note"),
    ]
    notes = [
        "A rater's part in alpha: 1 is full agreement with the others of the same items, 0 is"
        " chance. The note allows for the number of raters: the chance that it stands beside"
        " anybody who is like the others is 5%."
    ]
    return ResultTable(title, named, rows, notes)


def gold_table(found: Sequence[GoldShare], title: str) -> ResultTable:
    """How often raters are right on items whose answers are known."""
    rows = [(one.rater, one.question, one.items, one.right, one.verdict or None) for one in found]
    named = [
        Column("Rater"),
        Column("Question"),
        Column("Items", "count"),
        Column("Right", "share", digits=0, ends="below"),
        Column("Note"),
    ]
    return ResultTable(title, named, rows, ["Answers that are exactly the expected ones."])


def qualification_table(found: Sequence[GoldShare]) -> ResultTable:
    """How often raters were right in the qualification."""
    note = "The last attempt, as it is graded: what was skipped is wrong."
    return replace(gold_table(found, "Qualification"), notes=[note])


def hard_gold_table(found: Figures) -> ResultTable:
    """Gold items that raters get wrong most often."""
    rows = [one for one in hard_gold(found.gold_answers) if one[3].estimate < 1]
    named = [
        Column("Item"),
        Column("Question"),
        Column("Expected"),
        Column("Right", "share", digits=0, ends="below"),
    ]
    notes = ["One that nearly everybody gets wrong says more about the gold answer."]
    return ResultTable("Gold items that are missed", named, rows, notes)


def offsets_table(found: Figures, rater: str | None = None) -> ResultTable:
    """How far above or below the others each rater is."""
    rows = [
        (one.rater, one.question, one.mean.n, one.mean, one.verdict or None)
        for one in found.offsets
        if rater in (None, one.rater)
    ]
    named = [
        Column("Rater"),
        Column("Question"),
        Column("Items", "count"),
        Column("Above the others", "number", digits=2, ends="below", signed=True),
        Column("Note"),
    ]
    notes = ["The rater's answer less the mean of the others' to the same item."]
    return ResultTable("Lenient and strict", named, rows, notes)


def speed_table(found: Figures) -> ResultTable:
    """How long each rater takes."""
    rows = [
        (one.rater, one.forms, one.seconds, one.ratio, one.verdict or None) for one in found.speeds
    ]
    named = [
        Column("Rater"),
        Column("Forms", "count"),
        Column("Median seconds", "number", digits=0),
        Column("Times the others' time", "number", digits=2, ends="below"),
        Column("Note"),
    ]
    return ResultTable("Speed", named, rows, ["Beside the others of the same items."])


def same_table(found: Figures, rater: str | None = None) -> ResultTable:
    """Each rater's most frequent answers."""
    rows = [
        (one.rater, one.question, one.answer, one.share, one.more, one.longest, one.verdict or None)
        for one in found.same
        if rater in (None, one.rater)
    ]
    named = [
        Column("Rater"),
        Column("Question"),
        Column("Most frequent answer"),
        Column("Share", "share", digits=0, ends="none"),
        Column("More than the others", "percent", digits=0, ends="below", signed=True),
        Column("Longest run", "count"),
        Column("Note"),
    ]
    return ResultTable("The same answer everywhere", named, rows)


def continuation_table(found: ContinuationCheck) -> ResultTable:
    """Means by source."""
    rows = [(one.question, one.source, one.mean.n, one.mean) for one in found.means]
    named = [
        Column("Question"),
        Column("Source"),
        Column("Items", "count"),
        Column("Mean", "number", digits=2),
    ]
    notes = ["An item counts with the mean of its raters."]
    return ResultTable("Ratings by source", named, rows, notes)


def disputed_table(found: Mapping[str, Sequence[Disputed]], most: int = 2_000) -> ResultTable:
    """The items on which raters disagree most, over all questions."""
    every = sorted(
        (one for each in found.values() for one in each),
        key=lambda one: (-one.disagreement, one.item, one.question),
    )
    rows = [
        (
            one.item,
            one.turn,
            one.question,
            ", ".join(f"{answer} × {n}" for answer, n in one.answers.items()),
            one.raters,
            one.disagreement,
        )
        for one in every
    ]
    named = [
        Column("Item"),
        Column("Turn", "count"),
        Column("Question"),
        Column("Answers"),
        Column("Raters", "count"),
        Column("Disagreement", "number", digits=2),
    ]
    notes = ["Disagreement: 0 is none, 1 what chance would bring."]
    return ResultTable("Items that are disputed", named, rows, notes).head(most)
