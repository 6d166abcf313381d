"""Where a model of transformers runs, and how it attends."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Any, get_args

from assize.base.errors import ConfigError, MissingExtra
from assize.encoders.encoder import Attention, Precision, known


def torch_here() -> Any:
    """The module torch, where it is installed."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("a Hugging Face encoder", extra="train", missing="torch") from error
    return torch


def device_of(asked: str | None) -> str:
    """Where a model is put: `cpu`, `cuda`, one card as `cuda:1`, or `auto`, over all cards.

    None is the GPU where there is one.

    Raises:
        ConfigError: there is no such device, or `auto` lacks accelerate.
    """
    torch = torch_here()
    if asked is None:
        return "cuda" if torch.cuda.is_available() else "cpu"
    if asked == "auto":
        if find_spec("accelerate") is None:
            raise ConfigError(
                "device auto spreads a model over all cards with accelerate, which is not"
                " installed: pip install accelerate"
            )
        return asked
    if not re.fullmatch(r"cpu|cuda(:\d+)?", asked):
        raise ConfigError(f"device {asked!r} is not known; known: cpu, cuda, cuda:NUMBER, auto")
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if asked != "cpu" and int(asked.partition(":")[2] or 0) >= count:
        raise ConfigError(f"device {asked} is not there; torch sees {count} of them")
    return asked


def attention_of(asked: Attention | None, device: str, precision: Precision) -> str | None:
    """How attention is computed: FlashAttention-2 where it is installed and fits, unless said
    otherwise; None leaves it to transformers, which takes torch's own.

    Raises:
        ConfigError: it is not known, or not installed.
    """
    from transformers import utils

    found: Any = utils
    flash = bool(found.is_flash_attn_2_available())
    if asked is None:
        fits = flash and device != "cpu" and precision == "bf16"
        return "flash_attention_2" if fits else None
    known("attention", asked, get_args(Attention))
    if asked == "flash_attention_2" and not (flash and precision == "bf16" and device != "cpu"):
        raise ConfigError(
            "flash_attention_2 needs the package flash-attn, a GPU and precision bf16; leave"
            " attention out for torch's own"
        )
    return asked
