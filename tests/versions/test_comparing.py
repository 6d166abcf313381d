"""Differences, segments, verdicts and what to read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.stats as reference
from tests.versions.two_versions import HELPFUL, chat, made, two_versions

from assize.base.conversation import Continuation
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.stats._power import rows_needed
from assize.versions.answers import Asked, Gathered
from assize.versions.comparing import Comparing, compare_all, main_index
from assize.versions.version import Version

QUICK = Comparing(permutations=499)
OLD, NEW = two_versions()
BOTH = [OLD, NEW]


def field(name: str) -> dict[str, dict[str, str]]:
    """A field of the conversations by version."""
    return {
        one.name: {item: str(chat.metadata[name]) for item, chat in one.items.items()}
        for one in BOTH
    }


def test_pairs_are_counted_by_hand() -> None:
    old, new = made("old", [1, 2, 3, 4, 5, None]), made("new", [2, 2, 5, 3, 5, 4])
    found = compare_all([old, new], how=QUICK)
    (one,) = found.differences
    assert one.paired
    assert one.difference.estimate == pytest.approx((1 + 0 + 2 - 1 + 0) / 5)
    assert (one.difference.n, one.difference.unscored) == (5, 1)
    shares = [round(5 * part.estimate) for part in (one.better, one.equal, one.worse)]
    assert shares == [2, 2, 1]
    assert (one.before.estimate, one.after.estimate) == (3, 3.4)
    assert found.missing == (1, 12)
    (worst,) = found.regressions
    assert (worst.item, worst.before, worst.after, worst.change) == ("c3", 4, 3, -1)
    assert found.items["old", "c3"] == chat("old", 3)


def test_without_pairs_it_is_welchs_test() -> None:
    found = compare_all(BOTH, how=replace(QUICK, pairing="none", permutations=9_999))
    (one,) = found.differences
    values = [[float(str(row.answer)) for row in version.table] for version in (NEW, OLD)]
    assert one.test.p_value == pytest.approx(
        reference.ttest_ind(*values, equal_var=False).pvalue, abs=0.01
    )
    assert not one.paired
    assert found.regressions[0].before_item is None
    assert [read.after for read in found.regressions] == sorted(values[0])[:10]


def test_segments_are_corrected_together() -> None:
    found = compare_all(BOTH, segments=field("lang"), how=replace(QUICK, by="lang"))
    german, english = found.segments
    assert (german.segment, german.verdict) == ("de", "worse")
    assert (english.segment, english.verdict) == ("en", "better")
    assert german.p_value == pytest.approx(max(2 * english.test.p_value, german.test.p_value))
    assert found.differences[0].p_value == found.differences[0].test.p_value
    assert german.difference.n + english.difference.n == found.differences[0].difference.n


def test_what_is_worse_the_higher_it_is_turns_round() -> None:
    harm = replace(HELPFUL, higher="worse")
    found: Any = compare_all(
        [replace(one, table=JudgmentTable.of(list(one.table), [harm])) for one in BOTH], how=QUICK
    )
    (one,) = found.differences
    assert one.difference.estimate > 0
    assert one.verdict == "worse"
    assert one.worse.estimate > one.better.estimate
    assert found.regressions[0].change > 0


def test_more_than_two_are_each_compared_with_the_baseline() -> None:
    newest = Version("newest", NEW.table, NEW.items)
    found = compare_all([*BOTH, newest], how=QUICK)
    assert [one.version for one in found.differences] == ["new", "newest"]
    assert found.differences[0].p_value == min(1, 2 * found.differences[0].test.p_value)
    turned = compare_all([*BOTH, newest], how=replace(QUICK, baseline="newest"))
    assert [one.version for one in turned.differences] == ["old", "new"]
    with pytest.raises(ConfigError, match="baseline 'x': there are old, new, newest"):
        compare_all([*BOTH, newest], how=replace(QUICK, baseline="x"))
    with pytest.raises(ConfigError, match="there is one version, 'old'"):
        compare_all([OLD], how=QUICK)


def test_a_size_says_how_many_conversations_it_takes() -> None:
    one, two = (
        compare_all(BOTH, how=replace(QUICK, detect=0.1, pairing=pairing)).differences[0]
        for pairing in ("auto", "none")
    )
    answers = [[float(str(row.answer)) for row in version.table] for version in BOTH]
    spread = np.std(np.diff(answers, axis=0), ddof=1)
    assert one.needed == rows_needed(float(spread), 0.1)
    assert one.more == one.needed - 90
    assert (two.needed or 0) > one.needed


def test_turns_of_one_conversation_are_drawn_together() -> None:
    """Four candidates a conversation say hardly more than one does."""
    score = Question("q", kind="number")
    rng = np.random.default_rng(0)
    base = np.repeat(rng.normal(size=30), 4)
    versions = []
    for name, shift in (("old", 0.0), ("new", 0.5)):
        drawn = base * (1 + shift) + shift
        ids = [f"{at // 4}-{at % 4}" for at in range(120)]
        rows = [Judgment(one, "m", "q", score=float(x)) for one, x in zip(ids, drawn, strict=True)]
        items = {
            one: Continuation(one, chat(name, at // 4).turns[:1], "x", conversation=f"k{at // 4}")
            for at, one in enumerate(ids)
        }
        versions.append(Version(name, JudgmentTable.of(rows, [score]), items))
    (clustered,) = compare_all(versions, how=replace(QUICK, pairing="id")).differences
    bare = [Version(one.name, one.table) for one in versions]
    (single,) = compare_all(bare, how=replace(QUICK, pairing="id")).differences
    assert clustered.difference.clusters == 30
    widths = [np.diff(one.difference.interval)[0] for one in (clustered, single)]
    assert widths[0] > 1.7 * widths[1]


def test_users_of_both_versions_are_taken_together() -> None:
    how = replace(QUICK, pairing="none")
    (one,) = compare_all(BOTH, clusters=field("user"), how=how).differences
    assert one.difference.clusters == 10


def test_a_field_with_too_many_values_is_refused() -> None:
    each = {one.name: {name: name for name in one.items} for one in BOTH}
    with pytest.raises(DataError, match="90 values, and 50 segments are the most"):
        compare_all(BOTH, segments=each, how=QUICK)


def test_the_same_seed_gives_the_same_again() -> None:
    first, again = (compare_all(BOTH, how=QUICK).to_json() for _ in range(2))
    assert first == again
    assert compare_all(BOTH, how=replace(QUICK, main="helpful")).main[1] == "helpful"
    assert compare_all(BOTH, how=replace(QUICK, main="Helpful")).main[1] == "helpful"
    with pytest.raises(ConfigError, match="main 'x': compared are helpful"):
        compare_all(BOTH, how=replace(QUICK, main="x"))


def test_what_fell_opens_the_result_and_is_read_first() -> None:
    lang, how = field("lang"), Comparing(by="metadata.lang", permutations=499)
    found = compare_all(BOTH, segments=lang, how=how)
    assert found.sentence.startswith("Worse in 1 of 2: de. new ")
    assert [row.segment for row in found.segments] == ["de", "en"]
    assert {row.segment for row in found.regressions} == {"de"}
    assert all(lang["new"][row.item] == "de" for row in found.regressions)
    assert len({row.item for row in found.regressions}) == len(found.regressions) == 10
    turned = compare_all([NEW, OLD], segments=lang, how=how)
    assert [row.segment for row in turned.segments] == ["en", "de"]
    assert turned.sentence.startswith("Worse in 1 of 2: en. old ")
    assert compare_all(BOTH, how=how).sentence.startswith("new ")


def test_a_question_called_overall_is_the_main_one_in_any_case() -> None:
    asked = [Asked("ann", Question(name, kind="number"), {}) for name in ("Polite", "Overall")]
    assert main_index(Gathered(asked, []), None) == 1
    with pytest.raises(ConfigError, match="main 'overal': did you mean 'Overall'"):
        main_index(Gathered(asked, []), "overal")
