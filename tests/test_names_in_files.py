"""A model, judge or encoder that a file names is asked by nobody, whatever kind of file it is.

`READERS` lists every module that reads files, and `OPENERS` every module that opens what is named:
a new one fails here until it says what its files may name, and `PLANTS` puts names of a module that
leaves a mark, a server that counts, and a hub into each kind of file that holds names.
"""

from __future__ import annotations

import ast
import json
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from acts_taught import FIRST, ITEMS
from local_server import Handler, serving
from starlette.testclient import TestClient
from tests.calibrate.conftest import lenient_and_strict, make_world
from tests.criteria.conftest import SET
from tests.evaluator.training.test_checkpoint import STATE
from tests.judging.own.test_prompt_file import POLITE
from tests.reference.ensemble.made import sample
from tests.web.collect.conftest import make_project
from tests.web.dashboard.project import write_project

import assize
from assize._doors.data_card.provenance import read_provenance
from assize.acts._tagger import KIND as TAGGER
from assize.acts._tagging import examples, fit_tagger
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import AssizeError
from assize.calibrate import fit_default
from assize.calibrate._active.routing import load_routing
from assize.calibrate._artefact import KIND as CALIBRATOR
from assize.calibrate._artefact import save as save_calibrator
from assize.criteria._reading import criteria_text
from assize.encoders import ENCODERS, load_encoder
from assize.evaluator._artefact import EVALUATOR
from assize.evaluator._training.checkpoint import TRAINING, load_checkpoint, save_checkpoint
from assize.models.providers import PROVIDERS, Provider
from assize.reference._ensemble.artefact import KIND as ENSEMBLE
from assize.reference._ensemble.artefact import save_ensemble
from assize.reference._ensemble.learning import learn
from assize.reference._ensemble.settings import Settings
from assize.retrieval import build_index, open_index
from assize.rubric._reading import FOLDER as RUBRICS
from assize.web._opening import opened

SOURCE = Path(assize.__file__).parent
PAIR = Pair("p", (Turn("user", "Hi."),), (Turn("assistant", "A."),), (Turn("assistant", "B."),))
TALK = Conversation("c1", (Turn("user", "Where is it?"), Turn("assistant", "Over there.")))

# --- who opens what is named, and who reads files ------------------------------------------------

COMMAND = "names come from the command, or are the package's own"
DECIDES = "names may come from a file; check_named decides"

OPENERS: Mapping[str, str] = {
    "calibrate/_data/texts.py": DECIDES,
    "calibrate/_network/fit.py": COMMAND,  # a doctest
    "criteria/_judge.py": DECIDES,
    "criteria/_learning/learn.py": COMMAND,
    "criteria/_learning/learner.py": COMMAND,
    "acts/_act_judge.py": COMMAND,
    "acts/_da.py": COMMAND,
    "acts/_tagger.py": DECIDES,
    "encoders/opening.py": DECIDES,
    "encoders/huggingface.py": COMMAND,
    "evaluator/_artefact.py": DECIDES,
    "evaluator/_hub.py": COMMAND,
    "evaluator/_measuring/runtime.py": COMMAND,
    "formats/files.py": COMMAND,
    "formats/sources.py": COMMAND,
    "judging/judges/debate.py": COMMAND,
    "judging/judges/geval.py": COMMAND,
    "judging/prompt_judge.py": COMMAND,
    "judging/judges/published/graded.py": COMMAND,
    "judging/judges/published/objectives.py": COMMAND,
    "judging/judges/reward.py": COMMAND,
    "judging/dry_run.py": COMMAND,
    "judging/table.py": COMMAND,
    "models/reward_engine.py": COMMAND,
    "models/scripted.py": COMMAND,
    "reference/_ensemble/judge.py": DECIDES,
    "reference/_judges/judge.py": COMMAND,
    "reference/_metrics/measure.py": COMMAND,
    "reference/_samples/experiment.py": COMMAND,
    "rubric/_asking.py": COMMAND,
    "rubric/_factscore.py": COMMAND,
    "simulate/_build_preferences.py": COMMAND,
    "simulate/_candidate_turns/build.py": COMMAND,
    "simulate/_recipes/simulate.py": COMMAND,
    "web/_collect/opened.py": DECIDES,
    "acts/_show.py": COMMAND,
    "calibrate/_distill.py": COMMAND,
    "calibrate/_fit.py": COMMAND,
    "criteria/_distill.py": COMMAND,
    "criteria/_heads.py": COMMAND,  # or a name that `_judge.py` has decided about
    "criteria/_score.py": COMMAND,
    "study/_evaluators.py": COMMAND,
    "evaluator/_train.py": COMMAND,
    "_doors/load.py": COMMAND,
    "reference/_score.py": COMMAND,
    "simulate/_topics.py": COMMAND,
}
OPENING = {
    "imported",
    "kept_heads",
    "load_dataset",
    "load_encoder",
    "local_folder",
    "open_criteria",
    "open_ensemble",
    "open_judge",
    "open_judges",
    "open_method",
    "reopen_encoder",
    "reopen_stored",
    "snapshot_download",
}
DECIDING = (
    "check_named(",
    "check_models(",
    "said_encoder(",
    "reopen_encoder(",
    "reopen_stored(",
)

