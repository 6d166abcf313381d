"""Dialogues in a model's own chat template, with what people wrote kept apart from its marks.

A template renders one string, in which `<|eot_id|>` typed by a user is the same as the mark that
ends a turn. So the template is rendered around placeholders, its pieces and the texts are tokenised
each by itself, and only the pieces may hold marks.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from assize.base.errors import ConfigError
from assize.base.signature import content_hash
from assize.encoders.dialogue import Said, alternating, turns_in

FRAMES = 512  # orders of roles whose pieces are kept
DATE = "26 Jul 2024"  # for templates that write a day: today's would give new vectors every day

_MARK = "\ue000{}\ue001"  # private-use characters, which no template holds
_FOUND = re.compile("\ue000(\\d+)\ue001")


@dataclass(frozen=True, slots=True)
class Frame:
    """A template around the texts of turns in one order of roles."""

    pieces: tuple[list[int], ...]  # token ids before, between and after the texts
    spaces: tuple[str, ...]  # white space that the template puts before each text
    strips: bool  # whether the template takes the white space off the texts' ends


class ChatTemplate:
    """A tokeniser's template; its own where several are named `default`.

    Args:
        tokenizer: of transformers.
        source: where it comes from, for messages.

    Raises:
        ConfigError: the tokeniser has no template.
    """

    def __init__(self, tokenizer: Any, source: str) -> None:
        template = tokenizer.chat_template
        if isinstance(template, dict):
            template = template.get("default")
        if not template:
            raise ConfigError(
                f"the tokeniser of {source} has no chat template; leave template out, and dialogues"
                " are read as plain text"
            )
        self.signature = content_hash(str(template), DATE, digits=16)
        self._tokenizer, self._source = tokenizer, source
        self._frames: OrderedDict[tuple[str, ...], Frame] = OrderedDict()
        added = tokenizer.added_tokens_decoder.values()
        plain = [str(one) for one in added if not one.special and len(str(one)) > 1]
        used = [one for one in plain if one in str(template)]
        self._marks = re.compile("|".join(map(re.escape, used))) if used else None

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of dialogues, each written by `assize.encoders.dialogue.written`.

        Nothing in a text is read as a mark. Where the template insists on turns that alternate,
        `alternating` puts them so.

        Raises:
            ConfigError: the template refuses the dialogue, or leaves out a turn.
            DataError: a text is no dialogue.
        """
        read = [self._framed(turns_in(text)) for text in texts]
        said = [
            space + (text.strip() if frame.strips else text)
            for turns, frame in read
            for space, (_, text) in zip(frame.spaces, turns, strict=True)
        ]
        told = iter(self._plain(said))
        found = []
        for turns, frame in read:
            row = list(frame.pieces[0])
            for piece in frame.pieces[1 : 1 + len(turns)]:
                row += [*next(told), *piece]
            found.append(row)
        return found

    def _framed(self, turns: list[Said]) -> tuple[list[Said], Frame]:
        if not turns:
            return turns, Frame(([],), (), strips=False)
        try:
            return turns, self._frame(tuple(role for role, _ in turns))
        except ConfigError:
            ordered = alternating(turns)
            if ordered == turns:
                raise
            return ordered, self._frame(tuple(role for role, _ in ordered))

    def _frame(self, roles: tuple[str, ...]) -> Frame:
        found = self._frames.get(roles)
        if found is None:
            found = self._made(roles)
            while len(self._frames) >= FRAMES:
                self._frames.popitem(last=False)
        self._frames[roles] = found
        self._frames.move_to_end(roles)
        return found

    def _made(self, roles: tuple[str, ...]) -> Frame:
        marks = [_MARK.format(place) for place in range(len(roles))]
        bare = self._render(roles, marks)
        spaced = self._render(roles, [f" {mark} " for mark in marks])
        parts = _FOUND.split(bare)  # template, place, template, place...
        if [int(place) for place in parts[1::2]] != list(range(len(roles))):
            problem = f"the chat template of {self._source} leaves out or repeats a turn of"
            raise ConfigError(f"{problem} {', '.join(roles)}")
        # White space before a text is tokenised with the text, as it would be in one string.
        shown = [*(part.rstrip() for part in parts[:-1:2]), parts[-1]]
        spaces = [part[len(part.rstrip()) :] for part in parts[:-1:2]]
        ids = [
            self._tokenizer(part, add_special_tokens=False)["input_ids"] if part else []
            for part in shown
        ]
        return Frame(tuple(list(one) for one in ids), tuple(spaces), strips=bare == spaced)

    def _render(self, roles: Sequence[str], texts: Sequence[str]) -> str:
        said = [{"role": role, "content": text} for role, text in zip(roles, texts, strict=True)]
        try:
            return str(self._tokenizer.apply_chat_template(said, tokenize=False, date_string=DATE))
        except Exception as error:  # a template may refuse by any error, such as one of Jinja
            problem = f"the chat template of {self._source} refuses a dialogue of"
            raise ConfigError(f"{problem} {', '.join(roles)[:200]}: {error}") from error

    def _plain(self, texts: list[str]) -> list[list[int]]:
        """Ids of each text, in which nothing is a mark."""
        parts = [self._apart(text) for text in texts]
        flat = [part for some in parts for part in some]
        found = iter(
            self._tokenizer(
                flat, add_special_tokens=False, split_special_tokens=True, verbose=False
            )["input_ids"]
            if flat
            else ()
        )
        return [[token for _ in some for token in next(found)] for some in parts]

    def _apart(self, text: str) -> list[str]:
        """The text in parts, cut within what would be read as one of the template's marks:
        `split_special_tokens` spares tokens that were added without being called special."""
        if not text or self._marks is None:
            return [text] if text else []
        cuts = [one.start() + 1 for one in self._marks.finditer(text)]
        edges = [0, *cuts, len(text)]
        return [text[start:end] for start, end in pairwise(edges)]
