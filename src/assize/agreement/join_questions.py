"""Which questions of judges and raters are one, and whether any of them meet."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assize.base.judgment import TRUTHS
from assize.judgments import JudgmentTable
from assize.judgments.answers import PEOPLE, as_one, mixed_scales
from assize.judgments.spellings import find_spellings, log_spellings
from assize.judgments.tally import main_question
from assize.judgments.values import SPELT
from assize.results.numbers import counted, name_some

MOST_NAMED = 6  # questions that a note names


@dataclass(frozen=True, slots=True)
class JoinedQuestions:
    """A table whose questions have one name each.

    Args:
        mixed: questions whose judges answer on different scales.
        mixed_people: those of them on which people alone do.
        notes: what was replaced, in words.
    """

    table: JudgmentTable
    mixed: Collection[str]
    mixed_people: Collection[str]
    notes: Sequence[str]


def join_questions(table: JudgmentTable, same: Mapping[str, str]) -> JoinedQuestions:
    """Read questions as others: those in `same`, then names that differ by case and spaces only.

    Raises:
        ConfigError: nobody answered a question of `same`, or it has no numbers.
    """
    people = table.where(kind="person")
    mixed, mixed_people = mixed_scales(table, same), mixed_scales(people, same)
    joined = as_one(table, same)
    replaced = len(table) - len(joined)
    spellings = find_spellings(joined)
    log_spellings(spellings)
    mixed |= mixed_scales(joined, spellings)
    mixed_people |= mixed_scales(joined.where(kind="person"), spellings)
    notes = [f"{counted(replaced, 'answer')} replaced by the same judge's under `same`."]
    return JoinedQuestions(
        as_one(joined, spellings), mixed, mixed_people, notes if replaced else []
    )


def join_people(table: JudgmentTable) -> JudgmentTable:
    """Read names that differ by case and spaces only as one question, where they have one scale."""
    spellings = {
        name: other
        for name, other in find_spellings(table).items()
        if not mixed_scales(table, {name: other})
    }
    log_spellings(spellings)
    return as_one(table, spellings)


def questions_apart(
    table: JudgmentTable, gold: str, judges: Collection[str] | None
) -> Iterator[str]:
    """Yield a note for each judge that answered no question that gold answered.

    Args:
        judges: only these; all but people when None.
    """
    truth = table.where(kind="person") if gold == PEOPLE else table.where(judge=gold)
    others = table.where(kind=["model", "metric", "evaluator", None])
    for judge in others.judges:
        named = judges is None or judge in judges
        answered = table.where(judge=judge).asked
        if judge in (gold, *TRUTHS) or not named or set(answered) & set(truth.asked):
            continue
        pair = [_main(table, names) for names in (answered, truth.asked)]
        example = "=".join(name for name in pair if name is not None)
        hint = f"; where two ask the same, add --same, for example --same {example}"
        yield (
            f"{judge} and {gold} answered no question in common, so they are not compared: {judge}"
            f" answered {name_some(answered, MOST_NAMED)}, and {gold}"
            f" {name_some(truth.asked, MOST_NAMED)}{'' if None in pair else hint}"
        )


def _main(table: JudgmentTable, names: Sequence[str]) -> str | None:
    """The main question of those with numbers, which alone can be read as another."""
    questions = (table.questions[name] for name in names)
    return main_question(question for question in questions if question.kind in SPELT)
