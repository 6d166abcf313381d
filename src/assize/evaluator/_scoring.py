"""Items in, judgments out: a stream that reads a batch at a time, in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.base.conversation import Conversation, Item, Pair
from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Judgment, Unscored
from assize.evaluator._artefact import load_evaluator
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._explaining import (
    METHOD,
    Without,
    in_words,
    without_each,
)
from assize.evaluator._features.featuriser import ROWS, Texts, encode_views, readable
from assize.evaluator._features.views import View, batched, main_views, turn_views, turns_of
from assize.evaluator._heads.scored_question import ScoredQuestion
from assize.evaluator._language import is_greeting, language
from assize.evaluator._uncertainty import distances, member_numbers
from assize.judgments.learnt_from import hash_unit
from assize.stats._arrays import FloatArray

_DIGITS = 6  # beyond this scores depend on how texts were batched


def score(
    items: Iterable[Item],
    *,
    evaluator: Evaluator | None = None,
    turns: bool = False,
    explain: bool = False,
    doubt: bool = False,
    any_language: bool = True,
) -> Iterator[Judgment]:
    """Judgments of a stream of items, in its order.

    A conversation gets one score a question, the evaluator's first question
    (`overall` of the shipped one) at the head. A continuation is judged by its candidate
    turn in its context. A pair gets one answer to `preference`, and one to each question
    that has a tie rule (the dimensions of an evaluator that learnt from preferences) or is
    for pairs only (`safe`), with both sides' scores in `details`. An item without
    anything to judge is unscored, with the reason; so is a conversation in which the user
    only greets (`too_short`).

    A score is a rank in the training data; of a question that was distilled it is the answer that
    is expected, on the question's own scale, and `details.rank` is the rank.

    `details` hold the number of turns, the level (`low`, `middle`, `high`) by the
    artefact's thresholds, `language` where the text is not recognised as English, and
    `windows` where a turn was longer than the encoder's window and read in several (`all`
    where the whole dialogue is read as one); `rating` where the evaluator was fitted to
    people's scale, with `interval`, and `beyond` where the score lies outside those that were
    rated; `in_sample` where the evaluator learnt from judgments of the item.

    Args:
        items: read a batch at a time; nothing of an earlier batch is kept.
        evaluator: the shipped one when None.
        turns: also score every assistant turn of conversations; these judgments carry
            `turn`, and see the turn and the user's turn before it.
        explain: whole conversations get `details.explanation`: by how much each exchange
            moves the score.
        doubt: whole conversations get `details.doubt`: how far the members of an ensemble lie
            apart (`deviation`), and how unlike the training data the text is (`distance`).
        any_language: score also another language than the evaluator's (`Evaluator.reads`); else
            it is unscored, with the reason `language`. What is mostly tokens that its encoder does
            not know is unscored (`unreadable`) either way.

    Raises:
        MissingExtra: a part of the extra `score` is not installed.
    """
    more = {"turns": turns, "explain": explain, "doubt": doubt, "any_language": any_language}
    for _, judgments in score_items(items, evaluator=evaluator, **more):
        yield from judgments


def score_items(
    items: Iterable[Item],
    *,
    evaluator: Evaluator | None = None,
    turns: bool = False,
    explain: bool = False,
    doubt: bool = False,
    any_language: bool = True,
) -> Iterator[tuple[Item, list[Judgment]]]:
    """Each item with its judgments; otherwise as `score`."""
    chosen = load_evaluator() if evaluator is None else evaluator
    wanted = _Wanted(turns, explain, doubt, any_language)
    seen = 0
    for batch in batched(items):
        yield from _score_batch(chosen, batch, wanted, seen)
        seen += len(batch)


def raw_numbers(
    items: Iterable[Conversation], *, evaluator: Evaluator
) -> Iterator[Mapping[str, float] | Unscored]:
    """Of each conversation the head's raw numbers by question, or why it has none.

    A raw number has no unit; larger is better, also of a question whose `higher` is `worse`.
    """
    for batch in batched(items):
        found = [_readable(evaluator, main_views(item)[0]) for item in batch]
        views = [view for view in found if isinstance(view, View)]
        texts = encode_views(views, evaluator.encoder, evaluator.featuriser)
        numbers = _read_views(evaluator, texts, views, doubt=False)
        for view in found:
            if isinstance(view, Unscored):
                yield view
            else:
                values = (round(float(value), _DIGITS) for value in next(numbers).raw)
                yield dict(zip(evaluator.scored, values, strict=True))


def _readable(evaluator: Evaluator, view: View | Unscored) -> View | Unscored:
    return readable(view, evaluator.encoder, evaluator.featuriser)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is asked for beside scores; see `score`."""

    turns: bool
    explain: bool
    doubt: bool
    any_language: bool


