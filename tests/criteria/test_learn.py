"""Criteria learnt end to end: a local server, a model that sees planted conduct."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import criteria_taught as taught
import pytest
from chat_server import ChatServer, Llama, completion
from typer.testing import CliRunner
from with_settings import with_settings

import assize
from assize import criteria
from assize.base.errors import AssizeError, ConfigError, DataError
from assize.cli import app
from assize.criteria import Spur
from assize.criteria._criterion import Domain
from assize.criteria._reading import load_criteria
from assize.models.limits import RealClock

arguments = partial(with_settings, criteria.learn)
SIDES = "Both sides are responsible"
LABEL = "thumbs:up=1,down=0"
DOMAIN = Domain("debug a program", outcome="the exception no longer occurs")


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that fails is asked again at once."""

    async def at_once(self: RealClock, seconds: float) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(RealClock, "sleep", at_once)


def arguments_of(**more: Any) -> dict[str, Any]:
    return arguments(**{"label": LABEL, "domain": DOMAIN, "mini_batch": 4} | more)


def learn(server: ChatServer, out: Path | None = None, count: int = 24, **more: Any) -> Any:
    given = arguments_of(base_url=server.url, **more)
    return assize.criteria.learn(taught.taught(count), "openai:m", out=out, quiet=True, **given)


