"""Linear layers in 8-bit integers, for encoders of transformers on a processor.

Weights get a scale for each output, the numbers that go in one for all that is read together. So
texts are read one window at a time under `int8`, and a vector does not depend on its company.
torch's own `quantize_dynamic` is to go; the operations under it stay, and are called here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assize.errors import ConfigError

if TYPE_CHECKING:
    from torch import Tensor


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

    if torch.backends.quantized.engine in (None, "none"):
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
    scales = weight.abs().amax(dim=1).double() / 127
    scales[scales == 0] = 1.0
    zeros = torch.zeros(len(scales), dtype=torch.long)
    codes = torch.quantize_per_channel(weight, scales, zeros, 0, torch.qint8)
    bias = None if linear.bias is None else linear.bias.detach().float()
    packed = torch.ops.quantized.linear_prepack(codes, bias)

    class Int8(torch.nn.Module):
        """A linear layer in 8-bit integers."""

        def forward(self, inputs: Tensor) -> Tensor:
            # The range is one bit less: processors without VNNI add two products in 16 bits.
            found: Tensor = torch.ops.quantized.linear_dynamic(inputs, packed, True)
            return found

    return Int8()
