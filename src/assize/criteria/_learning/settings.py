"""How criteria are learnt: the method, its switches, and what the papers leave open."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assize.base.arguments import check_range
from assize.base.errors import ConfigError
from assize.criteria._criterion import Domain
from assize.judging.calls import Asker
from assize.judging.judge import JudgeSettings
from assize.models import Model

HOME = Path(__file__).parent.parent / "prompts"


@dataclass(frozen=True, slots=True)
class Rubicon:
    """RUBICON's way to learn criteria, with its switches on.

    Args:
        k: maximum number of patterns per conversation.
        mini_batch: number of patterns to sum up together.
        domain_sensitisation: put the domain into the prompts; rubicon has it, spur does not.
        design_principles: put both sides' responsibilities and Grice's maxims into the prompts;
            rubicon has them, spur does not.
        single_verb: ask for short assertions with a single verb. Default: as in the published
            ablation, if the domain is in the prompts.
        deduplicate: merge criteria that mean the same; rubicon does, spur does not.
        similarity: cosine similarity from which two criteria are compared for merging.
        encoder: encoder that finds similar criteria.

    Source: Biyani et al., "RUBICON", AIware 2024, section 3.2.
    """

    k: int = 3
    mini_batch: int = 10
    domain_sensitisation: bool = True
    design_principles: bool = True
    single_verb: bool | None = None
    deduplicate: bool = True
    similarity: float = 0.55
    encoder: str = "minilm"

    def __post_init__(self) -> None:
        for name in ("k", "mini_batch", "size"):
            check_range(name, getattr(self, name, None), 1)
        check_range("similarity", self.similarity, 0, 1)


@dataclass(frozen=True, slots=True)
class Spur(Rubicon):
    """RUBICON's baseline: one set of criteria a polarity, brought up to date batch by batch.

    Args:
        k: maximum number of patterns per conversation.
        mini_batch: number of patterns to sum up together.
        size: with spur, number of criteria to keep per polarity.
        domain_sensitisation: put the domain into the prompts.
        design_principles: put both sides' responsibilities and Grice's maxims into the prompts.
        single_verb: ask for short assertions with a single verb, by default where the domain is
            in the prompts.
        deduplicate: merge criteria that mean the same.
        similarity: cosine similarity from which two criteria are compared for merging.
        encoder: encoder that finds similar criteria.

    Source: Lin et al., arXiv 2403.12388.
    """

    domain_sensitisation: bool = False
    design_principles: bool = False
    deduplicate: bool = False
    size: int = 10


@dataclass(frozen=True, slots=True)
class Learning:
    """How criteria are learnt: a method, and what no method decides.

    Source: RUBICON, section 3.2. It does not say how many patterns make a mini-batch, what
    temperature it asks at, or how look-alikes are found: 10, 0 and embeddings are ours.

    Args:
        language: of patterns and criteria.
        seed: of the order in which conversations are summarised.
    """

    how: Rubicon = Rubicon()
    domain: Domain | None = None
    language: str = "English"
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.language.strip():
            raise ConfigError("language is empty; name one, such as English", "language")

    @property
    def size(self) -> int | None:
        """Most criteria of each polarity, which SPUR brings up to date; None without a limit."""
        return self.how.size if isinstance(self.how, Spur) else None

    def values(self) -> dict[str, Any]:
        """What prompts are told of it."""
        how = self.how
        follows = how.domain_sensitisation if how.single_verb is None else how.single_verb
        return {
            "domain": self.domain if how.domain_sensitisation else None,
            "principles": how.design_principles,
            "single_verb": follows,
            "language": self.language,
            "k": how.k,
            "size": self.size,
        }


def asker_of(model: Model, settings: JudgeSettings) -> Asker:
    """What asks the stages' prompts."""
    return Asker(model, settings, HOME, "criteria")
