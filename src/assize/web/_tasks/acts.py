"""`acts`: a judge's dialogue acts, checked and corrected turn by turn (AMULET)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from assize.acts._agreement import TurnPair
from assize.acts._tagger_judge import ACTS_QUESTION
from assize.acts._taxonomy import Taxonomy
from assize.base.conversation import Conversation, Item, Pair
from assize.base.judgment import Judgment, Order, Question
from assize.web._forms.form import Answers, Field, Form, FormSection, When
from assize.web._tasks.act_labels import (
    Spoken,
    judge_in,
    judge_of,
    labelled,
    rows_of_judge,
    spoken_in,
    stored_acts,
    taxonomy_of,
    with_acts,
)
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.kind import Kind, Rating
from assize.web._tasks.rows import judgment
from assize.web._tasks.shown import shown_context, shown_sides, shown_turns
from assize.web._tasks.typed import items_of

VERDICT = Question(
    "act_check",
    "Are the judge's acts of this turn right?",
    "nominal",
    ("right", "missing", "wrong", "invented", "several", "unsure"),
    labels={
        "right": "right: none is missing, and none is too many",
        "missing": "a function is missing",
        "wrong": "a function is wrong: it should be another",
        "invented": "a function is invented: there is none like it",
        "several": "several of these",
        "unsure": "unsure: I cannot say",
    },
)
ERRORS = ("missing", "wrong", "invented", "several")
_SAID = {
    "missing": "a function is missing",
    "wrong": "a function is wrong",
    "invented": "a function is invented",
    "several": "there are several kinds of errors",
}
NOTE = "note"
Said = list[list[str]] | None


class ActCheck(Kind):
    """Checks a judge's acts: right, or what is wrong and which they are.

    Two kinds of rows come of it. One of the whole item has the person's acts in `details.acts`,
    which `assize.acts.agree` holds the judge to: it gives the shares and the commonest error. A
    turn about which they cannot say is null there, as not looked at. And one a turn, question
    `act_check`, has what they said was wrong, with the judge's acts and theirs.

    Source: AMULET (arXiv 2505.20451), section 3: 84% of 194 turns right, missing functions being
    the commonest error.
    """

    name = "acts"
    about = "check a judge's dialogue acts, turn by turn"
    template = "acts.html"
    counts = (ACTS_QUESTION.id,)

    def check(self, task: Task) -> None:
        """Raises DataError where the judge, its labels or the taxonomy are not there."""
        judge_of(task)
        taxonomy_of(task)

    def items(self, task: Task) -> Sequence[Item]:
        """The conversations and pairs of which the judge has acts, which they hold."""
        there, every = rows_of_judge(task), items_of(task, Conversation, Pair)
        found = [with_acts(task, labelled(one)) for one in every if one.id in there]
        if not found:
            raise problem_in(task, f"{judge_of(task)!r} labelled none of these items", "items")
        return found

    def form(self, task: Task, item: Item) -> Form:
        """Beside each turn whether its acts are right and, if not, which they are."""
        known = taxonomy_of(task)
        spoken = spoken_in(task, labelled(item))
        offered = _offered(known, spoken)
        fields = [field for one in spoken for field in _fields(one, offered)]
        remark = Question(NOTE, "Anything that should be known about these labels?", "text")
        fields.append(Field(NOTE, remark, "lines", required=False))
        return Form((FormSection("", tuple(fields)),), check=partial(_problems, spoken))

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """The turns, and the judge's acts beside each."""
        seen = labelled(item)
        spoken = {one.turn: one.acts for one in spoken_in(task, seen)}
        turns = shown_context(seen) if isinstance(seen, Pair) else shown_turns(seen.turns)
        sides = shown_sides(seen, None) if isinstance(seen, Pair) else ()
        return {
            "turns": turns,
            "sides": sides,
            "acts": spoken,
            "definitions": definitions_of(taxonomy_of(task)),
        }

    def questions(self, task: Task) -> Sequence[Question]:
        """That of the whole item, and that of each turn."""
        return [ACTS_QUESTION, VERDICT]

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """One with all acts as the person has them, and one a turn."""
        seen = labelled(item)
        spoken = spoken_in(task, seen)
        said = {one.turn: _acts_said(one, answers) for one in spoken}
        functions = {act[1] for acts in said.values() for act in acts or ()}
        note = answers.get(NOTE)
        whole = judgment(
            item.id,
            ACTS_QUESTION.id,
            None,
            rating,
            score=float(len(functions)),
            explanation=None if note is None else str(note),
            details={**stored_acts(seen, said), "checked": judge_in(seen)},
        )
        return [whole, *(_turn_row(item.id, one, answers, rating) for one in spoken)]

    def asked(self, task: Task, item: Item) -> Sequence[tuple[str, int | None]]:
        """The whole item, and each turn that the judge labelled."""
        turns = [one.turn for one in spoken_in(task, labelled(item))]
        return [(ACTS_QUESTION.id, None), *((VERDICT.id, turn) for turn in turns)]

    def instructions(self, task: Task) -> str:
        """How to check, and what the functions mean."""
        known = taxonomy_of(task)
        groups: dict[str, list[str]] = {}
        for one in known.functions:
            groups.setdefault(one.group, []).append(f"- **{one.name}**: {one.definition}")
        listed = "\n\n".join(
            f"### {group[:1].upper()}{group[1:]}\n\n" + "\n".join(lines)
            for group, lines in groups.items()
        )
        used = "\n".join(
            f"- **{one.name}**: {one.definition}" for one in known.dimensions if one.used
        )
        return f"{_HOW}\n\n## Dimensions\n\n{used}\n\n## Functions\n\n{listed}"


