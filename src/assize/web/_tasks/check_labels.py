"""`check`: a judge's dialogue acts, or its maxims, checked and corrected by people (AMULET).

Who reads a task's items puts the labels into them (`metadata.checked_labels`): they are part of
what is shown, are kept with it, and an answer such as "right" means them for ever, whatever
becomes of the judge's file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from assize.acts._agreement import TurnPair, harshness
from assize.acts._annotations import acts_in, maxims_in
from assize.acts._maxims import MAXIMS, SIDES
from assize.acts._tagger_judge import ACTS_QUESTION
from assize.acts._taxonomy import Taxonomy, load_taxonomy
from assize.base.conversation import Conversation, Item, Pair
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Order, Question
from assize.web._forms.form import Answers, Field, Form, FormSection, When
from assize.web._tasks.definition import Settings, Task, problem_in, settings_of
from assize.web._tasks.inputs import items_of, only, read_votes
from assize.web._tasks.kind import Kind
from assize.web._tasks.rows import Rating, judgment
from assize.web._tasks.shown import shown_item

GOLD = "gold"
LABELS = "checked_labels"
"""In an item's metadata: `judge`, and its `acts` or `maxims` as a judgment's details hold them."""
RIGHT, WRONG, UNSURE = "right", "wrong", "unsure"
NOTE = "note"
_ANSWERS = (RIGHT, WRONG, UNSURE)
_WORDS = {RIGHT: "right", WRONG: "wrong: below is what is right", UNSURE: "I cannot say"}
TURN_CHECK = Question(
    "act_check", "Are the judge's acts of this turn right?", "nominal", _ANSWERS, labels=_WORDS
)
MAXIMS_QUESTION = Question(
    "maxims", "Labels that hold, of twelve", "number", range=(0.0, float(len(MAXIMS)))
)
SIDE_WORDS = {
    "A": "A keeps to it, or keeps to it better",
    "B": "B keeps to it, or keeps to it better",
    "both": "both keep to it",
    "neither": "neither keeps to it",
}
_HOW_ACTS = (
    "A judge has labelled what each turn does: a dimension, which part of communication it is"
    " about, and a function. Check turn after turn. Where its functions are not right, write down"
    " the right ones: begin to type, and choose from the list. A turn can have several functions."
    " Where you cannot say, say so; the turn counts as not looked at."
)
_HOW_MAXIMS = (
    "A judge has said of twelve maxims of conversation which response keeps to them. Check each"
    " label by the maxim alone, whichever response you prefer. Where a label is not right, say"
    " which one is."
)


class CheckSettings(Settings):
    """Of a task that checks a judge's labels."""

    judgments: list[str]  # files that hold them in their details
    labels: Literal["acts", "maxims"] = "acts"
    judge: str = ""  # whose they are; may be left out where there is one
    taxonomy: str = "iso-24617-2"  # a shipped one's name, or a file of the project
    question: str = ""  # of the judge, where it answers several


@dataclass(frozen=True, slots=True)
class Label:
    """What the judge says of one turn, or of one maxim.

    Args:
        name: of the field that asks about it.
        turn: counted from 0 over all turns of the item, of a pair over context, a and b; None of
            a maxim.
        of_judge: acts as `Dimension: Function`, or the one label of a maxim.
    """

    name: str
    turn: int | None
    of_judge: tuple[str, ...]

    @property
    def question(self) -> str:
        """The question of the row that says whether it is right."""
        return f"maxim_check:{self.name}" if self.turn is None else TURN_CHECK.id

    def read(self, answers: Answers) -> tuple[str, ...] | None:
        """Return what is right by a form's answers; None where the person cannot say."""
        verdict = answers.get(self.name, UNSURE)
        if verdict != WRONG:
            return self.of_judge if verdict == RIGHT else None
        right = answers.get(f"{self.name}-right", ())
        return (right,) if isinstance(right, str) else tuple(right)

    def error(self, right: tuple[str, ...] | None) -> str | None:
        """Return what is wrong with the judge's label, as `assize.acts.agree` counts it."""
        if right is None or set(right) == set(self.of_judge):
            return None
        if self.turn is None:
            return harshness(right[0], self.of_judge[0])
        return error_of(self.of_judge, right)


