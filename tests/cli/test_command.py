"""A command made of a function."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, getdoc, isfunction, signature
from pathlib import Path
from typing import Any

import pytest
from command_line import read_refusal
from scripts.promised import promised
from tests.cli.conftest import make_command

import assize
from assize.base.errors import ConfigError, DataError
from assize.cli import COMMANDS
from assize.cli.command import Mode
from assize.cli.flags import INPUTS, arguments_of
from assize.cli.inputs import READING
from assize.cli.lazy import LazyCommand
from assize.cli.settings import settings_of
from assize.results import Result, ResultTable
from assize.results.columns import columns

log = logging.getLogger("assize")


@dataclass(frozen=True)
class Count(Result):
    n: int
    stopped: bool = field(default=False, repr=False)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        return {
            "n": ResultTable(
                "Counted", columns("words", "of") + columns("count", "n"), [("\x1b[31mall", self.n)]
            )
        }

    @property
    def lines(self) -> Sequence[str]:
        return ["the line"]

    @property
    def notes(self) -> Sequence[str]:
        return ["a note"]

    @property
    def missing(self) -> tuple[int, int]:
        return 1, self.n

    @property
    def interrupted(self) -> bool:
        return self.stopped


def count(file: str, *, times: int = 1, quiet: bool = False) -> Count:
    """Counts.

    Args:
        file: what is counted.
        times: how often.
    """
    if times < 1:
        raise DataError("times must be at least 1", source=file)
    log.info("counting %s", file)
    return Count(4 * times, stopped=file == "stopped")


def price(file: str, *, times: int = 1) -> Count:
    """What counting would cost."""
    return Count(100 * times)


def path(file: str, place: str) -> Count:
    """The place."""
    return Count(len(place))


def command_of(function: Callable[..., Count], **how: Any) -> Callable[..., Any]:
    """Runs the words that follow the command's name."""
    return make_command(function, "count x", arguments=["file"], **how)


@pytest.fixture
def run() -> Callable[..., Any]:
    modes = [Mode("--dry-run", "Price.", price), Mode("--list", "Place.", path, "place")]
    return command_of(count, unscored=True, modes=modes)


def test_tables_and_lines_go_to_stdout_and_what_there_is_to_say_to_stderr(run: Any) -> None:
    done = run("x", "--max-unscored", "30")
    assert (done.exit_code, done.stderr) == (0, "counting x\na note\n")
    assert "Counted" in done.stdout
    assert done.stdout.endswith("the line\n")
    assert "\x1b" not in done.stdout
    quiet = run("x", "--max-unscored", "30", "--quiet")
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")


def test_what_must_be_typed_is_asked_for_before_anything_is_done() -> None:
    run = command_of(count, required=["times"], modes=[Mode("--dry-run", "Price.", price)])
    done = run("x")
    assert done.exit_code == 2
    words = " ".join(done.stderr.replace("│", "").split())
    assert "name --times; only --dry-run can do without" in words
    assert run("x", "--dry-run", "--json").exit_code == 0


def weigh(file: str, *, how: tuple[str, float] = ("even", 1.0)) -> Count:
    """Weighs.

    Args:
        file: what is weighed.
        how: in one way.
    """
    return Count(len(how[0]) + int(how[1]))


def way(*, name: str | None = None, by_item: float = 2.0) -> tuple[str, float]:
    """One way.

    Args:
        name: of the way.
    """
    if by_item < 0:
        raise ConfigError("by_item: give a weight")
    return name or "even", by_item


def test_flags_of_a_maker_become_the_value_that_the_function_takes() -> None:
    run = command_of(weigh, makers={"how": way})
    weights = [run("x", *more, "--json").stdout for more in ((), ("--name", "a", "--by-item", "4"))]
    assert [json.loads(one)["n"] for one in weights] == [6, 5]
    assert str(run("x", "--by-item", "-1").exception) == "--by-item: give a weight"


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        ("x", 1, "unscored"),
        ("x --times 9", 0, ""),
        ("stopped", 130, ""),
        ("", 2, "name FILE"),  # which is needed
    ],
)
def test_more_missing_than_allowed_ends_with_1_and_an_interrupt_with_130(
    run: Any, words: str, code: int, text: str
) -> None:
    done = run(*words.split())
    assert (done.exit_code, text in done.stderr) == (code, True)


@pytest.mark.parametrize(
    ("words", "n"),
    [("--times 2 --max-unscored 30", 8), ("--dry-run --times 3", 300), ("--list there", 5)],
)
def test_a_mode_calls_another_function_with_the_same_options(run: Any, words: str, n: int) -> None:
    assert json.loads(run("x", *words.split(), "--json").stdout) == {"n": n}


