"""An active task whose calibrator is fitted on half of its conversations."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select
from tests.webapp.monitor.worked import RUBRIC, Worked, two

import assize
from assize import Conversation, Judgment, JudgmentTable, Turn
from assize.errors import ConfigError
from assize.formats import write
from assize.webapp.queue.active import Orders, orders_of, priorities
from assize.webapp.storage.schema import items
from assize.webapp.tasks import kind_of
from assize.webapp.tasks.definition import read_task

ANSWERS = ("1", "2", "3", "4")
COUNT = 40
TASK = """
task: two
kind: rate
items: conversations.jsonl
raters_per_item: 2
order: active
active: {calibrators: calibrator, answers: answers.jsonl, free: 0.25, every: 5}
settings: {rubric: two.yaml}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("active")
    (found / "tasks").mkdir()
    (found / "two.yaml").write_text(RUBRIC)
    (found / "tasks" / "two.yaml").write_text(TASK)
    turns = (Turn("user", "hello"), Turn("assistant", "hi"))
    write(str(found / "conversations.jsonl"), [Conversation(f"i{n}", turns) for n in range(COUNT)])
    rng = np.random.default_rng(0)
    clear = next(
        one
        for one in kind_of(read_task(found / "tasks" / "two.yaml", found)).questions(
            read_task(found / "tasks" / "two.yaml", found)
        )
        if one.id == "clear"
    )
    said, rated = [], []
    for n in range(COUNT - 1):  # of the last the model has said nothing
        # The first half is certain, the second is open.
        weight = [20.0, 0.1, 0.1, 0.1] if n < COUNT / 2 else [1.0, 1.0, 1.0, 1.0]
        shares = dict(zip(ANSWERS, rng.dirichlet(weight).tolist(), strict=True))
        said.append(Judgment(f"i{n}", "m", "clear", distribution=shares, kind="model"))
        best = int(rng.choice(4, p=list(shares.values()))) + 1
        for name, answer in (("ann", best), ("bob", max(1, best - 1))):
            rated.append(Judgment(f"i{n}", name, "clear", answer=str(answer), kind="person"))
    answers = JudgmentTable.of(said, [clear])
    write(str(found / "answers.jsonl"), answers, questions=[clear])
    fitted = assize.fit_calibrator(answers, JudgmentTable.of(rated, [clear]), target="clear")
    fitted.save(found / "calibrator")
    return found


@pytest.fixture
def worked(folder: Path) -> Worked:
    (folder / "assize.db").unlink(missing_ok=True)
    return Worked(folder)


def kept(worked: Worked) -> dict[str, tuple[float, float | None]]:
    """Rank and priority of each item."""
    with worked.store.connect() as connection:
        rows = connection.execute(select(items.c.key, items.c.rank, items.c.priority)).all()
    return {row.key: (row.rank, row.priority) for row in rows}


def test_items_whose_answers_are_open_teach_most(worked: Worked) -> None:
    conversations = {one.id: one for one in kind_of(worked.task).items(worked.task)}
    found = priorities(worked.task, conversations, JudgmentTable.of([]))
    assert len(found) == COUNT - 1
    best = sorted(found, key=lambda name: -found[name])[:10]
    assert sum(int(name[1:]) >= COUNT / 2 for name in best) >= 8


def test_what_everybody_has_rated_teaches_nothing_more(worked: Worked) -> None:
    conversations = {one.id: one for one in kind_of(worked.task).items(worked.task)}
    rows = [Judgment("i30", name, "clear", answer="2", kind="person") for name in ("ann", "bob")]
    before = priorities(worked.task, conversations, JudgmentTable.of([]))
    after = priorities(worked.task, conversations, JudgmentTable.of(rows))
    assert before["i30"] > 0
    assert after["i30"] == 0
    assert after["i31"] > 0


def test_a_task_without_the_section_is_refused(worked: Worked) -> None:
    with pytest.raises(ConfigError, match="no `active` section"):
        priorities(replace(worked.task, active=None), {}, JudgmentTable.of([]))


def test_the_queue_is_ordered_and_the_free_share_left_out(worked: Worked) -> None:
    orders = Orders(worked.store)
    assert "Not ordered yet" in orders.state(worked.task).sentence

    async def order() -> None:
        await orders.refresh(worked.task)

    asyncio.run(order())
    for key, (rank, priority) in kept(worked).items():
        free = rank < 0.25
        assert (priority is None) == (free or key == f"i{COUNT - 1}")
    state = orders.state(worked.task)
    assert (state.running, state.problem) == (False, "")
    assert f"{state.items} items are ordered by what a rating would teach" in state.sentence
    assert "25% of the items are kept free" in state.sentence


def test_raters_get_the_highest_first_and_some_at_random(worked: Worked) -> None:
    async def order() -> None:
        await Orders(worked.store).refresh(worked.task)

    asyncio.run(order())
    known = kept(worked)
    seen: list[tuple[str, str]] = []

    def said(_: str, one: object) -> dict[str, str]:
        seen.append((one.chosen, one.key))  # type: ignore[attr-defined]
        return two("2", "2")

    worked.rate("ann", said, most=16)
    useful = [key for chosen, key in seen if chosen == "active"]
    best = sorted(
        (key for key, (_, p) in known.items() if p is not None),
        key=lambda key: -known[key][1],  # type: ignore[operator]
    )
    assert useful == best[: len(useful)]
    random = [key for chosen, key in seen if chosen == "random"]
    assert random
    assert all(known[key][0] < 0.25 for key in random)


def test_it_is_ordered_after_the_first_form_and_then_after_so_many(worked: Worked) -> None:
    orders = Orders(worked.store)

    async def begun() -> list[bool]:
        found = []
        for _ in range(12):
            orders.submitted(worked.task)
            found.append(orders.state(worked.task).running)
            await orders.finished(worked.task)
        return found

    whole = [True, False, False, False, False]
    assert asyncio.run(begun()) == [*whole, *whole, *whole[:2]]


def test_a_task_in_another_order_is_never_ordered(worked: Worked) -> None:
    orders = Orders(worked.store)
    orders.submitted(replace(worked.task, order="random"))
    assert not orders.state(worked.task).running


def test_what_goes_wrong_is_said_and_raters_go_on(folder: Path, worked: Worked) -> None:
    assert worked.task.active is not None
    wrong = replace(
        worked.task, active=worked.task.active.model_copy(update={"answers": ["no.jsonl"]})
    )
    orders = orders_of(worked.store)
    assert orders_of(worked.store) is orders

    async def order() -> None:
        await orders.refresh(wrong)

    asyncio.run(order())
    assert "no.jsonl" in orders.state(wrong).problem
    assert worked.rate("ann", lambda *_: two("1", "2"), most=3) == 3


def test_a_lead_orders_it_anew_from_the_monitor(worked: Worked) -> None:
    lead = worked.client()
    with lead:
        assert "Not ordered yet" in lead.get("/monitor/two").text
        text = lead.post("/monitor/two/order", data={"csrf": "csrf"}).text
    assert "ordered by what a rating would teach" in text or "Being ordered" in text


def test_a_form_that_a_rater_submits_sets_it_off(worked: Worked) -> None:
    with worked.client("ann", "rater") as ann:
        where = ann.post("/t/two/next", data={"csrf": "csrf"}).url.path
        said = {"csrf": "csrf", "page.revision": "0", **two("2", "2")}
        assert ann.post(where, data=said).status_code == 200
    assert "Not ordered yet" not in orders_of(worked.store).state(worked.task).sentence
