"""AMULET's tables of judges and juries as they are printed: rows, columns and figures.

Source: AMULET (arXiv 2505.20451), tables 2, 3, 4, 18, 19, 20, 25, 26 and 30, in percent. Facts
alone; what each cell is stands beside it, so that ours can be computed into the same place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SETS = ("HH-TEST", "WILDFEEDBACK", "NECTAR", "HH-TRAIN")
LEAST = (4, 7)  # user turns
# The paper's models (gpt-4o-2024-08-06, claude-3-5-sonnet-20241022, Qwen2.5-32B-Instruct): how
# the end of a model's name reads, with or without a date.
MODELS = {
    "GPT-4O": r"gpt-4o(-\d{4}-\d{2}-\d{2})?",
    "CLAUDE": r"claude-3[.-]5-sonnet(-latest|[-@]\d{8})?(-v\d+(:\d+)?)?",
    "QWEN": r"qwen2\.5-32b-instruct",
}
# Its reward models (Skywork-Reward-Llama-3.1-8B-v0.2, QRM-Gemma-2-27B, INF-ORM-Llama3.1-70B): what
# a judge's name then holds.
REWARDS = {
    "SKY-LLAMA": "skywork-reward-llama-3.1-8b",
    "QRM": "qrm-gemma-2-27b",
    "INF-ORM": "inf-orm-llama3.1-70b",
}
# Who sits where the tables have a judge, first the one that asks as the paper does; then the one
# by whose name the paper's own answers are imported.
FORMS = {
    "io": ("io-paper", "io"),
    "explained": ("explained-paper", "explained"),
    "io-fewshot": ("io-paper-fewshot", "io-fewshot"),
    "explained-fewshot": ("explained-paper-fewshot", "explained-fewshot"),
    "da": ("da-paper", "da"),
}

Figures = tuple[float, ...]  # one share, or win, tie and loss


@dataclass(frozen=True, slots=True)
class Line:
    """A row or a column: what it is called, and what its cells are.

    Args:
        of: some of `data`, `least`, `model`, `method` (with a reward model in braces), `figure`:
            `win`, `split` (win / tie / loss), `alone` (right by itself where the jury is wrong),
            or `tie-win`, `tie-tie-loss`: the jury's result where all judges before the last one
            tied, or had no valid output and so passed on as a tie does.
    """

    label: str
    of: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Published:
    """A table as printed.

    Args:
        of: what all cells are.
        printed: by row and column.
        corrected: what belongs in a cell that the paper has wrong, by row's and column's label.
    """

    number: int
    title: str
    head: str
    rows: Sequence[Line]
    columns: Sequence[Line]
    printed: Sequence[Sequence[Figures]]
    of: Mapping[str, Any] = field(default_factory=dict)
    corrected: Mapping[tuple[str, str], Figures] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def cells(self) -> Iterator[tuple[Line, Line, dict[str, Any], Figures]]:
        """Row, column, what the cell is, and its right figures."""
        for row, values in zip(self.rows, self.printed, strict=True):
            for column, value in zip(self.columns, values, strict=True):
                right = self.corrected.get((row.label, column.label), value)
                yield row, column, {**self.of, **row.of, **column.of}, right


def _parsed(text: str) -> tuple[Figures, ...]:
    """`59.8/15.9/24.3 73.0/16.3/10.6` as figures.

    >>> _parsed("59.8/15.9/24.3 55.7")
    ((59.8, 15.9, 24.3), (55.7,))
    """
    return tuple(tuple(map(float, cell.split("/"))) for cell in text.split())


def _table(
    number: int,
    title: str,
    head: str,
    columns: Sequence[Line],
    rows: Mapping[str, tuple[Mapping[str, Any], str]],
    **more: Any,
) -> Published:
    lines = [Line(label, of) for label, (of, _) in rows.items()]
    values = [_parsed(text) for _, text in rows.values()]
    return Published(number, title, head, lines, columns, values, **more)


def _method(name: str) -> dict[str, str]:
    return {"method": name}


def _sets(*names: str, least: int = 4) -> list[Line]:
    return [Line(_SHORT.get(name, name), {"data": name, "least": least}) for name in names]


_SHORT = {"WILDFEEDBACK": "WILDF."}
_BY_LENGTH = [
    Line("HH-TEST", {"data": "HH-TEST", "least": 4}),
    *(
        Line(f"{_SHORT.get(name, name)} ≥ {least}", {"data": name, "least": least})
        for least in LEAST
        for name in ("WILDFEEDBACK", "NECTAR", "HH-TRAIN")
    ),
]
_GPT = {"model": "GPT-4O", "figure": "win"}
_TEST = {"data": "HH-TEST", "least": 4, "figure": "win"}

TABLE_2 = _table(
    2,
    "Accuracy of judges, reward models and juries",
    "method",
    _BY_LENGTH,
    {
        "I/O (GPT-4o)": (_method("io"), "55.7 75.1 75.8 57.6 75.0 79.7 53.3"),
        "W-EXPL (GPT-4o)": (_method("explained"), "55.9 75.0 75.9 57.8 74.5 81.8 55.3"),
        "SKY-LLAMA": (_method("{SKY-LLAMA}"), "66.3 78.7 72.1 65.8 78.8 70.7 65.7"),
        "QRM": (_method("{QRM}"), "63.3 72.3 75.0 64.8 72.6 74.9 63.3"),
        "INF-ORM": (_method("{INF-ORM}"), "68.7 84.1 77.7 67.4 84.3 77.6 66.1"),
        "AMULET-DA (GPT-4o)": (_method("da"), "59.8 72.7 76.9 60.2 72.8 79.1 58.8"),
        "AMULET-MAXIM (GPT-4o)": (_method("maxim"), "49.8 62.2 69.9 50.9 60.6 76.7 45.8"),
        "DA-then-MAXIM (GPT-4o)": (_method("da > maxim"), "62.6 76.9 79.1 63.5 76.3 83.6 61.1"),
        "DA-then-MAXIM-then-W-EXPL (GPT-4o)": (
            _method("da > maxim > explained"),
            "64.1 80.2 80.5 66.2 79.8 86.0 63.3",
        ),
        "DA-then-MAXIM-then-SKY-LLAMA": (
            _method("da > maxim > {SKY-LLAMA}"),
            "67.0 83.6 82.8 68.6 84.1 86.3 66.6",
        ),
        "DA-then-MAXIM-then-QRM": (
            _method("da > maxim > {QRM}"),
            "67.0 82.6 82.6 68.8 83.3 85.7 66.2",
        ),
        "DA-then-MAXIM-then-INF-ORM": (
            _method("da > maxim > {INF-ORM}"),
            "67.0 84.2 83.1 68.7 85.0 86.9 67.0",
        ),
    },
    of=_GPT,
)

_EXCHANGED = (
    "The paper has the rows of QRM and INF-ORM exchanged for Claude and Qwen: its table 26 adds up"
    " with DA-then-MAXIM to 67.0 and 68.5 for QRM, 67.6 and 69.3 for INF-ORM. They stand here in"
    " their right rows."
)
TABLE_3 = _table(
    3,
    "HH-TEST, by model",
    "method",
    [Line(name, {"model": name}) for name in MODELS],
    {
        "I/O": (_method("io"), "55.7 59.3 54.8"),
        "W-EXPL": (_method("explained"), "55.9 59.1 55.0"),
        "AMULET-DA": (_method("da"), "59.8 59.8 51.1"),
        "AMULET-MAXIM": (_method("maxim"), "49.8 59.8 46.5"),
        "DA-then-MAXIM": (_method("da > maxim"), "62.6 65.9 61.3"),
        "DA-then-MAXIM-then-W-EXPL": (_method("da > maxim > explained"), "64.1 68.0 65.9"),
        "DA-then-MAXIM-then-SKY-LLAMA": (_method("da > maxim > {SKY-LLAMA}"), "67.0 67.8 69.6"),
        "DA-then-MAXIM-then-QRM": (_method("da > maxim > {QRM}"), "67.0 67.6 69.3"),
        "DA-then-MAXIM-then-INF-ORM": (_method("da > maxim > {INF-ORM}"), "67.0 67.0 68.5"),
    },
    of=_TEST,
    corrected={
        ("DA-then-MAXIM-then-QRM", "CLAUDE"): (67.0,),
        ("DA-then-MAXIM-then-QRM", "QWEN"): (68.5,),
        ("DA-then-MAXIM-then-INF-ORM", "CLAUDE"): (67.6,),
        ("DA-then-MAXIM-then-INF-ORM", "QWEN"): (69.3,),
    },
    notes=(_EXCHANGED,),
)

_JURIES = [
    Line("DA", _method("da")),
    Line("DA-then-MAXIM", _method("da > maxim")),
    Line("DA-then-MAXIM-then-W-EXPL", _method("da > maxim > explained")),
]


def _of_set(name: str) -> dict[str, Any]:
    return {"data": name, "least": 4}


TABLE_4 = _table(
    4,
    "Win / tie / loss",
    "dataset",
    _JURIES,
    {
        "HH-TEST": (_of_set("HH-TEST"), "59.8/15.9/24.3 62.6/9.1/28.3 64.1/5.0/30.9"),
        "WILDF.": (_of_set("WILDFEEDBACK"), "73.0/16.3/10.6 76.9/10.4/12.7 80.2/5.8/14.0"),
        "NECTAR": (_of_set("NECTAR"), "76.9/10.5/12.6 79.1/7.3/13.5 80.5/5.1/14.4"),
        "HH-TRAIN": (_of_set("HH-TRAIN"), "60.3/15.1/24.6 63.5/9.5/27.0 66.2/4.7/29.1"),
    },
    of={"model": "GPT-4O", "figure": "split"},
    notes=(
        "The paper's tables 2 and 4 print other wins of DA: 72.7 and 73.0 on WILDFEEDBACK, 60.2"
        " and 60.3 on HH-TRAIN.",
    ),
)

TABLE_18 = _table(
    18,
    "Accuracy where MAXIM is asked before DA",
    "method",
    _BY_LENGTH,
    {
        "MAXIM-then-DA (GPT-4o)": (_method("maxim > da"), "62.4 76.8 79.1 63.6 76.1 83.0 60.6"),
        "MAXIM-then-DA-then-W-EXPL (GPT-4o)": (
            _method("maxim > da > explained"),
            "63.9 80.2 80.5 66.3 79.5 85.4 62.8",
        ),
        "MAXIM-then-DA-then-SKY-LLAMA": (
            _method("maxim > da > {SKY-LLAMA}"),
            "66.7 83.6 82.8 68.7 84.1 85.7 66.1",
        ),
        "MAXIM-then-DA-then-QRM": (
            _method("maxim > da > {QRM}"),
            "66.7 82.5 82.6 69.0 83.0 85.1 65.7",
        ),
        "MAXIM-then-DA-then-INF-ORM": (
            _method("maxim > da > {INF-ORM}"),
            "66.7 84.2 83.1 68.9 84.7 86.3 66.4",
        ),
    },
    of=_GPT,
)

_FEWSHOT = {"Fewshot-I/O": "io-fewshot", "Fewshot-W-EXPL": "explained-fewshot"}
TABLE_19 = _table(
    19,
    "Further baselines on HH-TEST",
    "baseline",
    [Line("accuracy", {})],
    {
        "Fewshot-I/O": (_method(_FEWSHOT["Fewshot-I/O"]), "56.3"),
        "Fewshot-W-EXPL": (_method(_FEWSHOT["Fewshot-W-EXPL"]), "58.6"),
        "G-EVAL engagingness": (_method("geval-engagingness"), "27.5"),
        "G-EVAL helpfulness": (_method("geval-helpfulness"), "35.1"),
        "CHATEVAL": (_method("debate"), "55.8"),
    },
    of={**_GPT, "data": "HH-TEST", "least": 4},
)
TABLE_20 = _table(
    20,
    "Further baselines on WILDFEEDBACK",
    "baseline",
    [Line("accuracy", {})],
    {
        "Fewshot-I/O": (_method(_FEWSHOT["Fewshot-I/O"]), "75.6"),
        "Fewshot-W-EXPL": (_method(_FEWSHOT["Fewshot-W-EXPL"]), "74.4"),
        "CHATEVAL": (_method("debate"), "80.4"),
    },
    of={**_GPT, "data": "WILDFEEDBACK", "least": 4},
)

_REWARDS = [
    Line(label, _method(f"da > maxim > {{{name}}}"))
    for label, name in (("SKYWORK", "SKY-LLAMA"), ("QRM", "QRM"), ("INF-ORM", "INF-ORM"))
]
TABLE_25 = _table(
    25,
    "The reward model is right where its jury is wrong",
    "dataset",
    _REWARDS,
    {
        "HH-TEST": (_of_set("HH-TEST"), "12.8 12.2 11.3"),
        "WILDFEEDBACK": (_of_set("WILDFEEDBACK"), "5.4 5.5 5.9"),
        "NECTAR": (_of_set("NECTAR"), "4.2 3.8 3.1"),
        "HH-TRAIN": (_of_set("HH-TRAIN"), "11.6 10.8 10.2"),
    },
    of={"model": "GPT-4O", "figure": "alone"},
)
TABLE_26 = _table(
    26,
    "The reward model rightly breaks a tie of DA-then-MAXIM, HH-TEST",
    "model",
    _REWARDS,
    {
        "GPT-4O": ({"model": "GPT-4O"}, "4.3 4.3 4.3"),
        "CLAUDE": ({"model": "CLAUDE"}, "2.0 1.1 1.7"),
        "QWEN": ({"model": "QWEN"}, "8.3 7.2 8.0"),
    },
    of={**_TEST, "figure": "tie-tie-win"},
)

_PAIR, _THREE = _method("da > maxim"), _method("da > maxim > explained")
TABLE_30 = _table(
    30, "What becomes of ties", "jury and path", _sets(*SETS),
    {
        "DA-then-MAXIM, Tie-Win": ({**_PAIR, "figure": "tie-win"}, "2.8 4.0 2.2 3.2"),
        "DA-then-MAXIM, Tie-Loss": ({**_PAIR, "figure": "tie-loss"}, "3.9 2.0 1.0 2.4"),
        "DA-then-MAXIM-then-W-EXPL, Tie-Tie-Tie": (
            {**_THREE, "figure": "tie-tie-tie"}, "5.0 5.7 5.1 4.7",
        ),
        "DA-then-MAXIM-then-W-EXPL, Tie-Tie-Win": (
            {**_THREE, "figure": "tie-tie-win"}, "1.5 3.2 1.3 2.7",
        ),
        "DA-then-MAXIM-then-W-EXPL, Tie-Tie-Loss": (
            {**_THREE, "figure": "tie-tie-loss"}, "2.6 1.3 0.9 2.1",
        ),
    },
    of={"model": "GPT-4O"},
)  # fmt: skip

TABLES = {
    one.number: one
    for one in (
        TABLE_2,
        TABLE_3,
        TABLE_4,
        TABLE_18,
        TABLE_19,
        TABLE_20,
        TABLE_25,
        TABLE_26,
        TABLE_30,
    )
}
