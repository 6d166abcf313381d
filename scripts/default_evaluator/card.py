"""The model card of the shipped evaluator: prose, and tables made from what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from assize.evaluator import Evaluator
from assize.results import ResultTable
from assize.results.columns import columns
from assize.results.numbers import with_interval
from assize.stats import Estimate

from .held_out import HeldOut
from .study import Choice, Study

MODELS = ("head", "all", "shape", "length", "inside")

_INTRO = """\
# {name}

A small judge of conversations between people and assistants: a frozen sentence encoder
(`{encoder}`), {features} features of a conversation, and one linear head a question. It runs
offline, on a CPU, in milliseconds a conversation.

## What a score means

A score of 0.30 says: 30% of the conversations in the training corpora (each corpus counted
alike) are predicted worse. It is a fixed map of the
conversation's own number: other conversations in the same file do not change it. Scores
at or below {low} are flagged `low`, at or above {high} `high`. Scores
of single turns are relative to single turns.
The better of a pair is the one whose raw number is higher by {tie} standard deviations or
more; nearer ones are a tie.

## What it is for, and what not

* It spots poor conversations in a pile: dull, repetitive, evasive, ignoring the user. It was shown
  to sort conversations that people had with chatbots of 2018-2021, and less well task dialogues
  between people, of which none trained it (tables below).
* It does **not** rank strong assistants. It hardly saw one, and a long, correct, useless or wrong
  answer looks alike to it: on pairs of their responses it is little better than chance, and among
  good tutors it is near none. Ask a language model there (`assize judge`), or fit it to ratings of
  your own (`assize score --adapt`: 20 give the scale; the order gains from about 100
  where it is poor, elsewhere from hundreds).
* On reliable-eval and iEval its part `all` alone does better. The other heads are there for
  dialogues of another kind, where `all` is near chance: an exchange.
* `overall` sees nonsense in a lively voice only in part: replies taken from other conversations
  are put lower in most cases, not in all (table "Known bad"). Look at `coherent` for that.
* `specific` and `empathetic` have labels in one corpus each: no other corpus shows that they carry
  over.
* A single turn is judged by the user's turn before it and nothing else, without its length.
* `safe` is asked of pairs only: which of two responses to a request that invites harm is
  less harmful. It learnt from such pairs alone, so it says nothing of one conversation.
* It does not check facts, and it does not follow instructions in the text.
* English only. Text recognised as another language is flagged in `details.language`;
  its score means nothing.
* It is a first look, and no ground for decisions about people. Gate releases on raters, or
  on judges checked against raters.

## Training data

* reliable-eval (Ji et al. 2022; MIT): ratings on seven scales by raters who passed quality
  control. The deliberately degraded bot is left out.
* iEval (Svikhnushina et al. 2022; CC BY 4.0): ten ratings of each conversation by the person
  who chatted.
* ConTurE (Ghazarian et al. 2022; CC BY 4.0): labels of single turns, and their means over
  conversations.
* hh-rlhf (Bai et al. 2022; MIT): preferences of the test split, so do not test on it; the
  harmless part for `safe` only, 460 helpful ones (as released with AMULET) for `overall`, at
  half a corpus's weight.
* USR, Topical-Chat part (Mehri and Eskenazi 2020; MIT, texts CDLA-Sharing 1.0): ratings of
  single responses, at a quarter of a corpus's weight, as is the next.
* MRBench (Maurya et al. 2025; CC BY-SA 4.0): labels of tutors' single responses. Of responses to
  one context, here and in USR, half of what they have in common is taken out.

Corpora that state no licence (USS, Gupta et al., GRADE) trained nothing; they measure. Of USS every
question is compared with the user's satisfaction, which is not what it asks.

{data}
Only people's labels are used; no scores by language models. Text of these corpora is not
part of the package.

## Held-out figures

Each corpus was left out in turn, and predicted by heads trained on the others; USS, gupta and grade
train nothing. Spearman's correlation with one rater (reliable-eval, iEval), with the mean of turn
labels (ConTurE) or of raters (USS, grade); of pairs the share decided rightly, where 0.5 is chance.
95% intervals; raters, conversations or pairs are the independent units.

Beside `head`: its part `all`, one ridge on all features; its part `shape`, and `length`, which see
those features of conversations alone; `inside`, a ridge inside the corpus, by 5-fold
cross-validation: what its labels let such a head reach; `one rater`, the correlation of one rater
with the mean of the others.

"""

_APART = """
## Telling systems apart, or conversations

Most of a correlation over several systems may be telling the systems apart. "Within systems" has
each system's mean taken out of scores and ratings, "systems' means" is the correlation of the
means alone. "Within raters" has the mean of each rater (of single
responses: of each context) taken out. "Lowest quarter": of the
quarter predicted lowest, the share that people put in their lowest quarter or level with it, and
beside it the same share of all rows, which is what chance gives.
"""

_CHOICE = """
## How the heads of `overall` were chosen

Four heads are fitted apart, brought to one spread and added: `all` features (1), the user's
`reactions` to the assistant (0.5), `shape` (0.3), and `manners` (0.5: praise, complaints and seven
axes of the reactions, each counting as much as in the corpus where it helps least). The figures are
those of corpora left out; "mean" and "worst" are of shares of `inside`. The rule, written down
before: the highest sum of both. "Chosen without": for how many of the corpora the same recipe is
chosen when the corpus's own figure is hidden.
"""

_ENCODERS = """
## Other encoders

