"""AMULET's figures on HH-TEST, and others of the same votes: two pages of docs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from golden.readers.acts import study
from tests.figures.conftest import find_data, page, run_json, unlike, unlike_in_turn

JURY, ACTS = "docs/jury-amulet.md", "docs/acts-amulet.md"
REWARDS = ("Skywork", "QRM", "INF-ORM")
ANY = "any of the three"


def hear(*how: object, rewards: str = "") -> Any:
    """`assize jury` over all stored votes; an unscored verdict is a loss, unless told."""
    folder = find_data("amulet-hh-test")
    votes = f"{folder}/outputs-gpt4o.jsonl.gz", rewards or f"{folder}/reward-models.jsonl"
    items = ("--items", f"{folder}/instances.jsonl")
    return run_json("jury", *votes, *items, "--unscored", "loss", *how)


def reward(name: str) -> str:
    return f"reward@hf:{name}"


def of(found: Any, start: str, table: str = "judges", name: str = "judge") -> Any:
    """What a jury's answer has of the one judge whose name begins so."""
    (row,) = [row for row in found[table] if row[name].startswith(start)]
    return row


def percent(share: Any) -> float:
    return round(100 * float(share["estimate"]), 2)


def path(found: Any, name: str) -> float:
    """How many took a path, in percent."""
    (row,) = [row for row in found["paths"] if row["path"] == name]
    return percent(row["items"])


def shares(found: Any) -> tuple[float, float, float]:
    win, tie, loss = (percent(found[name]) for name in ("win", "tie", "loss"))
    return win, tie, loss


def test_the_juries_win_what_the_docs_say() -> None:
    rows = page(JURY).table("jury", "win", "", "jury", "win").rows
    said = {label: cell for row in rows for label, cell in (row[:2], row[3:]) if label}
    everyone = hear("--panel", "all")
    wrong: dict[Any, str] = {}
    for label, cell in said.items():
        if " > " in label:
            last = REWARDS if label.endswith(ANY) else ("",)
            orders = [label.replace(ANY, reward(name)) for name in last]
            found = [hear("--cascade", order) for order in orders]
        else:
            found = [of(everyone, label.replace("reward: ", "reward@hf:"))]
        wrong |= unlike({(label, n): (cell, percent(one["win"])) for n, one in enumerate(found)})
    assert len(said) == 13
    items = page(JURY).said(r"stored votes on the (\d+) items of HH-TEST")
    assert not wrong | unlike({"items": (items[0], everyone["n"])})


def test_wins_ties_and_losses_fall_where_the_docs_say() -> None:
    two, three = hear("--cascade", "da > maxim"), hear("--cascade", "da > maxim > explained")
    table = page(JURY).table("", "win", "tie", "loss")
    found = {"da": of(three, "da@"), "da > maxim": two, "da > maxim > explained": three}
    assert not table.differences(
        {
            (label, column): share
            for label, one in found.items()
            for column, share in zip(table.columns[1:], shares(one), strict=True)
        }
    )
    after = page(JURY).said(
        r"fall after a tie: tie-win ([\d.]+), tie-loss ([\d.]+), tie-tie-win ([\d.]+),"
        r" tie-tie-loss ([\d.]+), tie-tie-tie ([\d.]+)\."
    )
    paths = ("tie-win", "tie-loss", "tie-tie-win", "tie-tie-loss", "tie-tie-tie")
    later = page(JURY).said(
        r"maxim decides (\d+) pairs of which (\d+) are right \((\d+)%\),"
        r" explained (\d+) of which (\d+) \((\d+)%\)"
    )
    right = [
        value
        for judge in ("maxim@", "explained@")
        for one in (of(three, judge, "decided_by", "by"),)
        for decided, win in [(one["n"], one["results"]["win"])]
        for value in (decided, win, 100 * win / decided)
    ]
    percents = [path(three, name) for name in paths]
    pairs = [*zip(after, percents, strict=True), *zip(later, right, strict=True)]
    assert not unlike(dict(enumerate(pairs)))


def test_a_reward_model_is_right_where_its_jury_is_wrong_as_often_as_the_docs_say() -> None:
    *alone, breaks = page(JURY).said(
        r"right where its jury is wrong in ([\d.]+) \(Skywork\), ([\d.]+) \(QRM\) and"
        r" ([\d.]+) \(INF-ORM\); it breaks the tie rightly in ([\d.]+) each"
    )
    for name, said in zip(REWARDS, alone, strict=True):
        found = hear("--cascade", f"da > maxim > {reward(name)}")
        right = percent(of(found, reward(name))["right_alone"])
        tie = path(found, "tie-tie-win")
        assert not unlike({name: (said, right), "tie-tie-win": (breaks, tie)})


