"""Two versions side by side: `assize.compare`, over what a view holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from assize.conversation import Conversation, Item, Turn
from assize.errors import ConfigError
from assize.judgments import JudgmentTable
from assize.judgments.schema import table_of
from assize.judgments.table import names_array
from assize.versions.compared import VersionsCompared
from assize.versions.comparing import Comparing, compare_all
from assize.versions.matching import Pairing
from assize.versions.version import Version
from assize.webapp.dashboard.figures.panels import aggregated, panel_of
from assize.webapp.dashboard.prepared.view import FloatArray, IntArray, View

_JUDGE = "raters' mean"


def compare_groups(
    view: View,
    by: str,
    first: str,
    second: str,
    *,
    panel: str = "",
    questions: Sequence[str] = (),
    main: str = "",
    pairing: Pairing = "auto",
    keep: int = 10,
    seed: int = 0,
) -> VersionsCompared:
    """How conversations of one value of a field differ from those of another.

    Each conversation counts with the mean of the panel's numbers, so intervals are over
    conversations; the interval that also draws raters stands with the bands (`Band.apart`).
    Conversations are paired where their first prompts are the same and `assize.compare` would.

    Args:
        by: the field, such as `system`.
        first: the value that the second is compared with.
        questions: only these, with numbers; () for all.
        main: by which conversations to read are ordered; "" for the first.
        keep: how many conversations to read.

    Raises:
        ConfigError: there is no such field, value or question.
        DataError: nothing can be compared.
    """
    place = view.fields.place(by)
    words = list(view.fields.words[place])
    for name in (first, second):
        if name not in words:
            raise ConfigError(f"{by} is never {name!r}; it is {', '.join(words[:8])}")
    if first == second:
        raise ConfigError(f"both versions are {first!r}; choose two")
    numbered = [one.id for one in view.numbered]
    asked = list(questions) or numbered
    for name in asked:
        if view.question(name).id not in numbered:
            raise ConfigError(f"the answers to {name} have no order, and so no mean to compare")
    if not asked:
        raise ConfigError("no question here has numbers to compare")
    codes = view.fields.codes[place]
    versions = [
        _version(view, name, np.flatnonzero(codes == words.index(name)), panel, asked)
        for name in (first, second)
    ]
    how = Comparing(pairing=pairing, main=main or asked[0], keep=keep, seed=seed)
    return compare_all(versions, how=how)


def _version(view: View, name: str, units: Any, panel: str, asked: Sequence[str]) -> Version:
    every = view.ids.all()
    ids = [every[one] for one in units.tolist()]
    raters = panel_of(view, panel)
    rows: list[IntArray] = []
    about: list[IntArray] = []
    score: list[FloatArray] = []
    for question in asked:
        value = aggregated(view.cells(question), raters, view.size)[units]
        there = np.flatnonzero(~np.isnan(value))
        rows.append(there)
        about.append(np.full(len(there), len(about)))
        score.append(value[there])
    size = sum(map(len, rows))
    columns = {
        "item": names_array(ids, np.concatenate(rows)),
        "judge": names_array([_JUDGE], np.zeros(size, dtype=np.int64)),
        "question": names_array(list(asked), np.concatenate(about)),
        "score": pa.array(np.concatenate(score)),
    }
    known = [view.question(one) for one in asked]
    prompts = view.prompts[units].tolist()
    items: dict[str, Item] = {
        one: Conversation(one, (Turn("user", str(prompt)),))
        for one, prompt in zip(ids, prompts, strict=True)
        if prompt
    }
    return Version(name, JudgmentTable.from_arrow(table_of(columns, size), known), items)
