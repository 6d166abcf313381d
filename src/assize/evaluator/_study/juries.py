"""Which judges a study learns from: each alone, all, and the juries of MTDEval's table 3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from assize.base.errors import ConfigError
from assize.evaluator._study.targets import learnt_from
from assize.evaluator._study.voted_pairs import VotedPairs

FEWEST = 5  # judges of which two can be spared


@dataclass(frozen=True, slots=True)
class Jury:
    """Some of the judges.

    Args:
        name: such as `default` or `- gpt-4`.
        judges: their names.
        about: what was changed, in words.
    """

    name: str
    judges: tuple[str, ...]
    about: str = ""


def by_reliability(data: VotedPairs) -> list[tuple[str, float]]:
    """Judges with (alpha + beta) / 2 as the votes alone say, the most reliable first.

    Gold is not looked at. Judges with one reliability stand in their order of appearance.
    """
    found = learnt_from(data.votes)
    mean = np.nan_to_num(((found.alpha + found.beta) / 2)[:, 0], nan=0.5)
    order = np.argsort(-mean, kind="stable").tolist()
    return [(data.judges[at], float(mean[at])) for at in order]


def juries_of(
    data: VotedPairs, *, weak: str | None = None, strong: str | None = None
) -> list[Jury]:
    """The default jury, then one without its most reliable judge, one in which that judge gives
    way to a weaker one, and one with a strong judge more.

    Args:
        weak, strong: judges kept out of the default jury for that; by default, where there are
            five judges or more, the least reliable one and the second most reliable one.

    Juries that cannot be made of these judges are absent: nobody is spared of four.

    Raises:
        ConfigError: there is no such judge, or both are one.

    Source: MTDEval (Tang et al.), section 5.5 and table 3. Differs: who is most reliable is learnt
    from the votes of all judges, and the exchanged judge is the default jury's most reliable one.
    """
    for name in (weak, strong):
        if name is not None and name not in data.judges:
            raise ConfigError(f"no judge {name!r} voted here; there are {', '.join(data.judges)}")
    if weak is not None and weak == strong:
        raise ConfigError(f"{weak!r} cannot be the weak judge and the strong one")
    order = [name for name, _ in by_reliability(data)]
    if len(order) >= FEWEST:
        weak = _first(reversed(order), strong) if weak is None else weak
        strong = _first(order[1:], weak) if strong is None else strong
    spared = {weak, strong}
    default = tuple(name for name in data.judges if name not in spared)
    if len(default) < 2:
        return [Jury("default", data.judges, "all judges")]
    best = next(name for name in order if name in default)
    rest = tuple(name for name in default if name != best)
    found = [
        Jury("default", default, f"{len(default)} judges"),
        Jury(f"- {best}", rest, "without its most reliable judge"),
    ]
    if weak is not None:
        found.append(Jury(f"{weak} for {best}", (*rest, weak), "a weaker judge in its place"))
    if strong is not None:
        found.append(Jury(f"+ {strong}", (*default, strong), "with a strong judge more"))
    return found


def _first(names: Iterable[str], other: str | None) -> str:
    return next(name for name in names if name != other)
