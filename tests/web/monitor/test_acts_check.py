from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.web.tasks import test_acts
from tests.web.tasks.making import lines

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.web._monitor.acts_check import acts_checks, judged_in
from assize.web._tasks import kind_of

ASK, TELL = ["Task", "Question"], ["Task", "Inform"]
PAIR = Pair(
    "p", (Turn("user", "Where?"),), (Turn("assistant", "Here."),), (Turn("assistant", "There."),)
)


def said(judge: str, *, context: list[str], kind: str = "person") -> JudgmentTable:
    acts = {"context": [[context]], "a": [[TELL]], "b": [[TELL]]}
    row = Judgment("p", judge, "preference", answer="A", kind=kind, details={"acts": acts})  # type: ignore[arg-type]
    return JudgmentTable.of([row])


def test_the_judge_is_held_to_each_person_apart() -> None:
    people = JudgmentTable.concat([said("ann", context=ASK), said("bob", context=TELL)])
    found = acts_checks(people, said("da@m", context=TELL, kind="model"), [PAIR])
    assert {name: one.turns[0].share.count for name, one in found.items()} == {"ann": 2, "bob": 3}
    errors = {name: one.table_notes["turns"][1:] for name, one in found.items()}
    assert errors == {"ann": ["The commonest error: a function is wrong."], "bob": []}


def test_who_gave_no_acts_is_not_in_it() -> None:
    judged = said("da@m", context=TELL, kind="model")
    plain = JudgmentTable.of([Judgment("p", "ann", "preference", answer="A")])
    assert acts_checks(plain, judged, [PAIR]) == {}


def test_who_shares_no_item_with_the_judge_is_not_in_it() -> None:
    other = Pair("q", PAIR.context, PAIR.a, PAIR.b)
    row = next(iter(said("ann", context=ASK)))
    ann = JudgmentTable.of([Judgment("q", "ann", "preference", answer="A", details=row.details)])
    assert acts_checks(ann, said("da@m", context=TELL, kind="model"), [PAIR, other]) == {}


def test_labels_that_were_changed_since_they_were_checked_are_not_counted() -> None:
    row = next(iter(said("ann", context=ASK)))
    before = replace(row, item="p~1")
    judged = said("da@m", context=TELL, kind="model")
    assert acts_checks(JudgmentTable.of([before]), judged, [PAIR]) == {}
    both = acts_checks(JudgmentTable.of([before, row]), judged, [PAIR])
    alone = acts_checks(JudgmentTable.of([row]), judged, [PAIR])
    assert {name: check.to_json() for name, check in both.items()} == {
        name: check.to_json() for name, check in alone.items()
    }


def test_what_was_checked_is_what_the_items_hold(tmp_path: Path) -> None:
    task = test_acts.task_of(tmp_path)
    items = kind_of(task).items(task)
    lines(tmp_path / "judged.jsonl", [{**test_acts.VOTE, "judge": "other"}])
    held = judged_in(task, items)
    assert held is not None
    assert [(one.judge, (one.details or {})["acts"]) for one in held] == [
        (test_acts.JUDGE, test_acts.ACTS)
    ]
    assert judged_in(replace(task, kind="compare"), items) is None
