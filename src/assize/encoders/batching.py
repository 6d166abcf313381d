"""Texts to windows, windows to batches, states to vectors: what local encoders share.

Distinct texts are taken a chunk at a time, cut into windows, and the windows sorted by
length, so that a batch holds windows of nearly one length and little padding. Memory
beyond the result depends on the chunk, not on the number of texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.encoders.encoder import Encoding, Floats, Pooling, TokenStates, readable

CHUNK_TEXTS = 2048
CHUNK_CHARACTERS = 2_000_000


@dataclass(frozen=True, slots=True)
class Window:
    """A run of one text's pieces that goes through the model together, marks included."""

    text: int  # place in the chunk
    start: int  # first piece
    ids: Sequence[int]


@dataclass(frozen=True, slots=True)
class Reader:
    """How one model reads: what `encode_texts` needs to know of it."""

    # token ids of each text, without the model's marks
    tokenise: Callable[[Sequence[str]], Sequence[Sequence[int]]]
    # states (windows B, longest T, D) of a batch; beyond a window's own length they may hold any
    # finite numbers
    run: Callable[[Sequence[Sequence[int]]], Floats]
    before: tuple[int, ...]  # marks before each window's pieces, such as [CLS]
    after: tuple[int, ...]  # marks after them, such as [SEP]
    blank: int  # the mark that stands for an empty text where the model adds no marks
    window: int  # most tokens in a window, marks included
    budget: int  # most tokens in a batch, padding included
    dimension: int  # the length D of a state
    pooling: Pooling  # how a window's states become a vector
    # vectors (windows B, D) of a batch, where pooling is better done on the device; None pools here
    pooled: Callable[[Sequence[Sequence[int]]], Floats] | None = None


def encode_texts(reader: Reader, texts: Sequence[str], tokens: bool) -> Encoding:
    """Encode each distinct text once and put the results in the order of `texts`."""
    places, order = distinct(texts)
    vectors = np.empty((len(places), reader.dimension), np.float32)
    windows = np.empty(len(places), np.int64)
    states: list[TokenStates] = []
    done = 0
    for chunk in chunks(places, CHUNK_TEXTS, CHUNK_CHARACTERS):
        here = slice(done, done + len(chunk))
        vectors[here], windows[here], found = _encode_chunk(reader, chunk, tokens)
        states.extend(found)
        done += len(chunk)
    joined = tuple(states[place] for place in order) if tokens else None
    if len(places) < len(texts):
        vectors, windows = vectors[order], windows[order]
    return Encoding(vectors, windows, joined)


def count_windows(reader: Reader, texts: Sequence[str]) -> list[int]:
    """In how many windows each text would be read; nothing is run but the tokeniser."""
    pieces = reader.tokenise([readable(text) for text in texts])
    return [len(cut(reader, place, ids)) for place, ids in enumerate(pieces)]


def distinct(texts: Sequence[str]) -> tuple[dict[str, int], NDArray[np.int64]]:
    """The different texts, each with its place, and the place of every text given.

    >>> distinct(["a", "b", "a"])
    ({'a': 0, 'b': 1}, array([0, 1, 0]))
    """
    if isinstance(texts, str):
        raise ConfigError("encode takes a list of texts, not one text; write encode([text])")
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    return places, np.fromiter((places[text] for text in texts), np.int64, len(texts))


def chunks(texts: Iterable[str], most: int, characters: int) -> Iterator[list[str]]:
    """Runs of at most `most` texts and `characters` characters; a longer text stands alone.

    >>> list(chunks(["a", "bcdef", "g", "h", "i"], 2, 4))
    [['a'], ['bcdef'], ['g', 'h'], ['i']]
    """
    chunk: list[str] = []
    held = 0
    for text in texts:
        if chunk and (len(chunk) == most or held + len(text) > characters):
            yield chunk
            chunk, held = [], 0
        chunk.append(text)
        held += len(text)
    if chunk:
        yield chunk


