"""Comparing versions, in memory and from files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.versions.drifting import SET, drifting
from tests.versions.one_file import OVERALL, make_chat
from tests.versions.two_versions import HELPFUL, chats_of, two_versions
from typer.testing import CliRunner

import assize
from assize import Statistics
from assize.base.errors import AssizeError, DataError
from assize.cli import app
from assize.criteria._reading import criteria_text
from assize.formats import write
from assize.versions import OverTime, Regressions

SOME, FEW = Statistics(permutations=499), Statistics(permutations=99)
MONTHLY = OverTime("metadata.started", every="month")
OLD, NEW = two_versions()
GIVEN: dict[str, Any] = {one.name: [one.table, list(one.items.values())] for one in (OLD, NEW)}


def compared(**given: Any) -> Any:
    return assize.compare(GIVEN, **{"statistics": SOME, **given})


def test_files_and_memory_give_the_same(tmp_path: Path) -> None:
    given = []
    for one in (OLD, NEW):
        write(tmp_path / f"{one.name}.jsonl", list(one.table), questions=[HELPFUL])
        write(tmp_path / f"{one.name}-chats.jsonl", list(one.items.values()))
        given += [f"{one.name}={tmp_path}/{one.name}{more}.jsonl" for more in ("", "-chats")]
    found = assize.compare(given, by="metadata.lang", statistics=SOME)
    assert found.to_json() == compared(by="metadata.lang").to_json()


OLD_CHATS = list(chats_of(OLD).values())
TWICE = {"old": OLD_CHATS, "new": OLD_CHATS}
NOBODY = Path("nowhere/no-evaluator")  # an error of its own, once anything is scored


def test_one_set_is_split_and_then_has_segments() -> None:
    with pytest.raises(AssizeError, match="there is one version"):
        assize.compare([*OLD.table, *NEW.table])
    chats, rows = [], []
    for one in (OLD, NEW):
        chats += [replace(chat, id=f"{one.name}-{name}") for name, chat in one.items.items()]
        rows += [replace(row, item=f"{one.name}-{row.item}") for row in one.table]
    found: Any = assize.compare(
        {"all": [assize.JudgmentTable.of(rows, [HELPFUL]), chats]},
        by=["metadata.version", "metadata.lang"],
        against="old",
        statistics=SOME,
    )
    assert found.pairing["new"].by == "prompt"
    whole = compared().differences[0].difference.estimate
    assert found.differences[0].difference.estimate == pytest.approx(whole)
    assert {one.segment for one in found.segments} == {"de", "en"}


def test_several_paths_with_by_are_told_how_to_be_one_version(tmp_path: Path) -> None:
    for index, one in enumerate((OLD, NEW, OLD)):
        rows = [replace(row, answer=str(1 + index)) for row in one.table]
        write(tmp_path / f"night-{index}.jsonl", rows, questions=[HELPFUL])
    files = [str(tmp_path / f"night-{index}.jsonl") for index in range(3)]
    how: dict[str, Any] = {
        "by": "metadata.lang",
        "items": list(OLD.items.values()),
        "statistics": FEW,
    }
    assert "3 paths are compared as 3 versions" in assize.compare(files, **how).notes[-1]
    assert "write bot= before each" in assize.compare(files, **how).notes[-1]
    named = [f"{name}={file}" for name, file in zip("abc", files, strict=True)]
    assert not any("bot=" in note for note in assize.compare(named, **how).notes)


def test_each_version_is_measured_over_time_by_itself() -> None:
    how: dict[str, Any] = {"against": MONTHLY, "statistics": Statistics(permutations=199)}
    both = compared(**how)
    assert both.groups == ["new", "old"]
    alone: Any = assize.compare({"new": NEW.table}, items=list(NEW.items.values()), **how)
    mine, own = (
        [None if one is None else one.mean.estimate for one in series.periods]
        for series in (next(one for one in both.series if one.group == "new"), alone.series[0])
    )
    assert mine == own


CHATS, TABLE = drifting(300, drop=2.0)
WEEKLY = OverTime("started", criteria=SET)


def drift(over: OverTime = WEEKLY, **given: Any) -> Any:
    asked: dict[str, Any] = {"items": CHATS, "statistics": Statistics(permutations=199)}
    return assize.compare(TABLE, against=over, **{**asked, **given})


def test_criteria_over_time_are_the_same_from_files_and_from_memory(tmp_path: Path) -> None:
    criteria, run, chats = (tmp_path / name for name in ("c.yaml", "run.jsonl", "chats.jsonl"))
    criteria.write_text(criteria_text(SET))
    assize.write(run, TABLE)
    assize.write(chats, CHATS)
    over = replace(WEEKLY, criteria=criteria)
    found: Any = assize.compare(
        run, items=chats, against=over, statistics=Statistics(permutations=199)
    )
    assert found.to_json() == drift().to_json()
    assert found.latest[0].id == "NetSAT"


def test_times_may_be_a_dict_and_need_no_conversations() -> None:
    times = {one.id: one.metadata["started"] for one in CHATS}
    found = drift(OverTime(times, every=100), items=None)
    assert [one.n for one in found.periods] == [100, 100, 100]
    assert found.labelling is None


def test_conversations_of_one_user_depend_on_each_other() -> None:
    users = Statistics(permutations=199, cluster="user")
    widths = [
        row.now.interval[1] - row.now.interval[0]
        for row in (drift(statistics=users).latest[0], drift().latest[0])
    ]
    assert widths[0] != widths[1]


def test_a_log_is_measured_by_system() -> None:
    assert drift(by="system").groups == ["a", "b"]


@pytest.mark.parametrize(("drop", "code"), [(2.0, 1), (0.0, 0)])
def test_the_command_ends_with_one_where_quality_fell_and_that_is_asked(
    drop: float, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chats, table = drifting(300, drop=drop)
    Path("criteria.yaml").write_text(criteria_text(SET))
    assize.write("run.jsonl", table)
    assize.write("chats.jsonl", chats)
    command = ["compare", "run.jsonl", "-c", "criteria.yaml", "-i", "chats.jsonl"]
    command += ["--over", "started", "--permutations", "199", "--fail-on-drop", "--json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == code, done.output
    assert ("worse than before, latest week" in done.stderr) == bool(code)


def test_what_goes_with_over_alone_is_refused_without_it(tmp_path: Path) -> None:
    assize.write(tmp_path / "a.jsonl", TABLE)
    done = CliRunner().invoke(app, ["compare", str(tmp_path / "a.jsonl"), "--least", "30"])
    assert "name --over" in done.output


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda: assize.compare(OLD_CHATS, evaluator=NOBODY), "there is one version, 'v1'"),
        (
            lambda: assize.compare(TWICE, against="odl", evaluator=NOBODY),
            "baseline 'odl': there are old, new",
        ),
        (lambda: assize.compare(TWICE, evaluator=NOBODY), "no-evaluator"),
        (lambda: compared(by=["lang", "user"]), "give one field of segments"),
        (lambda: compared(by="colour"), "no item has the field 'colour'"),
        (lambda: compared(pairing="rows"), "pairing"),
        (lambda: compared(detect=0), "detect: received 0"),
        (lambda: compared(statistics=Statistics(permutations=9)), "permutations: received 9, all"),
        (
            lambda: compared(statistics=Statistics(interval="jackknife")),
            "nothing here depends on interval",
        ),
        (
            lambda: compared(against=MONTHLY, detect=1.0),
            "over time there are no segments and no size to detect",
        ),
        (lambda: compared(against=MONTHLY, by="metadata.lang"), "over time there are no segments"),
        (
            lambda: compared(question="Q9"),
            "no question of Q9 has numbers by one judge in every version",
        ),
        (lambda: compared(against="older"), "there are old, new"),
        (lambda: drift(OverTime("when")), "no item has the field 'when'"),
        (
            lambda: drift(items=None),
            "'started' is a field of the conversations: give them as items",
        ),
        (lambda: drift(replace(WEEKLY, every="hour")), "every hour: allowed are day, week, month"),
        (lambda: drift(question="s9"), "no judgment answers 's9'"),
        (lambda: drift(judges="ann"), "no judge 'ann'"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_anything_is_scored(
    call: Callable[[], object], problem: str
) -> None:
    with pytest.raises(AssizeError, match=problem):
        call()


def test_the_worst_regressions_alone_are_kept() -> None:
    found = compared(regressions=Regressions(main="helpful", keep=3)).regressions
    assert [row.item for row in found] == [row.item for row in compared().regressions[:3]]


def sides(folder: Path, old: str, new: str) -> list[str]:
    return [
        f"{name}={folder}/{file}.jsonl"
        for name, item_file in (("old", old), ("new", new))
        for file in ("scores", item_file)
    ]


def test_judgments_in_one_file_are_told_apart_by_their_items(folder: Path) -> None:
    result: Any = assize.compare(sides(folder, "A", "B"), statistics=FEW)
    assert result.differences[0].difference.estimate == pytest.approx(-0.8)
    assert result.versions == {"old": 20, "new": 20}
    log: Any = assize.compare(folder / "log.jsonl", by="system", statistics=FEW)
    assert log.versions == {"A": 20, "B": 20}
    assert log.differences[0].difference.estimate == pytest.approx(-0.8)


@pytest.mark.parametrize("options", [{}, {"against": MONTHLY}])
def test_a_version_is_not_compared_with_itself(folder: Path, options: Any) -> None:
    with pytest.raises(DataError, match=r"scores.jsonl: old and new both take .* 20 items"):
        assize.compare(sides(folder, "A", "A"), statistics=FEW, **options)


def test_over_time_takes_the_judgments_of_each_version(folder: Path) -> None:
    result: Any = assize.compare(sides(folder, "A", "B"), against=MONTHLY, statistics=FEW)
    means = {one.group: one.periods[0].mean.estimate for one in result.series}
    assert means == {"old": pytest.approx(0.9), "new": pytest.approx(0.1)}


def test_conversations_of_one_id_are_told_apart_by_system() -> None:
    pytest.importorskip("onnxruntime")
    chats = [make_chat(version, number) for version in "AB" for number in range(6)]
    result: Any = assize.compare(chats, by="system", statistics=FEW, quiet=True)
    assert result.versions == {"A": 6, "B": 6}
    assert result.pairing["B"].by == "id"


def test_judgments_of_an_id_that_names_two_items_are_refused(tmp_path: Path) -> None:
    chats = [make_chat(version, number) for version in "AB" for number in range(6)]
    rows = [assize.Judgment(chat.id, "j", "overall", score=0.5) for chat in chats]
    write(tmp_path / "log.jsonl", [*rows, *chats], questions=[OVERALL])
    with pytest.raises(DataError, match="log: the id '0' names two items that differ; give the"):
        assize.compare(tmp_path / "log.jsonl", by="system")
