"""`assize jury`: decide from stored judgments, or by asking one judge after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assize.cli.command import Mode, from_function
from assize.cli.terminal import Told, print_result
from assize.errors import ConfigError
from assize.workflows import jury as workflow
from assize.workflows.asking import USUAL

if TYPE_CHECKING:
    from assize.juries import JuryResult


def _show(result: JuryResult, told: Told) -> None:
    if told.given["out"] != "-":  # else stdout holds the verdicts
        print_result(result, told)


def _check(given: dict[str, Any], as_json: bool) -> None:
    if as_json and given["out"] == "-":
        raise ConfigError("--json and the verdicts cannot both go to stdout; give --out a file")


jury = from_function(
    workflow.jury,
    'assize jury run/ --items pairs.jsonl --cascade "da > maxim"',
    arguments=["judgments"],
    named={"out": "--out -o"},
    metavars={"cascade": '"J1 > J2"', "panel": '"J1=2, J2"', "escalate": "SHARE"},
    usual=USUAL,
    modes=[
        Mode("--dry-run", "Only say what it would take and cost.", workflow.estimate_jury),
        Mode(
            "--list", "Print the items of a path such as tie-loss.", workflow.list_path,
            "path", "PATH",
        ),
    ],
    report=True,
    unscored=True,
    check=_check,
    show=_show,
)  # fmt: skip
