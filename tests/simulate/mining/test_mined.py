from __future__ import annotations

from assize.base.conversation import Reference
from assize.simulate._funnel import Funnel
from assize.simulate._mining.mined import CorpusSize, SimulatedTopics
from assize.simulate._mining.pages import Document
from assize.simulate._topics_file import Topic


def test_every_count_is_shown() -> None:
    steps, pages = Funnel(), Funnel()
    steps.add("given", "rows", 9)
    pages.add("clicked for these queries", "pages", 7)
    five = tuple(Reference(str(n)) for n in range(5))
    made = SimulatedTopics(
        [Topic("t1", "a", five), Topic("t2", "b", five[:1])],
        [Document("1", "", "two words"), Document("2", "", "four words are here")],
        steps,
        pages,
        0.25,
        {"MAIL": 1},
        told=["so"],
        signature="s",
    )
    assert list(made.tables) == ["steps", "page_steps", "corpus"]
    assert made.corpus == [CorpusSize(2, 3.0, 1.0, 1)]
    told = made.to_json()
    assert (told["topic_count"], len(told["page_steps"])) == (2, 1)
    assert (len(made), made.lines, told["nearest"]) == (2, ["signature s"], 0.25)
    alike = "mean cosine of a topic with the one nearest to it: 0.250"
    assert list(made.notes) == ["so", alike]
    assert list(made.news)[-1] == "scrubbed: 1 MAIL"


def test_without_pages_and_other_topics_figures_are_null() -> None:
    told = SimulatedTopics([Topic("t1", "a")], [], Funnel(), Funnel()).to_json()
    assert (told["corpus"], told["nearest"]) == ([], None)