TOOLS = "reads what other modules give it a meaning"
ANSWER = "a server's or a model's answer"
PACKAGE = "a file of the package"
RECORDS = "conversations and judgments, whose judges are names to compare (plant run)"
CACHE = "what this machine has stored for itself: answers, counts, hashes"

READERS: Mapping[str, str] = {
    "cli/help_file.py": PACKAGE,
    "evaluator/_heads/ridge.py": PACKAGE,
    "base/artefacts.py": TOOLS,
    "base/depth.py": TOOLS,
    "base/line_checksum.py": RECORDS,
    "calibrate/_active/routing.py": "plant routing",
    "calibrate/_artefact.py": "plant calibrator",
    "calibrate/_data/features.py": RECORDS,
    "calibrate/_fitted.py": "plant calibrator",
    "calibrate/_groups/multicalibration.py": "plant calibrator",
    "criteria/_reading.py": "plant criteria",
    "acts/_kept.py": CACHE,
    "acts/_tagger.py": "plant tagger",
    "acts/_taxonomy.py": "plant taxonomy",
    "encoders/pinned.py": CACHE,
    "encoders/session.py": PACKAGE,
    "evaluator/_artefact.py": "plant evaluator",
    "evaluator/_training/checkpoint.py": "plant training",
    "formats/any_log/field_list.py": RECORDS,
    "formats/any_log/mapped.py": RECORDS,
    "formats/any_log/mapping.py": "a map of fields: paths and roles",
    "formats/any_log/messages.py": RECORDS,
    "formats/any_log/paths.py": RECORDS,
    "formats/any_log/propose.py": RECORDS,
    "formats/any_log/votes.py": RECORDS,
    "formats/logs/arena.py": RECORDS,
    "formats/logs/dialogue.py": RECORDS,
    "formats/logs/traces.py": RECORDS,
    "formats/records.py": RECORDS,
    "formats/research/mtdeval.py": RECORDS,
    "formats/research/public_pairs.py": RECORDS,
    "formats/rows.py": RECORDS,
    "formats/tool_calls.py": RECORDS,
    "formats/yaml_nodes.py": TOOLS,
    "judging/own/front_matter.py": "plant prompt",
    "judging/own/prompt_file.py": "plant prompt",
    "judging/prompting.py": ANSWER,
    "judging/judges/published/objectives.py": ANSWER,
    "judging/tools.py": RECORDS,
    "judgments/reading.py": RECORDS,
    "judgments/schema.py": RECORDS,
    "models/anthropic.py": ANSWER,
    "models/batch.py": CACHE,
    "models/batch_files.py": ANSWER,
    "models/cache.py": CACHE,
    "models/openai.py": ANSWER,
    "models/openai_connection.py": ANSWER,
    "models/replay.py": "answers that are played back to whoever asks: no name is opened",
    "models/reward_engine.py": "weights of a model that the command names",
    "models/reward_http.py": ANSWER,
    "models/spending.py": "prices by a model's name: looked up, not opened",
    "_doors/data_card/provenance.py": "plant provenance",
    "reference/_ensemble/artefact.py": "plant ensemble",
    "reference/_ensemble/ensemble.py": "plant ensemble",
    "reference/_ensemble/judge.py": "plant ensemble",
    "reference/_metrics/surface/lexicon.py": PACKAGE,
    "reference/_samples/questions.py": "questions, a line each: no name is opened",
    "reference/_rating_sheets/workbook.py": "cells that people filled in",
    "retrieval/stored.py": "plant index",
    "rubric/_factscore.py": RECORDS,
    "rubric/_reading.py": "plant rubric",
    "running/budget.py": CACHE,
    "running/journal.py": "plant run",
    "spread/ratings.py": CACHE,
    "web/_dashboards.py": "plant dashboard",
    "web/_project.py": "plant collect",
    "web/_storage/schema.py": CACHE,
    "web/_tasks/definition.py": "plant collect",
    "criteria/_distill.py": "criteria and lines of an evaluator: no name is opened",
    "criteria/_heads.py": "criteria and lines of an evaluator: no name is opened",
    "judging/run_folder.py": "plant run",
    "judging/steps.py": "plant run",
    "simulate/_scrubbing.py": RECORDS,
}
READING = {
    "attached",
    "Kind",
    "compose",
    "composed",
    "from_parts",
    "model_validate",
    "open_artefact",
    "parse_json_text",
    "parse_toml",
    "read_as",
    "read_run",
    "text_in",
    "validate_python",
    "validated",
}
OUTSIDE = {"cli/flags.py", "web/_tasks/kind.py"}  # a `read_as` and a `Kind` of their own