def test_repaired_keys_win_one_item_more(tmp_path: Path) -> None:
    source, repaired = find_data("amulet-hh-test/reward-models.jsonl"), tmp_path / "rewards.jsonl"
    run_json("convert", source, repaired, "--set", "keys=repaired")
    said = page(JURY).said(r"reads them, and INF-ORM alone wins ([\d.]+), QRM ([\d.]+)\.")
    found = hear("--panel", "all", rewards=str(repaired))
    wins = [percent(of(found, reward(name))["win"]) for name in ("INF-ORM", "QRM")]
    assert not unlike_in_turn(said, wins)


def test_other_juries_of_the_same_votes_win_what_the_docs_say() -> None:
    said = page(JURY).said(
        r"the majority of the four prompt judges ([\d.]+); with the three reward models ([\d.]+);"
        r" weighed by reliability \(exchangeable sides\) ([\d.]+)"
    )
    panels = (
        ("--panel", "io, explained, da, maxim"),
        ("--panel", "all"),
        ("--reliability", "--exchangeable"),
    )
    wins = [percent(hear(*how)["win"]) for how in panels]
    assert not unlike(dict(zip(panels, zip(said, wins, strict=True), strict=True)))


@pytest.mark.nightly("scores the research data")
def test_the_shipped_evaluator_agrees_as_seldom_as_the_docs_say(tmp_path: Path) -> None:
    said = page(JURY).said(
        r"agrees with HH-TEST's annotators on (\d+)% of the pairs \((\d+)% ties\)"
    )
    pairs, run = find_data("amulet-hh-test/instances.jsonl"), tmp_path / "run"
    run_json("judge", pairs, "-j", "evaluator@default", "--out", run)
    found = run_json(
        *("jury", run, "--items", pairs, "--cascade", "evaluator", "--max-unscored", 100)
    )
    values = shares(of(found, "evaluator@"))[:2]
    assert not unlike_in_turn(said, values)


@pytest.fixture
def acts() -> Any:
    """What `assize acts` says of the stored outputs."""
    folder = find_data("amulet-hh-test")
    found = run_json(
        *("acts", f"{folder}/outputs-gpt4o.jsonl.gz"), "--items", f"{folder}/instances.jsonl"
    )
    (record,) = found["studies"]
    return study(record)


