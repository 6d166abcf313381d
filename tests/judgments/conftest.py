"""Judgments of every kind, drawn by hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from assize.base.judgment import Judgment, Question, Unscored, Usage

LIKERT = Question("likert", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 4.0))
WORDS = Question("words", kind="ordinal", answers=("low", "high"))
KINDS = Question("kinds", kind="nominal", answers=("x", "y"))
YES = Question("yes", kind="binary", answers=("no", "yes"))
NUMBER = Question("number", kind="number", range=(0.0, 1.0))
BETTER = Question("better", kind="preference", answers=("A", "tie", "B"), values=(1.0, 0.0, -1.0))
FREE = Question("free", kind="text")
QUESTIONS = (LIKERT, WORDS, KINDS, YES, NUMBER, BETTER, FREE)

ANSWERS = ("1", "2", "3", "low", "high", "x", "y", "no", "yes", "A", "B", "tie", "NA", "2.5", "?")
words = st.text(max_size=3)
shares = st.dictionaries(
    st.sampled_from(ANSWERS), st.sampled_from([0.0, 0.1, 0.25, 0.3]), max_size=3
)


def row(**fields: object) -> Judgment:
    """A judgment with these fields beside its names."""
    return Judgment("i", "j", "q", **fields)  # type: ignore[arg-type]


def judgments(questions: tuple[Question, ...] = QUESTIONS) -> st.SearchStrategy[Judgment]:
    """Judgments of a few items, judges and turns, scored in every way."""
    return st.builds(
        Judgment,
        item=st.sampled_from(["i", "j", "k"]),
        judge=st.sampled_from(["ann", "m", "gold"]),
        question=st.sampled_from([one.id for one in questions]),
        answer=st.none() | st.sampled_from(ANSWERS),
        score=st.none() | st.sampled_from([-2.0, -0.5, 0.0, 0.25, 1.0]),
        distribution=st.none() | shares,
        outside=st.none() | st.just(0.1),
        order=st.sampled_from([None, "AB", "BA"]),
        turn=st.sampled_from([None, 0, 3]),
        repeat=st.sampled_from([0, 1]),
        anonymous=st.booleans(),
        call=st.none() | st.text(max_size=3),
        kind=st.sampled_from([None, "person", "model", "metric", "evaluator"]),
        explanation=st.none() | st.text(max_size=5),
        details=st.none()
        | st.dictionaries(st.text(max_size=3), st.integers() | st.none(), max_size=2),
        unscored=st.none()
        | st.none()
        | st.builds(Unscored, st.sampled_from(["parse", "refused"]), st.text(max_size=3)),
        attempts=st.none() | st.integers(1, 3),
        usage=st.none()
        | st.builds(
            Usage,
            st.integers(0, 9),
            st.integers(0, 9),
            st.none() | st.just(0.5),
            st.booleans(),
            st.just({}) | st.just({"x": 1}),
        ),
        signature=st.none() | st.just("s"),
        at=st.none() | st.just("2026-01-01T00:00:00Z"),
        extra=st.just({})
        | st.dictionaries(st.sampled_from(["mood", "x"]), st.integers(), max_size=1),
    )