@cache
def calls() -> Mapping[str, frozenset[str]]:
    """By module, the functions that it calls or hands to `partial`, as it writes them."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        called = [node for node in nodes if isinstance(node, ast.Call)]
        partials = [node.args[0] for node in called if ast.unparse(node.func) == "partial"]
        names = frozenset(map(ast.unparse, [*(node.func for node in called), *partials]))
        found[path.relative_to(SOURCE).as_posix()] = names
    return found


def opens(function: str) -> bool:
    owner, _, name = function.rpartition(".")
    models = name == "open" and ("model" in owner or owner in ("opened", "fsspec"))
    return models or name in OPENING


def reads(function: str) -> bool:
    return function in ("json.loads", "tomllib.loads") or function.rpartition(".")[2] in READING


def modules_that(does: Callable[[str], bool]) -> set[str]:
    found = {name for name, functions in calls().items() if any(map(does, functions))}
    return found - OUTSIDE


def test_every_module_that_opens_what_is_named_says_where_names_come_from() -> None:
    unknown = modules_that(opens) ^ OPENERS.keys()
    assert not unknown, f"say in OPENERS where the names come from: {sorted(unknown)}"
    for name, why in OPENERS.items():
        text = (SOURCE / name).read_text(encoding="utf-8")
        assert (why == COMMAND) or any(one in text for one in DECIDING), name


def test_every_module_that_reads_files_says_what_they_name() -> None:
    unknown = modules_that(reads) ^ READERS.keys()
    assert not unknown, f"say in READERS what the files may name, or plant it: {sorted(unknown)}"
    plants = {why.removeprefix("plant ") for why in READERS.values() if why.startswith("plant ")}
    assert plants == PLANTS.keys()


def test_every_kind_of_artefact_is_planted() -> None:
    kinds = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if "= Kind(\n" in path.read_text(encoding="utf-8")
    }
    assert kinds
    assert all(READERS[name].startswith("plant ") for name in kinds)


# --- what notices that a name was asked ----------------------------------------------------------


@dataclass
class Canary:
    """A module that leaves a mark when it is imported, and a server that counts."""

    folder: Path
    url: str
    heard: list[str]

    @property
    def names(self) -> tuple[str, ...]:
        """What a file may name to be noticed."""
        return (
            "scripted:canary:ask",
            "canary:ask",
            "rating@scripted:canary:ask",
            f"{self.url}/rate",
            f"reward@{self.url}/rate",
            "openai:canary",
            "rating@openai:canary",
            "hf:canary/none",
            "hub:canary/none",
            "evaluator:hub:canary/none",
            "evaluator@hub:canary/none",
        )

    def sang(self) -> list[str]:
        """What was asked since the last time."""
        mark, heard = self.folder / "sang", list(self.heard)
        found = ["module"] * mark.exists() + heard
        mark.unlink(missing_ok=True)
        self.heard.clear()
        sys.modules.pop("canary", None)
        return found


@pytest.fixture
def canary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Canary]:
    heard: list[str] = []

    class Heard(Handler):
        def do_GET(self) -> None:
            heard.append(self.path)
            self.send_error(404)

        do_HEAD = do_POST = do_GET  # noqa: N815

    code = "from pathlib import Path\nPath(__file__).with_name('sang').touch()\n"
    (tmp_path / "canary.py").write_text(f"{code}def ask(*a, **b):\n    return 'A'\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)
    # Whoever opens a model or an encoder of the hub imports the canary.
    monkeypatch.setitem(PROVIDERS, "hf", Provider("canary:ask", local=True))
    monkeypatch.setitem(ENCODERS, "hf", replace(ENCODERS["hf"], home="canary:ask"))
    with serving(Heard) as url:
        monkeypatch.setenv("HF_ENDPOINT", url)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "canary-canary")
        # The hub's client reads its address when it is imported, perhaps by an earlier test.
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", url)
        yield Canary(tmp_path, url, heard)


@pytest.mark.parametrize("number", range(11))
def test_the_canary_sings_where_the_user_names_it(canary: Canary, number: int) -> None:
    name = canary.names[number]
    kind, _, rest = name.partition(":")
    with suppress(AssizeError, TypeError, AttributeError):
        if name.startswith("canary") or "@" in name:
            assize.judge([PAIR if name.startswith("reward") else TALK], name, quiet=True)
        elif kind in ("hub", "evaluator"):
            assize.evaluator.load_evaluator(name if kind == "hub" else rest)
        elif kind == "http":
            assize.judge([PAIR], f"reward@{name}", quiet=True)
        else:
            assize.judge([TALK], f"rating@{name}", quiet=True)
    assert canary.sang()


# --- the plants ----------------------------------------------------------------------------------

Use = Callable[[], object]


@dataclass(frozen=True)
class Plant:
    """Files with names in them, and what a user does with such files.

    Args:
        files: whose texts under every key are replaced, one key after another.
        use: the commands.
        names: keys that are names; there every name is tried, and under others one each.
    """

    files: tuple[Path, ...]
    use: Use
    names: tuple[str, ...] = ()


def keys_of(value: Any) -> dict[str, None]:
    """The keys under which a document holds texts."""
    if isinstance(value, Mapping):
        found = {key: None for key, part in value.items() if _is_text(part)}
        return {**found, **{key: None for part in value.values() for key in keys_of(part)}}
    if isinstance(value, list):
        return {key: None for part in value for key in keys_of(part)}
    return {}


def _is_text(part: Any) -> bool:
    return isinstance(part, str) or (
        isinstance(part, list) and any(isinstance(one, str) for one in part)
    )


def planted(value: Any, key: str, name: str) -> Any:
    """The document with a name in place of every text under a key."""
    if isinstance(value, Mapping):
        return {one: _planted(one, part, key, name) for one, part in value.items()}
    if isinstance(value, list):
        return [planted(part, key, name) for part in value]
    return value


def _planted(own: str, part: Any, key: str, name: str) -> Any:
    if own != key or not _is_text(part):
        return planted(part, key, name)
    return name if isinstance(part, str) else [name for _ in part]


def read_document(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    if path.suffix == ".jinja":
        return yaml.load(text.split("---")[1], Loader=yaml.BaseLoader)
    if path.suffix == ".toml":
        return tomllib.loads(text)
    return json.loads(text) if path.suffix == ".json" else yaml.load(text, Loader=yaml.BaseLoader)


def write_document(path: Path, value: Any, before: str) -> None:
    text = yaml.safe_dump(value, sort_keys=False, allow_unicode=True)
    if path.suffix == ".json":
        text = json.dumps(value)
    if path.suffix == ".jsonl":
        text = "".join(f"{json.dumps(row)}\n" for row in value)
    if path.suffix == ".jinja":
        text = f"---\n{text}---{before.split('---', 2)[2]}"
    if path.suffix == ".toml":
        text = _toml(value)
    path.write_text(text, encoding="utf-8")


def _toml(value: Mapping[str, Any]) -> str:
    tables = {key for key, part in value.items() if isinstance(part, Mapping) or _is_rows(part)}
    lines = [f"{key} = {json.dumps(part)}" for key, part in value.items() if key not in tables]
    for key in tables:
        head = f"[[{key}]]" if _is_rows(value[key]) else f"[{key}]"
        for row in value[key] if _is_rows(value[key]) else [value[key]]:
            lines += [head, *(f"{name} = {json.dumps(part)}" for name, part in row.items())]
    return "\n".join(lines)


def _is_rows(part: Any) -> bool:
    return isinstance(part, list) and all(isinstance(row, Mapping) for row in part)


def plant_criteria(folder: Path) -> Plant:
    file = folder / "criteria.yaml"
    file.write_text(criteria_text(replace(SET, model="scripted:any")), encoding="utf-8")

    def use() -> None:
        found = assize.load(file)
        for score in (
            lambda: assize.judge([TALK], f"criteria@{file}", quiet=True),
            lambda: assize.criteria.score([TALK], file, quiet=True),
            lambda: found.predict([TALK], quiet=True),
        ):
            table = score()
        assize.report(table, folder / "page.html", criteria=str(file))

    return Plant((file,), use, ("model",))


def plant_ensemble(folder: Path) -> Plant:
    save_ensemble(learn(sample(100), Settings(model="ridge")), folder / "e")

    def use() -> None:
        assize.load(folder / "e")
        item = assize.Continuation("i", (Turn("user", "Hi."),), "Hello there.", ("Hello you.",))
        for ask in (
            lambda: assize.judge([item], f"ensemble@{folder / 'e'}", quiet=True),
            lambda: assize.reference.score([item], ensemble=folder / "e", quiet=True),
            lambda: assize.reference.explain([item], item="i", ensemble=folder / "e"),
        ):
            with suppress(AssizeError):
                ask()

    return Plant((folder / "e" / ENSEMBLE.manifest,), use, ("judge",))


def plant_evaluator(folder: Path) -> Plant:
    assize.evaluator.load_evaluator().save(folder / "v")

    def use() -> None:
        assize.load(folder / "v")
        assize.judge([TALK], f"evaluator@{folder / 'v'}", quiet=True)

    return Plant((folder / "v" / EVALUATOR.manifest,), use, ("spec",))


def plant_tagger(folder: Path) -> Plant:
    encoder = load_encoder("minilm", precision="int8")
    fit_tagger(examples(ITEMS, FIRST, FIRST), encoder).save(folder / "tagger")

    def use() -> None:
        assize.load(folder / "tagger")
        assize.judge([TALK], f"acts@{folder / 'tagger'}", quiet=True)

    return Plant((folder / "tagger" / TAGGER.manifest,), use, ("spec",))


def plant_training(folder: Path) -> Plant:
    save_checkpoint(folder / "t", "abc", STATE, [])
    return Plant((folder / "t" / TRAINING.manifest,), lambda: load_checkpoint(folder / "t", "abc"))


def plant_calibrator(folder: Path) -> Plant:
    world = make_world(lenient_and_strict, rows=200, raters=3, seed=1)
    save_calibrator(fit_default(world.forms), folder / "c")

    def use() -> None:
        fitted = assize.load(folder / "c")
        fitted.probabilities(world.forms.features, [0])

    return Plant((folder / "c" / CALIBRATOR.manifest,), use, ("judge",))


def plant_routing(folder: Path) -> Plant:
    file = folder / "routing.yaml"
    file.write_text("- who: everyone\n  questions: [Q0]\n- who: [ann]\n  items: {system: a}\n")
    return Plant((file,), lambda: load_routing(str(file)))


def plant_rubric(folder: Path) -> Plant:
    file = folder / "rubric.yaml"
    file.write_text((RUBRICS / "general.yaml").read_text("utf-8"))

    def use() -> None:
        options = {"rubric": str(file)}
        assize.judge([TALK], "rubric@scripted:any", options=options, quiet=True)

    return Plant((file,), use)


def plant_prompt(folder: Path) -> Plant:
    file = folder / "polite.jinja"
    file.write_text(POLITE)
    return Plant((file,), lambda: assize.judge([TALK], f"{file}@scripted:any", quiet=True))


def plant_taxonomy(folder: Path) -> Plant:
    file = folder / "own.toml"
    shipped = next((SOURCE / "acts" / "taxonomies").glob("*.toml"))
    file.write_text(shipped.read_text("utf-8"))
    return Plant((file,), lambda: load_taxonomy(file))


def plant_provenance(folder: Path) -> Plant:
    file = folder / "provenance.yaml"
    file.write_text("name: set\nabout: chats\nsource: a lab\nhuman: yes, by eight writers\n")
    return Plant((file,), lambda: read_provenance(str(file)))


def plant_index(folder: Path) -> Plant:
    (folder / "pages").mkdir()
    (folder / "pages" / "one.md").write_text("# One\n\nSomething about keys. " * 5)
    build_index(folder / "pages", folder / "index")
    return Plant(
        (folder / "index" / "index.json",), lambda: open_index(folder / "index").search("keys")
    )


def plant_run(folder: Path) -> Plant:
    run, judge = folder / "run", "criteria@criteria.yaml@scripted:any"
    text = criteria_text(replace(SET, model="scripted:any"))
    (folder / "criteria.yaml").write_text(text, encoding="utf-8")
    assize.judge([TALK], [judge, "rating@scripted:any"], out=run, quiet=True)

    def use() -> None:
        for ask in (
            lambda: assize.judge([TALK], [judge, "rating@scripted:any"], out=run, quiet=True),
            lambda: assize.read_judgments([run]),
            lambda: assize.agree(str(run)),
            lambda: assize.report(str(run), folder / "page.html"),
            lambda: assize.report(str(run), folder / "page.html", criteria="criteria.yaml"),
            lambda: assize.jury(str(run), assize.Panel()),
        ):
            with suppress(AssizeError):
                ask()

    return Plant((run / "run.json", run / "judgments.jsonl"), use, ("judge", "judges"))


@contextmanager
def served(folder: Path) -> Iterator[TestClient]:
    with (
        opened(folder, open=True, url="http://localhost") as app,
        TestClient(app.asgi, base_url="http://localhost") as client,
    ):
        yield client


def plant_collect(folder: Path) -> Plant:
    systems = [{"name": "DS", "model": "scripted:quote", "retrieval": "bm25-topic"}]
    make_project(folder, [{**systems[0], "prompt": "Be short."}])
    (folder / "project.yaml").write_text("title: Mine\ncontact: me\n")

    def use() -> None:
        with served(folder) as client:
            assert client.get("/collect/help").status_code == 200

    return Plant((folder / "tasks" / "help.yaml", folder / "project.yaml"), use, ("model",))


def plant_dashboard(folder: Path) -> Plant:
    write_project(folder)
    file = folder / "dashboards" / "satisfaction.yaml"

    def use() -> None:
        with served(folder) as client:
            assert client.get("/dashboards/satisfaction").status_code in (200, 202, 400)
            client.get("/dashboards/satisfaction", headers={"hx-request": "true"})

    return Plant((file,), use, ("judgments", "items"))


PLANTS: dict[str, Callable[[Path], Plant]] = {
    "calibrator": plant_calibrator,
    "collect": plant_collect,
    "criteria": plant_criteria,
    "dashboard": plant_dashboard,
    "ensemble": plant_ensemble,
    "evaluator": plant_evaluator,
    "index": plant_index,
    "prompt": plant_prompt,
    "provenance": plant_provenance,
    "routing": plant_routing,
    "rubric": plant_rubric,
    "run": plant_run,
    "tagger": plant_tagger,
    "taxonomy": plant_taxonomy,
    "training": plant_training,
}


def check_plant(plant: Plant, canary: Canary) -> None:
    plant.use()  # what it does with the files as they are
    assert not canary.sang()
    for file in plant.files:
        before = file.read_text(encoding="utf-8")
        document = read_document(file)
        keys = keys_of(document)
        assert keys
        for number, key in enumerate(keys):
            names = canary.names
            for name in names if key in plant.names else [names[number % len(names)]]:
                write_document(file, planted(deepcopy(document), key, name), before)
                with suppress(AssizeError):
                    plant.use()
                asked = canary.sang()
                assert not asked, f"{file.name} names {name} as {key}, and {asked} was asked"
        file.write_text(before, encoding="utf-8")


@pytest.mark.parametrize("kind", sorted(PLANTS))
def test_nobody_is_asked_whom_a_file_names(kind: str, canary: Canary) -> None:
    check_plant(PLANTS[kind](canary.folder), canary)
