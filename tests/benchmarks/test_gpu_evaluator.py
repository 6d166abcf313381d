"""The benchmark for a GPU, run with a tiny backbone on the processor: its path, and its sums."""

from __future__ import annotations

import pytest

from benchmarks import gpu_evaluator as benchmark

pytest.importorskip("torch")
pytest.importorskip("transformers")


def test_it_runs_with_one_command_and_tells_every_figure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--tiny", "--pairs", "12", "--batch", "4", "--repeats", "1", "--tokens", "150"]
    found = benchmark.main(words)
    (row,) = found["lengths"]
    assert row["tokens"] == pytest.approx(150, rel=0.15)
    assert row["tokens_per_s"] * row["batch_dialogue_s"] == pytest.approx(row["tokens"])
    assert all(value > 0 for value in row.values())
    assert found["head"]["pairs"] == 12
    shown = capsys.readouterr().out
    assert "s a dialogue (paper 0.10)" in shown
    assert "s a pair (paper 0.19)" in shown
    assert "of the peak" in shown


def test_operations_are_those_of_llama_3_8b() -> None:
    # 6.979 billion weights in the layers (8.03 without the embeddings and the writing head), so
    # 13.96 * 10^9 operations for one token, and 2 * 32 * 4096 of attention with itself.
    once = benchmark.operations(benchmark.LLAMA_3_8B, [1])
    assert once == 2 * 6_979_321_856 + 2 * 32 * 4096
    long = benchmark.operations(benchmark.LLAMA_3_8B, [8192])
    assert long == 8192 * 2 * 6_979_321_856 + 2 * 32 * 4096 * 8192**2
    assert benchmark.operations(benchmark.LLAMA_3_8B, [1, 8192]) == once + long


def test_without_a_gpu_it_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert benchmark.main([]) == {}
    assert "there is no GPU here, so nothing is measured; --tiny" in capsys.readouterr().out
