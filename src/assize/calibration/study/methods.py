"""Every method of a study, by name; to add one, write a function of `Data`, add its row.

A method's function returns its rows: one prediction of the target for every form and seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assize.calibration.study import baselines, networks
from assize.calibration.study.data import Data, Rows
from assize.calibration.study.default import default
from assize.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Method:
    """A method: the group it is shown in, what it does, and how."""

    group: str
    run: Callable[[Data], Rows]

    @property
    def about(self) -> str:
        """The first line of the function's docstring."""
        return (self.run.__doc__ or "").strip().split("\n")[0]


METHODS: dict[str, Method] = {
    "random": Method("baselines", baselines.random),
    "argmax": Method("baselines", baselines.argmax),
    "expected": Method("baselines", baselines.expected),
    "scores": Method("baselines", baselines.scores),
    "constant": Method("baselines", baselines.constant),
    "rater-mean": Method("baselines", baselines.rater_mean),
    "ridge": Method("baselines", baselines.ridge),
    "main-only": Method("calibrated", networks.main_only),
    "network": Method("calibrated", networks.network),
    "released": Method("calibrated", networks.released),
    "default": Method("calibrated", default),
    "no-finetuning": Method("ablations", networks.no_finetuning),
    "no-pretraining": Method("ablations", networks.no_pretraining),
    "no-personalisation": Method("ablations", networks.no_personal),
    "mean-head": Method("ablations", networks.mean_head),
    "two-stages": Method("ablations", networks.two_stages),
    "leave-out": Method("ablations", networks.leave_out),
    "adapted": Method("weights", networks.adapted),
    "bargained": Method("weights", networks.bargained),
    "oracle": Method("oracles", networks.oracle),
    "oracle-alone": Method("oracles", networks.oracle_alone),
    "oracle-impersonal": Method("oracles", networks.oracle_impersonal),
    "oracle-of-others": Method("oracles", networks.oracle_of_others),
    "worth": Method("worth", networks.worth),
}
GROUPS = tuple(dict.fromkeys(method.group for method in METHODS.values()))
DEFAULT = tuple(group for group in GROUPS if group != "weights")


def chosen(names: Sequence[str]) -> dict[str, Method]:
    """The methods of these names and groups, also as tables print them (`rater mean`); ()
    chooses all but the group `weights`."""
    wanted = [name.replace(" ", "-") for name in names] or DEFAULT
    for name in wanted:
        if name not in METHODS and name not in GROUPS:
            known = f"groups are {', '.join(GROUPS)}; methods {', '.join(METHODS)}"
            raise ConfigError(f"no method {name!r}; {known}")
    return {
        name: method for name, method in METHODS.items() if name in wanted or method.group in wanted
    }
