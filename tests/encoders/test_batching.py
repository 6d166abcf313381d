from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.encoders.token_states import states_of

from assize.encoders.batching import (
    CHUNK_TEXTS,
    Reader,
    Window,
    batches,
    chunks,
    cut,
    encode_texts,
    padded,
)
from assize.encoders.encoder import Floats


class Counting:
    """A model whose state of a token is (its id, 1); it keeps the batches it was given."""

    def __init__(self, *, before: tuple[int, ...] = (7,), after: tuple[int, ...] = (8,)) -> None:
        self.batches: list[list[Sequence[int]]] = []
        self.reader = Reader(
            tokenise=self.tokenise,
            run=self.run,
            before=before,
            after=after,
            blank=9,
            window=6,
            budget=24,
            dimension=2,
            pooling="mean",
        )

    def tokenise(self, texts: Sequence[str]) -> list[list[int]]:
        return [[ord(sign) for sign in text] for text in texts]

    def run(self, ids: Sequence[Sequence[int]]) -> Floats:
        self.batches.append(list(ids))
        tokens, _ = padded(ids, 1000)
        return np.stack([tokens, np.ones_like(tokens)], axis=2).astype(np.float32)


def test_equal_texts_go_through_the_model_once() -> None:
    model = Counting()
    found = encode_texts(model.reader, ["a", "b", "a", "a"], tokens=False)
    assert sum(len(batch) for batch in model.batches) == 2
    np.testing.assert_array_equal(found.vectors[0], found.vectors[2])
    assert found.windows.tolist() == [1, 1, 1, 1]


def test_the_mean_takes_marks_and_leaves_padding_out() -> None:
    # "ab" with marks 7 and 8 in a batch with a longer text: (7 + 97 + 98 + 8) / 4 = 52.5
    found = encode_texts(Counting().reader, ["ab", "abcd"], tokens=False)
    expected = np.array([52.5, 1]) / np.hypot(52.5, 1)
    np.testing.assert_allclose(found.vectors[0], expected, rtol=1e-6)


def test_a_text_without_any_token_is_read_as_the_blank_mark() -> None:
    found = encode_texts(Counting(before=(), after=()).reader, ["", "ab"], tokens=True)
    np.testing.assert_allclose(found.vectors[0], np.array([9, 1]) / np.hypot(9, 1), rtol=1e-6)
    blank, letters = states_of(found)
    assert blank.states.tolist() == [[9, 1]]
    assert [one.mask.tolist() for one in (blank, letters)] == [[False], [True, True]]


@given(st.text("abc", max_size=40), st.sampled_from([((7,), (8,)), ((7,), ()), ((), ())]))
def test_the_states_of_all_windows_join_to_the_whole_text(
    text: str, ends: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    before, after = ends
    found = encode_texts(Counting(before=before, after=after).reader, [text], tokens=True)
    (tokens,) = states_of(found)
    ids = [*before, *map(ord, text), *after]
    assert tokens.states[:, 0].tolist() == (ids if ids else [9])
    assert tokens.states[tokens.mask][:, 0].tolist() == list(map(ord, text))


@given(st.integers(0, 60))
def test_windows_are_few_even_and_complete(length: int) -> None:
    model = Counting()
    windows = cut(model.reader, 0, list(range(length)))
    sizes = [len(one.ids) - 2 for one in windows]
    assert len(windows) == max(1, -(-length // 4))
    assert max(sizes) - min(sizes) <= 1
    assert [token for one in windows for token in one.ids[1:-1]] == list(range(length))


@given(st.lists(st.integers(1, 30), max_size=50), st.integers(1, 100))
def test_batches_keep_every_window_once_within_the_budget(lengths: list[int], budget: int) -> None:
    windows = [Window(place, 0, [0] * length) for place, length in enumerate(lengths)]
    made = list(batches(windows, budget))
    assert sorted(one.text for batch in made for one in batch) == list(range(len(lengths)))
    for batch in made:
        assert len(batch) == 1 or len(batch) * max(len(one.ids) for one in batch) <= budget


def test_a_chunk_is_bounded_so_memory_does_not_grow_with_the_number_of_texts() -> None:
    held = [
        len(one) for one in chunks((str(number) for number in range(10_000)), CHUNK_TEXTS, 10**6)
    ]
    assert max(held) == CHUNK_TEXTS
    assert sum(held) == 10_000
    assert [len(one) for one in chunks(["x" * 9] * 10, 100, 20)] == [2] * 5


@pytest.mark.parametrize("count", [0, 1, CHUNK_TEXTS, CHUNK_TEXTS + 1])
def test_results_stand_in_the_order_of_the_texts_across_chunks(count: int) -> None:
    texts = [chr(256 + number) for number in range(count)]
    found = encode_texts(Counting(before=(), after=()).reader, texts, tokens=True)
    assert [chr(int(one.states[0, 0])) for one in states_of(found)] == texts
    assert found.vectors.shape == (count, 2)
