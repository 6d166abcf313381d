"""The model card of the shipped evaluator: prose, and tables made from what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assize.evaluator import Evaluator
from assize.results import ResultTable
from assize.results.columns import columns
from assize.results.numbers import with_interval
from assize.stats import Estimate

from .held_out import MODELS, HeldOut
from .study import NAME, Measured, Study

_INTRO = """\
# {name}

A small judge of conversations between people and assistants: a frozen sentence encoder
(all-MiniLM-L6-v2), {features} features of a conversation, and one linear head a question. It runs
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

* It spots poor conversations in a pile: dull, repetitive, evasive, ignoring the user.
* `overall` sees nonsense in a lively voice only in part: replies taken from other conversations
  are put lower in most cases, not in all (table "Known bad"). Look at `coherent` for that.
* It does **not** rank strong assistants. It hardly saw one: the conversations are with chatbots
  of 2018-2021, and a long, correct, useless or wrong answer looks alike to it. On pairs of
  responses by assistants it is little better than chance, and among good tutors it is near
  none (tables below).
* A single turn is judged by the user's turn before it and nothing else, and without its length:
  where people like longer answers, as in usr-topical, a count of words does better; so it does
  for `engaging` of single turns.
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
* hh-rlhf (Bai et al. 2022; MIT): preferences; the harmless part for `safe` only, 460 helpful
  ones of the test split (as released with AMULET) for `overall`, at half a corpus's weight.
* USR, Topical-Chat part (Mehri and Eskenazi 2020; MIT, texts CDLA-Sharing 1.0): ratings of
  single responses, at a quarter of a corpus's weight, as is the next.
* MRBench (Maurya et al. 2025; CC BY-SA 4.0): labels of tutors' single responses.

Corpora that state no licence (USS, Gupta et al., GRADE) trained nothing; they measure.

{data}
Only people's labels are used; no scores by language models. Text of these corpora is not
part of the package.

## Held-out figures

Each corpus was left out in turn, and predicted by heads trained on the others. Spearman's
correlation with one rater (reliable-eval, iEval), with the mean of turn labels (ConTurE);
of pairs the share decided rightly. 95% intervals; raters, conversations or pairs are the
independent units. `shape` and `length` see those features alone, learnt from all corpora.
"Within raters" has each rater's own mean taken out. "Lowest quarter": of the quarter predicted
lowest, the share that people put in their lowest quarter or level with it, and beside it the same
share of all rows, which is what chance gives.
"""

_UNSEEN = """
## Corpora that nothing was trained on

The `overall` head. gupta, grade: single responses. uss: task dialogues between people, of even
quality.
"""

_SYSTEMS = """
## Predicting better systems from worse

The systems of each corpus were split by people's mean rating into a worse and a better half.
`overall` was trained on the worse halves of the other corpora, and predicts the better half of the
corpus that was left out.
"""

_KNOWN_BAD = """
## Known bad

reliable-eval holds conversations with a bot that was degraded on purpose. The share of
pairs (one of these, one with a real bot) in which the degraded one is put below, by heads
that were trained without reliable-eval. Chance is 0.5.
"""

_DROPPED = """
## Dimensions that were tried and are not shipped

They did not beat both baselines, on average with the interval above 0 and in every corpus of
conversations held out: {names}. Their figures stand in the table.
"""


def card(evaluator: Evaluator, found: Study) -> str:
    """The card as Markdown; every number in a table was measured in this run."""
    main = evaluator.main
    parts = [
        _INTRO.format(
            name=NAME,
            features=f"{evaluator.width:,}",
            data=_data(evaluator),
            low=main.low,
            high=main.high,
            tie=evaluator.tie,
        ),
        _table(held_out_rows(found.dimensions), _HEADER),
        "\nGain over the baselines, mean over what was held out:\n",
        _table(gain_rows(found.dimensions), ("question", "over shape", "over length", "shipped")),
        _dropped(found.dimensions),
        _UNSEEN,
        _table(unseen_rows(found.unseen), ("corpus", "level", "n", *MODELS)),
        _SYSTEMS,
        _table(unseen_rows(found.systems), ("corpus", "level", "n", *MODELS)),
        _KNOWN_BAD,
        _table(
            [[name, f"{one.n:,}", shown(one)] for name, one in found.known_bad.items()],
            ("question", "n", "degraded below real"),
        ),
        _trained(evaluator),
    ]
    return "\n".join(part.strip("\n") + "\n" for part in parts if part)


_HEADER = (
    "question",
    "held out",
    "level",
    "n",
    *MODELS,
    "within raters",
    "lowest quarter",
)


def shown(found: Estimate) -> str:
    """An estimate with its interval: `0.41 [0.36, 0.47]`."""
    return with_interval(found, 2)


def _table(rows: Iterable[Sequence[str]], header: Sequence[str]) -> str:
    return ResultTable("", columns("words", *header), list(rows)).to_markdown()


def held_out_rows(found: Iterable[Measured]) -> list[list[str]]:
    """One row for each question and each thing that was held out."""
    rows = []
    for one in found:
        for held in one.held_out:
            what = held.corpus if held.left_out == "corpus" else f"{held.left_out} of {held.corpus}"
            within = held.within()
            rows.append(
                [
                    one.dimension.question.id,
                    what,
                    held.level,
                    f"{len(held.target):,}",
                    *(shown(held.measure(model)) for model in MODELS),
                    "" if within is None else shown(within),
                    ""
                    if held.level == "pair"
                    else f"{shown(held.lowest())} vs {held.chance():.2f}",
                ]
            )
    return rows


def gain_rows(found: Iterable[Measured]) -> list[list[str]]:
    """One row a question: how much the head beats each baseline by, and whether it ships."""
    rows = []
    for one in found:
        gains = [
            f"{middle:+.3f} [{low:+.3f}, {high:+.3f}]"
            for middle, low, high in one.verdict.gains.values()
        ]
        rows.append([one.dimension.question.id, *gains, "yes" if one.ships else "no"])
    return rows


def unseen_rows(found: Iterable[HeldOut]) -> list[list[str]]:
    """One row a corpus that trains nothing."""
    return [
        [
            held.corpus,
            held.level,
            f"{len(held.target):,}",
            *(shown(held.measure(model)) for model in MODELS),
        ]
        for held in found
    ]


def _data(evaluator: Evaluator) -> str:
    kinds = ("conversations", "turns", "pairs")
    rows = [
        [name, *(f"{counts[kind]:,}" if kind in counts else "" for kind in kinds)]
        for name, counts in evaluator.about["data"].items()
    ]
    return _table(rows, ("corpus", *kinds))


def _dropped(found: Iterable[Measured]) -> str:
    names = [f"`{one.dimension.question.id}`" for one in found if not one.ships]
    return _DROPPED.format(names=", ".join(names)) if names else ""


def _trained(evaluator: Evaluator) -> str:
    rows = [
        [name, one.question.text, ", ".join(one.trained_on)]
        for name, one in evaluator.scored.items()
    ]
    made = _table(rows, ("question", "text", "trained on"))
    return f"## What each head was trained on\n\n{made}\nSignature `{evaluator.signature}`.\n"
