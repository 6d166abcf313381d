"""`assize jury`: decide from stored judgments, or by asking one judge after the other."""

from __future__ import annotations

from collections.abc import Sequence

import assize
from assize.base.errors import ConfigError
from assize.cli.command import Mode, from_function
from assize.formats.arguments import names_of
from assize.juries import Cascade, Jury, Panel, Reliability
from assize.juries.jury import list_path


def _jury(
    cascade: str | None = None,
    panel: str | None = None,
    reliability: bool = False,
    exchangeable: bool = False,
    tied: bool = False,
    anchor: str | Sequence[str] = (),
    model: str | None = None,
) -> Jury:
    """Who sits.

    Args:
        cascade: judges in order, for example "da > maxim": a tie passes on to the next.
        panel: judges that all vote, by majority or by weight, or all.
        reliability: weigh the judges of a panel by how reliable their votes show them to be; of
            several questions, as of the judge `dimensions`, learn each.
        exchangeable: with `reliability`, assume that sides A and B are named at random.
        tied: with `reliability`, assume that a judge is right as often if A is better as if B is.
        anchor: with `reliability`, judge to trust, or gold, whose labels then enter the fit
            (repeatable).
        model: model behind judges that are named without one; of stored votes, enough of its name
            to tell.
    """
    if cascade is not None and (panel is not None or reliability):
        raise ConfigError("a cascade asks one after the other; leave --panel, --reliability out")
    for name, value in (("exchangeable", exchangeable), ("tied", tied), ("anchor", anchor)):
        if value and not reliability:
            raise ConfigError(f"--{name} is for --reliability; add --reliability, or leave it out")
    if cascade is not None:
        return Cascade(cascade, model)
    if reliability:
        trusted = tuple(names_of(anchor) or ())
        return Reliability(
            panel or "all", model, exchangeable=exchangeable, tied=tied, anchor=trusted
        )
    if panel is None:
        raise ConfigError('say who sits: --cascade "da > maxim", --panel all, or --reliability')
    return Panel(panel, model)


decide = from_function(
    assize.jury,
    'assize jury decide run/ --items pairs.jsonl --cascade "da > maxim"',
    arguments=["judgments"],
    named={"out": "--out -o"},
    metavars={"cascade": '"J1 > J2"', "panel": '"J1=2, J2"'},
    makers={"jury": _jury},
    modes=[
        Mode(
            "--list",
            "List the items of one path, for example tie-loss.",
            list_path,
            "path",
            "PATH",
            of_plan=True,
        ),
    ],
    report=True,
    unscored=True,
)
