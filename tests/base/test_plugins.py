"""What installed packages add, tried with a tiny package that is really installed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.base.loops import in_loop

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError
from assize.base.plugins import each, plugins
from assize.formats import read
from assize.judging.judge import JudgeContext, Task
from assize.judging.own.listing import known_judges
from assize.judging.table import offer, open_judge
from assize.models import Models, Request, known_providers, messages

CODE = '''
from assize import Conversation, judge_function
from assize.formats import Format
from assize.formats.records import conversation
from assize.judging.judges.io import IO as ASKS
from assize.models import Scripted

@judge_function(questions="turns")
def turns(item: Conversation) -> int:
    """How many turns there are."""
    return len(item.turns)

def lines(row, options):
    turns = [{"role": "user", "text": row.value["said"]}]
    yield conversation({"id": row.value["nr"], "turns": turns})

TINY = Format("tiny", "one line a conversation", lambda sample: sample.has("nr", "said"), lines)

def echo(name, models):
    return Scripted(lambda request: request.messages[-1].text + name, name=f"echo:{name}")
'''
POINTS = """
[assize.judges]
turns = tiny_judges:turns
asks = tiny_judges:ASKS
broken = tiny_judges_missing:nothing
odd = tiny_judges:CODE_THAT_IS_NOT_THERE
text = tiny_judges:__name__
io = tiny_judges:turns

[assize.formats]
tiny = tiny_judges:TINY
broken-format = tiny_judges:turns

[assize.models]
echo = tiny_judges:echo
broken-model = tiny_judges_missing:nothing
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with a package as an installer leaves it."""
    place = tmp_path / "site"
    about = place / "tiny_judges-1.2.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-judges\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text(POINTS)
    (place / "tiny_judges.py").write_text(CODE)
    monkeypatch.syspath_prepend(place)
    return place


def context() -> JudgeContext:
    return JudgeContext(Models())


def test_entry_points_are_found_and_nothing_is_imported(package: Path) -> None:
    import sys

    sys.modules.pop("tiny_judges", None)
    found = plugins("assize.judges")
    assert set(found) == {"turns", "asks", "broken", "odd", "text", "io"}
    assert found["turns"].package == "tiny-judges 1.2"
    assert found["turns"].place == "tiny_judges:turns"
    assert "tiny_judges" not in sys.modules


def test_a_judge_of_a_package_is_opened_by_its_name(package: Path) -> None:
    item = Conversation("c1", (Turn("user", "Hi"), Turn("assistant", "Hello")))
    (row,) = asyncio.run(open_judge("turns", context()).judge(Task(item)))
    assert (row.judge, row.score) == ("turns", 2.0)
    assert open_judge("asks@scripted:first", context()).name == "io@scripted:first"
    with pytest.raises(ConfigError, match="judge 'turns' asks no model: write turns alone"):
        open_judge("turns@scripted:first", context())


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("broken", "No module named 'tiny_judges_missing'"),
        ("odd", "CODE_THAT_IS_NOT_THERE"),
        ("text", "expected what @assize.judge_function makes"),
    ],
)
def test_a_broken_one_is_an_error_for_who_names_it(package: Path, name: str, told: str) -> None:
    for act in (lambda: open_judge(f"{name}@scripted:first", context()), lambda: offer(name)):
        with pytest.raises(ConfigError, match=told) as caught:
            act()
        assert f"judge {name!r} of the package tiny-judges 1.2" in str(caught.value)
    assert open_judge("io@scripted:first", context()).name == "io@scripted:first"


def test_a_name_of_ours_is_not_replaced(package: Path) -> None:
    assert offer("io").about == "which of two responses is better; the answer alone"


def test_everything_is_listed_and_what_is_broken_only_noted(package: Path) -> None:
    notes: list[str] = []
    found = known_judges(package, notes.append)
    assert found["turns"] == "How many turns there are."
    assert {"asks", "io"} <= set(found)
    assert not {"broken", "odd", "text"} & set(found)
    assert len(notes) == 4
    assert any("'io', which assize has itself" in note for note in notes)


def test_a_format_of_a_package_is_named_and_recognised(package: Path, tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text('{"nr": "7", "said": "Hi"}\n')
    for given in ("tiny", None):
        (record,) = read(path, format=given)
        assert record == Conversation("7", (Turn("user", "Hi"),))
    with pytest.raises(ConfigError, match="expected a Format named 'broken-format'"):
        list(read(path, format="broken-format"))
    with pytest.raises(ConfigError, match=r"no format 'nothing'; known are .*tiny"):
        list(read(path, format="nothing"))


def test_a_model_of_a_package_answers_inside_everything_that_stands_around_models(
    package: Path,
) -> None:
    @in_loop
    async def ask(name: str) -> str:
        async with Models() as models:
            reply = await models.open(name).ask(Request(messages(("user", "hi"))))
            return reply.text

    assert ask("echo:there") == "hithere"
    with pytest.raises(ConfigError, match=r"model 'broken-model' of the package tiny-judges 1.2"):
        ask("broken-model:x")
    with pytest.raises(ConfigError, match=r"no model 'other:x'.*echo:"):
        ask("other:x")
    notes: list[str] = []
    assert known_providers(notes.append)[-1] == "echo"
    assert len(notes) == 1


def test_each_gives_what_use_makes_of_it(package: Path) -> None:
    seen: list[Any] = list(each("assize.models", {"echo"}, lambda one: one.place))
    assert seen == [("broken-model", "tiny_judges_missing:nothing")]
