"""Texts that an encoder cannot read, because most of their tokens are unknown to it.

Every unknown token has the same vector, so two such texts look alike whatever they say: all of
Thai is one point to an encoder of English words. What stands on a vector is then unscored. This
module alone decides; whoever compares vectors asks `unreadable` or `find_unreadable` first.

A known token without a letter or a digit, such as a full stop, counts on neither side: an unknown
word stays unknown with a mark behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assize.base.judgment import Unscored
from assize.encoders.cached import uncached
from assize.encoders.encoder import Encoder, readable

UNREADABLE = "unreadable"  # the reason
MOST_UNKNOWN = 0.5  # share of unknown tokens that a text may have and still be read
AT_ONCE = 512  # texts whose tokens are in memory together


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens of a text or of several: unknown to the encoder, and known with a letter or digit."""

    unknown: int = 0
    known: int = 0

    def __add__(self, other: TokenCounts) -> TokenCounts:
        return TokenCounts(self.unknown + other.unknown, self.known + other.known)

    @property
    def share(self) -> float:
        """Share of unknown tokens; 0 where no token counts.

        >>> TokenCounts(1, 3).share, TokenCounts().share
        (0.25, 0.0)
        """
        total = self.unknown + self.known
        return self.unknown / total if total else 0.0


class Vocabulary:
    """Which token stands for what is unknown, and which tokens hold neither letter nor digit.

    Args:
        pieces: each token's number.
        unknown: the number of the unknown token; None where the tokeniser has none.
    """

    def __init__(self, pieces: Mapping[str, int], unknown: int | None) -> None:
        self._unknown = unknown
        self._marks = {
            number for piece, number in pieces.items() if not any(map(str.isalnum, piece))
        }

    def count_tokens(
        self, texts: Sequence[str], tokenise: Callable[[Sequence[str]], Sequence[Sequence[int]]]
    ) -> list[TokenCounts]:
        """The counts of each text."""
        if self._unknown is None:
            return [TokenCounts()] * len(texts)
        counts: list[TokenCounts] = []
        for start in range(0, len(texts), AT_ONCE):
            part = [readable(text) for text in texts[start : start + AT_ONCE]]
            counts += [self._count(ids) for ids in tokenise(part)]
        return counts

    def _count(self, ids: Sequence[int]) -> TokenCounts:
        unknown = sum(number == self._unknown for number in ids)
        marks = sum(map(self._marks.__contains__, ids))
        return TokenCounts(unknown, len(ids) - unknown - marks)


def unreadable(encoder: Encoder, texts: Sequence[str]) -> Unscored | None:
    """Return why the encoder cannot read texts that are judged together; None where it can."""
    return _explain(encoder, sum(_token_counts(encoder, texts), TokenCounts()))


def find_unreadable(encoder: Encoder, texts: Sequence[str]) -> dict[int, Unscored]:
    """Return, by index, each text that the encoder cannot read, with the reason."""
    reasons = (_explain(encoder, counts) for counts in _token_counts(encoder, texts))
    return {index: reason for index, reason in enumerate(reasons) if reason is not None}


def _token_counts(encoder: Encoder, texts: Sequence[str]) -> list[TokenCounts]:
    """The counts of each text; an encoder that counts none, such as an endpoint, knows all."""
    count = getattr(uncached(encoder), "token_counts", None)
    if count is None or not texts:
        return [TokenCounts()] * len(texts)
    counts: list[TokenCounts] = count(texts)
    return counts


def _explain(encoder: Encoder, counts: TokenCounts) -> Unscored | None:
    if counts.share <= MOST_UNKNOWN:
        return None
    total = counts.unknown + counts.known
    return Unscored(
        UNREADABLE,
        f"the encoder {encoder.name} does not know {counts.unknown} of {total} tokens, so it cannot"
        " read this text; take an encoder that can",
    )
