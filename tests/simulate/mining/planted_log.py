"""A log of clicks whose queries, clusters and pages are known, and an encoder that sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assize.encoders.encoder import Encoding
from assize.simulate._mining.pages import Capture
from assize.simulate._mining.queries import Asked

SUBJECTS = ("storage keys", "resource groups", "virtual machines", "cosmos pricing", "key vault")
BODY = "Here is what you have to know about it, step by step and with examples. " * 5


class BySubject:
    """Queries about one subject are close, those with the same words closer; reads no weights."""

    name = "by-subject"
    dimension = 16
    signature = "by-subject"
    details: Mapping[str, object] = {"encoder": "by-subject"}

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        rows = []
        for text in texts:
            row = np.zeros(16, dtype=np.float32)
            for at, one in enumerate(SUBJECTS):
                row[at] = float(one in text)
            row[5 + sum(map(ord, text)) % 11] += 0.6
            rows.append(row / max(float(np.linalg.norm(row)), 1e-6))
        vectors = np.array(rows, dtype=np.float32)
        return Encoding(vectors, np.ones(len(texts), dtype=np.int64))


def clicks() -> list[Asked]:
    """For each subject 8 queries, of which 7 lead to a satisfied click on the site; and others."""
    rows = []
    for subject in SUBJECTS:
        for number in range(8):
            query, stay = f"how to use {subject} {number}", 10 if number == 7 else 60
            rows.append(Asked(query, None, f"https://forum.org/{subject}/{number}", stay))
            rows.append(Asked(query, None, f"https://docs.org/{subject}", 5))
    rows += [Asked("forum login", None, "https://forum.org/login", 200), Asked("how about x")]
    return rows


def pages() -> dict[str, Capture]:
    """The pages of docs.org, one of them gone, and of the forum the first of each subject."""
    found = {}
    for number, subject in enumerate(SUBJECTS):
        found[f"docs.org/{subject}"] = Capture("", BODY, subject, 404 if number == 4 else 200)
        found[f"forum.org/{subject}/0"] = Capture("", BODY, subject)
    return found
