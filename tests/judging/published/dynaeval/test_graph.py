"""The graph of a dialogue, checked by hand on four turns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.errors import ConfigError
from assize.judging.published.dynaeval.graph import ALL, first_come, graph_of

FOUR = [0, 1, 0, 1]  # who speaks


def edges(past: int, future: int) -> dict[tuple[int, int], int]:
    graph = graph_of(FOUR, 2, past, future)
    pairs = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    return dict(zip(pairs, graph.kinds.tolist(), strict=True))


def test_each_of_four_turns_is_joined_to_its_window_and_itself() -> None:
    # Kinds count (who at the source, who at the target, 0 where the source comes first):
    # 0: 0 to 0 later  1: 0 to 0 not  2: 0 to 1 later  3: 0 to 1 not
    # 4: 1 to 0 later  5: 1 to 0 not  6: 1 to 1 later  7: 1 to 1 not
    assert edges(1, 1) == {
        (0, 0): 1, (0, 1): 2,
        (1, 0): 5, (1, 1): 7, (1, 2): 4,
        (2, 1): 3, (2, 2): 1, (2, 3): 2,
        (3, 2): 5, (3, 3): 7,
    }  # fmt: skip


def test_a_window_may_look_one_way() -> None:
    assert set(edges(0, 2)) == {
        (0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3),
    }  # fmt: skip
    assert set(edges(0, 0)) == {(0, 0), (1, 1), (2, 2), (3, 3)}
    assert set(edges(ALL, 0)) == {(j, k) for j in range(4) for k in range(j + 1)}


def test_without_a_window_all_are_joined() -> None:
    found = edges(ALL, ALL)
    assert len(found) == 16
    assert found == edges(3, 3)
    assert (found[0, 2], found[2, 0], found[1, 3], found[3, 1]) == (0, 1, 6, 7)


@given(st.lists(st.integers(0, 2), max_size=8), st.integers(-1, 4), st.integers(-1, 4))
def test_every_turn_is_joined_to_itself_and_kinds_are_in_range(
    speakers: list[int], past: int, future: int
) -> None:
    graph = graph_of(speakers, 3, past, future)
    pairs = list(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    assert {(j, j) for j in range(len(speakers))} <= set(pairs)
    assert all(0 <= kind < 18 for kind in graph.kinds.tolist())


def test_speakers_and_windows_that_cannot_be_are_refused() -> None:
    with pytest.raises(ConfigError, match="the network knows 2"):
        graph_of([0, 2], 2, 1, 1)
    with pytest.raises(ConfigError, match="windows are -2 and 1"):
        graph_of([0, 1], 2, -2, 1)


def test_who_speaks_first_is_the_first() -> None:
    assert first_come(["user", "assistant", "user"]) == [0, 1, 0]
    assert first_come([]) == []
