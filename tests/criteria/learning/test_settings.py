"""Switches, and exactly which parts of the prompts each of them takes away."""

from __future__ import annotations

import difflib
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.criteria._criterion import Domain
from assize.criteria._learning.settings import HOME, Learning
from assize.judging.boundary import fenced
from assize.judging.calls import listed
from assize.judging.prompting import Prompt

DOMAIN = Domain("debug a program", "asks and proposes", "shows the error", "it runs")
WHOLE = Learning(domain=DOMAIN).resolved()
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


def taken(name: str, **switches: Any) -> list[str]:
    """The lines that a switch takes away; it adds none but the schema's shorter example."""
    before, after = system(name, WHOLE), system(name, replace(WHOLE, **switches))
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
    on = (WHOLE.domain_sensitisation, WHOLE.design_principles, WHOLE.single_verb, WHOLE.deduplicate)
    assert on == (True, True, True, True)
    spur = Learning("spur", domain=DOMAIN).resolved()
    assert not any(
        (spur.domain_sensitisation, spur.design_principles, spur.single_verb, spur.deduplicate)
    )
    assert spur.values()["domain"] is None


def test_the_single_verb_follows_the_domain_unless_it_is_said() -> None:
    assert Learning(domain_sensitisation=False).resolved().single_verb is False
    assert Learning(domain_sensitisation=False, single_verb=True).resolved().single_verb is True
    assert Learning(single_verb=False).resolved().single_verb is False
    assert Learning("spur", domain_sensitisation=True).resolved().single_verb is True


def test_without_domain_sensitisation_only_the_domain_leaves_an_extraction() -> None:
    gone = taken("criteria-extract", domain_sensitisation=False)
    assert gone[:4] == ABOUT_DOMAIN
    assert len(gone) == 4 + 3
    assert begin(gone, "Count only what bears on this task")


@pytest.mark.parametrize("name", ["criteria-summarise", "criteria-update"])
def test_without_domain_sensitisation_the_domain_and_its_terms_leave_a_summary(name: str) -> None:
    gone = taken(name, domain_sensitisation=False)  # `single_verb` stays as it was resolved
    assert gone[:4] == ABOUT_DOMAIN
    assert len(gone) == 4 + 2
    assert begin(gone, "Let the criteria name")
    assert not begin(gone, *VERB)


@pytest.mark.parametrize("name", ["criteria-summarise", "criteria-update"])
def test_the_published_ablation_takes_the_single_verb_along(name: str) -> None:
    bare = Learning(domain=DOMAIN, domain_sensitisation=False).resolved()
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
    left = "\n".join(system(name, replace(WHOLE, design_principles=False)))
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


def test_settings_out_of_range_are_refused() -> None:
    wrong: list[dict[str, Any]] = [
        {"k": 0},
        {"mini_batch": 0},
        {"size": 0},
        {"similarity": 1.5},
        {"language": " "},
    ]
    for one in wrong:
        with pytest.raises(ConfigError):
            Learning(**one)
