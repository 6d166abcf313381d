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
from safetensors import SafetensorError
from torch import Tensor

from assize.base.errors import ConfigError, MissingExtra, TooLongError
from assize.base.judgment import Usage
from assize.base.privacy import no_fetched_kernels, no_telemetry
from assize.base.signature import content_hash
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


class Engine:
    """A loaded causal model with its tokenizer, on the GPU where there is one."""

    def __init__(self, path: str, *, device: str | None = None) -> None:
        no_telemetry()
        from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        quiet: Any = logging.disable_progress_bar
        quiet()
        # Unset, transformers asks on standard input whether a checkpoint's own code may run.
        how: Any = {"local_files_only": Path(path).is_dir(), "trust_remote_code": False}
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            no_fetched_kernels(AutoConfig.from_pretrained(path, **how), path)
            self.tokenizer: Any = AutoTokenizer.from_pretrained(path, **how)
            # A pickle among the weights is not opened.
            loaded: Any = AutoModelForCausalLM.from_pretrained(path, use_safetensors=True, **how)
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            raise ConfigError(f"the model {path} cannot be loaded: {error}") from error
        if not self.tokenizer.chat_template:
            raise ConfigError(f"the tokenizer of {path} has no chat template")
        self.model = loaded.to(self.device).eval()
        self.fingerprint = fingerprint(path, self.model)
        self.ends = _ends(self.tokenizer, self.model)
        config = self.model.config
        self.context = int(getattr(config, "max_position_embeddings", None) or 1 << 30)
        self._grammar: Any = None

    def answer(self, requests: Sequence[Request]) -> list[Reply | Exception]:
        """One reply a request, or the error that stands in its place."""
        prompts = [self.prompt(request) for request in requests]
        answers: list[Reply | Exception | None] = [
            self._too_long(prompt, request)
            for prompt, request in zip(prompts, requests, strict=True)
        ]
        fit = [index for index, answer in enumerate(answers) if answer is None]
        if fit:
            rows = [self._row(requests[index], prompts[index]) for index in fit]
            for index, reply in zip(fit, self._write(rows), strict=True):
                answers[index] = reply
        return [answer for answer in answers if answer is not None]

    def prompt(self, request: Request) -> list[int]:
        """Tokens of the messages in the model's chat template, ready for its turn."""
        text = self.tokenizer.apply_chat_template(
            wire(request.messages), add_generation_prompt=True, tokenize=False
        )
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def _too_long(self, prompt: list[int], request: Request) -> TooLongError | None:
        needed = len(prompt) + request.max_tokens
        if needed <= self.context:
            return None
        message = (
            f"the request needs {needed} tokens ({len(prompt)} in, {request.max_tokens} for the"
            f" answer); the model takes {self.context}"
        )
        return TooLongError(message, needed=needed, limit=self.context)

    def _padded(self, sequences: list[list[int]]) -> tuple[Tensor, Tensor]:
        longest = max(map(len, sequences))
        ids = [[self.ends[0]] * (longest - len(one)) + one for one in sequences]
        mask = [[0] * (longest - len(one)) + [1] * len(one) for one in sequences]
        return (
            torch.tensor(ids, device=self.device),
            torch.tensor(mask, device=self.device),
        )

    def _row(self, request: Request, prompt: list[int]) -> _Row:
        rng = torch.Generator().manual_seed(
            (request.seed or 0) * 1_000_003 + request.sample if request.seed is not None else 0
        )
        if request.seed is None:
            rng.seed()
        matcher = None if request.schema is None else self._matcher(request.schema)
        return _Row(request, prompt, rng, matcher)

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
    def _write(self, rows: list[_Row]) -> list[Reply]:
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


def fingerprint(path: str, model: Any) -> str:
    """What tells a model apart: its name, and a hash of all tensors' names and beginnings."""
    heads = (
        f"{name} {tuple(tensor.shape)}".encode()
        + tensor.flatten()[:256].float().cpu().numpy().tobytes()
        for name, tensor in sorted(model.state_dict().items())
    )
    return f"{Path(path).name}-{content_hash(*heads, digits=12)}"