`python -m scripts.default_evaluator --encoder hf:FOLDER --out FOLDER` trains the same recipe on
another encoder. Columns as above; "one in 12" is of every twelfth conversation of each corpus, ten
of ConTurE: too few to tell encoders apart. Rows marked "study" were not measured here: they are
figures of the study that the recipe is from, where all-mpnet-base-v2 (110 million parameters) cost
five times as much.
"""

_KNOWN_BAD = """
## Known bad

reliable-eval holds conversations with a bot that was degraded on purpose. The share of
pairs (one of these, one with a real bot) in which the degraded one is put below, by heads
that were trained without reliable-eval. Chance is 0.5.
"""

_DROPPED = """
## Questions that were tried and are not shipped

They are not above chance in every corpus of conversations that has labels for them: {names}.
"""


def card(
    evaluator: Evaluator, found: Study, encoders: Iterable[Mapping[str, str | float]] = ()
) -> str:
    """The card as Markdown; every number in a table was measured in this run.

    Args:
        encoders: of this and earlier runs, see `encoder_row`.
    """
    main = evaluator.main
    corpora = next(iter(found.choice.values())).figures
    measured = [
        (one.dimension.question.id, held)
        for one in found.dimensions
        for held in (*one.held_out, *one.unseen)
    ]
    dropped = [f"`{one.dimension.question.id}`" for one in found.dimensions if not one.ships]
    parts = [
        _INTRO.format(
            name=evaluator.name,
            encoder=evaluator.encoder.name.rpartition("/")[2],
            features=f"{evaluator.width:,}",
            data=_data(evaluator),
            low=main.low,
            high=main.high,
            tie=evaluator.tie,
        ),
        table(HELD_OUT, held_out_rows(measured)),
        _DROPPED.format(names=", ".join(dropped)) if dropped else "",
        _APART,
        table(APART, apart_rows(measured)),
        _CHOICE,
        table(("heads", *corpora, "mean", "worst", "chosen without"), choice_rows(found.choice)),
        _ENCODERS if encoders else "",
        _by_encoder(encoders),
        _KNOWN_BAD,
        table(
            ("question", "n", "degraded below real"),
            [[name, f"{one.n:,}", shown(one)] for name, one in found.known_bad.items()],
        ),
        _trained(evaluator),
    ]
    return "\n".join(part.strip("\n") + "\n" for part in parts if part)


def encoder_row(encoder: str, every: int, found: Study) -> dict[str, str | float]:
    """How the chosen heads do with an encoder, for the table of encoders.

    Args:
        encoder: its name; of a folder the last part.
        every: see `Reader`.
    """
    chosen = next(one for one in found.choice.values() if one.best)
    part = "all" if every == 1 else f"one in {every}"
    row = {"encoder": encoder.rpartition("/")[2], "conversations": part}
    figures = {**chosen.figures, "mean": chosen.mean, "worst": chosen.worst}
    return {**row, **{name: round(value, 3) for name, value in figures.items()}}


def _by_encoder(rows: Iterable[Mapping[str, str | float]]) -> str:
    shown_rows = [
        [value if isinstance(value, str) else f"{value:.3f}" for value in row.values()]
        for row in rows
    ]
    return table(tuple(next(iter(rows))), shown_rows) if shown_rows else ""


HELD_OUT = ("question", "held out", "level", "n", *MODELS, "one rater")
APART = (
    *("question", "held out", "level", "head", "within systems", "systems' means"),
    *("within raters", "lowest quarter"),
)


def shown(found: Estimate | None) -> str:
    """An estimate with its interval: `0.41 [0.36, 0.47]`."""
    return "" if found is None else with_interval(found, 2)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    return ResultTable("", columns("words", *header), list(rows)).to_markdown()


def held_out_rows(measured: Iterable[tuple[str, HeldOut]]) -> list[list[str]]:
    """One row for each question and each thing that was held out."""
    rows = []
    for name, held in measured:
        seen = {model for model, values in held.predicted.items() if np.ptp(values) > 0}
        own = [shown(held.measure(model)) if model in seen else "" for model in MODELS]
        ceiling = "" if np.isnan(held.one_rater) else f"{held.one_rater:.2f}"
        rows.append([name, held.what, held.level, f"{len(held.target):,}", *own, ceiling])
    return rows


def apart_rows(measured: Iterable[tuple[str, HeldOut]]) -> list[list[str]]:
    """The same without pairs: how far a figure is of conversations, and how far of systems."""
    return [
        [
            *(name, held.what, held.level, shown(held.measure())),
            shown(held.within(held.systems)),
            held.of_systems(),
            shown(held.within(held.raters)),
            f"{shown(held.lowest())} vs {held.chance():.2f}",
        ]
        for name, held in measured
        if held.level != "pair"
    ]


def choice_rows(choice: Mapping[str, Choice]) -> list[list[str]]:
    """One row a recipe that was compared."""
    return [
        [
            f"{name} (chosen)" if one.best else name,
            *(f"{value:.3f}" for value in (*one.figures.values(), one.mean, one.worst)),
            f"{one.hidden} of {len(one.figures)}",
        ]
        for name, one in choice.items()
    ]


def _data(evaluator: Evaluator) -> str:
    kinds = ("conversations", "turns", "pairs")
    rows = [
        [name, *(f"{counts[kind]:,}" if kind in counts else "" for kind in kinds)]
        for name, counts in evaluator.about["data"].items()
    ]
    return table(("corpus", *kinds), rows)


def _trained(evaluator: Evaluator) -> str:
    rows = [
        [name, one.question.text, ", ".join(one.trained_on)]
        for name, one in evaluator.scored.items()
    ]
    made = table(("question", "text", "trained on"), rows)
    return f"## What each head was trained on\n\n{made}\nSignature `{evaluator.signature}`.\n"
