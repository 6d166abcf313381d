"""A gate as XML and Markdown: text of conversations stays text."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

from tests.versions.two_versions import chats_of, made, two_versions

from assize.base.conversation import Turn
from assize.stats import Estimate, mean
from assize.versions.comparing import Comparing
from assize.versions.gate import GateLimits, check_limits
from assize.versions.gate_result import GateResult, end_of, junit_xml, markdown
from assize.versions.version import Version

HOSTILE = (
    "</code><script>alert(1)</script> | @team #12 ![x](http://h/x.png) \x00\x1b[31m\ud800 `a` "
)
QUICK = Comparing(permutations=499)


def hostile() -> GateResult:
    old, new = two_versions()
    sides = []
    for one in (old, new):
        items = {
            name: replace(item, turns=(Turn("user", HOSTILE + name), *item.turns[1:]))
            for name, item in chats_of(one).items()
        }
        sides.append(Version(one.name, one.table, items))
    limits = GateLimits(fail_under={"helpful": 4.9}, max_drop={"helpful": 0.5})
    return check_limits(sides[1], sides[0], limits=limits, how=QUICK)


def test_junit_has_a_case_a_check() -> None:
    found = hostile()
    root = ET.fromstring(junit_xml(found))
    assert root.attrib | {"tests": "3", "failures": "1"} == root.attrib
    failures = {case.get("name"): case.find("failure") for case in root[0]}
    (name,) = (name for name, failure in failures.items() if failure is not None)
    assert name == "helpful mean >= 4.9 [rating@m]"
    assert "n 90" in str(failures[name].get("message"))  # type: ignore[union-attr]
    assert "failed 1 of 3 checks: helpful mean >= 4.9 (" in str(found.alarm)


def test_no_line_of_junit_or_markdown_is_what_a_file_chose() -> None:
    name = "q\n::stop-commands::x\nFAILED"
    version = made("new", [3, 4, 5], judge=name)
    found = check_limits(version, None, limits=GateLimits(fail_under={"helpful": 1}), how=QUICK)
    check = replace(found.checks[0], check=name, bound=9.0)
    found = replace(found, checks=[check], subject=name, notes=[name])
    for text in (junit_xml(found), markdown(found)):
        for line in text.splitlines():
            assert not line.strip().startswith(("::", "FAILED"))


def test_junit_holds_any_judge_s_name() -> None:
    version = made("new", [3, 4, 5], judge='a<b>&"\x00\x1b\ud800')
    found = check_limits(version, None, limits=GateLimits(fail_under={"helpful": 1}), how=QUICK)
    case = next(ET.fromstring(junit_xml(found).encode("utf-8")).iter("testcase"))
    assert 'a<b>&"[U+0000][U+001B]' in str(case.get("name"))


def test_markdown_shows_hostile_text_and_links_nobody() -> None:
    said = markdown(hostile())
    assert said.startswith("### assize gate: failed\n")
    assert "| helpful mean &gt;= 4.9 |" in said
    assert "<script" not in said
    assert "\x1b" not in said
    quoted = [line for line in said.splitlines() if "team" in line]
    assert quoted
    for line in quoted:
        *_, text = line.split(": <code>")
        assert text.endswith("</code>")  # in code neither a name nor a number is a link
        assert "</code>" not in text.removesuffix("</code>")
        assert r"\]\(" in text or r"\](" in text
    assert said.count("<details>") == said.count("</details>") == 1


def test_without_a_baseline_the_lowest_are_named() -> None:
    found = check_limits(made("new", [3, 1, 5]), None, limits=GateLimits(max_unscored=5), how=QUICK)
    assert "The lowest, by helpful" in markdown(found)
    assert "- <code>c1</code> 1.00: <code>Question 1?</code>" in markdown(found)
    assert found.alarm is None
    assert found.to_json()["passed"] is True


def test_an_end_that_is_not_there() -> None:
    assert end_of(mean([2.0, 2.0]), 0) == (2.0, None)
    assert end_of(Estimate(1.0, (0.5, 1.5)), 1) == (1.5, None)
    bound, reason = end_of(mean([2.0]), 0)
    assert bound != bound
    assert reason == "an interval needs at least 2 clusters"
