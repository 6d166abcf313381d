"""A study of acts and maxims: which judges, which rows, what it is signed with."""

from __future__ import annotations

from dataclasses import replace

import pytest
from acts_voted import ISO, PAIR, Q, T, held, ours, row

from assize.acts._study import ActStudy, study, study_all
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Pair
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Unscored
from assize.judgments import JudgmentTable
from assize.results import Share


def test_the_first_of_repeated_rows_counts_and_the_rest_are_told() -> None:
    rows = [row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]))] * 2
    (found,) = study_all(JudgmentTable.of(rows), {"p": PAIR}, ISO)
    assert (found.items["acts"], found.duplicates) == (1, 1)


def test_judges_of_the_same_model_are_studied_together() -> None:
    acts = ours([Q], [T], [Q], a=[T], b=[Q])
    said = {"maxims": held()}
    judges = {"da@x": acts, "da@y": acts, "maxim@y": said, "maxim@z": said}
    table = JudgmentTable.of([row(name, details) for name, details in judges.items()])
    for chosen, names in (
        (None, ["da@x", "da@y + maxim@y", "maxim@z"]),
        (["da@x"], ["da@x"]),
        (["da"], ["da@x", "da@y"]),
    ):
        found = study_all(table, {"p": PAIR}, ISO, judges=chosen)
        assert [one.name for one in found] == names
    with pytest.raises(ConfigError, match=r"'io' gave no .* who did are da@x, da@y"):
        study_all(table, {"p": PAIR}, ISO, judges=["io"])


def test_later_runs_of_a_judge_are_left_out_and_told() -> None:
    once = row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]))
    table = JudgmentTable.of([once, replace(once, repeat=1), replace(once, repeat=2)])
    (found,) = study_all(table, {"p": PAIR}, ISO)
    assert (found.items["acts"], found.repeats) == (1, 2)
    assert "2 rows of later repeats are left out: the first run is analysed" in found.notes


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


def test_rarer_acts_than_a_table_shows_are_counted() -> None:
    names = [one.name for one in ISO.functions[:14]]
    acts = [["Task", name] for name in names]
    rows = row("da@x", {"acts": {"context": [acts, [T], acts], "a": [[T]], "b": [[T]]}})
    table = studied(rows).tables["functions"]
    found = len({*names, "Inform"})
    assert len(table.rows) == found
    assert f"{found - 12} further rows are not shown." in str(table)


def test_hallucinated_functions_are_named() -> None:
    study = studied(row("da@x", ours([["Task", "Explain"]], [T], [Q], a=[T], b=[Q])))
    shares = {one.labels: percent(one.share) for one in study.labels}
    assert shares["function unknown (hallucinated)"] == 20  # 1 of 5 labels
    assert study.tables["labels"].notes[0].startswith("Hallucinated: Explain 1.")
