"""What a calibrator can learn from, and how what it learnt is predicted."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import QUESTIONS

import assize
from assize import Conversation, Judgment, JudgmentTable, Pair, Question, Turn
from assize.base.artefacts import open_artefact
from assize.base.errors import AssizeError, ConfigError
from assize.base.judgment import PREFERENCE
from assize.calibrate import Beside, Default, Private, Published, RaterRoles
from assize.calibrate._artefact import KIND

GRADE = QUESTIONS[0]
FUN = Question("fun", kind="number", range=(0, 100))
BETTER = replace(PREFERENCE, id="better")
WORDS = ("rain", "sun", "cake", "tax")


@dataclass(frozen=True)
class Data:
    answers: JudgmentTable
    people: JudgmentTable
    chats: list[Conversation]
    pairs: list[Pair]
    extra: JudgmentTable


def told(id: str, text: str) -> Conversation:
    return Conversation(id, (Turn("user", "Tell me."), Turn("assistant", text)))


@pytest.fixture(scope="module")
def data() -> Data:
    """A model's grades of 80 chats and 40 pairs, and people's grades, numbers and choices."""
    rng = np.random.default_rng(0)
    grade = rng.integers(1, 5, size=160)
    chats = [told(f"i{n}", f"It is {WORDS[n % 4]}.") for n in range(80)]
    pairs = [
        Pair(f"p{n}", (Turn("user", "?"),), (Turn("assistant", "a"),), (Turn("assistant", "b"),))
        for n in range(40)
    ]
    names = [one.id for one in chats] + [side.id for one in pairs for side in one.sides()]
    answers = [
        Judgment(name, "m", "Q0", answer=str(one), kind="model")
        for name, one in zip(names, grade, strict=True)
    ]
    people = []
    for n in range(80):
        for rater in ("ann", "bob", "cyd"):
            noisy = int(np.clip(grade[n] + rng.integers(-1, 2) - (rater == "cyd"), 1, 4))
            people.append(Judgment(f"i{n}", rater, "Q0", answer=str(noisy), kind="person"))
            score = float(np.exp(grade[n] + 0.3 * rng.normal()))
            people.append(Judgment(f"i{n}", rater, "fun", score=score, kind="person"))
    for n in range(40):
        better = "A" if grade[80 + 2 * n] > grade[81 + 2 * n] else "B"
        people += [
            Judgment(f"p{n}", rater, "better", answer=better, kind="person")
            for rater in ("ann", "eve")
        ]
    extra = [
        Judgment(f"i{n}", "metric", "length", score=float(n), kind="metric") for n in range(80)
    ]
    return Data(
        JudgmentTable.of(answers, [GRADE]),
        JudgmentTable.of(people, [GRADE, FUN, BETTER]),
        chats,
        pairs,
        JudgmentTable.of(extra),
    )


def fit(data: Data, target: str = "Q0", **how: Any) -> assize.calibrate.FittedCalibrator:
    return assize.calibrate.fit(data.answers, data.people, target=target, **how)


def test_what_is_kept_is_what_was_fitted(data: Data, tmp_path: Path) -> None:
    found, in_memory = fit(data, out=tmp_path / "c"), fit(data)
    again = assize.load(tmp_path / "c")
    assert again.signature == found.signature == in_memory.signature
    assert found.to_json() == again.to_json()
    assert found.to_json()["folder"] == str(tmp_path / "c")
    assert in_memory.folder is None
    said = in_memory.predict(data.answers, raters=["ann"])
    assert said.rows() == again.predict(data.answers, raters="ann").rows()


def test_the_scale_that_the_answers_state_is_that_of_ratings_without_one(
    data: Data, caplog: pytest.LogCaptureFixture
) -> None:
    middle = [row for row in data.people if row.question == "Q0" and row.answer in ("2", "3")]
    fitted = assize.calibrate.fit(data.answers, middle, target="Q0")
    assert fitted.target.question.answers == ("1", "2", "3", "4")
    assert not any("guessed" in one for one in caplog.messages)
    other = [replace(row, answer=f"{row.answer}.5") for row in middle]
    guessed = assize.calibrate.fit(data.answers, other, target="Q0")
    assert guessed.target.question.answers == ("2.5", "3.5")


def test_a_dropped_rater_leaves_no_trace(data: Data, tmp_path: Path) -> None:
    found = fit(data, out=str(tmp_path), raters=RaterRoles(drop_rater="cyd"))
    assert found.raters == ("ann", "bob")
    assert "cyd" not in (tmp_path / "calibration.json").read_text()
    kept = data.people.where(judge=["ann", "bob", "eve"])
    assert assize.calibrate.fit(data.answers, kept, target="Q0").signature == found.signature


def test_groups_are_predicted_audited_and_corrected_as_one(data: Data) -> None:
    found = fit(data, raters=RaterRoles(group={"both": ["ann", "bob"]}))
    assert found.raters == ("both", "cyd")
    heard: dict[str, Any] = {"group": {"both": "ann,bob,gone"}, "by": "rater", "in_sample": True}
    audit = assize.calibrate.audit(found, data.answers, data.people, **heard)
    assert {one.group: one.n for one in audit.groups[1:]} == {"both": 160, "cyd": 80}
    assert audit.unknown_raters == 0
    alone = assize.calibrate.audit(found, data.answers, data.people, in_sample=True)
    assert alone.unknown_raters == 2
    with pytest.raises(ConfigError, match="group crowd: the calibrator was not fitted with that"):
        assize.calibrate.audit(found, data.answers, data.people, group={"crowd": "ann"})
    assert assize.calibrate.correct(found, data.answers, data.people, **heard).n == 240


def test_only_trusted_raters_are_predicted(data: Data, tmp_path: Path) -> None:
    found = fit(data, raters=RaterRoles(trusted="ann, bob"), out=tmp_path)
    assert (found.about["raters"], found.about["helpers"]) == (2, 1)
    assert 0 <= found.about["helpers_count"] <= 1
    assert "more raters help, are not predicted" in found.notes[1]
    assert "cyd" not in (tmp_path / "calibration.json").read_text()
    with pytest.raises(ConfigError, match="rater 'cyd' is not known"):
        found.predict(data.answers, raters="cyd")


def test_a_number_is_predicted_with_quantiles(data: Data) -> None:
    found = fit(data, "fun")
    assert found.about["ratings"] == 240
    first: Any = found.predict(data.answers, raters="ann").rows()[0]
    levels = first.details["quantiles"]
    assert list(levels) == ["0.05", "0.25", "0.5", "0.75", "0.95"]
    assert sorted(levels.values()) == list(levels.values())
    assert levels["0.05"] < first.score < levels["0.95"]
    audit = assize.calibrate.audit(found, data.answers, data.people, in_sample=True)
    assert audit.groups[0].n == 240


def test_choices_alone_are_learnt_and_predicted(data: Data) -> None:
    found = fit(data, "better")
    assert (found.about["choices"], found.raters) == (80, ("ann", "eve"))
    assert found.notes[0] == "better by 2 raters, from 80 choices between items"
    chosen = assize.calibrate.predict(found, data.answers, items=data.pairs, choices=True).judgments
    assert (chosen.asked, chosen.questions["better"].kind) == (("better",), "preference")
    people = {row.item: row.answer for row in data.people.where(question="better")}
    right = [
        ((row.score or 0) > 0) == (people[row.item] == "A")
        for row in chosen.where(judge="calibration:ann")
    ]
    assert np.mean(right) > 0.85
    ranked = assize.calibrate.predict(found, data.answers, raters="unknown").to_json()
    assert abs(ranked["raters"]["unknown"]["mean"]) < 0.2  # standardised on the items
    # Nothing is learnt about helpers.
    helped = fit(data, "better", raters=RaterRoles(trusted=["ann"]))
    assert helped.raters == ("ann",)
    assert helped.about["helpers"] == 1
    assert "helpers_count" not in helped.about


@pytest.mark.parametrize(
    ("verb", "how"),
    [
        ("audit", {"ratings": "people"}),
        ("correct", {"ratings": "people", "by": "rater"}),
        ("next_ratings", {}),
        ("distill", {"ratings": "people", "items": "chats"}),
    ],
)
def test_what_nobody_answers_is_neither_audited_nor_asked_for(
    data: Data, verb: str, how: dict[str, Any]
) -> None:
    more = {name: getattr(data, value, value) for name, value in how.items()}
    with pytest.raises(ConfigError, match="was fitted on choices alone"):
        getattr(assize.calibrate, verb)(fit(data, "better"), data.answers, **more)


@pytest.mark.parametrize("size", [1e-9, 1e9, 1e17])
def test_numbers_of_any_size_have_their_mean_and_deviation(data: Data, size: float) -> None:
    rows = [
        replace(row, score=size * (1 + (row.score or 0) / 1e4))
        for row in data.people.where(question="fun")
    ]
    people = JudgmentTable.of(rows, [replace(FUN, range=None)])
    found = assize.calibrate.fit(data.answers, people, target="fun")
    predicted = assize.calibrate.predict(found, data.answers, raters="ann")
    said = [row.score for row in predicted.judgments if row.score is not None]
    ann = predicted.to_json()["raters"]["ann"]
    assert ann["mean"] == pytest.approx(np.mean(said), rel=1e-12)
    assert ann["deviation"] == pytest.approx(np.std(said), rel=1e-6)
    assert max(map(len, str(predicted).splitlines())) <= 80


def test_choices_help_with_grades(data: Data) -> None:
    found = fit(data, model=Default(preferences="better"))
    assert found.about["choices"] == 80
    assert found.raters == ("ann", "bob", "cyd", "eve")  # eve only chose
    chosen = assize.calibrate.predict(found, data.answers, items=data.pairs, choices=True).judgments
    assert (chosen.asked, chosen.questions["better"]) == (("better",), BETTER)


def test_scores_and_embeddings_stand_beside(data: Data, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "assize")
    some = data.extra.filter(np.arange(80) < 60)
    found = fit(data, beside=Beside(some, embed="minilm"), items=data.chats)
    assert "100 of 160 items have no length by metric" in caplog.text
    assert "80 of 160 items have no embedding by embedding@minilm" in caplog.text
    blocks = [(block.late, block.width) for block in found.calibrator.blocks]
    assert blocks == [(False, 4), (True, 1), (True, 2 * 384)]
    with pytest.raises(ConfigError, match="reads the conversations' embeddings: give items"):
        found.predict(data.answers)
    found.predict(data.answers, items=data.chats)
    assert "1 of what the calibrator reads is not there, as length by metric" in caplog.text


NOTE = Question("note", kind="text")
OPENINGS = ("The assistant answers at length and", "After two questions the reply", "All in all it")


def noted(seed: int, count: int) -> tuple[JudgmentTable, JudgmentTable]:
    """Grades by a model that say nothing, its notes of which every other one tells of an insult,
    and people's grades, which are lower by two there."""
    rng = np.random.default_rng(seed)
    answers, people = [], []
    for n in range(count):
        rude = n % 2
        grade, opening = str(rng.integers(1, 5)), OPENINGS[rng.integers(3)]
        note = f"{opening} {('thanks', 'insults')[rude]} the customer about {WORDS[n % 3]}."
        answers += [
            Judgment(f"s{seed}-{n}", "m", "Q0", answer=grade, kind="model"),
            Judgment(f"s{seed}-{n}", "m", "note", answer=note, kind="model"),
        ]
        for rater, low in (("ann", 0), ("bob", 1)):
            said = int(np.clip(4 - 2 * rude - low + rng.integers(-1, 2), 1, 4))
            people.append(Judgment(f"s{seed}-{n}", rater, "Q0", answer=str(said), kind="person"))
    return JudgmentTable.of(answers, [GRADE, NOTE]), JudgmentTable.of(people, [GRADE])


