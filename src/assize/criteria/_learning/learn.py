"""The run: from labelled conversations to a pool of criteria, interrupted, resumed, paid once.

Conversations are read side by side; mini-batches of one polarity follow one another, for each is
shown the criteria of those before it; SAT and DSAT go side by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from assize.base.errors import DataError
from assize.base.signature import content_hash
from assize.criteria._criterion import POLARITIES, CriteriaSet, Pattern, Polarity
from assize.criteria._learning import deduplicate, summarise
from assize.criteria._learning.extract import Labelled, extraction
from assize.criteria._learning.learn_result import LearnCounts, LearnResult, UnscoredCalls
from assize.criteria._learning.learner import Learner
from assize.criteria._learning.settings import Learning, asker_of
from assize.criteria._reading import criteria_text, load_criteria
from assize.formats.writing import encoded, json_line
from assize.judging.outcome import ShownPrompt
from assize.judging.prompt_judge import Asked
from assize.judging.session import RunFacts, Session
from assize.judging.step_work import StepWork
from assize.judging.steps import WRITTEN, Step, Steps, hash_of
from assize.models import Models
from assize.models.model import wire
from assize.running.durable import replace as replace_file

POOL = "criteria.yaml"
PATTERNS = "patterns.jsonl"


@dataclass
class LearningWork(StepWork[None, LearnResult]):
    """Reads conversations side by side, and then makes criteria of both polarities side by side.

    Args:
        session: what is read, the folder, how models are asked.
        name: of the pool.
    """

    label = "reading conversations"
    session: Session
    labelled: Sequence[Labelled]
    learning: Learning
    model: str
    name: str = "criteria"

    def open(self, models: Models, steps: Steps, *, dry: bool) -> None:
        """Open the model; deduplication cannot be foreseen, and is left out of an estimate."""
        how = replace(self.learning.how, deduplicate=False) if dry else self.learning.how
        self.steps = steps
        self.asker = asker_of(models.open(self.model), self.session.asked)
        learning = replace(self.learning, how=how)
        self.learner = Learner(learning, self.asker, steps)

    def settings(self) -> dict[str, Any]:
        """Return the labels, and everything else that could change a criterion."""
        labels = [[one.conversation.id, one.good] for one in self.labelled]
        prompts, learning = prompts_of(self.learning), asdict(self.learning)
        return {
            "model": self.model,
            "labels": hash_of(sorted(labels)),
            "method": type(self.learning.how).__name__,
            **learning.pop("how"),
            **learning,
            "prompts": {name: self.asker.prompt(name).hash for name in prompts},
        }

    def prompts(self) -> dict[str, str]:
        """Return version and hash of each prompt."""
        return {name: self.asker.version(name) for name in prompts_of(self.learning)}

    def stages(self) -> Iterator[Sequence[Labelled | Polarity]]:
        """Yield the conversations, and the polarities once all conversations are read."""
        yield self.labelled
        if self.learner.read_all(self.labelled):
            yield POLARITIES

    async def make(self, part: Labelled | Polarity) -> None:
        """Read a conversation, or make the criteria of a polarity."""
        if isinstance(part, Labelled):
            await self.learner.read(part)
        else:
            await self.learner.pool(part)

    def counts(self, step: Step) -> int:
        """Count conversations on the bar."""
        return int(step.stage == "extract")

    def total(self) -> int:
        """Return how many conversations there are."""
        return len(self.labelled)

    async def result(self, made: Sequence[None], run: RunFacts) -> LearnResult:
        """Return pool and patterns; write them once both are whole."""
        learner, out = self.learner, self.session.out
        pool, notes = learner.criteria_set(self.name), learner.notes
        if run.finished:
            notes = [*notes, *await _write(out, pool, learner.patterns, self.steps)]
        labels = Counter(labelled.polarity for labelled in self.labelled)
        unscored = Counter(
            (step.stage, step.unscored.reason)
            for step in self.steps.used.values()
            if step.unscored is not None
        )
        return LearnResult(
            pool,
            learner.patterns,
            {
                polarity: LearnCounts(
                    labels[polarity], **learner.counts[polarity], pool=len(pool.of(polarity))
                )
                for polarity in POLARITIES
            },
            [UnscoredCalls(*key, count) for key, count in unscored.items()],
            len(self.steps.used),
            [polarity for polarity in POLARITIES if polarity in learner.stopped],
            notes,
            run.spent,
            out,
            run.interrupted,
            run.waiting,
        )

    def assumed(self) -> str:
        """Return what an estimate assumes: patterns and criteria are not known beforehand."""
        return (
            f"Assumed: {self.learning.how.k} patterns a conversation, a fresh criterion for every"
            " second pattern; deduplication and answers that must be asked for again are not"
            " counted."
        )

    async def first_prompt(self, question: str | None) -> ShownPrompt:
        """Return the messages that extract the patterns of the first conversation."""
        async with self.opened_dry():
            call = extraction(self.labelled[0], self.learning)
            request, prompt = self.asker.request(call), self.asker.prompt(call.prompt)
        name = f"{call.prompt} {prompt.version} {prompt.hash}"
        return ShownPrompt(name, call.place[0], None, wire(request.messages), request.schema)


def prompts_of(learning: Learning) -> tuple[str, ...]:
    """The prompts that a run asks with."""
    summarised = summarise.UPDATE if learning.size is not None else summarise.PROMPT
    last = (deduplicate.PROMPT,) if learning.how.deduplicate else ()
    return ("criteria-extract", summarised, *last)


async def _write(
    out: Path, pool: CriteriaSet, patterns: Sequence[Pattern], steps: Steps
) -> list[str]:
    """Writes pool and patterns; what somebody has edited since is never written over."""
    replace_file(out / PATTERNS, (json_line(asdict(pattern)) for pattern in patterns))
    data, path = encoded(criteria_text(pool)), out / POOL
    if not pool.criteria or (path.exists() and path.read_bytes() == data):
        return []
    if path.exists():
        written = [step.given for step in steps.known.values() if step.stage == WRITTEN]
        current = hash_of(content_hash(path.read_bytes()))
        if current not in written:
            return [f"{path} was edited, so it stays; to learn anew name another folder"]
    # Known as ours before it is there: a kill in between leaves nothing that looks edited.
    await steps.take(WRITTEN, path.name, content_hash(data), _nothing)
    replace_file(path, [data])
    return []


async def _nothing() -> Asked:
    return Asked(None)


def is_pool(folder: str | Path) -> bool:
    """Whether `assize criteria learn` has written a pool there."""
    return (Path(folder) / POOL).is_file() and (Path(folder) / PATTERNS).is_file()


def read_pool(folder: str | Path) -> LearnResult:
    """The pool of a folder, edited or not, with its patterns; nothing is known of how it went.

    Raises:
        DataError: a file cannot be read; says where.
    """
    path = Path(folder) / PATTERNS
    record, patterns = TypeAdapter(Pattern), []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            patterns.append(record.validate_json(line))
        except ValidationError as error:
            problem = f"no pattern ({error.errors()[0]['msg']}); take the file as the run wrote it"
            raise DataError(problem, source=str(path), line=number) from None
    return LearnResult(load_criteria(str(Path(folder) / POOL)), tuple(patterns))