def records(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def third_fails(_: int, body: Any) -> str | None:
    """A server that fails about one conversation."""
    return "500" if "program 3 " in json.dumps(body) else None


def stages(server: ChatServer) -> Counter[str]:
    return Counter(taught.stage_of(one.body) for one in server.seen)


def test_planted_conduct_comes_back_as_criteria_with_its_provenance(tmp_path: Path) -> None:
    items = {one.id: one for one in taught.taught(24)}
    with ChatServer(taught.answer) as server:
        found = learn(server, tmp_path / "pool")
    pool = found.pool
    assert {one.text for one in pool.of("sat")} == {one.wordings[0] for one in taught.GOOD}
    assert {one.text for one in pool.of("dsat")} == {one.wordings[0] for one in taught.BAD}
    for one in pool.criteria:
        conduct = taught.meant(one.text)
        shown = {id for id, item in items.items() if conduct in taught.conducts(item)}
        assert set(one.conversations) == shown
        assert {pattern.split("/")[0] for pattern in one.patterns} == shown
        assert one.about == conduct.role
        assert one.maxim == (None if conduct.maxim == "none" else conduct.maxim)
        assert one.author == "learnt"
        assert [gone.text for gone in one.merged] == [conduct.wordings[1]]
    assert found.counts["sat"].criteria == 6
    assert found.counts["sat"].pool == 3
    assert load_criteria(str(tmp_path / "pool" / "criteria.yaml")).criteria == pool.criteria
    lines = records(tmp_path / "pool" / "patterns.jsonl")
    assert len(lines) == len(found.patterns) == 48
    for line in lines:
        (turn,) = line["turns"]
        said = items[line["conversation"]].turns[turn].text.lower()
        assert taught.meant(line["text"]).cue in said


def test_what_the_folder_holds_is_not_asked_again(tmp_path: Path) -> None:
    with ChatServer(taught.answer) as server:
        first = learn(server, tmp_path / "pool", no_cache=True)
        asked = stages(server)
        again = learn(server, tmp_path / "pool", no_cache=True)
        assert stages(server) == asked
        assert asked == {"extract": 24, "summarise": 12, "deduplicate": asked["deduplicate"]}
    assert again.pool == first.pool
    assert (tmp_path / "pool" / "steps.jsonl").read_text().count("\n") == asked.total() + 1


def test_a_conversation_that_failed_is_counted_and_asked_again(tmp_path: Path) -> None:
    with ChatServer(taught.answer, fault=third_fails) as server:
        found = learn(server, tmp_path / "pool", 12)
        assert found.counts["dsat"].unscored == 1
        assert found.missing[0] == 1
        assert [(row.stage, row.reason) for row in found.unscored] == [("extract", "server")]
        server.fault = None
        before = stages(server)
        whole = learn(server, tmp_path / "pool", 12)
        more = stages(server) - before
    assert more["extract"] == 1  # and the batches that hold its patterns
    assert whole.counts["dsat"].unscored == 0
    with ChatServer(taught.answer) as server:
        assert learn(server, count=12).pool.criteria == whole.pool.criteria


def test_what_could_not_be_read_is_asked_again_where_that_is_wanted(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    with ChatServer(lambda body: completion(body, "What?")) as server:
        found = learn(server, pool, count=4, no_cache=True)
        assert found.pool.criteria == ()
        assert found.counts["sat"].unscored == 2
        assert not (pool / "criteria.yaml").exists()
        assert {row["raw"] for row in records(pool / "steps.jsonl")} == {"What?"}
        server.answer, asked = taught.answer, len(server.seen)
        assert learn(server, pool, count=4, no_cache=True).pool.criteria == ()
        assert len(server.seen) == asked
        assert learn(server, pool, count=4, no_cache=True, retry=True).pool.criteria


def test_a_mini_batch_that_fails_for_good_leaves_the_others(tmp_path: Path) -> None:
    def once(body: Any) -> Any:
        first = taught.stage_of(body) == "summarise" and "earlier" not in json.dumps(body)
        return completion(body, "What?") if first else taught.answer(body)

    with ChatServer(once) as server:
        found = learn(server, count=12)
    failed = {(row.stage, row.reason): row.unscored for row in found.unscored}
    assert failed["summarise", "parse"] >= 3
    assert any("--retry" in note for note in found.notes)


def test_a_mini_batch_that_fails_for_now_is_where_the_run_goes_on(tmp_path: Path) -> None:
    def fails(_: int, body: Any) -> str | None:
        return "500" if taught.stage_of(body) == "summarise" else None

    with ChatServer(taught.answer, fault=fails) as server:
        found = learn(server, tmp_path / "pool", count=4)
        assert "sat" in found.stopped
        assert any("not complete" in one for one in found.unfinished)
        server.fault = None
        assert learn(server, tmp_path / "pool", count=4).pool.criteria


def test_spur_keeps_its_size_and_hands_provenance_on() -> None:
    with ChatServer(taught.answer) as server:
        found = learn(server, method="spur", size=2)
        assert stages(server) == {"extract": 24, "update": 12}
        said = " ".join(one.text for one in server.seen)
    assert DOMAIN.task not in said
    assert "Grice" not in said
    assert "single verb" not in said
    for polarity in ("sat", "dsat"):
        ours = found.pool.of(polarity)
        assert len(ours) == 2
        assert all(len(one.conversations) > 4 for one in ours)
        assert all(one.maxim is None and one.about is not None for one in ours)


def test_a_list_that_is_too_long_is_asked_for_again() -> None:
    def long(body: Any) -> Any:
        short = taught.stage_of(body) != "update" or len(body["messages"]) > 2
        if short:
            return taught.answer(body)
        body["messages"][0]["content"] = body["messages"][0]["content"].replace(
            "at most 2 criteria", "at most 9 criteria"
        )
        return taught.answer(body)

    with ChatServer(long) as server:
        found = learn(server, method="spur", size=2, count=12)
        again = [one for one in server.seen if len(one.body["messages"]) > 2]
    assert again
    assert "must have 1 to 2" in again[0].text
    assert len(found.pool.criteria) == 4


def test_what_was_edited_by_hand_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "pool" / "criteria.yaml"
    with ChatServer(taught.answer, fault=third_fails) as server:
        learn(server, file.parent, count=12)
        edited = file.read_text() + "- sat: The user smiles.\n"
        file.write_text(edited)
        server.fault = None
        found = learn(server, file.parent, count=12)
    assert file.read_text() == edited
    assert any("was edited, so it stays" in one for one in found.told)
    assert found.pool.criteria


def test_a_tiny_model_follows_every_schema(tiny_llama: Path) -> None:
    with ChatServer(Llama(tiny_llama)) as server:
        found = learn(server, count=4, k=1, similarity=0.0)
        # What a random model says depends on the boundary, which is of the installation's own.
        assert "extract" in stages(server)
        assert ("summarise" in stages(server)) == bool(found.patterns)
        spur = learn(server, count=4, k=1, method="spur")
    for one in (found, spur):
        lost = sum(row.unscored + row.without for row in one.counts.values())
        assert len(one.patterns) + lost >= 4


def test_a_dry_run_prices_each_stage_and_asks_nothing(tmp_path: Path) -> None:
    out = tmp_path / "pool"
    with ChatServer(taught.answer) as server:
        given = arguments_of(base_url=server.url, no_cache=True)
        plan = partial(criteria.learn.plan, taught.taught(24), "openai:m", out=out, **given)
        found = plan().estimate()
        assert not server.seen
        assert not out.exists()
        # 24 conversations, 36 patterns a label, 4 a batch
        assert found.by_model["openai:m"].calls == 24 + 2 * 9
        assert "Assumed: 3 patterns" in str(found)
        assert "deduplication and answers that must be asked for again are not" in str(found)
        plan(quiet=True).outcome()
    assert plan().estimate().by_model["openai:m"].calls == 0


def test_a_dry_run_of_spur_counts_every_batch() -> None:
    plan = criteria.learn.plan(
        taught.taught(24), "openai:m", label=LABEL, method=Spur(mini_batch=4), quiet=True
    )
    estimate = plan.estimate().by_model["openai:m"]
    # 24 conversations, 36 patterns a label, 4 a batch: no two calls ask the same
    assert (estimate.calls, estimate.cached) == (24 + 2 * 9, 0)


def test_the_first_prompt_is_shown_as_ours_or_ones_own(tmp_path: Path) -> None:
    def shown(**given: Any) -> Any:
        how = arguments(label=LABEL, **given)
        return criteria.learn.plan(taught.taught(4), "openai:m", **how).first_prompt()

    assert shown().prompt.startswith("criteria-extract ")
    assert [one["role"] for one in shown().messages] == ["system", "user"]
    mine = "{% block system %}Mine.{% endblock %}{% block user %}{{ k }}{% endblock %}"
    (tmp_path / "criteria-extract.jinja").write_text(mine)
    assert [one["content"] for one in shown(prompts=tmp_path).messages] == ["Mine.", "3"]


def test_another_language_is_no_obstacle(tmp_path: Path) -> None:
    text = "助手は失敗した行を\ud800示す: \x1b[31m「ここ」。"

    def answer(body: Any) -> Any:
        value: dict[str, Any] = {"patterns": [{"pattern": text, "reason": "で", "turns": [0]}]}
        if taught.stage_of(body) != "extract":
            one = {"criterion": text, "patterns": [1], "about": "user", "maxim": "none"}
            value = {"criteria": [one], "known": []}
        return completion(body, json.dumps(value))

    with ChatServer(answer) as server:
        found = learn(server, tmp_path / "pool", count=6, language="日本語")
        assert "Write in 日本語" in server.seen[0].body["messages"][0]["content"]
    assert len(found.pool.criteria) == 2  # said again word for word, it is the same criterion
    assert load_criteria(str(tmp_path / "pool" / "criteria.yaml")).criteria == found.pool.criteria


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"name": "my set"}, "name"),
        ({"method": "spur"}, r"method: received 'spur' \(str\); give Rubicon\(\) or"),
    ],
)
def test_settings_that_are_not_allowed_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        learn_any(label=LABEL, **wrong)


