"""Items in, judgments out: a stream that reads a batch at a time, in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from assize.base.conversation import Conversation, Item, Pair
from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Judgment, Unscored
from assize.evaluator._artefact import load_evaluator
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._explaining import METHOD, Without, in_words, without_each
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
    options = ScoreOptions(turns, explain, doubt, any_language)
    seen = 0
    for batch in batched(items):
        every = [read_item(item, options, chosen) for item in batch]
        views = [view for own in every for view in own.every]
        texts = encode_views(views, chosen.encoder, chosen.featuriser)
        scored = _score_views(chosen, texts, views, doubt=doubt)
        numbers = dict(zip(map(id, views), scored, strict=True))
        for number, own in enumerate(every, start=seen):
            call = f"{chosen.judge}:{number}"
            yield own.item, list(_ItemScores(chosen, texts, own, call, options, numbers).rows())
        seen += len(batch)


def raw_numbers(
    items: Iterable[Conversation], *, evaluator: Evaluator
) -> Iterator[Mapping[str, float] | Unscored]:
    """Of each conversation the head's raw numbers by question, or why it has none.

    A raw number has no unit; larger is better, also of a question whose `higher` is `worse`.
    """
    for batch in batched(items):
        every = [_readable(evaluator, main_views(item)[0]) for item in batch]
        views = [view for view in every if isinstance(view, View)]
        texts = encode_views(views, evaluator.encoder, evaluator.featuriser)
        numbers = _score_views(evaluator, texts, views, doubt=False)
        for view in every:
            if isinstance(view, Unscored):
                yield view
            else:
                values = (round(float(value), _DIGITS) for value in next(numbers).raw)
                yield dict(zip(evaluator.scored, values, strict=True))


def _readable(evaluator: Evaluator, view: View | Unscored) -> View | Unscored:
    return readable(view, evaluator.encoder, evaluator.featuriser)


class ScoreOptions(NamedTuple):
    """What is asked for beside scores; see `score`."""

    turns: bool
    explain: bool
    doubt: bool
    any_language: bool


@dataclass(frozen=True, slots=True)
class ItemViews:
    """One item with its views.

    Args:
        main: of a conversation or a response; of a pair two.
        turns: of every assistant turn, with its index, where these are asked for.
        without: the item without each exchange, where an explanation is asked for.
        spoken: the language, as far as it is recognised.
    """

    item: Item
    main: tuple[View | Unscored, ...]
    turns: tuple[tuple[int, View | Unscored], ...]
    without: tuple[Without, ...]
    spoken: str | None

    @property
    def every(self) -> list[View]:
        """All that can be scored, in the order in which it is written."""
        without = [part.view for part in self.without]
        parts = [*self.main, *without, *(view for _, view in self.turns)]
        return [view for view in parts if isinstance(view, View)]


def read_item(item: Item, options: ScoreOptions, evaluator: Evaluator) -> ItemViews:
    """The views that are wanted of an item."""
    spoken = language(turn.text for turn in turns_of(item) if turn.role in ("user", "assistant"))
    main = main_views(item)
    turns = [*turn_views(item)] if options.turns and isinstance(item, Conversation) else []
    if options.any_language or evaluator.reads(spoken):
        main = tuple(_readable(evaluator, view) for view in main)
        turns = [(turn, _readable(evaluator, view)) for turn, view in turns]
    else:
        problem = f"the evaluator does not read it ({spoken}); any_language scores it all the same"
        unread = Unscored("language", problem)
        main, turns = (unread,) * len(main), [(turn, unread) for turn, _ in turns]
    without: tuple[Without, ...] = ()
    if isinstance(item, Conversation) and isinstance(main[0], View):
        if is_greeting(turn.text for turn in item.turns if turn.role == "user"):
            main = (Unscored("too_short", "the user's turns are no more than a greeting"),)
        elif options.explain:
            without = tuple(without_each(item))
    return ItemViews(item, main, tuple(turns), without, spoken)


class ViewNumbers(NamedTuple):
    """What the head says of one view."""

    raw: FloatArray  # (H,)
    members: FloatArray | None = None  # (M, H)
    distance: float = float("nan")


def _score_views(
    evaluator: Evaluator, texts: Texts, views: Sequence[View], *, doubt: bool
) -> Iterator[ViewNumbers]:
    widths = list(evaluator.featuriser.widths(evaluator.encoder.dimension).values())
    for start in range(0, len(views), ROWS):
        rows = [texts.read(view) for view in views[start : start + ROWS]]
        raw = evaluator.raw(rows)
        if not doubt:
            yield from map(ViewNumbers, raw)
            continue
        members = member_numbers(evaluator.head, rows)
        away = distances(evaluator.head, rows, widths)
        for index, numbers in enumerate(raw):
            own = None if members is None else members[:, index]
            yield ViewNumbers(numbers, own, float(away[index]))


@dataclass(frozen=True, slots=True)
class _ItemScores:
    """The judgments of one item."""

    evaluator: Evaluator
    texts: Texts
    views: ItemViews
    call: str
    options: ScoreOptions
    numbers: Mapping[int, ViewNumbers]  # by identity of the view

    def rows(self) -> Iterator[Judgment]:
        """One judgment a question, and of each turn where these are asked for."""
        if isinstance(self.views.item, Pair):
            yield from self._preferences()
            return
        (main,) = self.views.main
        yield from self._scores(main, None)
        for turn, view in self.views.turns:
            yield from self._scores(view, turn)

    def _scores(self, view: View | Unscored, turn: int | None) -> Iterator[Judgment]:
        """One judgment a question, save those for pairs only."""
        about = self._about(view, turn)
        for index, (name, asked) in enumerate(self.evaluator.scored.items()):
            if asked.pairs_only:
                continue
            if isinstance(view, Unscored):
                yield self._row(name, turn=turn, unscored=view, details=about)
                continue
            numbers = self.numbers[id(view)]
            rank = _rank(asked, view, float(numbers.raw[index]))
            value = round(asked.score(rank), _DIGITS)
            level = "low" if rank <= asked.low else "high" if rank >= asked.high else "middle"
            details = about | {"level": level}
            if asked.scale is not None:
                details |= asked.scale.rate(rank)
            if asked.answers is not None:
                details["rank"] = rank
            if turn is None and self.options.doubt:
                details["doubt"] = _doubt(asked, view, numbers, index)
            words = None
            if turn is None and self.options.explain:
                effects = []
                for part in self.views.without:
                    raw = float(self.numbers[id(part.view)].raw[index])
                    score = asked.score(_rank(asked, view, raw))
                    effects.append((part.turns, round(value - score, _DIGITS)))
                moved = [{"turns": list(turns), "effect": effect} for turns, effect in effects]
                details["explanation"] = {"method": METHOD, "exchanges": moved}
                words = in_words(effects)
            yield self._row(name, turn=turn, score=value, details=details, explanation=words)

    def _preferences(self) -> Iterator[Judgment]:
        """Which side is put higher by the first question, and by each that pairs are asked: by more
        than the question's tie rule allows, or the evaluator's threshold on raw numbers."""
        scored, about = self.evaluator.scored, self._about(self.views.main[0], None)
        compared = {name: one for name, one in scored.items() if one.pairs_only or one.ties}
        asked = [(PREFERENCE.id, self.evaluator.main), *compared.items()]
        sides = [view for view in self.views.main if isinstance(view, View)]
        numbers = [self.numbers[id(view)].raw for view in sides]
        for side, view in zip("AB", self.views.main, strict=True):
            if isinstance(view, Unscored):
                why = Unscored(view.reason, f"{side}: {view.message}")
                yield from (self._row(name, unscored=why, details=about) for name, _ in asked)
                return
        for name, one in asked:
            index = list(scored).index(one.question.id)
            raws = [float(raw[index]) for raw in numbers]
            scores = [_rank(one, view, raw) for view, raw in zip(sides, raws, strict=True)]
            margin = round(raws[0] - raws[1], _DIGITS)
            answer = "tie" if abs(margin) < self.evaluator.tie else "A" if margin > 0 else "B"
            if one.ties is not None:
                answer = one.ties.answer(*scores)
            by = {"scores": dict(zip("AB", scores, strict=True)), "margin": margin}
            details = by | {"by": one.question.id} | about
            yield self._row(name, answer=answer, details=details)

    def _row(self, question: str, **answer: Any) -> Judgment:
        return Judgment(
            self.views.item.id,
            self.evaluator.judge,
            question,
            call=self.call,
            kind="evaluator",
            signature=self.evaluator.signature,
            **answer,
        )

    def _about(self, view: View | Unscored, turn: int | None) -> dict[str, Any]:
        """What a reader should know of the text: length, windows, language."""
        turns, windows = turns_of(self.views.item), self.texts.windows
        about: dict[str, Any] = {} if turn is not None else {"turns": len(turns)}
        own = range(len(turns)) if turn is None else [turn]
        read = {str(index): windows.get(turns[index].text, 1) for index in own}
        if isinstance(view, View):
            whole = {*self.evaluator.featuriser.texts(view)} - {said.text for said in view.turns}
            read["all"] = max((windows.get(text, 1) for text in whole), default=1)
        if several := {name: count for name, count in read.items() if count > 1}:
            about["windows"] = several
        if turn is None and self.views.spoken not in (None, "en"):
            about["language"] = self.views.spoken
        seen = self.evaluator.learnt_from
        if seen and hash_unit((self.views.item.id, turn)) in seen:
            about["in_sample"] = True
        return about


def _rank(asked: ScoredQuestion, view: View, raw: float) -> float:
    if view.level not in asked.maps:
        raise DataError(f"this evaluator gives no scores of {asked.question.id!r} by {view.level}")
    return round(float(asked.maps[view.level](raw)), _DIGITS)


def _doubt(asked: ScoredQuestion, view: View, numbers: ViewNumbers, index: int) -> dict[str, float]:
    """How far members lie apart, in scores, and how unlike the training data the text is."""
    found = {}
    if numbers.members is not None:
        scores = asked.maps[view.level](numbers.members[:, index])
        found["deviation"] = round(float(scores.std(ddof=1)), _DIGITS)
    if numbers.distance == numbers.distance:
        found["distance"] = round(numbers.distance, 4)
    return found
