"""The work behind `hf:`: batched writing under a schema.

Design choices
- Prompts of a batch are padded on the left, so that all answers grow at the right edge.
- Log-probabilities are the model's own, before the schema forbids anything: what the
  model would rather have said stays visible as mass outside the choices.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from assize.base.errors import ConfigError, MissingExtra
from assize.base.judgment import Usage
from assize.models.local_engine import LocalEngine, fingerprint
from assize.models.model import Reply, Request, Token, wire


@dataclass(slots=True)
class _Row:
    """One answer while it is being written."""

    request: Request
    prompt: list[int]
    rng: torch.Generator
    matcher: Any = None
    written: list[int] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    finish: str | None = None


class Engine(LocalEngine[_Row]):
    """A loaded causal model that writes answers."""

    def __init__(self, path: str, *, device: str | None = None) -> None:
        super().__init__("the model", path, Path(path), "AutoModelForCausalLM", device)
        self.fingerprint = fingerprint(path, self.model)
        self.ends = _ends(self.tokenizer, self.model)
        self._grammar: Any = None

    def prompt(self, request: Request) -> list[int]:
        """Tokens of the messages in the model's chat template, ready for its turn."""
        text = self.tokenizer.apply_chat_template(
            wire(request.messages), add_generation_prompt=True, tokenize=False
        )
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def row(self, request: Request) -> _Row:
        """The answer before its first token; refuses what leaves it no room."""
        prompt = self.prompt(request)
        self.check_length(
            len(prompt) + request.max_tokens,
            f"the request needs {len(prompt) + request.max_tokens} tokens ({len(prompt)} in,"
            f" {request.max_tokens} for the answer)",
        )
        rng = torch.Generator().manual_seed(
            (request.seed or 0) * 1_000_003 + request.sample if request.seed is not None else 0
        )
        if request.seed is None:
            rng.seed()
        matcher = None if request.schema is None else self._matcher(request.schema)
        return _Row(request, prompt, rng, matcher)

    def _padded(self, sequences: list[list[int]]) -> tuple[Tensor, Tensor]:
        longest = max(map(len, sequences))
        ids = [[self.ends[0]] * (longest - len(one)) + one for one in sequences]
        mask = [[0] * (longest - len(one)) + [1] * len(one) for one in sequences]
        return (
            torch.tensor(ids, device=self.device),
            torch.tensor(mask, device=self.device),
        )

    def _matcher(self, schema: Any) -> Any:
        try:
            import llguidance
            import llguidance.hf
        except ImportError as error:
            raise MissingExtra(
                "a schema for a local model", extra="train", missing="llguidance"
            ) from error
        if self._grammar is None:
            vocabulary = self.model.get_input_embeddings().num_embeddings
            self._grammar = llguidance.hf.from_tokenizer(self.tokenizer, n_vocab=vocabulary)
        grammar = llguidance.LLMatcher.grammar_from_json_schema(
            json.dumps(schema),
            defaults={"whitespace_flexible": False},
        )
        return llguidance.LLMatcher(self._grammar, grammar)

    @torch.inference_mode()
    def work(self, rows: Sequence[_Row]) -> list[Reply]:
        """Write the answers token by token, all at the same time."""
        ids, mask = self._padded([row.prompt for row in rows])  # (B, L) each
        positions, past = (mask.cumsum(1) - 1).clamp(min=0), None
        while any(row.finish is None for row in rows):
            out = self.model(
                input_ids=ids,
                attention_mask=mask,
                position_ids=positions,
                past_key_values=past,
                use_cache=True,
            )
            past = out.past_key_values
            logits = out.logits[:, -1].float().cpu()  # (B, V)
            following = [self._step(row, logits[index]) for index, row in enumerate(rows)]
            ids = torch.tensor(following, device=self.device)[:, None]  # (B, 1)
            mask = torch.cat([mask, torch.ones_like(ids)], dim=1)
            positions = positions[:, -1:] + 1
        return [self._reply(row) for row in rows]

    def _step(self, row: _Row, logits: Tensor) -> int:
        """The row's next token; the end token where it has ended."""
        if row.finish is not None:
            return self.ends[0]
        token = self._choose(row, self._allowed(row, logits))
        if token in self.ends:
            row.finish = "stop"
            return token
        row.written.append(token)
        if row.request.top_logprobs:
            row.tokens.append(self._token(token, logits, row.request.top_logprobs))
        if row.matcher is not None:
            row.matcher.consume_token(token)
            if row.matcher.is_stopped():
                row.finish = "stop"
        if row.finish is None and len(row.written) >= row.request.max_tokens:
            row.finish = "length"
        return token

    def _allowed(self, row: _Row, logits: Tensor) -> Tensor:
        if row.matcher is None:
            return logits
        bits = np.frombuffer(row.matcher.compute_bitmask(), dtype=np.uint8)
        allowed = np.unpackbits(bits, bitorder="little")[: logits.shape[0]]
        return logits.masked_fill(~torch.from_numpy(allowed.astype(bool)), -torch.inf)

    def _choose(self, row: _Row, logits: Tensor) -> int:
        temperature = row.request.temperature
        if temperature is not None and temperature <= 0:
            return int(logits.argmax())
        warm = torch.softmax(logits / (1.0 if temperature is None else temperature), -1)
        return int(torch.multinomial(warm, 1, generator=row.rng))

    def _token(self, token: int, logits: Tensor, count: int) -> Token:
        logprobs = torch.log_softmax(logits, -1)
        best = torch.topk(logprobs, min(count, logprobs.shape[0]))
        top = zip(best.indices.tolist(), best.values.tolist(), strict=True)
        return Token(
            self._text([token]),
            float(logprobs[token]),
            tuple((self._text([other]), logprob) for other, logprob in top),
        )

    def _text(self, tokens: list[int]) -> str:
        return str(self.tokenizer.decode(tokens, skip_special_tokens=False))

    def _reply(self, row: _Row) -> Reply:
        text = self.tokenizer.decode(row.written, skip_special_tokens=True)
        return Reply(
            text,
            "length" if row.finish == "length" else "stop",
            tuple(row.tokens),
            usage=Usage(len(row.prompt), len(row.written)),
            model=self.fingerprint,
        )


def _ends(tokenizer: Any, model: Any) -> list[int]:
    given = getattr(model.generation_config, "eos_token_id", None)
    ends = given if isinstance(given, list) else [] if given is None else [given]
    if tokenizer.eos_token_id is not None and tokenizer.eos_token_id not in ends:
        ends = [tokenizer.eos_token_id, *ends]
    if not ends:
        raise ConfigError("the model names no end-of-turn token")
    return list(ends)
