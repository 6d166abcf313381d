"""An evaluator's folder as the Hugging Face hub shows it: its card becomes the page."""

from __future__ import annotations

import json
from pathlib import Path

from assize.base.artefacts import write_whole
from assize.evaluator._artefact import CARD, open_card, save
from assize.evaluator._evaluator import Evaluator

PAGE = "README.md"
TAGS = ("assize", "dialogue-evaluation", "reward-model")


def write_hub_folder(
    evaluator: Evaluator, folder: str | Path, card: str | None = None
) -> tuple[str, ...]:
    """Writes an evaluator with a page for the hub; `hf upload OWNER/NAME FOLDER` puts it there.

    Args:
        evaluator: of any kind.
        folder: made where it is not there; an earlier evaluator in it is replaced whole.
        card: Markdown; None is what can be told of the evaluator itself.

    Returns:
        The names of the files.

    Raises:
        OutputError: the folder cannot be written.
    """
    place = Path(folder)
    save(evaluator, place)
    if card is not None:
        write_whole(place / CARD, card.encode())
    write_whole(place / PAGE, page(evaluator, open_card(place).text).encode())
    return tuple(sorted(path.name for path in place.iterdir() if path.is_file()))


def page(evaluator: Evaluator, card: str) -> str:
    """The card with what the hub reads of it before, and how to use it after."""
    about = {
        "library_name": "assize",
        "pipeline_tag": "text-classification",
        "tags": list(TAGS),
        "language": evaluator.about.get("language", ["en"]),
    }
    licence = evaluator.about.get("licence")
    if isinstance(licence, str):
        about["license"] = licence
    base = evaluator.encoder.name.partition(":")[2]
    if evaluator.encoder.name.startswith("hf:") and base.count("/") == 1 and base[:1] not in "./~":
        about["base_model"] = base
    facts = "\n".join(f"{name}: {json.dumps(value)}" for name, value in about.items())
    word = ""
    if evaluator.encoder.name != "minilm":
        word = f", encoder={json.dumps(evaluator.encoder.name)}"
    use = f"""\
## Use

```python
import assize

scores = assize.score("chats.jsonl", evaluator="hub:OWNER/NAME"{word})
```"""
    return f"---\n{facts}\n---\n\n{card.strip()}\n\n{use}\n"
