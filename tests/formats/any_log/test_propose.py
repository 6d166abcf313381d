from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import lines

from assize.base.errors import DataError
from assize.formats import read
from assize.formats.any_log.propose import propose_mapping
from assize.formats.reading import iter_records
from assize.formats.rows import Sample

CHATS = [
    {
        "chat_id": "c1",
        "bot_version": "v2",
        "thumbs": "up",
        "log": [
            {"author": {"kind": "client"}, "payload": {"text": "Where is it?"}},
            {"author": {"kind": "helper"}, "payload": {"text": "On its way."}},
        ],
    },
]
CALLS = [
    {
        "chat_id": "c1",
        "log": [
            {"by": {"kind": "client"}, "body": {"text": "Where is it?"}},
            {"by": {"kind": "helper"}, "body": {"actions": [{"id": "a", "tool": "find"}]}},
            {"by": {"kind": "tool"}, "body": {"text": "{}", "action_id": "a"}},
            {"by": {"kind": "helper"}, "body": {"text": "On its way."}},
        ],
    },
]
MESSAGES = [
    {"ticket": "t1", "who": "Client", "said": "Help", "sent_at": "2024-01-02"},
    {"ticket": "t1", "who": "Helper", "said": "With what?", "sent_at": "2024-01-03"},
]
THREADS = [
    {
        "threadId": "t1",
        "botVersion": "2.3",
        "timeline": {
            "events": [
                {"type": "event", "name": "typing"},
                {"type": "message", "author": {"kind": "customer"}, "content": [{"body": "Hi"}]},
                {"type": "message", "author": {"kind": "bot"}, "content": [{"body": "Hello"}]},
            ]
        },
    },
]
EVENTS = [
    {
        "ticket": {"ref": f"t{n}"},
        "bot": {"build": "2.4"},
        "entries": [
            {"by": {"type": kind, "name": "Helper 2"}, "payload": {"plain": text}}
            for kind, text in (
                ("helper", "Hello, what can I do for you?"),
                ("system", "tag added: billing"),
                ("visitor", "Where is my order?"),
            )
        ],
    }
    for n in range(3)
]
CALLS_BY_PHONE = [
    {"call": f"C{n}", "date": "2026-10-01", "calls": "Caller: Hi\nAgent: Hello", "agent_build": "2"}
    for n in range(3)
]
CELLS = [
    {"ticket": f"t{n}", "model": "v1", "conversation": text}
    for n, text in enumerate(
        ("Client: Hi\nAgent: Hello", "Agent: Hi\nClient: Yes\nOrder: 7", "Client: a\nAgent: b")
    )
]
ONE_SIDE = [{"id": "c", "log": [{"type": "message", "text": "Hi"}] * 2}]
NAMES = ({"id": 1, "log": "Ann: Hi\nBen: Yes"}, {"id": 2, "log": "Cleo: Hi\nDan: Yes"})
PAIRS = [{"instruction": "Hi", "answer_1": "Hey", "answer_2": "Yo", "winner": "answer_2"}]


@pytest.mark.parametrize(
    ("rows", "map", "roles"),
    [
        (
            CHATS,
            "role=author.kind,text=payload.text,id=chat_id,system=bot_version,turns=log",
            "client=user,helper=assistant",
        ),
        (
            CALLS,
            "role=by.kind,text=body.text,tool_calls=body.actions,tool_call_id=body.action_id,"
            "id=chat_id,turns=log",
            "client=user,helper=assistant",
        ),
        (
            THREADS,
            "role=author.kind,text=content.*.body,id=threadId,system=botVersion,"
            "turns=timeline.events",
            "none=skip",
        ),
        (MESSAGES, "role=who,text=said,id=ticket,time=sent_at", "client=user,helper=assistant"),
        (CELLS, "id=ticket,system=model,turns=conversation", "client=user"),
        (
            EVENTS,
            "role=by.type,text=payload.plain,id=ticket.ref,system=bot.build,turns=entries",
            "helper=assistant,system=skip",
        ),
        (CALLS_BY_PHONE, "id=call,system=agent_build,turns=calls", "caller=user"),
        ([{"id": 7, "turns": "User: Hi\nBot: Hello"}], "id=id,turns=turns", ""),
        ([{"id": 7, "log": "Chat 7\nUser: Hi\nBot: Hello"}], "id=id,turns=log", "none=skip"),
    ],
)
def test_a_mapping_is_proposed(rows: list[Any], map: str, roles: str) -> None:
    found = propose_mapping(Sample("json", tuple(rows), "log.jsonl"))
    assert found is not None
    assert (found.map, found.roles) == (map, roles)


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        (CHATS, 1),
        (CALLS, 1),
        (MESSAGES, 1),
        (CELLS, 3),
        (EVENTS, 3),
        ([{"id": 7, "turns": "User: Hi\nBot: Hello"}], 1),
        (THREADS * 2, 2),
        ([{"export": {"week": 9, "threads": THREADS * 2}}], 2),
    ],
)
def test_the_proposed_command_reads_the_file(rows: list[Any], count: int, tmp_path: Path) -> None:
    path = lines(tmp_path / "my log.jsonl", *rows)
    with pytest.raises(DataError) as error:
        list(iter_records(path))
    line = re.search(r"(assize check .*?)  \(in Python", str(error.value))
    assert line is not None
    words = shlex.split(line[1])
    assert words[:3] == ["assize", "check", str(path)]
    roles = words[words.index("--roles") + 1] if "--roles" in words else None
    assert len(list(read(path, map=words[words.index("--map") + 1], roles=roles))) == count


def test_a_system_prompt_stays() -> None:
    log = [{"by": by, "plain": "A few words"} for by in ("system", "visitor", "helper")]
    proposal = propose_mapping(Sample("json", ({"id": 1, "log": log},), "log.jsonl"))
    assert proposal is not None
    assert "skip" not in proposal.roles


def test_no_control_character_reaches_the_terminal(tmp_path: Path) -> None:
    path = lines(tmp_path / "log.jsonl", {"a\x1b[2Jb": "\x1b]0;x\x07", "n": 1})
    with pytest.raises(DataError) as error:
        list(iter_records(path))
    assert "\x1b" not in str(error.value)


@pytest.mark.parametrize("rows", [({"n": 1, "m": 2},), (5,), tuple(PAIRS), tuple(ONE_SIDE), NAMES])
def test_nothing_is_proposed_that_reads_nothing(rows: tuple[Any, ...]) -> None:
    assert propose_mapping(Sample("json", rows, "f")) is None
