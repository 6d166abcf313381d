from __future__ import annotations

from assize.conversation import Reference
from assize.simulation.funnel import Funnel
from assize.simulation.mining.mined import Diversity, SimulatedTopics
from assize.simulation.mining.pages import Document
from assize.simulation.topics_file import Topic


def test_every_count_is_shown() -> None:
    steps, pages = Funnel(), Funnel()
    steps.add("given", "rows", 9)
    pages.add("clicked for these queries", "pages", 7)
    five = tuple(Reference(str(n)) for n in range(5))
    made = SimulatedTopics(
        [Topic("t1", "a", five), Topic("t2", "b", five[:1])],
        [Document("1", "", "two words"), Document("2", "", "four words are here")], steps, pages,
        Diversity(0.25, 0.5, 3, 2), {"MAIL": 1}, (20, 40), {"refused": 1}, told=["so"],
        signature="s",
    )  # fmt: skip
    assert list(made.tables) == ["steps", "pages", "corpus", "diversity"]
    assert made.tables["corpus"].rows == [(2, 3.0, 1.0, 1)]
    assert made.tables["diversity"].rows == [(3, 2, 0.25, 0.5)]
    told = made.to_json()
    assert (told["topics"], told["documents"], told["words"]) == (2, 2, {"mean": 3.0, "sd": 1.0})
    assert (made.missing, len(made), made.lines) == ((20, 40), 2, ["s"])
    assert list(made.notes) == ["so", "scrubbed: 1 MAIL", "1 answers missing: refused"]


def test_without_a_model_nothing_is_missing() -> None:
    made = SimulatedTopics([Topic("t1", "a")], [], Funnel(), Funnel())
    assert made.missing == (0, 1)
    assert made.to_json()["words"] == {"mean": None, "sd": None}
