from __future__ import annotations

import threading

from assize.web._storage import open_store
from assize.web._storage.engine import WRITES, make_engine


def test_of_two_processes_one_writes(url: str) -> None:
    store = open_store(url)
    other = make_engine(url)
    told: list[str] = []

    def writes() -> None:
        with other.execution_options(**{WRITES: "wait"}).begin():
            told.append("second")

    with store.engine.execution_options(**{WRITES: "wait"}).begin():
        waiting = threading.Thread(target=writes)
        waiting.start()
        waiting.join(0.2)
        told.append("first")
    waiting.join()
    assert told == ["first", "second"]
    other.dispose()
    store.close()