@dataclass(frozen=True, slots=True)
class _Asked:
    """One item with its views."""

    item: Item
    main: tuple[View | Unscored, ...]
    turns: tuple[tuple[int, View | Unscored], ...]  # (place, view) where turns are asked for
    without: tuple[Without, ...]  # it without each exchange, where an explanation is asked for
    spoken: str | None  # the language, as far as it is recognised

    @classmethod
    def of(cls, item: Item, wanted: _Wanted, evaluator: Evaluator) -> _Asked:
        """The views that are wanted of an item."""
        spoken = language(
            turn.text for turn in turns_of(item) if turn.role in ("user", "assistant")
        )
        why = None if wanted.any_language or evaluator.reads(spoken) else _unread(spoken)
        main = tuple(
            _readable(evaluator, view) if why is None else why for view in main_views(item)
        )
        if not isinstance(item, Conversation):
            return cls(item, main, (), (), spoken)
        asked = (turn.text for turn in item.turns if turn.role == "user")
        if isinstance(main[0], View) and is_greeting(asked):
            main = (Unscored("too_short", "the user's turns are no more than a greeting"),)
        every = turn_views(item) if wanted.turns else ()
        turns = tuple(
            (turn, _readable(evaluator, view) if why is None else why) for turn, view in every
        )
        explained = wanted.explain and isinstance(main[0], View)
        return cls(item, main, turns, tuple(without_each(item)) if explained else (), spoken)

    @property
    def views(self) -> list[View]:
        """All that can be scored, in order."""
        every = [*self.main, *(one.view for one in self.without), *(view for _, view in self.turns)]
        return [view for view in every if isinstance(view, View)]


def _unread(spoken: str | None) -> Unscored:
    return Unscored(
        "language",
        f"the evaluator does not read it ({spoken}); any_language scores it all the same",
    )


@dataclass(frozen=True, slots=True)
class _ViewNumbers:
    """What the head says of one view."""

    raw: FloatArray  # (H,)
    members: FloatArray | None = None  # (M, H)
    distance: float = float("nan")


def _score_batch(
    evaluator: Evaluator, batch: Sequence[Item], wanted: _Wanted, seen: int
) -> Iterator[tuple[Item, list[Judgment]]]:
    asked = [_Asked.of(item, wanted, evaluator) for item in batch]
    views = [view for one in asked for view in one.views]
    texts = encode_views(views, evaluator.encoder, evaluator.featuriser)
    found = _read_views(evaluator, texts, views, wanted.doubt)
    for number, one in enumerate(asked, start=seen):
        writer = _Writer(
            evaluator, texts, one.item, f"{evaluator.judge}:{number}", wanted, one.spoken
        )
        yield one.item, list(_judgments(writer, one, found))


def _read_views(
    evaluator: Evaluator, texts: Texts, views: Sequence[View], doubt: bool
) -> Iterator[_ViewNumbers]:
    widths = list(evaluator.featuriser.widths(evaluator.encoder.dimension).values())
    for start in range(0, len(views), ROWS):
        rows = [texts.read(view) for view in views[start : start + ROWS]]
        raw = evaluator.raw(rows)
        if not doubt:
            yield from map(_ViewNumbers, raw)
            continue
        members = member_numbers(evaluator.head, rows)
        away = distances(evaluator.head, rows, widths)
        for place, one in enumerate(raw):
            own = None if members is None else members[:, place]
            yield _ViewNumbers(one, own, float(away[place]))


def _judgments(writer: _Writer, asked: _Asked, found: Iterator[_ViewNumbers]) -> Iterator[Judgment]:
    if isinstance(asked.item, Pair):
        yield from writer.preferences(
            asked.main, [next(found).raw if _is(view) else None for view in asked.main]
        )
        return
    view = asked.main[0]
    main = next(found) if _is(view) else None
    moved = [(one.turns, next(found).raw) for one in asked.without]
    yield from writer.scores(view, main, None, moved)
    for place, view in asked.turns:
        yield from writer.scores(view, next(found) if _is(view) else None, place)


