"""Who decides whether a name that stands in a file is asked."""

from __future__ import annotations

import pytest

from assize.base.errors import ConfigError, DataError
from assize.base.trust import HARMLESS, Role, check_named, show_name
from assize.encoders import ENCODERS
from assize.judging.table import ALONE
from assize.models.scripted import SCRIPTS

ROLES: tuple[Role, ...] = ("model", "judge", "encoder", "address")


@pytest.mark.parametrize("role", ROLES)
def test_a_name_is_asked_where_the_user_names_it_and_not_before(role: Role) -> None:
    told = {"source": "a.yaml names", "remedy": "give --one {}"}
    with pytest.raises(ConfigError) as caught:
        check_named("openai:m", role, **told)
    assert str(caught.value) == (
        f"a.yaml names openai:m; {role}s that a file names are not asked by themselves:"
        " give --one openai:m"
    )
    with pytest.raises(ConfigError):
        check_named("openai:m", role, **told, allow=["openai:m2", "m"])
    assert check_named("openai:m", role, **told, allow=["openai:m"]) == "openai:m"


def test_what_is_harmless_is_built_in_and_asks_nobody() -> None:
    assert HARMLESS["judge"] == ALONE
    own = {name for name, script in SCRIPTS.items() if script.__module__.startswith("assize.")}
    assert HARMLESS["model"] == {f"scripted:{name}" for name in own}
    assert HARMLESS["encoder"] == {name for name, kind in ENCODERS.items() if not kind.named}
    assert not HARMLESS["address"]
    for role in ROLES:
        for name in HARMLESS[role]:
            assert check_named(name, role, source="", remedy="") == name


@pytest.mark.parametrize("name", ["scripted:first ", "SCRIPTED:first", "scripted:first:x", ""])
def test_what_only_looks_harmless_is_refused(name: str) -> None:
    with pytest.raises(ConfigError):
        check_named(name, "model", source="", remedy="")


@pytest.mark.parametrize("name", [None, 3, ["minilm"], {"a": "minilm"}])
def test_what_is_no_name_is_said(name: object) -> None:
    with pytest.raises(DataError, match="names no model, but"):
        check_named(name, "model", source="", remedy="")


def test_a_message_can_be_pasted_and_holds_no_secret() -> None:
    assert show_name("openai:gpt-4o") == "openai:gpt-4o"
    assert show_name("x'$(rm -r .)\n\x1b[31m") == "'x'\"'\"'$(rm -r .)\\n\\x1b[31m'"
    assert "hunter2-hunter2" not in show_name("http://me:hunter2-hunter2@host/rate")
    assert len(show_name("x" * 10_000)) == 200
