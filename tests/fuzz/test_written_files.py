"""Files that people write: damaged, or with odd values, each is read or refused.

`FILES` has a row a kind: a sound text, and what the commands read it with.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.criteria.conftest import SET
from tests.fuzz.fuzzing import damaged, fuzz, tries
from tests.fuzz.test_artefacts import nearly
from tests.fuzz.test_replies import mutated
from tests.judging.own.test_prompt_file import POLITE
from tests.test_names_in_files import SOURCE

from assize._doors.data_card.provenance import read_provenance
from assize.acts import _taxonomy as taxonomy
from assize.calibrate._active.routing import load_routing
from assize.criteria._reading import criteria_text, load_criteria, load_domain
from assize.formats import read_questions
from assize.formats.any_log.mapping import parse_mapping
from assize.judging.own.prompt_file import load_method
from assize.retrieval import read_pages
from assize.rubric._reading import load_rubric
from assize.simulate._topics_file import read_topics
from assize.web._dashboards import read_dashboard
from assize.web._project import read_project
from assize.web._tasks.definition import read_task

WEB = Path("examples/web")
DOMAIN = "task: finding out why a program throws\nassistant: a helper\noutcome: the fix works\n"
PROVENANCE = "name: set\nabout: chats\nsource: a lab\nhuman: yes, by eight writers\n"
RUBRIC = """\
rubric: short
version: 1
main: Q0
sections:
  - title: Clarity
    questions:
      - id: Q0
        name: clear
        text: Is it clear?
        applies: metadata.simulated
        answers: {1: unclear, 2: partly, 3: clear}
      - id: Q1
        name: right
        text: Is it right?
        kind: nominal
        for: people
        answers: {1: "yes", 2: "no"}
"""
ROUTING = """\
- who: everyone
  questions: [Q0, Q1]
  items: {metadata.language: en}
  at_most: 20
- who: [ann, dora]
  questions: Q0
  cost: 1.5
  not: {items: [chat-17]}
