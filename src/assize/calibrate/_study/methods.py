"""Every method of a study, by name; to add one, write a function of `Data`, add its row.

A method's function returns its rows: one prediction of the target for every form and seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from assize.base.errors import ConfigError
from assize.calibrate._study import baselines, networks
from assize.calibrate._study.data import Data, Rows


@dataclass(frozen=True, slots=True)
class Method:
    """A method: the group it is shown in, what it does, and the names of its rows in print.

    `rows` are patterns (`without *`); without any, the row has the method's name.
    """

    group: str
    run: Callable[[Data], Rows]
    rows: tuple[str, ...] = ()

    @property
    def about(self) -> str:
        """The first line of the function's docstring."""
        return (self.run.__doc__ or "").strip().split("\n")[0]


METHODS: dict[str, Method] = {
    "random": Method("baselines", baselines.random),
    "argmax": Method("baselines", baselines.argmax),
    "expected": Method("baselines", baselines.expected),
    "scores": Method("baselines", baselines.scores, ("score: *",)),
    "constant": Method("baselines", baselines.constant),
    "rater-mean": Method("baselines", baselines.rater_mean, ("rater mean",)),
    "ridge": Method("baselines", baselines.ridge),
    "main-only": Method("calibrated", networks.main_only, ("main question only",)),
    "network": Method("calibrated", networks.network),
    "released": Method("calibrated", networks.released, ("network as released",)),
    "default": Method("calibrated", baselines.default),
    "no-finetuning": Method("ablations", networks.no_finetuning, ("no fine-tuning",)),
    "no-pretraining": Method("ablations", networks.no_pretraining, ("no pre-training",)),
    "no-personalisation": Method("ablations", networks.no_personal, ("no personalisation",)),
    "mean-head": Method("ablations", networks.mean_head, ("mean head",)),
    "two-stages": Method("ablations", networks.two_stages, ("two-stage training",)),
    "leave-out": Method("ablations", networks.leave_out, ("without *",)),
    "oracle": Method("oracles", networks.oracle),
    "oracle-alone": Method("oracles", networks.oracle_alone, ("oracle, no model",)),
    "oracle-impersonal": Method("oracles", networks.oracle_impersonal, ("oracle, impersonal*",)),
    "oracle-of-others": Method("oracles", networks.oracle_of_others, ("oracle of others*",)),
    "worth": Method("worth", networks.worth, ("* as answered",)),
}
GROUPS = tuple(dict.fromkeys(method.group for method in METHODS.values()))


def chosen(names: Sequence[str]) -> dict[str, Method]:
    """The methods of these names, groups and rows as tables print them; () chooses all."""
    wanted: set[str] = set()
    for name in names or GROUPS:
        found = {
            key
            for key, method in METHODS.items()
            if name in (key, method.group) or any(fnmatchcase(name, row) for row in method.rows)
        }
        if not found:
            known = f"groups are {', '.join(GROUPS)}; methods {', '.join(METHODS)}"
            raise ConfigError(f"no method {name!r}; {known}")
        wanted |= found
    return {name: method for name, method in METHODS.items() if name in wanted}
