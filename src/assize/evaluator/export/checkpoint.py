"""An evaluator as a folder of transformers: a `PreTrainedModel` with its tokeniser.

For evaluators that read whole dialogues with an encoder of transformers (the featuriser
`dialogue`). Others are more than one model can hold, and serve by `assize.score` or as a reward.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assize.encoders import uncached
from assize.encoders.huggingface import HuggingFace
from assize.errors import ConfigError, MissingExtra, OutputError
from assize.evaluator.evaluator import Evaluator
from assize.evaluator.heads.linear import CLIP
from assize.formats.files import make_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

MODELING = "modeling_assize.py"
AUTO_MAP = {
    "AutoConfig": f"{MODELING.removesuffix('.py')}.AssizeConfig",
    "AutoModelForSequenceClassification": (
        f"{MODELING.removesuffix('.py')}.AssizeForSequenceClassification"
    ),
}


def write_checkpoint(evaluator: Evaluator, folder: str | Path) -> tuple[str, ...]:
    """Writes an evaluator as a model of transformers, with a sequence-classification head.

    Logits are `Evaluator.raw` of the dialogue: one a question, in the order of `id2label`. Where
    assize is installed, `import assize.evaluator.export.modeling` lets
    `AutoModelForSequenceClassification` open it. The folder has a copy of that file, for those
    without assize who allow transformers to run code that comes with a model.

    A tokeniser turns what is typed in a dialogue into marks where it reads like one; assize itself
    does not. In a dialogue of people who are not trusted, tokenise as assize does.

    Args:
        evaluator: reads whole dialogues, with an encoder `hf:` in fp32 or bf16.
        folder: made where it is not there.

    Returns:
        The names of the files.

    Raises:
        ConfigError: it reads something else, or its head is of another kind.
        OutputError: the folder cannot be written.
        MissingExtra: torch or transformers is not installed.
    """
    encoder = _exportable(evaluator)
    try:
        import torch
        import transformers  # noqa: F401  # what the module below stands on
    except ImportError as error:
        raise MissingExtra(
            "a model of transformers", extra="train", missing=str(error.name)
        ) from error
    from assize.evaluator.export import modeling

    settings, arrays = _network(evaluator)
    details: Mapping[str, Any] = encoder.details
    layer = details["layer"]
    config = modeling.AssizeConfig(
        backbone=_plain(encoder.model.config),
        pooling=str(details["pooling"]),
        layer=None if layer == "last" else layer,
        window=details["window"],
        clip=CLIP,
        id2label=dict(enumerate(evaluator.scored)),
        label2id={name: place for place, name in enumerate(evaluator.scored)},
        problem_type="regression",
        assize={"evaluator": evaluator.name, "signature": evaluator.signature},
        auto_map=AUTO_MAP,
        architectures=["AssizeForSequenceClassification"],
        pad_token_id=encoder.tokenizer.pad_token_id,
        **settings,
    )
    config.dtype = encoder.model.dtype
    model = modeling.AssizeForSequenceClassification(config, backbone=encoder.model)
    model.head.load_state_dict({name: torch.tensor(one) for name, one in arrays.items()})
    make_folder(Path(folder))
    try:
        model.save_pretrained(folder)
        encoder.tokenizer.save_pretrained(folder)
        (Path(folder) / MODELING).write_text(Path(modeling.__file__).read_text("utf-8"), "utf-8")
    except OSError as error:
        raise OutputError(f"cannot write ({error.strerror})", source=str(folder)) from error
    return tuple(sorted(path.name for path in Path(folder).iterdir() if path.is_file()))


def _exportable(evaluator: Evaluator) -> HuggingFace:
    """The encoder of an evaluator that a model of transformers can stand for."""
    encoder = uncached(evaluator.encoder)
    if evaluator.featuriser.name != "dialogue" or not isinstance(encoder, HuggingFace):
        read = f"the featuriser {evaluator.featuriser.name} on {encoder.name}"
        raise ConfigError(
            f"{evaluator.judge} has {read}; a model of transformers can be made of the featuriser"
            " dialogue on an encoder hf: alone. Its reward function (--to trl) works for all"
        )
    if encoder.details["precision"] == "int8":
        raise ConfigError("8-bit weights are not exported; open the evaluator in fp32 or bf16")
    if encoder.model.config.is_encoder_decoder:
        raise ConfigError("the encoder half of an encoder-decoder is not exported")
    return encoder


def _network(evaluator: Evaluator) -> tuple[dict[str, Any], dict[str, NDArray[np.float32]]]:
    """Shape and numbers of the head, as a network."""
    head, arrays = evaluator.head, evaluator.head.arrays()
    if head.kind == "network":
        shape: dict[str, Any] = dict(head.settings)
        shared = {name: arrays[name] for name in ("center", "scale", "gain", "spread")}
        return shape, _named(shared | _towers(arrays))
    if head.kind != "linear":
        raise ConfigError(f"a head of kind {head.kind!r} is not exported; linear and network are")
    weights = np.stack([arrays[f"weight.{name}"] for name in head.questions], axis=1)  # (F, H)
    shared = {"center": arrays["center"], "scale": arrays["scale"]}
    shared |= {"gain": np.ones(len(weights)), "spread": np.ones(weights.shape[1])}
    bias = np.zeros((1, weights.shape[1]))
    tower = {"towers.0.weights.0": weights[None], "towers.0.biases.0": bias}
    shape = {
        "activation": "relu",
        "members": 1,
        "towers": [{"layers": [weights.shape[1]], "linear": False}],
    }
    return shape, _named(shared | tower)


def _towers(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Arrays of the head `network`, by the names that the module gives them."""
    found = {}
    for name, array in arrays.items():
        if name.startswith("tower."):
            to = name.replace("tower.", "towers.", 1)
            found[to.replace(".weight.", ".weights.").replace(".bias.", ".biases.")] = array
    return found


def _named(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    return {name: np.asarray(one, np.float32) for name, one in arrays.items()}


def _plain(config: Any) -> dict[str, Any]:
    """A backbone's settings without what tells where it came from."""
    settings = config.to_dict()
    for name in ("_name_or_path", "auto_map", "transformers_version", "architectures"):
        settings.pop(name, None)
    return {**settings, "model_type": config.model_type}
