"""`hf:PATH-or-id`: any encoder, decoder or reward model that transformers can load.

The model's backbone gives the states, so that a reward model is read below its head.
Weights come from safetensors files alone: nothing is unpickled, and no code that comes
with a model is run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from assize.base.errors import ConfigError, DataError, MissingExtra
from assize.base.privacy import no_fetched_kernels, no_telemetry
from assize.base.signature import content_hash
from assize.encoders.batching import Reader, count_windows, encode_texts, padded
from assize.encoders.chat_template import ChatTemplate
from assize.encoders.devices import attention_of, device_of, torch_here
from assize.encoders.encoder import (
    POOLINGS,
    Attention,
    Encoding,
    Floats,
    Pooling,
    Precision,
    Template,
    depth,
    known,
    signature_of,
)
from assize.encoders.pinned import noted_hash
from assize.encoders.unknown_tokens import TokenCounts, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 4096  # tokens in a window, where the model would take more and nothing is said
BUDGET = {"cpu": 2048, "cuda": 16384}  # tokens in a batch
TOKENIZER_FILES = ("tokenizer.json", "tokenizer.model", "vocab.txt", "vocab.json", "merges.txt")
FETCHED = ["*.safetensors", "*.json", "*.txt", "*.model", "*.jinja"]
VERSION = 1  # rises when the same settings give other vectors


class HuggingFace:
    """A model of transformers as an encoder; for the settings see `load_encoder`.

    Args:
        name: stands in its details.
        tokenizer, model: of transformers; the backbone where it is to run, in `precision`.
        files: hashes of weights, tokeniser and configuration; None is a model in memory, such as
            one of random weights, for which `name` stands: nothing else should have it.

    The model's marks inside a text are not read as marks. A folder is read without any network;
    "last" suits decoders and reward models; `window` is what the model can read, by default 4,096
    at most; `threads` are for the whole process. With `template="chat"` every text is a dialogue
    as `assize.encoders.dialogue.written` writes it, and is read in the model's own chat template.
    """

    def __init__(
        self,
        name: str,
        tokenizer: Any,
        model: Any,
        *,
        files: Mapping[str, str] | None = None,
        precision: Precision = "fp32",
        pooling: Pooling = "mean",
        layer: int | None = None,
        window: int | None = None,
        template: Template = "plain",
    ) -> None:
        self.name = name
        self.tokenizer, self.model = tokenizer, model
        self._device = model.device
        config = model.config.get_text_config()
        self.dimension = int(config.hidden_size)
        self._layer = None if layer is None else depth(layer, int(config.num_hidden_layers))
        self._pooling: Pooling = pooling
        self._template = ChatTemplate(tokenizer, name) if template == "chat" else None
        before, after = ((), ()) if self._template else marks(tokenizer)
        self._reader = Reader(
            tokenise=self._tokenise if self._template is None else self._template.ids,
            run=self._run,
            before=before,
            after=after,
            blank=_blank(tokenizer),
            window=_window(window, tokenizer, config, len(before) + len(after)),
            budget=BUDGET[self._device.type],
            dimension=self.dimension,
            pooling=pooling,
            pooled=self._vectors,
        )
        if files is None:
            files = dict.fromkeys(("weights", "tokenizer", "config"), name)
        details: dict[str, object] = {
            "encoder": "hf",
            "architecture": type(model).__name__,
            **files,
            "precision": precision,
            "pooling": pooling,
            "layer": "last" if self._layer is None else self._layer,
            "window": self._reader.window,
            "normalised": True,
            "version": VERSION,
        }
        if self._template is not None:
            details |= {"template": template, "chat_template": self._template.signature}
        self.details: Mapping[str, object] = details
        self.signature = signature_of(details)

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        """The vectors of `texts` and, on request, the states of their tokens; see `Encoder`."""
        if tokens and self._template is not None:
            raise ConfigError("states of tokens are given of texts, not of dialogues in a template")
        return encode_texts(self._reader, texts, tokens)

    def windows(self, texts: Sequence[str]) -> list[int]:
        """In how many windows each text would be read."""
        return count_windows(self._reader, texts)

    def token_counts(self, texts: Sequence[str]) -> list[TokenCounts]:
        """How many tokens of each text are unknown, and known; a dialogue is not unfolded."""
        return self._vocabulary.count_tokens(texts, self._tokenise)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        tokenizer = self.tokenizer
        marks = (tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id)
        # A tokeniser of bytes, such as GPT-2's, knows all and names a mark of its own here.
        unknown = None if tokenizer.unk_token_id in marks else tokenizer.unk_token_id
        return Vocabulary({} if unknown is None else tokenizer.get_vocab(), unknown)

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has, without the marks around a window."""
        return [len(ids) for ids in self._reader.tokenise(texts)]

    def _tokenise(self, texts: Sequence[str]) -> list[list[int]]:
        found: list[list[int]] = self.tokenizer(
            list(texts),
            add_special_tokens=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            split_special_tokens=True,
            verbose=False,
        )["input_ids"]
        return found

    def _states(self, ids: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """States (windows B, tokens T, D) and mask (B, T), where the model stands."""
        torch = torch_here()
        tokens, mask = (
            torch.from_numpy(one).to(self._device) for one in padded(ids, self._reader.blank)
        )
        answer = self.model(
            input_ids=tokens, attention_mask=mask, output_hidden_states=self._layer is not None
        )
        last = answer.last_hidden_state
        states = last if self._layer is None else answer.hidden_states[self._layer]
        return states, mask.to(states.device)

    def _run(self, ids: Sequence[Sequence[int]]) -> Floats:
        with torch_here().inference_mode():
            states, _ = self._states(ids)
            found: Floats = states.float().cpu().numpy()
        return found

    def _vectors(self, ids: Sequence[Sequence[int]]) -> Floats:
        """(windows B, D), pooled on the device: states of a large model are slow to carry."""
        torch = torch_here()
        with torch.inference_mode():
            states, mask = self._states(ids)
            if self._pooling == "cls":
                vectors = states[:, 0].float()
            elif self._pooling == "last":
                each = torch.arange(len(states), device=states.device)
                vectors = states[each, mask.sum(dim=1) - 1].float()
            else:
                summed = torch.matmul(mask[:, None].float(), states.float())[:, 0]
                vectors = summed / mask.sum(dim=1, keepdim=True)
            found: Floats = vectors.cpu().numpy()
        return found


def open_huggingface(
    source: str,
    *,
    precision: Precision = "fp32",
    pooling: Pooling = "mean",
    template: Template = "plain",
    device: str | None = None,
    attention: Attention | None = None,
    threads: int | None = None,
    **more: Any,
) -> HuggingFace:
    """The encoder of a folder or of a model on the hub, on the GPU where there is one.

    Args:
        more: `layer` and `window`.
    """
    known("precision of a Hugging Face encoder", precision, ("fp32", "bf16"))
    known("pooling", pooling, POOLINGS)
    known("template", template, get_args(Template))
    torch = torch_here()  # before anything is fetched
    if threads is not None:
        torch.set_num_threads(threads)
    folder, place = _folder(source), device_of(device)
    read = _load(folder, precision, place, attention_of(attention, place, precision))
    how: Any = {"precision": precision, "pooling": pooling, "template": template, **more}
    return HuggingFace(f"hf:{source}", *read, files=_files(folder), **how)


def marks(tokenizer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The marks that a tokeniser puts before and after a text, found by comparing."""
    plain = tokenizer("a", add_special_tokens=False)["input_ids"]
    marked = tokenizer("a")["input_ids"]
    for start in range(len(marked) - len(plain) + 1):
        if marked[start : start + len(plain)] == plain:
            return tuple(marked[:start]), tuple(marked[start + len(plain) :])
    raise DataError("its tokeniser changes a text where it adds its marks; it cannot be used here")


def _folder(source: str) -> Path:
    """The folder with the model's files, fetched from the hub where it is no folder here."""
    path = Path(source).expanduser()
    if path.is_dir():
        return path
    try:
        no_telemetry()
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(source, allow_patterns=FETCHED))
    except Exception as error:  # the client raises its own, the network's and the disk's errors
        raise ConfigError(
            f"hf:{source} is neither a folder here nor a model that could be fetched from the "
            f"hub ({type(error).__name__}); give the path of a folder for work without a network"
        ) from error


def _load(
    folder: Path, precision: Precision, device: str, attention: str | None
) -> tuple[Any, Any]:
    no_telemetry()
    try:
        from transformers import AutoConfig, AutoModel, AutoTokenizer
    except ImportError as error:
        raise MissingExtra(
            "a Hugging Face encoder", extra="train", missing="transformers"
        ) from error
    from safetensors import SafetensorError

    torch = torch_here()
    # Unset, transformers asks on standard input whether a checkpoint's own code may run.
    how: Any = {"local_files_only": True, "trust_remote_code": False}
    kind = torch.bfloat16 if precision == "bf16" else torch.float32
    more: Any = {} if attention is None else {"attn_implementation": attention}
    if device == "auto":
        more["device_map"] = "auto"
    try:
        with _quiet():
            no_fetched_kernels(AutoConfig.from_pretrained(folder, **how), str(folder))
            tokenizer = AutoTokenizer.from_pretrained(folder, **how)
            model, report = AutoModel.from_pretrained(
                folder,
                use_safetensors=True,
                dtype=kind,
                output_loading_info=True,
                **how,
                **more,
            )
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise DataError(
            f"holds no model that can be loaded ({error})", source=str(folder)
        ) from error
    # transformers fills what it does not find with random numbers; the pooler is not used here.
    absent = sorted(name for name in report["missing_keys"] if "pooler" not in name)
    if absent:
        raise DataError(
            f"its weights lack {len(absent)} of the model's tensors, such as {absent[0]}",
            source=str(folder),
        )
    read = model.get_encoder() if model.config.is_encoder_decoder else model
    read.config.use_cache = False  # keys and values are for writing on, which is not done here
    if device != "auto":
        read.to(device)
    return tokenizer, read.eval()


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bar, and no report of the head's weights, which are left out on purpose."""
    from transformers.utils import logging

    shown: Any = logging
    level, bar = shown.get_verbosity(), shown.is_progress_bar_enabled()
    shown.set_verbosity_error()
    shown.disable_progress_bar()
    try:
        yield
    finally:
        shown.set_verbosity(level)
        if bar:
            shown.enable_progress_bar()


def _blank(tokenizer: Any) -> int:
    """The token for padding, which is masked, and for an empty text without marks."""
    for token in (tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id):
        if token is not None:
            return int(token)
    return 0


def _window(asked: int | None, tokenizer: Any, config: Any, taken: int) -> int:
    """Tokens in a window, marks included."""
    limit = int(tokenizer.model_max_length)
    positions = getattr(config, "max_position_embeddings", None)
    if positions is not None and positions > 0:
        # RoBERTa and its kin number positions from behind the padding token.
        offset = config.pad_token_id + 1 if "roberta" in config.model_type else 0
        limit = min(limit, positions - offset)
    if asked is None:
        return min(LONGEST, limit)
    if not taken < asked <= limit:
        raise ConfigError(f"window {asked} is outside {taken + 1}..{limit} tokens of this model")
    return asked


def _files(folder: Path) -> dict[str, str]:
    """Hashes of what makes a model's vectors."""
    return {
        "weights": _hashes(folder, sorted(path.name for path in folder.glob("*.safetensors"))),
        "tokenizer": _hashes(folder, TOKENIZER_FILES),
        "config": _hashes(folder, ("config.json",)),
    }


def _hashes(folder: Path, names: Sequence[str]) -> str:
    """One hash for those of the files that exist; a small model's is its file's own."""
    found = [noted_hash(folder / name) for name in names if (folder / name).is_file()]
    return found[0] if len(found) == 1 else content_hash(*found)
