"""A study of acts and maxims: which judges, which rows, what it is signed with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from acts_voted import ISO, PAIR, Q, T, held, ours, row

from assize.acts._study import ActStudy, study, study_all
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Unscored
from assize.judgments import JudgmentTable
from assize.results import Share


def test_the_first_of_repeated_rows_counts_and_the_rest_are_told() -> None:
    rows = [row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]))] * 2
    (found,) = study_all(JudgmentTable.of(rows), {"p": PAIR}, ISO)
    assert (found.items["acts"], found.duplicates) == (1, 1)


def test_judges_of_the_same_model_are_studied_together() -> None:
    acts = ours([Q], [T], [Q], a=[T], b=[Q])
    rows = [
        row("da@x", acts),
        row("da@y", acts),
        row("maxim@y", {"maxims": held()}),
        row("maxim@z", {"maxims": held()}),
    ]
    table = JudgmentTable.of(rows)
    assert [one.name for one in study_all(table, {"p": PAIR}, ISO)] == [
        "da@x",
        "da@y + maxim@y",
        "maxim@z",
    ]
    (chosen,) = study_all(table, {"p": PAIR}, ISO, judges=["da@x"])
    assert chosen.name == "da@x"
    assert [one.name for one in study_all(table, {"p": PAIR}, ISO, judges=["da"])] == [
        "da@x",
        "da@y",
    ]
    with pytest.raises(ConfigError, match=r"'io' gave no .* who did are da@x, da@y"):
        study_all(table, {"p": PAIR}, ISO, judges=["io"])


def test_later_runs_of_a_judge_are_left_out_and_told() -> None:
    once = row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]))
    table = JudgmentTable.of([once, replace(once, repeat=1), replace(once, repeat=2)])
    (found,) = study_all(table, {"p": PAIR}, ISO)
    assert (found.items["acts"], found.repeats) == (1, 2)
    assert "2 rows of later repeats are left out: the first run is analysed" in found.notes


def test_judgments_without_acts_or_maxims_are_refused() -> None:
    with pytest.raises(DataError, match="da-paper"):
        study_all(JudgmentTable.of([row("io@m", None)]), {"p": PAIR}, ISO)


def test_the_signature_stands_for_data_and_rules_not_for_the_order_of_rows() -> None:
    rows = [row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]), item=name) for name in ("p", "q")]
    items = {name: Pair(name, PAIR.context, PAIR.a, PAIR.b) for name in ("p", "q")}

    def signed(rows: list[Judgment], taxonomy: str = "iso-24617-2") -> str:
        names = load_taxonomy(taxonomy)
        table = JudgmentTable.of(rows)
        return study(table, items, names, acts="da@m", maxims=None).signature

    assert signed(rows) == signed(rows[::-1])
    assert signed(rows) != signed(rows[:1])
    assert signed(rows) != signed(rows, "intents")


def studied(*rows: Judgment, items: tuple[str, ...] = ("p",)) -> ActStudy:
    """Of items that are all the same pair."""
    pairs = {name: Pair(name, PAIR.context, PAIR.a, PAIR.b, gold="A") for name in items}
    (found,) = study_all(JudgmentTable.of(rows), pairs, ISO)
    return found


def percent(share: Share | None) -> float | None:
    return None if share is None else round(100 * share.estimate, 2)


ACTS = row("da@x", ours([Q], [T], [Q], a=[T], b=[Q]))
MAXIMS = row("maxim@x", {"maxims": held(better=2, worse=1, both=3)})


def test_a_study_has_the_tables_of_what_it_holds() -> None:
    acts, maxims = set(studied(ACTS).tables), set(studied(MAXIMS).tables)
    assert acts & maxims == {"judged", "second_votes"}
    assert set(studied(ACTS, MAXIMS).tables) == acts | maxims | {"responses"}
    assert maxims == {"judged", "sides", "rules", "second_votes"}
    assert "labels" in acts


def test_what_is_left_out_is_counted_with_its_reasons() -> None:
    lost = row("da@x", None, item="q", unscored=Unscored("timeout"))
    study = studied(ACTS, lost, items=("p", "q"))
    (judged,) = study.judged
    assert (judged.judge, judged.labels, judged.items, judged.left_out) == ("da@x", "acts", 1, 1)
    assert judged.why == "unscored: timeout: 1"
    assert "Gold prefers a response in 2 items." in study.tables["judged"].notes
    assert (studied(ACTS).judged[0].left_out, studied(ACTS).judged[0].why) == (0, None)


def test_frequencies_are_shares_of_each_roles_turns() -> None:
    # user: question and question; assistant: inform; responses: inform, question
    rows = [
        (one.name, percent(one.user), percent(one.assistant), percent(one.response))
        for one in studied(ACTS).functions
    ]
    assert rows == [("Set Question", 100, 0, 50), ("Inform", 0, 100, 50)]


def test_rarer_acts_than_a_table_shows_are_counted() -> None:
    names = [one.name for one in ISO.functions[:14]]
    acts = [["Task", name] for name in names]
    rows = row("da@x", {"acts": {"context": [acts, [T], acts], "a": [[T]], "b": [[T]]}})
    table = studied(rows).tables["functions"]
    found = len({*names, "Inform"})
    assert len(table.rows) == found
    assert f"{found - 12} further rows are not shown." in str(table)


def test_what_follows_an_act_is_a_share_of_its_own_turns() -> None:
    # the user asks twice; inform follows the first, the second is the context's last turn
    (only,) = studied(ACTS).after_user
    assert (only.act, only.next_act, only.turns) == ("Set Question", "Inform", 1)
    assert only.share == pytest.approx(1.0)


def test_same_and_different_acts_stand_with_who_has_more_maxims() -> None:
    # the responses differ; better in 2 maxims and both in 3 against worse in 1 and both in 3
    rows = studied(ACTS, MAXIMS).responses
    assert [(one.acts, one.more, percent(one.share)) for one in rows] == [
        ("same", "all", 0),
        ("same", "chosen", 0),
        ("same", "rejected", 0),
        ("same", "equal", 0),
        ("different", "all", 100),
        ("different", "chosen", 100),
        ("different", "rejected", 0),
        ("different", "equal", 0),
    ]


def test_each_maxim_has_the_shares_of_who_keeps_to_it() -> None:
    study = studied(MAXIMS)
    totals = [
        sum(percent(getattr(one, side)) or 0 for one in study.sides)
        for side in ("chosen", "rejected", "both", "neither")
    ]
    assert totals == [200, 100, 300, 600]
    assert study.asymmetry is not None
    assert study.asymmetry.estimate == 3  # 2 and 1 are satisfied better by one


def test_hallucinated_functions_are_named() -> None:
    study = studied(row("da@x", ours([["Task", "Explain"]], [T], [Q], a=[T], b=[Q])))
    shares = {one.labels: percent(one.share) for one in study.labels}
    assert shares["function unknown (hallucinated)"] == 20  # 1 of 5 labels
    assert study.tables["labels"].notes[0].startswith("Hallucinated: Explain 1.")
