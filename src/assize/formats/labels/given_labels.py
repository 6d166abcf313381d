"""Labels in place of ratings: what `--label` says, as judgments, wherever something is learnt."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable

from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.formats.labels import ItemLabels, labels_of
from assize.formats.labels.labels import LABEL
from assize.judgments import JudgmentTable

log = logging.getLogger("assize")


def labels_as_ratings(
    items: Iterable[Item],
    label: str | ItemLabels,
    *,
    instead_of: object = None,
    called: str = "judgments",
    known: Collection[str] = (),
    question: str = LABEL,
) -> JudgmentTable:
    """The labels as answers by `gold` to a question: 1 for good, 0 for bad; the log counts them.

    Args:
        items: conversations, whose fields are looked up; none where labels are a file or a dict.
        label: as in `labels_of`.
        instead_of: what is given beside the labels, which must be nothing; `called` names it.
        known: ids of items, where there are no conversations.

    Raises:
        ConfigError: there are ratings too.
        DataError: no item has a label, or all have the same.
    """
    if instead_of is not None:
        raise ConfigError(f"give {called} or label: what is learnt comes from one of them")
    labels = labels_of(list(items) or None, label, known=known)
    for one in labels.notes:
        log.info(one)
    return labels.to_judgments(question)
