"""Linear layers in 8-bit integers, for encoders of transformers on a processor.

Weights get a scale for each output, within -63..63, because processors without VNNI add two
products of an 8-bit input and an 8-bit weight in 16 bits. Each token's numbers are first brought to
-1..1, for a few of a model's features are far larger than the rest at some tokens. Texts are read
one window at a time under `int8`, so that a vector does not depend on its company.

torch means to replace its quantised tensors by another package, torchao, and warns where one is
made. The operations here are still the fastest on processors without VNNI, so they are used for as
long as torch has them: where it has not, int8 is refused with a sentence, and nothing else changes.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from assize.errors import ConfigError

if TYPE_CHECKING:
    from torch import Tensor

TOP = 63  # largest code of a weight
LEAST = 1e-30  # what a token of zeros is divided by


def quantise(model: Any) -> int:
    """Replaces the linear layers of a torch model by ones in 8-bit integers, in place.

    Args:
        model: a `torch.nn.Module` on the processor, in 32-bit numbers.

    Returns:
        How many layers were replaced.

    Raises:
        ConfigError: this build of torch has no such operations, or the model has no such layer.
    """
    import torch

    ops = getattr(torch.ops, "quantized", None)
    if not hasattr(ops, "linear_dynamic") or torch.backends.quantized.engine in (None, "none"):
        raise ConfigError("this build of torch computes in no 8-bit integers; use fp32 or bf16")
    places = [
        (parent, name, child)
        for parent in model.modules()
        for name, child in parent.named_children()
        if type(child) is torch.nn.Linear
    ]
    for parent, name, child in places:
        setattr(parent, name, _layer(child))
    if not places:
        raise ConfigError("int8 needs linear layers, and the model has none")
    return len(places)


def _layer(linear: Any) -> Any:
    """The layer that stands in for a linear one."""
    import torch

    weight = linear.weight.detach().float()
    scales = weight.abs().amax(dim=1).double() / TOP
    scales[scales == 0] = 1.0
    zeros = torch.zeros(len(scales), dtype=torch.long)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*quantized tensor creation", UserWarning)
        codes = torch.quantize_per_channel(weight, scales, zeros, 0, torch.qint8)
        packed = torch.ops.quantized.linear_prepack(codes, None)

    class Int8(torch.nn.Module):
        """A linear layer in 8-bit integers."""

        def __init__(self, bias: Any) -> None:
            super().__init__()
            self.bias = bias

        def forward(self, inputs: Tensor) -> Tensor:
            largest = inputs.abs().amax(dim=-1, keepdim=True).clamp_min(LEAST)
            found: Tensor = torch.ops.quantized.linear_dynamic(inputs / largest, packed)
            found = found.mul_(largest)
            return found if self.bias is None else found.add_(self.bias)

    return Int8(linear.bias)
