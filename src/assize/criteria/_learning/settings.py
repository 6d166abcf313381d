"""How criteria are learnt: the method, its switches, and what the papers leave open."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from assize.base.arguments import check_range
from assize.base.errors import ConfigError
from assize.criteria._criterion import Domain
from assize.judging.calls import Asker
from assize.judging.judge import JudgeSettings
from assize.models import Model

HOME = Path(__file__).parent.parent / "prompts"

Method = Literal["rubicon", "spur"]


@dataclass(frozen=True, slots=True)
class Rubicon:
    """RUBICON's way to learn criteria, with its switches on.

    Args:
        k: patterns a conversation, at most.
        mini_batch: patterns that are summed up together.
        domain_sensitisation: the domain in the prompts; rubicon has it, spur does not.
        design_principles: both sides' responsibility and Grice's maxims in the prompts; rubicon
            has them, spur does not.
        single_verb: ask for short assertions with a single verb, by default where the domain is
            in the prompts, as in the published ablation.
        deduplicate: merge criteria that mean the same; rubicon does, spur does not.
        similarity: cosine from which criteria are held together.
        encoder: what finds look-alikes.

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


@dataclass(frozen=True, slots=True)
class Spur(Rubicon):
    """RUBICON's baseline: one set of criteria a polarity, brought up to date batch by batch.

    Args:
        k: patterns a conversation, at most.
        mini_batch: patterns that are summed up together.
        size: criteria of each polarity that spur keeps.
        domain_sensitisation: the domain in the prompts.
        design_principles: both sides' responsibility and Grice's maxims in the prompts.
        single_verb: ask for short assertions with a single verb, by default where the domain is
            in the prompts.
        deduplicate: merge criteria that mean the same.
        similarity: cosine from which criteria are held together.
        encoder: what finds look-alikes.

    Source: Lin et al., arXiv 2403.12388.
    """

    domain_sensitisation: bool = False
    design_principles: bool = False
    deduplicate: bool = False
    size: int = 10


@dataclass(frozen=True, slots=True)
class Learning:
    """How criteria are learnt; None leaves a switch to the method, as `resolved` does.

    Source: RUBICON, section 3.2. It does not say how many patterns make a mini-batch, what
    temperature it asks at, or how look-alikes are found: 10, 0 and embeddings are ours.
    """

    method: Method = "rubicon"
    k: int = 3  # patterns a conversation, at most
    mini_batch: int = 10  # patterns that are summarised together
    size: int = 10  # criteria a polarity that `spur` keeps
    domain: Domain | None = None
    domain_sensitisation: bool | None = None  # DS: the domain's text in the prompts
    design_principles: bool | None = None  # CDP: both sides' responsibility, Grice's maxims
    single_verb: bool | None = None  # short assertions with a single verb; None follows DS
    deduplicate: bool | None = None
    similarity: float = 0.55  # cosine from which criteria are held together
    encoder: str = "minilm"  # that finds look-alikes
    language: str = "English"  # of patterns and criteria
    seed: int = 0  # of the order in which conversations are summarised

    def __post_init__(self) -> None:
        for name in ("k", "mini_batch", "size"):
            check_range(name, getattr(self, name), 1)
        check_range("similarity", self.similarity, 0, 1)
        if not self.language.strip():
            raise ConfigError("language is empty; name one, such as English", "language")

    @classmethod
    def of(cls, method: Rubicon, **others: Any) -> Learning:
        """Return the settings of a method, with what no method decides."""
        name: Method = "spur" if isinstance(method, Spur) else "rubicon"
        return cls(method=name, **asdict(method), **others).resolved()

    def resolved(self) -> Learning:
        """Every switch on or off: RUBICON has DS, CDP and deduplication, SPUR none of them."""
        usual = self.method == "rubicon"
        switches: dict[str, Any] = {
            name: usual if getattr(self, name) is None else getattr(self, name)
            for name in ("domain_sensitisation", "design_principles", "deduplicate")
        }
        single = self.single_verb
        single = switches["domain_sensitisation"] if single is None else single
        return replace(self, **switches, single_verb=single)

    def values(self) -> dict[str, Any]:
        """What prompts are told of it; resolve it first."""
        return {
            "domain": self.domain if self.domain_sensitisation else None,
            "principles": bool(self.design_principles),
            "single_verb": bool(self.single_verb),
            "language": self.language,
            "k": self.k,
            "size": self.size,
        }


def asker_of(model: Model, settings: JudgeSettings) -> Asker:
    """What asks the stages' prompts."""
    return Asker(model, settings, HOME, "criteria")
