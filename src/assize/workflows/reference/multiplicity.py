"""How often two samples of a model say the same: `assize reference multiplicity`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

from assize.arguments import refuse_unknown
from assize.errors import ConfigError
from assize.formats import ItemsLike
from assize.judging.outcome import Estimates
from assize.judging.steps import Step
from assize.reference.multiplicity import experiment
from assize.reference.multiplicity.experiment import Experiment
from assize.reference.multiplicity.questions import given_questions
from assize.reference.multiplicity.result import Multiplicity
from assize.running import run_sync
from assize.running.progress import progress
from assize.workflows.allowed import check_range
from assize.workflows.asking import Asking, check_finished, folder_for, items_of, session_of
from assize.workflows.reading import log

_NOWHERE = Path("-")
_ASKED = ("seed", "samples")


@refuse_unknown
def measure_multiplicity(
    items: ItemsLike,
    model: str,
    *,
    out: str | Path | None = None,
    judge: str | None = None,
    questions: str | Path | Sequence[str] | None = None,
    n: int = 100,
    sample_temperature: float = 1.0,
    samples: int = 1,
    seed: int = 0,
    quiet: bool = False,
    **asking: Unpack[Asking],
) -> Multiplicity:
    """Measures how often two samples of a model at one place say the same.

    Places are open-ended questions, first turns and random turns of the
    conversations. Where the share is low, many turns would be right, and comparing
    with one reference is harsh. The same command continues an interrupted run.

    Args:
        items: paths, URLs, or - for standard input. In Python also records, dicts, tables.
        model: the model that is sampled, as provider:name.
        out: the run's folder. In Python None measures in memory.
        judge: says whether samples are equivalent, by default equivalent@ the same model.
        questions: a file of open-ended questions, one a line; the model writes them if unset.
        n: places of each kind.
        sample_temperature: of the samples, from 0 to 2.
        samples: the judge's samples a distribution, where no probabilities come.
        seed: seed of the places and of the models.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`. Its temperature is the judge's.

    Source: UPHELD, section 3.4 and table 2. Differs: the paper has one model write, sample and
    judge; here `judge` may be another. Its interval is missing; here it is Wilson's, widened
    for several turns of one conversation.

    Raises:
        ConfigError: the judge does not say whether texts are equivalent, or an argument is
            not allowed.
        DataError: an item cannot be read.
    """
    given: Any = {
        "out": out,
        "judge": judge,
        "questions": questions,
        "n": n,
        "seed": seed,
        "sample_temperature": sample_temperature,
        "samples": samples,
        "quiet": quiet,
        **asking,
    }
    found = run_multiplicity(items, model, **given)
    check_finished(found)
    return found


class MeasuringMultiplicity(Asking, total=False):
    """The arguments of `measure_multiplicity`, which say what each means."""

    out: str | Path | None
    judge: str | None
    questions: str | Path | Sequence[str] | None
    n: int
    sample_temperature: float
    samples: int
    seed: int
    quiet: bool


def run_multiplicity(
    items: ItemsLike, model: str, **given: Unpack[MeasuringMultiplicity]
) -> Multiplicity:
    """`measure_multiplicity`, told how far it came where it was interrupted."""
    with folder_for(given.get("out")) as folder:
        told = _experiment(items, model, folder, given)
        with progress("asking", None, quiet=given.get("quiet", False)) as advance:

            def on_step(_: Step) -> None:
                advance()

            return run_sync(lambda: experiment.measure_async(told, on_step=on_step, note=log.info))


def estimate_multiplicity(
    items: ItemsLike, model: str, **given: Unpack[MeasuringMultiplicity]
) -> Estimates:
    """What `measure_multiplicity` would take and cost, nothing being asked or written.

    What `out` and the cache hold already is not counted as calls.
    """
    out = given.get("out")
    told = _experiment(items, model, _NOWHERE if out is None else Path(out), given, dry=True)
    return run_sync(lambda: experiment.estimate(told))


def _experiment(
    items: ItemsLike, model: str, folder: Path, given: MeasuringMultiplicity, *, dry: bool = False
) -> Experiment:
    """What these arguments describe, the conversations read."""
    n, temperature = given.get("n", 100), given.get("sample_temperature", 1.0)
    check_range("n", n, 1)
    check_range("sample_temperature", temperature, 0, 2)
    if temperature == 0:
        raise ConfigError(
            "sample_temperature is 0, at which both samples are the same; the paper's is 1"
        )
    judge = given.get("judge")
    known = {*Asking.__annotations__, *_ASKED}
    asking: Any = {name: value for name, value in given.items() if name in known}
    judges = [f"equivalent@{model}" if judge is None else judge]
    session = session_of(items, judges, folder, asking, dry=dry)
    questions = given_questions(given.get("questions"), n)
    return Experiment(session, items_of(session, dry=dry), model, questions, n, temperature)
