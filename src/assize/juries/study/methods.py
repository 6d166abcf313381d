"""Who is compared: each judge alone, and the juries, written once for every model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from assize.base.errors import ConfigError
from assize.judgments.judges import matching, resolve
from assize.juries.composition import Cascade, Jury, Panel
from assize.juries.names import parse_cascade
from assize.juries.outcome import WhenUnscored

# Judges that a name without `@` stands for, each of them: what follows `@` is no language model.
ARTEFACTS = frozenset({"reward", "evaluator", "ensemble", "calibration", "armorm", "samer"})
# The judges and juries that are looked at first where none is named; those whose judges are there.
ALONE = (
    "io",
    "io-paper",
    "explained",
    "explained-paper",
    "io-fewshot",
    "io-paper-fewshot",
    "explained-fewshot",
    "explained-paper-fewshot",
    "geval-engagingness",
    "geval-helpfulness",
    "debate",
    "reward",
    "da",
    "da-paper",
    "maxim",
    "maxim-zeroshot",
)
USUAL = (
    "da > maxim",
    "da > maxim > explained",
    "da > maxim > reward",
    "maxim > da",
    "maxim > da > explained",
    "maxim > da > reward",
)
# By judge of a usual jury, who else sits there.
FORMS = {"da": ("da", "da-paper"), "explained": ("explained", "explained-paper")}


@dataclass(frozen=True, slots=True)
class Method:
    """A judge alone, or a jury.

    Args:
        written: as it was asked for, `da > maxim`.
        jury: who sits; a name without `@` is the judge of whichever model is looked at.
    """

    written: str
    jury: Jury

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits, as written; none of a panel of all."""
        return self.jury.names

    def of_model(self, model: str | None, known: Sequence[str], every: Sequence[str]) -> Method:
        """The method with its judges' full names, where they are there.

        Args:
            model: whose judges sit; None for a method that has none of its own.
            known: the judges that have judged here.
            every: those that have judged anywhere.

        Raises:
            ConfigError: a judge is not there, or its name says too little.
        """
        full = {name: _full(name, model, known, every) for name in self.names}
        if len(set(full.values())) < len(full):
            raise ConfigError(f"{self.written}: one judge is named twice")
        judges: Any = tuple(full.values())
        if self.jury.weights:
            judges = {full[name]: weight for name, weight in self.jury.weights.items()}
        return Method(self.written, replace(self.jury, judges=judges or "all"))


def _full(name: str, model: str | None, known: Sequence[str], every: Sequence[str]) -> str:
    """Who a name is of a model; a judge of another model never stands in."""
    if _is_full(name, known):
        return resolve(name, known)
    found = _meant(name, model, known, every)
    if not found:
        raise ConfigError(f"there is no judgment by {name}" + (f"@{model}" if model else ""))
    return resolve(name, found)


def _meant(name: str, model: str | None, known: Sequence[str], every: Sequence[str]) -> list[str]:
    """Those of one model, or of none, whom a name can mean, as `resolve` has it; a name that is
    some judge's own means no other."""
    mine = [one for one in known if model_of(one) in (None, model)]
    if any(head_of(one) == name for one in every):
        return [one for one in mine if head_of(one) == name]
    return matching(name, mine)


def head_of(judge: str) -> str:
    """What stands before the model, without a signature's mark.

    >>> head_of("da@openai:gpt-4o"), head_of("io#1f0c9a@m")
    ('da', 'io')
    """
    return judge.partition("@")[0].partition("#")[0]


def model_of(judge: str) -> str | None:
    """The language model that a judge asks; None where it asks none.

    >>> model_of("da@openai:gpt-4o"), model_of("reward@hf:x"), model_of("ann")
    ('openai:gpt-4o', None, None)
    """
    head, _, target = judge.partition("@")
    return target if target and head not in ARTEFACTS else None


def methods_of(
    cascades: Sequence[str],
    panels: Sequence[str],
    known: Sequence[str],
    *,
    unscored: WhenUnscored = "skip",
) -> list[Method]:
    """Each judge that sits by itself, then the cascades, then the panels, each once.

    Args:
        cascades: `da > maxim`; `reward` stands for each reward model in turn.
        panels: `da=2, maxim`, or `all`.
        known: the judges that have judged, gold left out.

    Where neither is given these are the usual ones (see `usual_of`), or the panel of all where
    there are none.

    Raises:
        ConfigError: nobody is called so, or a jury names a judge twice.
    """
    written = list(cascades) or (
        [] if panels else usual_of([name for name in known if "@" in name])
    )
    asked = list(panels) or ([] if written else ["all"])
    juries = [
        Method(" > ".join(one), Cascade(one, unscored=unscored))
        for name in written
        for one in expanded(name, known)
    ]
    boards = [Method(one.written, one) for one in (Panel(p, unscored=unscored) for p in asked)]
    for method in (*juries, *boards):
        _check(method, known)
    alone = dict.fromkeys(name for one in (*juries, *boards) for name in one.names)
    if any(not one.names for one in boards):
        alone |= dict.fromkeys(one for one in known if one.partition("@")[0] not in alone)
    single = [Method(name, Cascade((name,), unscored=unscored)) for name in alone]
    return list({one.written: one for one in (*single, *juries, *boards)}.values())


def usual_of(known: Sequence[str]) -> list[str]:
    """Each of these judges alone, those that a paper has first; then the usual juries of them.

    >>> usual_of(["da@m", "maxim@m", "mine"])
    ['da', 'maxim', 'mine', 'da > maxim', 'maxim > da']
    """
    heads = dict.fromkeys(head_of(name) for name in known)
    alone = [one for one in ALONE if one in heads]
    juries = []
    for usual in USUAL:
        forms = [
            [form for form in FORMS.get(one, (one,)) if form in heads]
            for one in parse_cascade(usual)
        ]
        juries += [" > ".join(one) for one in product(*forms)]
    return [*alone, *(one for one in heads if one not in alone), *juries]


def expanded(written: str, known: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The names of a cascade, with each reward model, or each evaluator, where it names none.

    >>> list(expanded("da > reward", ["da@m", "reward@hf:x", "reward@hf:y"]))
    [('da', 'reward@hf:x'), ('da', 'reward@hf:y')]
    """
    each = []
    for name in parse_cascade(written):
        own = [one for one in known if one.partition("@")[0] == name]
        each.append(own if own and name in ARTEFACTS and name not in known else [name])
    yield from product(*each)


def _check(method: Method, known: Sequence[str]) -> None:
    """Refuses a name that nobody is called by, on any set or model."""
    for name in method.names:
        if not matching(name, known):
            resolve(name, known)


def models_of(methods: Sequence[Method], known: Sequence[str]) -> tuple[str, ...]:
    """The language models whose judges the methods name without a model, as they appear.

    >>> models_of(methods_of(["da"], [], ["da@x", "da@y"]), ["da@x", "da@y", "maxim@z"])
    ('x', 'y')
    """
    names = {name for one in methods for name in one.names if not _is_full(name, known)}
    targets = dict.fromkeys(target for one in known if (target := model_of(one)) is not None)
    return tuple(
        target
        for target in targets
        if any(
            model_of(one) == target for name in names for one in _meant(name, target, known, known)
        )
    )


def bound(method: Method, known: Sequence[str]) -> bool:
    """Whether the method is another one of each model."""
    return bool(models_of([method], known))


def _is_full(name: str, known: Sequence[str]) -> bool:
    return "@" in name or name in known
