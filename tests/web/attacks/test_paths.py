"""No address and no file of a project leads to a file outside it."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from tests.web.accounts.projects import TASK, answered, write_project
from tests.web.attacks.crawler import (
    api_routes,
    changed_one_by_one,
    filled_in,
    likeness,
    methods_of,
    parameters_of,
    route_of,
)
from tests.web.attacks.world import World, csrf
from tests.web.queue.rounds import add_people

from assize import read_judgments, web
from assize.base.errors import ConfigError, DataError
from assize.web._dashboards import read_dashboard
from assize.web._exporting.task_export import FORMS, Form
from assize.web._opening import opened_store
from assize.web._project import read_project

OUT = (
    "../../../../../../etc/passwd",
    "..%2f..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "..%5c..%5cetc%5cpasswd",
    "....//....//etc/passwd",
    "%252e%252e%252fetc%252fpasswd",
    "/etc/passwd",
    "..%00/etc/passwd",
    "x%00",
    "project.yaml",
    "../assize.db",
    "assize.db",
)


def check_refused(world: World, path: str, name: str, role: str) -> None:
    """A path that no client has tidied up gives no file, and is not found."""
    answer = world.raw(path, f"cookie: assize={world.token(name, role)}")
    assert not leaked(answer), path
    assert answer.split()[1] in (b"404", b"400", b"405"), path


def leaked(answer: bytes) -> bool:
    """Whether it holds a file of the machine or the database."""
    return b"root:" in answer or b"SQLite format" in answer or b"contact:" in answer


@pytest.mark.parametrize("out", OUT)
def test_no_address_leads_out(world: World, out: str) -> None:
    """Of static files, and in every place of an address that is a parameter."""
    for path in (f"/static/{out}", f"/static/../{out}", f"/{out}", f"/static//{out}"):
        check_refused(world, path, "Lea", "admin")
    for route in api_routes(world.app):
        if "GET" in methods_of(route) and route.param_convertors:
            path = filled_in(route, dict.fromkeys(route.param_convertors, out.lstrip("/")))
            check_refused(world, path, "Lea", "admin")


@pytest.mark.parametrize("out", OUT)
def test_no_part_of_an_address_leads_out(world: World, out: str) -> None:
    """Each parameter for itself; the others name what is there."""
    reached = {
        route.path: (path, name, role)
        for name, role in (("Ana", "rater"), ("Lea", "admin"))
        for path, answer in world.crawled(name, role).pages.items()
        if answer.status_code == 200 and (route := route_of(world.app, path)) is not None
        if route.param_convertors
    }
    assert {"/monitor/{task}", "/collect/{task}/{chat}/sources"} <= reached.keys()
    for path, name, role in reached.values():
        known, route = parameters_of(world.app, path), route_of(world.app, path)
        assert route is not None
        for changed in changed_one_by_one(known, out.lstrip("/")):
            check_refused(world, filled_in(route, changed), name, role)


@pytest.mark.parametrize("out", ["../../../../../../../../etc/passwd", "/etc/passwd\x00.csv"])
def test_no_value_of_a_query_leads_out(world: World, out: str) -> None:
    asked = {
        likeness(world.app, path): (path, dict(given))
        for path in world.crawled("Lea", "admin").pages
        if (given := parse_qsl(urlsplit(path).query, keep_blank_values=True))
    }
    assert len(asked) > 10
    with world.visitor("Lea", "admin") as client:
        for path, query in asked.values():
            for changed in changed_one_by_one(query, out):
                answer = client.get(f"{urlsplit(path).path}?{urlencode(changed)}")
                assert answer.status_code in (200, 303, 400, 404), (path, changed)
                assert not leaked(answer.content), (path, changed)


WRONG_NAMES = ["../x", "a/b", "a\\b", ".", "..", "", "a b", "x" * 61, "-x", "é", "x\0", "/x"]


@pytest.mark.parametrize("name", WRONG_NAMES)
def test_a_task_cannot_have_a_name_that_leads_elsewhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError):
        write_project(tmp_path, task=TASK.replace("task: chats", f"task: {json.dumps(name)}"))


@pytest.mark.parametrize("name", WRONG_NAMES)
def test_a_dashboard_cannot_have_a_name_that_leads_elsewhere(tmp_path: Path, name: str) -> None:
    """Its columns are kept in a folder of that name."""
    (tmp_path / "ratings.jsonl").touch()
    path = tmp_path / "quality.yaml"
    path.write_text(f"dashboard: {json.dumps(name)}\njudgments: ratings.jsonl\n")
    with pytest.raises(DataError):
        read_dashboard(path, tmp_path)


def test_a_wrong_task_file_is_told_to_leads_and_changes_nothing(world: World) -> None:
    path, before = world.folder / "tasks" / "rate.yaml", world.state()
    text = path.read_text()
    try:
        path.write_text(text.replace("conversations.jsonl", "../../../../etc/passwd"))
        with world.visitor("Lea", "admin") as client:
            answer = client.post("/admin/read-again", data={"csrf": csrf(client)})
        assert answer.status_code == 400
        assert "Nothing was changed" in answer.text
    finally:
        path.write_text(text)
    assert world.state() == before
    assert read_project(world.folder).task("rate") is not None


def test_downloads_have_plain_names(world: World) -> None:
    """Their names come from the app, and inside an archive no name leads out."""
    seen = set()
    for name, role in (("Ana", "rater"), ("Lea", "admin")):
        for path, answer in world.crawled(name, role).pages.items():
            said = answer.headers.get("content-disposition", "")
            if "filename" not in said:
                continue
            file = said.partition('filename="')[2].rstrip('"')
            assert file, path
            seen.add(Path(file).suffix)
            assert not set(file) & set('/\\"<>\r\n;'), path
            for inner in names_inside(answer.content):
                assert not inner.startswith("/"), path
                assert ".." not in Path(inner).parts, path
    assert seen == {".csv", ".json", ".zip"}


ODD = ["../../../odd", "/tmp/odd", "..", "a/b", "a\\b", "x\0y", "\u202egpj.exe", "CON"]


@pytest.mark.parametrize("form", FORMS)
def test_an_export_writes_nothing_outside_its_folder(tmp_path: Path, form: Form) -> None:
    """Whatever items and people are called."""
    (tmp_path / "project").mkdir()
    project = write_project(tmp_path / "project", size=len(ODD))
    lines = (project.folder / "conversations.jsonl").read_text().splitlines()
    renamed = [{**json.loads(line), "id": odd} for line, odd in zip(lines, ODD, strict=True)]
    text = "".join(f"{json.dumps(one)}\n" for one in renamed)
    (project.folder / "conversations.jsonl").write_text(text)
    with opened_store(project.folder) as (found, store):
        for now, name in enumerate(ODD, start=1):
            person = store.write_now(add_people, [name])[name]
            store.write_now(answered, found, person, float(now))
    before = files(tmp_path)
    web.export(project.folder, out=tmp_path / "out", form=form)
    written = {one.removeprefix("out/chats/") for one in files(tmp_path) - before}
    judged = f"judgments.{form}"
    questions = {"questions.json", "together.questions.json", "adjudicated.questions.json"}
    records = {
        "together.jsonl",
        "adjudicated.jsonl",
        "items.jsonl",
        "made.jsonl",
        "history.jsonl",
    }
    assert written == {judged, *questions, *records}
    raters = {row.judge for row in read_judgments(tmp_path / "out" / "chats" / judged)}
    assert raters == {one.replace("\0", "\ufffd") for one in ODD}


def files(folder: Path) -> set[str]:
    """All files in it."""
    return {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()}


@pytest.mark.parametrize("name", ["../chats", "/chats", "chats/../chats", "chats\0"])
def test_no_export_of_a_task_that_is_none(tmp_path: Path, name: str) -> None:
    (tmp_path / "project").mkdir()
    write_project(tmp_path / "project")
    with pytest.raises(ConfigError):
        web.export(tmp_path / "project", out=tmp_path / "out", task=[name])
    assert not (tmp_path / "out").exists()


def names_inside(content: bytes) -> list[str]:
    """Of the files in an archive; none where it is no archive."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        return zipfile.ZipFile(io.BytesIO(content)).namelist()
    return []