def test_the_log_is_as_it_was_afterwards(run: Any) -> None:
    before = (log.level, list(log.handlers), log.propagate)
    run("x")
    run("x", "--times", "0")
    assert (log.level, list(log.handlers), log.propagate) == before


FACE = (*READING, "report", "max_unscored", "fail_on_drop", "json", "quiet")
FUNCTIONS = {row.name: LazyCommand(row).real.callback for row in COMMANDS}
MADE = {name: one for name, one in FUNCTIONS.items() if hasattr(one, "made_of")}


def test_q_is_quiet_in_every_command_and_nothing_else() -> None:
    for name, command in MADE.items():
        quiet = {
            one.name
            for one in signature(command).parameters.values()
            if "-q" in (one.annotation.__metadata__[0].param_decls or ())
        }
        assert quiet == {"quiet"}, name


def test_the_options_of_reading_are_those_of_read_with_the_same_defaults() -> None:
    for way in (assize.read, assize.read_judgments):
        own = signature(way).parameters
        for name, (_, usual) in READING.items():
            assert own[name].default == usual, name


@pytest.mark.parametrize("name", list(MADE))
def test_a_command_has_the_options_of_reading_where_it_reads_and_all_of_them(name: str) -> None:
    reads = any(
        INPUTS.match(str(one.annotation))
        for one in signature(MADE[name].made_of).parameters.values()
    )
    typed = READING.keys() & signature(MADE[name]).parameters.keys()
    wanted = set(READING) if reads else set()
    assert typed == (wanted - {"on_error"} if name == "check" else wanted)  # it says what is bad


def test_an_error_names_the_option_as_it_is_typed() -> None:
    def tell(file: str, *, leave_out: str = "", by: str = "") -> Count:
        """Tells."""
        raise DataError("leave_out: 'by' is not known; leave_out= goes with by=; (by= in Python)")

    error = command_of(tell)("x").exception
    assert (
        str(error) == "--leave-out: 'by' is not known; --leave-out goes with --by; (by= in Python)"
    )


def test_every_command_is_made_of_a_promised_function() -> None:
    assert len(MADE) == len(COMMANDS)
    functions = {value for value in promised().values() if isfunction(value)}
    assert [name for name, command in MADE.items() if command.made_of not in functions] == []


def test_scores_are_asked_for_as_they_are_summarised() -> None:
    own, promised = signature(assize.scoring.summarise_scores), signature(assize.score)
    assert set(own.parameters) - set(promised.parameters) == {"ask", "keep"}
    for name, one in promised.parameters.items():
        assert one.default == own.parameters[name].default


def names_of(command: Any) -> set[str]:
    """The parameters of its function, and of what makes some of their values."""
    records = settings_of(command.made_of).values()
    made = {part for record in records for part in record.fields}
    made |= {name for make in command.makers.values() for name in signature(make).parameters}
    return {*signature(command.made_of).parameters, *made}


@pytest.mark.parametrize("name", list(MADE))
def test_every_option_is_a_parameter_with_the_same_default(name: str) -> None:
    command = MADE[name]
    modes = {one.name for one in command.modes}
    own = signature(command.made_of).parameters
    for option in signature(command).parameters.values():
        if option.name in modes or option.name in FACE:
            continue
        if option.name == "preset" and command.preset is not None:
            continue
        assert option.name in names_of(command), f"{name}: {option.name}"
        record = option.name in settings_of(command.made_of)
        if option.name in own and not record and option.default is not Parameter.empty:
            default = own[option.name].default
            typed = isinstance(default, bool | int | float | str)
            several = isinstance(default, str) and isinstance(option.default, list)
            wanted = [default] if several else default if typed else None
            assert option.default == wanted, f"{name}: {option.name}"


@pytest.mark.parametrize("name", list(MADE))
def test_what_one_must_know_to_type_an_option_is_in_its_help(name: str) -> None:
    """The help is a first sentence; what is left out is for Python alone."""
    function = MADE[name].made_of
    values = {*settings_of(function), *MADE[name].makers}  # the options are their parts
    _, _, section = (getdoc(function) or "").partition("Args:\n")
    said = arguments_of(function)
    for entry in re.findall(r"^ {4}(\w+: [^\n]*(?:\n {8}[^\n]*)*)", section, flags=re.M):
        argument, _, text = entry.partition(":")
        if argument in said and argument not in values:
            rest = " ".join(text.split())[len(said[argument]) - 2 :]
            for word in ("repeat", "default", "when ", "Or "):
                assert word not in rest, f"{name}: {argument}: {rest}"


def test_two_results_cannot_both_go_to_stdout(tmp_path: Path) -> None:
    refused = read_refusal("score", tmp_path / "chats.jsonl", "--out", "-", "--json")
    assert "--json and --out - cannot both go to stdout" in refused
