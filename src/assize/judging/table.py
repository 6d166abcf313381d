"""Every judge there is, by name; a row is a lazy import, so that nothing imports upwards.

To add a judge: copy the smallest file of `judges/` (`io.py`), put its prompt into
`prompts/`, add its row here, mirror its test. A row names a `Method`, or something with
`about`, a line for users, and `open(target, context)`, which makes the `Judge`; `target` is
what stands behind the `@`: a model, or a trained artefact. A row with `variants` also takes
`name/variant@target`, and finds the variant in the context. What a judge may be told besides
stands in `options.py`.

Judges from elsewhere: a `Judge` of one's own, `module:name`, a prompt file (all in `own/`), and
what installed packages offer by entry points of the group `assize.judges`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

from assize.base.arguments import did_you_mean
from assize.base.errors import ConfigError
from assize.base.own_code import imported, is_typed
from assize.base.plugins import Group, Plugin, plugins
from assize.judging.judge import Judge, JudgeContext, Prepared
from assize.judging.method import Method
from assize.judging.options import check, own
from assize.judging.prompt_judge import open_method
from assize.judgments.judges import usual
from assize.judgments.questions import SET, Apart, alike

if TYPE_CHECKING:
    from assize.judging.session import Session
    from assize.models import Models

GROUP: Group = "assize.judges"  # entry points by which installed packages add judges

JUDGES: dict[str, str] = {
    "io": "assize.judging.judges.io:IO",
    "io-fewshot": "assize.judging.judges.io:IO_FEWSHOT",
    "io-paper": "assize.judging.judges.io:IO_PAPER",
    "io-paper-fewshot": "assize.judging.judges.io:IO_PAPER_FEWSHOT",
    "explained": "assize.judging.judges.explained:EXPLAINED",
    "explained-fewshot": "assize.judging.judges.explained:EXPLAINED_FEWSHOT",
    "explained-paper": "assize.judging.judges.explained:EXPLAINED_PAPER",
    "explained-paper-fewshot": "assize.judging.judges.explained:EXPLAINED_PAPER_FEWSHOT",
    "pairwise": "assize.judging.judges.explained:PAIRWISE",
    "dimensions": "assize.judging.judges.dimensions:DIMENSIONS",
    "da": "assize.acts._da:DA",
    "da-paper": "assize.acts._echo:DA_PAPER",
    "da-intents": "assize.acts._da:DA_INTENTS",
    "maxim": "assize.acts._maxim:MAXIM",
    "maxim-zeroshot": "assize.acts._maxim:MAXIM_ZEROSHOT",
    "acts": "assize.acts._act_judge:ACTS",
    "geval-engagingness": "assize.judging.judges.geval:ENGAGINGNESS",
    "geval-helpfulness": "assize.judging.judges.geval:HELPFULNESS",
    "debate": "assize.judging.judges.debate:DEBATE",
    "reward": "assize.judging.judges.reward:REWARD",
    "evaluator": "assize.evaluator._judge:EVALUATOR",
    "ensemble": "assize.reference._ensemble.judge:ENSEMBLE",
    "rating": "assize.judging.judges.rating:RATING",
    "rating-dimensions": "assize.judging.judges.rating:RATING_DIMENSIONS",
    "rubric": "assize.rubric._adaptive:RUBRIC",
    "factscore": "assize.rubric._factscore:FACTSCORE",
    "criteria": "assize.criteria._judge:CRITERIA",
    "equivalent": "assize.reference._judges.methods:EQUIVALENT_JUDGE",
    "equivalent-explained": "assize.reference._judges.methods:EQUIVALENT_EXPLAINED",
    "natural-explained": "assize.reference._judges.methods:NATURAL_EXPLAINED",
    "reasonable": "assize.reference._judges.methods:REASONABLE_JUDGE",
    "equivalence": "assize.reference._judges.methods:EQUIVALENCE",
    "equivalence-explained": "assize.reference._judges.methods:EQUIVALENCE_EXPLAINED",
    "guidelines-content": "assize.reference._judges.methods:GUIDELINES_CONTENT",
    "guidelines-style": "assize.reference._judges.methods:GUIDELINES_STYLE",
    "guidelines-reasonableness": "assize.reference._judges.methods:GUIDELINES_REASONABLENESS",
    "metrics": "assize.reference._metrics.judge:METRICS_JUDGE",
    "tool-calls": "assize.judging.judges.tool_calls:TOOL_CALLS_JUDGE",
    "mtdeval-rating": "assize.judging.judges.published.mtdeval:MTDEVAL_RATING",
    "mtdeval-pairwise": "assize.judging.judges.published.mtdeval:MTDEVAL_PAIRWISE",
    "prometheus": "assize.judging.judges.published.prometheus:PROMETHEUS",
    "prometheus2": "assize.judging.judges.published.prometheus:PROMETHEUS2",
    "prometheus2-pairwise": "assize.judging.judges.published.prometheus:PROMETHEUS2_PAIRWISE",
    "autoj": "assize.judging.judges.published.autoj:AUTOJ",
    "autoj-pairwise": "assize.judging.judges.published.autoj:AUTOJ_PAIRWISE",
    "armorm": "assize.judging.judges.published.objectives:ARMORM",
    "samer": "assize.judging.judges.published.objectives:SAMER",
}

ALONE = frozenset({"metrics", "tool-calls"})
"""Judges that need nothing behind the `@`."""


class Offer(Protocol):
    """What a row of the table names, where it is no `Method`."""

    @property
    def about(self) -> str:
        """One line for users."""
        ...

    def open(self, target: str, context: JudgeContext) -> Judge:
        """The judge that asks this model, or uses this artefact."""
        ...


def offer(name: str) -> Offer | Method:
    """The row of a judge that asks a model or uses an artefact, imported.

    Raises:
        ConfigError: the name is unknown, or the package that offers it is broken.
    """
    if name in JUDGES:
        module, _, attribute = JUDGES[name].partition(":")
        found: Offer | Method = getattr(import_module(module), attribute)
        return found
    offered = plugins(GROUP)
    if name not in offered:
        known = (*JUDGES, *offered)
        raise ConfigError(
            f"no judge {name!r}; {did_you_mean(name, known)}known are {', '.join(known)}; {_OWN}"
        )
    made = loaded(offered[name])
    if is_judge(made):
        raise ConfigError(f"judge {name!r} asks no model: write {name} alone")
    asks: Offer | Method = made  # type: ignore[assignment]  # a guard tells only one side
    return asks


_OWN = "one of your own is written module:name, or prompt.jinja@model"
_NEEDS = ("name", "kind", "questions", "takes", "signature", "rows_vary", "judge")


def is_judge(made: Any) -> TypeGuard[Judge]:
    """Whether something is a judge already, rather than makes one of a model."""
    return not isinstance(made, type) and all(hasattr(made, one) for one in _NEEDS)


def loaded(plugin: Plugin) -> Offer | Method | Judge:
    """What an installed package offers as a judge; raises ConfigError where it is none."""
    made = plugin.load()
    if not _usable(made):
        raise plugin.broken(f"received {made!r:.60}; expected {_EXPECTED}")
    return made  # type: ignore[no-any-return]


_EXPECTED = "what @assize.judge_function makes, a Judge, a Method, or an object with `open`"


def _usable(made: Any) -> bool:
    opens = callable(getattr(made, "open", None)) and hasattr(made, "about")
    return is_judge(made) or isinstance(made, Method) or (opens and not isinstance(made, type))


def open_judge(written: str | Judge | Prepared, context: JudgeContext) -> Judge:
    """The judge that users write, or bring.

    Args:
        written: `name@target` or `name/variant@target`; `prompt.jinja@model` for a prompt
            file; `module:name` for a judge that is imported, `module:name@target` where it
            asks a model; the name alone of a judge that an installed package brings; or a
            judge itself, or one that is prepared.

    Raises:
        ConfigError: there is none, or it has not the variant or an option in the context.
        DataError: a prompt file is not what it must be.
    """
    if isinstance(written, Prepared):
        check([written.name], context.options)
        return written.open(context)
    if not isinstance(written, str):
        return _given(written)
    written = usual(written)
    check([written], context.options)
    file, is_file, target = _parted(written)
    if is_file:
        return _from_file(file, target, context)
    name, at, target = written.partition("@")
    if is_typed(name):
        return _made(imported(name), written, name, target, context)
    if not at and name and name not in JUDGES and name in (offered := plugins(GROUP)):
        return _made(loaded(offered[name]), written, name, "", context)
    name, slash, variant = name.partition("/")
    if not target and (at or name not in ALONE):
        near = "" if name in JUDGES else did_you_mean(name, JUDGES)
        raise ConfigError(
            f"no judge {written!r}; {near}write name@model, such as io@openai:gpt-4o; {_OWN}"
        )
    found = offer(name)
    if isinstance(found, Method) and not slash:
        return open_method(found, target, context)
    if isinstance(found, Method) or (slash and not getattr(found, "variants", False)):
        raise ConfigError(f"{name} has no variants, such as {variant!r}; write {name}@{target}")
    return found.open(target, replace(context, variant=variant))


def _given(made: Any) -> Judge:
    if is_judge(made):
        return made
    tip = "; decorate it with @assize.judge_function" if callable(made) else ""
    raise ConfigError(f"received {made!r:.80}; expected a judge, or its name{tip}")


def _parted(written: str) -> tuple[str, bool, str]:
    """A prompt file and its model, and whether it is one; its path may hold an @."""
    if written.endswith(".jinja"):
        return written, True, ""
    file, is_file, target = written.partition(".jinja@")
    return f"{file}.jinja", bool(is_file), target


def _from_file(file: str, target: str, context: JudgeContext) -> Judge:
    from assize.judging.own.prompt_file import load_method

    method = load_method(file)
    if method.name in JUDGES:
        raise ConfigError(f"{file} is named {method.name!r}, as a judge of assize; rename it")
    if not target:
        raise ConfigError(f"a prompt file asks a model: write {file}@openai:gpt-4o")
    return open_method(method, target, context)


def _made(made: Any, written: str, name: str, target: str, context: JudgeContext) -> Judge:
    """The judge that something imported is, or makes of the target."""
    if not _usable(made):
        tip = " (decorate the function with @assize.judge_function)" if callable(made) else ""
        raise ConfigError(f"{name} is {made!r:.60}; expected {_EXPECTED}{tip}")
    if is_judge(made):
        if target:
            raise ConfigError(f"{name} asks no model: write {name} and not {written}")
        return made
    if not target:
        raise ConfigError(f"{name} asks a model: write {name}@openai:gpt-4o")
    if isinstance(made, Method):
        return open_method(made, target, context)
    opened: Judge = made.open(target, context)
    return opened


def open_judges(written: Sequence[str | Judge | Prepared], context: JudgeContext) -> list[Judge]:
    """The judges, each with those of the options that are for it.

    Raises:
        ConfigError: as for one judge; or an option is for none of them.
    """
    check([name for one in written if (name := _name(one)) is not None], context.options)
    names = frozenset(usual(judge) for judge in written if isinstance(judge, str))
    context = replace(context, judge_names=names)
    opened = [
        open_judge(one, replace(context, options=own(_name(one) or "", context.options)))
        for one in written
    ]
    return _told_apart(opened)


def open_session_judges(session: Session, models: Models) -> list[Judge]:
    """Return the judges of a session."""
    context = JudgeContext(models, session.asked, options=session.options)
    return open_judges(session.judges, context)


def _told_apart(judges: Sequence[Judge]) -> list[Judge]:
    """The judges, in which questions of sets that differ have names of their own."""
    apart, found = Apart(differ=lambda one, two: not alike(one, two)), list[Judge]()
    for judge in judges:
        before, now = apart.enter(judge.questions)
        found = [_renamed(one, before) for one in found]
        found.append(_renamed(judge, now))
    return found


def _renamed(judge: Judge, names: Mapping[str, str]) -> Judge:
    """The judge with new names for those of its questions that belong to a set."""
    own = {one.id: names[one.id] for one in judge.questions if one.id in names and SET in one.extra}
    renamed: Callable[[Mapping[str, str]], Judge] | None = getattr(judge, "renamed", None)
    return judge if not own or renamed is None else renamed(own)


def _name(written: str | Judge | Prepared) -> str | None:
    """The name by which a judge has options; None where it is opened already."""
    if isinstance(written, Prepared):
        return written.name
    return written if isinstance(written, str) else None
