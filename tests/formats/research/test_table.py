"""The research formats on the real data, which stands beside the repository, never in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from scripts.corpora import CORPORA

from assize.base.conversation import Continuation, Conversation, Pair
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats import FORMATS, parse, to_json
from assize.formats.format import Options
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records, recognise
from assize.formats.research.table import RESEARCH
from assize.formats.rows import Row, Sample, open_rows

DATA = Path(__file__).parents[4] / "shared" / "data"

# file: format, conversations, pairs, continuations, judgments, NA among them, unscored among them
COUNTS = {
    "amulet-hh-test/instances.jsonl": ("amulet-pairs", 0, 460, 0, 0, 0, 0),
    "amulet-hh-test/outputs-gpt4o.jsonl.gz": ("amulet-outputs", 0, 0, 0, 460 * 8, 0, 2),
    "amulet-hh-test/reward-models.jsonl": ("amulet-rewards", 0, 0, 0, 460 * 3, 0, 2),
    "llm-rubric/real_dialogues.jsonl": ("llm-rubric-dialogues", 223, 0, 0, 0, 0, 0),
    "llm-rubric/real_llm.csv": ("llm-rubric-answers", 0, 0, 0, 223 * 9, 0, 0),
    "llm-rubric/synth_llm.csv": ("llm-rubric-answers", 0, 0, 0, 225 * 9, 0, 0),
    "llm-rubric/synth_human.csv": ("llm-rubric-ratings", 0, 0, 0, 743 * 12, 755, 2),
    "mtdeval/daily-mtd-pair-sample.csv": ("daily-mtd", 0, 2, 0, 0, 0, 0),
    "mtdeval/p2-mtd-sample.json": ("p2-mtd", 0, 1, 0, 6 * 11, 0, 0),
}

NAMED = {"llm-rubric-ratings": 24}  # people who can be followed from item to item


def data(name: str) -> Path:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"needs shared/data/{name} beside the repository")
    return path


def judgments(name: str, **options: str) -> list[Judgment]:
    return [
        one
        for one in iter_records(data(name), ReadOptions(values=options))
        if isinstance(one, Judgment)
    ]


@pytest.mark.parametrize("name", COUNTS)
def test_every_file_is_recognised_and_read_whole(name: str) -> None:
    format, *expected = COUNTS[name]
    with open_rows(data(name)) as (sample, _):
        assert recognise(sample).name == format
    scales = {question.id: question for question in FORMATS[format].questions}
    kinds: Counter[type] = Counter()
    states: Counter[str] = Counter()
    keys, people = set(), set()
    for record in iter_records(data(name)):
        kinds[type(record)] += 1
        assert parse(to_json(record)) == record
        if isinstance(record, Judgment):
            keys.add(record.key)
            if record.kind == "person" and not record.anonymous:
                people.add(record.judge)
            assert record.kind == "person" or not record.anonymous
            states["NA"] += record.answer == "NA"
            states["unscored"] += record.unscored is not None
            assert record.question in scales
            allowed = (*scales[record.question].answers, "NA", None)
            assert record.answer in allowed
    found = [kinds[kind] for kind in (Conversation, Pair, Continuation, Judgment)]
    assert [*found, states["NA"], states["unscored"]] == expected
    assert len(keys) == kinds[Judgment]
    assert len(people) == NAMED.get(format, 0)
    assert tuple(scales.values()) == FORMATS[format].questions


def test_every_file_of_the_data_is_covered() -> None:
    if not DATA.exists():
        pytest.skip("needs shared/data beside the repository")
    present = {
        str(path.relative_to(DATA))
        for path in DATA.glob("*/*")
        if path.suffix != ".md" and path.parent.name != "sealed"
    }
    assert present == {*COUNTS, *(corpus.file for corpus in CORPORA.values())}


JUNK: tuple[Any, ...] = (None, -1.5, "x", [], ["x"], {}, True)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to every part of a JSON value; of a list, to its first two."""
    yield at
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*at, key))
    elif isinstance(value, list):
        for index, part in enumerate(value[:2]):
            yield from places(part, (*at, index))


def damaged(value: Any, at: tuple[Any, ...], junk: Any) -> Any:
    if not at:
        return junk
    copied = value.copy()
    copied[at[0]] = damaged(value[at[0]], at[1:], junk)
    return copied


@pytest.mark.parametrize("name", COUNTS)
def test_a_damaged_row_is_an_error_of_ours_or_still_a_record(name: str) -> None:
    with open_rows(data(name)) as (sample, _):
        format = recognise(sample)
    for at in islice(places(sample.rows[0]), 60):
        for junk in JUNK:
            row = Row(damaged(sample.rows[0], at, junk), str(data(name)), 1)
            format.recognise(Sample(sample.container, (row.value,), "x"))
            gathered = iter([row])
            if format.gather is not None:
                gathered = format.gather(gathered, Options())
            try:
                records = [one for each in gathered for one in format.parse(each, Options())]
            except DataError:
                continue
            assert all(parse(to_json(one)) == one for one in records)