class Check(Kind):
    """Checks a judge's labels: right, or which ones are.

    One row of the whole item, question `acts` or `maxims`, has the person's labels in its
    details, which `assize.acts.agree` holds the judge to: it gives the shares and the commonest
    error. What they cannot say is left out. One row a turn, question `act_check`, or a maxim,
    question `maxim_check:NAME`, has whether the label is right, with the judge's and theirs.

    Source: AMULET (arXiv 2505.20451), section 3: 84% of 194 turns right, missing functions being
    the commonest error; 96% of 84 maxim labels right, the errors being too harsh.
    """

    name = "check"
    about = "check a judge's dialogue acts or maxims"
    template = "acts.html"
    counts = (ACTS_QUESTION.id, MAXIMS_QUESTION.id)

    def check(self, task: Task) -> None:
        """Raises DataError where the judge, its labels or the taxonomy are not there."""
        rows_of_judge(task)
        _taxonomy(task)

    def items(self, task: Task) -> Sequence[Item]:
        """The items of which the judge has labels, which they hold."""
        judge, rows = rows_of_judge(task)
        maxims = settings_of(task, CheckSettings).labels == "maxims"
        items = items_of(task, Pair) if maxims else items_of(task, Conversation, Pair)
        checked: list[Item] = []
        for item in items:
            if item.id in rows:
                labels = {"judge": judge, **_labels_of(task, item, rows[item.id])}
                checked.append(replace(item, metadata={**item.metadata, LABELS: labels}))
        if not checked:
            raise problem_in(task, f"{judge!r} labelled none of these items", "items")
        return checked

    def form(self, task: Task, item: Item) -> Form:
        """Whether each label is right and, if not, which one is."""
        labels = read_labels(task, item)
        taxonomy = _taxonomy(task)
        invented = dict.fromkeys(act for label in labels for act in label.of_judge)
        acts = Question(
            "acts",
            "Which are right?",
            "nominal",
            tuple(dict.fromkeys((*taxonomy.acts, *invented))),
            labels=_meanings(taxonomy),
        )
        fields = []
        for label in labels:
            wrong = When(label.name, (WRONG,))
            if label.turn is None:
                fields += _maxim_fields(label, wrong)
            else:
                correction = Field(
                    f"{label.name}-right",
                    acts,
                    "pick",
                    required=False,
                    initial=label.of_judge,
                    turn=label.turn,
                    when=wrong,
                    note="All functions of this turn; leave every line empty where it has none.",
                )
                fields += [Field(label.name, TURN_CHECK, turn=label.turn), correction]
        remark = Question(NOTE, "Anything that should be known about these labels?", "text")
        fields.append(Field(NOTE, remark, "lines", required=False))
        return Form((FormSection("", tuple(fields)),), check=partial(_problems, labels))

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """The item with its real sides, for labels name them, and the judge's acts."""
        acts = {label.turn: label.of_judge for label in read_labels(task, item)}
        meanings = _meanings(_taxonomy(task))
        return {**shown_item(item, None), "acts": acts, "definitions": meanings}

    def questions(self, task: Task) -> Sequence[Question]:
        """That of the whole item, and that of each turn or maxim."""
        if settings_of(task, CheckSettings).labels == "acts":
            return [ACTS_QUESTION, TURN_CHECK]
        return [MAXIMS_QUESTION, *map(_maxim_question, MAXIMS)]

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """One with all labels as the person has them, and one a label."""
        labels = read_labels(task, item)
        said = {label.name: label.read(answers) for label in labels}
        whole = self.questions(task)[0].id
        details: dict[str, Any]
        if whole == ACTS_QUESTION.id:
            turns = {label.turn: _split(said[label.name]) for label in labels}
            details = stored_acts(item, turns)
            score = len({act[1] for acts in turns.values() for act in acts or ()})
        else:
            details = {"maxims": {name: right[0] for name, right in said.items() if right}}
            score = sum(said[label.name] == label.of_judge for label in labels)
        note = answers.get(NOTE)
        rows = [
            judgment(
                item.id,
                whole,
                None,
                rating,
                score=float(score),
                explanation=None if note is None else str(note),
                details={**details, "checked": labels_in(item)["judge"]},
            )
        ]
        for label in labels:
            right = said[label.name]
            details = {"of_judge": list(label.of_judge)}
            if answers.get(label.name) == WRONG:
                details |= {"corrected": list(right or ()), "error": label.error(right)}
            verdict = str(answers.get(label.name, UNSURE))
            rows.append(
                judgment(item.id, label.question, verdict, rating, turn=label.turn, details=details)
            )
        return rows

    def asked(self, task: Task, item: Item) -> Sequence[tuple[str, int | None]]:
        """The whole item, and each label."""
        labels = read_labels(task, item)
        whole = self.questions(task)[0].id
        return [(whole, None), *((label.question, label.turn) for label in labels)]

    def instructions(self, task: Task) -> str:
        """How to check, and what the functions mean."""
        if settings_of(task, CheckSettings).labels == "maxims":
            return _HOW_MAXIMS
        taxonomy = _taxonomy(task)
        parts = [_HOW_ACTS, "## Dimensions"]
        parts += [f"- **{one.name}**: {one.definition}" for one in taxonomy.dimensions if one.used]
        parts.append("## Functions")
        for group in dict.fromkeys(function.group for function in taxonomy.functions):
            parts.append(f"### {group[:1].upper()}{group[1:]}")
            functions = [one for one in taxonomy.functions if one.group == group]
            parts += [f"- **{one.name}**: {one.definition}" for one in functions]
        return "\n\n".join(parts)


