"""Items in, judgments out: a stream that reads a batch at a time, in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.errors import DataError
from assize.evaluator.artefact import load_evaluator
from assize.evaluator.evaluator import Evaluator
from assize.evaluator.features.featuriser import Texts, encode_views
from assize.evaluator.features.surface import FloatArray
from assize.evaluator.features.views import View, batched, main_views, turn_views
from assize.evaluator.heads.scored_question import ScoredQuestion
from assize.evaluator.language import language
from assize.judgment import PREFERENCE, Judgment, Unscored

_DIGITS = 6  # beyond this scores depend on how texts were batched


def score(
    items: Iterable[Item], *, evaluator: Evaluator | None = None, turns: bool = False
) -> Iterator[Judgment]:
    """Judgments of a stream of items, in its order.

    A conversation gets one score a question, in [0, 1], the evaluator's first question
    (`overall` of the shipped one) at the head. A continuation is judged by its candidate
    turn in its context. A pair gets one answer to `preference`, and one to each question
    that has a tie rule (the dimensions of an evaluator that learnt from preferences) or is
    for pairs only (`safe`), with both sides' scores in `details`. An item without
    anything to judge is unscored, with the reason.

    `details` hold the number of turns, the level (`low`, `middle`, `high`) by the
    artefact's thresholds, `language` where the text is not recognised as English, and
    `windows` where a turn was longer than the encoder's window and read in several.

    Args:
        items: read a batch at a time; nothing of an earlier batch is kept.
        evaluator: the shipped one when None.
        turns: also score every assistant turn of conversations; these judgments carry
            `turn`, and see the turn and the user's turn before it.

    Raises:
        MissingExtra: a part of the extra `score` is not installed.
    """
    for _, judgments in score_items(items, evaluator=evaluator, turns=turns):
        yield from judgments


def score_items(
    items: Iterable[Item], *, evaluator: Evaluator | None = None, turns: bool = False
) -> Iterator[tuple[Item, list[Judgment]]]:
    """Each item with its judgments; otherwise as `score`."""
    chosen = load_evaluator() if evaluator is None else evaluator
    seen = 0
    for batch in batched(items):
        yield from _score_batch(chosen, batch, turns, seen)
        seen += len(batch)


def raw_numbers(
    items: Iterable[Conversation], *, evaluator: Evaluator
) -> Iterator[Mapping[str, float] | Unscored]:
    """Of each conversation the head's raw numbers by question, or why it has none.

    A raw number has no unit; larger is better, also of a question whose `higher` is `worse`.
    """
    for batch in batched(items):
        found = [main_views(item)[0] for item in batch]
        views = [view for view in found if isinstance(view, View)]
        texts = encode_views(views, evaluator.encoder, evaluator.featuriser)
        raw = (row for rows in texts.rows(views) for row in evaluator.raw(rows))
        for view in found:
            if isinstance(view, Unscored):
                yield view
            else:
                values = (round(float(value), _DIGITS) for value in next(raw))
                yield dict(zip(evaluator.scored, values, strict=True))


@dataclass(frozen=True, slots=True)
class _Asked:
    """One item with its views; `turns` holds (place, view) where turns are asked for."""

    item: Item
    main: tuple[View | Unscored, ...]
    turns: tuple[tuple[int, View | Unscored], ...]


def _score_batch(
    evaluator: Evaluator, batch: Sequence[Item], turns: bool, seen: int
) -> Iterator[tuple[Item, list[Judgment]]]:
    asked = [
        _Asked(
            item,
            main_views(item),
            tuple(turn_views(item)) if turns and isinstance(item, Conversation) else (),
        )
        for item in batch
    ]
    every = [view for one in asked for view in (*one.main, *(view for _, view in one.turns))]
    views = [view for view in every if isinstance(view, View)]
    texts = encode_views(views, evaluator.encoder, evaluator.featuriser)
    raw = (row for rows in texts.rows(views) for row in evaluator.raw(rows))
    for number, one in enumerate(asked, start=seen):
        writer = _Writer(evaluator, texts, one.item, f"{evaluator.judge}:{number}")
        yield one.item, list(_judgments(writer, one, raw))


def _judgments(writer: _Writer, asked: _Asked, raw: Iterator[FloatArray]) -> Iterator[Judgment]:
    if isinstance(asked.item, Pair):
        yield from writer.preferences(
            asked.main, [next(raw) if _is(view) else None for view in asked.main]
        )
        return
    view = asked.main[0]
    yield from writer.scores(view, next(raw) if _is(view) else None, None)
    for place, view in asked.turns:
        yield from writer.scores(view, next(raw) if _is(view) else None, place)


def _is(view: View | Unscored) -> bool:
    return isinstance(view, View)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the judgments of one item."""

    evaluator: Evaluator
    texts: Texts
    item: Item
    call: str

    def scores(
        self, view: View | Unscored, raw: FloatArray | None, turn: int | None
    ) -> Iterator[Judgment]:
        """One judgment a question, save those for pairs only."""
        about = self._about(view, turn)
        for place, (name, asked) in enumerate(self.evaluator.scored.items()):
            if asked.pairs_only:
                continue
            if isinstance(view, Unscored) or raw is None:
                yield self._row(name, turn=turn, unscored=view, details=about)
                continue
            value = _scored(asked, view, float(raw[place]))
            level = "low" if value <= asked.low else "high" if value >= asked.high else "middle"
            details = about | {"level": level}
            yield self._row(name, turn=turn, score=value, details=details)

    def preferences(
        self, views: Sequence[View | Unscored], raws: Sequence[FloatArray | None]
    ) -> Iterator[Judgment]:
        """Which side is put higher by the first question, and by each that pairs are asked."""
        places = enumerate(self.evaluator.scored.items())
        compared = [(name, place) for place, (name, one) in places
                    if one.pairs_only or one.ties is not None]  # fmt: skip
        asked = [(PREFERENCE.id, 0), *compared]
        about = self._about(views[0], None)
        for side, view in zip("AB", views, strict=True):
            if isinstance(view, Unscored):
                why = Unscored(view.reason, f"{side}: {view.message}")
                yield from (self._row(one, unscored=why, details=about) for one, _ in asked)
                return
        for question, place in asked:
            a, b = (float(raw[place]) for raw in raws if raw is not None)
            answer, details = self._compared(place, views, (a, b))
            yield self._row(question, answer=answer, details=details | about)

    def _compared(
        self, place: int, views: Sequence[View | Unscored], raws: tuple[float, float]
    ) -> tuple[str, dict[str, Any]]:
        """The side put higher by more than the question's tie rule allows (or, without one, than
        the evaluator's threshold on raw numbers), and by how much."""
        asked = list(self.evaluator.scored.values())[place]
        scores = [_scored(asked, view, raw) for view, raw in zip(views, raws, strict=True)]
        margin = round(raws[0] - raws[1], _DIGITS)
        if asked.ties is not None:
            answer = asked.ties.answer(*scores)
        else:
            answer = "tie" if abs(margin) < self.evaluator.tie else "A" if margin > 0 else "B"
        by = {"scores": dict(zip("AB", scores, strict=True)), "margin": margin}
        return answer, by | {"by": asked.question.id}

    def _row(self, question: str, **given: Any) -> Judgment:
        return Judgment(
            self.item.id,
            self.evaluator.judge,
            question,
            call=self.call,
            kind="evaluator",
            signature=self.evaluator.signature,
            **given,
        )

    def _about(self, view: View | Unscored, turn: int | None) -> dict[str, Any]:
        """What a reader should know of the text: length, windows, language."""
        turns = _turns(self.item)
        looked_at = turns if turn is None else turns[turn : turn + 1]
        about: dict[str, Any] = {} if turn is not None else {"turns": len(turns)}
        windows = {
            str(place): self.texts.windows[one.text]
            for place, one in enumerate(looked_at, start=0 if turn is None else turn)
            if one.text in self.texts.windows
        }
        if windows:
            about["windows"] = windows
        said = [one.text for one in looked_at if one.role in ("user", "assistant")]
        if turn is None and (spoken := language(said)) not in (None, "en"):
            about["language"] = spoken
        return about


def _scored(asked: ScoredQuestion, view: View | Unscored, raw: float) -> float:
    assert isinstance(view, View)
    if view.level not in asked.maps:
        raise DataError(f"this evaluator gives no scores of {asked.question.id!r} by {view.level}")
    return round(float(asked.maps[view.level](raw)), _DIGITS)


def _turns(item: Item) -> tuple[Turn, ...]:
    if isinstance(item, Conversation):
        return item.turns
    if isinstance(item, Continuation):
        return (*item.context, Turn("assistant", item.candidate))
    return (*item.context, *item.a, *item.b)
