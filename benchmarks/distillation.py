"""A calibrator distilled into an evaluator: by which labels, how faithfully, how useful.

python benchmarks/distillation.py [FOLDER] [labels|people|few|rubric]

FOLDER holds `ieval`, `reliable-eval` and `llm-rubric`. In the first two GPT-4's stored scores
on five questions are the answers, and people's ratings of a sixth question the target.
Conversations that GPT-4 did not judge take no part. Everything is said of conversations that
the measured evaluator did not learn from, and of ratings the calibrator was not fitted on.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.corpora import converted

from assize.base.conversation import Conversation, Item
from assize.base.judgment import Judgment, Question
from assize.calibrate import FittedCalibrator, features_of, fit_default, forms_of
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.features import Features
from assize.calibrate._prediction.predictions import prediction_tables
from assize.calibrate._prediction.sampled_labels import sample_labels
from assize.encoders import Encoder, load_encoder
from assize.evaluator._distilling import Values, beside_people, distil, fidelity, values_of
from assize.evaluator._learning import learn
from assize.evaluator._scoring import score
from assize.formats import read, read_judgments
from assize.judgments import JudgmentTable, Unit
from assize.stats import Estimate, spearman

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TARGETS = (("ieval", "likable"), ("ieval", "sensible"), ("reliable-eval", "interesting"))
SEEDS = 3
SAMPLES = 8
FIVE = tuple("12345")
CALIBRATOR, DRAWN = "calibrator", "evaluator, drawn"
KINDS = {DRAWN: SAMPLES, "evaluator, expected": None}
FEW = {"ieval": 14, "reliable-eval": 50}  # groups; four conversations each in the first


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Conversations that a model judged, its judgments, and people's ratings of one question."""

    name: str
    items: list[Item]
    groups: list[str]  # what is held out together: the four conversations of one person's scene
    answers: JudgmentTable
    features: Features
    ratings: JudgmentTable
    target: str

    def calibrator(self, ids: Iterable[str]) -> Calibrator:
        """Fitted on the ratings of some conversations."""
        table = some(self.ratings, set(ids))
        return fit_default(forms_of(self.features, table, self.target, auxiliary=()))


def corpus(folder: Path, name: str, target: str) -> Corpus:
    """Ratings from 0 to 100 are cut into five answers."""
    path = converted(name, folder)
    table = read_judgments([path])
    answers = table.where(kind="model")
    rated = [row for row in table if row.kind == "person" and row.question == target]
    question = table.questions[target]
    if not question.answers:
        question = Question(target, kind="ordinal", answers=FIVE, values=(1, 2, 3, 4, 5))
        rated = [replace(row, score=None, answer=fifth(row.score)) for row in rated]
    judged = set(answers.items)
    items = [one for one in read(path) if isinstance(one, Conversation) and one.id in judged]
    kept = tuple(row for row in rated if row.item in judged)
    groups = [str(one.metadata.get("group", one.id)) for one in items]
    ratings = JudgmentTable.of(kept, [question])
    return Corpus(name, list(items), groups, answers, features_of(answers), ratings, target)


