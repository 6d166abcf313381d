from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import assize
from assize.errors import ConfigError
from assize.formats.any_log.asked import NOTHING, asked_for, mapping, with_mapping
from assize.formats.inputs import items_from

LOG = {"conv": "c1", "m": [{"w": "client", "t": "Hi"}, {"w": "helper", "t": "Hello"}]}
MAP = "turns=m,role=w,text=t,id=conv"
ROLES = "client=user,helper=assistant"


def test_text_dict_and_file_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text('turns = "m"\n[metadata]\nversion = "bot"\n[roles]\nclient = "user"\n')
    text = asked_for("turns=m,metadata.version=bot", "client=user")
    assert asked_for({"turns": "m", "metadata": {"version": "bot"}}, {"Client": "user"}) == text
    assert asked_for(path) == asked_for(str(path)) == text
    assert text.to_json() == {
        "map": {"turns": "m", "metadata.version": "bot"},
        "roles": {"client": "user"},
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("speaker=x", "there is no 'speaker'; there are id, turns"),
        ("text", "give role="),
        ("text=a,text=b", "twice"),
        ("", "give role="),
        ({"text": 5}, "give the path"),
        ("gold:0=C", "A, B or tie"),
        ("absent.toml", "cannot be read"),
    ],
)
def test_a_bad_map_says_what_is_allowed(given: object, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        asked_for(given)  # type: ignore[arg-type]


def test_a_role_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="allowed are user, assistant, system, tool"):
        asked_for(roles="client=customer")


def test_it_holds_in_the_block_and_no_longer() -> None:
    with mapping(MAP, ROLES):
        assert asked_for().maps
        (item,) = items_from([LOG])
    assert item.id == "c1"
    assert asked_for() is NOTHING


def test_items_that_are_read_later_keep_the_mapping_of_the_call() -> None:
    with mapping(MAP, ROLES):
        items = items_from([LOG])
    assert next(items).id == "c1"


def test_a_generator_steps_inside_the_mapping_alone() -> None:
    @with_mapping
    def each(*, map: str | None = None, roles: str | None = None) -> Iterator[bool]:
        yield asked_for().maps

    assert list(each(map=MAP)) == [True]
    assert not asked_for().maps


async def _maps(*, map: str | None = None, roles: str | None = None) -> bool:
    return asked_for().maps


def test_a_coroutine_runs_inside_it() -> None:
    import asyncio

    assert asyncio.run(with_mapping(_maps)(map=MAP))


def test_every_function_that_reads_items_takes_map_and_roles() -> None:
    reading = []
    for name in assize.__all__:
        one = getattr(assize, name)
        if inspect.isfunction(one):
            said = {key: str(kind) for key, kind in inspect.get_annotations(one).items()}
            if any(kind.startswith("Items") for key, kind in said.items() if key != "return"):
                reading.append(name)
                taken = {"map", "roles"} <= said.keys() or any(
                    "Unpack" in kind for kind in said.values()
                )
                assert taken, name
    assert len(reading) > 30