_HOW = (
    "A judge has labelled what each turn does: a dimension, which part of communication it is"
    " about, and a function. Check turn after turn. Where its functions are not right, say what is"
    " wrong and write down the right ones: begin to type, and choose from the list. A turn can have"
    " several functions. Where you cannot say, say so; the turn counts as not looked at."
)


def definitions_of(known: Taxonomy) -> dict[str, str]:
    """What each act means, by `Dimension: Function`."""
    meanings = {one.name: one.definition for one in known.functions}
    return {act: meanings[function] for act, (_, function) in known.acts.items()}


def verdict_name(one: Spoken) -> str:
    """The name of the field that says whether a turn's acts are right."""
    return f"turn-{one.turn}"


def acts_name(one: Spoken) -> str:
    """The name of the field with the corrected acts."""
    return f"{verdict_name(one)}-acts"


def error_of(judge: Sequence[str], person: Sequence[str]) -> str:
    """What is wrong by the functions themselves, as `assize.acts.agree` counts it.

    >>> error_of(["Task: Inform"], ["Task: Inform", "Task: Offer"])
    'missing'
    >>> error_of(["Task: Inform"], ["Task: Inform"]), error_of(["Task: Inform"], ["Task: Answer"])
    ('right', 'wrong')
    """
    sets = [frozenset(act.partition(": ")[2] for act in acts) for acts in (person, judge)]
    kinds = [name for name, count in TurnPair("", "", sets[0], sets[1]).errors.items() if count]
    if kinds:
        return kinds[0] if len(kinds) == 1 else "several"
    return "right" if set(judge) == set(person) else "wrong"


def _fields(one: Spoken, offered: Question) -> tuple[Field, Field]:
    name = verdict_name(one)
    return (
        Field(name, VERDICT, turn=one.turn),
        Field(
            acts_name(one),
            offered,
            "pick",
            required=False,
            initial=one.acts,
            turn=one.turn,
            when=When(name, ERRORS),
            note="All functions of this turn; leave every line empty where it has none.",
        ),
    )


def _offered(known: Taxonomy, spoken: Sequence[Spoken]) -> Question:
    """What may be picked: the taxonomy's acts, and what the judge invented, to be left there."""
    more = dict.fromkeys(act for one in spoken for act in one.acts if act not in known.acts)
    return Question(
        "acts", "Which are right?", "nominal", (*known.acts, *more), labels=definitions_of(known)
    )


def _problems(spoken: Sequence[Spoken], answers: Answers) -> Mapping[str, str]:
    """Acts that were said to be wrong are put right, and what was said of them fits that."""
    found = {}
    for one in spoken:
        name, right = verdict_name(one), _picked(one, answers)
        if answers.get(name) not in ERRORS:
            continue
        error = error_of(one.acts, right)
        if set(right) == set(one.acts):
            found[acts_name(one)] = "These are the judge's. Write down the right ones."
        elif error != answers[name]:
            found[name] = f"By the acts that you give, {_SAID[error]}. Say so, or change the acts."
    return found


def _picked(one: Spoken, answers: Answers) -> list[str]:
    given = answers.get(acts_name(one), [])
    return [given] if isinstance(given, str) else list(given)


def _acts_said(one: Spoken, answers: Answers) -> Said:
    """The acts of a turn as the person has them; None where they cannot say."""
    verdict = answers.get(verdict_name(one), "unsure")
    if verdict == "unsure":
        return None
    acts = one.acts if verdict == "right" else _picked(one, answers)
    return [list(act.split(": ", 1)) for act in acts]


def _turn_row(item: str, one: Spoken, answers: Answers, rating: Rating) -> Judgment:
    """What was said of one turn."""
    verdict = str(answers.get(verdict_name(one), "unsure"))
    details: dict[str, Any] = {"of_judge": list(one.acts)}
    if verdict in ERRORS:
        corrected = _picked(one, answers)
        details |= {"corrected": corrected, "error": error_of(one.acts, corrected)}
    return judgment(item, VERDICT.id, verdict, rating, turn=one.turn, details=details)
