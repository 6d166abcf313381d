"""When a question applies."""

from __future__ import annotations

import pytest

from assize.base.conversation import Conversation, ToolCall, Turn
from assize.rubric import CONDITIONS, applies
from assize.rubric._conditions import known

HOLDS = {
    "always": Conversation("c", (Turn("user", "a"),)),
    "several_exchanges": Conversation("c", (Turn("user", "a"), Turn("user", "b"))),
    "has_system_message": Conversation("c", (Turn("system", "a"),)),
    "uses_tools": Conversation("c", (Turn("assistant", "", tool_calls=(ToolCall("t", "f"),)),)),
    "tool_answered": Conversation("c", (Turn("tool", "a"),)),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_every_condition_holds_where_it_should_and_not_elsewhere(
    name: str, sourced: Conversation
) -> None:
    assert applies(name, HOLDS.get(name, sourced))  # references on any turn count
    assert applies(name, HOLDS["always"]) is (name == "always")


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("metadata.rated=true", True),
        ("metadata.rated=True", False),
        ("metadata.rated", True),
        ("metadata.user.language=de", True),
        ("metadata.user.language", True),
        ("metadata.user.age", False),
        ("metadata.user.language.code", False),
        ("metadata.turns=3", True),
        ("metadata.none=None", False),
    ],
)
def test_metadata_are_compared_as_json_writes_them_along_a_path(
    condition: str, holds: bool
) -> None:
    metadata = {"rated": True, "user": {"language": "de"}, "turns": 3, "none": None}
    assert applies(condition, Conversation("c", (), metadata=metadata)) is holds


@pytest.mark.parametrize("condition", ["metadata.", "metadata.=x", "metadata.a..b", "metadata"])
def test_a_condition_on_no_field_is_not_known(condition: str) -> None:
    assert not known(condition)
