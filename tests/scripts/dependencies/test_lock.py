"""Which packages belong to PyTorch's build for NVIDIA's cards, and what installs the locks."""

from __future__ import annotations

import re

from scripts.dependencies.lock import of_cuda
from scripts.dependencies.locked import ROOT, Locked


def entry(name: str, marker: str, *via: str) -> Locked:
    return Locked(name, "1", marker, (), via)


def test_what_only_torch_needs_on_linux_is_told_from_the_rest() -> None:
    linux = "sys_platform == 'linux'"
    entries = [
        entry("torch", "", "assize-eval"),
        entry("sympy", "", "torch"),
        entry("triton", linux, "torch"),
        entry("nvidia-cublas", linux, "cuda-toolkit", "triton"),
        entry("cuda-toolkit", linux, "torch"),
        entry("pexpect", linux, "ipython"),
    ]
    assert of_cuda(entries) == {"torch", "triton", "cuda-toolkit", "nvidia-cublas"}


def test_make_installs_nothing_without_a_hash_but_this_project() -> None:
    lines = re.findall(r"\$\(PIP\) install (.*)", (ROOT / "Makefile").read_text())
    assert lines
    for line in lines:
        assert "--no-deps" in line
        assert "--require-hashes" in line or "--no-build-isolation -e ." in line
