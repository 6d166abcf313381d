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
        terms: file of more words and phrases to treat as personal, one per line.
    """

    terms: str | Path | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """The clicked pages that become a corpus; broken ones, and those behind a login, never do.

    Args:
        pages: pages behind the clicks: JSON lines of address and html, or a folder of files.
        allowed: file of the addresses that may be used, one per line.
        least_words: minimum length of a page in words.

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
        documents: folders and files of pages to search: text, Markdown, HTML or JSONL (repeatable).
        index: folder to keep the index of the documents in, for the next run. Without documents the
            index that is there is searched.
        top: number of documents shown at once.
        words: passage length in words, 0 for whole pages.
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
        turns: fewest and most turns (a user turn with its answer), for example 2-10; or any.
        trivial: what to do if a user turn only greets or thanks: drop the conversation, or keep it.
        jargon: file of words and phrases that no turn may contain, one per line; or shipped, for a
            list of technical terms in English.
        coherence: model that checks that each conversation is coherent.

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
        given: use the recorded answers as one more source, which the conversation continues with
            where it is drawn.
        words: maximum difference between two answers to one turn in words, -1 for any.
        attempts: times to ask for an answer of the right length.
        sample_temperature: temperature of the models that answer, from 0 to 2.

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
        model: model that translates the conversations that pass the filters, before they are
            answered.
        language: language to translate into.

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
        consistent: keep only pairs on which every judge votes the same in both orders.
        consistent_on: questions that must be consistent, separated by commas, or all. Default: the
            deciding one.
        question: question that decides a pair's label. Default: Overall or preference.
        label: what decides a pair's label: majority, or a judge's name.
        balance: shares of A, B and ties to keep, for example 40/40/20, or none to keep pairs as
            they come.

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
