"""What `assize simulate` takes beside its inputs: a record for each thing that can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assize.base.arguments import check_range, check_word
from assize.base.errors import ConfigError
from assize.retrieval import Cutting
from assize.retrieval.stored import Documents
from assize.simulate._balance import shares_of
from assize.simulate._majority import MAJORITY
from assize.simulate._mining.pages import LEAST_WORDS


@dataclass(frozen=True, slots=True)
class Scrub:
    """Placeholders for names, mails, numbers and keys, put before any model is asked.

    `scrub` does the same to records that are written.

    Args:
        terms: a file of words and phrases that are personal too, one a line.
    """

    terms: str | Path | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """The clicked pages that become a corpus; broken ones, and those behind a login, never do.

    Args:
        pages: the pages: JSON lines of address and html, or a folder of files.
        allowed: a file of addresses that may be used, one a line.
        least_words: of a page that is kept.

    Raises:
        ConfigError: `least_words` is below 0.
    """

    pages: str | Path
    allowed: str | Path | None = None
    least_words: int = LEAST_WORDS

    def __post_init__(self) -> None:
        check_range("least_words", self.least_words, 0)


NOBODY = "none"
"""As `personas`: no user has a persona."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The documents that dialogues rest on, and how much of them is shown.

    Args:
        documents: folders or files of pages to search: text, Markdown, HTML, JSONL (repeatable).
        index: folder in which the index of the documents is kept, to be used again. Without
            documents the index that is there is searched.
        top: documents that are shown at once.
        words: length of a passage in words, 0 for whole pages.
        overlap: words that a passage shares with the one before.

    Raises:
        ConfigError: a number is out of its range.
    """

    documents: Documents | None = None
    index: str | Path | None = None
    top: int = 5
    words: int = 300
    overlap: int = 50

    def __post_init__(self) -> None:
        check_range("top", self.top, 1)
        check_range("words", self.words, 0)
        self.cutting()

    def cutting(self) -> Cutting:
        """Return how pages are cut into passages."""
        return Cutting(None, 0) if self.words == 0 else Cutting(self.words, self.overlap)


@dataclass(frozen=True, slots=True)
class ConversationFilters:
    """Which conversations are answered again.

    Args:
        turns: fewest and most turns, a turn being the user's with its answer; or any.
        trivial: what a turn of the user that only greets or thanks does: drop the
            conversation, or keep.
        jargon: a file of words and phrases, one a line, that no turn may hold; or shipped, for
            a list of technical terms in English.
        coherence: a model that says whether each conversation holds together.

    Raises:
        ConfigError: a value is not allowed.

    Source: MTDEval, appendix A.1.
    """

    turns: str = "2-10"
    trivial: Literal["drop", "keep"] = "drop"
    jargon: str | Path | None = None
    coherence: str | None = None

    def __post_init__(self) -> None:
        check_word("trivial", self.trivial, ("drop", "keep"))
        self.bounds()

    def bounds(self) -> tuple[int, int] | None:
        """Return the fewest and the most turns; None for any."""
        return None if self.turns == "any" else turns_of(self.turns)


@dataclass(frozen=True, slots=True)
class Answers:
    """How two sources answer the user's turns of each conversation.

    Args:
        given: the recorded answers are one more source, and lead where they are drawn.
        words: most words that two answers to one turn may differ by, -1 for any.
        attempts: times that an answer of the wrong length may be asked for.
        sample_temperature: temperature of the answers, from 0 to 2.

    Raises:
        ConfigError: a number is out of its range.
    """

    given: bool = False
    words: float = 10
    attempts: int = 3
    sample_temperature: float = 0.7

    def __post_init__(self) -> None:
        check_range("words", self.words, -1)
        check_range("attempts", self.attempts, 1)
        check_range("sample_temperature", self.sample_temperature, 0, 2)


@dataclass(frozen=True, slots=True)
class Translation:
    """What translates the conversations that pass the filters, before they are answered.

    Args:
        model: a model that translates what passed the filters, before it is answered.
        language: language that it translates into.

    Raises:
        ConfigError: no language is named.
    """

    model: str
    language: str = "English"

    def __post_init__(self) -> None:
        if not self.language.strip() or len(self.language) > 60:
            raise ConfigError(f"language {self.language!r:.80}: name one, such as English")


@dataclass(frozen=True, slots=True)
class PairChoice:
    """Which pairs are kept by what judges vote; by default as MTDEval is published.

    Args:
        consistent: keep pairs on which every judge votes the same in both orders.
        consistent_on: questions that must be consistent, with commas, or all; the deciding one if
            unset.
        question: question that decides a pair's label; Overall or preference if unset.
        label: what counts as a pair's label: majority, or a judge's name.
        balance: shares of A, B and ties, as 40/40/20, or none for as they come.

    Raises:
        ConfigError: `balance` holds no three shares.

    Source: MTDEval, section 3.1 and appendix A.
    """

    consistent: bool = True
    consistent_on: str | Sequence[str] | None = None
    question: str | None = None
    label: str = MAJORITY
    balance: str | None = "40/40/20"

    def __post_init__(self) -> None:
        self.shares()

    @property
    def needs_consistency(self) -> bool:
        """Whether judges must vote the same in both orders, on whatever questions."""
        return self.consistent or bool(self.consistent_on)

    @property
    def needs_votes(self) -> bool:
        """Whether any step looks at judgments."""
        return self.needs_consistency or self.shares() is not None

    def shares(self) -> tuple[float, float, float] | None:
        """Return the shares of A, B and ties; None where pairs are taken as they come."""
        return None if self.balance is None or self.balance == "none" else shares_of(self.balance)


ALL = PairChoice(consistent=False, balance="none")
"""Every pair, whatever was voted."""


def turns_of(text: str) -> tuple[int, int]:
    """The fewest and the most turns that a text such as `2-10` names."""
    low, dash, high = text.partition("-")
    known = low.strip().isdecimal() and (not dash or high.strip().isdecimal())
    bounds = (int(low), int(high if dash else low)) if known else (1, 0)
    if not 1 <= bounds[0] <= bounds[1]:
        raise ConfigError(f"turns {text!r}: give the fewest and the most, as 2-10")
    return bounds