def labels_in(item: Item) -> Mapping[str, Any]:
    """Return the labels that people are shown with an item."""
    labels: Mapping[str, Any] = item.metadata[LABELS]
    return labels


def read_labels(task: Task, item: Item) -> list[Label]:
    """Read the labels that an item holds.

    Raises:
        DataError: they are no valid acts of the item.
    """
    stored = labels_in(item)
    if "maxims" in stored:
        return [Label(name, None, (label,)) for name, label in stored["maxims"].items()]
    details = {name: stored[name] for name in stored if name != "judge"}
    acts = acts_in(details, _with_turns(item), None, _taxonomy(task))
    if acts is None:
        raise DataError(f"{stored['judge']!r} has no acts of {item.id!r}")
    turns = enumerate((*acts.context, *acts.a, *acts.b), start=acts.left_out)
    return [Label(f"turn-{turn}", turn, tuple(map(": ".join, said))) for turn, said in turns]


def rows_of_judge(task: Task) -> tuple[str, Mapping[str, Judgment]]:
    """Return the judge whose labels are checked, and by item its first vote.

    The first vote is the one in order AB, or without an order, as `assize.acts.agree` has it.

    Raises:
        DataError: nobody labelled anything, or several did and none of them is named.
    """
    settings = settings_of(task, CheckSettings)
    votes: dict[str, dict[str, Judgment]] = {}
    for table in read_votes(task, settings.judgments, "settings", "judgments"):
        for row in table:
            other = settings.question and row.question != settings.question
            if row.repeat or not row.details or row.judge == GOLD or other:
                continue
            own = votes.setdefault(row.judge, {})
            before = own.get(row.item)
            if before is None or (before.order == "BA" and row.order != "BA"):
                own[row.item] = row
    judge = settings.judge or (next(iter(votes)) if len(votes) == 1 else "")
    if judge not in votes:
        known = ", ".join(sorted(votes)) or "nobody"
        raise problem_in(task, f"name the judge; with labels there: {known}", "settings", "judge")
    return judge, votes[judge]


