"""How often two samples of a model say the same: `assize reference multiplicity`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assize.base.arguments import check_range
from assize.base.errors import ConfigError
from assize.formats import ItemsLike
from assize.judging.asking import DEFAULT, Asking, items_of, session_of
from assize.judging.plan import Plan, asks_models
from assize.judging.step_work import plan_steps
from assize.reference._samples.experiment import Experiment
from assize.reference._samples.questions import given_questions
from assize.reference._samples.result import Multiplicity


@asks_models
def multiplicity(
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
    asking: Asking = DEFAULT,
) -> Plan[Multiplicity]:
    """Measure how often two samples of a model at one place say the same.

    Places are open-ended questions, and first and random turns of the conversations. Where the
    share is low, many answers would be right, and comparing with one reference is harsh. Run the
    same command again to continue an interrupted run.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts,
            tables.
        model: model to sample, as provider:name.
        out: folder of the run. In Python None measures in memory.
        judge: judge of whether two samples are equivalent. Default: equivalent@ the same model.
        questions: file of open-ended questions, one per line. Default: the model writes them.
        n: number of places of each kind.
        sample_temperature: temperature of the samples, from 0 to 2.
        samples: answers to sample per question if the judge gives no probabilities.
        seed: random seed.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`. Its temperature is the judge's.

    Source: UPHELD, section 3.4 and table 2. Differs: the paper has one model write, sample and
    judge; here `judge` may be another. Its interval is missing; here it is Wilson's, widened
    for several turns of one conversation.

    Raises:
        ConfigError: the judge does not say whether texts are equivalent, or an argument is
            not allowed.
        DataError: an item cannot be read.
        Interrupted: it was interrupted; what was answered is in `out`.
    """
    check_range("n", n, 1)
    check_range("sample_temperature", sample_temperature, 0, 2)
    if sample_temperature == 0:
        raise ConfigError(
            "sample_temperature is 0, at which both samples are the same; the paper's is 1"
        )

    def prepare(folder: Path, dry: bool) -> Experiment:
        judges = f"equivalent@{model}" if judge is None else judge
        session = session_of(items, judges, folder, asking, samples=samples, seed=seed, dry=dry)
        known = given_questions(questions, n)
        return Experiment(session, items_of(session, dry=dry), model, known, n, sample_temperature)

    return plan_steps(prepare, out, quiet)
