from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.reference.metrics.porter import stem

LETTERS = "aeiouybcdlstz1"
ENDS = [
    "ational",
    "tional",
    "enci",
    "anci",
    "izer",
    "bli",
    "alli",
    "entli",
    "eli",
    "ousli",
    "ization",
    "ation",
    "ator",
    "alism",
    "iveness",
    "fulness",
    "ousness",
    "aliti",
    "iviti",
    "biliti",
    "fulli",
    "logi",
    "icate",
    "ative",
    "alize",
    "iciti",
    "ical",
    "ful",
    "ness",
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ment",
    "ent",
    "ion",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "ed",
    "ing",
    "ies",
    "ied",
    "eed",
    "y",
    "e",
    "ll",
    "s",
    "sses",
]
WORDS = st.builds(
    lambda root, ends: root + "".join(ends),
    st.text(LETTERS, max_size=6),
    st.lists(st.sampled_from(ENDS), max_size=3),
)


@pytest.mark.parametrize(
    ("word", "expected"),
    [  # the examples of Porter (1980), where NLTK's extensions leave them alone
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("feed", "feed"),
        ("agreed", "agre"), ("plastered", "plaster"), ("bled", "bled"), ("motoring", "motor"),
        ("sing", "sing"), ("conflated", "conflat"), ("troubled", "troubl"), ("sized", "size"),
        ("hopping", "hop"), ("falling", "fall"), ("filing", "file"), ("happy", "happi"),
        ("relational", "relat"), ("vietnamization", "vietnam"), ("hopefulness", "hope"),
        ("triplicate", "triplic"), ("adoption", "adopt"), ("probate", "probat"),
        ("controll", "control"), ("roll", "roll"),
    ],
)  # fmt: skip
def test_it_gives_the_stems_of_its_paper(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [("skies", "sky"), ("dying", "die"), ("ties", "tie"), ("spied", "spi"), ("enjoy", "enjoy")],
)
def test_it_has_the_extensions_of_nltk(word: str, expected: str) -> None:
    assert stem(word) == expected


@given(WORDS)
def test_it_is_nltks_stemmer(word: str) -> None:
    porter = pytest.importorskip("nltk.stem.porter")
    assert stem(word) == porter.PorterStemmer().stem(word)
