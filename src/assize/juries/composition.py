"""Who sits in a jury, and how they come to a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assize.errors import ConfigError
from assize.juries.outcome import WhenUnscored


@dataclass(frozen=True, slots=True)
class Composition:
    """Who sits, and how they come to a verdict.

    Args:
        cascade: names, first asked first; a full name or its beginning.
        panel: weights by name, where all are heard; every judge equally when neither is given.
        reliability: the panel's weights are learnt from the votes (`reliability.learn`).
        exchangeable, tied: for `reliability`; see `reliability.Learning`.
        anchor: for `reliability`: judges that are trusted, or the name of gold, whose labels
            then enter the fit.
        model: chooses among judges of one name, by enough of a model's name to tell.
        unscored: see `sit`.
        seed: of what is drawn for the intervals of reliabilities.
    """

    cascade: tuple[str, ...] = ()
    panel: Mapping[str, float] = field(default_factory=dict)
    reliability: bool = False
    exchangeable: bool = False
    tied: bool = False
    anchor: tuple[str, ...] = ()
    model: str | None = None
    unscored: WhenUnscored = "skip"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.cascade and (self.panel or self.reliability):
            raise ConfigError(
                "a cascade asks one after the other; leave --panel, --reliability out"
            )
        for name in ("exchangeable", "tied", "anchor"):
            if getattr(self, name) and not self.reliability:
                raise ConfigError(
                    f"{name} is for reliability; add it, or leave it out", name, "reliability"
                )
        if self.reliability and any(weight != 1 for weight in self.panel.values()):
            raise ConfigError("--reliability learns the weights; give --panel names without any")

    @property
    def kind(self) -> Literal["cascade", "panel", "reliability"]:
        """How the judges come to a verdict."""
        if self.cascade:
            return "cascade"
        return "reliability" if self.reliability else "panel"

    @property
    def written(self) -> str:
        """The jury in one line."""
        if self.cascade:
            return " > ".join(self.cascade)
        names = ", ".join(
            name if weight == 1 else f"{name}={weight:g}" for name, weight in self.panel.items()
        )
        return f"{self.kind} of {names or 'all'}"
