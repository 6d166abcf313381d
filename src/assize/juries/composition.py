"""Who sits in a jury, and how they come to a verdict: a cascade, a panel, or learnt weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from assize.base.errors import ConfigError
from assize.juries.names import check_names, parse_cascade, parse_panel
from assize.juries.outcome import WhenUnscored


@dataclass(frozen=True)
class Jury:
    """Who sits; see `Cascade`, `Panel` and `Reliability`.

    Args:
        judges: names, a full one or its beginning.
        model: model behind judges that are named without one; of stored votes, enough of its name
            to tell.
        unscored: what is done about unscored votes; see `sit`.
        seed: of what is drawn for the intervals of reliabilities.

    Raises:
        ConfigError: a judge is named twice, or a weight is not above 0.
    """

    judges: str | Sequence[str] | Mapping[str, float] = "all"
    model: str | None = None
    unscored: WhenUnscored = "skip"
    seed: int = 0

    kind: ClassVar[Literal["cascade", "panel", "reliability"]] = "panel"

    def __post_init__(self) -> None:
        if self.names or not isinstance(self.judges, str):
            check_names(self.names, self.judges)
        for name, weight in self.weights.items():
            if not 0 < weight < float("inf"):
                raise ConfigError(f"the weight of {name} is {weight:g}; it must be above 0")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The judges as named; none where all are heard."""
        if isinstance(self.judges, str):
            return () if self.judges.strip() == "all" else tuple(parse_panel(self.judges))
        return tuple(self.judges)

    @cached_property
    def weights(self) -> dict[str, float]:
        """By judge; none where all are heard."""
        if isinstance(self.judges, Mapping):
            return dict(self.judges)
        if isinstance(self.judges, str) and self.names:
            return parse_panel(self.judges)
        return dict.fromkeys(self.names, 1.0)

    @property
    def written(self) -> str:
        """The jury in one line."""
        names = ", ".join(
            name if weight == 1 else f"{name}={weight:g}" for name, weight in self.weights.items()
        )
        return f"{self.kind} of {names or 'all'}"


@dataclass(frozen=True)
class Cascade(Jury):
    """A jury that asks one judge after the other: a tie passes on to the next.

    Args:
        judges: names, first asked first, also as `da > maxim`; a full name or its beginning.
        model: model behind judges that are named without one; of stored votes, enough of its name
            to tell.
        unscored: what is done about unscored votes; see `sit`.

    Raises:
        ConfigError: a judge is named twice, or none is.
    """

    kind = "cascade"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The judges, first asked first."""
        return parse_cascade(self.judges) if isinstance(self.judges, str) else tuple(self.judges)

    @cached_property
    def weights(self) -> dict[str, float]:
        """None: the first judge that decides is all that counts."""
        return {}

    @property
    def written(self) -> str:
        """The jury in one line."""
        return " > ".join(self.names)


@dataclass(frozen=True)
class Panel(Jury):
    """A jury in which all are heard: the majority of their votes, or of their weights.

    Args:
        judges: weights by name, or names that weigh the same, also as `da=2, maxim`; `all`.
        model: as of `Cascade`.
        unscored: as of `Cascade`.

    Raises:
        ConfigError: a judge is named twice, or a weight is not above 0.
    """


@dataclass(frozen=True)
class Reliability(Jury):
    """A panel that is weighed by what its votes tell of each judge.

    Of several questions, as of the judge `dimensions`, each is learnt.

    Args:
        judges: names, also as `da, maxim`; `all`.
        exchangeable: which side is called A is chance.
        tied: a judge is as often right where A is better as where B is.
        anchor: judges to trust, or the judge `gold`, whose labels then enter the fit.
        model: as of `Cascade`.
        unscored: as of `Cascade`.
        seed: of what is drawn for the intervals.

    Raises:
        ConfigError: a judge is named twice, or with a weight.
    """

    exchangeable: bool = False
    tied: bool = False
    anchor: str | Sequence[str] = ()

    kind = "reliability"

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(weight != 1 for weight in self.weights.values()):
            raise ConfigError("reliability learns the weights; give names without any")

    @property
    def anchors(self) -> tuple[str, ...]:
        """The judges to trust."""
        return (self.anchor,) if isinstance(self.anchor, str) else tuple(self.anchor)
