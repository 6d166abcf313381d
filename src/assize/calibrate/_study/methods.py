"""Every method of a study, by name; to add one, write a function of `Data`, add its row.

A method's function returns its rows: one prediction of the target for every form and seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from assize.base.errors import ConfigError
from assize.calibrate._network.settings import RELEASED
from assize.calibrate._study import baselines, networks
from assize.calibrate._study.data import Data, Rows
from assize.calibrate._study.networks import row


@dataclass(frozen=True, slots=True)
class Method:
    """A method: the group it is shown in, what it does, and the names of its rows in print.

    `rows` are patterns (`without *`); without any, the row has the method's name. Oracles need
    people's answers to other questions: without any, they have no rows.
    """

    group: str
    about: str
    run: Callable[[Data], Rows] = field(repr=False)
    rows: tuple[str, ...] = field(default=(), repr=False)


METHODS: dict[str, Method] = {
    "random": Method(
        "baselines",
        "An answer drawn at random; every answer equally probable.",
        baselines.random,
    ),
    "argmax": Method(
        "baselines",
        "The model's most probable answer to the target.",
        baselines.argmax,
    ),
    "expected": Method(
        "baselines",
        "The model's expected answer: over the answers' values, divided by their mass.",
        baselines.expected,
    ),
    "scores": Method(
        "baselines",
        "Scores given without answers to choose from (FActScore, metrics): only their order"
        " counts.",
        baselines.scores,
        ("score: *",),
    ),
    "constant": Method(
        "baselines",
        "How often each answer was given in what is fitted on, the same for every form.",
        baselines.constant,
    ),
    "rater-mean": Method(
        "baselines",
        "How often each rater gave each answer, with one form's weight of everyone's habit.",
        baselines.rater_mean,
        ("rater mean",),
    ),
    "ridge": Method(
        "baselines",
        "Ridge regression on expected answers, with an intercept of each rater's own.",
        baselines.ridge,
    ),
    "main-only": Method(
        "calibrated",
        "The network on the model's answer to the target alone, learning nothing else.",
        lambda data: row("main question only", data, networks.only_target(data.forms)),
        ("main question only",),
    ),
    "network": Method(
        "calibrated",
        "The published network, its settings searched inside every split.",
        lambda data: row("network", data),
    ),
    "released": Method(
        "calibrated",
        "The network at the one setting that its authors' code found best, and from its start.",
        lambda data: row("network as released", replace(data, grid=None, setting=RELEASED)),
        ("network as released",),
    ),
    "default": Method(
        "calibrated",
        "assize's default calibrator; without seeds of its own, but with each seed's folds.",
        baselines.default,
    ),
    "no-finetuning": Method(
        "ablations",
        "Trained on all questions and no more.",
        lambda data: row("no fine-tuning", data, finetune=0),
        ("no fine-tuning",),
    ),
    "no-pretraining": Method(
        "ablations",
        "Trained on the target alone.",
        lambda data: row("no pre-training", data, pretrain=0),
        ("no pre-training",),
    ),
    "no-personalisation": Method(
        "ablations",
        "One network for everyone, without raters' weights.",
        lambda data: row("no personalisation", data, personal=networks.IMPERSONAL),
        ("no personalisation",),
    ),
    "mean-head": Method(
        "ablations",
        "A head that predicts the mean directly, under squared error; no distribution.",
        lambda data: row("mean head", data, head="mean"),
        ("mean head",),
    ),
    "two-stages": Method(
        "ablations",
        "Pre-training in two stages: the raters' weights stay 0 in the first half.",
        lambda data: row("two-stage training", data, wait=max(1, data.setting.pretrain // 2)),
        ("two-stage training",),
    ),
    "leave-out": Method(
        "ablations",
        "The network without one question: neither its inputs nor its answers are learnt from.",
        networks.leave_out,
        ("without *",),
    ),
    "oracle": Method(
        "oracles",
        "The network that also sees the rater's true answers to the other questions.",
        lambda data: row("oracle", data, networks.with_truth(data.forms)),
    ),
    "oracle-alone": Method(
        "oracles",
        "The oracle without the model's probabilities.",
        lambda data: row("oracle, no model", data, networks.truth_alone(data.forms)),
        ("oracle, no model",),
    ),
    "oracle-impersonal": Method(
        "oracles",
        "The oracle without raters' weights; and that with each rater's isotonic regression.",
        networks.oracle_impersonal,
        ("oracle, impersonal*",),
    ),
    "oracle-of-others": Method(
        "oracles",
        "The depersonalised oracle: the *other* raters' average answers, no raters' weights.",
        networks.oracle_of_others,
        ("oracle of others*",),
    ),
    "worth": Method(
        "worth",
        "What a perfect answer to one question would be worth: only it is the rater's own.",
        networks.worth,
        ("* as answered",),
    ),
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
