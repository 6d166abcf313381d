from __future__ import annotations

from assize.base.conversation import Reference
from assize.retrieval import Page
from assize.simulate._funnel import Funnel
from assize.simulate._mining.mined import CorpusSize, SimulatedTopics, corpus_sizes
from assize.simulate._topics_file import Topic


def test_every_count_is_shown() -> None:
    steps, pages = Funnel(), Funnel()
    steps.add("given", "rows", 9)
    pages.add("clicked for these queries", "pages", 7)
    five = tuple(Reference(str(n)) for n in range(5))
    topics = [Topic("t1", "a", five), Topic("t2", "b", five[:1])]
    sizes = corpus_sizes(topics, [Page("1", "two words"), Page("2", "four words are here")])
    assert sizes == [CorpusSize(2, 3.0, 1.0, 1)]
    made = SimulatedTopics(
        records=topics, steps=steps.stages, page_steps=pages.stages, corpus=sizes, signature="s"
    )
    assert list(made.tables) == ["steps", "page_steps", "corpus"]
    assert made.to_json()["count"] == 2
    assert len(made.to_json()["page_steps"]) == 1
    assert SimulatedTopics(records=topics).to_json()["corpus"] == []
