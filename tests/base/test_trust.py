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


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("scripted:first ", ConfigError, "not asked by themselves"),
        ("SCRIPTED:first", ConfigError, "not asked by themselves"),
        ("scripted:first:x", ConfigError, "not asked by themselves"),
        ("", ConfigError, "not asked by themselves"),
        (None, DataError, "names no model, but"),
        (3, DataError, "names no model, but"),
        (["minilm"], DataError, "names no model, but"),
        ({"a": "minilm"}, DataError, "names no model, but"),
    ],
)
def test_what_only_looks_harmless_or_is_no_name_is_refused(
    name: object, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        check_named(name, "model", source="", remedy="")


def test_a_message_can_be_pasted_and_holds_no_secret() -> None:
    assert show_name("openai:gpt-4o") == "openai:gpt-4o"
    assert show_name("x'$(rm -r .)\n\x1b[31m") == "'x'\"'\"'$(rm -r .)\\n\\x1b[31m'"
    assert "hunter2-hunter2" not in show_name("http://me:hunter2-hunter2@host/rate")
    assert len(show_name("x" * 10_000)) == 200