def cut(reader: Reader, text: int, ids: Sequence[int]) -> list[Window]:
    """The windows of one text: as few as hold all pieces, of lengths that differ by 1 at most."""
    room = reader.window - len(reader.before) - len(reader.after)
    count = max(1, -(-len(ids) // room))
    edges = [len(ids) * number // count for number in range(count + 1)]
    found = []
    for start, end in pairwise(edges):
        marked = [*reader.before, *ids[start:end], *reader.after]
        found.append(Window(text, start, marked if marked else [reader.blank]))
    return found


def batches(windows: Sequence[Window], budget: int) -> Iterator[list[Window]]:
    """Windows of like length together, at most `budget` tokens a batch with padding."""
    batch: list[Window] = []
    for window in sorted(windows, key=lambda one: len(one.ids), reverse=True):
        if batch and (len(batch) + 1) * len(batch[0].ids) > budget:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch


def padded(ids: Sequence[Sequence[int]], pad: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Token ids and attention mask, both (windows B, longest T), padded on the right."""
    longest = max(len(row) for row in ids)
    tokens = np.full((len(ids), longest), pad, np.int64)
    mask = np.zeros((len(ids), longest), np.int64)
    for place, row in enumerate(ids):
        tokens[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return tokens, mask


def _encode_chunk(
    reader: Reader, texts: Sequence[str], tokens: bool
) -> tuple[Floats, NDArray[np.int64], list[TokenStates]]:
    pieces = reader.tokenise([readable(text) for text in texts])
    cuts = [cut(reader, place, ids) for place, ids in enumerate(pieces)]
    totals = np.zeros((len(texts), reader.dimension), np.float64)
    weights = np.zeros(len(texts), np.int64)
    parts: list[dict[int, Floats]] = [{} for _ in texts]  # by first piece, a window's states
    for batch in batches([window for one in cuts for window in one], reader.budget):
        ids = [window.ids for window in batch]
        lengths = np.array([len(one) for one in ids])
        owners = [window.text for window in batch]
        if tokens or reader.pooled is None:
            found = reader.run(ids)  # (B, T, D)
            vectors = _pool(found, lengths, reader.pooling)
            for window, rows in zip(batch, found, strict=True) if tokens else ():
                parts[window.text][window.start] = rows[: len(window.ids)].copy()
        else:
            vectors = reader.pooled(ids)
        np.add.at(totals, owners, vectors * lengths[:, None])
        np.add.at(weights, owners, lengths)
    counts = np.array([len(one) for one in cuts], np.int64)
    joined = zip(parts, pieces, strict=True) if tokens else ()
    states = [_join_windows(reader, own, len(ids)) for own, ids in joined]
    return unit(totals / weights[:, None]), counts, states


def _join_windows(reader: Reader, windows: dict[int, Floats], pieces: int) -> TokenStates:
    """The states of one text of some pieces; marks between its windows are left out."""
    before, after = len(reader.before), len(reader.after)
    rows = [windows[start] for start in sorted(windows)]
    inner = [part[before : len(part) - after] for part in rows]
    states = np.concatenate([rows[0][:before], *inner, rows[-1][len(rows[-1]) - after :]])
    mask = np.zeros(len(states), np.bool_)
    mask[before : before + pieces] = True
    return TokenStates(states, mask)


def unit(vectors: NDArray[np.float64]) -> Floats:
    """Each row brought to length 1; a row of zeros stays.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]], dtype=float32)
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, np.where(lengths == 0, 1, lengths), dtype=np.float64).astype(
        np.float32
    )


def _pool(states: Floats, lengths: NDArray[np.int64], pooling: Pooling) -> Floats:
    """One vector a window (B, D) from its states (B, T, D); marks take part in the mean."""
    if pooling == "cls":
        return states[:, 0]
    if pooling == "last":
        return states[np.arange(len(states)), lengths - 1]
    inside = (np.arange(states.shape[1]) < lengths[:, None]).astype(np.float32)  # (B, T)
    summed: Floats = np.matmul(inside[:, None, :], states)[:, 0]
    return np.divide(summed, lengths[:, None], dtype=np.float32)