def learn_any(**how: Any) -> Any:
    return assize.criteria.learn(taught.taught(4), "scripted:any", **how)


def test_the_command_makes_the_method_of_its_flags(tmp_path: Path) -> None:
    chats = tmp_path / "chats.jsonl"
    assize.write(chats, taught.taught(4))
    command = ["criteria", "learn", str(chats), "--label", LABEL, "--model", "scripted:any"]
    command += ["--out", str(tmp_path / "pool"), "--show-prompt"]
    assert SIDES in CliRunner().invoke(app, command).stdout
    assert SIDES not in CliRunner().invoke(app, [*command, "--no-design-principles"]).stdout
    spur = [*command, "--method", "spur"]
    assert SIDES not in CliRunner().invoke(app, spur).stdout
    assert SIDES in CliRunner().invoke(app, [*spur, "--design-principles"]).stdout
    refused = CliRunner().invoke(app, [*command, "--size", "4"]).exception
    assert str(refused) == "--size: rubicon has none; leave it out, or give --method spur"


def test_the_folder_of_another_command_is_refused(tmp_path: Path) -> None:
    with ChatServer(taught.answer) as server:
        learn(server, tmp_path / "pool", count=4)
        with pytest.raises(ConfigError, match="k was 3 and is 2"):
            learn(server, tmp_path / "pool", count=4, k=2)


def test_a_bad_record_is_kept_aside_and_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    chats, out = tmp_path / "chats.jsonl", tmp_path / "pool"
    assize.write(chats, taught.taught(4))
    chats.write_text(chats.read_text() + '{"id": "odd", "turns": 7}\n')
    with pytest.raises(DataError):
        assize.criteria.learn(str(chats), "scripted:any", label=LABEL)
    lenient = assize.read(str(chats), on_error="skip")
    plan = assize.criteria.learn.plan(lenient, "scripted:any", label=LABEL, out=out)
    assert plan.estimate().by_model["scripted:any"].calls == 4 + 2
    assert not out.exists()
    assize.criteria.learn(lenient, "scripted:any", label=LABEL, out=out, quiet=True)
    assert "odd" in (out / "rejects.jsonl").read_text()


@pytest.mark.parametrize(
    ("label", "message"),
    [("thumbs:up=1", "all of its values are good"), ({"c0": True, "c2": True}, "good")],
)
def test_one_class_only_is_no_basis(label: Any, message: str) -> None:
    with pytest.raises(AssizeError, match=message):
        learn_any(label=label)
