"""Switches, and exactly which parts of the prompts each of them takes away."""

from __future__ import annotations

import difflib
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.criteria._criterion import Domain
from assize.criteria._learning.settings import HOME, Learning, Rubicon, Spur
from assize.judging.boundary import fenced
from assize.judging.calls import listed
from assize.judging.prompting import Prompt

DOMAIN = Domain("debug a program", "asks and proposes", "shows the error", "it runs")
WHOLE = Learning(Rubicon(single_verb=True), DOMAIN)
PROMPTS = ("criteria-extract", "criteria-summarise", "criteria-update")
ABOUT_DOMAIN = [
    "The conversations are about this task: debug a program",
    "What the assistant is designed to do: asks and proposes",
    "What the user is expected to contribute: shows the error",
    "What a good conversation arrives at: it runs",
]
CONDUCT = "Both sides are responsible"
GRICE = [
    "In a good conversation both sides cooperate",
    "- Quantity",
    "- Quality",
    "- Relevance",
    "- Manner",
    "Ask which of them",
]
VERB = ["Keep it short and plain. A simple", "the part that matters, or make"]


def system(name: str, learning: Learning, *, good: bool = True) -> list[str]:
    """The lines of a prompt's system message, without empty ones."""
    values: dict[str, Any] = {
        "turns": (),
        "first": 0,
        "earlier": ["An earlier one."],
        "patterns": ["A new one."],
        "good": good,
        "boundary": "K",
        "fence": partial(fenced, "K"),
        "listed": partial(listed, "K"),
    }
    text = Prompt(name, None, HOME).messages({**learning.values(), **values})[0].text
    return [line for line in text.splitlines() if line.strip()]


def without(**switches: Any) -> Learning:
    return replace(WHOLE, how=replace(WHOLE.how, **switches))


def taken(name: str, **switches: Any) -> list[str]:
    """The lines that a switch takes away; it adds none but the schema's shorter example."""
    before, after = system(name, WHOLE), system(name, without(**switches))
    gone = []
    for line in difflib.ndiff(before, after):
        if line.startswith("- "):
            gone.append(line[2:])
        elif line.startswith("+ "):
            assert '"criteria": [{' in line or line.endswith("(what the assistant calls).")
    return gone


def begin(lines: list[str], *starts: str) -> bool:
    """Whether each of the beginnings is that of a line."""
    return all(any(line.startswith(one) for line in lines) for one in starts)


def test_rubicon_has_every_switch_on_and_spur_none() -> None:
    for how, on in ((Rubicon(), True), (Spur(), False)):
        values = Learning(how, DOMAIN).values()
        assert how.deduplicate is values["principles"] is values["single_verb"] is on
        assert values["domain"] == (DOMAIN if on else None)


def test_the_single_verb_follows_the_domain_unless_it_is_said() -> None:
    for how, single in (
        (Rubicon(domain_sensitisation=False), False),
        (Rubicon(domain_sensitisation=False, single_verb=True), True),
        (Rubicon(single_verb=False), False),
        (Spur(domain_sensitisation=True), True),
    ):
        assert Learning(how).values()["single_verb"] is single


@pytest.mark.parametrize(
    ("name", "more", "start"),
    [
        ("criteria-extract", 3, "Count only what bears on this task"),
        ("criteria-summarise", 2, "Let the criteria name"),  # `single_verb` stays as resolved
        ("criteria-update", 2, "Let the criteria name"),
    ],
)
def test_without_domain_sensitisation_only_the_domain_and_its_terms_leave(
    name: str, more: int, start: str
) -> None:
    gone = taken(name, domain_sensitisation=False)
    assert gone[:4] == ABOUT_DOMAIN
    assert len(gone) == 4 + more
    assert begin(gone, start)


@pytest.mark.parametrize("name", ["criteria-summarise", "criteria-update"])
def test_the_published_ablation_takes_the_single_verb_along(name: str) -> None:
    bare = Learning(Rubicon(domain_sensitisation=False), DOMAIN)
    lines = system(name, bare)
    assert not begin(lines, VERB[0])
    assert begin(lines, *GRICE)


def test_without_design_principles_the_responsibility_of_both_leaves_an_extraction() -> None:
    gone = taken("criteria-extract", design_principles=False)
    assert len(gone) == 3
    assert begin(gone, CONDUCT)


@pytest.mark.parametrize("name", ["criteria-summarise", "criteria-update"])
def test_without_design_principles_the_maxims_leave_a_summary(name: str) -> None:
    gone = taken(name, design_principles=False)
    assert begin(gone, *GRICE, '- "maxim"')
    assert not begin(gone, '- "criterion"', *ABOUT_DOMAIN, *VERB)
    left = "\n".join(system(name, without(design_principles=False)))
    assert "maxim" not in left.lower()
    assert '"about"' in left


def test_without_the_single_verb_nothing_else_leaves() -> None:
    assert taken("criteria-extract", single_verb=False) == []
    for name in PROMPTS[1:]:
        gone = taken(name, single_verb=False)
        assert len(gone) == len(VERB)
        assert begin(gone, *VERB)


@pytest.mark.parametrize("name", PROMPTS)
def test_the_label_is_told_and_nothing_runs_together(name: str) -> None:
    for good, label, feeling in ((True, "good", "satisfaction"), (False, "bad", "dissatisfaction")):
        text = "\n".join(system(name, WHOLE, good=good))
        assert f"labelled {label}" in text
        assert f" {feeling}" in text
        assert "  " not in text.replace("\n  ", "\n")
        assert all(len(line) <= 105 or "{" in line for line in text.splitlines())


@pytest.mark.parametrize("wrong", [{"k": 0}, {"mini_batch": 0}, {"size": 0}, {"similarity": 1.5}])
def test_settings_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        Spur(**wrong)
    with pytest.raises(ConfigError):
        Learning(language=" ")
