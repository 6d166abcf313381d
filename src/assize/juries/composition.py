"""Who sits in a jury, and how they come to a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from assize.base.errors import ConfigError
from assize.juries.names import check_names, parse_cascade, parse_panel
from assize.juries.outcome import WhenUnscored


@dataclass(frozen=True, slots=True)
class Cascade:
    """A jury that asks one judge after the other: a tie passes on to the next.

    Args:
        judges: names, first asked first, also as `da > maxim`; a full name or its beginning.
        model: the model behind judges that are named without one; of stored votes, enough of its
            name to tell.

    Raises:
        ConfigError: a judge is named twice, or none is.
    """

    judges: str | Sequence[str]
    model: str | None = None

    def __post_init__(self) -> None:
        check_names(self.names, self.judges)

    @property
    def names(self) -> tuple[str, ...]:
        """The judges, first asked first."""
        return parse_cascade(self.judges) if isinstance(self.judges, str) else tuple(self.judges)

    def composition(self, unscored: WhenUnscored = "skip", seed: int = 0) -> Composition:
        """Return the jury, with what is done about unscored votes."""
        return Composition(self.names, model=self.model, unscored=unscored, seed=seed)


@dataclass(frozen=True, slots=True)
class Panel:
    """A jury in which all are heard: the majority of their votes, or of their weights.

    Args:
        judges: weights by name, or names that weigh the same, also as `da=2, maxim`; `all`.
        model: as of `Cascade`.

    Raises:
        ConfigError: a judge is named twice, or a weight is not above 0.
    """

    judges: str | Sequence[str] | Mapping[str, float] = "all"
    model: str | None = None

    def __post_init__(self) -> None:
        for name, weight in self.weights.items():
            if not 0 < weight < float("inf"):
                raise ConfigError(f"the weight of {name} is {weight:g}; it must be above 0")
        if not isinstance(self.judges, str | Mapping):
            check_names(tuple(self.judges), self.judges)

    @property
    def weights(self) -> dict[str, float]:
        """By judge; none where all are heard."""
        if isinstance(self.judges, str):
            return {} if self.judges.strip() == "all" else parse_panel(self.judges)
        if isinstance(self.judges, Mapping):
            return dict(self.judges)
        return dict.fromkeys(self.judges, 1.0)

    def composition(self, unscored: WhenUnscored = "skip", seed: int = 0) -> Composition:
        """Return the jury, with what is done about unscored votes."""
        return Composition(panel=self.weights, model=self.model, unscored=unscored, seed=seed)


@dataclass(frozen=True, slots=True)
class Reliability:
    """A panel that is weighed by what its votes tell of each judge.

    Of several questions, as of the judge `dimensions`, each is learnt.

    Args:
        judges: names, also as `da, maxim`; `all`.
        exchangeable: which side is called A is chance.
        tied: a judge is as often right where A is better as where B is.
        anchor: judges to trust, or the judge `gold`, whose labels then enter the fit.
        model: as of `Cascade`.

    Raises:
        ConfigError: a judge is named twice, or with a weight.
    """

    judges: str | Sequence[str] = "all"
    exchangeable: bool = False
    tied: bool = False
    anchor: str | Sequence[str] = ()
    model: str | None = None

    def __post_init__(self) -> None:
        self.composition()

    def composition(self, unscored: WhenUnscored = "skip", seed: int = 0) -> Composition:
        """Return the jury, with what is done about unscored votes."""
        return Composition(
            panel=Panel(self.judges).weights,
            reliability=True,
            exchangeable=self.exchangeable,
            tied=self.tied,
            anchor=(self.anchor,) if isinstance(self.anchor, str) else tuple(self.anchor),
            model=self.model,
            unscored=unscored,
            seed=seed,
        )


Jury = Cascade | Panel | Reliability
"""Who sits in a jury, and how they come to a verdict."""


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
            raise ConfigError("a cascade asks one after the other; leave panel, reliability out")
        for name in ("exchangeable", "tied", "anchor"):
            if getattr(self, name) and not self.reliability:
                raise ConfigError(
                    f"{name} is for reliability; add it, or leave it out", name, "reliability"
                )
        if self.reliability and any(weight != 1 for weight in self.panel.values()):
            raise ConfigError("reliability learns the weights; give names without any")

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
