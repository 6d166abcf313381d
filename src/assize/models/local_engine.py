"""A Hugging Face checkpoint in this process: no code of its own is run; asked in batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from safetensors import SafetensorError

from assize.base.errors import ConfigError, TooLongError
from assize.base.privacy import no_fetched_kernels, no_telemetry
from assize.base.signature import content_hash
from assize.models.model import Reply, Request

Row = TypeVar("Row")


class LocalEngine(ABC, Generic[Row]):
    """A loaded model with its tokenizer, on the GPU where there is one.

    Args:
        what: how errors call it.
        path: as users write it, a folder or an id of the hub.
        folder: where it is loaded from, or the id.
        auto: the class of transformers that makes the model.
        device: of torch; None for a GPU where there is one.
        loading: more for that class.

    Raises:
        ConfigError: it cannot be loaded, or its tokenizer has no chat template.
    """

    fingerprint: str  # what tells the model apart by its weights

    def __init__(
        self, what: str, path: str, folder: Path, auto: str, device: str | None, **loading: Any
    ) -> None:
        no_telemetry()
        import transformers
        from transformers.utils import logging

        quiet: Any = logging.disable_progress_bar
        quiet()
        # Unset, transformers asks on standard input whether a checkpoint's own code may run.
        how: Any = {"local_files_only": folder.is_dir(), "trust_remote_code": False}
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            self.config: Any = transformers.AutoConfig.from_pretrained(str(folder), **how)
            no_fetched_kernels(self.config, path)
            self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(str(folder), **how)
            # A pickle among the weights is not opened.
            make: Any = getattr(transformers, auto)
            loaded = make.from_pretrained(str(folder), use_safetensors=True, **how, **loading)
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            raise ConfigError(f"{what} {path} cannot be loaded: {error}") from error
        if not self.tokenizer.chat_template:
            raise ConfigError(f"the tokenizer of {path} has no chat template")
        self.model: Any = loaded.to(self.device).eval()
        self.context = int(getattr(self.config, "max_position_embeddings", None) or 1 << 30)

    def answer(self, requests: Sequence[Request]) -> list[Reply | Exception]:
        """One reply a request, or the error that stands in its place."""
        rows: list[Row] = []
        refused: dict[int, TooLongError] = {}
        for index, request in enumerate(requests):
            try:
                rows.append(self.row(request))
            except TooLongError as error:
                refused[index] = error
        replies = iter(self.work(rows) if rows else ())
        return [
            refused[index] if index in refused else next(replies) for index in range(len(requests))
        ]

    @abstractmethod
    def row(self, request: Request) -> Row:
        """A request as the model takes it; raises TooLongError where it does not."""

    @abstractmethod
    def work(self, rows: Sequence[Row]) -> Sequence[Reply]:
        """One reply a row."""

    def check_length(self, needed: int, problem: str) -> None:
        """Refuse more tokens than the model takes."""
        if needed > self.context:
            message = f"{problem}; the model takes {self.context}"
            raise TooLongError(message, needed=needed, limit=self.context)


def fingerprint(path: str, model: Any) -> str:
    """What tells a model apart: its name, and a hash of all tensors' names and beginnings."""
    heads = (
        f"{name} {tuple(tensor.shape)}".encode()
        + tensor.flatten()[:256].float().cpu().numpy().tobytes()
        for name, tensor in sorted(model.state_dict().items())
    )
    return f"{Path(path).name}-{content_hash(*heads, digits=12)}"
