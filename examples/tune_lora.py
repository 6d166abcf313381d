"""Tunes a chat model with LoRA on prompt-completion files, so that it says what people said.

    assize simulate candidates chats.jsonl --no-random -o slots/
    assize reference split slots/continuations.jsonl -o split/
    assize convert split/train.jsonl train.jsonl --to prompt-completion
    assize convert split/validation.jsonl validation.jsonl --to prompt-completion
    pip install trl peft
    python examples/tune_lora.py --model MODEL --data . --out tuned/
    assize simulate candidates held.jsonl -m hf:MODEL -m hf:tuned/ --no-random -o next/
    assize reference score next/continuations.jsonl -o scores/
    assize compare scores/ --items next/continuations.jsonl --by source --baseline hf:MODEL

The loss is of the completion alone. The adapter is merged into the weights, so that what is
written is a model as any other.
"""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments() -> argparse.Namespace:
    """What the command line says."""
    told = argparse.ArgumentParser(description="Tune a chat model with LoRA.")
    told.add_argument("--model", required=True, help="a folder, or an id on the hub")
    told.add_argument(
        "--data", type=Path, required=True, help="with train.jsonl and validation.jsonl"
    )
    told.add_argument("--out", type=Path, required=True, help="gets the tuned model")
    told.add_argument("--epochs", type=float, default=2.0, help="times through the training rows")
    told.add_argument("--rank", type=int, default=16, help="of the adapters")
    told.add_argument("--learning-rate", type=float, default=2e-4)
    told.add_argument("--batch", type=int, default=8, help="rows a step, a device")
    told.add_argument("--max-length", type=int, default=2048, help="of a row, in tokens")
    told.add_argument("--seed", type=int, default=0)
    return told.parse_args()


def main() -> None:
    """Trains, says the validation loss before and after, and saves the merged model."""
    told = arguments()
    import torch
    from datasets import load_dataset
    from peft import LoraConfig
    from trl import SFTConfig, SFTTrainer

    files = {
        side: str(told.data / f"{side}.jsonl")
        for side in ("train", "validation")
        if (told.data / f"{side}.jsonl").is_file()
    }
    rows = load_dataset("json", data_files=files).select_columns(["prompt", "completion"])
    trainer = SFTTrainer(
        model=told.model,
        args=SFTConfig(
            output_dir=str(told.out / "checkpoints"),
            num_train_epochs=told.epochs,
            learning_rate=told.learning_rate,
            lr_scheduler_type="cosine",
            warmup_steps=0.05,  # a share of all steps
            per_device_train_batch_size=told.batch,
            per_device_eval_batch_size=told.batch,
            max_length=told.max_length,
            truncation_mode="keep_end",  # of a long history the oldest turns give way
            completion_only_loss=True,
            bf16=torch.cuda.is_available(),
            save_strategy="no",
            logging_steps=10,
            report_to="none",
            seed=told.seed,
        ),
        train_dataset=rows["train"],
        eval_dataset=rows.get("validation"),
        peft_config=LoraConfig(
            r=told.rank,
            lora_alpha=2 * told.rank,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        ),
    )
    losses = [trainer.evaluate()["eval_loss"]] if "validation" in rows else []
    trainer.train()
    if losses:
        losses.append(trainer.evaluate()["eval_loss"])
        print(f"validation loss: {losses[0]:.3f} before, {losses[1]:.3f} after")
    trainer.model.merge_and_unload().save_pretrained(told.out)
    trainer.processing_class.save_pretrained(told.out)
    print(f"{told.out}: the tuned model")


if __name__ == "__main__":
    main()
