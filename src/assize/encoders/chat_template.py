"""Dialogues in a model's own chat template, in which nobody can type a mark of the template.

A template renders one string, in which `<|eot_id|>` typed by a user is the same as the mark that
ends a turn. So every token that a tokeniser has added, such as this one, is broken by a space
where somebody typed it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from assize.base.errors import ConfigError
from assize.base.signature import content_hash
from assize.encoders.dialogue import Said, alternating, turns_in

DATE = "26 Jul 2024"  # for templates that write a day: today's would give new vectors every day
VERSION = 2  # rises when the same template gives other ids


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
        self.signature = content_hash(str(template), DATE, str(VERSION), digits=16)
        self._tokenizer, self._source = tokenizer, source
        added = [str(token) for token in tokenizer.added_tokens_decoder.values()]
        marks = [re.escape(mark) for mark in added if len(mark) > 1]
        self._marks = re.compile("|".join(marks) or r"(?!)")

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of dialogues, each written by `assize.encoders.dialogue.written`.

        Where the template insists on turns that alternate, `alternating` puts them so.

        Raises:
            ConfigError: the template refuses the dialogue, or leaves out a turn.
            DataError: a text is no dialogue.
        """
        rendered = [self._render(turns_in(text)) for text in texts]
        if not rendered:
            return []
        encoded = self._tokenizer(rendered, add_special_tokens=False, verbose=False)
        return [list(row) for row in encoded["input_ids"]]

    def _render(self, turns: Sequence[Said]) -> str:
        if not turns:
            return ""
        plain = [(role, self._break_marks(text)) for role, text in turns]
        ordered = alternating(plain)
        try:
            text = self._apply(plain)
        except ConfigError:
            if ordered == plain:
                raise
            plain, text = ordered, self._apply(ordered)
        end = 0
        for role, part in plain:
            start = text.find(part.strip(), end)
            if start < 0:
                problem = f"the chat template of {self._source} leaves out or changes a turn of"
                raise ConfigError(f"{problem} {role}")
            end = start + len(part.strip())
        return text

    def _apply(self, turns: Sequence[Said]) -> str:
        messages = [{"role": role, "content": text} for role, text in turns]
        try:
            return str(
                self._tokenizer.apply_chat_template(messages, tokenize=False, date_string=DATE)
            )
        except Exception as error:  # a template may refuse by any error, such as one of Jinja
            roles = ", ".join(role for role, _ in turns)[:200]
            raise ConfigError(
                f"the chat template of {self._source} refuses a dialogue of {roles}: {error}"
            ) from error

    def _break_marks(self, text: str) -> str:
        """The text with a space within each mark; breaking one may leave another."""
        while self._marks.search(text):
            text = self._marks.sub(lambda mark: f"{mark[0][0]} {mark[0][1:]}", text)
        return text