"""
MAP = """\
role = "author.kind"
text = "payload.text"
turns = "log"
[metadata]
version = "bot_version"
[gold]
1 = "A"
[roles]
client = "user"
"""
QUESTIONS = [{"id": "q", "text": "Is it?", "kind": "ordinal", "answers": ["1", "2"]}]
TOPICS = [
    {"id": "t1", "text": "Storage keys", "documents": [{"id": "d", "text": "Keys.", "clicks": 3}]},
    {"id": "t2", "text": "Backups", "persona": "an office", "extra": {"k": [1]}},
]
PAGES = [{"id": "p", "title": "Keys", "text": "Keys rotate."}, {"url": "u", "html": "<p>Hi</p>"}]
TOML = ("1", "1e999", "true", '""', "[]", "{}", "[[1]]", "{a = 1}", "2026-01-02", '"\\u0000"')


@dataclass(frozen=True)
class Kind:
    """A kind of file.

    Args:
        name: of the file, whose suffix says how it is written.
        text: a sound one.
        read: reads it from its path.
    """

    name: str
    text: str
    read: Callable[[Path], object]


def json_lines(values: list[Any]) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


def first_of(folder: Path, pattern: str) -> str:
    return min(folder.glob(pattern)).read_text("utf-8")


def read_taxonomy(path: Path) -> object:
    taxonomy._loaded.cache_clear()  # which knows a path, and the test writes one file anew
    return taxonomy.load_taxonomy(path)


FILES: Mapping[str, Kind] = {
    "criteria": Kind("c.yaml", criteria_text(SET), lambda path: load_criteria(str(path))),
    "domain": Kind("d.yaml", DOMAIN, lambda path: load_domain(str(path))),
    "rubric": Kind(
        "r.yaml",
        RUBRIC,
        lambda path: load_rubric(str(path)),
    ),
    "routing": Kind("r.yaml", ROUTING, lambda path: load_routing(str(path))),
    "prompt": Kind("p.jinja", POLITE, lambda path: load_method(str(path))),
    "taxonomy": Kind("t.toml", first_of(SOURCE / "acts" / "taxonomies", "*.toml"), read_taxonomy),
    "provenance": Kind("p.yaml", PROVENANCE, lambda path: read_provenance(str(path))),
    "map": Kind("m.toml", MAP, parse_mapping),
    "questions": Kind("questions.json", json.dumps(QUESTIONS), read_questions),
    "topics": Kind("t.jsonl", json_lines(TOPICS), read_topics),
    "pages": Kind("p.jsonl", json_lines(PAGES), lambda path: list(read_pages(path))),
    "dashboard": Kind(
        "d.yaml", first_of(WEB / "dashboards", "*.yaml"), partial(read_dashboard, home=WEB)
    ),
    "collect": Kind("t.yaml", first_of(WEB / "tasks", "*.yaml"), partial(read_task, folder=WEB)),
    "project": Kind(
        "project.yaml",
        (WEB / "project.yaml").read_text("utf-8"),
        lambda path: read_project(path.parent),
    ),
}


def values_of(kind: Kind) -> list[Any]:
    """What a sound file holds, a value a line of JSON lines, else one value."""
    suffix, text = Path(kind.name).suffix, kind.text
    if suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    if suffix == ".jinja":
        text = text.split("---\n")[1]
    return [json.loads(text) if suffix == ".json" else yaml.load(text, Loader=yaml.BaseLoader)]


def dump(value: Any) -> str:
    """YAML by libyaml, which is faster; it writes no half characters."""
    how = {"allow_unicode": True, "sort_keys": False}
    try:
        return str(yaml.dump(value, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), **how))
    except UnicodeEncodeError:
        return str(yaml.safe_dump(value, **how))


def text_of(kind: Kind, values: list[Any]) -> str:
    suffix = Path(kind.name).suffix
    if suffix == ".jsonl":
        return json_lines(values)
    if suffix == ".json":
        return json.dumps(values[0])
    text = dump(values[0])
    return f"---\n{text}---\n{{{{ conversation }}}}\n" if suffix == ".jinja" else text


def other_values(text: str, rng: random.Random) -> str:
    """A TOML text with one to three values made odd, or keys exchanged."""
    lines = text.splitlines()
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(lines))
        key, equals, value = lines[place].partition(" = ")
        other = rng.choice(lines).partition(" = ")[0]
        lines[place] = rng.choice([f"{key}{equals}{rng.choice(TOML)}", f"{other}{equals}{value}"])
    return "\n".join(lines)


def inputs(kind: Kind, rng: random.Random, count: int) -> Iterator[bytes]:
    """Texts that are damaged, and values that are odd or a little off."""
    is_toml = kind.name.endswith(".toml")
    sound = [] if is_toml else values_of(kind)
    for _ in range(count):
        text = other_values(kind.text, rng) if is_toml else kind.text
        if sound and rng.random() < 0.6:
            values = list(sound)
            at = rng.randrange(len(values))
            with suppress(RecursionError):  # Python copies no list that is nested so deeply,
                values[at] = rng.choice([nearly, mutated, mutated])(values[at], rng)
                text = text_of(kind, values)  # and PyYAML writes none
        elif not is_toml or rng.random() < 0.4:
            yield damaged(text.encode(), rng)
            continue
        yield text.encode("utf-8", "surrogatepass")


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", FILES)
def test_a_sound_file_is_read_and_a_damaged_one_is_read_or_refused(
    name: str, tmp_path: Path
) -> None:
    kind = FILES[name]
    path = tmp_path / kind.name

    def read(data: bytes) -> None:
        path.write_bytes(data)
        kind.read(path)

    texts = inputs(kind, random.Random(4), tries(60))
    assert fuzz(name, texts, read, sound=[kind.text.encode()]).refused
