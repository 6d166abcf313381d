"""Dashboard files say what is watched; mistakes are told with their place; files are kept ready."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.dashboard.project import YAML, write_project
from tests.web.monitor.worked import Worked, two
from tests.web.monitor.worked import write_project as write_task

from assize.base.errors import ConfigError, DataError
from assize.spread import measure_spread
from assize.web._dashboards import file_source, prepare_files, read_dashboards, task_source


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_project(tmp_path)
    return tmp_path


def test_a_file_is_read(project: Path, tmp_path: Path) -> None:
    (found,) = read_dashboards(project)
    assert (found.name, found.main, found.raters) == ("satisfaction", "Q0", ["calibrated"])
    assert (found.resampling.replicates, found.resampling.confidence) == (40, 0.95)
    assert read_dashboards(tmp_path / "none") == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("main: Q0", "mian: Q0", r"satisfaction\.yaml:7"),
        ("[judgments.jsonl]", "[gone.jsonl]", r"no 'gone\.jsonl'"),
        ("replicates: 40", "resample: [items]", "raters"),
        ("replicates: 40", "replicates: 3", "replicates"),
    ],
)
def test_what_is_wrong_is_told(project: Path, old: str, new: str, said: str) -> None:
    assert old in YAML
    path = project / "dashboards" / "satisfaction.yaml"
    path.write_text(YAML.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=said):
        read_dashboards(project)


def test_two_dashboards_of_one_name_are_refused(project: Path) -> None:
    (project / "dashboards" / "two.yaml").write_text(YAML, encoding="utf-8")
    with pytest.raises(DataError, match="another file has a dashboard 'satisfaction'"):
        read_dashboards(project)


def test_addresses_must_be_allowed(project: Path) -> None:
    path = project / "dashboards" / "satisfaction.yaml"
    path.write_text(YAML.replace("[judgments.jsonl]", "['https://a.example/j.jsonl']"))
    (found,) = read_dashboards(project)
    with pytest.raises(ConfigError, match="--allow"):
        file_source(found, project, ())
    assert file_source(found, project, ("https://a.example/j.jsonl",)).key


def test_files_are_read_once_and_anew_when_they_change(project: Path) -> None:
    (found,) = read_dashboards(project)
    source = file_source(found, project, ())
    assert source.load().size == 60
    kept = project / ".assize" / "dashboards" / "satisfaction"
    assert [one.name for one in kept.iterdir()] == [source.key]
    stamp = (kept / source.key / "spread.json").stat().st_mtime_ns
    assert source.load().fields == ["system", "metadata.topic"]
    assert (kept / source.key / "spread.json").stat().st_mtime_ns == stamp
    (project / "judgments.jsonl").write_text("{}\n", encoding="utf-8")
    changed = file_source(found, project, ())
    assert changed.key != source.key
    assert "judgments.jsonl" in prepare_files(found, project, kept / changed.key)
    assert [one.name for one in kept.iterdir()] == [source.key]


@pytest.mark.parametrize(("link", "up"), [(".assize", 2), (".assize/dashboards/satisfaction", 0)])
def test_what_a_link_leads_to_is_not_cleared(
    project: Path, tmp_path: Path, link: str, up: int
) -> None:
    (found,) = read_dashboards(project)
    theirs = tmp_path / "theirs" / "dashboards" / "satisfaction" / "kept"
    theirs.mkdir(parents=True)
    (project / link).parent.mkdir(parents=True, exist_ok=True)
    (project / link).symlink_to(theirs.parents[up])
    with pytest.raises(DataError, match="is a link, or below one"):
        file_source(found, project, ()).load()
    assert theirs.is_dir()


def test_a_task_has_a_dashboard_of_its_ratings_without_gold(tmp_path: Path) -> None:
    write_task(tmp_path, items=4, gold=2)
    worked = Worked(tmp_path)
    empty = worked.store.read_now(task_source, worked.store, worked.task)
    for name in ("ann", "bob"):
        worked.rate(name, lambda *_: two("2", "3"))
    source = worked.store.read_now(task_source, worked.store, worked.task)
    assert source.key != empty.key
    rows = measure_spread(source.load()).means
    assert [(row.question, row.n, row.mean.estimate) for row in rows] == [
        ("clear", 4, 2.0),
        ("kind", 4, 3.0),
    ]