def fifth(value: float | None) -> str:
    """Which fifth of 0 to 100."""
    assert value is not None
    return str(min(5, 1 + int(value // 20)))


def some(table: JudgmentTable, ids: set[str]) -> JudgmentTable:
    """The judgments of some items."""
    return table.where(item=ids)


def labels_of(
    one: Calibrator, features: Features, samples: int | None, rng: np.random.Generator
) -> Iterator[Judgment]:
    """Draws by all raters; the mean of their distributions for None."""
    everyone = range(len(one.raters))
    if samples is None:
        yield from next(
            prediction_tables(FittedCalibrator(one), features, everyone, combine="mean")
        )
    else:
        predicted = next(prediction_tables(FittedCalibrator(one), features, everyone))
        yield from sample_labels(predicted, samples, rng)


def independent(
    one: Calibrator, features: Features, samples: int, rng: np.random.Generator
) -> Iterator[Judgment]:
    """Draws that know nothing of each other: what the spreading is compared with."""
    for number in range(samples):
        for row in labels_of(one, features, 1, rng):
            yield replace(row, repeat=number)


def expected_of(one: Calibrator, features: Features) -> Values:
    """Expected answers, averaged over raters."""
    rows = labels_of(one, features, None, np.random.default_rng(0))
    return values_of(JudgmentTable.of(rows, [one.target.question]))


def held_out(
    items: Sequence[Item], rows: Iterable[Judgment], one: Calibrator, encoder: Encoder, seed: int
) -> Values:
    """Scores by evaluators that did not learn from the conversation."""
    table = JudgmentTable.of(rows, [one.target.question])
    rng = np.random.default_rng(seed)
    return distil(items, table, encoder, name="small", folds=5, rng=rng).held


def by_labels(found: Corpus, encoder: Encoder) -> None:
    """How well the calibrator is reproduced, by the kind and number of labels."""
    one = found.calibrator(item.id for item in found.items)
    theirs = expected_of(one, found.features)
    each: dict[str, list[float]] = defaultdict(list)
    took: dict[str, list[float]] = defaultdict(list)
    for seed in range(SEEDS):
        for samples in (None, 1, 2, 4, 8):
            name = "expected" if samples is None else f"{samples} drawn"
            kinds = {name: labels_of(one, found.features, samples, np.random.default_rng(seed))}
            if samples in (4, 8):
                rng = np.random.default_rng(seed)
                kinds[f"{name} independently"] = independent(one, found.features, samples, rng)
            for kind, rows in kinds.items():
                start = time.process_time()
                held = held_out(found.items, rows, one, encoder, seed)
                took[kind].append(time.process_time() - start)
                each[kind].append(fidelity(held, theirs)[0].pearson.estimate)
    print(f"\n{found.name}, {found.target}: {len(found.items)} conversations; Pearson with the")
    print(f"calibrator's expected answer, mean and deviation of {SEEDS} seeds, processor seconds")
    for kind, values in each.items():
        print(
            f"  {kind:24s} {np.mean(values):.3f} ({np.std(values):.3f})"
            f" {np.mean(took[kind]):5.1f} s"
        )


def by_people(found: Corpus, encoder: Encoder) -> None:
    """Calibrator, evaluators and the model's own score beside people, each half in turn.

    Half of the people's scenes have ratings: the calibrator is fitted on them, and labels all
    conversations. Figures are of the other half's ratings; both halves are pooled.
    """
    truth = values_of(found.ratings)[found.target]
    scenes = dict(zip((one.id for one in found.items), found.groups, strict=True))
    rows: dict[str, list[Estimate]] = defaultdict(list)
    better = []
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        names = rng.permutation(sorted(set(found.groups))).tolist()
        first = set(names[: len(names) // 2])
        each: dict[str, dict[Unit, float]] = defaultdict(dict)
        for rated in (True, False):
            known = {item for item, scene in scenes.items() if (scene in first) is rated}
            for kind, values in scored(found, known, encoder, rng, KINDS).items():
                other = {unit: values[unit] for unit in truth if unit[0] not in known}
                each[kind] |= other
        units = list(each[CALIBRATOR])
        people = [truth[unit] for unit in units]
        clusters = [scenes[item] for item, _ in units]
        for kind, values in each.items():
            columns = [values[unit] for unit in units]
            rows[kind].append(spearman(columns, people, clusters=clusters))
        held, theirs = ({found.target: each[kind]} for kind in (DRAWN, CALIBRATOR))
        (beside,) = beside_people(held, theirs, {found.target: truth}, rng)
        better.append(beside.difference)
    count = rows[CALIBRATOR][0].n
    print(f"\n{found.name}, {found.target}: Spearman with people's ratings, n {count}; estimate")
    print(f"and 95% interval, means over {SEEDS} splits")
    rows["calibrator less evaluator, drawn"] = better
    for kind, figures in rows.items():
        ends = np.mean([one.interval for one in figures], axis=0)
        middle = np.mean([one.estimate for one in figures])
        print(f"  {kind:34s} {middle:.2f} [{ends[0]:.2f}, {ends[1]:.2f}]")


def by_few(found: Corpus, encoder: Encoder) -> None:
    """The same with ratings of few conversations: where unrated ones should help most."""
    truth = values_of(found.ratings)[found.target]
    each: dict[str, list[float]] = defaultdict(list)
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        rated = set(rng.permutation(sorted(set(found.groups)))[: FEW[found.name]].tolist())
        known = {
            one.id for one, scene in zip(found.items, found.groups, strict=True) if scene in rated
        }
        units = [unit for unit in truth if unit[0] not in known]
        people = [truth[unit] for unit in units]
        for kind, values in scored(found, known, encoder, rng, {DRAWN: SAMPLES}).items():
            figure = spearman([values[unit] for unit in units], people)
            each[kind].append(figure.estimate)
    print(f"\n{found.name}, {found.target}: ratings of {len(known)} conversations; Spearman with")
    print(f"people's of {len(units)} others, mean and deviation of {SEEDS} seeds")
    for kind, figures in each.items():
        print(f"  {kind:34s} {np.mean(figures):.2f} ({np.std(figures):.2f})")


def scored(
    found: Corpus,
    known: set[str],
    encoder: Encoder,
    rng: np.random.Generator,
    kinds: Mapping[str, int | None],
) -> dict[str, dict[Unit, float]]:
    """Everybody's scores of all conversations, where only ratings of `known` may be learnt from."""
    one, target = found.calibrator(known), found.target
    values = {
        CALIBRATOR: dict(expected_of(one, found.features)[target]),
        "GPT-4's overall score": values_of(found.answers)["overall"],
    }
    for kind, samples in kinds.items():
        rows = labels_of(one, found.features, samples, rng)
        values[kind] = dict(held_out(found.items, rows, one, encoder, 0)[target])
    items = [item for item in found.items if item.id in known]
    direct = learn({found.name: items}, some(found.ratings, known), encoder, name="direct")
    values["evaluator, from the ratings"] = {
        (row.item, None): np.nan if row.score is None else row.score
        for row in score(found.items, evaluator=direct)
        if row.question == target
    }
    return values


def rubric(folder: Path, encoder: Encoder) -> None:
    """LLM-Rubric: fitted on the synthetic dialogues, distilled on the text of the real ones."""
    here = folder / "llm-rubric"
    items = [one for one in read(here / "real_dialogues.jsonl") if isinstance(one, Conversation)]
    features = features_of(read_judgments([here / "real_llm.csv"]))
    synthetic = features_of(read_judgments([here / "synth_llm.csv"]))
    ratings = read_judgments([here / "synth_human.csv"])
    print(f"\nllm-rubric: {len(items)} real dialogues; with the calibrator's expected answer")
    for target in ("Q0", "Q1"):
        one = fit_default(forms_of(synthetic, ratings, target))
        theirs = expected_of(one, features)
        for kind, samples in (("drawn", SAMPLES), ("expected", None)):
            rows = labels_of(one, features, samples, np.random.default_rng(0))
            (found,) = fidelity(held_out(items, rows, one, encoder, 0), theirs)
            low, high = found.pearson.interval
            print(
                f"  {target} {kind:10s} Pearson {found.pearson.estimate:.2f}"
                f" [{low:.2f}, {high:.2f}], Spearman {found.spearman.estimate:.2f},"
                f" n {found.pearson.n}, unscored {found.pearson.unscored}"
            )


def main(folder: Path, parts: Sequence[str]) -> None:
    """Prints all tables, or those asked for."""
    encoder = load_encoder("minilm", cached=True)
    for name, target in TARGETS:
        if (folder / name).is_dir() and set(parts) - {"rubric"}:
            found = corpus(folder, name, target)
            if "labels" in parts and (name, target) == TARGETS[0]:
                by_labels(found, encoder)
            if "people" in parts:
                by_people(found, encoder)
            if "few" in parts:
                by_few(found, encoder)
    if "rubric" in parts and (folder / "llm-rubric").is_dir():
        rubric(folder, encoder)


if __name__ == "__main__":
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if given.is_dir():
        main(given, sys.argv[2:] or ["labels", "people", "few", "rubric"])
    else:
        print(f"nothing measured: there is no folder {given.name} beside the project")
