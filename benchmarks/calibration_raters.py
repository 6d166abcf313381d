"""Numbers, many raters, raters who are not trusted, embeddings: chats rated 0 to 100.

    python benchmarks/calibration_raters.py FOLDER     FOLDER holds reliable-eval and others

The answers are scores of an evaluator that was trained on other corpora; the target is how
much fun the person who chatted had. Half of the raters did not tell good systems from
spoilt ones (`rater_passed_qc`). Five folds by conversation; figures are means over seeds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.corpora import converted

from assize.base.conversation import Conversation
from assize.base.judgment import Judgment
from assize.calibrate import features_of, fit_default, forms_of
from assize.calibrate._calibrator import predict_own_raters
from assize.calibrate._data.binning import quantiles
from assize.calibrate._data.embedding import embed_conversations
from assize.calibrate._data.features import Features
from assize.calibrate._data.forms import Forms
from assize.calibrate._fit_options import Personal
from assize.calibrate._hierarchical.helper_weight import learn_helper_weight
from assize.encoders import load_encoder
from assize.evaluator._learning import learn
from assize.evaluator._scoring import score
from assize.formats import read, read_judgments
from assize.judgments import JudgmentTable
from assize.stats._studies import dealt

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SEEDS, FOLDS, TARGET = range(3), 5, "fun"
RATERS = 160  # drawn from all 676: encoding every chat takes longer than all fits
TEACHERS = ("ieval", "fed-conture")


@dataclass(frozen=True)
class Chats:
    """What is rated, by whom, and who can be trusted."""

    answers: Features
    beside: Features
    ratings: JudgmentTable
    scores: dict[str, float]
    passed: frozenset[str]

    @classmethod
    def of(cls, folder: Path) -> Chats:
        encoder = load_encoder("minilm")
        corpora = {name: _conversations(converted(name, folder)) for name in TEACHERS}
        table = read_judgments([converted(name, folder) for name in TEACHERS])
        people = table.where(kind="person")
        evaluator = learn(corpora, people, encoder, name="others")
        reliable = converted("reliable-eval", folder)
        ratings = read_judgments([reliable])
        names = sorted({row.judge for row in ratings if row.kind == "person"})
        drawn = set(np.random.default_rng(0).choice(names, RATERS, replace=False).tolist())
        theirs = {row.item for row in ratings if row.judge in drawn}
        chats = [one for one in _conversations(reliable) if one.id in theirs]
        scored = [row for row in score(chats, evaluator=evaluator) if isinstance(row, Judgment)]
        answers = features_of(JudgmentTable.of(scored))
        ratings = ratings.where(judge=drawn)
        passed = {chat.id for chat in chats if chat.metadata["rater_passed_qc"]}
        trusted = {row.judge for row in ratings if row.kind == "person" and row.item in passed}
        beside = embed_conversations(answers.units, chats, encoder, "minilm")
        target = {row.item: float(row.score or 0) for row in ratings if row.question == TARGET}
        return cls(answers, beside, ratings, target, frozenset(trusted))

    def forms(self, *, beside: bool = False, trusted: bool = True) -> Forms:
        """All ratings of the target; `trusted` makes helpers of the raters who failed."""
        features = self.answers.beside(self.beside) if beside else self.answers
        wanted = self.passed if trusted else None
        return forms_of(features, self.ratings, TARGET, auxiliary=(), trusted=wanted)


def _conversations(corpus: Path) -> list[Conversation]:
    return [one for one in read(str(corpus)) if isinstance(one, Conversation)]


def held_out(
    forms: Forms, kept: np.ndarray, seed: int, *, personal: Personal = "all", learn: bool = False
) -> np.ndarray:
    """Distributions (N, K) of the forms in `kept` by what was fitted on the other folds."""
    fold = dealt(forms.item, FOLDS, np.random.default_rng(seed))
    found = np.full((len(forms), len(forms.target)), np.nan)
    for one in range(FOLDS):
        some = forms.take(fold != one)
        count = learn_helper_weight(some, personal=personal) if learn else 1.0
        fitted = fit_default(some, personal=personal, helper_weight=count)
        held = np.flatnonzero((fold == one) & kept)
        found[held] = predict_own_raters(fitted, forms.take(held))
    return found


def tell(name: str, chats: Chats, forms: Forms, kept: np.ndarray, p: Sequence[np.ndarray]) -> None:
    """One line of figures: means over seeds; all but the log loss of the numbers themselves."""
    values, y = np.array(forms.target.values), forms.y[kept]
    true = np.array([chats.scores[forms.features.units[place][0]] for place in forms.item[kept]])
    rows = []
    for one in p:
        mean = one[kept] @ values
        low, high = quantiles(one[kept], forms.target, [0.1, 0.9]).T
        inside = ((true >= low) & (true <= high)).mean()
        loss = -np.log(np.maximum(one[kept][np.arange(len(y)), y], 1e-12)).mean()
        r = [np.corrcoef(mean, true)[0, 1], spearmanr(mean, true).statistic]
        rows.append([np.sqrt(((mean - true) ** 2).mean()), *r, loss, inside])
    figures = "  ".join(f"{value:7.3f}" for value in np.mean(rows, axis=0))
    print(f"{name:44} {figures}   n {len(y):,}")


def main(folder: Path) -> None:
    """Prints a table."""
    chats = Chats.of(folder)
    plain, beside = chats.forms(), chats.forms(beside=True)
    everyone = chats.forms(trusted=False)
    passed = ~plain.by_helper
    alone = plain.take(passed)
    alone = replace(alone, raters=plain.trusted, helpers=0)
    more = replace(beside.take(passed), raters=plain.trusted, helpers=0)
    every = np.ones(len(alone), dtype=bool)
    among = np.isin(np.array(everyone.raters)[everyone.rater], list(chats.passed))
    shares = np.bincount(alone.y, minlength=len(alone.target)) / len(alone)
    print(f"{'':44}    rmse        r      rho     loss  in 80%")
    tell("shares of the answers", chats, alone, every, [np.tile(shares, (len(alone), 1))])
    for name, forms, kept, options in (
        ("trusted alone", alone, every, {}),
        ("trusted alone, no slopes of their own", alone, every, {"personal": "last"}),
        ("trusted alone, embeddings beside", more, every, {}),
        ("trusted, all others help, counting 1", plain, passed, {}),
        ("trusted, all others help, learnt", plain, passed, {"learn": True}),
        ("all raters alike", everyone, among, {}),
    ):
        start = time.process_time()
        found = [
            held_out(forms, kept, seed, **options)
            for seed in SEEDS[: 1 if options.get("learn") else None]
        ]
        tell(name, chats, forms, kept, found)
        print(f"{'':44} {time.process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