def rmse(
    found: assize.calibrate.FittedCalibrator, answers: JudgmentTable, people: JudgmentTable
) -> float:
    """Of the mean of both raters' predictions by item."""
    said = {(row.item, row.judge.split(":")[1]): row for row in found.predict(answers)}
    errors = []
    for row in people:
        shares = said[row.item, row.judge].distribution or {}
        mean = sum(float(answer) * share for answer, share in shares.items())
        errors.append(mean - float(row.answer or "nan"))
    return float(np.sqrt(np.mean(np.square(errors))))


def test_a_word_planted_in_free_text_is_learnt(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The notes of new items are embedded anew by what the folder names."""
    caplog.set_level(logging.INFO, "assize")
    answers, people = noted(0, 60)
    plain = assize.calibrate.fit(answers, people, target="Q0")
    assert "free text is not read without embed: note left out" in caplog.text
    assize.calibrate.fit(answers, people, target="Q0", beside=Beside(embed="minilm"), out=tmp_path)
    read = assize.calibrate.load_calibrator(tmp_path)
    sources = [(one.judge, one.question) for one in read.calibrator.blocks]
    assert sources == [("m", "Q0"), ("texts@minilm", "note")]
    new, rated = noted(1, 60)
    assert rmse(plain, new, rated) > 1.1  # a constant a rater: the square root of 1 + noise's 2/3
    assert rmse(read, new, rated) < 0.85  # with the noise's own, 0.7 to 0.8
    grades = new.where(question="Q0")
    assert len(read.predict(grades)) == 120
    assert "1 of what the calibrator reads is not there, as note by texts@minilm" in caplog.text
    read.predict(JudgmentTable.concat([grades, new.where(question="note", item=new.items[:20])]))
    assert "40 of 60 items have no note by texts@minilm" in caplog.text
    assert assize.calibrate.next_ratings(tmp_path, new, count=3).tables


def test_free_text_and_conversations_are_read_together(data: Data) -> None:
    notes = JudgmentTable.of(
        [Judgment(f"i{n}", "m", "note", answer=WORDS[n % 4], kind="model") for n in range(80)],
        [NOTE],
    )
    both = replace(data, answers=JudgmentTable.concat([data.answers, notes]))
    blocks = fit(both, beside=Beside(embed="minilm"), items=data.chats).calibrator.blocks
    assert [block.judge for block in blocks] == ["m", "texts@minilm", "embedding@minilm"]


def test_users_have_no_weights_of_their_own(data: Data, tmp_path: Path) -> None:
    fit(data, model=Default(personal="last"), out=tmp_path)
    mean = open_artefact(KIND, tmp_path).arrays()["posteriors.0.mean"]
    assert np.ptp(mean[:, 3:], axis=0).max() < 1e-12
    assert np.ptp(mean[:, 0]) > 0


def test_the_network_takes_vectors_of_many_answers_and_helpers(data: Data) -> None:
    pytest.importorskip("torch")
    model = Published(folds=2, answer_embeddings=3, seed=3)
    found = fit(data, "fun", model=model, raters=RaterRoles(trusted="ann"))
    assert found.about["answer_embeddings"] == {"fun": 3}
    assert found.about["setting"]["wait"] == 30
    assert found.about["held_out_log_likelihood"] < 0
    assert found.predict(data.answers).judges == ("calibration:ann",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": Published(answer_embeddings=3)}, "no question has more than 12"),
        ({"model": "paper"}, r"model: received 'paper' \(str\); give one of Default, Published"),
        ({"raters": RaterRoles(group={"crowd": ","})}, "group crowd: it has no raters"),
        ({"raters": RaterRoles(group={"a": ["ann"], "b": "ann"})}, "rater ann is in two groups"),
        ({"raters": RaterRoles(group={"a": "zoe"})}, "rater 'zoe' of group 'a' rated nothing"),
        ({"raters": RaterRoles(group={"all": "ann,bob"})}, "a rater is called 'all', which has"),
        ({"raters": RaterRoles(trusted=",")}, "nobody is trusted; name one or more of ann, bob"),
        ({"raters": RaterRoles(trusted=["zoe"])}, "trusted rater 'zoe' rated nothing"),
        ({"model": Default(preferences="fun")}, "'fun' is not a preference"),
        ({"beside": Beside(embed="minilm")}, "embed has nothing to read: give items, or answers"),
        ({"beside": Beside(metadata="system")}, "items has a system; give the conversations"),
        ({"raters": RaterRoles(drop_rater=["zoe"])}, "drop_rater zoe: nobody of that id"),
        ({"target": "better", "model": Published()}, "does not learn from choices"),
    ],
)
def test_bad_options_are_told(data: Data, options: dict[str, Any], message: str) -> None:
    with pytest.raises(AssizeError, match=message):
        fit(data, **{"target": "Q0"} | options)


def test_a_new_fit_removes_the_old_correction(data: Data, tmp_path: Path) -> None:
    fit(data, out=tmp_path)
    assize.calibrate.correct(tmp_path, data.answers, data.people, by="rater", in_sample=True)
    assert assize.calibrate.load_calibrator(tmp_path).correction is not None
    fit(data, out=tmp_path, raters=RaterRoles(drop_rater=["cyd"]))
    assert [one.name for one in tmp_path.iterdir() if b"cyd" in one.read_bytes()] == []
    assert assize.calibrate.load_calibrator(tmp_path).correction is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "choices needs the pairs: give items"),
        ({"aggregate": "mean"}, "leave out aggregate and loss"),
        ({"items": "chats"}, "there is no pair in these files"),
        ({"items": "pairs"}, "was not fitted on choices"),
    ],
)
def test_choices_that_cannot_be_asked_are_told(
    data: Data, options: dict[str, Any], message: str
) -> None:
    named = options.pop("items", None)
    items = None if named is None else getattr(data, named)
    with pytest.raises(AssizeError, match=message):
        assize.calibrate.predict(fit(data), data.answers, choices=True, items=items, **options)


def test_a_spreadsheet_with_a_column_a_rater_is_about_the_target(
    said: JudgmentTable, tmp_path: Path
) -> None:
    table = "".join(f"i{n},{2 + n % 2},{'' if n % 3 else 2}\n" for n in range(12))
    (tmp_path / "people.csv").write_text("id,ann,ben\n" + table)
    found = assize.calibrate.fit(said, tmp_path / "people.csv", target="Q0")
    assert found.target.question.answers == ("1", "2", "3", "4")  # nobody gave 1 or 4
    assert set(found.raters) == {"ann", "ben"}


def test_joint_errors_are_kept_told_and_used(
    said: JudgmentTable, rated: JudgmentTable, fitted: Any, tmp_path: Path
) -> None:
    """Bob says one less than ann always: their errors are one."""
    assize.calibrate.fit(said, rated, target="Q0", model=Default(joint_errors=True), out=tmp_path)
    joint: Any = assize.load(tmp_path)
    assert joint.joint_errors.items == 60
    assert joint.shared_error > 0.6
    assert any("errors about one item correlate by" in one for one in joint.notes)
    assert joint.signature == fitted.signature
    together, apart = (
        assize.calibrate.predict(one, said, aggregate="lowest").judgments for one in (joint, fitted)
    )
    assert together.numeric("score").mean() > apart.numeric("score").mean() + 0.05
    assert together.arrow["signature"][0] != apart.arrow["signature"][0]
    mean: Any = assize.calibrate.predict(joint, said, aggregate="mean").judgments.rows()[0]
    low, high = mean.details["mean_of_raters"].values()
    assert low < mean.score < high
    narrow, wide = (
        assize.calibrate.compare(one, said, by="i[0-9]*([0-9])$", resamples=50).shared_error
        for one in (fitted, joint)
    )
    assert narrow == 0.0
    assert wide == joint.shared_error


def test_damaged_facts_of_joint_errors_are_refused(
    said: JudgmentTable, rated: JudgmentTable, tmp_path: Path
) -> None:
    fitted = assize.calibrate.fit(said, rated, target="Q0", model=Default(joint_errors=True))
    fitted.about["joint_errors"]["correlation"] = 7
    fitted.save(tmp_path)
    with pytest.raises(AssizeError, match="correlation of 7"):
        assize.load(tmp_path)


@pytest.mark.parametrize("network", ["default", "paper"])
def test_metadata_is_learnt_from_kept_and_masked(
    network: str, said: JudgmentTable, tmp_path: Path
) -> None:
    """One of two systems is a grade better than the model's answers say."""
    if network == "paper":
        pytest.importorskip("torch")
    answers = JudgmentTable.of(
        [replace(row, item=f"{row.item}-{row.question}", question="Q0") for row in said], [GRADE]
    )
    systems = np.arange(len(answers)) % 5
    chats = [
        Conversation(row.item, (Turn("user", "Hi"),), None if n == 4 else f"s{n % 2}")
        for row, n in zip(answers, systems, strict=True)
    ]
    best = np.array([list((row.distribution or {}).values()) for row in answers]).argmax(axis=1)
    people = [
        Judgment(row.item, f"r{n % 3}", "Q0", answer=str(min(4, 1 + best[n] + systems[n] % 2)))
        for n, row in enumerate(answers)
    ]
    assize.calibrate.fit(
        answers,
        [replace(row, kind="person") for row in people],
        target="Q0",
        beside=Beside(metadata="system"),
        items=chats,
        model=Published(folds=2, mask_questions=0.2) if network == "paper" else Default(),
        out=tmp_path,
        quiet=True,
    )
    fitted = assize.load(tmp_path)

    def gap(**how: Any) -> float:
        found = assize.calibrate.predict(fitted, answers, raters="r0", items=chats, **how)
        scores = found.judgments.numeric("score")
        known = systems < 4
        return float(
            scores[known & (systems % 2 == 1)].mean() - scores[known & (systems % 2 == 0)].mean()
        )

    masked = gap(mask="system")
    assert gap() > masked + 0.15
    sets: Any = assize.calibrate.compare(
        fitted, answers, raters="r0", by="system", items=chats, resamples=20
    )
    # Not to the digit: the mean of these answers, which raters' slopes act around, is of the items
    # whose system is known there, and of all here.
    assert abs(sets.differences[0].mean.estimate) == pytest.approx(abs(masked), abs=2e-3)
    with pytest.raises(ConfigError, match="mask date: the calibrator reads system"):
        gap(mask="date")


def test_a_private_fit_says_its_epsilon(
    said: JudgmentTable, rated: JudgmentTable, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    fitted = assize.calibrate.fit(
        said, rated, target="Q0", model=Private(4, unit="rater"), out=tmp_path
    )
    told = [one for one in assize.load(tmp_path).notes if "differential privacy" in one]
    assert "by rater: epsilon 4.00" in told[0] or "by rater: epsilon 3.9" in told[0]
    with pytest.raises(ConfigError, match="knows nobody by name; predict raters unknown"):
        fitted.predict(said)
    assert len(fitted.predict(said, "unknown")) == 60