def _is(view: View | Unscored) -> bool:
    return isinstance(view, View)


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the judgments of one item."""

    evaluator: Evaluator
    texts: Texts
    item: Item
    call: str
    wanted: _Wanted
    spoken: str | None

    def scores(
        self,
        view: View | Unscored,
        seen: _ViewNumbers | None,
        turn: int | None,
        without: Sequence[tuple[tuple[int, ...], FloatArray]] = (),
    ) -> Iterator[Judgment]:
        """One judgment a question, save those for pairs only."""
        about = self._about(view, turn)
        for place, (name, asked) in enumerate(self.evaluator.scored.items()):
            if asked.pairs_only:
                continue
            if isinstance(view, Unscored) or seen is None:
                yield self._row(name, turn=turn, unscored=view, details=about)
                continue
            rank = _rank(asked, view, float(seen.raw[place]))
            value = round(asked.score(rank), _DIGITS)
            level = "low" if rank <= asked.low else "high" if rank >= asked.high else "middle"
            details = about | {"level": level} | _on_scale(asked, rank)
            if asked.answers is not None:
                details["rank"] = rank
            if turn is not None:
                yield self._row(name, turn=turn, score=value, details=details)
                continue
            if self.wanted.doubt:
                details["doubt"] = _doubt(asked, view, seen, place)
            said = None
            if self.wanted.explain:
                scores = [asked.score(_rank(asked, view, float(raw[place]))) for _, raw in without]
                effects = [
                    (turns, round(value - score, _DIGITS))
                    for (turns, _), score in zip(without, scores, strict=True)
                ]
                moved = [{"turns": list(turns), "effect": effect} for turns, effect in effects]
                details["explanation"] = {"method": METHOD, "exchanges": moved}
                said = in_words(effects)
            yield self._row(name, score=value, details=details, explanation=said)

    def preferences(
        self, views: Sequence[View | Unscored], raws: Sequence[FloatArray | None]
    ) -> Iterator[Judgment]:
        """Which side is put higher by the first question, and by each that pairs are asked."""
        places = enumerate(self.evaluator.scored.items())
        compared = [
            (name, place) for place, (name, one) in places if one.pairs_only or one.ties is not None
        ]
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
        scores = [_rank(asked, view, raw) for view, raw in zip(views, raws, strict=True)]
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
        turns = turns_of(self.item)
        looked_at = turns if turn is None else turns[turn : turn + 1]
        about: dict[str, Any] = {} if turn is not None else {"turns": len(turns)}
        windows = {
            str(place): self.texts.windows[one.text]
            for place, one in enumerate(looked_at, start=0 if turn is None else turn)
            if one.text in self.texts.windows
        }
        if isinstance(view, View):
            said = {one.text for one in view.turns}
            read = (text for text in self.evaluator.featuriser.texts(view) if text not in said)
            several = [self.texts.windows[text] for text in read if text in self.texts.windows]
            windows |= {"all": max(several)} if several else {}
        if windows:
            about["windows"] = windows
        if turn is None and self.spoken not in (None, "en"):
            about["language"] = self.spoken
        seen = self.evaluator.learnt_from
        if seen and hash_unit((self.item.id, turn)) in seen:
            about["in_sample"] = True
        return about


def _rank(asked: ScoredQuestion, view: View | Unscored, raw: float) -> float:
    assert isinstance(view, View)
    if view.level not in asked.maps:
        raise DataError(f"this evaluator gives no scores of {asked.question.id!r} by {view.level}")
    return round(float(asked.maps[view.level](raw)), _DIGITS)


def _on_scale(asked: ScoredQuestion, value: float) -> dict[str, Any]:
    """The rating on people's scale, where the evaluator was fitted to one."""
    if asked.scale is None:
        return {}
    rated = asked.scale.rated(value)
    found = {"rating": round(rated.rating, 4), "interval": [round(one, 4) for one in rated[1:3]]}
    return found | ({"beyond": True} if rated.beyond else {})


def _doubt(asked: ScoredQuestion, view: View, seen: _ViewNumbers, place: int) -> dict[str, float]:
    """How far members lie apart, in scores, and how unlike the training data the text is."""
    found = {}
    if seen.members is not None:
        scores = asked.maps[view.level](seen.members[:, place])
        found["deviation"] = round(float(scores.std(ddof=1)), _DIGITS)
    if seen.distance == seen.distance:
        found["distance"] = round(seen.distance, 4)
    return found