def test_amulet_s_shares_are_those_of_the_release() -> None:
    rows = judgments("amulet-hh-test/outputs-gpt4o.jsonl.gz")
    chosen = Counter(row.judge.split("@")[0] for row in rows if row.answer == "A")
    assert chosen == {"da": 623, "maxim": 600, "io": 610, "explained": 611}
    assert {row.item for row in rows if row.unscored is not None} == {"hh-test-378"}
    maxims = [row.details["maxims"] for row in rows if row.details and "maxims" in row.details]
    assert Counter(who for one in maxims for who in one.values()) == {
        "both": 4829,
        "A": 3715,
        "B": 1910,
        "neither": 586,
    }


def test_amulet_s_rewards_prefer_the_higher_one_and_tie_when_equal() -> None:
    rows = judgments("amulet-hh-test/reward-models.jsonl", keys="repaired")
    assert sum(row.answer == "tie" for row in rows) == 7
    for row in rows:
        assert row.details is not None
        a, b = row.details["scores"]["A"], row.details["scores"]["B"]
        assert row.answer == ("A" if a > b else "B" if b > a else "tie")
    marked = [row for row in rows if row.details and len(row.details) > 1]
    assert {row.item for row in marked} == {"hh-test-364"}
    assert len(marked) == 2


def test_llm_rubric_q8_answers_go_with_the_meanings_we_gave_them() -> None:
    grouped: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in questionnaires():
        if row["Q8"].answer not in {"NA", None}:
            for name in ("Q0", "Q6", "Q7"):
                answer = row[name].answer
                if answer is not None:
                    grouped[row["Q8"].answer or ""][name].append(int(answer))
    means = {
        answer: {name: round(mean(values), 2) for name, values in columns.items()}
        for answer, columns in grouped.items()
    }
    assert means == {
        "1": {"Q0": 2.41, "Q6": 3.14, "Q7": 2.95},  # too many: repetitive, not concise
        "2": {"Q0": 2.40, "Q6": 3.43, "Q7": 3.38},  # too few: not satisfied, yet concise
        "3": {"Q0": 3.35, "Q6": 3.59, "Q7": 3.53},
    }


def questionnaires() -> list[dict[str, Judgment]]:
    rows: dict[tuple[str, str, int], dict[str, Judgment]] = defaultdict(dict)
    for row in judgments("llm-rubric/synth_human.csv"):
        rows[row.item, row.judge, row.repeat][row.question] = row
    return list(rows.values())


def test_llm_rubric_people_answer_na_where_a_dialogue_has_no_references() -> None:
    blank: dict[bool, list[bool]] = {True: [], False: []}
    for row in questionnaires():
        if row["DQQ0"].answer == "1":
            without = row["Q0"].item.startswith("V1_")
            blank[without].append(all(row[f"Q{n}"].answer == "NA" for n in (2, 3, 4, 5)))
    assert {name: (len(held), sum(held)) for name, held in blank.items()} == {
        True: (149, 147),
        False: (586, 2),
    }


def test_llm_rubric_s_training_set_can_be_rebuilt_from_the_records() -> None:
    model = {row.item: row for row in judgments("llm-rubric/synth_llm.csv") if row.details}
    listed = {item for item, row in model.items() if row.details and row.details["in_id_list"]}
    kept = [
        row
        for row in questionnaires()
        if row["Q0"].answer != "NA"
        and row["Q0"].item in listed
        and not any(one.unscored for one in row.values())
    ]
    assert len(kept) == 660
    assert len({row.judge for row in judgments("llm-rubric/synth_human.csv")}) == 24


def test_llm_rubric_s_references_stand_on_one_turn_of_the_147_dialogues_that_have_any() -> None:
    counts: Counter[int] = Counter()
    for record in iter_records(data("llm-rubric/real_dialogues.jsonl")):
        assert isinstance(record, Conversation)
        counts[sum(len(turn.references) for turn in record.turns)] += 1
        assert sum(bool(turn.references) for turn in record.turns) <= 1
    assert counts == {5: 147, 0: 76}


def test_the_real_mtdeval_records_read_as_they_stand() -> None:
    daily = list(iter_records(data("mtdeval/daily-mtd-pair-sample.csv")))
    golds = {one.id: one.gold for one in daily if isinstance(one, Pair)}
    assert golds == {"daily-mtd-4": {"Overall": "tie"}, "daily-mtd-2": {"Overall": "A"}}
    assert isinstance(daily[0], Pair)
    assert daily[0].a[3].text.startswith('I do not possess the capacity to "like" or "dislike"')
    rows = judgments("mtdeval/p2-mtd-sample.json")
    assert Counter(row.answer for row in rows if row.question == "Overall") == {
        "A": 3,
        "B": 2,
        "tie": 1,
    }
    assert len({row.call for row in rows}) == 6


def test_names_of_research_formats_and_their_questions_are_unique() -> None:
    assert len({one.name for one in RESEARCH}) == len(RESEARCH)
    for one in RESEARCH:
        assert len({question.id for question in one.questions}) == len(one.questions)
        assert all(question.text for question in one.questions)
