"""Retrieval: pages in files, cut into passages, found by BM25.

    from assize.retrieval import build_index
    index = build_index("pages/", "pages.index")     # reused while the pages are the same
    for hit in index.search("rotate storage keys", 5):
        print(hit.score, hit.title, hit.text[:80])

A page is what a file holds (text, Markdown, HTML) or a line of a JSONL file. A passage is a run
of its words; whole pages are passages too, where nothing is cut.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
