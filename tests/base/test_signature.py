"""Signatures stay what they were: each value here was made by a version that wrote it to files."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from assize.base.signature import content_hash, file_hash, json_hash, sign, sign_arrays, sign_text


def test_arrays_differ_by_their_last_bit() -> None:
    one, next_one = np.array([1.0]), np.nextafter(np.array([1.0]), 2)
    assert sign_arrays([], {"a": one}) != sign_arrays([], {"a": next_one})


ARRAYS = {"b": np.array([[3]], np.int64), "a": np.array([1.0, 2.0])}


@pytest.mark.parametrize(
    ("made", "was"),
    [
        (sign({"version": 3, "judge": "da"}, "prompt", Path("/x"), None), "9eef189d486f"),
        (sign_text("wilson|v1|95%"), "aa7b0843456e"),
        (json_hash({"b": 2, "a": (1, None)}, digits=16), "de41a38c6b373642"),
        (json_hash(["ü", 1]), "e32a9b65a064"),
        (json_hash([], 6), "4f53cd"),  # sha256 of "[]"
        (sign_arrays([2, "Q0", {"a": 1}], ARRAYS), "17b9d64a533b"),
        # Its length is part of a text's hash.
        (sign_text("a", 6), hashlib.blake2b(b"a", digest_size=3).hexdigest()),
    ],
    ids=[
        "a judge",
        "a statistic",
        "an encoder",
        "an imported item",
        "nothing",
        "a calibrator",
        "short",
    ],
)
def test_a_signature_stays_what_it_was(made: str, was: str) -> None:
    assert made == was


def test_content_is_hashed_piece_by_piece_and_so_are_files(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2, B.1
    assert content_hash("a", b"bc") == file_hash(tmp_path / "file") == known
    assert file_hash(tmp_path / "file", 16) == known[:16]


def test_text_that_is_no_unicode_has_a_hash_of_its_own() -> None:
    assert content_hash("\ud800") != content_hash("?")