def stored_acts(item: Item, acts: Mapping[int | None, Any]) -> dict[str, Any]:
    """Return acts by turn as a judgment's details hold them: null where nothing is said."""
    first = min((turn for turn in acts if turn is not None), default=0)

    def between(start: int, end: int) -> list[Any]:
        return [acts.get(turn) for turn in range(start, end)]

    left_out = {"left_out_turns": first} if first else {}
    if isinstance(item, Conversation):
        return {"acts": {"turns": between(first, len(item.turns))}, **left_out}
    pair = only(item, Pair)
    a = len(pair.context)
    b = a + len(pair.a)
    end = b + len(pair.b)
    sides = {"context": between(first, a), "a": between(a, b), "b": between(b, end)}
    return {"acts": sides, **left_out}


def error_of(judge: Sequence[str], person: Sequence[str]) -> str:
    """Return what is wrong with acts, by their functions, as `assize.acts.agree` counts it.

    >>> error_of(["Task: Inform"], ["Task: Inform", "Task: Offer"])
    'missing'
    >>> error_of(["Task: Inform"], ["Task: Answer"]), error_of(["T: Inform"], ["S: Inform"])
    ('wrong', 'wrong')
    """
    right, said = (frozenset(act.partition(": ")[2] for act in acts) for acts in (person, judge))
    errors = [name for name, count in TurnPair("", "", right, said).errors.items() if count]
    return "several" if len(errors) > 1 else next(iter(errors), WRONG)


def _labels_of(task: Task, item: Item, row: Judgment) -> dict[str, Any]:
    """Return a vote's labels as the item keeps them."""
    if settings_of(task, CheckSettings).labels == "maxims":
        held = maxims_in(row)
        if held is None:
            raise DataError(f"{row.judge!r} has no maxims of {item.id!r}")
        return {"maxims": dict(held.maxims)}
    acts = acts_in(row.details, _with_turns(item), row.order, _taxonomy(task))
    if acts is None:
        raise DataError(f"{row.judge!r} has no acts of {item.id!r}")
    turns = enumerate((*acts.context, *acts.a, *acts.b), start=acts.left_out)
    return stored_acts(item, {turn: [list(act) for act in said] for turn, said in turns})


def _with_turns(item: Item) -> Conversation | Pair:
    return item if isinstance(item, Conversation) else only(item, Pair)


def _taxonomy(task: Task) -> Taxonomy:
    name = settings_of(task, CheckSettings).taxonomy
    return load_taxonomy(task.file(name) if name.endswith(".toml") else name)


def _meanings(taxonomy: Taxonomy) -> dict[str, str]:
    """Return what each act means, by `Dimension: Function`."""
    meanings = {function.name: function.definition for function in taxonomy.functions}
    return {act: meanings[function] for act, (_, function) in taxonomy.acts.items()}


def _maxim_question(name: str) -> Question:
    text = f"Is the judge's label of {name} right?"
    return Question(f"maxim_check:{name}", text, "nominal", _ANSWERS, labels=_WORDS)


def _maxim_fields(label: Label, wrong: When) -> list[Field]:
    (of_judge,) = label.of_judge
    text = f"{label.name}: the response {MAXIMS[label.name]}."
    asked = Question(label.name, text, "nominal", _ANSWERS, labels=_WORDS)
    others = tuple(side for side in SIDES if side != of_judge)
    right = Question(
        f"{label.name}-right",
        f"Which label of {label.name} is right?",
        "nominal",
        others,
        labels=SIDE_WORDS,
    )
    return [
        Field(label.name, asked, note=f"The judge: {SIDE_WORDS[of_judge]}."),
        Field(f"{label.name}-right", right, when=wrong),
    ]


def _problems(labels: Sequence[Label], answers: Answers) -> Mapping[str, str]:
    """Return a problem for each label that is wrong and was left as it is."""
    problems = {}
    for label in labels:
        right = label.read(answers)
        if answers.get(label.name) == WRONG and set(right or ()) == set(label.of_judge):
            problem = "These are the judge's. Write down the right ones."
            problems[f"{label.name}-right"] = problem
    return problems


def _split(acts: tuple[str, ...] | None) -> list[list[str]] | None:
    return None if acts is None else [act.split(": ", 1) for act in acts]
