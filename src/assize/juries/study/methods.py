"""Who is compared: each judge alone, and the juries, written once for every model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from assize.errors import ConfigError
from assize.judgments.judges import resolve
from assize.juries.decide import Composition
from assize.juries.names import parse_cascade, parse_panel
from assize.juries.outcome import WhenUnscored

# Judges that a name without `@` stands for, each of them: what follows `@` is no language model.
ARTEFACTS = frozenset({"reward", "evaluator", "ensemble", "calibration"})
# The judges and juries that are looked at where none is named; those whose judges are there.
USUAL = (
    "io", "explained", "io-fewshot", "explained-fewshot", "geval-engagingness",
    "geval-helpfulness", "debate", "reward", "da", "maxim",
    "da > maxim", "da > maxim > explained", "da > maxim > reward",
    "maxim > da", "maxim > da > explained", "maxim > da > reward",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Method:
    """A judge alone, or a jury.

    Args:
        written: as it was asked for, `da > maxim`.
        composition: who sits; a name without `@` is the judge of whichever model is looked at.
    """

    written: str
    composition: Composition

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits, as written; none of a panel of all."""
        return self.composition.cascade or tuple(self.composition.panel)

    @property
    def alone(self) -> bool:
        """Whether it is a single judge."""
        return len(self.composition.cascade) == 1

    def of_model(self, model: str | None, known: Sequence[str], models: Sequence[str]) -> Method:
        """The method with its judges' full names, where they are there.

        Args:
            model: whose judges sit; None for a method that has none of its own.
            known: the judges that have judged.
            models: all that are compared: their judges do not stand in for each other.

        Raises:
            ConfigError: a judge is not there, or its name says too little.
        """
        full = {name: _full(name, model, known, models) for name in self.names}
        if len(set(full.values())) < len(full):
            raise ConfigError(f"{self.written}: one judge is named twice")
        own = self.composition
        panel = {full[name]: weight for name, weight in own.panel.items()}
        cascade = tuple(full[name] for name in own.cascade)
        return Method(self.written, replace(own, cascade=cascade, panel=panel))


def _full(name: str, model: str | None, known: Sequence[str], models: Sequence[str]) -> str:
    if name in known:
        return name
    if model is not None and f"{name}@{model}" in known:
        return f"{name}@{model}"
    theirs = {one for one in models if one != model}
    mine = [one for one in known if one.partition("@")[2] not in theirs]
    if model is not None and not any(one.startswith(name) for one in mine):
        raise ConfigError(f"there is no judgment by {name}@{model}")
    return resolve(name, mine)


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

    Where neither is given these are the usual ones (`USUAL`) whose judges are there, or the
    panel of all where there are none.

    Raises:
        ConfigError: nobody is called so, or a jury names a judge twice.
    """
    written = list(cascades) or ([] if panels else usual_of(known))
    asked = list(panels) or ([] if written else ["all"])
    juries = [
        Method(" > ".join(one), Composition(one, unscored=unscored))
        for name in written
        for one in expanded(name, known)
    ]
    boards = [_panel(one, unscored) for one in asked]
    for method in (*juries, *boards):
        _check(method, known)
    alone = dict.fromkeys(name for one in (*juries, *boards) for name in one.names)
    if any(not one.names for one in boards):
        alone |= dict.fromkeys(one for one in known if one.partition("@")[0] not in alone)
    single = [Method(name, Composition((name,), unscored=unscored)) for name in alone]
    return list({one.written: one for one in (*single, *juries, *boards)}.values())


def _panel(written: str, unscored: WhenUnscored) -> Method:
    weights: Mapping[str, float] = {} if written.strip() == "all" else parse_panel(written)
    composition = Composition(panel=weights, unscored=unscored)
    return Method(composition.written, composition)


def usual_of(known: Sequence[str]) -> list[str]:
    """Those of `USUAL` whose judges are among these.

    >>> usual_of(["da@m", "maxim@m", "ann"])
    ['da', 'maxim', 'da > maxim', 'maxim > da']
    """
    heads = {name.partition("@")[0] for name in known}
    return [one for one in USUAL if set(parse_cascade(one)) <= heads]


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
        if not any(one == name or one.startswith(name) for one in known):
            resolve(name, known)


def models_of(methods: Sequence[Method], known: Sequence[str]) -> tuple[str, ...]:
    """The language models whose judges the methods name without a model, as they appear.

    >>> models_of(methods_of(["da"], [], ["da@x", "da@y"]), ["da@x", "da@y", "maxim@z"])
    ('x', 'y')
    """
    heads = {name for one in methods for name in one.names if not _is_full(name, known)}
    parted = [one.partition("@") for one in known]
    found = [target for head, mark, target in parted if mark and head in heads - ARTEFACTS]
    return tuple(dict.fromkeys(found))


def bound(method: Method, known: Sequence[str], models: Sequence[str]) -> bool:
    """Whether the method is another one of each model."""
    of_models = {one.partition("@")[0] for one in known if one.partition("@")[2] in models}
    return any(name in of_models and not _is_full(name, known) for name in method.names)


def _is_full(name: str, known: Sequence[str]) -> bool:
    return "@" in name or name in known
