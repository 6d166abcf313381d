"""`maxims`: a judge's maxim labels, checked and corrected one by one (AMULET)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from assize.acts._agreement import harshness
from assize.acts._maxims import MAXIMS, SIDES
from assize.base.conversation import Item, Pair
from assize.base.judgment import Judgment, Order, Question
from assize.web._forms.form import Answers, Field, Form, FormSection, When
from assize.web._tasks.act_labels import judge_in, judge_of, maxims_of, rows_of_judge, with_maxims
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.kind import Kind, Rating
from assize.web._tasks.rows import judgment
from assize.web._tasks.shown import shown_context, shown_sides
from assize.web._tasks.typed import items_of, only

LABELS = {
    "A": "A keeps to it, or keeps to it better",
    "B": "B keeps to it, or keeps to it better",
    "both": "both keep to it",
    "neither": "neither keeps to it",
}
CORRECT, HARSH, WRONG, UNSURE = "correct", "too harsh", "otherwise wrong", "unsure"
ANSWERS = (CORRECT, HARSH, WRONG, UNSURE)
NOTE = "note"
QUESTION = Question(
    "maxims", "Labels that hold, of twelve", "number", range=(0.0, float(len(MAXIMS)))
)
_WORDS = {
    CORRECT: "the label holds",
    HARSH: "a response keeps to it that the judge lets fail",
    WRONG: "too mild, or the sides are exchanged",
    UNSURE: "I cannot say",
}


class MaximCheck(Kind):
    """Checks a judge's label of each of the twelve maxims: correct, too harsh, otherwise wrong.

    One row of the whole pair, question `maxims`, has the person's labels in `details.maxims`,
    which `assize.acts.agree` holds the judge to; a maxim about which they cannot say is left
    out. One row a maxim, question `maxim_check:NAME`, has what they said of the label.

    Source: AMULET (arXiv 2505.20451), section 3: 96% of 84 labels right, the errors being too
    harsh.
    """

    name = "maxims"
    about = "check a judge's maxims, one by one"
    template = "pair.html"
    counts = (QUESTION.id,)

    def check(self, task: Task) -> None:
        """Raises DataError where the judge or its labels are not there."""
        judge_of(task)

    def items(self, task: Task) -> Sequence[Item]:
        """The pairs of which the judge has maxims, which they hold."""
        labelled = rows_of_judge(task)
        found = [with_maxims(task, one) for one in items_of(task, Pair) if one.id in labelled]
        if not found:
            raise problem_in(task, f"{judge_of(task)!r} labelled none of these pairs", "items")
        return found

    def form(self, task: Task, item: Item) -> Form:
        """Two fields a maxim: whether the label holds, and the right one where it does not."""
        held = maxims_of(only(item, Pair))
        fields = [one for name, label in held.items() for one in _fields(name, label)]
        remark = Question(NOTE, "Anything that should be known about these labels?", "text")
        fields.append(Field(NOTE, remark, "lines", required=False))
        return Form((FormSection("", tuple(fields)),), check=partial(_problems, held))

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """The pair with its real sides, for the labels name them."""
        pair = only(item, Pair)
        return {
            "turns": shown_context(pair),
            "sides": shown_sides(pair, None),
            "dialogues": not pair.context,
        }

    def questions(self, task: Task) -> Sequence[Question]:
        """That of the whole pair, and one a maxim."""
        return [QUESTION, *(_asked(name) for name in MAXIMS)]

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """One with all labels as the person has them, and one a maxim."""
        pair = only(item, Pair)
        held = maxims_of(pair)
        said = {name: _label_said(name, label, answers) for name, label in held.items()}
        agreed = sum(said[name] == label for name, label in held.items())
        note = answers.get(NOTE)
        whole = judgment(
            item.id,
            QUESTION.id,
            None,
            rating,
            score=float(agreed),
            explanation=None if note is None else str(note),
            details={
                "maxims": {name: label for name, label in said.items() if label is not None},
                "checked": judge_in(pair),
            },
        )
        return [
            whole,
            *(
                judgment(
                    item.id,
                    _asked(name).id,
                    str(answers.get(name, UNSURE)),
                    rating,
                    details={"of_judge": label, "corrected": said[name]},
                )
                for name, label in held.items()
            ),
        ]

    def asked(self, task: Task, item: Item) -> Sequence[tuple[str, int | None]]:
        """The whole pair, and each maxim."""
        held = maxims_of(only(item, Pair))
        return [(QUESTION.id, None), *((_asked(name).id, None) for name in held)]

    def instructions(self, task: Task) -> str:
        """How to check."""
        return (
            "A judge has said of twelve maxims of conversation which response keeps to them. Check"
            " each label by the maxim alone, whichever response you prefer. It is too harsh where"
            " it lets only one response pass, or none, though another keeps to the maxim within"
            " reason. Where a label is not right, say which one is."
        )


def _asked(name: str) -> Question:
    return Question(
        f"maxim_check:{name}",
        f"Is the judge's label of {name} right?",
        "nominal",
        ANSWERS,
        labels=_WORDS,
    )


def _fields(name: str, label: str) -> tuple[Field, Field]:
    legend = f"{name}: the response {MAXIMS[name]}."
    asked = Question(name, legend, "nominal", ANSWERS, labels=_WORDS)
    right = Question(
        f"{name}-label",
        f"Which label of {name} is right?",
        "nominal",
        tuple(one for one in SIDES if one != label),
        labels=LABELS,
    )
    return (
        Field(name, asked, note=f"The judge: {LABELS[label]}."),
        Field(f"{name}-label", right, when=When(name, (HARSH, WRONG))),
    )


def _problems(held: Mapping[str, str], answers: Answers) -> Mapping[str, str]:
    """What was said of a label fits the one that was put in its place."""
    found = {}
    for name, label in held.items():
        verdict, right = answers.get(name), answers.get(f"{name}-label")
        if verdict not in (HARSH, WRONG) or right is None:
            continue
        is_harsh = harshness(str(right), label) == HARSH
        if verdict == HARSH and not is_harsh:
            found[f"{name}-label"] = "By this label more responses would fail, or another one."
        elif verdict == WRONG and is_harsh:
            found[name] = "By the label that you give the judge was too harsh."
    return found


def _label_said(name: str, label: str, answers: Answers) -> str | None:
    """The person's label; None where they cannot say."""
    verdict = answers.get(name, UNSURE)
    if verdict == CORRECT:
        return label
    right = answers.get(f"{name}-label")
    return None if verdict == UNSURE or right is None else str(right)