def test_acts_and_maxims_are_what_the_docs_say(acts: Any) -> None:
    found, maxims, crossed = acts["acts"], acts["maxims"], acts["crossed"]
    kinds = {"functions": "function", "dimensions": "dimension"}
    changes = {
        (f"the {said} changes from turn to turn / at least once", column): [
            found["changes"][kind][role][part]["percent"] / 100 for part in ("turns", "once")
        ]
        for said, role in (("human", "user"), ("assistant", "assistant"))
        for column, kind in kinds.items()
    }
    for label, part in (
        ("the two responses differ", "across"),
        ("the assistant's answer changes after a human change", "following"),
    ):
        for column, kind in kinds.items():
            changes[label, column] = found[part][kind]["percent"] / 100
    assert not page(ACTS).table("", *kinds).differences(changes)

    table = page(ACTS).table(
        *("", "all", "chosen satisfies more maxims", "rejected does", "equally many")
    )
    more = ("chosen_more", "rejected_more", "equal")
    assert not table.differences(
        {
            (f"{name} acts", column): value
            for name in ("same", "different")
            for column, value in zip(
                table.columns[1:],
                [crossed[name]["percent"], *(crossed[name][one]["percent"] for one in more)],
                strict=True,
            )
        }
    )

    items = page(ACTS).said(r"released GPT-4o outputs \((\d+) pairs of HH-test\)")
    assert not unlike({name: (items[0], count) for name, count in acts["items"].items()})
    validity, rules, varied = found["validity"], maxims["by_rule"], found["variation"]["function"]
    names = validity["names"]
    half = names["Accept Offer"] + names["Decline Offer"]
    assert half == validity["hallucinated"]["count"] / 2  # "half of them"
    said = page(ACTS).said(
        r"([\d.]+) of twelve maxims tell .* ([\d.]+)% of labels are hallucinated"
        r" \(([\d,]+) of ([\d,]+);.* ([\d.]+)% are in a foreign dimension"
    )
    place = page(ACTS).said(
        r"satisfies more maxims in ([\d.]+)% of pairs, by the second vote in"
        r" ([\d.]+)%\."
    )
    vote = page(ACTS).said(
        r"(\d+)% of responses get other functions in the second vote \(([\d.]+)% of the context's"
        r" turns do\), where a comparison by place says (\d+)%"
    )
    invented = validity["hallucinated"]
    printed = {
        name: cell for name, _, cell in page(ACTS).table("figure", "in the paper", "here").rows
    }
    dimensions, agreed = found["variation"]["dimension"], rules["agreed"]
    shown = {
        "table 1, rejected satisfies more, different acts": [crossed["different"]["rejected_more"]],
        "table 12, turns with different functions across votes": [varied["labels"]],
        "table 12, turns with different dimensions across votes": [dimensions["labels"]],
        "table 12, valid functions and dimensions": [validity["valid"], validity["dimensions"]],
        "table 17": [agreed[part] for part in ("accuracy", "chosen_more", "right")],
    }
    assert {name: [one["percent"] for one in shares] for name, shares in shown.items()} == {
        name: [float(one) for one in re.findall(r"\d+\.\d+", cell)][: len(shown[name])]
        for name, cell in printed.items()
    }
    assert f"sets give {dimensions['turns']['percent']}" in printed[list(shown)[2]]
    distinct = page(ACTS).said(
        r"five distinct acts in ([\d.]+)% of conversations, assistants at least four in ([\d.]+)%;"
        r" single functions give ([\d.]+)% and ([\d.]+)%"
    )
    roles = (("user", "5"), ("assistant", "4"))
    kinds_of = [found["distinct"][what] for what in ("act", "function")]
    counted = [kind[role][least]["percent"] for kind in kinds_of for role, least in roles]
    assert not unlike_in_turn(distinct, counted)
    own = page(ACTS).said(r"functions of its first in ([\d.]+)% of turns and repeats ([\d.]+)%")
    turns = varied["context"]["count"] + varied["responses"]["count"]
    again = (100 - 100 * turns / varied_turns(varied), 100 - maxims["variation"]["percent"])
    assert not unlike_in_turn(own, again)
    values = (
        *(maxims["asymmetry"]["estimate"], invented["percent"], invented["count"]),
        *(validity["labels"], validity["foreign"]["percent"]),
        *(rules[rule]["chosen_more"]["percent"] for rule in ("first", "second")),
        *(varied[part]["percent"] for part in ("responses", "context", "as_published")),
    )
    assert not unlike_in_turn((*said, *place, *vote), values)


def varied_turns(varied: Any) -> int:
    """Of how many turns a comparison of votes is."""
    return round(100 * float(varied["turns"]["count"]) / float(varied["turns"]["percent"]))


TAGGED = {
    "the tagger, all acts together": "the tagger, acts",
    "the tagger, functions alone": "the tagger, functions alone",
    "the tagger, mean over the {} acts that have ten turns": "the tagger, mean over acts",
    "always the most common act of the speaker": "the most common act of the speaker",
    "GPT-4o's own second vote": "the judge's own second vote",
}


@pytest.mark.nightly("trains on the research data")
def test_the_tagger_is_as_good_as_the_docs_say(tmp_path: Path) -> None:
    folder = find_data("amulet-hh-test")
    found = run_json(
        *("acts", "train", f"{folder}/outputs-gpt4o.jsonl.gz"),
        *("--items", f"{folder}/instances.jsonl", "--out", tmp_path / "tagger"),
    )
    figures = found["figures"]
    by_act = {row["act"].partition(": ")[2]: row["f1"] for row in figures["by_act"]}
    scores = {row["who"]: row["f1"] for row in figures["scores"]}
    table = page(ACTS).table("F1 on held-out conversations", "")
    assert not table.differences(
        {(label.format(len(figures["by_act"])), ""): scores[name] for label, name in TAGGED.items()}
    )
    said = page(ACTS).said(
        r"\((\d+) conversations, ([\d,]+) turns, defaults, five parts\).* all functions of a turn"
        r" right in (\d+)% of turns .* \(Accept Thanking ([\d.]+), Inform ([\d.]+), Thanking"
        r" ([\d.]+), Answer ([\d.]+), questions ([\d.]+) to ([\d.]+)\), and useless .*"
        r" \(Disagreement, Auto-Positive: (\d)\)"
    )
    questions = [by_act[f"{kind} Question"] for kind in ("Set", "Propositional")]
    values = (
        *(figures["conversations"], figures["turns"], 100 * figures["exact"]),
        *(by_act[name] for name in ("Accept Thanking", "Inform", "Thanking", "Answer")),
        *(min(questions), max(questions), by_act["Disagreement"]),
    )
    assert not unlike_in_turn(said, values)
    assert by_act["Auto-Positive"] == by_act["Disagreement"]
